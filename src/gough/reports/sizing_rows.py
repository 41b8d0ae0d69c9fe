"""What actuators must give on a motion, as titled rows: one source for the page of `gough size` and for reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design import Demand, Motor
from gough.display import Display, actuator_units
from gough.graph import Array
from gough.robot import Robot

MOTOR_HEADER = (
    "rotor",
    "peak torque [N m]",
    "rms torque [N m]",
    "rms speed [rad/s]",
    "continuous left [N m]",
    "peak left [N m]",
    "speed left [rad/s]",
    "",
)
MOTOR_NOTE = "Continuous: rms torque at rms speed under the curve; peak: every instant under the curve."

ENERGY_HEADER = ("rotor", "peak power [W]", "energy delivered [J]", "energy regenerated [J]")


def demand_rows(found: Demand, display: Display, effort: str = "force") -> list[tuple[str, Any]]:
    """Title with its unit, and (actuators,) values in it; what is round-off of the others is zero.

    Args:
        found: On a motion.
        display: Units.
        effort: What actuators give is called: "force" or "torque".
    """
    (push, force), (pace, speed) = actuator_units(found.robot, display)
    second, time = display.time
    rows = [
        (f"peak {effort} [{force}]", found.force * push),
        (f"  at t [{time}]", found.force_t * second),
        (f"rms {effort} [{force}]", found.rms_force * push),
        (f"peak speed [{speed}]", found.qd * pace),
        (f"rms speed [{speed}]", found.rms_qd * pace),
        ("peak power [W]", found.power),
        ("mean power [W]", found.mean_power),
        ("energy delivered [J]", found.energy),
        ("energy regenerated [J]", found.regenerated),
        ("duty [%]", 100.0 * found.duty),
        *_travel_rows(found, display),
    ]
    return [(title, _clean(values)) for title, values in rows]


def _travel_rows(found: Demand, display: Display) -> list[tuple[str, Any]]:
    """Smallest and largest displacement of each actuator, and the stroke between them."""
    turns = [joint.turns for joint in found.robot.actuators]
    scales, units = zip(*map(display.travel, turns), strict=True)
    least, most = end_names(found.robot)
    unit = ", ".join(dict.fromkeys(units))
    low, high = found.q_range.T * np.array(scales)
    return [(f"{least} [{unit}]", low), (f"{most} [{unit}]", high), (f"stroke needed [{unit}]", high - low)]


def end_names(robot: Robot) -> tuple[str, str]:
    """What the smallest and the largest displacement of the actuators are called."""
    turning = all(joint.turns for joint in robot.actuators)
    return ("least angle", "largest angle") if turning else ("shortest", "longest")


def motor_rows(found: Demand) -> list[tuple[str, tuple[float, ...], bool]]:
    """Actuator, the values under `MOTOR_HEADER`, and whether the motor fits it."""
    return [
        (name, (abs(f.torque), f.rms_torque, f.rms_speed, f.continuous_margin, f.peak_margin, f.speed_margin), f.fits)
        for name, f in zip(found.actuators, found.fits, strict=True)
    ]


def energy_rows(found: Demand) -> list[tuple[str, tuple[float, ...]]]:
    """Actuator, and the values under `ENERGY_HEADER`; none where they are those of the joints."""
    if found.motor is None or found.motor.lossless:
        return []
    fits = zip(found.actuators, found.fits, strict=True)
    return [(name, (f.power, f.energy, f.regenerated)) for name, f in fits]


def efficiency_note(motor: Motor) -> str:
    """What is said of the losses of a motor's transmission; nothing where it has none."""
    if motor.lossless:
        return ""
    return (
        f"Efficiency {motor.efficiency:g}: a rotor feels the load divided by it where the load takes power, times it "
        "where the load gives power back. Forces and powers of the joints are without it, torques and powers of the "
        "rotors with it."
    )


def _clean(values: Array) -> Array:
    return np.where(np.abs(values) < 1e-12 * max(1.0, float(np.abs(values).max())), 0.0, values)
