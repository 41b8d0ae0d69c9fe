"""Whether the motion fits: every kind of limit at its worst, found between samples too."""

from __future__ import annotations

import math

from gough.analysis import CheckResult, check
from gough.analysis.along_motion import ReachError
from gough.analysis.check_result import Finding
from gough.analysis.finding_words import END, determinant, name_of, out_of_reach, remarks, unit_of
from gough.analysis.limits import LimitsLike
from gough.display import Display
from gough.errors import InputError
from gough.kinematics import Status
from gough.motion import Motion
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, paragraph, section, short, table
from gough.robot import Robot


def checked(robot: Robot, motion: Motion, limits: LimitsLike | None = None) -> CheckResult | None:
    """The check, or None where no limit is stated or a leg cannot follow from the start on."""
    try:
        return check(robot, motion, limits)
    except (ReachError, InputError):
        return None


def check_section(case: Case) -> Markup:
    """A table of the worst of each limit, what was not checked and what to try."""
    title, result = "Does the motion fit", case.check
    if result is None:
        lost = case.result.status > Status.NEAR_SINGULAR
        if lost.any():
            return section(title, paragraph("No: a leg cannot follow it from the start on.", "verdict bad"))
        return section(title, paragraph("Nothing to check: no limit is stated.", "note"))
    second, unit = case.display.time
    header = ["limit", "worst", f"at [{unit}]", "value", "allowed", "margin", ""]
    rows = [_row(found, case.display, second) for found in result.findings]
    how = (
        f"Looked at in {result.sampled} samples."
        if result.sampled
        else "Extremes are found between samples, on the motion itself."
    )
    text = verdict_text(result)
    if result.lost is not None:
        text += f" {out_of_reach(result.lost, case.display)}"
    blocks = [paragraph(text, "verdict" if result.fits else "verdict bad"), table(header, rows)]
    blocks += [paragraph(line) for line in _advice(result, case)]
    # The section on the motion tells how it was smoothed.
    told = [line for line in remarks(result, case.display) if line != case.motion.smoothing]
    lines = [how, *_stated(result), determinant(result, case.display), *told]
    return section(title, *blocks, paragraph(" ".join(lines), "note"))


def _stated(result: CheckResult) -> list[str]:
    """Which limits are not the robot's own."""
    kinds = [name_of(kind) for kind in result.limits]
    return [f"Stated for this report, in place of the robot's own: {', '.join(kinds)}."] if kinds else []


def verdict_text(result: CheckResult) -> str:
    """Whether the motion fits, in a sentence."""
    violated = [name_of(kind) for kind in result.violated]
    if violated:
        return f"Does not fit: {', '.join(violated)}."
    kinds = [name_of(found.kind) for found in result.findings]
    return f"Fits every limit that is stated: {', '.join(kinds)}."


def _row(found: Finding, display: Display, second: float) -> list[str]:
    factor, unit = unit_of(found, display)
    value, limit, margin = (
        f"{short(v * factor)} {unit}".strip() if math.isfinite(v) else "-"
        for v in (found.value, found.limit, found.margin)
    )
    allowed = f"{'at most' if found.upper else 'at least'} {limit}"
    verdict = END if found.at_end else "fits" if found.fits else "violated"
    return [name_of(found.kind), found.owner or "-", short(found.t * second), value, allowed, margin, verdict]


def _advice(result: CheckResult, case: Case) -> list[str]:
    """What the same motion could be, where that says something."""
    advice, lines = result.advice, []
    if advice.amplitude is not None and advice.meets:
        meets = name_of(advice.meets)
        lines.append(
            f"Largest amplitude about the first pose that fits: {short(advice.amplitude)} times (then {meets})."
        )
    if advice.duration:
        stops = name_of(advice.slowest)
        lines.append(f"Shortest duration that fits: {case.at(advice.duration)} (then {stops}).")
    elif advice.reachable is not None and advice.reachable_duration:
        lines.append(
            f"No other duration helps ({name_of(advice.slowest)}); at {short(advice.reachable)} times the amplitude "
            f"{case.at(advice.reachable_duration)} or longer fits."
        )
    return lines
