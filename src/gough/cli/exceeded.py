"""Limits of the robot's file that poses do not keep, in words."""

from __future__ import annotations

import numpy as np

from gough.analysis.pose_limits import Exceeded, exceeded_by_row, exceeded_limits
from gough.display import Display, number
from gough.graph import Array
from gough.kinematics import Kinematics
from gough.motion.curves import Values
from gough.robot import Joint


def excesses(solution: Kinematics, x: Values, display: Display) -> list[str]:
    """A clause for each actuator beyond its stroke or speed, and for each other limit of the file that is not kept."""
    found = []
    rates = solution.qd if solution.qd is not None else np.zeros(len(solution.actuators))
    for name, joint, value, rate in zip(solution.actuators, solution.robot.actuators, solution.q, rates, strict=True):
        factor, unit = display.travel(joint.kind == "R")
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        if not low <= value <= high:
            found.append(_beyond_stroke(name, joint, float(value), display))
        speed = joint.limits.speed
        if speed is not None and abs(rate) > speed:
            past = abs(rate) - speed
            found.append(
                f"actuator {name} is {number(past * factor, 4)} {unit}/s too fast (at most {number(speed * factor)})"
            )
    return found + [_clause(limit, display) for limit in exceeded_limits(solution, np.array(x))]


def excesses_by_row(solution: Kinematics, x: Array, display: Display) -> dict[int, list[str]]:
    """The clauses of many poses x (N, n) at rest that have a solution, by row; rows that keep all limits are left out.

    Args:
        solution: Of these poses.
        x: (N, n).
        display: Units.
    """
    found: dict[int, list[str]] = {}
    solved = np.flatnonzero(np.isfinite(solution.q).all(axis=1))
    if not len(solved):
        return found
    for name, joint, values in zip(solution.actuators, solution.robot.actuators, solution.q[solved].T, strict=True):
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        for k in np.flatnonzero(~((low <= values) & (values <= high))).tolist():
            found.setdefault(int(solved[k]), []).append(_beyond_stroke(name, joint, float(values[k]), display))
    for k, limits in exceeded_by_row(solution.robot, solution.joint_q[solved], x[solved]).items():
        found.setdefault(int(solved[k]), []).extend(_clause(limit, display) for limit in limits)
    return found


def _beyond_stroke(name: str, joint: Joint, value: float, display: Display) -> str:
    """What an actuator outside its stroke exceeds."""
    factor, unit = display.travel(joint.turns)
    low, high = joint.limits.stroke or (-np.inf, np.inf)
    past, limit = (low - value, low) if value < low else (value - high, high)
    ends = f"beyond its stroke ({number(limit * factor)} {unit})"
    return f"actuator {name} is {number(past * factor, 4)} {unit} {ends}"


def _clause(limit: Exceeded, display: Display) -> str:
    """What a passive joint or two legs exceed."""
    factor, unit = display.travel(limit.turns)
    past, allowed = (f"{number(size * factor, 4)} {unit}" for size in (abs(limit.value - limit.limit), limit.limit))
    if limit.kind == "distance":
        return f"legs {limit.owner} overlap by {past}"
    bound = "cone" if limit.kind == "angle" else "stroke"
    return f"joint {limit.owner} is {past} beyond its {bound} ({allowed})"
