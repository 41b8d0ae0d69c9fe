"""Staicu, Li, Liu, Wang, Wang: Figs. 3 to 5, by virtual powers."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.motion import named
from gough.report.papers.panels import over_time
from gough.report.papers.tables import number_table
from gough.robot import load

ORDER = ("first", "second", "third")


def spatial3() -> dict[str, bytes]:
    """The force of each actuator, and all results at six times."""
    robot = load("spatial3")
    motion = named(robot, "paper")
    t = np.linspace(motion.start, motion.end, 401)
    result = inverse_dynamics(robot, *motion(t), formulation="virtual_work")
    files = {}
    for k, leg in enumerate(result.actuators):
        title = f"Staicu, Li, Liu, Wang, Wang, Fig. {3 + k}: force of the {ORDER[k]} actuator"
        panel = [(f"force $f_{leg}$ [N]", result.force[:, [k]])]
        files[f"fig{3 + k}_force_{leg}.png"] = over_time(title, t, panel, [leg], legend=False)
    times = np.linspace(0.0, 1.0, 6)
    at = inverse_dynamics(robot, *motion(times), formulation="virtual_work")
    columns = [("f", "N", at.force), ("lam", "m", at.displacement), ("v", "m/s", at.velocity), ("P", "W", at.power)]
    header = ["t [s]", *[f"{name} {leg} [{unit}]" for name, unit, _ in columns for leg in at.actuators]]
    rows = np.column_stack([times, *[values for _, _, values in columns]])
    files["results.txt"] = number_table("Forces, slider heights, velocities and powers", header, rows).encode()
    return files
