"""Lopes2009: Figs. 4 to 6 and the tables, by the generalised momentum."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from gough.motion import Motion
from gough.reports.lopes_table import ORDER_NOTE, lopes_table, lopes_text
from gough.reports.papers.figures import Panel, Paper, TimeFigure, number_table
from gough.robot import load

TABLE_TIMES = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.1, 3.7)
METHOD = "forces by generalized_momentum"
DURATION = "The paper gives no duration: the motion is trig3 of 4 s."


def stewart() -> Paper:
    """Actuator motions, forces and each body's contribution along trig3, 4 s; the paper gives no duration."""
    robot = load("stewart")
    motion = Motion.named(robot, "trig3")
    t = np.linspace(motion.start, motion.end, 401)
    legs = inverse_kinematics(robot, motion(t))
    result = inverse_dynamics(robot, motion(t), formulation="generalized_momentum")
    bodies, names = result.by_body(), result.actuators
    positions = [
        Panel("length $l$", "l", "m", legs.q),
        Panel(r"velocity $\dot{l}$", "ld", "m/s", legs.qd),
        Panel(r"acceleration $\ddot{l}$", "ldd", "m/s^2", legs.qdd),
    ]
    parts = [
        Panel(rf"$\tau$ of {name}", f"tau {name}", "N", bodies[body])
        for name, body in (("platform", "platform"), ("cylinders", "cylinder"), ("pistons", "piston"))
    ]
    forces = [Panel(r"force $\tau$", "tau", "N", result.force)]
    times = np.array(TABLE_TIMES)
    at = inverse_dynamics(robot, motion(times), formulation="generalized_momentum")
    header = ["t [s]", *[f"tau {name} [N]" for name in names]]
    rows = np.column_stack([times, at.force])
    return Paper(
        METHOD,
        [
            TimeFigure("fig4_actuator_motions", "Lopes 2009, Fig. 4: actuator trajectories", t, positions, names),
            TimeFigure("fig5_forces", "Lopes 2009, Fig. 5: actuator forces", t, forces, names),
            TimeFigure(
                "fig6_contributions", "Lopes 2009, Fig. 6: contributions to the actuator forces", t, parts, names
            ),
        ],
        {
            "forces.txt": number_table(f"Actuator forces, motion trig3 of 4 s; {METHOD}", header, rows),
            "table1_operations.txt": lopes_text(lopes_table()) + "\n",
        },
        [DURATION, ORDER_NOTE],
    )
