"""Least squares with errors in all that is measured: poses are unknowns too, eliminated pose by pose.

Rows of a pose are whitened by their noise. With Q from the pose's own derivatives Jx = Q1 R1, Q2^T r and Q2^T Jg are
what is left for the parameters once the pose has taken what it can (a Schur complement that does not square numbers).
Steps are Levenberg's and Marquardt's, damped only where a whole step fails. A prior holds what nothing determines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.calibration.model import Model
from gough.errors import NumericalError
from gough.graph import Array

_STEPS = 60
_DONE = 1e-9
"""Drop of the sum of squares, in units of the noise, that is not worth a step."""
_GAINED = 1e-9
"""Share of the sum of squares that a step must take off for another one to follow."""
_UNSEEN = 1e-9
"""Share of the largest singular value below which a direction changes nothing that is measured."""
_POSE_STEPS = 12
_DAMPED = (1e-7, 1e8)


@dataclass(frozen=True)
class Data:
    """What was measured.

    Attributes:
        m: (N, columns) values; what is missing is 0 and has no weight.
        sigma: (N, columns) standard deviations; infinite where a value is missing.
        frames: (2, 12) first guesses of tracker and target.
        weight: (N,) of each pose, 1 unless it is an outlier.
    """

    m: Array
    sigma: Array
    frames: Array
    weight: Array

    def some(self, rows: Any) -> Data:
        """These poses alone."""
        return replace(self, m=self.m[rows], sigma=self.sigma[rows], weight=self.weight[rows])


@dataclass(frozen=True)
class Solution:
    """Poses and parameters that fit best.

    Attributes:
        x: (N, n) poses.
        g: (g,) changes of the unknowns.
        r: (N, columns) residuals in units of their noise, without the weights of poses.
        J: (N, columns, g) what is left of the derivatives once poses are eliminated, in units of the noise.
        H: (N, columns, columns) projects noise of a pose on what its own coordinates cannot explain.
        steps: Taken.
        cost: Sum of the squares of weighted residuals, that of the prior too.
    """

    x: Array
    g: Array
    r: Array
    J: Array
    H: Array
    steps: int
    cost: float

    @property
    def squares(self) -> Array:
        """(N,) sum of the squares of each pose's residuals: its Mahalanobis distance from the model, squared."""
        return np.asarray((self.r**2).sum(axis=1))


@dataclass(frozen=True)
class _Point:
    x: Array
    g: Array
    r: Array
    Jx: Array
    Jg: Array
    cost: float


def _evaluated(model: Model, data: Data, x: Array, g: Array) -> _Point:
    with np.errstate(all="ignore"):
        out = model.residual_program(x=x, g=g, m=data.m, frames=data.frames)
    white = (np.sqrt(data.weight)[:, None] / data.sigma)[:, :, None]
    r = out["r"] * white[..., 0]
    fine = out["sound"].all() and np.isfinite(r).all() and np.isfinite(out["Jg"]).all()
    cost = float((r**2).sum() + ((g / model.priors) ** 2).sum()) if fine else np.inf
    return _Point(x, g, r, out["Jx"] * white, out["Jg"] * white, cost)


def solve(model: Model, data: Data, x: Array, g: Array | None = None, steps: int | None = None) -> Solution:
    """The best fit from poses x (N, n) and changes g of the unknowns (none if left out), or where some steps lead.

    Raises:
        NumericalError: A leg does not reach a start, or no step makes the fit better though it is not the best.
    """
    now = _evaluated(model, data, x, np.zeros(len(model.names)) if g is None else g)
    if not np.isfinite(now.cost):
        raise NumericalError("calibrate: a leg of the robot as its file has it does not reach a measured pose")
    damping, taken = 0.0, 0
    while taken < (_STEPS if steps is None else steps):
        dx, dg, drop = _step(model, now, damping)
        if drop <= _DONE + 1e-13 * now.cost:
            break
        trial = _evaluated(model, data, now.x + dx, now.g + dg)
        if trial.cost < now.cost:
            gained = now.cost - trial.cost
            now, taken = trial, taken + 1
            if gained <= _GAINED * (1.0 + now.cost):
                break
            damping = damping / 10 if damping > _DAMPED[0] else 0.0
        elif damping > _DAMPED[1]:
            break
        else:
            damping = max(10 * damping, _DAMPED[0])
    else:
        if steps is None:
            raise NumericalError(f"calibrate: no best fit within {_STEPS} steps; is the robot's file the right one?")
    return _solution(model, data, now, taken)


def _step(model: Model, at: _Point, damping: float) -> tuple[Array, Array, float]:
    """Changes of poses (N, n) and unknowns (g,), and how much of the cost they should take off."""
    n = at.Jx.shape[2]
    Jx, Jg, r = at.Jx, at.Jg, at.r
    if damping:
        held = np.sqrt(damping) * np.sqrt((Jx**2).sum(axis=1))[:, :, None] * np.eye(n)
        Jx = np.concatenate([Jx, held], axis=1)
        Jg = np.concatenate([Jg, np.zeros((len(Jg), n, Jg.shape[2]))], axis=1)
        r = np.concatenate([r, np.zeros((len(r), n))], axis=1)
    Q, R = np.linalg.qr(Jx, mode="complete")
    QT = np.swapaxes(Q, 1, 2)
    left, right = QT @ Jg, (QT @ r[..., None])[..., 0]
    dg = -model.priors * _least_squares(
        left[:, n:].reshape(-1, Jg.shape[2]) * model.priors, right[:, n:].ravel(), at.g / model.priors, damping
    )
    top = R[:, :n]
    dx = -np.linalg.solve(top, right[:, :n, None] + left[:, :n] @ dg[:, None])[..., 0]
    after = (r + (Jx @ dx[..., None])[..., 0] + Jg @ dg) if not damping else None
    if after is None:
        return dx, dg, np.inf
    return dx, dg, at.cost - float((after**2).sum() + (((at.g + dg) / model.priors) ** 2).sum())


def _least_squares(A: Array, b: Array, prior: Array, damping: float) -> Array:
    """(g,) y that makes |A y - b|^2 + |y - prior|^2 least, damped, by orthogonal triangularisation.

    Directions that A does not see are no part of it: motions of a whole frame, say, which are straight in the unknowns
    only at first sight. A prior would go on pulling along them, and every step would bend what fits already.
    """
    from scipy.linalg import solve_triangular

    count = A.shape[1]
    whole: Any = np.linalg.qr(np.column_stack([A, b]), mode="r")
    R, c = np.zeros((count, count)), np.zeros(count)
    R[: min(count, len(whole))], c[: min(count, len(whole))] = whole[:count, :count], whole[:count, count]
    rows, values = [R, np.eye(count)], [c, prior]
    if damping:
        rows.append(np.diag(np.sqrt(damping * ((R**2).sum(axis=0) + 1.0))))
        values.append(np.zeros(count))
    small: Any = np.linalg.qr(np.column_stack([np.concatenate(rows), np.concatenate(values)]), mode="r")
    y = np.asarray(solve_triangular(small[:count, :count], small[:count, count]))
    pivots = np.abs(np.diag(R))
    if pivots.min() <= _UNSEEN * pivots.max():
        _, s, V = np.linalg.svd(R)
        free = V[s <= _UNSEEN * s[0]]
        y = y - free.T @ (free @ y)
    return y


def _solution(model: Model, data: Data, at: _Point, steps: int) -> Solution:
    n, root = at.Jx.shape[2], np.sqrt(np.maximum(data.weight, 1e-300))
    Q, _ = np.linalg.qr(at.Jx, mode="complete")
    Q2 = Q[:, :, n:]
    J = Q2 @ (np.swapaxes(Q2, 1, 2) @ at.Jg)
    return Solution(at.x, at.g, at.r / root[:, None], J, Q2 @ np.swapaxes(Q2, 1, 2), steps, at.cost)


def reduced(model: Model, data: Data, x: Array, g: Array) -> Solution:
    """What would be left of residuals and derivatives at these poses and unknowns, without a step."""
    return _solution(model, data, _evaluated(model, data, x, g), 0)


def fitted_poses(model: Model, data: Data, x: Array, g: Array) -> Solution:
    """The poses that fit best with the unknowns g as they are, from x (N, n)."""
    at = _evaluated(model, data, x, g)
    for _ in range(_POSE_STEPS):
        dx = -_fewest(at.Jx, at.r)
        share = 1.0
        while share > 1e-3:
            trial = _evaluated(model, data, at.x + share * dx, g)
            if trial.cost <= at.cost:
                break
            share *= 0.5
        else:
            break
        done = at.cost - trial.cost <= 1e-6
        at = trial
        if done:
            break
    return _solution(model, data, at, 0)


def _fewest(J: Array, r: Array) -> Array:
    """(N, n) least squares of J (N, rows, n) x = r; the shortest where J is singular."""
    Q, R = np.linalg.qr(J)
    pivots = np.abs(np.diagonal(R, axis1=1, axis2=2))
    if not (pivots.min(axis=1) > 1e-9 * pivots.max(axis=1)).all():
        return np.asarray((np.linalg.pinv(J) @ r[..., None])[..., 0])
    return np.asarray(np.linalg.solve(R, np.swapaxes(Q, 1, 2) @ r[..., None])[..., 0])


def predicted(model: Model, x: Array, g: Array, frames: Array) -> Array:
    """(N, columns) what would be measured at poses x (N, n) without noise."""
    sensors = model.sensors
    m = np.zeros((len(x), len(sensors.columns)))
    out = model.residual_program(x=x, g=g, m=m, frames=frames)
    found = m - out["r"]
    if sensors.whole_rotation:
        found[:, [sensors.columns.index(name) for name in sensors.turns]] = out["angles"]
    return np.asarray(found)
