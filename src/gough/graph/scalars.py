"""Names for what equations are written on, and for plain arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Scalar: TypeAlias = Any
"""A float, or a recorded scalar (`Expr`): equations take either; a function of a scalar maps over arrays of them."""
Vector: TypeAlias = Any
"""A small array of scalars, (k,) or (k, l): of floats, or of objects where any element is recorded."""
Array: TypeAlias = NDArray[np.float64]
"""Plain numbers only."""
