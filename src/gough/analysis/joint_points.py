"""Where the joints of a robot are at a pose, as a table for CAD programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.analysis.leg_distances import APART, chain, leg_points, side_bars
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Leg, Robot
from gough.table import Table
from gough.table.result import record_blocks

_LENGTHS = {"x": "m", "y": "m", "z": "m"}


def joint_points(robot: Robot, x: ArrayLike) -> Table:
    """A row per joint of each leg, from the base on: its point in the base's frame, and the end in the platform's too.

    Joints of one group that are in one point, as of a universal joint, are one row. A slide has no point of its own;
    where a leg begins with one, its base point is there.

    Args:
        robot: Whose.
        x: (n,) the pose.

    Raises:
        InputError: A leg does not reach the pose.
    """
    pose = robot_pose(robot, ways_of(robot), np.asarray(x, dtype=float))
    rows: list[dict[str, Any]] = []
    for leg in pose.legs:
        points = np.array([np.array(point, dtype=float) for point in leg_points(pose, leg)])
        if not np.isfinite(points).all() or not leg.closure.converged or float(leg.closure.short) > 0.0:
            raise InputError(f"points of {robot.name}: leg {leg.leg.name} does not reach the pose")
        rows += [_row(leg.leg, name, "base", point) for name, point in _named(leg.leg, points)]
        rows.append(_row(leg.leg, "end", "platform", np.array(leg.leg.end.platform_point, dtype=float)))
    return Table(len(rows), tuple(record_blocks(rows, _LENGTHS)), {"robot": robot.name}, layout="rows")


def _named(leg: Leg, points: Array) -> list[tuple[str, Array]]:
    main = chain(leg)
    joints = [leg.joints[k] for k in main]
    names = [joint.group if _together(leg, joint.group) else joint.name for joint in joints] + ["end"]
    for k, _ in side_bars(leg):
        names += [leg.joints[k].name, f"{leg.joints[k].name} end"]
    slides = {joint.name for joint in joints if joint.kind == "P"}
    found: list[tuple[str, Array]] = [("base", np.array(leg.position, dtype=float))] if joints[0].kind == "P" else []
    for name, point in zip(names, points, strict=True):
        if name not in slides and not (
            found and found[-1][0] == name and np.linalg.norm(found[-1][1] - point) <= APART
        ):
            found.append((name, point))
    return found


def _together(leg: Leg, group: str) -> bool:
    return bool(group) and sum(joint.group == group for joint in leg.joints) > 1


def _row(leg: Leg, name: str, frame: str, point: Array) -> dict[str, Any]:
    return {"leg": leg.name, "point": name, "frame": frame, **dict(zip("xyz", point.tolist(), strict=True))}
