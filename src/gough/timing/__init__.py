"""Laws of time along a path: the shortest that limits allow, those with bounded jerk, and paths that are free."""

from gough.timing.fastest import fastest
from gough.timing.fastest_result import Fastest, InfeasibleError
from gough.timing.free import free_path
from gough.timing.free_result import FreePath
from gough.timing.move import Move, move

__all__ = ["Fastest", "FreePath", "InfeasibleError", "Move", "fastest", "free_path", "move"]
