"""Power of the actuators over an envelope as graphs of pose and velocity.

power = q (c + A a + W w) with the speed q = K v and the force c at v, both in units of the envelope. A ball of
velocities is taken in polar coordinates, so that pose and velocity fill a box.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design.coefficients import payloads
from gough.design.envelope import Envelope
from gough.design.unit_forces import unit_forces, unit_sizes
from gough.graph import Graph, array, cos, record, sin
from gough.robot import Robot


def power_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """Pose and velocity y (n + v,) -> q (m,), qc (P, m), qA (P, m, a), qW (P, m, w): q times c, A, W; short (legs,)."""
    n, sizes = len(robot.platform.coordinates), unit_sizes(envelope)
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
