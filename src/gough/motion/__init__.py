"""Motions of the platform as values, states of a robot, and the CSV files they are read from."""

from gough.motion.columns import CsvLayout
from gough.motion.conventions import Convention
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.motion.named import default_motion, motions
from gough.motion.pose import parse_pose, parse_units
from gough.motion.state import BaseState, MovingBase, State, StateLike

__all__ = [
    "BaseState",
    "Convention",
    "CsvLayout",
    "Motion",
    "MotionError",
    "MovingBase",
    "State",
    "StateLike",
    "default_motion",
    "motions",
    "parse_pose",
    "parse_units",
]
