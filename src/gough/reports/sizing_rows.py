"""What actuators must give on a motion, as titled rows: one source for the page of `gough size` and for reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design import Demand
from gough.display import Display, actuator_units
from gough.graph import Array
from gough.robot import Mechanism, Motor

MOTOR_NOTE = "Continuous: rms torque at rms speed under the curve; peak: every instant under the curve."

PEAK_NOTE = "A peak is the value of the largest size, with its sign."

RPM = 30.0 / np.pi
"""Turns per minute of 1 rad/s, as data sheets state speeds."""


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


def end_names(robot: Mechanism) -> tuple[str, str]:
    """What the smallest and the largest displacement of the actuators are called."""
    turning = all(joint.turns for joint in robot.actuators)
    return ("least angle", "largest angle") if turning else ("shortest", "longest")


def motor_rows(found: Demand) -> list[tuple[str, list[float]]]:
    """Title with its unit, and (actuators,) values of the rotors; power and energy where losses change them."""
    rows = {
        "peak torque [N m]": [abs(f.torque) for f in found.fits],
        "rms torque [N m]": [f.rms_torque for f in found.fits],
        "peak speed [rpm]": [abs(f.speed) * RPM for f in found.fits],
        "rms speed [rpm]": [f.rms_speed * RPM for f in found.fits],
        "continuous left [N m]": [f.continuous_margin for f in found.fits],
        "peak left [N m]": [f.peak_margin for f in found.fits],
        "speed left [rpm]": [f.speed_margin * RPM for f in found.fits],
    }
    if found.robot.motor is not None and not found.robot.motor.lossless:
        rows["peak power [W]"] = [f.power for f in found.fits]
        rows["energy delivered [J]"] = [f.energy for f in found.fits]
        rows["energy regenerated [J]"] = [f.regenerated for f in found.fits]
    return list(rows.items())


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
