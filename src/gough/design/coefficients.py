"""Forces at a pose as a polynomial of the envelope: linear in acceleration and wrench, quadratic in velocity.

They are found from forces at chosen motions and, for proofs, as exact derivatives in units of the envelope.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.design.envelope import Envelope
from gough.dynamics.contract import choose
from gough.dynamics.drives import without_dry_friction
from gough.dynamics.force_programs import Model, force
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Graph, Vector, array, cross, jacobian, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.status import Status, judge
from gough.kinematics.tool import wrench_at_origin
from gough.robot import Mechanism, Robot, by_mechanism
from gough.robot.leg_values import tensor_of
from gough.run import Program


@by_mechanism(16)
def size_program(robot: Mechanism, twist: bool) -> Program:
    """The program of `size_graph`, by the formulation with the fewest operations."""
    return Program(size_graph(robot, twist))


def size_graph(robot: Mechanism, twist: bool, formulation: str = "auto") -> Graph:
    """x, v, a, wrench, payload -> force, K, short, converged.

    v and a are coordinate rates or, with `twist`, the platform's twist and its rate in base axes.
    """
    ways, n = ways_of(robot), robot.dof
    bare = robot.without_tool  # wrench and payload together act at the platform's origin
    model = Model(bare, choose(formulation), wrench=True)

    def equations(x: Vector, v: Vector, a: Vector, wrench: Vector, payload: Vector) -> dict[str, Vector]:
        pose = robot_pose(robot, ways, x)
        outer_f, outer_m = wrench_at_origin(pose, wrench)
        pose = replace(pose, robot=bare)
        motion = RobotMotion(pose.free() if twist else pose, v, a)
        f, m = payload_load(motion, payload)
        outer = array([*(outer_f - f), *(outer_m - m)])
        return {
            "force": force(model, motion, outer),
            "K": motion.pose.jacobian(),
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
        }

    return record(equations, x=n, v=n, a=n, wrench=6, payload=10)


def payload_load(motion: RobotMotion, payload: Vector) -> tuple[Vector, Vector]:
    """Force and moment at the origin of P that a payload's motion and weight take, base axes; linear in the payload."""
    R, gravity = motion.pose.platform.R_BP, array(motion.pose.robot.gravity)
    mass, c = payload[0], R @ array(payload[1:4])
    inertia = tensor_of(payload[4:])
    w, wd, a = motion.twist.w, motion.twist_rate.wd, motion.twist_rate.a - gravity
    spin = R @ (inertia @ (R.T @ wd)) + cross(w, R @ (inertia @ (R.T @ w)))
    return a * mass + cross(wd, c) + cross(w, cross(w, c)), cross(c, a) + spin


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Forces of N poses and m actuators in units of the envelope; see `gough.design.velocity_maxima`.

    Attributes:
        G: (N, m) at rest, in the middle of the wrench range.
        A: (N, m, n) per acceleration, L: per velocity, W: (N, m, 6) per half-width of the wrench.
        Q: (N, m, n, n) quadratic in velocity.
        K: (N, m, n) actuator speed per velocity.
        fine: (N,) the legs reach.
    """

    G: Array
    A: Array
    W: Array
    L: Array
    Q: Array
    K: Array
    fine: NDArray[np.bool_]


def payloads(envelope: Envelope) -> Array:
    """(P, 10) corners of the payload's range: at a fixed motion forces are linear in it."""
    ends = [(low,) if low == high else (low, high) for low, high in envelope.payload]
    return np.array(list(product(*ends)))


def coefficients(
    robot: Mechanism, envelope: Envelope, x: Array, payload: Array, v_at: Array | None = None
) -> Coefficients:
    """Coefficients at poses x (N, n) with one payload (10,), from the forces f at a few motions of each.

    With unit vectors e of the envelope and differences from f at rest: A = f(a = e_k), W = f(w = e_k),
    L = (f(v = e_k) - f(v = -e_k)) / 2, Q_kk = (f(v = e_k) + f(v = -e_k)) / 2 and
    Q_ij = (f(v = e_i + e_j) - L_i - L_j - Q_ii - Q_jj) / 2. Of known velocities `v_at` (N, n), in units of the
    envelope, G are the forces there, and L and Q are zero: that takes far fewer motions.
    """
    n, count = x.shape[1], len(x)
    v, a = np.array(envelope.velocity), np.array(envelope.acceleration)
    wrench = np.array(envelope.wrench)
    middle, half = wrench.mean(axis=1), 0.5 * (wrench[:, 1] - wrench[:, 0])
    movable, pushed, loaded = np.flatnonzero(v if v_at is None else 0.0 * v), np.flatnonzero(a), np.flatnonzero(half)
    pairs = list(combinations(movable.tolist(), 2))
    eye = np.eye(n)
    rows = [(np.zeros(n), np.zeros(n), middle)]
    rows += [(np.zeros(n), a * eye[k], middle) for k in pushed]
    rows += [(np.zeros(n), np.zeros(n), middle + half * np.eye(6)[k]) for k in loaded]
    rows += [(sign * v * eye[k], np.zeros(n), middle) for k in movable for sign in (1.0, -1.0)]
    rows += [(v * (eye[i] + eye[j]), np.zeros(n), middle) for i, j in pairs]
    each = [np.array(column) for column in zip(*rows, strict=True)]
    program = size_program(without_dry_friction(robot), envelope.twist)
    tiled = [np.tile(column, (count, 1)) for column in each]
    if v_at is not None:
        tiled[0] = np.repeat(v_at * v, len(rows), axis=0)
    raw = program(x=np.repeat(x, len(rows), axis=0), v=tiled[0], a=tiled[1], wrench=tiled[2], payload=payload)
    m = raw["force"].shape[1]
    f = raw["force"].reshape(count, len(rows), m)
    with np.errstate(invalid="ignore"):
        G, f = f[:, 0].copy(), f[:, 1:] - f[:, :1]
    A, W, L = np.zeros((count, m, n)), np.zeros((count, m, 6)), np.zeros((count, m, n))
    Q = np.zeros((count, m, n, n))
    k = 0
    for place in pushed:
        A[:, :, place], k = f[:, k], k + 1
    for place in loaded:
        W[:, :, place], k = f[:, k], k + 1
    for place in movable:
        L[:, :, place], Q[:, :, place, place] = 0.5 * (f[:, k] - f[:, k + 1]), 0.5 * (f[:, k] + f[:, k + 1])
        k += 2
    for i, j in pairs:
        both = f[:, k] - L[:, :, i] - L[:, :, j] - Q[:, :, i, i] - Q[:, :, j, j]
        Q[:, :, i, j] = Q[:, :, j, i] = 0.5 * both
        k += 1
    verdict = judge(raw["short"][:: len(rows)], raw["converged"][:: len(rows)])
    K = raw["K"][:: len(rows)].copy()
    fine = (verdict.status <= Status.NEAR_SINGULAR) & np.isfinite(G).all(axis=1) & np.isfinite(Q).all(axis=(1, 2, 3))
    fine &= np.isfinite(K).all(axis=(1, 2))
    for values in (G, A, W, L, Q, K):
        values[~fine] = 0.0
    return Coefficients(G, A, W, L, Q, K, fine)


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
