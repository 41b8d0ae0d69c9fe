"""Forces in units of an envelope, with their exact derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design.coefficients import size_graph
from gough.design.envelope import Envelope
from gough.dynamics.drives import without_dry_friction
from gough.graph import Graph, Vector, array, jacobian, record
from gough.robot import Robot

FORMULATION = "orthogonal_complement"
"""Not the one that the search takes; and its enclosures are the tightest, of those that are not long."""


def unit_sizes(envelope: Envelope) -> dict[str, int]:
    """How many velocities v, accelerations a and wrench components w vary."""
    v, a = (sum(size > 0.0 for size in sizes) for sizes in (envelope.velocity, envelope.acceleration))
    return {"v": v, "a": a, "w": sum(high > low for low, high in envelope.wrench)}


def unit_forces(robot: Robot, envelope: Envelope) -> Graph:
    """x, v, a, w, payload -> f (m,), A, W, L: its derivatives by a, w, v, K (m, v): speeds per v, short (legs,).

    v, a and w hold only what varies, in units of the envelope: from -1 to 1, or in the unit ball. No dry friction.
    """
    forces = size_graph(without_dry_friction(robot), envelope.twist, FORMULATION)
    wrench = np.array(envelope.wrench)
    middle, half = wrench.mean(axis=1), 0.5 * (wrench[:, 1] - wrench[:, 0])
    speed, push = np.array(envelope.velocity), np.array(envelope.acceleration)
    moving, pushed, pulled = (np.flatnonzero(sizes) for sizes in (speed, push, half))

    def spread(values: Vector, places: Vector, sizes: Vector) -> Vector:
        full: Any = [0.0] * len(sizes)
        for place, value in zip(places, values, strict=True):
            full[place] = value * sizes[place]
        return array(full)

    def equations(x: Vector, v: Vector, a: Vector, w: Vector, payload: Vector) -> dict[str, Vector]:
        rates = {"v": spread(v, moving, speed), "a": spread(a, pushed, push)}
        raw = forces(x=x, payload=payload, wrench=middle + spread(w, pulled, half), **rates)
        f = raw["force"]
        slopes = {"A": jacobian(f, a, "forward"), "W": jacobian(f, w, "forward"), "L": jacobian(f, v, "forward")}
        return {"f": f, **slopes, "K": raw["K"][:, moving] * array(speed[moving]), "short": raw["short"]}

    return record(equations, x=robot.dof, payload=10, **unit_sizes(envelope))
