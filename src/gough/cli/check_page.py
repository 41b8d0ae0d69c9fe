"""A check as a page: verdict, one line per limit, what was not checked, what to try."""

from __future__ import annotations

import math

from gough.analyse import CheckResult
from gough.analyse.advice import CLOSE, LARGEST, TRIALS, Advice
from gough.analyse.finding import Finding
from gough.cli.output import table
from gough.report.findings import determinant, name_of, remarks, unit_of
from gough.view.display import Display
from gough.view.pose_text import number


def page(result: CheckResult, display: Display) -> str:
    """The page."""
    second, unit = display.time
    title = f"{result.robot.name}, motion {result.motion.name}, {number(result.motion.duration * second)} {unit}: "
    title += "fits" if result.fits else f"does not fit: {', '.join(map(name_of, result.violated))}"
    header = ["limit", "worst", f"t [{unit}]", "value", "allowed", "margin", "unit", ""]
    blocks = [title, table(header, [_row(found, display) for found in result.findings])]
    blocks.append("\n".join([determinant(result, display), *remarks(result, display)]))
    blocks.append("\n".join(_advice(result, result.advice, display)))
    return "\n\n".join(blocks) + "\n"


def _row(found: Finding, display: Display) -> list[str]:
    factor, unit = unit_of(found, display)
    sign = "at most" if found.upper else "at least"
    cells = [number(value * factor, 5) if math.isfinite(value) else "-" for value in (found.value, found.limit)]
    margin = number(found.margin * factor, 4) if math.isfinite(found.margin) else "-"
    verdict = "" if found.fits else "VIOLATED"
    time = number(found.time * display.time[0]) if math.isfinite(found.time) else "-"
    return [name_of(found.kind), found.owner or "-", time, cells[0], f"{sign} {cells[1]}", margin, unit or "-", verdict]


def _advice(result: CheckResult, advice: Advice, display: Display) -> list[str]:
    lines = ["What to try:"]
    if advice.amplitude is None:
        lines.append(f"  amplitude: no smaller motion about the first pose fits ({name_of(advice.meets)})")
    elif not advice.meets:
        lines.append(f"  amplitude: up to {LARGEST:g} times about the first pose, and perhaps more, fits")
    else:
        lines.append(
            f"  amplitude: up to {number(_down(advice.amplitude), 4)} times about the first pose "
            f"fits (then {name_of(advice.meets)})"
        )
    own = result.motion.duration
    if advice.duration is None:
        lines.append(f"  duration: no other duration helps ({name_of(advice.slowest)})")
    elif advice.duration == 0.0:
        lines.append("  duration: no limit depends on it")
    else:
        shown = _up(advice.duration)
        second, unit = display.time
        lines.append(
            f"  duration: {number(shown * second, 4)} {unit} or longer fits, {number(shown / own, 3)} times its own "
            f"(then {name_of(advice.slowest)})"
        )
    lines.append(f"  (found to {CLOSE:g}, rounded to the safe side; {TRIALS} amplitudes up to {LARGEST:g} were tried)")
    return lines


def _down(value: float) -> float:
    """Rounded down to four digits, so that what is printed fits."""
    return _rounded(value, math.floor)


def _up(value: float) -> float:
    return _rounded(value, math.ceil)


def _rounded(value: float, towards: object) -> float:
    step = 10.0 ** (math.floor(math.log10(value)) - 3) if value > 0.0 else 1.0
    return (math.floor if towards is math.floor else math.ceil)(value / step) * step
