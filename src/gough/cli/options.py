"""Arguments and options that several commands share, and their values: poses, units, limits, samples, loads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Annotated, Any

import typer
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.motion import Motion, parse_units
from gough.motion.columns import WRENCH
from gough.motion.conventions import NAMES, Convention
from gough.robot import Robot, RobotError
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity, shown

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="Robot name (see `gough robots`) or TOML file.")]
SettingsOption = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change a number of the robot: 750mm/s; without a unit SI. Repeatable."
    ),
]
PoseOption = Annotated[
    str,
    typer.Option(
        "--pose",
        metavar="POSE",
        help="Platform coordinates, e.g. x=0.1,psi=5deg (the rest as at home), or all in order; values of dependent "
        "coordinates are initial guesses.",
    ),
]
UnitsOption = Annotated[
    str,
    typer.Option(
        "--units",
        metavar="UNITS",
        help="Units of output and of numbers without a unit, e.g. mm,deg,ms; rates per s. Moments are in N mm with mm, "
        "unless stated too: mm,deg,N m. [SI; rad printed as deg]",
    ),
]
LimitOption = Annotated[
    list[str],
    typer.Option(
        "--limit",
        metavar="KIND=VALUE",
        help="Limit instead of the robot's own: stroke=LOW,HIGH, speed, force, power, angle, distance, condition, "
        "singular, margin, parasitic, parasitic_turn, platform_speed, platform_acceleration, turning_speed, "
        "turning_acceleration; repeatable.",
    ),
]
EnvelopeOption = Annotated[
    str,
    typer.Option("--envelope", metavar="FILE", help="TOML file with ranges of pose, velocity, acceleration and load."),
]
MotorOption = Annotated[
    str, typer.Option("--motor", metavar="FILE", help="TOML file of the motor: curves, gear or screw, rotor inertia.")
]
MotorsOption = Annotated[
    list[str],
    typer.Option(
        "--motor",
        metavar="FILE",
        help="TOML file of the motor: curves, gear or screw, rotor inertia. Repeat to compare several, a row each.",
    ),
]
BaseOption = Annotated[
    str | None,
    typer.Option(
        "--base-motion",
        metavar="NAME|FILE.csv",
        help="Motion of the base: ship, vehicle, shaker, or a CSV file with t and any of x, y, z, yaw, pitch, roll.",
    ),
]
FormatOption = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")]
CsvUnitsOption = Annotated[
    bool, typer.Option("--csv-units", help="Write CSV in --units (named in the header) instead of SI.")
]
JsonOption = Annotated[bool, typer.Option("--json", hidden=True, help="As --format json.")]
"""Of a command that prints a page or JSON; `gough.cli.invoke` gives it `--format` too, which the user sees."""
TableOrJsonOption = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="table or json (one object, SI units and radians).")
]


def whole(least: int | None = None) -> Callable[[Any], int]:
    """A parser of whole numbers for an option; 1e6 is one too."""

    def read(text: str | int) -> int:
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


ConventionOption = Annotated[
    str | None,
    typer.Option("--convention", metavar="NAME", help="Pose convention: robot, fixed-xyz, uvw or quaternion. [robot]"),
]
ToolOption = Annotated[
    str | None,
    typer.Option(
        "--tool",
        metavar="X,Y,Z",
        help="Tool: point of the platform (platform axes) where wrenches act and that poses by --convention, travel "
        "and errors refer to. [the robot's own]",
    ),
]


def convention_of(name: str | None) -> Convention:
    """The convention of the option.

    Raises:
        InputError: An unknown name.
    """
    return Convention("robot" if name is None else choice("--convention", name, NAMES))


def with_tool_at(robot: Robot, tool: str | None, units: str) -> Robot:
    """The robot with its tool at the point of the option, or as it is.

    Raises:
        InputError: The option is not three numbers, or a point implausibly far from the robot.
    """
    if tool is None:
        return robot
    point = quantities("--tool", tool, "x,y,z", measure("length", parse_units(units)))
    if len(point) != 3:
        raise InputError(f"--tool {tool}: must be three numbers x,y,z, not {len(point)}")
    try:
        return robot.with_tool(point)
    except RobotError as error:
        raise InputError(f"--tool {tool}: {error.faults[0].allowed} (millimetres? say --units mm)") from None


def limits_of(robot: Robot, entries: Sequence[str], units: str) -> dict[str, Any]:
    """Limits in SI units from entries such as stroke=1.8,3.3 or angle=45deg.

    Raises:
        InputError: An entry that cannot be read; one line that says what it may be.
    """
    from gough.analysis.limits import STATED, only_turns

    size = parse_units(units)
    found: dict[str, Any] = {}
    for entry in entries:
        kind, equals, text = (part.strip() for part in entry.partition("="))
        if not equals or not text:
            raise InputError(f"--limit {entry}: must be KIND=VALUE, e.g. force=100 or stroke=0.1,0.4")
        if kind not in STATED:
            raise InputError(f"--limit {entry}: no limit {kind} ({did_you_mean(kind, STATED)})")
        if kind in found:
            raise InputError(f"--limit {entry}: {kind} is given twice")
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != (2 if kind == "stroke" else 1):
            many = "two values, LOW,HIGH" if kind == "stroke" else "one value"
            raise InputError(f"--limit {entry}: {kind} takes {many}")
        values = [_value(kind, part, entry, only_turns(robot, kind), size) for part in parts]
        found[kind] = tuple(values) if kind == "stroke" else values[0]
    return found


def _value(kind: str, text: str, entry: str, turns: bool, size: Units) -> float:
    from gough.analysis.limits import limit_measure

    own = limit_measure(kind, turns, size)
    try:
        value = quantity(text, own)
    except QuantityError as error:
        raise InputError(f"--limit {entry}: {error}") from None
    if kind == "angle" and not has_unit(text) and value > math.pi + 1e-9:
        raise InputError(f"--limit {entry}: more than half a turn; for degrees write {text}deg")
    return value


MOST_SAMPLES = 10_000_000
LARGEST = 1e12
"""Of any number; squares of forces must not overflow."""


def samples_of(
    motion: Motion, times: str | None, samples: str | None, units: str, default: int | ArrayLike
) -> int | ArrayLike:
    """What `Motion.sampled` takes: a number of samples, or times [s].

    Raises:
        InputError: Both are given, or either is out of range.
    """
    if times is None:
        if samples is None:
            return default
        try:
            count = float(samples if "_" not in samples else "nan")
        except ValueError:
            count = float("nan")
        if not (2 <= count <= MOST_SAMPLES and count.is_integer()):
            raise InputError(f"--samples {samples}: must be a whole number from 2 to {MOST_SAMPLES}")
        return int(count)
    if samples is not None:
        raise InputError("--times: cannot go with --samples")
    size = parse_units(units)
    found = list(quantities("--times", times, "seconds, e.g. 0,0.5,1", measure("time", size)))
    for earlier, later in pairwise(found):
        if later <= earlier:
            one, other = shown(later, "time", size, 12), shown(earlier, "time", size, 12)
            raise InputError(f"--times {times}: must increase, {one} comes after {other}")
    outside = [t for t in found if not motion.covers(t)]
    if outside:
        start, end = (shown(t, "time", size, 12) for t in (motion.start, motion.end))
        at = shown(outside[0], "time", size, 12)
        raise InputError(f"--times {times}: {at} is outside the motion {motion.name}, from {start} to {end}")
    return found


def wrench_of(text: str | None, units: str) -> list[float] | None:
    """Force [N] and moment [N m] from six numbers, or from some by name (fz=400N); None stays None."""
    if text is None:
        return None
    size = parse_units(units)
    if "=" in text:
        return _named_wrench(text, size)
    each = [measure("force", size)] * 3 + [measure("torque", size)] * 3
    values = quantities("--wrench", text, "fx,fy,fz,mx,my,mz", *each)
    if len(values) != 6:
        raise InputError(f"--wrench {text}: must be six numbers fx,fy,fz,mx,my,mz, not {len(values)}")
    return list(values)


def _named_wrench(text: str, size: Units) -> list[float]:
    """Parts of a wrench by name, the others 0."""
    found = dict.fromkeys(WRENCH, 0.0)
    stated: set[str] = set()
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in WRENCH:
            raise InputError(
                f"--wrench {text}: {part.strip()}: name parts of it as {', '.join(WRENCH)}, e.g. fz=400N,my=2"
            )
        if name in stated:
            raise InputError(f"--wrench {text}: {name} is stated twice")
        stated.add(name)
        kind = measure("force" if name.startswith("f") else "torque", size)
        (found[name],) = quantities("--wrench", value, f"a number for {name}", kind)
    return list(found.values())


def carrying(robot: Robot, payload: str | None, units: str) -> Robot:
    """The robot with the payload of the option on its platform, or as it is."""
    if payload is None:
        return robot
    from gough.robot.file.fields import MASS

    size = parse_units(units)
    each = [measure("mass", size)] + [measure("length", size)] * 3
    values = quantities("--payload", payload, "mass or mass,x,y,z", *each)
    if len(values) not in (1, 4):
        raise InputError(f"--payload {payload}: must be mass or mass,x,y,z, not {len(values)} numbers")
    if not 0.0 < values[0] <= MASS.high:
        raise InputError(f"--payload {payload}: the mass must be greater than 0 and at most {MASS.high:g} kg")
    return robot.with_payload(values[0], values[1:] or (0.0, 0.0, 0.0))


def quantities(option: str, text: str, what: str, *measures: Measure) -> Sequence[float]:
    """Finite numbers in SI units with commas between them, each with or without its unit.

    Args:
        option, text: As given.
        what: Says in messages what they are.
        measures: What each is, the last also of all that follow; plain numbers if left out.
    Raises:
        InputError: One of them is not a number, or has a unit of something else.
    """
    found = []
    for k, part in enumerate(entry.strip() for entry in text.split(",")):
        own = measures[min(k, len(measures) - 1)] if measures else PLAIN
        try:
            value = quantity(part, own)
        except QuantityError as error:
            fault = f"{part} is not a finite number" if part else "a number is missing"
            if str(error).startswith("its unit"):
                fault = f"{part}: {error}"
            elif has_unit(part):
                fault = f"{part} {error}"
            raise InputError(f"{option} {text}: {fault}; give {what}") from None
        if abs(value) > LARGEST * max(1.0, own.size):
            raise InputError(f"{option} {text}: {part} is larger than {LARGEST:g}; in SI units unless --units says so")
        found.append(value)
    return found


def positive(option: str, text: str, what: Measure) -> float:
    """A number above zero in SI units, with or without its unit.

    Raises:
        InputError: It is none.
    """
    value = _one(option, text, what)
    if not value > 0.0:
        raise InputError(f"{option} {text}: must be a positive number")
    return value


def not_negative(option: str, text: str, what: Measure) -> float:
    """A number not below zero in SI units, with or without its unit.

    Raises:
        InputError: It is none.
    """
    value = _one(option, text, what)
    if value < 0.0:
        raise InputError(f"{option} {text}: must not be negative")
    return value


def _one(option: str, text: str, what: Measure) -> float:
    try:
        return quantity(text, what)
    except QuantityError as error:
        raise InputError(f"{option} {text}: {error}") from None
