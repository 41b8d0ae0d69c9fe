"""`gough simulate`: a robot driven along a motion, or left to itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import (
    BaseOption,
    CsvUnitsOption,
    RobotArgument,
    SettingsOption,
    choice,
    not_negative,
    positive,
    quantities,
    whole,
)
from gough.errors import GoughError, InputError
from gough.motion import State, parse_units
from gough.robot.file.units import Units
from gough.robot.quantities import Measure, measure

if TYPE_CHECKING:
    from gough.motion import Motion, MovingBase
    from gough.robot import Robot
    from gough.simulation.arguments import StartLike
    from gough.simulation.control.controller import InputLike

CONTROLLERS = ("computed-torque", "pd", "feedforward", "none")


def _option(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text)


def _count(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text, parser=whole())


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    controller: Annotated[
        str, _option("--controller", "NAME", "computed-torque, pd, feedforward or none.")
    ] = "computed-torque",
    space: Annotated[str, _option("--space", "SPACE", "Space of computed-torque's errors: task or joint.")] = "task",
    bandwidth: Annotated[str, _option("--bandwidth", "HZ", "Bandwidth of the controller [Hz].")] = "5",
    sample_time: Annotated[
        str | None, _option("--sample-time", "T", "Controller sample time, e.g. 1ms; continuous if omitted.")
    ] = None,
    delay: Annotated[str, _option("--delay", "T", "Delay from measurement to force.")] = "0",
    saturate: Annotated[bool, typer.Option("--saturate", help="Limit forces to the actuators' stated limits.")] = False,
    noise: Annotated[
        str, _option("--noise", "Q[,QD]", "Standard deviations of the sensor noise, e.g. 0.01mm,1mm/s.")
    ] = "",
    encoder: Annotated[
        str,
        _option("--encoder", "RESOLUTION", "Step of the encoders, e.g. 0.01deg; rates are differences of readings."),
    ] = "",
    mismatch: Annotated[
        list[str], _option("--mismatch", "PATH=1.2x", "Wrong value in the controller's model; repeatable.")
    ] = [],  # noqa: B006
    ensemble: Annotated[int | None, _count("--ensemble", "N", "Number of robots to simulate together.")] = None,
    vary: Annotated[list[str], _option("--vary", "PATH=5%", "Spread of a number over the ensemble; repeatable.")] = [],  # noqa: B006
    seed: Annotated[int, _option("--seed", "N", "Seed of noise and variation.")] = 0,
    step: Annotated[str | None, _option("--step", "T", "Fixed time step. [1ms in an ensemble, else adaptive]")] = None,
    time: Annotated[str | None, _option("--for", "T", "Simulated time. [the motion's duration]")] = None,
    samples: Annotated[int, _count("--samples", "N", "Number of rows of the table that is written.")] = 201,
    on_limit: Annotated[str, _option("--on-limit", "WHAT", "At the end of a stroke: stop or continue.")] = "stop",
    slip: Annotated[
        str | None,
        _option("--slip", "SPEED", "Speed below which Coulomb friction fades. [0.001 of an actuator's largest speed]"),
    ] = None,
    full_history: Annotated[bool, typer.Option("--full-history", help="Write every time step of every robot.")] = False,
    out: Annotated[str, _option("--out", "DIR", "Folder to write tables and plots into.")] = "",
    csv_units: CsvUnitsOption = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write a Parquet file too.")] = False,
    settings: SettingsOption = [],  # noqa: B006
    base: BaseOption = None,
    known_base: Annotated[
        bool, typer.Option("--known-base", help="The controller knows the motion of the base and compensates for it.")
    ] = False,
) -> int:
    """Simulate a robot along a motion with a controller, or without one; or an ensemble of varied robots.

    Writes run.csv, run.json and plots of path and error, forces and energy audit into --out. Exit code 1: the end of a
    stroke or the vicinity of a singularity was reached; 3: the integration failed, or its energy balance is off by more
    than its tolerances explain; 130: interrupted. Results up to there are written in any case.

    Coulomb friction is smooth, coulomb v / sqrt(v^2 + slip^2): loads that it should hold creep, slower than --slip.

    \b
    Examples:
      gough simulate stewart --controller pd --out run
      gough simulate delta --payload 1 --mismatch platform.mass=1.2x --out run
      gough simulate hexapod --controller feedforward --sample-time 1e-3 --delay 1e-3 --noise 1e-5,1e-3
      gough simulate delta --sample-time 1ms --delay 1ms --encoder 0.01deg --saturate
      gough simulate stewart --ensemble 1000 --vary platform.mass=5% --out spread
      gough simulate stewart --controller none --for 0.3
      gough simulate hexapod --base-motion ship --known-base
    """
    from gough.cli.pages.simulate_page import check_out, show, verdict

    size = parse_units(moving.units)
    length, period, fixed = (
        None if text is None else positive(option, text, measure("time", size))
        for option, text in (("--for", time), ("--sample-time", sample_time), ("--step", step))
    )
    width = positive("--bandwidth", bandwidth, measure("frequency"))
    late = not_negative("--delay", delay, measure("time", size))
    if late and period is None:
        raise InputError(f"--delay {delay}: needs --sample-time, the sample time of the controller")
    for option, text in (("--noise", noise), ("--encoder", encoder)):
        if text and period is None:
            raise InputError(f"{option} {text}: needs --sample-time, the sample time of the controller")
    _check_numbers(ensemble, samples)
    name = choice("--controller", controller, CONTROLLERS)
    limit = choice("--on-limit", on_limit, ("stop", "continue"))
    folder = check_out(out, parquet)
    if csv_units and folder is None:
        raise InputError("--csv-units: needs --out, the folder to write CSV to")
    table_units = moving.units if csv_units else None
    machine = moving.robot(robot, settings)
    moved = moving.on(machine, base=base)
    if known_base and moved.base is None:
        raise InputError("--known-base: needs --base-motion, the motion that the controller knows")
    if known_base and name == "none":
        raise InputError("--known-base: needs a --controller that can know it")
    timing: dict[str, Any] = {"sample_time": period, "delay": late, "saturation": saturate or None}
    carried, known = moved.base, moved if known_base else replace(moved, base=None)
    errors = choice("--space", space, ("task", "joint"))
    drive = _drive(machine, known, name, errors, width, mismatch, (noise, encoder), seed, timing, size)
    fades = None if slip is None else positive("--slip", slip, _travel(machine, size, order=1))
    at = moved(moved.start)
    start = None if drive is not None else State(at.x, at.xd)
    length = moved.duration if length is None else length
    try:
        if ensemble is None and fixed is None:
            if vary:
                raise InputError("--vary: needs --ensemble")
            result = _single(machine, start, drive, moved, length, samples, limit, fades, carried)
        else:
            result = _many(machine, start, drive, length, ensemble, fixed, vary, seed, full_history, fades, carried)
    except GoughError as error:
        if error.partial is not None:
            show(error.partial, folder, parquet, moving.display, table_units)
        raise
    show(result, folder, parquet, moving.display, table_units)
    return verdict(result, moving.display)


def _check_numbers(ensemble: int | None, samples: int) -> None:
    if ensemble is not None and ensemble < 1:
        raise InputError(f"--ensemble {ensemble}: must be a whole number from 1 on")
    if samples < 2:
        raise InputError(f"--samples {samples}: must be at least 2: both ends count")


def _drive(
    machine: Robot, moved: Motion, name: str, space: str, bandwidth: float, mismatch: list[str],
    sensing: tuple[str, str], seed: int, timing: dict[str, Any], units: Units,
) -> Any:  # fmt: skip
    """The controller of the options, or None."""
    from gough.cli.loading import other_units
    from gough.simulation import PD, ComputedTorque, Controller, Feedforward, Noise
    from gough.simulation.ensemble.variation import parse_mismatch

    if name == "none":
        return None
    laws: dict[str, Any] = {
        "computed-torque": ComputedTorque(bandwidth=bandwidth, space=space),  # type: ignore[arg-type]
        "pd": PD(bandwidth=bandwidth),
        "feedforward": Feedforward(bandwidth=bandwidth),
    }
    others = other_units(machine, units)
    known = machine.replace(dict(parse_mismatch(machine, text, others) for text in mismatch)) if mismatch else None
    sensors, (noise, encoder) = None, sensing
    if noise or encoder:
        each = [_travel(machine, units), _travel(machine, units, order=1)]
        given = [
            *(quantities("--noise", noise, "standard deviations, e.g. 1e-5,1e-3", *each) if noise else ()),
            0.0,
            0.0,
        ]
        step = positive("--encoder", encoder, each[0]) if encoder else 0.0
        sensors = Noise(given[0], given[1], seed, step)
    return Controller(laws[name], moved, known, noise=sensors, **timing)


def _travel(machine: Robot, units: Units, order: int = 0) -> Measure:
    """What the actuators' displacements measure, or their rates; SI units where some turn and some slide."""
    kinds = {joint.kind for joint in machine.actuators}
    return measure("angle" if kinds == {"R"} else "length", units if len(kinds) == 1 else Units(), order=order)


def _single(
    machine: Robot,
    start: StartLike,
    drive: InputLike,
    moved: Motion,
    length: float,
    samples: int,
    limit: str,
    slip: float | None,
    base: MovingBase | None,
) -> Any:
    from gough.cli.output import steps
    from gough.simulation import simulate
    from gough.simulation.arguments import wrench_of

    with steps() as show:
        return simulate(
            machine,
            start,
            drive,
            length,
            wrench=wrench_of(moved),
            samples=samples,
            on_limit=limit,
            slip=slip,
            base=base,
            progress=lambda t, end: show(f"t = {t:.3f} of {end:.3f} s"),
        )


def _many(
    machine: Robot, start: StartLike, drive: InputLike, length: float, ensemble: int | None, step: float | None,
    vary: list[str], seed: int, full: bool, slip: float | None, base: MovingBase | None,
) -> Any:  # fmt: skip
    from gough.cli.output import steps
    from gough.simulation import simulate_many
    from gough.simulation.ensemble.variation import parse_vary

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
            slip=slip,
            base=base,
            progress=lambda t, end: show(f"t = {t:.3f} of {end:.3f} s"),
        )
