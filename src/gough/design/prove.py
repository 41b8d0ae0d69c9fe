"""A proof of the largest forces and speeds over an envelope: branch and bound over boxes of poses.

Over a box every coefficient of `gough.design.force_polynomial` is c + s.t + r e with t, e in [-1, 1] (see
`gough.run.enclose`). For fixed velocity, acceleration, wrench and payload the force without the rests r is linear in t,
so its largest value over them is convex in t and is taken in a corner of the box: there the exact inner maxima of
`gough.design.inner` give a bound that is quadratic in the size of the box. A box whose bounds are all within the
tolerance of the values found is done; others are divided. Boxes that a leg is proved not to reach are left out.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from gough.design.boxes import Boxes
from gough.design.envelope import Envelope
from gough.design.force_polynomial import force_polynomial
from gough.design.inner import ball_bound, bound, box_maximum
from gough.design.proof import Proof
from gough.design.size_result import SizeResult
from gough.errors import InputError
from gough.kinematics.leg import REACH_SLACK
from gough.run.enclose import enclose

BLOCK = 512
"""Boxes at a time."""
MOST = 100_000
"""Boxes after which a proof ends with the bounds it has."""
AXES = 3
"""Coordinates that may vary at most: boxes are too many in more."""
ROUND_OFF = 1e-11
"""Of the sizes added up: more than the inner maxima can be off by round-off."""


def prove(result: SizeResult, tolerance: float = 1e-4, most: int = MOST) -> Proof:
    """Bounds of forces and speeds that no pose of the envelope exceeds, within `tolerance` of those found if possible.

    Raises:
        InputError: More coordinates vary than `AXES`, or the robot's equations have an operation without enclosure.
    """
    low, high = np.array(result.envelope.pose).T
    if (high > low).sum() > AXES:
        raise InputError(
            f"proof: {(high > low).sum()} coordinates of the pose vary, at most {AXES} can; hold some of them in [pose]"
        )
    graph = force_polynomial(result.robot, result.envelope)
    found = np.concatenate([result.of("force+"), -result.of("force-"), result.of("speed")])
    scale = np.concatenate([result.force, result.force, result.of("speed")])
    enough = found + tolerance * scale
    todo = Boxes(0.5 * (low + high)[None], np.where(high > low, np.nextafter(0.5 * (high - low), np.inf), 0.0)[None])
    whole = float(todo.volume[0])
    proved, looked, outside, unsure = np.full(len(found), -np.inf), 0, 0.0, 0.0
    while len(todo):
        boxes, todo = todo.some(slice(0, BLOCK)), todo.some(slice(BLOCK, None))
        looked += len(boxes)
        forms = enclose(graph, boxes.centre, boxes.radius)
        lowest, highest = _ends(forms["short"])
        missed = (lowest > REACH_SLACK).any(axis=0)
        bounds = upper_bounds(forms, result.envelope, result.dry_friction, enough)
        larger = ~missed & ~(bounds <= enough[:, None]).all(axis=0)
        if not (boxes.radius > 0.0).any() or looked + 8 * (len(todo) + int(larger.sum())) > most:
            larger[:] = False
        done = ~missed & ~larger
        proved = np.maximum(proved, np.where(np.isfinite(bounds), bounds, np.inf)[:, done].max(axis=1, initial=-np.inf))
        outside += float(boxes.volume[missed].sum())
        unsure += float(boxes.volume[done & ~(highest <= REACH_SLACK).all(axis=0)].sum())
        todo = boxes.some(larger).halves().before(todo)
    proved = np.maximum(proved, found)
    gap = float(((proved - found) / np.where(scale > 0.0, scale, 1.0)).max())
    high_force, low_force, speed = np.split(proved, 3)
    return Proof(high_force, -low_force, speed, gap, looked, outside / whole, unsure / whole)


def upper_bounds(forms: dict[str, Any], envelope: Envelope, dry: Any, enough: Any) -> Any:
    """(3 m, B) bounds of the forces up and down and of the speeds over boxes; not finite where there is none.

    Inner maxima are taken exactly only where a quicker bound is above `enough` (3 m,).
    """
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["G"]) - 2)))
    at = {name: _at_corners(forms[name], corners) for name in ("G", "A", "W", "L", "Q", "K")}
    rest = {name: forms[name][-1] for name in at}
    push, spare = _linear(at["A"], envelope.acceleration_ball), _linear(rest["A"], envelope.acceleration_ball)
    pull, speed = _linear(at["W"], False), _linear(at["K"], envelope.velocity_ball)
    sizes = np.abs(at["Q"]).sum(axis=(-3, -2)) + np.abs(at["L"]).sum(axis=-2)
    spare = spare + rest["G"] + _linear(rest["W"], False) + _linear(rest["L"], envelope.velocity_ball)
    spare = spare + _linear(rest["Q"].reshape(*rest["Q"].shape[:2], -1, rest["Q"].shape[-1]), envelope.velocity_ball)
    around = push + pull + spare + dry[:, None] + ROUND_OFF * (np.abs(at["G"]) + push + pull + sizes)
    m = len(dry)
    found = []
    for side, sign in enumerate((1.0, -1.0)):
        limit = enough[side * m : (side + 1) * m, None]
        value = sign * at["G"] + around
        found.append(_with_velocity(value, sign * at["Q"], sign * at["L"], envelope.velocity_ball, limit))
    fast = speed.max(axis=0) * (1.0 + ROUND_OFF) + _linear(rest["K"], envelope.velocity_ball)
    return np.concatenate([*[values.max(axis=(0, 1)) for values in found], fast])


def _with_velocity(value: Any, Q: Any, L: Any, ball: bool, limit: Any) -> Any:
    """value (C, P, m, B) plus a bound of the largest v.Q v + L.v, exact where it decides."""
    n, shape = L.shape[-2], value.shape
    if n == 0:
        return value
    Q, L = np.moveaxis(Q, -1, -3).reshape(-1, n, n), np.moveaxis(L, -1, -2).reshape(-1, n)
    quick = bound(Q, L)
    total = value.ravel() + quick
    rows = np.flatnonzero((total > np.broadcast_to(limit, shape).ravel()) & np.isfinite(total))
    exact = ball_bound(Q[rows], L[rows]) if ball else box_maximum(Q[rows], L[rows])[0]
    total[rows] += np.minimum(exact, quick[rows]) - quick[rows]
    return total.reshape(shape)


def _at_corners(form: Any, corners: Any) -> Any:
    """(C, ...) values of forms (d + 2, ...) without their rests."""
    return form[0] + np.tensordot(corners, form[1:-1], axes=1)


def _linear(rows: Any, ball: bool) -> Any:
    """Largest value of linear forms (..., n, B) over the cube or the ball."""
    return np.sqrt((rows**2).sum(axis=-2)) * (1.0 + ROUND_OFF) if ball else np.abs(rows).sum(axis=-2)


def _ends(form: Any) -> tuple[Any, Any]:
    """Lowest and highest values of forms (d + 2, k, B)."""
    radius = np.abs(form[1:]).sum(axis=0) * (1.0 + ROUND_OFF)
    return form[0] - radius, form[0] + radius
