"""Accuracy and stiffness: pose errors from tolerances, deflections from stiffness."""

from gough.accuracy.deflection import Deflection, deflection_along
from gough.accuracy.elastic import Elasticity, elasticity, structure
from gough.accuracy.pose_errors import PoseErrors, monte_carlo, pose_errors
from gough.robot.error_sources import ErrorSources
from gough.robot.file.error_tables import error_sources, read_error_sources

__all__ = [
    "Deflection",
    "Elasticity",
    "ErrorSources",
    "PoseErrors",
    "deflection_along",
    "elasticity",
    "error_sources",
    "monte_carlo",
    "pose_errors",
    "read_error_sources",
    "structure",
]
