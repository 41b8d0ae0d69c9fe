"""Loading a robot with all its checks."""

from __future__ import annotations

from pathlib import Path

from gough.kinematics.mobility import kinematic_faults
from gough.robot import Robot
from gough.robot.loading import load as load_static


def load(name_or_path: str | Path) -> Robot:
    """The robot of a catalogue name or a TOML file, checked: form, units, bodies, reach at home and mobility.

    Raises:
        RobotError: With every fault, one line each.
    """
    return load_static(name_or_path, kinematic_faults)
