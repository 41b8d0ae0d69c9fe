"""Lopes2009: Figs. 4 to 6 and the tables, by the generalised momentum."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from gough.motion import named
from gough.report.lopes_table import lopes_table, lopes_text
from gough.report.papers.panels import over_time
from gough.report.papers.tables import number_table
from gough.robot import load

TABLE_TIMES = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.1, 3.7)


def stewart() -> dict[str, bytes]:
    """Actuator motions, forces and each body's contribution along trig3, 4 s; the paper gives no duration."""
    robot = load("stewart")
    motion = named(robot, "trig3")
    t = np.linspace(motion.start, motion.end, 401)
    x, xd, xdd = motion(t)
    legs = inverse_kinematics(robot, x, xd, xdd)
    result = inverse_dynamics(robot, x, xd, xdd, formulation="generalized_momentum")
    bodies = result.by_body()
    names = [f"leg {name}" for name in result.actuators]
    positions = [
        (r"length $l$ [m]", legs.displacement),
        (r"velocity $\dot{l}$ [m/s]", legs.displacement_d),
        (r"acceleration $\ddot{l}$ [m/s²]", legs.displacement_dd),
    ]
    parts = [
        (rf"$\tau$ of {name} [N]", bodies[body])
        for name, body in (("platform", "platform"), ("cylinders", "cylinder"), ("pistons", "piston"))
    ]
    times = np.array(TABLE_TIMES)
    at = inverse_dynamics(robot, *motion(times), formulation="generalized_momentum")
    header = ["t [s]", *[f"tau {name} [N]" for name in result.actuators]]
    return {
        "fig4_actuator_motions.png": over_time("Lopes 2009, Fig. 4: actuator trajectories", t, positions, names),
        "fig5_forces.png": over_time(
            "Lopes 2009, Fig. 5: actuator forces", t, [(r"force $\tau$ [N]", result.force)], names
        ),
        "fig6_contributions.png": over_time(
            "Lopes 2009, Fig. 6: contributions to the actuator forces", t, parts, names
        ),
        "forces.txt": number_table(
            "Actuator forces, motion trig3 of 4 s", header, np.column_stack([times, at.force])
        ).encode(),
        "table1_operations.txt": (lopes_text(lopes_table()) + "\n").encode(),
    }
