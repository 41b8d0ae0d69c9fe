"""Robots: frozen values, the file format they are read from, their checks and the catalogue."""

from gough.robot.addresses import PathError, parse_setting, paths, replace
from gough.robot.expand import expand
from gough.robot.faults import Fault, RobotError
from gough.robot.loading import build, catalogue, check, load, loads
from gough.robot.values import (
    Body,
    Coordinate,
    End,
    Joint,
    Leg,
    Limits,
    Mimic,
    Platform,
    Robot,
)
from gough.robot.write import to_toml

__all__ = [
    "Body",
    "Coordinate",
    "End",
    "Fault",
    "Joint",
    "Leg",
    "Limits",
    "Mimic",
    "PathError",
    "Platform",
    "Robot",
    "RobotError",
    "build",
    "catalogue",
    "check",
    "expand",
    "load",
    "loads",
    "parse_setting",
    "paths",
    "replace",
    "to_toml",
]
