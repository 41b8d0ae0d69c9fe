"""How near the constraining legs come together at poses where the dependent coordinates were lost on the way from home.

The squares of their closure errors are brought to their least sum over dependent coordinates and joints by damped
Gauss-Newton steps, from home by way of poses between and from other starts. What gap is left is how far a leg falls
short; a rigid end keeps its orientation, to which `STIFF` holds it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.closure.nearest_approach import STARTS, STIFF
from gough.kinematics.closure.newton import REACHED, STAGES
from gough.kinematics.dependent.constraint import Constraint, constraint_of, equations
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

_STEPS = 60
_LEVEL = 1e-9
"""Share of a sum of squares that the next step would take off it, at which it counts as least."""


def nearest_together(robot: Mechanism, x: Array) -> tuple[Array, NDArray[np.bool_]]:
    """(N, legs) least gaps [m] at x (N, n), 0 of legs that do not constrain, and (N,) whether they are least ones."""
    constraint = constraint_of(robot)
    random, sizes = np.random.default_rng(1954), np.array(constraint.sizes)
    home, at = constraint.start, np.array(robot.platform.home)
    led = np.broadcast_to(home, (len(x), len(home))).copy()
    for k in range(1, STAGES):
        led, _ = _least(robot, led, at + (x - at) * (k / STAGES), STIFF[:1])
    others = home + sizes * random.uniform(-np.pi, np.pi, (2 * STARTS, len(home)))
    starts = [led, *(np.broadcast_to(other, led.shape) for other in others)]
    everywhere = np.concatenate([x] * len(starts))
    u, level = _least(robot, np.concatenate(starts), everywhere, STIFF if constraint.chains else STIFF[:1])
    r = _program(robot)(u=u, x=everywhere)["r"].reshape(len(starts), len(x), -1)
    gaps, turned = _by_leg(robot, constraint, r)
    kept = level.reshape(len(starts), len(x)) & (turned <= 1e-3 * np.maximum(gaps.max(axis=2), 1e-6))
    closed = (gaps.max(axis=2) <= REACHED) & (turned <= REACHED)
    worst = np.where(kept | closed, gaps.max(axis=2), np.inf)
    best = np.argmin(worst, axis=0)
    rows = np.arange(len(x))
    return gaps[best, rows], np.isfinite(worst[best, rows])


def _by_leg(robot: Mechanism, constraint: Constraint, r: Array) -> tuple[Array, Array]:
    """(..., legs) gaps and (...) largest misalignment of closure errors r (..., equations)."""
    gaps, turned = np.zeros((*r.shape[:-1], len(robot.legs))), np.zeros(r.shape[:-1])
    for i, (k, _) in enumerate(constraint.planes):
        gaps[..., k] = np.abs(r[..., i])
    at = len(constraint.planes)
    for k in constraint.chains:
        gaps[..., k] = np.linalg.norm(r[..., at : at + 3], axis=-1)
        at += 3
        if robot.legs[k].end.kind == "rigid":
            turned = np.maximum(turned, np.linalg.norm(r[..., at : at + 3], axis=-1))
            at += 3
    return gaps, turned


@by_mechanism(32)
def _program(robot: Mechanism) -> Program:
    """Closure errors r of the constraining legs and their derivatives J at unknowns u and a pose x."""
    constraint = constraint_of(robot)
    count = len(constraint.home)

    def residuals(u: Vector, x: Vector) -> dict[str, Any]:
        r = array(equations(robot, constraint.planes, constraint.by_leg(u), x, u[:count]))
        return {"r": r, "J": jacobian(r, u)}

    return Program(record(residuals, u=len(constraint.start), x=robot.dof))


def _weights(robot: Mechanism, stiff: float) -> Array:
    """What each closure error counts: 1 for a gap, `stiff` for a misalignment."""
    constraint = constraint_of(robot)
    found = [1.0] * len(constraint.planes)
    for k in constraint.chains:
        found += [1.0] * 3 + ([stiff] * 3 if robot.legs[k].end.kind == "rigid" else [])
    return np.array(found)


def _least(robot: Mechanism, u: Array, x: Array, stiff: tuple[float, ...]) -> tuple[Array, NDArray[np.bool_]]:
    """Unknowns of the least sum near u (N, m), and whether no step would make it less (N,)."""
    level = np.zeros(len(u), dtype=bool)
    for value in stiff:
        u, level = _descend(_program(robot), u, x, _weights(robot, value))
    return u, level


def _descend(program: Program, u: Array, x: Array, weights: Array) -> tuple[Array, NDArray[np.bool_]]:
    u, damping, level = np.array(u), np.full(len(u), 1e-6), np.zeros(len(u), dtype=bool)
    now = program(u=u, x=x)
    for _ in range(_STEPS):
        r, J = now["r"] * weights, now["J"] * weights[:, None]
        f = (r * r).sum(axis=1)
        g, H = np.einsum("nij,ni->nj", J, r), np.einsum("nij,nik->njk", J, J)
        largest = np.maximum(np.trace(H, axis1=1, axis2=2), 1e-300)
        H = H + np.eye(u.shape[1]) * (damping * largest)[:, None, None]
        step = -np.linalg.solve(H, g[:, :, None])[:, :, 0]
        level = -(g * step).sum(axis=1) <= np.maximum(_LEVEL * f, 1e-30)
        if level.all():
            break
        trial = program(u=u + np.clip(step, -1.0, 1.0), x=x)
        better = ((trial["r"] * weights) ** 2).sum(axis=1) < f
        u[better] += np.clip(step, -1.0, 1.0)[better]
        damping = np.where(better, np.maximum(0.1 * damping, 1e-14), np.minimum(10.0 * damping, 1e6))
        now = {
            name: np.where(better.reshape(-1, *[1] * (value.ndim - 1)), trial[name], value)
            for name, value in now.items()
        }
    return u, level
