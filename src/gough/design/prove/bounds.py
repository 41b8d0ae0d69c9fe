"""Bounds of forces and speeds over boxes of poses.

Over a box every coefficient of `gough.design.prove.polynomials` is c + s.t + r e. For fixed velocity, acceleration,
wrench and payload the force without the rests r is linear in t, so its largest value over them is convex in t and is
taken in a corner of the box: there the exact inner maxima of `gough.design.inner` give a bound that is quadratic in the
size of the box.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from gough.design.envelope import Envelope
from gough.design.inner import ball_bound, bound, box_maximum
from gough.design.prove.boxes import ROUND_OFF, at_corners, linear


def force_bounds(forms: dict[str, Any], envelope: Envelope, dry: Any, enough: Any) -> Any:
    """(3 m, B) bounds of the forces up and down and of the speeds over boxes; not finite where there is none.

    Inner maxima are taken exactly only where a quicker bound is above `enough` (3 m,).
    """
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["G"]) - 2)))
    at = {name: at_corners(forms[name], corners) for name in ("G", "A", "W", "L", "Q", "K")}
    rest = {name: forms[name][-1] for name in at}
    push, spare = linear(at["A"], envelope.acceleration_ball), linear(rest["A"], envelope.acceleration_ball)
    pull, speed = linear(at["W"], False), linear(at["K"], envelope.velocity_ball)
    sizes = np.abs(at["Q"]).sum(axis=(-3, -2)) + np.abs(at["L"]).sum(axis=-2)
    spare = spare + rest["G"] + linear(rest["W"], False) + linear(rest["L"], envelope.velocity_ball)
    spare = spare + linear(rest["Q"].reshape(*rest["Q"].shape[:2], -1, rest["Q"].shape[-1]), envelope.velocity_ball)
    around = push + pull + spare + dry[:, None] + ROUND_OFF * (np.abs(at["G"]) + push + pull + sizes)
    m = len(dry)
    found = []
    for side, sign in enumerate((1.0, -1.0)):
        limit = enough[side * m : (side + 1) * m, None]
        value = sign * at["G"] + around
        found.append(_with_velocity(value, sign * at["Q"], sign * at["L"], envelope.velocity_ball, limit))
    fast = speed.max(axis=0) * (1.0 + ROUND_OFF) + linear(rest["K"], envelope.velocity_ball)
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


def power_bounds(forms: dict[str, Any], envelope: Envelope, dry: Any) -> Any:
    """(m, B) bounds; not finite where there is none."""
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["q"]) - 2)))
    q, qc, qA, qW = (at_corners(forms[name], corners) for name in ("q", "qc", "qA", "qW"))
    ball, friction = envelope.acceleration_ball, dry[:, None]
    spare = forms["qc"][-1] + linear(forms["qA"][-1], ball) + linear(forms["qW"][-1], False)
    spare = spare + friction * forms["q"][-1]
    given = qc + (friction * np.abs(q))[:, None]
    taken = -qc - (friction * np.sign(forms["q"][0]) * q)[:, None]
    reach = linear(qA, ball) + linear(qW, False)
    size = np.abs(qc) + reach + (friction * np.abs(q))[:, None]
    return (np.maximum(given, taken) + reach + ROUND_OFF * size + spare).max(axis=(0, 1))


def steepest(forms: dict[str, Any], radius: Any) -> Any:
    """(B,) the axis of each box along which power changes most, of those that are wide."""
    change = np.abs(forms["qc"][1:-1]).max(axis=(1, 2)) + np.abs(forms["qA"][1:-1]).sum(axis=3).max(axis=(1, 2))
    change = np.where(np.isfinite(change), change, 0.0) + 1e-300
    wide = np.flatnonzero((radius > 0.0).any(axis=0))
    share = change / change.max(axis=0) + (radius[:, wide] / radius[:, wide].max(axis=1, keepdims=True)).T
    return wide[share.argmax(axis=0)]
