"""The best machine for a task: minimax over its states with exact gradients, from many starts."""

from gough.optimisation.optimise import optimise
from gough.optimisation.result import InfeasibleDesign, Optimised

__all__ = ["InfeasibleDesign", "Optimised", "optimise"]
