"""Arguments and options that several commands share, and their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from gough.errors import InputError
from gough.robot.names import did_you_mean

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="Robot name (see `gough robots`) or TOML file.")]
SettingsOption = Annotated[
    list[str],
    typer.Option("--set", metavar="PATH=VALUE", help="Change a number of the robot, SI or with its unit; repeatable."),
]
PoseOption = Annotated[
    str,
    typer.Option(
        "--pose", metavar="POSE", help="Platform coordinates, e.g. x=0.1,psi=5deg (the rest at home), or all in order."
    ),
]
UnitsOption = Annotated[
    str,
    typer.Option(
        "--units",
        metavar="UNITS",
        help="Units of numbers without one and of output, e.g. mm,deg,ms; rates per s. [SI; rad printed as deg]",
    ),
]
LimitOption = Annotated[
    list[str],
    typer.Option(
        "--limit",
        metavar="KIND=VALUE",
        help="Limit instead of the robot's own: stroke=LOW,HIGH, speed, force, power, angle, distance, condition, "
        "singular; repeatable.",
    ),
]
EnvelopeOption = Annotated[
    str, typer.Option("--envelope", metavar="FILE", help="TOML file of pose, velocity, acceleration, load ranges.")
]
MotorOption = Annotated[
    str, typer.Option("--motor", metavar="FILE", help="TOML file: curves, gear or spindle, rotor inertia.")
]
CsvUnitsOption = Annotated[
    bool, typer.Option("--csv-units", help="Write CSV in --units (named in the header) instead of SI.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object, SI units and radians.")]


def whole(least: int | None = None) -> Callable[[Any], int]:
    """What reads a whole number from an option, 1e6 too."""

    def read(text: Any) -> int:
        try:
            number = float(text)
            if not number.is_integer() or "_" in str(text):
                raise ValueError
        except (ValueError, OverflowError):
            raise typer.BadParameter("must be a whole number") from None
        if least is not None and number < least:
            raise typer.BadParameter(f"must be at least {least}")
        return int(text) if str(text).strip().lstrip("+-").isdecimal() else int(number)

    return read


def check_csv_units(csv_units: bool, form: str) -> None:
    """Refuse --csv-units where no CSV is asked for."""
    if csv_units and form != "csv":
        raise InputError("--csv-units: is for --format csv")


def choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """The one of `allowed` that `value` is, in any case of letters.

    Raises:
        InputError: It is none of them; the nearest is named.
    """
    for entry in allowed:
        if entry.lower() == value.lower():
            return entry
    listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}" if len(allowed) > 1 else allowed[0]
    near = did_you_mean(value, allowed, listed=False)
    raise InputError(f"{option} {value}: must be {listed}{f' ({near})' if near else ''}")
