"""Closure: platform pose to joint coordinates, one file per leg pattern, Newton's method for any other chain."""

from gough.kinematics.closure.close import close_leg

__all__ = ["close_leg"]
