"""Laws of time along a path: the shortest that limits allow, and those with bounded jerk."""

from gough.timing.fastest import fastest
from gough.timing.fastest_result import Fastest, InfeasibleError
from gough.timing.move import Move, move

__all__ = ["Fastest", "InfeasibleError", "Move", "fastest", "move"]
