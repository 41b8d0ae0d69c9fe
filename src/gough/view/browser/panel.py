"""Texts beside a live robot: what its actuators do, which limits are exceeded, and by which legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

import numpy as np

from gough.display import Display, number, plain_number
from gough.dynamics import InverseDynamics
from gough.kinematics import Status
from gough.kinematics.status import sentence
from gough.robot import Mechanism
from gough.view.browser.reach import ROUND_OFF, Room
from gough.workspaces.margins import Limit

POOR = 100.0
"""Condition number from which a pose is called poorly conditioned."""
WIDTH = 46
"""Characters of a line of a warning in the scene."""
_BEYOND = {
    "joint": "passive joint {0} is beyond its stroke",
    "angle": "joint {0} is turned beyond its cone",
    "distance": "legs {0} touch",
    "side": "beyond a singularity: det K has another sign than at home",
    "constraint": "beyond a constraint singularity",
    "margin": "no tensions or forces within the limits hold the platform",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not fine: in words, and the names of the legs at fault."""

    text: str
    legs: tuple[str, ...] = ()


def faults(result: InverseDynamics, k: int, display: Display, limits: Sequence[Limit] = ()) -> list[Fault]:
    """What is not fine in sample k: out of reach, near singular, poorly conditioned, or beyond limits.

    Args:
        result: At rest or along a motion.
        k: Which sample.
        display: Units.
        limits: Those that the pose does not keep; strokes are told from the sample itself.
    """
    robot, status = result.robot, Status(int(result.status[k]))
    if status > Status.NEAR_SINGULAR:
        leg = robot.legs[int(result.leg[k])].name if result.leg[k] >= 0 else ""
        return [Fault(sentence(status, leg, float(result.amount[k]), display), (leg,) if leg else ())]
    found = []
    condition = float(result.condition[k])
    if str(result.status_text[k]) != "fine":
        found.append(Fault(f"near singular: condition number {condition:.3g}"))
    elif condition > POOR:
        found.append(Fault(f"poorly conditioned: condition number {condition:.3g}"))
    found += _beyond_strokes(result, k, display)
    for limit in limits:
        if limit.kind in _BEYOND:
            legs = tuple(robot.legs[place].name for place in limit.legs)
            found.append(Fault(_BEYOND[limit.kind].format(limit.owner), legs))
    return list(dict.fromkeys(found))


def wrapped(found: Sequence[Fault]) -> str:
    """Faults as lines that are short enough for the scene."""
    return "\n".join(fill(fault.text, WIDTH) for fault in found)


def _beyond_strokes(result: InverseDynamics, k: int, display: Display) -> list[Fault]:
    robot, found = result.robot, []
    places = zip(result.actuators, robot.actuators, robot.actuator_legs, result.q[k].tolist(), strict=True)
    for name, joint, leg, value in places:
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        if not low - ROUND_OFF <= value <= high + ROUND_OFF:
            factor, unit = display.travel(joint.turns)
            past = low - value if value < low else value - high
            ends = f"{number(low * factor, 5)} to {number(high * factor, 5)} {unit}"
            text = f"{name} is {number(past * factor, 3)} {unit} beyond its stroke, {ends}"
            found.append(Fault(text, (robot.legs[leg].name,)))
    return found


def actuator_table(result: InverseDynamics, k: int, display: Display) -> str:
    """Markdown: name, displacement and force, of a cable tension, of each actuator in sample k."""
    robot = result.robot
    tensions = leg_tensions(result, k)
    effort = "tension" if len(tensions) == len(robot.actuators) else "force"
    lines = [f"| actuator | displacement | {effort} |", "|:--|--:|--:|"]
    for j, (name, joint) in enumerate(zip(result.actuators, robot.actuators, strict=True)):
        travel, push = display.travel(joint.turns), display.effort(joint.turns)
        force = tensions.get(robot.legs[robot.actuator_legs[j]].name, float(result.force[k, j]))
        lines.append(f"| {name} | {_text(result.q[k, j] * travel[0], travel[1])} | {_text(force * push[0], push[1])} |")
    return "\n".join(lines)


def leg_tensions(result: InverseDynamics, k: int) -> dict[str, float]:
    """Tension of each cable by the name of its leg in sample k [N]; empty of a robot without cables."""
    robot = result.robot
    names = [robot.legs[robot.actuator_legs[place]].name for place in robot.cables]
    return dict(zip(names, result.tension[k].tolist(), strict=True)) if names else {}


def travel_table(names: Sequence[str], turns: Sequence[bool], rooms: Sequence[Room], display: Display) -> str:
    """Markdown: from where to where each goes, and what ends it."""
    lines = ["| | from | to | ends at |", "|:--|--:|--:|:--|"]
    for name, turning, room in zip(names, turns, rooms, strict=True):
        factor, unit = display.travel(turning)
        ends = " / ".join(end or "-" for end in (room.low_end, room.high_end))
        low, high = (number(value * factor, 5) for value in (room.low, room.high))
        lines.append(f"| {name} | {low} | {high} {unit} | {ends} |")
    return "\n".join(lines)


def colour_words(robot: Mechanism, most: float, display: Display) -> str:
    """What the colours of legs and arrows mean."""
    fault = " A leg at fault is bright red, and then no leg shows its force."
    turns = [joint.turns for joint in robot.actuators]
    if robot.cables:
        return f"Blue: tension of a cable, the darker the more.{fault}"
    if len(set(turns)) > 1:
        return f"Red: positive force or torque; blue: negative; grey: little.{fault}"
    factor, unit = display.effort(turns[0])
    words = ("positive torque", "negative") if turns[0] else ("positive force, a push", "negative, a pull")
    full = f"{plain_number(most * factor, 3)} {unit}"
    return f"Red: {words[0]}; blue: {words[1]}; grey: little; full colour at {full}.{fault}"


def _text(value: float, unit: str) -> str:
    return f"{number(value, 5)} {unit}" if np.isfinite(value) else "-"
