"""What is told of each pose beside where it is, computed by one program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.coordinates import coordinates
from gough.assembly.from_home import from_home
from gough.assembly.labels import inside, labels
from gough.assembly.leg_spheres import leg_spheres
from gough.assembly.singular import smallest_recorded
from gough.graph import Array, Scalar, Vector, array, cross, record, sign
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.small_matrices import determinant
from gough.robot import Mechanism, by_mechanism
from gough.run import Program


@dataclass(frozen=True, slots=True)
class Told:
    """Of M poses.

    Attributes:
        every: (M, c) all coordinates of the platform, also those that follow others.
        branch: (M, legs) number of each leg's branch; 0 where it is not known.
        within_limits: (M,) whether all stated limits of joints are kept.
        joints: (M, joints) displacements of all joints [m or rad]; NaN where they are not known.
        far: (M,) distance from home.
        singular_value, side: (M,) see `AssemblyModes`; None where the legs are no spheres.
    """

    every: Array
    branch: NDArray[np.int_]
    within_limits: NDArray[np.bool_]
    joints: Array
    far: Array
    singular_value: Array | None
    side: NDArray[np.int_] | None


def told_of(robot: Mechanism, q: Array, p: Array, R: Array, joints: Array | None = None) -> Told:
    """What is told of poses p (M, 3), R (M, 3, 3) at displacements q (M, actuators), and joints if known."""
    found = _program(robot)(p=p, R=np.ascontiguousarray(R), q=q)
    branch, every, within = found["branch"].astype(int), found["joints"], found["within"]
    if joints is None:
        within = within & found["known"]
    else:
        places = np.repeat(np.arange(len(robot.legs)), [len(leg.joints) for leg in robot.legs])
        unknown = branch[:, places] == 0
        every = np.where(unknown, joints, every)
        for place, joint in enumerate(robot.joints):
            within = within & (~unknown[:, place] | inside(joint.limits.stroke, joints[:, place]))
    side = found["side"].astype(int) if "side" in found else None
    return Told(found["x"], branch, within, every, found["far"], found.get("singular_value"), side)


@by_mechanism(64)
def _program(robot: Mechanism) -> Program:
    def equations(p: Vector, R: Vector, q: Vector) -> dict[str, Any]:
        found: dict[str, Any] = {"x": coordinates(home_platform(robot), p, R), "far": from_home(robot, p, R)}
        found |= labels(robot, PlatformPose(p, R, (), ()), q)
        return found | _singular(robot, p, R, q)

    with np.errstate(divide="ignore", invalid="ignore"):
        return Program(record(equations, p=3, R=(3, 3), q=len(robot.actuators)))


def _singular(robot: Mechanism, p: Vector, R: Vector, q: Vector) -> dict[str, Scalar]:
    """Smallest singular value of K and side of singularity, where the legs are spheres, as many as needed."""
    spheres = leg_spheres(robot)
    if spheres is None or len(spheres.legs) != robot.dof:
        return {}
    at = spheres.program.graph(q=q)
    rows = []
    scales = []
    for k, b in enumerate(spheres.b):
        arm = R @ b
        span = p + arm - at["A"][k]
        rows.append([*span, *cross(arm, span)])
        scales.append(-(span @ at["rate"][k]) - at["half_slope"][k])
    free = platform_pose(robot.platform, np.array(robot.platform.home)).free()
    forces = array(rows) @ np.array([[*v, *w] for v, w in free.columns], dtype=float).T
    K = array([[-value / scale for value in row] for row, scale in zip(forces, scales, strict=True)])
    return {"singular_value": smallest_recorded(robot, K), "side": sign(determinant(forces))}
