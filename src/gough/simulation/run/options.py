"""Options of `simulate` besides robot, start and input: external wrench, and the times of its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.motion import Motion
from gough.resources import check_memory
from gough.robot.actuator_quantities import has_text, in_si, wrench_in_si
from gough.robot.quantities import measure
from gough.simulation.control.known_model import load_of

Array = NDArray[np.float64]
Wrench = Callable[[float], Array]

SAMPLE_BYTES = 12e3
"""Of a result at one time, written tables included."""
SAMPLES = 201
"""Times a result is given at, by default."""


def wrench_of(motion: Motion) -> Wrench | None:
    """The external wrench of a motion as a function of time."""
    return None if motion.load is None else lambda t: load_of(motion, t)[0]


def wrench_function(given: Any) -> Wrench | None:
    """The external wrench, six numbers or a function of time, as a function of time."""
    if given is None:
        return None
    if callable(given):
        return given
    value = np.asarray(wrench_in_si("wrench", given), dtype=float)
    if value.shape != (6,) or not np.isfinite(value).all():
        raise InputError(f"wrench: {given!r} given, expected six finite numbers: fx fy fz mx my mz, or a function of t")
    return lambda _t: value


def sample_times(samples: Any, t0: float, t1: float) -> Array:
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
