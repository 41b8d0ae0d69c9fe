"""The motion of the platform: coordinates, rates and accelerations over time."""

from __future__ import annotations

import numpy as np

from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.motion.columns import WRENCH
from gough.motion.conventions import Value
from gough.reports.page.case import Case
from gough.reports.page.charts import Panel, panels
from gough.reports.page.html import Markup, paragraph, row, section, short, subtitle, svg_figure, table

_ORDERS = (("", "x"), ("/s", "xd"), ("/s²", "xdd"))
_TITLES = {False: ("position", "velocity", "acceleration"), True: ("angle", "rate", "acceleration")}


def motion_section(case: Case) -> Markup:
    """Charts of the coordinates and a table of a few samples."""
    result, motion = case.result, case.motion
    sliding = [k for k, turns in enumerate(_turning(case)) if not turns]
    turning = [k for k, turns in enumerate(_turning(case)) if turns]
    charts = []
    for order in range(3):
        for turns, columns in ((False, sliding), (True, turning)):
            if columns:
                charts.append(_panel(case, order, turns, columns))
    blocks: list[Markup] = []
    if motion.description:
        blocks.append(paragraph(motion.description))
    if motion.smoothing:
        blocks.append(paragraph(motion.smoothing))
    blocks.append(svg_figure(panels(*case.time, charts), f"Platform coordinates on motion {motion.name}."))
    blocks += [
        subtitle("Poses along the motion"),
        table(*_poses(case)),
        paragraph(
            f"Poses by {case.stated.described(case.result.robot, case.display.length, case.display.angle)}.", "note"
        ),
    ]
    blocks += _parasitic(case)
    if result.wrench is not None:
        blocks.append(_load(case, result.wrench))
    return section("The motion", *blocks)


def _parasitic(case: Case) -> list[Markup]:
    """Largest way from home of each coordinate that follows the others; nothing where none does."""
    if case.demand is None or not len(case.demand.parasitic):
        return []
    rows = []
    values = zip(case.result.robot.platform.dependent, case.demand.parasitic, case.demand.parasitic_t, strict=True)
    for coordinate, value, t in values:
        factor, unit = case.display.travel(coordinate.turns)
        rows.append([coordinate.name, unit, short(float(value) * factor), case.at(float(t))])
    header = ["follows the others", "unit", "largest distance from home", "at"]
    return [subtitle("Parasitic motion"), table(header, rows)]


def _turning(case: Case) -> list[bool]:
    return [c.turns for c in case.result.robot.platform.coordinates]


def _panel(case: Case, order: int, turns: bool, columns: list[int]) -> Panel:
    factor, unit = case.display.travel(turns)
    per, name = _ORDERS[order]
    values = np.broadcast_to(getattr(case.result, name), (len(case.result.t), len(case.result.coordinates)))
    names = [case.result.coordinates[k] for k in columns]
    return Panel(f"{_TITLES[turns][order]} [{unit}{per}]", values[:, columns] * factor, names)


def _poses(case: Case) -> tuple[list[str], list[list[str]]]:
    """Seven samples, evenly spaced."""
    time, _ = case.time
    chosen = np.unique(np.linspace(0, len(time) - 1, 7).round().astype(int))
    robot, stated = case.result.robot, case.stated
    values = np.array([stated.stated(robot, x) for x in case.result.x[chosen]])
    shown = (*stated.values(robot), *(Value(c.name, c.motion) for c in robot.platform.dependent))
    if robot.platform.dependent:
        values = np.hstack([values, dependent_coordinates(robot, case.result.x[chosen])[0]])
    units = [(1.0, "1") if c.motion == "q" else case.display.travel(c.turns) for c in shown]
    cells = np.column_stack([row(values[:, k] * factor, 5) for k, (factor, _) in enumerate(units)])
    header = [f"t [{case.time[1]}]", *[f"{c.name} [{u}]" for c, (_, u) in zip(shown, units, strict=True)], "condition"]
    condition = [short(c, 3) for c in case.result.condition[chosen]]
    times = [short(t) for t in time[chosen]]
    return header, [[t, *line, c] for t, line, c in zip(times, cells.tolist(), condition, strict=True)]


def _load(case: Case, wrench: Array) -> Markup:
    (push, force), (turn, torque) = case.display.force, case.display.torque
    at = "" if case.result.robot.tool.at_origin else " at its tool"
    values = np.atleast_2d(wrench) * np.repeat([push, turn], 3)
    low, high = values.min(axis=0), values.max(axis=0)
    clauses = [
        f"{n} {short(a)} to {short(b)}" if b > a else f"{n} {short(a)}"
        for n, a, b in zip(WRENCH, low, high, strict=True)
    ]
    return paragraph(f"External wrench on the platform{at}, base axes [{force}, {torque}]: {', '.join(clauses)}.")
