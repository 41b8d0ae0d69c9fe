"""Checks of a motion: whether it fits the machine, and by how much."""

from gough.analysis.along_motion import ReachError
from gough.analysis.check import check
from gough.analysis.check_result import CheckResult, Finding

__all__ = ["CheckResult", "Finding", "ReachError", "check"]
