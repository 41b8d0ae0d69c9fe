"""Kinematics: how the legs move with the platform, shared by every formulation."""

from gough.kinematics.inverse import Kinematics, inverse_kinematics
from gough.kinematics.loading import load
from gough.kinematics.status import PoseError, Status

__all__ = ["Kinematics", "PoseError", "Status", "inverse_kinematics", "load"]
