"""The head of a report: what it is about, and the few numbers a reader looks for first."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.analysis.extremes import first_largest, peaks
from gough.graph import Array
from gough.kinematics import Status
from gough.reports.page.case import Case
from gough.reports.page.check_section import verdict_text
from gough.reports.page.html import Markup, cards, markup, paragraph, short
from gough.reports.page.size_section import motor_verdict

QUANTITIES = {"stroke": "q", "speed": "qd", "force": "force", "power": "power"}
"""What each kind of limit of an actuator is of."""


def head(case: Case) -> Markup:
    """Title, what was asked, cards, and one line on whether anything is not fine."""
    facts, motion = case.facts, case.motion
    about = facts["description"] or facts["type"]
    lines = [
        f"<header><p class='kind'>Motion report</p><h1>{markup(str(facts['name']))}</h1>",
        markup(paragraph(str(about), "about")),
        markup(paragraph(f"Motion {motion.name}, {case.at(motion.duration)}, {len(case.result.t)} samples")),
        "</header>",
        markup(cards(_entries(case))),
        markup(verdict(case)),
        *[markup(line) for line in motor_verdict(case)],
    ]
    return Markup("\n".join(lines))


def _entries(case: Case) -> list[tuple[str, str, str]]:
    entries = []
    for title, quantity in ((case.effort, "force"), ("speed", "qd"), ("power", "power")):
        values, unit = case.shown(quantity)
        found = _largest(case, quantity, values, unit) if case.demand is None else _asked(case, quantity)
        entries.append((f"Largest {title}", *found))
    low, high = case.ends("q")
    if np.isfinite(high).any():
        factors = np.array([case.display.travel(turns)[0] for turns in case.turns])
        range_ = (high - low) * factors
        k = first_largest(range_, np.arange(len(range_), dtype=float))
        unit = case.display.travel(case.turns[k])[1]
        entries.append(("Largest travel", f"{short(range_[k])} {unit}", f"actuator {case.result.actuators[k]}"))
    condition = case.result.condition
    if np.isfinite(condition).any():
        k = first_largest(condition, case.result.t)
        entries.append(("Worst condition", short(condition[k], 3), f"at {case.at(case.result.t[k])}"))
    return entries


def _asked(case: Case, quantity: str) -> tuple[str, str]:
    """The largest of all actuators, found between samples."""
    values, times = getattr(case.demand, quantity), getattr(case.demand, f"{quantity}_t")
    k = case.strongest(quantity)
    of = {"force": case.display.effort, "qd": case.display.speed}
    factor, unit = of[quantity](case.turns[k]) if quantity in of else (1.0, "W")
    return f"{short(abs(values[k]) * factor)} {unit}", f"actuator {case.result.actuators[k]} at {case.at(times[k])}"


def _largest(case: Case, quantity: str, values: Array, unit: str) -> tuple[str, str]:
    most = peaks(values)
    if not np.isfinite(most).any():
        return "-", ""
    k = case.strongest(quantity)
    return (
        f"{short(abs(most[k]))} {unit}",
        f"actuator {case.result.actuators[k]} at {case.at(case.peak_times(quantity)[k])}",
    )


def verdict(case: Case) -> Markup:
    """Whether the motion is within reach and within the limits that the robot states."""
    lost = case.result.status > Status.NEAR_SINGULAR
    near = case.result.status_text == Status.NEAR_SINGULAR.text
    if lost.any():
        k = int(np.argmax(lost))
        leg = case.result.robot.legs[int(case.result.leg[k])].name
        text = f"Does not fit: leg {leg} is {case.result.status_text[k]} at {case.at(case.result.t[k])}"
        if case.check is not None and case.check.lost is not None and case.check.lost.worst is not None:
            found = case.check.lost  # found between samples, and told as in the section
            text = f"Does not fit: leg {found.leg} is {found.status.text} at {case.at(found.t, 6)}"
            text += f"; {found.at_worst(case.display)}"
        return paragraph(f"{text} ({int(lost.sum())} of {len(lost)} samples have no solution).", "verdict bad")
    if case.check is not None:
        return paragraph(verdict_text(case.check), "verdict" if case.check.fits else "verdict bad")
    past = [name for name in ("stroke", "speed", "force", "power") if excess(case, name).max() > 0.0]
    if past:
        return paragraph(f"Does not fit: beyond the stated {', '.join(past)} of an actuator.", "verdict bad")
    if near.any():
        return paragraph(f"Near singular in {int(near.sum())} of {len(near)} samples.", "verdict bad")
    stated = [name for name in ("stroke", "speed", "force", "power") if np.isfinite(excess(case, name)).any()]
    if not stated:
        return paragraph("Within reach in all samples. The robot states no limits of its actuators.", "verdict")
    missing = [name for name in ("stroke", "speed", "force", "power") if name not in stated]
    left = f" Not stated, so not checked: {', '.join(missing)}." if missing else ""
    return paragraph(f"Fits in all samples: within reach and within the stated {', '.join(stated)}.{left}", "verdict")


def excess(case: Case, kind: str) -> Array:
    """(actuators,) how far the motion goes beyond a stated limit [SI]; -inf where none is stated."""
    (low, high), (least, most) = limits(case, kind), case.ends(QUANTITIES[kind])
    past = np.maximum(most - high, low - least)
    return np.where(np.isfinite(past), past, -np.inf)


def limits(case: Case, kind: str) -> tuple[Any, Any]:
    """(actuators,) least and largest allowed value [SI]; infinite where none is stated."""
    own = [getattr(joint.limits, kind) for joint in case.joints]
    given = None if case.check is None else case.check.limits.get(kind)
    stated = own if given is None else [given] * len(own)
    if kind == "stroke":
        pairs = np.array([s or (-np.inf, np.inf) for s in stated], dtype=float)
        return pairs[:, 0], pairs[:, 1]
    most = np.array([np.inf if s is None else s for s in stated], dtype=float)
    return -most, most
