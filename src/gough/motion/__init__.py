"""Motions of the platform: named laws, point to point, splines, tables and functions, all as values."""

from gough.motion.faults import MotionError
from gough.motion.motion import Motion, Samples
from gough.motion.named import default_motion, motions, named

__all__ = ["Motion", "MotionError", "Samples", "default_motion", "motions", "named"]
