"""Laws of time along a path: the shortest that limits allow, and those with bounded jerk."""

from gough.timing.fastest import fastest
from gough.timing.fastest_result import Fastest, InfeasibleError

__all__ = ["Fastest", "InfeasibleError", "fastest"]
