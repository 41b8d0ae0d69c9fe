"""Agreement of a robot with an engine's model of the same file: do the loops close, and do the forces agree?

The engine knows nothing of gough's kinematics: its own loop equations give the rates, their rank-revealing null space
the motions on which its efforts are projected.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.formats.engines.engine import Engine
from gough.formats.engines.names_in_file import Names
from gough.formats.placement import Floats, Placement, about
from gough.formats.xml_text import FormatError
from gough.motion import State
from gough.robot import Actuation, Mechanism, Robot

_RANK = 1e-9
_STEP = 5e-3
_WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Central difference of sixth order over steps of which the fastest coordinate makes `_STEP`: good to 1e-13."""


@dataclass(frozen=True)
class Agreement:
    """How far a robot and an engine's model are from each other.

    Attributes:
        engine: Its name and version.
        closure: Largest residual of the engine's loops at the robot's coordinates [m and rad].
        force: Largest difference of forces, of the largest force.
    """

    engine: str
    closure: float
    force: float


def compare(robot: Robot, engine: Engine, names: Names, poses: int = 100, states: int = 5, seed: int = 1) -> Agreement:
    """The agreement of closure at `poses` and of forces at `states` of them, all near home."""
    from gough.dynamics import inverse_dynamics
    from gough.kinematics import Status, inverse_kinematics
    from gough.kinematics.random_states import random_states

    known = _as_engine_reads(robot, engine)
    drawn = random_states(robot, poses, seed)
    solved = inverse_kinematics(robot, drawn)
    assert (solved.status == Status.FINE).all()
    tau = np.asarray(inverse_dynamics(known, State(drawn.x, drawn.xd, drawn.xdd)[:states]).force)
    closure = force = 0.0
    for k in range(poses):
        whole = _whole(robot, solved, k, drawn.x[k], drawn.xd[k], drawn.xdd[k])
        q, gap = _placed(robot, engine, names, np.asarray(solved.joint_q)[k], whole[0])
        closure = max(closure, gap)
        if k < states:
            force = max(force, _force_error(robot, engine, names, q, whole, tau[k]))
    return Agreement(engine.name, closure, force)


def _as_engine_reads(robot: Robot, engine: Engine) -> Mechanism:
    """The mechanism without what the engine does not read, in its gravity; forces keep to no limits."""
    legs = []
    for leg in robot.legs:
        joints = [
            replace(
                joint,
                rotor_inertia=joint.rotor_inertia if engine.reads_rotors else 0.0,
                spring=joint.spring if engine.reads_springs else None,
            )
            for joint in leg.joints
        ]
        legs.append(replace(leg, joints=tuple(joints)))
    springs = robot.springs if engine.reads_springs else ()
    gravity = (float(engine.gravity[0]), float(engine.gravity[1]), float(engine.gravity[2]))
    shared = None if robot.actuation is None else Actuation()
    return replace(robot.mechanism, legs=tuple(legs), springs=springs, gravity=gravity, actuation=shared)


def _whole(robot: Mechanism, solved: Any, k: int, x: Any, xd: Any, xdd: Any) -> tuple[Placement, Floats, Floats]:
    """Placement, velocity (6,) and acceleration (6,) of the platform's origin and axes in the world."""
    platform = robot.platform
    if platform.dependent:
        x = platform.in_order(x, solved.dependent[k])
        xd = platform.in_order(xd, solved.dependent_xd[k])
        xdd = platform.in_order(xdd, solved.dependent_xdd[k])
    R0 = np.array(platform.rotation)
    p, R = np.array(platform.position), R0
    v, w, a, alpha = (np.zeros(3) for _ in range(4))
    for coordinate, q, qd, qdd in zip(platform.all_coordinates, x, xd, xdd, strict=True):
        unit = np.eye(3)["xyz".index(coordinate.motion[-1])]
        if coordinate.turns:
            axis = R @ unit
            alpha = alpha + axis * qdd + np.cross(w, axis) * qd
            w = w + axis * qd
            R = R @ about(unit, q)
        else:
            axis = R0 @ unit
            p, v, a = p + axis * q, v + axis * qd, a + axis * qdd
    return Placement(p, R), np.concatenate([v, w]), np.concatenate([a, alpha])


def _placed(robot: Mechanism, engine: Engine, names: Names, joint_q: Floats, place: Placement) -> tuple[Floats, float]:
    """The engine's configuration at the robot's coordinates, and the largest gap that is left in its loops."""
    values = dict(names.held)
    for name, value in zip(robot.joint_names, joint_q, strict=True):
        if name in names.joints:
            values[names.joints[name]] = float(value)
    link = place @ names.frame.inverse()
    _, unknown = engine.configuration(values, {names.platform: link})
    q, _ = engine.configuration({**names.starts, **values}, {names.platform: link})
    for _ in range(30 if unknown.any() else 1):
        gap, J = engine.loops(q)
        at, _ = engine.link(q, names.platform)
        if not unknown.any() or np.abs(gap).max(initial=0.0) < 1e-14:
            break
        step = np.zeros(len(unknown))
        step[unknown] = np.linalg.lstsq(J[:, unknown], -gap, rcond=1e-10)[0]
        q = engine.integrated(q, step)
    off = max(np.abs(at.position - link.position).max(), np.abs(at.rotation - link.rotation).max())
    return q, float(max(np.abs(gap).max(initial=0.0), off))


def _force_error(
    robot: Mechanism, engine: Engine, names: Names, q: Floats, whole: tuple[Placement, Floats, Floats], tau: Floats
) -> float:
    """Difference of the forces at one state, of the largest of them."""
    platform, twist, second = whole
    rods = []
    for leg in robot.legs:
        if leg.name in names.spinning:
            link, centre = names.spinning[leg.name]
            place, _ = engine.link(q, link)
            n = platform.point(leg.end.platform_point) - place.point(centre)
            rods.append((link, place.rotation.T @ n / np.linalg.norm(n)))

    def rows(at: Floats) -> Floats:
        """(rows, nv) loops, spins, then the platform's six."""
        found = [engine.loops(at)[1]]
        for link, u in rods:
            place, J = engine.link(at, link)
            found.append((place.rotation @ u) @ J[None, 3:])
        return np.vstack(
            [block.reshape(-1, found[0].shape[1]) for block in found] + [engine.link(at, names.platform)[1]]
        )

    B = rows(q)
    held = np.zeros(len(B) - 6)
    v = np.linalg.lstsq(B, np.concatenate([held, twist]), rcond=1e-11)[0]
    h = _STEP / max(np.abs(v).max(), 1e-12)
    drift = sum(
        w * (rows(engine.integrated(q, n * h * v)) - rows(engine.integrated(q, -n * h * v))) for n, w in _WEIGHTS
    )
    a = np.linalg.lstsq(B, np.concatenate([held, second]) - drift @ v / h, rcond=1e-11)[0]
    a = a + _idle(engine, q, v, a, B)
    _, sizes, V = np.linalg.svd(B[:-6])
    N = V[int(np.sum(sizes > _RANK * sizes.max(initial=0.0))) :].T
    S = N.T @ engine.drives(q, names.drives)
    left = N.T @ engine.inverse(q, v, a) - S @ tau
    more = np.linalg.lstsq(S, left, rcond=1e-11)[0]
    size = max(np.abs(tau).max(), 1e-12)
    unheld = np.abs(left - S @ more).max() / np.abs(S).max()
    misfit = np.abs(B @ v - np.concatenate([held, twist])).max() / max(np.abs(twist).max(), 1e-12)
    return float(max(np.abs(more).max() / size, unheld / size, misfit))


def _idle(engine: Engine, q: Floats, v: Floats, a: Floats, B: Floats) -> Floats:
    """(nv,) acceleration to add, so that nothing drives what neither loops nor platform decide: idle turning links."""
    _, sizes, V = np.linalg.svd(B)
    Z = V[int(np.sum(sizes > _RANK * sizes.max(initial=0.0))) :].T
    if not Z.shape[1]:
        return np.zeros(len(a))
    effort = engine.inverse(q, v, a)
    M = np.stack([Z.T @ (engine.inverse(q, v, a + z) - effort) for z in Z.T], axis=1)
    return Z @ np.linalg.lstsq(M, -Z.T @ effort, rcond=1e-12)[0]


def engine_of(path: Path, form: str, loops: str | Path | None) -> tuple[Engine | None, str]:
    """The engine with the file opened, or None and why there is none."""
    try:
        if form == "URDF":
            return _pinocchio(path, loops), ""
        if form == "MJCF":
            from gough.formats.engines.mujoco_engine import MujocoEngine

            return MujocoEngine(path), ""
    except ImportError as error:
        return None, f"{error.name} is not installed"
    except FormatError as error:
        return None, str(error)
    return None, "none in Python reads SDF"


def _pinocchio(path: Path, loops: str | Path | None) -> Engine:
    import yaml

    from gough.formats.engines.pinocchio_engine import PinocchioEngine
    from gough.formats.xml_text import read_text

    beside = path.with_suffix(".yaml") if loops is None else Path(loops)
    stated = yaml.safe_load(read_text(beside)) if beside.is_file() else {}
    return PinocchioEngine.opened(path, stated)
