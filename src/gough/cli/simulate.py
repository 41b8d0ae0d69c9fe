"""`gough simulate`: a robot driven along a motion, or left to itself."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.option_values import numbers
from gough.cli.options import RobotArgument, SettingsOption, choice
from gough.errors import GoughError, InputError

if TYPE_CHECKING:
    from gough.motion import Motion
    from gough.robot import Robot

CONTROLLERS = ("computed-torque", "pd", "feedforward", "none")


def _option(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text)


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    controller: Annotated[
        str, _option("--controller", "NAME", "computed-torque, pd, feedforward or none.")
    ] = "computed-torque",
    space: Annotated[str, _option("--space", "SPACE", "Errors of computed-torque: task or joint.")] = "task",
    bandwidth: Annotated[float, _option("--bandwidth", "HZ", "Of the controller.")] = 5.0,
    sample_time: Annotated[
        float | None, _option("--sample-time", "S", "The controller acts so often. [all the time]")
    ] = None,
    delay: Annotated[float, _option("--delay", "S", "From measurement to force.")] = 0.0,
    saturate: Annotated[bool, typer.Option("--saturate", help="Bound forces by the stated limits.")] = False,
    noise: Annotated[str, _option("--noise", "Q[,QD]", "Standard deviations of the sensors, m or rad (per s).")] = "",
    mismatch: Annotated[
        list[str], _option("--mismatch", "PATH=1.2x", "What the controller takes a number for; may be repeated.")
    ] = [],  # noqa: B006
    ensemble: Annotated[int | None, _option("--ensemble", "N", "Simulate so many robots at once.")] = None,
    vary: Annotated[
        list[str], _option("--vary", "PATH=5%", "Numbers that differ in an ensemble; may be repeated.")
    ] = [],  # noqa: B006
    seed: Annotated[int, _option("--seed", "N", "Of noise and variation.")] = 0,
    step: Annotated[float | None, _option("--step", "S", "Fixed step. [1e-3 in an ensemble, else adaptive]")] = None,
    time: Annotated[float | None, _option("--for", "S", "Simulate so long. [the motion's duration]")] = None,
    samples: Annotated[int, _option("--samples", "N", "Rows of the table written.")] = 201,
    on_limit: Annotated[str, _option("--on-limit", "WHAT", "stop or continue where a stroke ends.")] = "stop",
    full_history: Annotated[bool, typer.Option("--full-history", help="Write every step of every robot.")] = False,
    out: Annotated[str, _option("--out", "DIR", "Write tables and plots there.")] = "",
    parquet: Annotated[bool, typer.Option("--parquet", help="Write a Parquet file too.")] = False,
    settings: SettingsOption = [],  # noqa: B006
) -> int:
    """Simulate a robot along a motion with a controller, or falling without one; or many that differ.

    Writes run.csv, run.json and plots of path and error, forces and energy audit into --out. Exit code 1: a stroke
    ended or a singularity came near; 3: the numbers failed; 130: interrupted. What was computed is written anyway.

    \b
    Examples:
      gough simulate stewart --controller pd --out run
      gough simulate delta --payload 1 --mismatch platform.mass=1.2x --out run
      gough simulate hexapod --controller feedforward --sample-time 1e-3 --delay 1e-3 --noise 1e-5,1e-3
      gough simulate stewart --ensemble 1000 --vary platform.mass=5% --out spread
      gough simulate stewart --controller none --for 0.3
    """
    from gough.cli.simulate_files import check_out, show, verdict

    _check_numbers(
        {"--for": time, "--step": step, "--sample-time": sample_time, "--bandwidth": bandwidth},
        delay,
        ensemble,
        samples,
    )
    name = choice("--controller", controller, CONTROLLERS)
    limit = choice("--on-limit", on_limit, ("stop", "continue"))
    folder = check_out(out, parquet)
    machine = moving.robot(robot, settings)
    moved = moving.on(machine)
    timing = {"sample_time": sample_time, "delay": delay, "saturation": saturate or None}
    errors = choice("--space", space, ("task", "joint"))
    drive = _drive(machine, moved, name, errors, bandwidth, mismatch, noise, seed, timing, moving.units)
    start = None if drive is not None else tuple(v for v in moved(moved.start)[:2])
    length = moved.duration if time is None else time
    try:
        if ensemble is None and step is None:
            if vary:
                raise InputError("--vary: needs --ensemble")
            result = _single(machine, start, drive, moved, length, samples, limit)
        else:
            result = _many(machine, start, drive, length, ensemble, step, vary, seed, full_history)
    except GoughError as error:
        if getattr(error, "partial", None) is not None:
            show(error.partial, folder, parquet, moving.display)  # type: ignore[attr-defined]
        raise
    show(result, folder, parquet, moving.display)
    return verdict(result)


def _check_numbers(above_zero: dict[str, float | None], delay: float, ensemble: int | None, samples: int) -> None:
    for option, value in above_zero.items():
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise InputError(f"{option} {value:g}: must be a positive number")
    if not (math.isfinite(delay) and delay >= 0.0):
        raise InputError(f"--delay {delay:g}: must not be negative")
    if delay and above_zero["--sample-time"] is None:
        raise InputError(f"--delay {delay:g}: needs --sample-time, how often the controller acts")
    if ensemble is not None and ensemble < 1:
        raise InputError(f"--ensemble {ensemble}: must be a whole number from 1 on")
    if samples < 2:
        raise InputError(f"--samples {samples}: must be at least 2: both ends count")


def _drive(
    machine: Robot, moved: Motion, name: str, space: str, bandwidth: float, mismatch: list[str], noise: str,
    seed: int, timing: dict[str, Any], units: str,
) -> Any:  # fmt: skip
    """The controller of the options, or None."""
    from gough.motion import parse_units
    from gough.simulate import PD, ComputedTorque, Controller, Feedforward, Noise
    from gough.simulate.start import positive
    from gough.simulate.vary import parse_mismatch

    if name == "none":
        return None
    width = positive("--bandwidth", bandwidth, "Hz")
    laws: dict[str, Any] = {
        "computed-torque": ComputedTorque(bandwidth=width, space=space),  # type: ignore[arg-type]
        "pd": PD(bandwidth=width),
        "feedforward": Feedforward(bandwidth=width),
    }
    known = machine.replace(dict(parse_mismatch(machine, text) for text in mismatch)) if mismatch else None
    sensors = None
    if noise:
        given = [*numbers("--noise", noise, "standard deviations, e.g. 1e-5,1e-3"), 0.0]
        kinds = {joint.kind for leg in machine.legs for joint in leg.joints if joint.actuated}
        unit = parse_units(units).factor("travel", *kinds) if len(kinds) == 1 else 1.0
        sensors = Noise(given[0] * unit, given[1] * unit, seed)
    return Controller(laws[name], moved, known, noise=sensors, **timing)


def _single(machine: Robot, start: Any, drive: Any, moved: Motion, length: float, samples: int, limit: str) -> Any:
    from gough.cli.progress import steps
    from gough.simulate import simulate
    from gough.simulate.run_options import wrench_of

    with steps() as show:
        return simulate(
            machine,
            start,
            drive,
            length,
            wrench=wrench_of(moved),
            samples=samples,
            on_limit=limit,
            progress=lambda t, end: show(f"t = {t:.3f} of {end:.3f} s"),
        )


def _many(
    machine: Robot, start: Any, drive: Any, length: float, ensemble: int | None, step: float | None, vary: list[str],
    seed: int, full: bool,
) -> Any:  # fmt: skip
    from gough.cli.progress import steps
    from gough.simulate import simulate_many
    from gough.simulate.vary import parse_vary

    with steps() as show:
        return simulate_many(
            machine,
            start,
            drive,
            length,
            count=1 if ensemble is None else ensemble,
            step=1e-3 if step is None else step,
            vary=dict(map(parse_vary, vary)),
            seed=seed,
            history="full" if full else "decimated",
            progress=lambda t, end: show(f"t = {t:.3f} of {end:.3f} s"),
        )
