"""Sinatra, Xi, Staicu: Figs. 3 to 8, by virtual work with the paper's own recursion."""

from __future__ import annotations

import numpy as np

from gough.dynamics import VirtualWork, inverse_dynamics
from gough.motion import Motion
from gough.reports.papers.figures import Panel, Paper, TimeFigure, number_table
from gough.robot import load

MOTIONS = (("vertical", "vertical translation"), ("horizontal", "horizontal translation"), ("rotation", "rotation"))
TABLE_TIMES = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
SIGN = "Forces are along the guide-ways, inward and down: negative f holds the platform up."


def hexapod() -> Paper:
    """Forces and powers of the six actuators in the three motions."""
    robot, formulation = load("hexapod"), VirtualWork(recursion="full")
    by_recursion = ", ".join(formulation.legs_by_recursion(robot))
    method = f"forces by {formulation.name}: recursion (21), (22) over the links of legs {by_recursion}"
    figures, tables = [], {}
    for k, (name, title) in enumerate(MOTIONS):
        motion = Motion.named(robot, name)
        t = np.linspace(motion.start, motion.end, 301)
        result = inverse_dynamics(robot, motion(t), formulation=formulation)
        for number, what, panel in (
            (3 + 2 * k, "forces", Panel("force $f$", "f", "N", result.force)),
            (4 + 2 * k, "powers", Panel("power $P$", "P", "W", result.power)),
        ):
            heading = f"Sinatra, Xi, Staicu, Fig. {number}: {what}, {title}"
            figures.append(TimeFigure(f"fig{number}_{what}_{name}", heading, t, [panel], result.actuators))
        times = np.array(TABLE_TIMES)
        at = inverse_dynamics(robot, motion(times), formulation=formulation)
        header = ["t [s]", *[f"f {leg} [N]" for leg in at.actuators], *[f"P {leg} [W]" for leg in at.actuators]]
        rows = np.column_stack([times, at.force, at.power])
        tables[f"{name}.txt"] = number_table(f"Forces and powers, {title}; {method}", header, rows)
    return Paper(method, figures, tables, [SIGN])
