"""Why there is no proof where an operation has no enclosure."""

from __future__ import annotations

from gough.errors import InputError
from gough.graph import ops

ITERATION = "isfinite"
"""An operation that only iterations use: of legs without a closed form, of singular values."""


def unenclosed(op: int) -> InputError:
    """The error, in words of the robot."""
    name = ops.NAMES[op]
    if name == ITERATION:
        return InputError("no proof: the robot's equations are solved by iteration, which has no enclosure")
    return InputError(f"no proof: the robot's equations use {name}, which has no enclosure")
