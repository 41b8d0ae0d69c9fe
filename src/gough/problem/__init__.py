"""What studies and design optimisation state alike: a robot, poses of its platform, and the numbers that vary."""

from gough.problem.poses import Poses
from gough.problem.read import Problem, problem_of, read_problem
from gough.problem.schema import ProblemTable
from gough.problem.vary import Varied

__all__ = ["Poses", "Problem", "ProblemTable", "Varied", "problem_of", "read_problem"]
