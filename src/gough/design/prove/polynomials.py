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

from gough.design.coefficients import payloads
from gough.design.envelope import Envelope
from gough.design.unit_forces import unit_forces, unit_sizes
from gough.graph import Graph, array, cos, jacobian, record, sin
from gough.robot import Robot


def force_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """x (n,) -> G (P, m), A (P, m, a), W (P, m, w), L (P, m, v), Q (P, m, v, v), K (m, v), short (legs,).

    Only what can vary in the envelope has a column.
    """
    n, sizes = robot.dof, unit_sizes(envelope)
    forces = unit_forces(robot, envelope)
    rest = {name: np.zeros(count) for name, count in sizes.items()}

    def second(x: Any, v: Any, payload: Any) -> Any:
        L = forces(x=x, payload=payload, **rest | {"v": v})["L"]
        return {"Q": array(0.5 * jacobian(L, v, "forward"))}

    bend = record(second, x=n, v=sizes["v"], payload=10)

    def equations(x: Any) -> dict[str, Any]:
        found = [
            forces(x=x, payload=payload, **rest) | bend(x=x, payload=payload, v=rest["v"])
            for payload in payloads(envelope)
        ]
        stacked = {name: np.stack([each[name] for each in found]) for name in ("f", "A", "W", "L", "Q")}
        stacked["G"] = stacked.pop("f")
        return stacked | {"K": found[0]["K"], "short": found[0]["short"]}

    return record(equations, x=n)


def power_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """Pose and velocity y (n + v,) -> q (m,), qc (P, m), qA (P, m, a), qW (P, m, w): q times c, A, W; short (legs,)."""
    n, sizes = robot.dof, unit_sizes(envelope)
    forces = unit_forces(robot, envelope)
    rest = {"a": np.zeros(sizes["a"]), "w": np.zeros(sizes["w"])}

    def equations(y: Any) -> dict[str, Any]:
        v = polar(y[n:]) if envelope.velocity_ball else y[n:]
        found = [forces(x=y[:n], v=v, payload=payload, **rest) for payload in payloads(envelope)]
        q = found[0]["K"] @ v
        return {
            "q": q,
            "qc": np.stack([each["f"] * q for each in found]),
            "qA": np.stack([each["A"] * q[:, None] for each in found]),
            "qW": np.stack([each["W"] * q[:, None] for each in found]),
            "short": found[0]["short"],
        }

    return record(equations, y=n + sizes["v"])


def polar(s: Any) -> Any:
    """The point of the ball with radius s[0] and, in 2 or 3 dimensions, azimuth s[1] and angle from the pole s[2]."""
    if len(s) == 1:
        return s
    across = s[0] * sin(s[2]) if len(s) == 3 else s[0]
    flat = [across * cos(s[1]), across * sin(s[1])]
    return array([*flat, s[0] * cos(s[2])] if len(s) == 3 else flat)


def velocity_box(envelope: Envelope, half: bool) -> list[tuple[float, float]]:
    """Ranges of the velocity's part of y; `half` of them suffices where power is the same forwards and back."""
    count = unit_sizes(envelope)["v"]
    if envelope.velocity_ball and count > 1:
        turn = float(np.nextafter(np.pi, 4.0))
        return [(0.0, 1.0), (-turn, 0.0 if half else turn), (0.0, turn)][:count]
    return [(0.0 if half and k == 0 else -1.0, 1.0) for k in range(count)]
