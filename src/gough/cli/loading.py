"""The robot a command line names, with its settings."""

from __future__ import annotations

from collections.abc import Sequence

from gough.errors import InputError
from gough.robot import PathError, Robot, RobotError, parse_setting
from gough.robot.settings import SettingError


def load_robot(name_or_path: str, settings: Sequence[str] = ()) -> Robot:
    """The robot, checked, after the settings and again after them.

    Raises:
        RobotError: Faults of its file, or of the settings.
        InputError: A setting that cannot be read or leads nowhere.
    """
    from gough.kinematics.mobility import kinematic_faults, load, with_assemblies

    changes = dict(parse_setting(setting) for setting in settings)
    robot = load(name_or_path)
    if not changes:
        return robot
    try:
        changed = robot.replace(changes)
        faults = kinematic_faults(changed)
    except (PathError, SettingError) as error:
        raise InputError(f"--set {error}") from None
    except RobotError as error:
        raise RobotError("--set", error.faults) from None
    if faults:
        raise RobotError("--set", faults)
    return with_assemblies(changed)
