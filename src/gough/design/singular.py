"""Envelopes that touch a singularity: no force is enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.design.search import polished
from gough.design.worst import Worst
from gough.errors import NumericalError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.singularity import SINGULAR
from gough.kinematics.status import Status, judge
from gough.robot import Robot

FAR = 50.0
"""Poses so many lengths of the machine away from home were meant in another unit."""


class UnboundedError(NumericalError):
    """An envelope that touches a singularity: no force is enough.

    Attributes:
        pose: (n,) where.
    """

    def __init__(self, robot: Robot, pose: Array, reason: str) -> None:
        """The line made from the parts."""
        self.pose = pose
        super().__init__(f"unbounded: the envelope touches a singularity at {_listed(robot, pose)} ({reason})")


def nothing_reached(robot: Robot, x: Array) -> str:
    """The line for poses (N, n) of which none can be reached: which leg falls short least, where, and what to try."""
    raw = kinematics_program(robot, 0)(x=x)
    found = judge(raw["short"], raw["converged"])
    if (found.status <= Status.NEAR_SINGULAR).any():
        return f"forces of {robot.name} over the envelope are not finite: its ranges are too large"
    least = int(np.argmin(np.where(np.isfinite(found.amount), found.amount, np.inf)))
    leg, short = robot.legs[found.leg[least]].name, found.amount[least]
    far = np.abs(x[least] - robot.platform.home).max() > FAR * characteristic_length(robot)
    hint = 'for millimetres: [units] length = "mm"' if far else f"home is {_listed(robot, robot.platform.home)}"
    return (
        f"no pose of the envelope can be reached by {robot.name}: nearest is {_listed(robot, x[least])}, where "
        f"leg {leg} falls short by {short:.4g} m ({hint})"
    )


def _listed(robot: Robot, pose: Iterable[float]) -> str:
    names = robot.coordinate_names
    return ", ".join(f"{name} = {value:.5g}" for name, value in zip(names, pose, strict=True))


def check_singular(worst: Worst, poses: Any, u: Array, seed: int) -> float:
    """The largest condition number met; raises where the envelope has a singular pose."""
    x = poses(u)
    signs = np.sign(worst.determinants(x))
    known = np.flatnonzero(np.isfinite(signs))
    flipped = known[signs[known] != signs[known[0]]]
    if len(flipped):
        raise UnboundedError(worst.robot, _crossing(worst, x[known[0]], x[flipped[0]]), "det K changes its sign")
    ((best, *_),) = (
        sorted(found, key=lambda o: -o.value)
        for found in polished(lambda p, k: worst.log_condition(poses(p)), u, worst.log_condition(x)[:, None], seed)
    )
    if best.value > np.log10(SINGULAR):
        raise UnboundedError(worst.robot, poses(best.point[None])[0], f"condition number {10**best.value:.3g}")
    return float(10.0**best.value)


def check_edge(worst: Worst, x: Array, fine: NDArray[np.bool_]) -> None:
    """Raises where the edge of reach lies in the envelope and is singular: a leg is stretched."""
    if fine.all():
        return
    outside = x[~fine][0]
    inside = x[fine][np.argmin(np.abs(x[fine] - outside).sum(axis=1))]
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        reached = np.isfinite(worst.speeds(middle[None])).all()
        inside, outside = (middle, outside) if reached else (inside, middle)
    if worst.log_condition(inside[None])[0] > np.log10(SINGULAR) - 1.0:
        share = f"{100.0 * (1.0 - fine.mean()):.3g} % of the poses are out of reach"
        raise UnboundedError(worst.robot, inside, f"the edge of reach; {share}")


def _crossing(worst: Worst, a: Array, b: Array) -> Array:
    """A pose between two at which det K is about zero."""
    sign = np.sign(worst.determinants(a[None]))[0]
    for _ in range(50):
        middle = 0.5 * (a + b)
        here = np.sign(worst.determinants(middle[None]))[0]
        a, b = (middle, b) if here == sign else (a, middle)
    return 0.5 * (a + b)
