"""Accuracy and stiffness: pose errors from tolerances, deflections from stiffness."""

from gough.accuracy.deflection import Deflection, deflection_along
from gough.accuracy.elastic import Elasticity, elasticity, structure
from gough.accuracy.pose_errors import PoseErrors, monte_carlo, pose_errors
from gough.robot.error_sources import ErrorSources

__all__ = [
    "Deflection",
    "Elasticity",
    "ErrorSources",
    "PoseErrors",
    "deflection_along",
    "elasticity",
    "monte_carlo",
    "pose_errors",
    "structure",
]
