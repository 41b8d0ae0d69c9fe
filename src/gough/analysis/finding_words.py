"""What a check found, in the words and units that people read."""

from __future__ import annotations

from collections.abc import Sequence

from gough.analysis.along_motion import ReachError
from gough.analysis.check_result import CheckResult, Finding
from gough.display import Display, number
from gough.kinematics.status import Status, sentence

_NAMES = {
    "joint": "passive joint",
    "angle": "joint angle",
    "distance": "leg distance",
    "singular": "singular value",
    "parasitic": "parasitic motion",
    "margin": "force margin",
    "infeasible": "no forces within the limits",
    "parasitic_turn": "parasitic turn",
    "platform_speed": "platform speed",
    "turning_speed": "turning speed",
    "platform_acceleration": "platform acceleration",
    "turning_acceleration": "turning acceleration",
}
_SHOWN = 6
END = "at the end of reach"
"""In place of a verdict: the value has no bound there."""


def name_of(kind: str) -> str:
    """A kind of limit in words."""
    return _NAMES.get(kind, kind)


def unit_of(found: Finding, display: Display) -> tuple[float, str]:
    """Factor from SI units, and the unit shown; "" for a plain number."""
    match found.kind:
        case "stroke" | "joint" | "angle" | "parasitic" | "parasitic_turn":
            return display.travel(found.turns)
        case "speed":
            return display.speed(found.turns)
        case "platform_speed" | "turning_speed":
            return display.speed(found.turns)
        case "platform_acceleration" | "turning_acceleration":
            factor, unit = display.speed(found.turns)
            return factor, f"{unit}^2"
        case "force" | "margin":
            return display.effort(found.turns)
        case "distance":
            return display.length
        case "power":
            return 1.0, "W"
    return 1.0, ""


def determinant(result: CheckResult, display: Display) -> str:
    """Whether the motion passes through singularities, and when."""
    if result.robot.actuation is not None and not result.touched:
        return "K has more rows than columns and no determinant: its condition says how near singular the motion comes."
    sentences = []
    if result.crossings:
        when = _times(result.crossings, display)
        sentences.append(f"det K changes sign at t = {when}: the motion passes through a singularity.")
    if result.touched:
        when = _times(result.touched, display)
        sentences.append(f"K is singular at t = {when}: forces have no bound there.")
    return " ".join(sentences) or "det K keeps its sign: no singularity is passed."


def _times(times: Sequence[float], display: Display) -> str:
    """The first few of times [s], with their unit."""
    factor, unit = display.time
    shown = ", ".join(number(t * factor) for t in times[:_SHOWN])
    return f"{shown} {unit}" + (f" and {len(times) - _SHOWN} more times" if len(times) > _SHOWN else "")


def out_of_reach(lost: ReachError, display: Display) -> str:
    """Where the motion leaves the reach, and that all is of the motion up to there."""
    factor, unit = display.time
    if lost.status == Status.INFEASIBLE:
        line = f"{sentence(lost.status, '', 0.0)} from t = {number(lost.t * factor)} {unit} on: checked up to there."
        return line[0].upper() + line[1:]
    worst = f" ({lost.at_worst(display)})" if lost.worst is not None else ""
    return f"Leg {lost.leg} is {lost.status.text} at t = {number(lost.t * factor)} {unit}{worst}: checked up to there."


def remarks(result: CheckResult, display: Display) -> list[str]:
    """What was not checked, the length that singularity figures are based on, and other notes."""
    lines = []
    if result.unchecked:
        listed = ", ".join(f"{name_of(kind)} ({reason})" for kind, reason in result.unchecked.items())
        lines.append(f"Not checked: {listed}.")
    if any(found.kind in ("condition", "singular") for found in result.findings):
        factor, unit = display.length
        lines.append(f"Characteristic length {number(result.length * factor, 5)} {unit}.")
    return lines + [f"{note[:1].upper()}{note[1:]}." for note in result.notes]
