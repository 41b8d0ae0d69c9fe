"""A check as a page: verdict, one line per limit, what was not checked, what to try."""

from __future__ import annotations

import math
from collections.abc import Callable

from gough.analysis import CheckResult
from gough.analysis.advice import BASE, Advice
from gough.analysis.amplitude import LARGEST, TRIALS
from gough.analysis.check_result import Finding
from gough.analysis.finding_words import END, determinant, name_of, out_of_reach, remarks, unit_of
from gough.analysis.sufficient import sufficient
from gough.cli.output import table
from gough.display import Display, number


def page(result: CheckResult, display: Display, advised: bool = True) -> str:
    """The page, with what to try if that is asked for."""
    second, unit = display.time
    title = f"{result.robot.name}, motion {result.motion.name}, {number(result.motion.duration * second)} {unit}: "
    title += "fits" if result.fits else f"does not fit: {', '.join(map(name_of, result.violated))}"
    if result.lost is not None:
        title += f"\n{out_of_reach(result.lost, display)}"
    header = ["limit", "worst", f"t [{unit}]", "value", "allowed", "margin", "unit", ""]
    blocks = [title, table(header, [_row(found, display) for found in result.findings])]
    blocks.append("\n".join([determinant(result, display), *remarks(result, display)]))
    if advised:
        blocks.append("\n".join(_advice(result, result.advice, display)))
    return "\n\n".join(blocks) + "\n"


def _row(found: Finding, display: Display) -> list[str]:
    factor, unit = unit_of(found, display)
    sign = "at most" if found.upper else "at least"
    cells = _apart(found.value * factor, found.limit * factor, found.fits)
    margin = number(found.margin * factor, 4) if math.isfinite(found.margin) else "-"
    verdict = END if found.at_end else "" if found.fits else "VIOLATED"
    time = number(found.t * display.time[0]) if math.isfinite(found.t) else "-"
    return [name_of(found.kind), found.owner or "-", time, cells[0], f"{sign} {cells[1]}", margin, unit or "-", verdict]


def _apart(value: float, limit: float, fits: bool) -> list[str]:
    """A value and its limit, with as many digits as tell them apart where the limit is violated."""
    for digits in range(5, 18):
        cells = [number(each, digits) if math.isfinite(each) else "-" for each in (value, limit)]
        if fits or cells[0] != cells[1]:
            break
    return cells


def _advice(result: CheckResult, advice: Advice, display: Display) -> list[str]:
    lines = ["What to try:"]
    if advice.amplitude is None:
        lines.append(f"  amplitude: no smaller motion about the first pose fits ({name_of(advice.meets)})")
    elif not advice.meets:
        lines.append(f"  amplitude: up to {LARGEST:g} times about the first pose, and perhaps more, fits")
    else:
        times = f"{number(advice.amplitude, 4)} times about the first pose"
        apply = "" if result.fits else f": --scale {number(advice.amplitude, 4)}"
        lines.append(f"  amplitude: up to {times} fits (then {name_of(advice.meets)}){apply}")
    own = result.motion.duration
    if advice.slowest == BASE:
        lines.append("  duration: not searched: the base keeps its own time, independent of the motion's")
    elif advice.duration is None:
        lines.append(f"  duration: no other duration helps ({name_of(advice.slowest)}){_smaller(advice, display)}")
    elif advice.duration == 0.0:
        lines.append("  duration: no limit depends on it")
    else:
        lines.append(
            f"  duration: {_time(advice.duration, display)} or longer fits, {number(advice.duration / own, 3)} times "
            f"its own (then {name_of(advice.slowest)})"
        )
    lines += [f"  {line}" for line in _sufficient(result, display)]
    lines.append(f"  (rounded to the safe side; {TRIALS} amplitudes up to {LARGEST:g} were tried)")
    return lines


def _sufficient(result: CheckResult, display: Display) -> list[str]:
    """Limits of the actuators that the motion would keep, of those it violates."""
    lines = []
    for kind, turns, low, high in sufficient(result):
        units = {"stroke": display.travel(turns), "speed": display.speed(turns), "force": display.effort(turns)}
        factor, unit = units.get(kind, (1.0, "W"))
        top = _outward(high * factor, math.ceil)
        if kind != "stroke":
            lines.append(f"{kind}: {number(top, 5)} {unit} would fit")
            continue
        bottom = _outward(low * factor, math.floor)
        lines.append(
            f"stroke: {number(bottom, 5)} to {number(top, 5)} {unit} ({number(top - bottom, 5)} {unit}) would fit"
        )
    return lines


def _outward(value: float, rounded: Callable[[float], int]) -> float:
    """A value with five digits, rounded to the safe side."""
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 4) if value else 1.0
    return rounded(value / step) * step


def _smaller(advice: Advice, display: Display) -> str:
    """The largest motion that fits at some duration, and how long it takes at least."""
    if advice.reachable is None or advice.reachable_duration is None:
        return ""
    time = advice.reachable_duration
    how_long = f"{_time(time, display)} or longer fits" if time > 0.0 else "any duration fits"
    return f"; at {number(advice.reachable, 4)} times the amplitude {how_long}"


def _time(seconds: float, display: Display) -> str:
    factor, unit = display.time
    return f"{number(seconds * factor, 4)} {unit}"
