"""Forces that are worked out at sample instants, act after a delay and are held until the next."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gough.graph import Array


class HeldForces:
    """Forces of a controller with a sample time.

    Attributes:
        jumps: Times at which a sample is taken or a force begins to act.
        now: (actuators,) the force that acts; zero before the first.
    """

    def __init__(self, t0: float, t1: float, period: float, delay: float, actuators: int) -> None:
        """Sample instants from t0 to t1; the first force acts at once."""
        self._t0, self._period, self._delay = t0, period, delay
        taken = instants(t0, t1, period)
        late = [t + delay for t in taken if t + delay < t1] if delay else []
        self._slack = 1e-9 * period
        self.jumps = merged([*taken, *late], self._slack)
        self.now = np.zeros(actuators)
        self._waiting: list[tuple[float, Array]] = []
        self._taken = 0
        self._times: list[float] = []
        self._values: list[Array] = []

    def begin(self, t: float, work_out: Callable[[int], Array]) -> None:
        """Work out the force of a sample, of its number, if its instant has come; let that act whose time it is."""
        if t >= self._t0 + self._taken * self._period - self._slack:
            self._waiting.append((t + self._delay, work_out(self._taken)))
            self._taken += 1
        while self._waiting and (not self._times or self._waiting[0][0] <= t + self._slack):
            self.now = self._waiting.pop(0)[1]
            self._times.append(t)
            self._values.append(self.now)

    def at(self, t: Array) -> Array:
        """(T, actuators) that acted at times t (T,); NaN as long as nothing was applied."""
        if not self._values:
            return np.full((len(t), len(self.now)), np.nan)
        which = np.clip(np.searchsorted(self._times, t, side="right") - 1, 0, None)
        return np.array(self._values)[which]


def instants(t0: float, t1: float, period: float) -> list[float]:
    """Sample instants from t0 on, before t1."""
    count = int(np.ceil((t1 - t0) / period * (1.0 - 1e-12)))
    return [t0 + k * period for k in range(max(count, 1))]


def merged(times: list[float], slack: float) -> list[float]:
    """Sorted, those closer than the slack taken as one."""
    kept: list[float] = []
    for t in sorted(times):
        if not kept or t - kept[-1] > slack:
            kept.append(t)
    return kept
