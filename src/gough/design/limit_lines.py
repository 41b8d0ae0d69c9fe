"""Which limits of a robot's own its actuators would exceed, in the words and units that people read."""

from __future__ import annotations

from gough.design.demand import Demand
from gough.design.size_result import Excess, SizeResult, limited
from gough.display import Display, number


def limit_lines(result: SizeResult | Demand, display: Display) -> list[str]:
    """A line per kind of limit that is exceeded, with its actuators, and one on those that are kept."""
    kinds = limited(result.robot)
    if not kinds:
        return ["The robot states no limit of its actuators."]
    beyond: dict[str, list[Excess]] = {}
    for found in result.exceeded:
        beyond.setdefault(found.kind, []).append(found)
    lines = [_line(result, kind, beyond[kind], display) for kind in kinds if kind in beyond]
    kept = [kind for kind in kinds if kind not in beyond]
    return lines + ([f"Within the robot's own limits: {', '.join(kept)}."] if kept else [])


def _line(result: SizeResult | Demand, kind: str, found: list[Excess], display: Display) -> str:
    joints = result.robot.actuators
    entries = []
    for excess in found:
        turns = joints[excess.actuator].kind == "R"
        units = {"stroke": display.travel(turns), "speed": display.speed(turns), "force": display.effort(turns)}
        factor, unit = units.get(kind, (1.0, "W"))
        value, limit = number(excess.value * factor, 5), number(excess.limit * factor, 5)
        entries.append(f"{result.actuators[excess.actuator]} ({value} of {limit} {unit})")
    return f"EXCEEDED, the robot's own limit of {kind}: {', '.join(entries)}."
