"""Motions of the platform: named laws, point to point, splines, tables and functions, all as values."""

from gough.motion.choose_motion import choose_motion
from gough.motion.conventions import Convention
from gough.motion.faults import MotionError
from gough.motion.files import read_csv, read_waypoints
from gough.motion.from_arrays import from_arrays, through
from gough.motion.motion import Motion, from_function
from gough.motion.named import default_motion, motions, named
from gough.motion.point_to_point import point_to_point
from gough.motion.pose import parse_pose, parse_units
from gough.motion.state import BaseState, State, StateLike

__all__ = [
    "BaseState",
    "Convention",
    "Motion",
    "MotionError",
    "State",
    "StateLike",
    "choose_motion",
    "default_motion",
    "from_arrays",
    "from_function",
    "motions",
    "named",
    "parse_pose",
    "parse_units",
    "point_to_point",
    "read_csv",
    "read_waypoints",
    "through",
]
