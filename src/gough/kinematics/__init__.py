"""Kinematics: how the legs move with the platform, shared by every formulation."""

from gough.kinematics.body_motion import BodyMotion, body_motion
from gough.kinematics.closure import CLOSED_FORMS, ClosedForm
from gough.kinematics.forward import ForwardKinematics, forward_kinematics
from gough.kinematics.inverse import Kinematics, inverse_kinematics
from gough.kinematics.kinematic_checks import kinematic_faults, load, loads
from gough.kinematics.status import PoseError, Status

__all__ = [
    "CLOSED_FORMS",
    "BodyMotion",
    "ClosedForm",
    "ForwardKinematics",
    "Kinematics",
    "PoseError",
    "Status",
    "body_motion",
    "forward_kinematics",
    "inverse_kinematics",
    "kinematic_faults",
    "load",
    "loads",
]
