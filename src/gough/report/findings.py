"""What a check found, in the words and units that people read."""

from __future__ import annotations

from gough.analyse import CheckResult
from gough.analyse.finding import Finding
from gough.view.display import Display
from gough.view.pose_text import number

_NAMES = {"joint": "passive joint", "angle": "joint angle", "distance": "leg distance", "singular": "singular value"}
_SHOWN = 6


def name_of(kind: str) -> str:
    """A kind of limit in words."""
    return _NAMES.get(kind, kind)


def unit_of(found: Finding, display: Display) -> tuple[float, str]:
    """Factor from SI units, and the unit shown; "" for a plain number."""
    match found.kind:
        case "stroke" | "joint" | "angle":
            return display.travel(found.turns)
        case "speed":
            return display.speed(found.turns)
        case "force":
            return display.effort(found.turns)
        case "distance":
            return display.length
        case "power":
            return 1.0, "W"
    return 1.0, ""


def determinant(result: CheckResult, display: Display) -> str:
    """Whether the motion passes through singularities, and when."""
    if not result.crossings:
        return "det K keeps its sign: no singularity is passed."
    factor, unit = display.time
    times = ", ".join(number(t * factor) for t in result.crossings[:_SHOWN])
    more = f" and {len(result.crossings) - _SHOWN} more times" if len(result.crossings) > _SHOWN else ""
    return f"det K changes sign at t = {times} {unit}{more}: the motion passes through a singularity."


def remarks(result: CheckResult, display: Display) -> list[str]:
    """What was not checked, by which length numbers of singularity are, and what else must be known."""
    lines = []
    if result.unchecked:
        listed = ", ".join(f"{name_of(kind)} ({reason})" for kind, reason in result.unchecked.items())
        lines.append(f"Not checked: {listed}.")
    if any(found.kind in ("condition", "singular") for found in result.findings):
        factor, unit = display.length
        lines.append(f"Characteristic length {number(result.length * factor, 5)} {unit}.")
    return lines + [f"{note[:1].upper()}{note[1:]}." for note in result.notes]
