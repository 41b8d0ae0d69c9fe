"""Poses from the readings of more actuators than coordinates, and a first fit where some of them are the wrong ones.

Such readings fit no pose exactly where the machine is not as its file has it, and often two about as well. Few poses
that are the wrong ones spoil a fit. So the first one lets each pose count the less the farther it is from the others'
model, and those that do not fit are looked for again with the parameters found so far.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.calibration.model import Model
from gough.calibration.solve import Data, Solution, fitted_poses, solve
from gough.calibration.statistics import IGNORED, soft_weights
from gough.calibration.uncertainty import workspace_poses
from gough.graph import Array

_LIBRARY, _STARTS, _STEPS = 400, 8, 40
_ROUNDS, _FEW = 15, 6
_FAR = 20.0
"""Times the usual sum of squares beyond which a pose is looked for again."""
_SETTLED = 1e-2
_OTHERS = (1, 3, 20)
"""Numbers of starts of each pose that are tried where the first do not lead to a fit."""
_NEAR = 100.0
"""Median of the sum of squares of a pose, in units of the noise, that is near enough to a fit."""


def nearest_poses(model: Model, q: Array, g: Array, starts: int = _STARTS) -> Array:
    """(N, n) poses whose displacements are nearest to q (N, actuators) with changes g; NaN where none is found.

    Each is looked for by Gauss and Newton's steps from several poses of the workspace whose own readings are nearest,
    and the best of what they end in is taken.
    """
    known = workspace_poses(model.robot, _LIBRARY, seed=2)
    _, own, _ = _misfit(model, np.zeros((len(known), q.shape[1])), known, g)
    turns = _turns(model)
    near = np.argsort(np.linalg.norm(_short(q[:, None, :] + own[None, :, :], turns), axis=2), axis=1)[:, :starts]
    x, off = _descended(model, np.repeat(q, near.shape[1], axis=0), known[near.ravel()], g)
    ends, rest = x.reshape(*near.shape, -1), off.reshape(near.shape)
    best, rows = np.argmin(rest, axis=1), np.arange(len(q))
    return np.where(np.isfinite(rest[rows, best])[:, None], ends[rows, best], np.nan)


def _descended(model: Model, q: Array, x: Array, g: Array) -> tuple[Array, Array]:
    """Where steps from poses x (M, n) end that bring displacements near q (M, actuators), and how far off they are."""
    K, off, rest = _misfit(model, q, x, g)
    share = np.ones(len(x))
    for _ in range(_STEPS):
        rows = np.flatnonzero(np.isfinite(rest) & (share > 1e-3))
        if not len(rows):
            break
        step = (np.linalg.pinv(K[rows]) @ off[rows][..., None])[..., 0]
        trial = x[rows] + share[rows, None] * step
        there = _misfit(model, q[rows], trial, g)
        better, gained = there[2] < rest[rows], there[2] < (1.0 - 1e-9) * rest[rows]
        for into, value in zip((x, K, off, rest), (trial, *there), strict=True):
            into[rows[better]] = value[better]
        share[rows] = np.where(gained, 1.0, np.where(better, 0.0, 0.25 * share[rows]))
    return x, rest


def _misfit(model: Model, q: Array, x: Array, g: Array) -> tuple[Array, Array, Array]:
    """K (M, actuators, n), what is left of q (M, actuators), and its norm (M,): infinite out of reach."""
    with np.errstate(all="ignore"):
        out = model.pose_program(x=x, g=g[: len(model.parameters)])
    off = _short(q - out["q"], _turns(model))
    good = np.asarray(out["sound"]) & np.isfinite(off).all(axis=1) & np.isfinite(out["K"]).all(axis=(1, 2))
    return (
        np.where(good[:, None, None], out["K"], 0.0),
        np.where(good[:, None], off, 0.0),
        np.where(good, np.linalg.norm(off, axis=1), np.inf),
    )


def _turns(model: Model) -> Any:
    return np.array([joint.turns for joint in model.robot.actuators])


def _short(off: Array, turns: NDArray[np.bool_]) -> Array:
    """Differences of displacements, without whole turns."""
    return np.asarray(np.where(turns, off - 2 * np.pi * np.round(off / (2 * np.pi)), off))


def first_fit(model: Model, data: Data, x: Array) -> tuple[Solution, Data]:
    """Poses and changes near the best fit, from poses x (N, n) of which some may be the wrong ones.

    Where half of the poses are still far off, others are tried. Those that stay far from the others' model in the end
    are left out of the data.
    """
    columns = [model.sensors.columns.index(name) for name in model.sensors.encoders]
    best = _settled(model, data, x, columns)
    for starts in _OTHERS:
        if float(np.median(best.squares)) < _NEAR:
            break
        other = nearest_poses(model, data.m[:, columns], np.zeros(len(model.names)), starts)
        again = _settled(model, data, np.where(np.isfinite(other), other, x), columns)
        best = min(best, again, key=lambda found: float(np.median(found.squares)))
    return best, replace(data, weight=np.where(_far(best), IGNORED, 1.0))


def _settled(model: Model, data: Data, x: Array, columns: list[int]) -> Solution:
    found = solve(model, data, x, steps=_FEW)
    for _ in range(_ROUNDS):
        far = _far(found)
        found = _looked_again(model, data, found, far, columns)
        before = float(found.squares[~far].sum())
        found = solve(model, replace(data, weight=soft_weights(model, found, data)), found.x, found.g, steps=_FEW)
        if (_far(found) == far).all() and abs(float(found.squares[~far].sum()) - before) < _SETTLED * before:
            break
    return found


def _far(found: Solution) -> Any:
    return found.squares > _FAR * max(float(np.median(found.squares)), 1.0)


def _looked_again(model: Model, data: Data, found: Solution, far: NDArray[np.bool_], columns: list[int]) -> Solution:
    """The same with other poses where those fit the readings better."""
    if not far.any():
        return found
    rows = np.flatnonzero(far)
    other = nearest_poses(model, data.m[rows][:, columns], found.g)
    rows, other = rows[np.isfinite(other).all(axis=1)], other[np.isfinite(other).all(axis=1)]
    if not len(rows):
        return found
    fit = fitted_poses(model, data.some(rows), other, found.g)
    better = fit.squares < found.squares[rows]
    x, r = found.x.copy(), found.r.copy()
    x[rows[better]], r[rows[better]] = fit.x[better], fit.r[better]
    return replace(found, x=x, r=r)
