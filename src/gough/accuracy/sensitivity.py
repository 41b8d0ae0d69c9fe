"""How a pose answers to small changes of dimensions: exact derivatives of the actuators' displacements.

Displacements q(x, p) at a pose x with dimensions p stay what the encoders say: K dx = dq - dq/dp dp. The platform's
twist is S dx + D dp; D is what dimensions do at the same coordinates, where others depend on them. With more actuators
than coordinates dx fits by least squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.programs import actuator_places
from gough.kinematics.robot_pose import RobotPose, nudged, robot_pose, ways_near
from gough.kinematics.tool import twists_at
from gough.robot import Mechanism, Robot, by_spec
from gough.robot.addresses import value_at
from gough.run import Program

MOST = 400
"""Dimensions at once."""


@by_spec(16)
def sensitivity_program(robot: Robot, paths: tuple[str, ...]) -> Program:
    """From x (n,) and p to q (actuators,), K (actuators, n), dq/dp, S (6, n), and D (6, p), place and rotation.

    `p` are numbers at these addresses. S is of the platform's origin; D, place and rotation are of the tool frame, and
    "arm" (3,) leads from the one to the other in base axes.

    Raises:
        InputError: Too many dimensions.
    """
    if len(paths) > MOST:
        raise InputError(f"tolerances: {len(paths)} dimensions at once, at most {MOST}")
    own = dict(zip(paths, nominal(robot, paths).tolist(), strict=True))
    ways = ways_near(robot, with_dimensions(robot, nudged(own)))

    def equations(x: Vector, p: Vector) -> dict[str, Any]:
        changed = with_dimensions(robot, dict(zip(paths, p, strict=True)))
        pose = robot_pose(changed, ways, x)
        q = displacements(changed, pose)
        slope = jacobian(q, p) if paths else np.zeros((len(robot.actuators), 0))
        columns = [np.concatenate([array(v), array(w)]) for v, w in pose.platform.columns]
        place, rotation, tool = pose.platform.p_BP, array(pose.platform.R_BP), changed.tool
        arm = np.zeros(3) if tool.at_origin else rotation @ array(tool.position)
        place = place if tool.at_origin else place + arm
        rotation = rotation if tool.unturned else rotation @ array(tool.rotation)
        moved = paths and (robot.platform.dependent or any(path.startswith("tool.") for path in paths))
        follow = followed(place, rotation, p) if moved else np.zeros((6, len(paths)))
        return {
            "q": q, "K": pose.jacobian(), "slope": slope, "S": np.stack(columns, axis=1), "D": follow,
            "place": place, "rotation": rotation, "arm": arm,
        }  # fmt: skip

    return Program(record(equations, x=robot.dof, p=len(paths)), "auto")


def with_dimensions(robot: Robot, dimensions: Mapping[str, Any]) -> Mechanism:
    """The mechanism with other dimensions; a point of a leg that moves turns no axis of that leg."""
    points = {path: value for path, value in dimensions.items() if _is_point(path)}
    return robot.with_numbers({p: v for p, v in dimensions.items() if p not in points}, points)


def _is_point(path: str) -> bool:
    table, *_, point, _ = ["", "", *path.split(".")][-4:]
    return table == "leg" and point in ("base", "platform")


def followed(place: Vector, rotation: Vector, p: Vector) -> Vector:
    """(6, p) twist of a platform at `place` and `rotation` per unit of numbers p, base axes."""
    turned = jacobian(array(rotation).reshape(9), p)
    columns = []
    for k in range(len(p)):
        spin = turned[:, k].reshape(3, 3) @ array(rotation).T
        columns.append([spin[2, 1], spin[0, 2], spin[1, 0]])
    return np.concatenate([jacobian(place, p), np.array(columns, dtype=object).T])


def displacements(robot: Mechanism, pose: RobotPose) -> Vector:
    """(actuators,) displacements from the actuators' zeros."""
    values = [value for leg in pose.legs for value in leg.values()]
    return array([values[k] - joint.zero for k, joint in zip(actuator_places(robot), robot.actuators, strict=True)])


def nominal(robot: Robot, paths: tuple[str, ...]) -> Array:
    """(p,) the robot's own numbers at these addresses."""
    joined = robot.without_errors.explicit()  # a leg type may state another point of its leg: that of a slider's guide
    return np.array([value_at(joined if _is_point(path) else robot, path) for path in paths])


def pose_maps(robot: Robot, x: Array, paths: tuple[str, ...]) -> tuple[Array, Array, Array]:
    """At poses x (N, n): twist of the tool per actuator (N, 6, actuators) and per dimension (N, 6, p); its place.

    A twist is [displacement of the robot's tool; rotation] in base axes [m, rad]. The place is (N, 3) in the base's
    frame.
    """
    p = nominal(robot, paths)
    found = sensitivity_program(robot, paths)(x=x, p=np.broadcast_to(p, (len(x), len(p))))
    back = found["S"] @ np.linalg.pinv(found["K"])
    if not robot.tool.at_origin:
        back = twists_at(back, found["arm"])
    return back, found["D"] - back @ found["slope"], found["place"]
