"""An ensemble under way: its steps, what is kept of them, and which robots diverge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.configuration import charts
from gough.robot import Robot
from gough.simulation.control.known_model import targets
from gough.simulation.ensemble.ensemble_drive import Stepper
from gough.simulation.ensemble.ensemble_history import statistics, worst_errors
from gough.simulation.ensemble.ensemble_result import Ensemble
from gough.simulation.state_rates import coordinate_rates

Array = NDArray[np.float64]


@dataclass
class ManyRunning:
    """An ensemble under way.

    Attributes:
        robot: In nominal numbers.
        stepper: What steps it.
        c, z: (N, size), (N, n) where it is.
        every: Steps from one kept instant to the next.
        t0, dt: First time and step [s].
        diverged: (N,) step at which a robot's state was no longer finite, -1 if it always was.
        done: Steps.
        kept: Number of steps and configurations (N, size) of each kept instant.
    """

    robot: Robot
    stepper: Stepper
    c: Array
    z: Array
    every: int
    t0: float
    dt: float
    done: int = 0
    kept: list[tuple[int, Array]] = field(default_factory=list)
    diverged: Any = None

    def __post_init__(self) -> None:
        """None has diverged."""
        self.diverged = np.full(len(self.c), -1)

    def go(self, steps: int, progress: Callable[[float, float], None] | None) -> None:
        """All steps."""
        self._keep()
        told = max(1, steps // 200)
        check = max(1, steps // 50)
        for k in range(steps):
            self.c, self.z = self.stepper(k, self.c, self.z)
            self.done = k + 1
            last = self.done == steps
            if (self.every and self.done % self.every == 0) or last:
                self._keep()
            if self.done % check == 0 or last:
                self._find_diverged()
            if progress is not None and (self.done % told == 0 or last):
                progress(self.t0 + self.done * self.dt, self.t0 + steps * self.dt)

    def _keep(self) -> None:
        if not self.kept or self.kept[-1][0] != self.done:
            self.kept.append((self.done, self.c.copy()))

    def _find_diverged(self) -> None:
        with np.errstate(all="ignore"):
            bad = ~(np.isfinite(self.c).all(axis=1) & np.isfinite(self.z).all(axis=1)) & (self.diverged < 0)
        self.diverged[bad] = self.done

    def result(
        self, numbers: Any, paths: tuple[str, ...], values: Any, motion: Any, why: str, history: bool
    ) -> Ensemble:
        """What was computed.

        Args:
            numbers: (N,) of the robots.
            paths, values: What differs, and (N, paths) its values.
            motion: What was followed, or None.
            why: What ended it early; "" if nothing did.
            history: Whether the kept instants are part of the result.
        """
        self._find_diverged()
        self._keep()
        back = charts(self.robot)[1]
        with np.errstate(all="ignore"):
            x = np.atleast_2d(back(c=self.c))
            xs = np.array([np.atleast_2d(back(c=c)) for _, c in self.kept])
            xd = coordinate_rates(self.robot, x, self.z)
        t = self.t0 + self.dt * np.array([done for done, _ in self.kept], dtype=float)
        reference = None if motion is None else targets(motion, t)[0]
        return Ensemble(
            self.robot,
            self.stepper.text,
            self.robot.coordinate_names,
            self.robot.actuator_names,
            numbers=numbers,
            varied=paths,
            values=values,
            step=self.dt,
            steps=self.done,
            x=x,
            xd=xd,
            t=t,
            history=xs if history else None,
            **statistics(xs, self.diverged < 0),
            reference=reference,
            worst_error=None if reference is None else worst_errors(self.robot, xs, reference),
            diverged=self.diverged,
            complete=why == "",
            why=why,
            smoothing="" if motion is None else motion.smoothing,
        )
