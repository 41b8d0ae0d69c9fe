"""Laws s(t) from 0 to 1, at rest at both ends, and back to 0 where asked.

| law | s on the way there, u = t/T | at the ends |
|---|---|---|
| minimum-jerk | 10 u^3 - 15 u^4 + 6 u^5 | rate and acceleration zero |
| trig3 | 1/2 - 9/16 cos(pi u) + 1/16 cos(3 pi u) | rate and acceleration zero |
| cos | (1 - cos(pi u))/2 | rate zero, acceleration pi^2/(2 T^2): it jumps where rest comes before or after |
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gough.motion.curve import Curve
from gough.motion.piecewise import Pieces
from gough.motion.series import Series, Wave

MINIMUM_JERK = (0.0, 0.0, 0.0, 10.0, -15.0, 6.0)
"""Coefficients of 1, u, u^2, ..."""


def minimum_jerk(duration: float, back: bool = False) -> Curve:
    """The quintic with rate and acceleration zero at both ends (Flash, Hogan 1985)."""
    reach = duration / 2 if back else duration
    there = np.array(MINIMUM_JERK) / reach ** np.arange(6.0)
    ways = [there, np.array([1.0, 0, 0, 0, 0, 0]) - there] if back else [there]
    return Pieces(np.linspace(0.0, duration, len(ways) + 1), np.array(ways).T[:, :, None])


def trig3(duration: float, back: bool = False) -> Curve:
    """The third-harmonic law of the Stewart platform's companion: rate and acceleration zero at both ends."""
    w = _frequency(duration, back)
    return Series(((0.5,),), (Wave((-9 / 16,), w, kind="cos"), Wave((1 / 16,), 3 * w, kind="cos")))


def cosine(duration: float, back: bool = False) -> Curve:
    """Half a cosine: rate zero at both ends, acceleration not."""
    return Series(((0.5,),), (Wave((-0.5,), _frequency(duration, back), kind="cos"),))


def _frequency(duration: float, back: bool) -> float:
    return (2 * math.pi if back else math.pi) / duration


LAWS: dict[str, Callable[[float, bool], Curve]] = {"minimum-jerk": minimum_jerk, "trig3": trig3, "cos": cosine}
