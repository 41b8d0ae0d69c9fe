"""What an actuator must give on this motion: peaks, means, energy and duty, and force against speed."""

from __future__ import annotations

import numpy as np

from gough.design import Demand, demand
from gough.errors import GoughError
from gough.motion import Motion
from gough.report.page.case import Case, joined
from gough.report.page.charts import loops
from gough.report.page.html import Markup, paragraph, section, svg_figure, table
from gough.report.page.numbers import row
from gough.robot import Robot


def demand_of(robot: Robot, motion: Motion) -> Demand | None:
    """What the motion asks of the actuators, found between samples; None where that cannot be told."""
    try:
        return demand(robot, motion)
    except GoughError:
        return None


def size_section(case: Case) -> Markup:
    """A table found between samples, and a diagram of the samples; nothing where demand cannot be told."""
    if case.demand is None:
        return Markup("")
    force, force_unit = case.shown("force")
    speed, speed_unit = case.shown("velocity")
    sampled = case.demand.sampled
    exact = f"of {sampled} samples" if sampled else "found between samples"
    axes = f"speed [{speed_unit}]", f"{case.effort} [{force_unit}]"
    return section(
        "Sizing the actuators",
        table(*_rows(case, case.demand)),
        paragraph(
            f"Peaks, means and energies are {exact}. Where power is negative an actuator takes energy back, and a "
            "drive that allows it can regenerate it. Duty is the share of the time in which it moves.",
            "note",
        ),
        svg_figure(
            loops(speed, force, case.result.actuators, *axes),
            f"{case.effort.capitalize()} against speed of each actuator: a motor's curve must hold all of it.",
        ),
    )


def _rows(case: Case, asked: Demand) -> tuple[list[str], list[list[str]]]:
    efforts = [case.display.effort(turns) for turns in case.turns]
    speeds = [case.display.speed(turns) for turns in case.turns]
    push, pace = (np.array([factor for factor, _ in units]) for units in (efforts, speeds))
    force, speed = joined([unit for _, unit in efforts]), joined([unit for _, unit in speeds])
    entries = [
        (f"{case.effort}, peak [{force}]", asked.force * push),
        (f"{case.effort}, rms [{force}]", asked.rms_force * push),
        (f"speed, peak [{speed}]", asked.speed * pace),
        (f"speed, rms [{speed}]", asked.rms_speed * pace),
        ("power, peak [W]", asked.power),
        ("power, mean [W]", asked.mean_power),
        ("energy given [J]", asked.energy),
        ("energy taken back [J]", asked.regenerated),
        ("duty [%]", 100 * asked.duty),
    ]
    return ["actuator", *asked.actuators], [[name, *row(values)] for name, values in entries]
