"""Singular poses of robots with more actuators than coordinates: so thin a set that no ray meets it.

K v = 0 for a unit vector v is m equations more than v has unknowns: with the pose's n they leave n - (m - n + 1)
dimensions. Poses and v are brought onto it by Newton steps of least norm, and drawn along it towards the middle; limits
that are violated are equations too.
"""

from __future__ import annotations

import numpy as np

from gough.graph import Array, Vector, array, dot, jacobian, record
from gough.kinematics.robot_pose import robot_pose
from gough.run import Program
from gough.singular.around import Around

STARTS, STEPS, KEPT = 400, 60, 1e-9


def loose_poses(around: Around, seed: int = 0) -> Array | None:
    """(n,) coordinates of the nearest pose found at which K has not full rank, within the limits; None if none was."""
    n = around.size
    program = _program(around)
    units = np.where([c.turns for c in around.robot.platform.coordinates], around.length, 1.0)
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(STARTS, n))
    spread = around.far * rng.uniform(0.02, 0.5, size=(STARTS, 1))
    x = around.x + np.clip(
        spread * directions / np.linalg.norm(directions, axis=1, keepdims=True) / units, -np.pi, np.pi
    )
    K = np.nan_to_num(around.matrices(x=x))
    v = np.linalg.svd(K)[2][:, -1]
    with np.errstate(all="ignore"):
        for step in range(2 * STEPS):
            raw = program(x=x, v=v)
            F, J, m, M = (np.nan_to_num(raw[name]) for name in ("F", "J", "m", "M"))
            out = m < 0.0
            F = np.hstack([F, np.where(out, m, 0.0)])
            J = np.concatenate([J, np.where(out[..., None], M, 0.0)], axis=1)
            # In weighted coordinates; first onto the set, then along it towards the middle.
            scaled = J / np.concatenate([units, np.ones(n)])
            inverse = np.linalg.pinv(scaled, rcond=1e-10)
            dz = -np.einsum("nij,nj->ni", inverse, F)
            if step >= STEPS // 3:
                pull = np.hstack([units * (around.x - x), np.zeros((len(x), n))])
                pull -= np.einsum("nij,nj->ni", inverse, np.einsum("nij,nj->ni", scaled, pull))
                dz += min(0.5, 0.02 * (step + 1 - STEPS // 3)) * pull if step < 2 * STEPS - 12 else 0.0
            size = np.linalg.norm(dz, axis=1, keepdims=True)
            dz *= np.minimum(1.0, 0.3 * around.far / np.maximum(size, 1e-300))
            x, v = x + dz[:, :n] / units, v + dz[:, n:]
            v /= np.linalg.norm(v, axis=1, keepdims=True)
    raw = program(x=x, v=v)
    with np.errstate(invalid="ignore"):
        # The nearest one often lies on a limit, reached to round-off.
        good = (np.abs(raw["F"]).max(axis=1) < KEPT) & (raw["m"] > -KEPT).all(axis=1)
    if not good.any():
        return None
    poses = around.at_coordinates(x[good])
    way, turn = around.apart(*poses)
    return np.asarray(x[good][np.argmin((way**2).sum(axis=1) + around.length**2 * (turn**2).sum(axis=1))])


def _program(around: Around) -> Program:
    """x, v -> F = [K v, (v.v - 1)/2] and its derivatives J by x and v; margins m of the limits and theirs, M."""
    n = around.size
    kinds = ("side", "singular", "condition")

    def equations(x: Vector, v: Vector) -> dict[str, Vector]:
        pose = robot_pose(around.robot, around.equations.ways, x).free()
        F = array([*(around.matrix(pose) @ v), 0.5 * (dot(v, v) - 1.0)])
        named = around.equations(pose)
        m = array([margin for limit, margin in named if limit.kind not in kinds] or [1.0 + 0.0 * x[0]])
        J = np.concatenate([jacobian(F, x, "forward"), jacobian(F, v, "forward")], axis=1)
        M = np.concatenate([jacobian(m, x, "forward"), np.zeros((len(m), n))], axis=1)
        return {"F": F, "J": J, "m": m, "M": M}

    return Program(record(equations, x=n, v=n))
