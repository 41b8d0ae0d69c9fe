"""The lecture on the natural orthogonal complement: joint motions, torques and the terms of the model."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.motion import named
from gough.report.papers.panels import over_time
from gough.report.papers.tables import number_table
from gough.robot import load

TERMS = (
    ("inertia", r"$M \ddot{q}$ [N m]"),
    ("velocity", r"$N \dot{q}$ [N m]"),
    ("gravity", r"$-\tau_G$ [N m]"),
    ("external", r"$-\tau_W$ [N m]"),
)


def sru() -> dict[str, bytes]:
    """Knee angles and rates, knee torques, and the four terms that add up to them."""
    robot = load("sru")
    motion = named(robot, "lecture")
    t = np.linspace(motion.start, motion.end, 401)
    result = inverse_dynamics(robot, *motion(t), motion.wrench(t), "orthogonal_complement")
    parts = result.parts()
    names = [f"leg {name}" for name in result.actuators]
    joints = [(r"knee angle $q$ [rad]", result.displacement), (r"knee rate $\dot{q}$ [rad/s]", result.velocity)]
    terms = [(label, parts[name]) for name, label in TERMS]
    times = np.array([0.0, 0.3, 1.0])
    at = inverse_dynamics(robot, *motion(times), motion.wrench(times), "orthogonal_complement")
    header = ["t [s]", *[f"q {k} [rad]" for k in at.actuators], *[f"phi {k} [N m]" for k in at.actuators]]
    rows = np.column_stack([times, at.displacement, at.force])
    return {
        "joint_motions.png": over_time("Lecture's 6-SRU platform: knee joints", t, joints, names),
        "torques.png": over_time(
            "Lecture's 6-SRU platform: knee torques", t, [(r"torque $\phi$ [N m]", result.force)], names
        ),
        "terms.png": over_time(
            r"Terms of the model: $\phi = M \ddot{q} + N \dot{q} - \tau_G - \tau_W$", t, terms, names, height=1.9
        ),
        "results.txt": number_table("Knee angles and torques", header, rows).encode(),
    }
