"""Arguments of simulations: where they start, the external wrench, and the times of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.graph import Array
from gough.kinematics import PoseError, inverse_kinematics
from gough.kinematics.status import Status
from gough.motion import Motion, State, StateLike
from gough.resources import check_memory
from gough.robot import Mechanism
from gough.robot.actuator_quantities import has_text, in_si, wrench_in_si
from gough.robot.quantities import QuantityError, measure, quantity
from gough.simulation.control.known_model import load_of
from gough.simulation.own_function import call_own

StartLike: TypeAlias = StateLike | None
"""A state, of which x and xd count, or a pose at rest; None is home."""


def start_state(robot: Mechanism, start: StartLike) -> tuple[Array, Array]:
    """Platform coordinates and rates (n,) to start from.

    Raises:
        InputError: Wrong sizes, numbers that are not finite; a wrench or a motion of the base, no part of a start.
        PoseError: Out of reach, or no solution.
    """
    at = start_of(robot, start)
    pose = _vector(robot, "start pose", at.x)
    rates = np.zeros(robot.dof) if at.xd is None else _vector(robot, "start velocity", at.xd)
    try:
        found = inverse_kinematics(robot, pose)
    except PoseError as error:
        raise PoseError(error.status, error.leg, error.amount, "start") from None
    if found.status == Status.NEAR_SINGULAR and not np.isfinite(found.K).all():
        raise PoseError(Status.NEAR_SINGULAR, "", 0.0, "start")
    return pose, rates


def start_of(robot: Mechanism, start: StartLike) -> State:
    """The state to start from, or those of many robots.

    Raises:
        InputError: It is of other coordinates, or has a wrench or a motion of the base.
    """
    at = State.of(robot, robot.platform.home if start is None else start).without_base("start")
    if at.wrench is not None:
        raise InputError("start: has an external wrench; give it as wrench, or with the controller's motion")
    return at


def _vector(robot: Mechanism, what: str, values: ArrayLike) -> Array:
    names = robot.coordinate_names
    expected = f"expected {len(names)}: {', '.join(names)}"
    try:
        vector = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: {values!r} given, {expected}") from None
    if vector.shape != (len(names),):
        given = f"{vector.size} numbers" if vector.ndim == 1 else f"shape {vector.shape}"
        raise InputError(f"{what}: {given} given, {expected}")
    if not np.isfinite(vector).all():
        name = names[int(np.argmin(np.isfinite(vector)))]
        raise InputError(f"{what}: {name} is not a finite number")
    return vector


def positive(what: str, value: object, unit: str = "s") -> float:
    """The number, if it is finite and above zero; it may be a text with its unit, "20 ms"."""
    try:
        number = quantity(value, measure("frequency" if unit == "Hz" else "time"))
    except QuantityError:
        number = float("nan")
    if isinstance(value, bool) or not (np.isfinite(number) and number > 0.0):
        shown = value if isinstance(value, (str, int, float)) else repr(value)
        raise InputError(f"{what}: {shown} given, must be a positive number [{unit}]")
    return number


Wrench = Callable[[float], Array]

SAMPLE_BYTES = 12e3
"""Of a result at one time, written tables included."""
SAMPLES = 201
"""Times a result is given at, by default."""


def wrench_of(motion: Motion) -> Wrench | None:
    """The external wrench of a motion as a function of time."""
    return None if motion.load is None else lambda t: load_of(motion, t)[0]


def wrench_function(given: Sequence[float | str] | Array | Wrench | None) -> Wrench | None:
    """The external wrench, six numbers or a function of time, as a function of time."""
    if given is None:
        return None
    if callable(given):
        return lambda t: call_own("wrench", t, given, t)
    value = np.asarray(wrench_in_si("wrench", given), dtype=float)
    if value.shape != (6,) or not np.isfinite(value).all():
        raise InputError(f"wrench: {given!r} given, expected six finite numbers: fx fy fz mx my mz, or a function of t")
    return lambda _t: value


def sample_times(samples: int | ArrayLike | None, t0: float, t1: float) -> Array:
    """The times (T,) of a result: so many from end to end, or those given."""
    if samples is None:
        samples = SAMPLES
    if isinstance(samples, (int, np.integer)) and not isinstance(samples, bool):
        if samples < 2:
            raise InputError(f"samples: {samples} given, must be at least 2: both ends count")
        check_memory(f"samples {samples:g}", int(samples), SAMPLE_BYTES, "samples")
        return np.linspace(t0, t1, int(samples))
    if has_text(samples) and not isinstance(samples, str):
        samples = in_si("samples", samples, [measure("time")] * len(samples))
    times = np.asarray(samples, dtype=float)
    if times.ndim != 1 or not len(times) or not ((times >= t0) & (times <= t1)).all():
        raise InputError(f"samples: must be times within {t0:g} and {t1:g} s")
    return times
