"""Questions of the snapshot, answered by the public names of today's gough.

Only this package imports gough. Each module answers the questions of a group and lists them in its `TABLE`.
"""

from __future__ import annotations

import gough

ERRORS: tuple[tuple[type[BaseException], str], ...] = (
    (gough.ReachError, "out of reach"),
    (gough.PoseError, "no pose"),
    (gough.UnboundedError, "unbounded"),
    (gough.InfeasibleError, "infeasible"),
    (gough.InfeasibleDesign, "infeasible"),
    (gough.MotionError, "motion refused"),
    (gough.RobotError, "robot refused"),
    (gough.PathError, "address refused"),
    (gough.InputError, "input refused"),
    (gough.ResourceError, "too large"),
    (gough.NumericalError, "not solved"),
    (gough.GoughError, "refused"),
    (NotImplementedError, "not supported"),
    (ImportError, "package missing"),
    (TypeError, "wrong type"),
    (ValueError, "wrong value"),
    (OSError, "file"),
)
"""Classes of exceptions in neutral words; the first that fits counts."""


def load_robot(text: str) -> gough.Robot:
    """The robot of a file's text."""
    return gough.loads(text)


def kind_of_error(error: BaseException) -> str:
    """The class of an exception in neutral words."""
    for kind, words in ERRORS:
        if isinstance(error, kind):
            return words
    return f"failed: {type(error).__name__}"
