"""What makes a machine inexact: as its own file states it, or a file beside it, or tables given in Python."""

from __future__ import annotations

from gough.robot import Robot
from gough.robot.error_sources import ErrorSources
from gough.robot.file.error_tables import error_sources, read_error_sources

__all__ = ["ErrorSources", "error_sources", "of_robot", "read_error_sources"]


def of_robot(robot: Robot, errors: ErrorSources | None) -> ErrorSources:
    """What was given, or else what the robot's own file states."""
    return robot.errors if errors is None else errors
