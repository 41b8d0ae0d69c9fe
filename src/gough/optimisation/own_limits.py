"""Limits of the robot's own file that a design does not keep over the task; an optimisation keeps only its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.analysis.pose_limits import exceeded_by_row
from gough.dynamics import inverse_dynamics
from gough.errors import GoughError
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.motion import State
from gough.optimisation.minimax import FITS
from gough.optimisation.reached import Reached
from gough.robot import Mechanism, Robot


def exceeded_own(robot: Robot, states: State) -> list[Reached]:
    """What a robot reaches of its own limits at states, of those that it exceeds; nothing where it has no solution."""
    try:
        at = inverse_kinematics(robot, State(states.x, states.xd))
        assert at.qd is not None
        found = [*_actuators(robot, "stroke", at.q), *_actuators(robot, "speed", at.qd)]
        if any(getattr(joint.limits, name) is not None for joint in robot.actuators for name in ("force", "power")):
            load = inverse_dynamics(robot, states)
            found += [*_actuators(robot, "force", load.force), *_actuators(robot, "power", load.power)]
    except GoughError:
        return []
    worst: dict[str, Reached] = {}
    for limits in exceeded_by_row(robot, at.joint_q, states.x).values():
        for one in limits:
            if one.kind != "joint" and abs(one.value - one.limit) > FITS * max(abs(one.limit), 1e-3):
                told = Reached(one.kind, (one.value,), (one.limit,), "rad" if one.turns else "m")
                before = worst.get(one.kind)
                if before is None or abs(one.value - one.limit) > abs(before.values[0] - before.limits[0]):
                    worst[one.kind] = told
    return [*found, *worst.values()]


def _actuators(robot: Mechanism, name: str, values: Array) -> Iterator[Reached]:
    """Each limit of this name that some actuator exceeds, with what actuators with that limit reach."""
    stated = [getattr(joint.limits, name) for joint in robot.actuators]
    for limit in dict.fromkeys(limit for limit in stated if limit is not None):
        own = [k for k, other in enumerate(stated) if other == limit]
        turns = robot.actuators[own[0]].turns
        unit = {"stroke": "rad" if turns else "m", "speed": "rad/s" if turns else "m/s", "power": "W"}
        part = values[:, own]
        low, high = limit if name == "stroke" else (-limit, limit)
        room = FITS * (high - low)
        if np.nanmin(part) < low - room or np.nanmax(part) > high + room:
            ends = (float(np.nanmin(part)), float(np.nanmax(part)))
            reached = ends if name == "stroke" else (max(map(abs, ends)),)
            yield Reached(
                name, reached, limit if name == "stroke" else (limit,), unit.get(name, "N m" if turns else "N")
            )
