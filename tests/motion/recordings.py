"""A motion as a sensor sees it: the stated case of the smoothing, with several kinds of noise.

The case: two coordinates, 0.2 m at 0.3 Hz and 30 deg at 0.25 Hz, 10 s at 100 Hz; their accelerations are not zero at
the ends. Noise of 0.02 mm and 0.005 deg (standard deviation) makes interpolated accelerations wrong by several times
their peak.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.signal import butter, lfilter

RATE, DURATION = 100.0, 10.0
NOISE = np.array([2e-5, math.radians(5e-3)])
KINDS = ("white", "quantised", "correlated", "filtered")
_AMPLITUDE = np.array([0.2, math.radians(30.0)])
_FREQUENCY = 2.0 * math.pi * np.array([0.3, 0.25])
_PHASE = np.array([0.3, 1.0])


def motion(t: Any) -> tuple[Any, Any]:
    """Values and accelerations (N, 2) at times t (N,)."""
    values = _AMPLITUDE * np.cos(_FREQUENCY * np.asarray(t)[:, None] + _PHASE)
    return values, -(_FREQUENCY**2) * values


def times(rate: float = RATE, duration: float = DURATION) -> Any:
    """(N,) even times."""
    return np.arange(round(rate * duration) + 1) / rate


def seen(values: Any, kind: str, seed: int, noise: Any = NOISE, rate: float = RATE) -> Any:
    """Values (N, n) as recorded.

    Args:
        values: What is.
        kind: "none"; "white"; "quantised": rounded to steps whose error has this deviation; "correlated": first order,
            30 ms; "filtered": through a second-order Butterworth filter of 8 Hz.
        seed: Of the random numbers.
        noise: (n,) standard deviations.
        rate: Rows per second.
    """
    rng = np.random.default_rng(seed)
    if kind == "quantised":
        step = np.asarray(noise) * math.sqrt(12.0)
        zero = rng.uniform(size=values.shape[1]) * step
        return np.round((values - zero) / step) * step + zero
    settling = round(rate)
    error = rng.standard_normal((len(values) + settling, values.shape[1]))
    if kind == "correlated":
        alike = math.exp(-1.0 / (0.03 * rate))
        error = lfilter([math.sqrt(1.0 - alike**2)], [1.0, -alike], error, axis=0)
    elif kind == "filtered":
        error = lfilter(*butter(2, 8.0, fs=rate), error, axis=0)
        error /= error.std(axis=0)
    return values + (0.0 if kind == "none" else noise * error[settling:])
