"""Pinocchio's forward dynamics with loops closed by constraints, one sample a call: `constraintDynamics`, `lcaba`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.peers.pinocchio_model import cut_model, suited, velocity_places
from gough import State
from gough.kinematics import inverse_kinematics
from gough.robot import Leg, Robot

TINY = 1e-9
"""[kg m^2] of bodies that have none."""


class Loops:
    """A robot's legs cut at their ends, the platform a free body, and the constraints that hold them together."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        model, legs, self.platform = cut_model(robot)
        for number in range(1, model.njoints):
            if model.inertias[number].mass == 0.0:  # it divides by what such a joint feels
                model.inertias[number] = pin.Inertia(0.0, np.zeros(3), TINY * np.eye(3))
        self.model = model
        self.constraints = pin.StdVec_RigidConstraintModel()
        for leg, ids in zip(robot.legs, legs, strict=True):
            self.constraints.append(self._constraint(leg, ids[-1]))
        self.places, self.motors = velocity_places(model, robot, legs)

    def _constraint(self, leg: Leg, last: int) -> Any:
        end = leg.end
        turn = suited(np.array(leg.joints[end.joint].axis))[0].inverse()
        tip = turn * pin.SE3(np.array(end.rotation), np.array(end.point))
        place = pin.SE3(np.array(end.platform_rotation), np.array(end.platform_point))
        kind = pin.ContactType.CONTACT_6D if end.kind == "rigid" else pin.ContactType.CONTACT_3D
        return pin.RigidConstraintModel(kind, self.model, last, tip, self.platform, place, pin.ReferenceFrame.LOCAL)

    def state(self, x: Any, xd: Any, force: Any) -> tuple[Any, Any, Any]:
        """q, v and tau at platform coordinates x y z and angles that turn R, made before the clock starts."""
        found = inverse_kinematics(self.robot, State(x, xd))
        R, w = turned(self.robot, x, xd)
        at, first = self.model.joints[self.platform].idx_q, self.model.joints[self.platform].idx_v
        q, v, tau = pin.neutral(self.model), np.zeros(self.model.nv), np.zeros(self.model.nv)
        q[self.places], v[self.places] = found.joint_q, found.joint_qd
        q[at : at + 7] = pin.SE3ToXYZQUAT(pin.SE3(R, x[:3]))
        v[first : first + 6] = np.concatenate([R.T @ xd[:3], R.T @ w])
        tau[self.motors] = force
        return q, v, tau

    def constraint_dynamics(self, q: Any, v: Any, tau: Any) -> Callable[[], Any]:
        """A call of `constraintDynamics` at a state: accelerations of all joints."""
        data, datas = self.model.createData(), self._datas()
        pin.initConstraintDynamics(self.model, data, self.constraints, datas)
        settings = pin.ProximalSettings(1e-12, 1e-8, 2)
        return lambda: pin.constraintDynamics(self.model, data, q, v, tau, self.constraints, datas, settings)

    def lcaba(self, q: Any, v: Any, tau: Any) -> Callable[[], Any]:
        """A call of `lcaba` at a state: accelerations of all joints."""
        data, datas = self.model.createData(), self._datas()
        pin.computeJointMinimalOrdering(self.model, data, self.constraints)
        settings = pin.ProximalSettings(1e-9, 1e-6, 2)
        return lambda: pin.lcaba(self.model, data, q, v, tau, self.constraints, datas, settings)

    def _datas(self) -> Any:
        datas = pin.StdVec_RigidConstraintData()
        for constraint in self.constraints:
            datas.append(constraint.createData())
        return datas

    def of_platform(self, accelerations: Any, x: Any, xd: Any) -> Any:
        """(6,) accelerations of the free rates, [dv; dw] in base axes, from those of all joints."""
        R, w = turned(self.robot, x, xd)
        first = self.model.joints[self.platform].idx_v
        a = accelerations[first : first + 6]
        v_P = R.T @ xd[:3]
        return np.concatenate([R @ (a[:3] + np.cross(R.T @ w, v_P)), R @ a[3:]])


def turned(robot: Robot, x: Any, xd: Any) -> tuple[Any, Any]:
    """The platform's orientation (3, 3) and angular velocity (3,) in base axes."""
    from gough.kinematics.robot_pose import robot_pose, ways_of

    pose = robot_pose(robot, ways_of(robot), x).platform
    _, w = pose.twist(xd)
    return np.array(pose.R_BP, dtype=float), np.array(w, dtype=float)
