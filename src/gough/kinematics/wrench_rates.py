"""Actuator rates on orthonormal rates of the platform: forces f give it a wrench G^T f, whose size has a meaning.

Twists of the platform count |v|^2 + (L |w|)^2 in base axes, v the velocity of the origin of P, L the characteristic
length. On rates that are orthonormal in it, generalised forces are wrenches: their size is that of the force and of the
moment about the origin of P over L, in whatever axes, and no choice of coordinates changes it. Of a platform with fewer
than six motions only the part that does work on them is left, the smallest wrench that does the same.

Where every coordinate turns, twists count |w| alone and wrenches by their moment in N m, wherever the origin of P is:
that it moves along, where axes do not meet in it, is no motion of its own, and where one axis is driven by one motor
the distance is that of its torque.
"""

from __future__ import annotations

from typing import Any

from gough.graph import Vector, array, dot, record, sqrt
from gough.kinematics.pose import PlatformPose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program


class WrenchRates:
    """The orthonormal rates of a platform's pose.

    Without dependent coordinates the free rates are orthonormal but for their lengths; with them, what the dependent
    ones add is not, and their Gram matrix is factorised, M = C C^T.
    """

    def __init__(self, robot: Mechanism, platform: PlatformPose) -> None:
        """Of a platform with free rates."""
        self._length = characteristic_length(robot)
        self._sizes = [1.0] * platform.dof
        self._factor: Any = None
        if all(platform.turns):
            if platform.dependence is not None:
                self._factor = _cholesky([(array(w),) for _, w in platform.columns])
        elif platform.dependence is not None:
            self._factor = _cholesky([(array(v), array(w) * self._length) for v, w in platform.columns])
        else:
            self._sizes = [self._length if turns else 1.0 for turns in platform.turns]

    def of(self, Q: Vector) -> Vector:
        """(n,) generalised forces, or rates of one actuator, on the orthonormal rates in place of the free ones."""
        if self._factor is None:
            return array([value if size == 1.0 else value / size for value, size in zip(Q, self._sizes, strict=True)])
        found: list[Any] = []
        for row, value in zip(self._factor, Q, strict=True):
            for a, b in zip(row, found, strict=False):
                value = value - a * b
            found.append(value / row[-1])
        return array(found)


def _cholesky(columns: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows of the lower triangle C with C C^T = the products of all columns, each of one vector or more."""
    rows: list[list[Any]] = []
    for i, column in enumerate(columns):
        row: list[Any] = []
        for k, other in enumerate(columns[: i + 1]):
            value = sum((dot(a, b) for a, b in zip(column[1:], other[1:], strict=True)), dot(column[0], other[0]))
            for a, b in zip(row, rows[k] if k < i else row, strict=False):
                value = value - a * b
            row.append(sqrt(value) if k == i else value / rows[k][k])
        rows.append(row)
    return rows


def wrench_jacobian(pose: RobotPose) -> Vector:
    """(actuators, n) G: actuator rates per orthonormal rate of a pose with free rates."""
    rates = WrenchRates(pose.robot, pose.platform)
    return array([rates.of(row) for row in pose.jacobian()])


@by_mechanism(64)
def wrench_program(robot: Mechanism) -> Program:
    """x -> G (actuators, n)."""
    ways = ways_of(robot)
    return Program(record(lambda x: wrench_jacobian(robot_pose(robot, ways, x).free()), x=robot.dof))
