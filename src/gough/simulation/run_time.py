"""Expected run time of a simulation, before it begins; one that would not end is refused, with values that work."""

from __future__ import annotations

import math

from gough.errors import InputError
from gough.resources import check_memory, memory_text, time_text
from gough.robot import Mechanism
from gough.simulation.control.controller import Controller, Custom, InputLike

MOST_STEPS = 2_000_000
"""Of a single run; each is kept, with its interpolant."""
_STEP_SECONDS = 2e-3
_STEP_BYTES = 3e3
_STEPS_PER_RADIAN = 4.0
"""Steps of DOP853 at 1e-10 while a loop closed at w rad/s runs 1/w seconds; measured on the catalogue."""

LONGEST = 86_400.0
"""Seconds an ensemble may be expected to take."""
_ENSEMBLE_STEP_SECONDS, _ROBOT_STEP_SECONDS = 2e-4, 2e-7
_FULL_BYTES = 40.0
"""Of each number of a full history, its table included."""


def check_single(input: InputLike, length: float) -> None:
    """Refuse a single run whose sample time or bandwidth needs more than `MOST_STEPS` steps, or than memory holds.

    Raises:
        InputError: With the estimate and what would do.
    """
    period = input.sample_time if isinstance(input, (Controller, Custom)) else None
    rate = _closed_loop_rate(input)
    if period is not None and length / period > MOST_STEPS:
        least = length / MOST_STEPS
        raise InputError(
            f"sample time {period:g} s: {_asks(length / period)}; {least:.2g} s or more would do, or a duration up to "
            f"{MOST_STEPS * period:.2g} s"
        )
    steps = length / period if period is not None else length * (rate or 0.0) * _STEPS_PER_RADIAN
    if period is None and rate is not None and steps > MOST_STEPS:
        most = MOST_STEPS / (length * 2.0 * math.pi * _STEPS_PER_RADIAN)
        shorter = MOST_STEPS / (rate * _STEPS_PER_RADIAN)
        raise InputError(
            f"bandwidth {rate / (2.0 * math.pi):g} Hz: {_asks(steps)}; up to {most:.2g} Hz would do, or a "
            f"duration up to {shorter:.2g} s, or a sample time"
        )
    check_memory(f"duration {length:g} s", steps, _STEP_BYTES, "steps")


def check_many(robot: Mechanism, count: int, length: float, step: float, history: str) -> None:
    """Refuse an ensemble whose history does not fit into memory, or that takes longer than `LONGEST`.

    Raises:
        InputError: With the estimate and what would do.
    """
    n = robot.dof
    steps = length / step
    if history == "full":
        kept = count * (n + 1) * _FULL_BYTES
        check_memory(f"full history of {steps:.3g} steps", steps, kept, "steps, or a decimated history,")
    seconds = steps * (_ENSEMBLE_STEP_SECONDS + n * _ROBOT_STEP_SECONDS * count)
    if seconds > LONGEST:
        longer = step * seconds / LONGEST
        raise InputError(
            f"step {step:g} s: {steps:.2g} steps of {count} robots take about {time_text(seconds)}; a step of "
            f"{longer:.2g} s or more would do, or a duration up to {length * LONGEST / seconds:.2g} s"
        )


def _asks(steps: float) -> str:
    return (
        f"needs about {steps:.2g} steps, some {time_text(steps * _STEP_SECONDS)} and {memory_text(steps * _STEP_BYTES)}"
    )


def _closed_loop_rate(input: InputLike) -> float | None:
    """Rate [rad/s] of a law that gets its gains from a bandwidth."""
    law = input.law if isinstance(input, Controller) else None
    if law is None or getattr(law, "kp", None) is not None or getattr(law, "kd", None) is not None:
        return None
    bandwidth = getattr(law, "bandwidth", None)
    return None if bandwidth is None else 2.0 * math.pi * float(bandwidth)
