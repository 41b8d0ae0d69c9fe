"""Weighted least squares on base parameters.

Of each sample the actuators' forces obey K^T tau = A b + what is known; with noise of covariance S = diag(s^2) in tau
the rows have covariance K^T S K. Rows are divided by its Cholesky factor, also where there are more actuators than
coordinates, and s follows from what is left: e = S K (K^T S K)^-1 r is the expected noise of the actuators given the
residual r, and what it leaves of their variance is added (expectation and maximisation, until s stays).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gough.dynamics import inverse_dynamics
from gough.errors import NumericalError
from gough.graph import Array
from gough.identification.recorded_forces import RecordedForces
from gough.identification.regressor import Regressor
from gough.motion import State
from gough.robot import Actuation, Mechanism

NOTHING = 1e-9
"""Singular value of scaled columns, relative to the largest, below which a recording tells nothing."""
ALIKE = 1e-4
"""Relative change of the noise from one round to the next at which it is found."""
ROUNDS = 30
SURE = 8.0
"""Standard deviations of its noise below the cut-off that a rate must have for its sign to be known.

Smoothing lets some noise through beyond its cut-off, and more at the ends of a recording: up to half of this was seen.
"""


FROM_ZERO = 2.0
"""Standard deviations that a value differs from zero by where it is told from zero: 95 % of a normal distribution."""


def from_zero(values: Array, sd: Array) -> NDArray[np.bool_]:
    """Whether values are told from zero: their noise alone would explain one in twenty of them."""
    return np.asarray(np.abs(values) > FROM_ZERO * sd)


@dataclass(frozen=True)
class Equations:
    """K^T tau = A b of N samples of a recording.

    Attributes:
        A: (N, n, r) of the base parameters.
        y: (N, n) K^T tau less what is known.
        K: (N, actuators, n) Jacobians.
        rows: (N,) which samples of the recording these are.
    """

    A: Array
    y: Array
    K: Array
    rows: NDArray[np.intp]

    @cached_property
    def square(self) -> bool:
        """Whether there are as many actuators as coordinates."""
        return bool(self.K.shape[1] == self.K.shape[2])

    def forces(self, generalised: Array) -> Array:
        """(N, actuators) forces that belong to generalised ones (N, n): of least norm where there are several."""
        KT = np.swapaxes(self.K, 1, 2)
        if self.square:
            return np.asarray(np.linalg.solve(KT, generalised[:, :, None])[:, :, 0])
        return np.asarray((np.linalg.pinv(KT) @ generalised[:, :, None])[:, :, 0])

    def left(self, values: Array) -> tuple[Array, Array]:
        """(N, actuators) measured forces less known ones, and what base parameters (r,) leave of them."""
        measured = self.forces(self.y)
        return measured, measured - self.forces(self.A @ values)


def equations(regressor: Regressor, recording: RecordedForces) -> Equations:
    """Those of a recording, without samples that a leg does not reach, or whose Coulomb friction has an unsure sign.

    Raises:
        NumericalError: No sample is within reach.
    """
    found = regressor.columns(recording.x, recording.xd, recording.xdd)
    if not found.sound.any():
        raise NumericalError(f"{recording.source}: no sample is within reach of {recording.robot.name}")
    rows = np.flatnonzero(np.logical_and(found.sound, ~unsure(regressor, recording, found.K)))
    if not len(rows):
        raise NumericalError(f"{recording.source}: no actuator moves faster than the noise of its rate; move faster")
    K = found.K[rows]
    y = np.einsum("nmk,nm->nk", K, recording.force[rows]) - known(regressor, recording, found.Q)[rows]
    return Equations(found.Q[rows][:, :, regressor.base.kept], y, K, rows)


def unsure(regressor: Regressor, recording: RecordedForces, K: Array) -> NDArray[np.bool_]:
    """(N,) whether an actuator is so slow, at rest or turning round, that noise may turn its Coulomb friction."""
    if recording.rate_noise is None or not any(quantity == "coulomb" for quantity, _ in regressor.parameters.drives):
        return np.zeros(len(K), dtype=bool)
    speed = np.abs(np.einsum("nmk,nk->nm", K, recording.xd))
    noise = np.sqrt(np.einsum("nmk,k->nm", K**2, recording.rate_noise**2))
    return np.asarray((speed < SURE * noise).any(axis=1))


def known(regressor: Regressor, recording: RecordedForces, Q: Array) -> Array:
    """(N, n) generalised forces that no parameter stands for: springs, friction of passive joints, wrenches."""
    robot, quantities = recording.robot, {quantity for quantity, _ in regressor.parameters.drives}
    drives = robot.actuators
    left_out = ("viscous" not in quantities and any(j.viscous or j.coulomb for j in drives)) or (
        "rotor" not in quantities and any(j.rotor_inertia for j in drives)
    )
    passive = any(joint.viscous for joint in robot.joints if not joint.actuated)
    if recording.wrench is None and not robot.has_springs and not passive and not left_out:
        return np.zeros(recording.x.shape)
    plain = _shared_freely(robot)
    found = inverse_dynamics(plain, State(recording.x, recording.xd, recording.xdd, wrench=recording.wrench))
    K = regressor.columns(recording.x, recording.xd, recording.xdd).K
    return np.asarray(np.einsum("nmk,nm->nk", K, found.force) - Q @ regressor.values)


def _shared_freely(robot: Mechanism) -> Mechanism:
    """The mechanism with forces that keep to no limits: their sum on the platform is the same."""
    own = robot.mechanism
    return own if own.actuation is None else replace(own, actuation=Actuation())


@dataclass(frozen=True)
class Estimate:
    """Base parameters found, and how well.

    Attributes:
        values: (r,); directions that the recordings tell nothing of are those of the start.
        sd: (r,) standard deviations; infinite where nothing is told.
        covariance: (r, r) without the directions that nothing is told of.
        root: (k, r) the residuals of values b, rotated: root (b - values).
        sigma: (actuators,) noise of the forces [N or N m].
        squares: Sum of squares of the weighted residuals.
        freedom: Rows less parameters found.
        rank: How many combinations the recordings tell of.
        columns: (r,) length of each weighted column: what one unit of the parameter does, in standard deviations.
        size: Length of what was measured, likewise.
    """

    values: Array
    sd: Array
    covariance: Array
    root: Array
    sigma: Array
    squares: float
    freedom: int
    rank: int
    columns: Array
    size: float


def whitened(found: Equations, sigma: Array) -> tuple[Array, Array]:
    """(N, n, r + 1) rows of [A | y] divided by the root of their covariance, and these roots (N, n, n)."""
    root = np.linalg.cholesky(np.einsum("nmi,m,nmj->nij", found.K, sigma**2, found.K))
    return np.linalg.solve(root, np.concatenate([found.A, found.y[:, :, None]], axis=2)), root


def estimate(found: list[Equations], start: Array, noise: Array | None = None) -> Estimate:
    """The base parameters (r,) of one or several recordings of one machine, which share them and the noise.

    Args:
        found: Their equations.
        start: (r,) values of the file.
        noise: (actuators,) standard deviation of the forces where it is known [N or N m].
    """
    noise = _noise(found, len(start)) if noise is None else noise
    rows = [whitened(part, noise)[0] for part in found]
    return _solved(np.concatenate([own.reshape(-1, own.shape[2]) for own in rows]), start, noise)


def _noise(found: list[Equations], r: int) -> Array:
    """(actuators,) standard deviation of the forces, from what the best values leave."""
    forces = np.concatenate([part.forces(part.y) for part in found])
    sigma = np.sqrt((forces**2).mean(axis=0)) + 1e-300
    for _ in range(ROUNDS):
        parts = [whitened(part, sigma) for part in found]
        new = _left(found, parts, _quick(np.concatenate([rows.reshape(-1, r + 1) for rows, _ in parts])), sigma)
        done = np.abs(new / sigma - 1.0).max() < ALIKE
        sigma = new
        if done:
            break
    return np.asarray(sigma)


def _quick(rows: Array) -> Array:
    """(r,) least squares of weighted rows (M, r + 1) by normal equations: enough for the noise."""
    A, y = rows[:, :-1], rows[:, -1]
    length = np.linalg.norm(A, axis=0)
    scaled = A / np.where(length > 0.0, length, 1.0)
    found = np.linalg.lstsq(scaled.T @ scaled, scaled.T @ y, rcond=1e-13)[0]
    return np.asarray(found / np.where(length > 0.0, length, 1.0))


def _solved(rows: Array, start: Array, sigma: Array) -> Estimate:
    """Least squares of weighted rows (M, r + 1), as a change of the start."""
    r = len(start)
    rows = np.column_stack([rows[:, :r], rows[:, r] - rows[:, :r] @ start])
    triangle: Array = np.asarray(np.linalg.qr(rows, mode="r"))
    length = np.linalg.norm(rows[:, :r], axis=0)
    scale = np.where(length > 0.0, length, 1.0)
    U, s, Vt = np.linalg.svd(triangle[: min(r, len(triangle)), :r] / scale, full_matrices=False)
    rank = int((s > NOTHING * s[0]).sum()) if s[0] > 0.0 else 0
    right = U[:, :rank].T @ triangle[: len(U), r]
    values = start + (Vt[:rank].T @ (right / s[:rank])) / scale
    half = (Vt[:rank].T / s[:rank]) / scale[:, None]
    told = (Vt[:rank] ** 2).sum(axis=0) > 1.0 - 1e-9
    sd = np.where(told, np.sqrt((half**2).sum(axis=1)), np.inf)
    root = (s[:rank, None] * Vt[:rank]) * scale
    whole = float(np.linalg.norm(rows[:, r] + rows[:, :r] @ start))
    squares = float(((rows[:, r] - rows[:, :r] @ (values - start)) ** 2).sum())
    return Estimate(values, sd, half @ half.T, root, sigma, squares, len(rows) - rank, rank, length, whole)


def _left(found: list[Equations], parts: list[tuple[Array, Array]], values: Array, sigma: Array) -> Array:
    """(actuators,) standard deviation of the forces given values (r,) and the one before."""
    total, count = np.zeros(len(sigma)), 0
    for part, (rows, root) in zip(found, parts, strict=True):
        left = rows[:, :, -1] - rows[:, :, :-1] @ values
        back = np.swapaxes(np.linalg.solve(root, np.swapaxes(part.K, 1, 2)), 1, 2) * (sigma**2)[None, :, None]
        expected = (back @ left[:, :, None])[:, :, 0]
        kept = np.maximum(sigma**2 - (back**2).sum(axis=2), 0.0)
        total += (expected**2 + kept).sum(axis=0)
        count += len(left)
    n = found[0].K.shape[2]
    return np.asarray(np.sqrt(np.maximum(total / count, 1e-300) * (count * n / max(count * n - len(values), 1))))
