"""Robots: frozen values, the file format they are read from, their checks and the catalogue."""

from gough.robot.addresses import parse_setting
from gough.robot.checks.fault import Fault, RobotError
from gough.robot.file.motor_file import motor_of, read_motor
from gough.robot.file.read import build, catalogue, load, loads
from gough.robot.leg_values import Body, Cable, End, Joint, JointSpring, Leg, Limits, Mimic
from gough.robot.legs.short_form import ShortForm
from gough.robot.legs.short_forms import SHORT_FORMS, register_leg_type
from gough.robot.mechanism import Actuation, Anchor, Coordinate, Frame, Mechanism, Platform, PointSpring, by_mechanism
from gough.robot.motor import Curve, Motor
from gough.robot.robot import Robot, as_robot, by_spec, content
from gough.robot.spec import PathError

__all__ = [
    "SHORT_FORMS",
    "Actuation",
    "Anchor",
    "Body",
    "Cable",
    "Coordinate",
    "Curve",
    "End",
    "Fault",
    "Frame",
    "Joint",
    "JointSpring",
    "Leg",
    "Limits",
    "Mechanism",
    "Mimic",
    "Motor",
    "PathError",
    "Platform",
    "PointSpring",
    "Robot",
    "RobotError",
    "ShortForm",
    "as_robot",
    "build",
    "by_mechanism",
    "by_spec",
    "catalogue",
    "content",
    "load",
    "loads",
    "motor_of",
    "parse_setting",
    "read_motor",
    "register_leg_type",
]
