"""Programs: recorded graphs run on Python floats, NumPy blocks or LLVM vectors."""

from gough.run.bound import Bound
from gough.run.info import info
from gough.run.program import Program

__all__ = ["Bound", "Program", "info"]
