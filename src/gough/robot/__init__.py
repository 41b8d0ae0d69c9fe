"""Robots: frozen values, the file format they are read from, their checks and the catalogue."""

from gough.robot.addresses import PathError, parse_setting, paths, replace
from gough.robot.checks.fault import Fault, RobotError
from gough.robot.file.read import build, catalogue, check, load, loads
from gough.robot.file.write import to_toml, write_robot
from gough.robot.leg_values import Body, Cable, End, Joint, JointSpring, Leg, Limits, Mimic
from gough.robot.legs.expand import expand
from gough.robot.legs.short_form import ShortForm
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.values import Actuation, Anchor, Coordinate, Platform, PointSpring, Robot

__all__ = [
    "SHORT_FORMS",
    "Actuation",
    "Anchor",
    "Body",
    "Cable",
    "Coordinate",
    "End",
    "Fault",
    "Joint",
    "JointSpring",
    "Leg",
    "Limits",
    "Mimic",
    "PathError",
    "Platform",
    "PointSpring",
    "Robot",
    "RobotError",
    "ShortForm",
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
    "write_robot",
]
