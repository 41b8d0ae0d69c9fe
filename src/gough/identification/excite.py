"""Exciting motions: within all limits, from home at rest and back, with much information on the parameters.

A motion is a Fourier series of each coordinate whose value, rate and acceleration are zero at its start. Many are
tried, each as large as strokes, speeds and forces allow; the best are mixed and varied. What counts is the determinant
of the information on the base parameters, per parameter: its logarithm is the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis import CheckResult, check
from gough.analysis.limits import LimitsLike, check_limits, in_si
from gough.brief import brief
from gough.dynamics import inverse_dynamics
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.identification.regressor import Regressor, regressor
from gough.kinematics.programs import characteristic_length
from gough.kinematics.status import Status
from gough.motion import Motion, State
from gough.motion.curves import resting
from gough.robot import Robot

HARMONICS = 5
CANDIDATES, ROUNDS = 24, 6
SAMPLES = 48
"""Times at which a candidate is judged."""
AMPLITUDES = np.linspace(0.1, 1.0, 10)
LARGEST = 0.3
"""Of sliding coordinates in characteristic lengths, of turning ones in radians."""
MARGIN = 0.9
"""Share of the limits that is used."""
SHRINK = 0.93
RATE = 200.0
"""Rows of the file per second."""


@dataclass(frozen=True)
class Excitation:
    """An exciting motion.

    Attributes:
        motion: From home at rest and back.
        checked: What `gough.check` says of it: it fits.
        score: Logarithm of the determinant of the information on the base parameters, per parameter.
        random: That of random motions as large as limits allow, the median of several.
        condition: Condition number of the scaled columns of the regressor along it.
        random_condition: That of the random motions.
        parameters: Number of base parameters.
    """

    __repr__ = brief

    motion: Motion
    checked: CheckResult
    score: float
    random: float
    condition: float
    random_condition: float
    parameters: int

    def to_csv(self) -> str:
        """CSV text that `gough check --motion` and `gough inverse --motion` take."""
        rows = self.motion.rows
        return self.motion.sample(self.motion.start if rows is None else rows).to_csv(self.checked.robot)


@dataclass(frozen=True)
class _Series:
    """Fourier series over one period that start and end at rest.

    Attributes:
        T: Period [s].
        free: (coefficients, k) of the sines and cosines, which span all such series.
    """

    T: float
    free: Array

    def at(self, c: Array, t: Array) -> tuple[Array, Array, Array]:
        """Values, rates and accelerations (N, n) of the series with coefficients c (k, n)."""
        harmonics = len(self.free) // 2
        w = 2.0 * np.pi / self.T * np.arange(1, harmonics + 1)
        phase = np.outer(t, w)
        s, k = np.sin(phase), np.cos(phase)
        own = self.free @ c
        x = np.hstack([k, s]) @ own
        xd = np.hstack([-s * w, k * w]) @ own
        ends = (t == 0.0) | (t == self.T)
        return x, resting(xd, ends), resting(np.hstack([-k * w**2, -s * w**2]) @ own, ends)


def _series(T: float, harmonics: int) -> _Series:
    k = np.arange(1.0, harmonics + 1)
    zero = np.zeros(harmonics)
    rest = np.array([[*np.ones(harmonics), *zero], [*zero, *k], [*k**2, *zero]])
    return _Series(T, np.linalg.svd(rest)[2][3:].T)


def excite(
    robot: Robot,
    duration: float = 10.0,
    limits: LimitsLike | None = None,
    harmonics: int = HARMONICS,
    bodies: str = "stated",
    tied: bool = True,
    seed: int = 0,
) -> Excitation:
    """A motion whose forces tell much of a robot's parameters.

    Args:
        robot: The robot as its file states it.
        duration: Duration of the motion [s].
        limits: In place of the robot's own, as in `check`.
        harmonics: Harmonics of the Fourier series.
        bodies, tied: As in `identify`.
        seed: Seed of the search.

    Raises:
        InputError: No limit at all; a duration that cannot be.
        NumericalError: No motion about home fits.
    """
    if not 0.0 < duration <= 3600.0:
        raise InputError(f"duration: {duration:g} given, must be positive and at most 3600 s")
    if harmonics < 3:
        raise InputError(f"harmonics: {harmonics} given, must be at least 3")
    stated = check_limits(in_si(robot, limits))
    series, model = _series(duration, harmonics), regressor(robot, bodies, tied)
    size = np.array([1.0 if c.turns else characteristic_length(robot) for c in robot.platform.coordinates]) * LARGEST
    rng, t = np.random.default_rng(seed), np.linspace(0.0, duration, SAMPLES)

    def made(c: Array) -> Array:
        top = np.abs(series.at(c, t)[0]).max(axis=0)
        return c * (size / np.where(top > 0.0, top, 1.0)) * rng.uniform(0.3, 1.0, robot.dof)

    shape = (series.free.shape[1], robot.dof)
    best: list[tuple[float, float, Array]] = []
    middle = (-np.inf, np.inf)
    for round_ in range(ROUNDS):
        trials = [made(rng.normal(size=shape)) for _ in range(CANDIDATES)] if not round_ else _varied(best, rng)
        for c in trials:
            factor = _largest(robot, series, c, t, stated)
            if factor > 0.0:
                best.append((*_score(model, series, factor * c, t), factor * c))
        if best and not round_:
            middle = (float(np.median([own[0] for own in best])), float(np.median([own[1] for own in best])))
        best = sorted(best, key=lambda entry: -entry[0])[:6]
        if not best:
            raise NumericalError(
                f"{robot.name}: no motion about home fits its limits; is home near the end of a stroke?"
            )
    motion, checked, c = _fitting(robot, series, best[0][2], limits)
    score, condition = _score(model, series, c, t)
    return Excitation(motion, checked, score, middle[0], condition, middle[1], len(model.base))


def _varied(best: list[tuple[float, float, Array]], rng: np.random.Generator) -> list[Array]:
    """Mixtures and variations of the best so far, a little larger: limits cut them."""
    found = []
    for _ in range(CANDIDATES):
        a, b = (best[k][2] for k in rng.integers(0, len(best), 2))
        mixed = np.where(rng.random(a.shape[1]) < 0.5, a, b)
        width = rng.choice([0.05, 0.2, 0.5]) * np.abs(mixed).mean(axis=0)
        found.append(1.15 * (mixed + width * rng.normal(size=mixed.shape)))
    return found


def _largest(robot: Robot, series: _Series, c: Array, t: Array, stated: dict[str, Any]) -> float:
    """The largest of `AMPLITUDES` up to which a motion stays within reach and limits, at the times t; 0 if none."""
    x, xd, xdd = series.at(c, t)
    home = np.array(robot.platform.home)
    rows = [np.concatenate([a * part for a in AMPLITUDES]) for part in (x, xd, xdd)]
    found = inverse_dynamics(robot, State(home + rows[0], rows[1], rows[2]))
    good = np.asarray(found.status) == Status.FINE
    for k, joint in enumerate(robot.actuators):
        own = joint.limits
        low, high = stated.get("stroke") or own.stroke or (-np.inf, np.inf)
        slack = 0.5 * (1.0 - MARGIN) * (high - low) if np.isfinite(high - low) else 0.0
        good &= (found.q[:, k] >= low + slack) & (found.q[:, k] <= high - slack)
        for name, values in (("speed", found.qd), ("force", found.force), ("power", found.power)):
            limit = stated.get(name) or getattr(own, name)
            good &= np.abs(values[:, k]) <= MARGIN * (np.inf if limit is None else float(limit))
    fits = good.reshape(len(AMPLITUDES), len(t)).all(axis=1)
    return float(AMPLITUDES[int(np.argmin(fits)) - 1]) if not fits.all() and fits[0] else float(fits.all())


def _score(model: Regressor, series: _Series, c: Array, t: Array) -> tuple[float, float]:
    """Logarithm of the determinant of the information per parameter, and the condition of scaled columns."""
    x, xd, xdd = series.at(c, t)
    found = model.columns(x + np.array(model.robot.platform.home), xd, xdd)
    Y = found.forces()[found.sound][:, :, model.base.kept]
    rows = Y.reshape(-1, Y.shape[2])
    length = np.linalg.norm(rows, axis=0)
    if len(rows) < rows.shape[1] or not (length > 0.0).all():
        return -np.inf, np.inf
    s = np.linalg.svd(rows / length, compute_uv=False)
    return float(2.0 * (np.log(np.maximum(s, 1e-300)).sum() + np.log(length).sum()) / len(s)), float(
        s[0] / max(s[-1], 1e-300)
    )


def _fitting(robot: Robot, series: _Series, c: Array, limits: LimitsLike | None) -> tuple[Motion, CheckResult, Array]:
    """The motion made smaller until `gough.check` finds that it fits, between samples too."""
    for _ in range(40):
        count = max(int(np.ceil(RATE * series.T)), SAMPLES) + 1
        t = np.linspace(0.0, series.T, count)
        x, xd, xdd = series.at(c, t)
        states = State(x + np.array(robot.platform.home), xd, xdd, t=t)
        motion = Motion.from_samples(robot, states, name="exciting")
        try:
            found = check(robot, motion, limits)
            if found.fits and found.lost is None:
                return motion, found, c
        except NumericalError:
            pass
        c = SHRINK * c
    raise NumericalError(f"{robot.name}: no motion about home fits its limits; is home near the end of a stroke?")
