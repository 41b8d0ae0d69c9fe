"""What people ask of a motion: does it fit, and by how much."""

from gough.analyse.check import check
from gough.analyse.check_result import CheckResult
from gough.analyse.finding import Finding
from gough.analyse.path import ReachError

__all__ = ["CheckResult", "Finding", "ReachError", "check"]
