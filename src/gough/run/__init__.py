"""Programs: recorded graphs run on Python floats, NumPy blocks or LLVM vectors.

What is the same to the bit, and what to some units in the last place: see `gough.run.accuracy`.
"""

from gough.run.arrays import owned
from gough.run.bound import Bound
from gough.run.choose import info
from gough.run.program import Program

__all__ = ["Bound", "Program", "info", "owned"]
