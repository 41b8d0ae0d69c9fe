"""The kinematics of a robot as recorded graphs and ready programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Graph, Vector, array, record
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program


def equations(pose: RobotPose, xd: Vector = None, xdd: Vector = None) -> dict[str, Any]:
    """Named results at a pose: joint coordinates, their rates and accelerations, and what the status is computed from.

    Args:
        pose: The robot at x.
        xd, xdd: (n,) rates and accelerations of the platform coordinates, or None to leave their results out.
    """
    out: dict[str, Any] = {
        "joint_q": _flat([leg.values() for leg in pose.legs]),
        "K": pose.jacobian(),
        "short": array([leg.closure.short for leg in pose.legs]),
        "residual": array([leg.residual(pose.platform) for leg in pose.legs]),
        "converged": [leg.closure.converged for leg in pose.legs],
    }
    follows = pose.platform.dependence
    if follows is not None:
        out["dependent"] = follows.values
        if xd is not None:
            out["dependent_xd"] = follows.D @ array(xd)
            if xdd is not None:
                out["dependent_xdd"] = follows.D @ array(xdd) + follows.drift(xd)
    if xd is not None:
        v, w = pose.platform.twist(xd)
        out["joint_qd"] = _flat([leg.rates(v, w) for leg in pose.legs])
        if xdd is not None:
            a, wd = pose.platform.twist_rate(xd, xdd)
            out["joint_qdd"] = _flat([leg.accelerations(v, w, a, wd) for leg in pose.legs])
    return out


@by_mechanism(64)
def kinematics_graph(robot: Mechanism, order: int = 2, newton: bool = False) -> Graph:
    """The graph of `equations` with inputs x, and xd, xdd for orders 1 and 2; `newton` avoids closed forms."""
    ways = ways_of(robot, newton)
    n = robot.dof
    names = ("x", "xd", "xdd")[: order + 1]
    return record(
        lambda x, xd=None, xdd=None: equations(robot_pose(robot, ways, x), xd, xdd), **dict.fromkeys(names, n)
    )


@by_mechanism(64)
def kinematics_program(robot: Mechanism, order: int = 2, newton: bool = False) -> Program:
    """The program of `kinematics_graph`."""
    return Program(kinematics_graph(robot, order, newton))


@by_mechanism(64)
def free_jacobian_program(robot: Mechanism) -> Program:
    """x -> K (actuators, n) on the platform's free rates."""
    ways = ways_of(robot)
    return Program(record(lambda x: robot_pose(robot, ways, x).free_jacobian(), x=robot.dof))


def actuator_places(robot: Mechanism) -> list[int]:
    """Places of the actuated joints among all joints."""
    return [k for k, joint in enumerate(robot.joints) if joint.actuated]


def actuator_zeros(robot: Mechanism) -> Vector:
    """(actuators,) coordinates at which displacements are zero [m or rad]."""
    return np.array([joint.zero for joint in robot.actuators])


def characteristic_length(robot: Mechanism) -> float:
    """The robot's own, or the rms distance of the leg ends on the platform from their centroid [m]."""
    if robot.length is not None:
        return robot.length
    points = np.array([leg.end.platform_point for leg in robot.legs])
    return float(np.sqrt(np.mean(np.sum((points - points.mean(axis=0)) ** 2, axis=1)))) or 1.0


def turning_length(robot: Mechanism) -> float:
    """What turns are multiplied by to be lengths [m]: the characteristic length; 1 where nothing slides."""
    return characteristic_length(robot) if any(not c.turns for c in robot.platform.coordinates) else 1.0


def _flat(lists: list[list[Any]]) -> Vector:
    return array([value for values in lists for value in values])
