"""What the forces come from: by cause and by body, over time for the actuator that works hardest, peaks for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.analysis.extremes import peaks
from gough.reports.page.case import Case
from gough.reports.page.charts import Panel, panels
from gough.reports.page.html import Markup, paragraph, row, section, subtitle, svg_figure, table


def share_section(case: Case) -> Markup:
    """Two charts and two tables."""
    result = case.result
    if not np.isfinite(result.force).any():
        return section("What the forces come from", paragraph("No sample has forces."))
    shared = case.result.robot.actuation
    if shared is not None and shared.limited:
        line = f"Forces shared by criterion {shared.criterion} keep to limits and are not the sum of their parts."
        return section("What the forces come from", paragraph(line))
    parts = _some(result.parts())
    bodies = _some(result.by_body())
    k = case.strongest("force")
    factor, unit = case.display.effort(case.turns[k])
    charts = [
        Panel(f"{title} [{unit}]", np.column_stack([values[:, k] for values in split.values()]) * factor, list(split))
        for title, split in (("by cause", parts | {"sum": result.force}), ("by body", bodies))
    ]
    actuator = result.actuators[k]
    return section(
        "What the forces come from",
        svg_figure(
            _charts(case, charts),
            f"The {case.effort} of actuator {actuator}, which is the largest, by what causes it and by the bodies "
            "that need it.",
        ),
        subtitle("Largest part of each actuator, by cause"),
        table(*_peaks(case, parts)),
        subtitle("Largest share of each actuator, by body"),
        table(*_peaks(case, bodies)),
        paragraph(
            "By cause the parts sum to the force; inertia is what the accelerations of the actuators take, velocity "
            "what is left of the kinetic force. By body: what the motion and weight of each takes, without friction, "
            "rotors and external load.",
            "note",
        ),
    )


def _charts(case: Case, charts: list[Panel]) -> str:
    """The charts as SVG, side by side where the names of their curves have room."""
    room = all(sum(len(name) + 6 for name in chart.names) < 44 for chart in charts)
    return panels(*case.time, charts, height=2.3, columns=2 if room else 1)


def _some(split: dict[str, Any]) -> dict[str, Any]:
    """The parts that are not zero throughout; all of them where each one is."""
    kept = {name: values for name, values in split.items() if np.nanmax(np.abs(values), initial=0.0) > 0.0}
    return kept or split


def _peaks(case: Case, split: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table of peaks: a row for each part, a column for each actuator."""
    factors = np.array([case.display.effort(turns)[0] for turns in case.turns])
    unit = case.shown("force")[1]
    rows = [[name, *row(peaks(values) * factors)] for name, values in split.items()]
    return [f"[{unit}]", *case.result.actuators], rows
