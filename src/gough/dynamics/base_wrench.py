"""The wrench of a robot on its base: the sum of all reactions on the floor."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.force_programs import Model
from gough.dynamics.moving_base import on_moving_base
from gough.dynamics.orthogonal_complement import momentum_rate
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, array, cross, record
from gough.kinematics.bodies import body_accelerations, body_poses, body_velocities, owned
from gough.kinematics.tool import wrench_at_origin
from gough.run import Program


def base_wrench(motion: RobotMotion, wrench: Vector = None) -> Vector:
    """(6,) force and moment about the origin of B that the robot exerts on its base, base axes [N, N m].

    It follows from the momentum of all bodies, whatever the robot is made of: overconstrained robots have it too.
    Springs and actuators act between bodies and are not seen; rotors, whose axes are not known, are not in it.
    """
    pose, t, r = motion.pose, motion.twist, motion.twist_rate
    counted = body_poses(pose)
    twists = body_velocities(pose, counted, t.v, t.w)
    rates = body_accelerations(pose, counted, (t.v, t.w), (r.a, r.wd))
    if motion.base is not None:
        twists, rates = on_moving_base(motion.base, counted, twists, rates)
    f: Any = np.zeros(3)
    m: Any = np.zeros(3)
    if wrench is not None:
        f, m = (array(part) for part in wrench_at_origin(pose, wrench))
        m = m + cross(pose.platform.p_BP, f)
    for b, (_, w), (a, wd) in zip(owned(counted), twists, rates, strict=True):
        force, moment = momentum_rate(b, w, a - motion.gravity, wd)
        f, m = f - force, m - moment - cross(b.c, force)
    return np.concatenate([f, m])


@lru_cache(maxsize=32)
def base_wrench_program(model: Model) -> Program:
    """The program of `base_wrench`."""

    def equations(
        x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> Vector:
        return base_wrench(model.motion(x, xd, xdd, p, base), wrench)

    return Program(record(equations, **model.inputs()))
