"""Sinatra, Xi, Staicu: Figs. 3 to 8, by virtual work."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.motion import named
from gough.report.papers.panels import over_time
from gough.report.papers.tables import number_table
from gough.robot import load

MOTIONS = (("vertical", "vertical translation"), ("horizontal", "horizontal translation"), ("rotation", "rotation"))
TABLE_TIMES = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)


def hexapod() -> dict[str, bytes]:
    """Forces and powers of the six actuators in the three motions."""
    robot = load("hexapod")
    files = {}
    for k, (name, title) in enumerate(MOTIONS):
        motion = named(robot, name)
        t = np.linspace(motion.start, motion.end, 301)
        result = inverse_dynamics(robot, *motion(t), formulation="virtual_work")
        legs = [f"leg {leg}" for leg in result.actuators]
        for number, what, label, values in (
            (3 + 2 * k, "forces", "force $f$ [N]", result.force),
            (4 + 2 * k, "powers", "power $P$ [W]", result.power),
        ):
            heading = f"Sinatra, Xi, Staicu, Fig. {number}: {what}, {title}"
            files[f"fig{number}_{what}_{name}.png"] = over_time(heading, t, [(label, values)], legs)
        times = np.array(TABLE_TIMES)
        at = inverse_dynamics(robot, *motion(times), formulation="virtual_work")
        header = ["t [s]", *[f"f {leg} [N]" for leg in at.actuators], *[f"P {leg} [W]" for leg in at.actuators]]
        rows = np.column_stack([times, at.force, at.power])
        files[f"{name}.txt"] = number_table(f"Forces and powers, {title}", header, rows).encode()
    return files
