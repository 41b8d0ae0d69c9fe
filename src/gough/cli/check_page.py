"""A check as a page: verdict, one line per limit, what was not checked, what to try."""

from __future__ import annotations

import math

from gough.analyse.advice import LARGEST, Advice
from gough.analyse.check import CheckResult
from gough.analyse.finding import Finding
from gough.cli.output import table
from gough.view.pose_text import number, readable

NAMES = {"joint": "passive joint", "angle": "joint angle", "distance": "leg distance", "singular": "singular value"}


def page(result: CheckResult) -> str:
    """The page."""
    title = f"{result.robot.name}, motion {result.motion.name}, {number(result.motion.duration)} s: "
    title += "fits" if result.fits else f"does not fit: {', '.join(map(_name, result.violated))}"
    header = ["limit", "worst", "t [s]", "value", "allowed", "margin", "unit", ""]
    blocks = [title, table(header, [_row(found) for found in result.findings])]
    blocks.append("\n".join([_determinant(result), *_remarks(result)]))
    blocks.append("\n".join(_advice(result, result.advice)))
    return "\n\n".join(blocks) + "\n"


def unit_of(found: Finding) -> tuple[float, str]:
    """Factor from SI units and the unit people read."""
    if found.kind in ("stroke", "joint", "angle"):
        return readable(found.turns)
    if found.kind == "speed":
        factor, unit = readable(found.turns)
        return factor, f"{unit}/s"
    if found.kind == "force":
        return 1.0, "N m" if found.turns else "N"
    return 1.0, {"power": "W", "distance": "m"}.get(found.kind, "")


def _row(found: Finding) -> list[str]:
    factor, unit = unit_of(found)
    sign = "at most" if found.upper else "at least"
    cells = [number(value * factor, 5) if math.isfinite(value) else "-" for value in (found.value, found.limit)]
    margin = number(found.margin * factor, 4) if math.isfinite(found.margin) else "-"
    verdict = "" if found.fits else "VIOLATED"
    time = number(found.time) if math.isfinite(found.time) else "-"
    return [_name(found.kind), found.owner or "-", time, cells[0], f"{sign} {cells[1]}", margin, unit or "-", verdict]


def _determinant(result: CheckResult) -> str:
    if not result.crossings:
        return "det K keeps its sign: no singularity is passed."
    times = ", ".join(number(t) for t in result.crossings[:6])
    more = f" and {len(result.crossings) - 6} more times" if len(result.crossings) > 6 else ""
    return f"det K changes sign at t = {times} s{more}: the motion passes through a singularity."


def _remarks(result: CheckResult) -> list[str]:
    lines = []
    if result.unchecked:
        listed = ", ".join(f"{_name(kind)} ({reason})" for kind, reason in result.unchecked.items())
        lines.append(f"Not checked: {listed}.")
    if any(found.kind in ("condition", "singular") for found in result.findings):
        lines.append(f"Characteristic length {number(result.length, 5)} m.")
    return lines + [f"{note[:1].upper()}{note[1:]}." for note in result.notes]


def _advice(result: CheckResult, advice: Advice) -> list[str]:
    lines = ["What to try:"]
    if advice.amplitude is None:
        lines.append(f"  amplitude: no smaller motion about the first pose fits ({_name(advice.meets)})")
    elif not advice.meets:
        lines.append(f"  amplitude: up to {LARGEST:g} times about the first pose, and perhaps more, fits")
    else:
        lines.append(
            f"  amplitude: up to {number(_down(advice.amplitude), 4)} times about the first pose "
            f"fits (then {_name(advice.meets)})"
        )
    own = result.motion.duration
    if advice.duration is None:
        lines.append(f"  duration: no other duration helps ({_name(advice.slowest)})")
    elif advice.duration == 0.0:
        lines.append("  duration: no limit depends on it")
    else:
        shown = _up(advice.duration)
        lines.append(
            f"  duration: {number(shown, 4)} s or longer fits, {number(shown / own, 3)} times its own "
            f"(then {_name(advice.slowest)})"
        )
    return lines


def _name(kind: str) -> str:
    return NAMES.get(kind, kind)


def _down(value: float) -> float:
    """Rounded down to four digits, so that what is printed fits."""
    return _rounded(value, math.floor)


def _up(value: float) -> float:
    return _rounded(value, math.ceil)


def _rounded(value: float, towards: object) -> float:
    step = 10.0 ** (math.floor(math.log10(value)) - 3) if value > 0.0 else 1.0
    return (math.floor if towards is math.floor else math.ceil)(value / step) * step
