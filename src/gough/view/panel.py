"""The words beside a live robot: actuators' displacements and forces as a table, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.dynamics import InverseDynamics
from gough.kinematics import Status
from gough.kinematics.status import sentence
from gough.robot import Robot
from gough.view.display import Display
from gough.view.pose_text import number

POOR = 100.0
"""Condition number from which a pose is called poorly conditioned."""


def actuator_table(result: InverseDynamics, k: int, display: Display) -> str:
    """Markdown: name, displacement, force and use of the stroke of each actuator in sample k."""
    joints = [joint for leg in result.robot.legs for joint in leg.joints if joint.actuated]
    lines = ["| actuator | displacement | force |", "|:--|--:|--:|"]
    for j, (name, joint) in enumerate(zip(result.actuators, joints, strict=True)):
        travel, push = display.travel(joint.kind == "R"), display.effort(joint.kind == "R")
        displacement, force = result.displacement[k, j] * travel[0], result.force[k, j] * push[0]
        lines.append(f"| {name} | {_text(displacement, travel[1])} | {_text(force, push[1])} |")
    return "\n".join(lines)


def warnings(result: InverseDynamics, k: int, display: Display) -> list[str]:
    """What is not fine in sample k: out of reach, near singular, poorly conditioned, beyond a stroke."""
    status = Status(int(result.status[k]))
    if status > Status.NEAR_SINGULAR:
        return [sentence(status, result.robot.legs[int(result.leg[k])].name, float(result.amount[k]))]
    found = []
    condition = float(result.condition[k])
    if str(result.status_text[k]) != "fine":
        found.append(f"near singular: condition number {condition:.3g}")
    elif condition > POOR:
        found.append(f"poorly conditioned: condition number {condition:.3g}")
    joints = [joint for leg in result.robot.legs for joint in leg.joints if joint.actuated]
    return found + list(_beyond(result.actuators, joints, result.displacement[k], display))


def colour_words(robot: Robot, most: float, display: Display) -> str:
    """What the colours of legs and arrows mean."""
    turns = [joint.kind == "R" for leg in robot.legs for joint in leg.joints if joint.actuated]
    if len(set(turns)) > 1:
        return "Red: positive force or torque; blue: negative; grey: little."
    factor, unit = display.effort(turns[0])
    words = ("positive torque", "negative") if turns[0] else ("positive force, a push", "negative, a pull")
    return f"Red: {words[0]}; blue: {words[1]}; grey: little; full colour at {number(most * factor, 3)} {unit}."


def _beyond(names: Sequence[str], joints: Sequence[Any], displacement: Any, display: Display) -> list[str]:
    found = []
    for name, joint, value in zip(names, joints, displacement.tolist(), strict=True):
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        if not low <= value <= high:
            factor, unit = display.travel(joint.kind == "R")
            past = low - value if value < low else value - high
            found.append(f"{name} is {number(past * factor, 3)} {unit} beyond its stroke")
    return found


def _text(value: float, unit: str) -> str:
    return f"{number(value, 5)} {unit}" if np.isfinite(value) else "-"
