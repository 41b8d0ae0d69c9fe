"""Coefficients of the forces over an envelope as graphs of the pose alone, by exact derivatives.

With velocity v, acceleration a and wrench w in units of the envelope (each in [-1, 1], or in the unit ball), and for
each corner p of the payload's range,

    force = G + A a + W w + L v + v.Q v,  actuator speed = K v

where G is the force at rest in the middle of the wrench's range, A, W, L first derivatives at rest and Q half the
second one by v. `gough.design.coefficients` finds the same numbers from forces at chosen motions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design.coefficients import payloads, size_graph
from gough.design.envelope import Envelope
from gough.dynamics.dry_friction import without_dry_friction
from gough.graph import Graph, array, jacobian, record
from gough.robot import Robot

FORMULATION = "orthogonal_complement"
"""Not the one that the search takes; and its enclosures are the tightest, of those that are not long."""


def force_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """x (n,) -> G (P, m), A (P, m, a), W (P, m, w), L (P, m, v), Q (P, m, v, v), K (m, v), short (legs,).

    Only what can vary in the envelope has a column.
    """
    forces = size_graph(without_dry_friction(robot), envelope.twist, FORMULATION)
    n = len(robot.platform.coordinates)
    wrench = np.array(envelope.wrench)
    middle, half = wrench.mean(axis=1), 0.5 * (wrench[:, 1] - wrench[:, 0])
    speed, push = np.array(envelope.velocity), np.array(envelope.acceleration)
    moving, pushed, pulled = (np.flatnonzero(sizes) for sizes in (speed, push, half))

    def spread(values: Any, places: Any, sizes: Any) -> Any:
        full: Any = [0.0] * len(sizes)
        for place, value in zip(places, values, strict=True):
            full[place] = value * sizes[place]
        return array(full)

    def state(x: Any, v: Any, a: Any, w: Any, payload: Any) -> dict[str, Any]:
        given = {
            "v": spread(v, moving, speed),
            "a": spread(a, pushed, push),
            "wrench": middle + spread(w, pulled, half),
        }
        return forces(x=x, payload=payload, **given)

    def first(x: Any, v: Any, a: Any, w: Any, payload: Any) -> dict[str, Any]:
        raw = state(x, v, a, w, payload)
        f = raw["force"]
        slopes = {"A": jacobian(f, a, "forward"), "W": jacobian(f, w, "forward"), "L": jacobian(f, v, "forward")}
        K = raw["K"][:, moving] * array(speed[moving])
        return {"G": f, **slopes, "K": K, "short": raw["short"]}

    sizes = {"v": len(moving), "a": len(pushed), "w": len(pulled)}
    slopes = record(first, x=n, payload=10, **sizes)
    rest = {name: np.zeros(count) for name, count in sizes.items()}

    def second(x: Any, v: Any, payload: Any) -> Any:
        L = slopes(x=x, payload=payload, **rest | {"v": v})["L"]
        return {"Q": array(0.5 * jacobian(L, v, "forward"))}

    bend = record(second, x=n, v=len(moving), payload=10)

    def equations(x: Any) -> dict[str, Any]:
        found = [
            slopes(x=x, payload=payload, **rest) | bend(x=x, payload=payload, v=rest["v"])
            for payload in payloads(envelope)
        ]
        stacked = {name: np.stack([each[name] for each in found]) for name in ("G", "A", "W", "L", "Q")}
        return stacked | {"K": found[0]["K"], "short": found[0]["short"]}

    return record(equations, x=n)
