"""Tensions of the cables along the motion, beside what they may be."""

from __future__ import annotations

import numpy as np

from gough.analysis.extremes import first_largest
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, paragraph, section, short, table


def cable_section(case: Case) -> Markup:
    """Least and largest tension of each cable with its margins; nothing of a robot without cables."""
    robot, result = case.result.robot, case.result
    if not robot.cables:
        return Markup("")
    fine = np.isfinite(result.tension).all(axis=1)
    if not fine.any():
        return section(
            "Cable tensions", paragraph("In no sample do tensions within the limits hold the platform.", "verdict bad")
        )
    (factor, unit), (second, clock) = case.display.effort(False), case.display.time
    t, tension = result.t[fine], result.tension[fine]
    rows = []
    for k, place in enumerate(robot.cables):
        leg = robot.legs[robot.actuator_legs[place]]
        assert leg.cable is not None
        low, high = leg.cable.tension
        least, most = first_largest(-tension[:, k], t), first_largest(tension[:, k], t)
        figures = [(tension[least, k], t[least]), (tension[most, k], t[most])]
        cells = [text for value, when in figures for text in (short(value * factor), short(when * second))]
        margin = min(tension[least, k] - low, high - tension[most, k])
        rows.append([leg.name, *cells, f"{short(low * factor)} to {short(high * factor)}", short(margin * factor)])
    header = [
        "cable",
        f"least [{unit}]",
        f"at [{clock}]",
        f"largest [{unit}]",
        f"at [{clock}]",
        f"allowed [{unit}]",
        f"margin [{unit}]",
    ]
    lost = int((~fine).sum())
    note = "Of the samples; the margin is the smaller distance to either end of what is allowed."
    more = f" In {lost} of {len(result.t)} samples no tensions within the limits exist." if lost else ""
    return section("Cable tensions", table(header, rows), paragraph(note + more, "note"))
