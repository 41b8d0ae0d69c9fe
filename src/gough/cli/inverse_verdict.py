"""What is not fine about forces along a motion, one line each: samples without forces fail, limits are mentioned."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from gough.dynamics import InverseDynamics
from gough.kinematics import Status
from gough.kinematics.status import sentence
from gough.view.display import Display
from gough.view.pose_text import number

SI = Display()


def verdict(result: InverseDynamics) -> int:
    """The exit code, after the lines on standard error: 3 out of reach or near singular, 0 fine."""
    failures = [*lost_lines(result), *singular_lines(result)]
    for line in failures:
        print(f"gough: {line}", file=sys.stderr)
    return 3 if failures else 0


def lost_lines(result: InverseDynamics) -> Iterator[str]:
    """Where the motion leaves the workspace: first leg, time and by how much, and where it is worst."""
    lost = np.flatnonzero(result.status > Status.NEAR_SINGULAR)
    if not len(lost):
        return
    beyond = np.where(result.status[lost] == Status.OUT_OF_REACH, result.amount[lost], 0.0)
    first, worst = int(lost[0]), int(lost[np.argmax(beyond)])
    line = f"motion {result.motion} leaves the workspace at {_at(result, first)}: {_clause(result, first)}"
    if worst != first and beyond.max() > 0.0:
        line += f"; at worst leg {_leg(result, worst)} by {result.amount[worst]:.4g} m at {_at(result, worst)}"
    yield f"{line} ({len(lost)} of {len(result.status)} samples have no forces)"


def singular_lines(result: InverseDynamics) -> Iterator[str]:
    """Where the motion is near singular: the worst condition number."""
    near = np.flatnonzero(result.status_text == Status.NEAR_SINGULAR.text)
    if len(near):
        worst = int(near[np.argmax(result.condition[near])])
        yield (
            f"motion {result.motion} is near singular at {_at(result, worst)}: condition number "
            f"{result.condition[worst]:.3g} ({len(near)} of {len(result.status)} samples)"
        )


def excess_lines(result: InverseDynamics, display: Display) -> Iterator[str]:
    """The worst excess over each kind of limit that the actuators state."""
    joints = [joint for leg in result.robot.legs for joint in leg.joints if joint.actuated]
    turns = np.array([joint.kind == "R" for joint in joints])
    strokes = np.array([joint.limits.stroke or (-np.inf, np.inf) for joint in joints])
    kinds: list[tuple[str, Any, Any, Any, str]] = [("stroke", result.displacement, strokes[:, 0], strokes[:, 1], "")]
    for kind, values in (("speed", result.velocity), ("force", result.force), ("power", result.power)):
        most = np.array([_limit(joint, kind) for joint in joints])
        kinds.append((kind, values, -most, most, "/s" if kind == "speed" else ""))
    for kind, values, low, high, per in kinds:
        past = np.where(np.isfinite(values), np.maximum(values - high, low - values), -np.inf)
        k, j = np.unravel_index(np.argmax(past), past.shape)
        if not past[k, j] > 0.0:
            continue
        factor, unit = _unit(kind, bool(turns[j]), display)
        limit = (high if values[k, j] > high[j] or kind != "stroke" else low)[j] * factor
        others = int((past.max(axis=0) > 0.0).sum()) - 1
        more = f", and {others} other{'s' if others > 1 else ''}" if others else ""
        yield (
            f"{kind}: actuator {result.actuators[j]} is {number(past[k, j] * factor, 4)} {unit}{per} beyond "
            f"{number(limit)} {unit}{per} at {_at(result, int(k), display)}{more}"
        )


def _limit(joint: Any, kind: str) -> float:
    limit = getattr(joint.limits, kind)
    return np.inf if limit is None else float(limit)


def _unit(kind: str, turns: bool, display: Display) -> tuple[float, str]:
    if kind in ("stroke", "speed"):
        return display.travel(turns)
    return (1.0, "W") if kind == "power" else display.effort(turns)


def _at(result: InverseDynamics, k: int, display: Display = SI) -> str:
    factor, unit = display.time
    return f"t = {number(float(result.time[k]) * factor)} {unit}"


def _clause(result: InverseDynamics, k: int) -> str:
    return sentence(Status(int(result.status[k])), _leg(result, k), float(result.amount[k]))


def _leg(result: InverseDynamics, k: int) -> str:
    return result.robot.legs[int(result.leg[k])].name
