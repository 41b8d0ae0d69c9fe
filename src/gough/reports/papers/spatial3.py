"""Staicu, Li, Liu, Wang, Wang: Figs. 3 to 5, by virtual powers."""

from __future__ import annotations

import numpy as np

from gough.dynamics import VirtualWork, inverse_dynamics
from gough.motion import Motion
from gough.reports.papers.figures import Panel, Paper, TimeFigure, number_table
from gough.robot import load

ORDER = ("first", "second", "third")


def spatial3() -> Paper:
    """The force of each actuator, and all results at six times."""
    robot, formulation = load("spatial3"), VirtualWork(recursion="full")
    by_recursion = ", ".join(formulation.legs_by_recursion(robot))
    method = f"forces by {formulation.name}: recursion (18) over the links of legs {by_recursion}"
    motion = Motion.named(robot, "paper")
    t = np.linspace(motion.start, motion.end, 401)
    result = inverse_dynamics(robot, motion(t), formulation=formulation)
    figures = []
    for k, leg in enumerate(result.actuators):
        title = f"Staicu, Li, Liu, Wang, Wang, Fig. {3 + k}: force of the {ORDER[k]} actuator"
        panel = Panel(f"force $f_{leg}$", "f", "N", result.force[:, [k]])
        figures.append(TimeFigure(f"fig{3 + k}_force_{leg}", title, t, [panel], [leg], legend=False))
    times = np.linspace(0.0, 1.0, 6)
    at = inverse_dynamics(robot, motion(times), formulation=formulation)
    columns = [("f", "N", at.force), ("lam", "m", at.q), ("v", "m/s", at.qd), ("P", "W", at.power)]
    header = ["t [s]", *[f"{name} {leg} [{unit}]" for name, unit, _ in columns for leg in at.actuators]]
    rows = np.column_stack([times, *[values for _, _, values in columns]])
    text = number_table(f"Forces, slider heights, velocities and powers; {method}", header, rows)
    return Paper(method, figures, {"results.txt": text})
