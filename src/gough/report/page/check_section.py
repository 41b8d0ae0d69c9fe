"""Whether the motion fits: every kind of limit at its worst, found between samples too."""

from __future__ import annotations

import math
from typing import Any

from gough.analyse import CheckResult, check
from gough.analyse.path import ReachError
from gough.errors import InputError
from gough.motion import Motion
from gough.report.findings import determinant, name_of, remarks, unit_of
from gough.report.page.html import Markup, paragraph, section, table
from gough.report.page.numbers import short
from gough.robot import Robot
from gough.view.display import Display


def check_section(robot: Robot, motion: Motion, display: Display) -> tuple[Markup, tuple[str, bool] | None]:
    """A table of the worst of each limit, what was not checked and what to try; and the verdict, if there is one."""
    title = "Does the motion fit"
    try:
        result = check(robot, motion)
    except ReachError as error:
        return section(title, paragraph(f"No: {error}.", "verdict bad")), None
    except InputError:
        return section(title, paragraph("Nothing to check: the robot states no limits.", "note")), None
    text = _verdict(result)
    header = ["limit", "worst", "at [s]", "value", "allowed", "margin", ""]
    rows = [_row(found, display) for found in result.findings]
    how = (
        f"Looked at in {result.sampled} samples."
        if result.sampled
        else "Extremes are found between samples, on the motion itself."
    )
    blocks = [paragraph(text, "verdict" if result.fits else "verdict bad"), table(header, rows)]
    if not result.fits:
        blocks += [paragraph(line) for line in _advice(result)]
    blocks.append(paragraph(" ".join([how, determinant(result, display), *remarks(result, display)]), "note"))
    return section(title, *blocks), (text, result.fits)


def _verdict(result: CheckResult) -> str:
    violated = [name_of(kind) for kind in result.violated]
    if violated:
        return f"Does not fit: {', '.join(violated)}."
    kinds = [name_of(found.kind) for found in result.findings]
    return f"Fits every limit that is stated: {', '.join(kinds)}."


def _row(found: Any, display: Display) -> list[str]:
    factor, unit = unit_of(found, display)
    value, limit, margin = (
        f"{short(v * factor)} {unit}".strip() if math.isfinite(v) else "-"
        for v in (found.value, found.limit, found.margin)
    )
    allowed = f"{'at most' if found.upper else 'at least'} {limit}"
    verdict = "fits" if found.fits else "violated"
    return [name_of(found.kind), found.owner or "-", short(found.time), value, allowed, margin, verdict]


def _advice(result: CheckResult) -> list[str]:
    """What the same motion could be, where that says something."""
    advice, lines = result.advice, []
    if advice.amplitude is not None and advice.meets:
        meets = name_of(advice.meets)
        lines.append(
            f"Largest amplitude about the first pose that fits: {short(advice.amplitude)} times (then {meets})."
        )
    if advice.duration:
        stops = name_of(advice.slowest)
        lines.append(f"Shortest duration that fits: {short(advice.duration)} s (then {stops}).")
    return lines
