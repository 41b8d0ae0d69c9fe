"""What can be said of a sample: fine, out of reach, not converged, near singular."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import NumericalError
from gough.kinematics.gains import SINGULAR, scaled
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.model import kinematics_program
from gough.robot import Robot


class Status(IntEnum):
    """Per sample; above FINE nothing but NEAR_SINGULAR has values."""

    FINE = 0
    NEAR_SINGULAR = 1
    OUT_OF_REACH = 2
    NOT_CONVERGED = 3

    @property
    def text(self) -> str:
        """For people: "near singular"."""
        return self.name.lower().replace("_", " ")


class PoseError(NumericalError):
    """A single pose that has no solution.

    Attributes:
        status: What is the matter.
        leg: Name of the leg.
        amount: How far it falls short [m]; not converged, its closure error [m, or sine of an angle].
    """

    def __init__(self, status: Status, leg: str, amount: float, where: str = "", line: str = "") -> None:
        """The line for one sample; `where` says which, e.g. "t = 0.5 s"; or a `line` of its own."""
        self.status, self.leg, self.amount = status, leg, amount
        super().__init__(line or f"{where + ': ' if where else ''}{sentence(status, leg, amount)}")


def sentence(status: Status, leg: str, amount: float) -> str:
    """One clause on a sample without a solution."""
    if status == Status.OUT_OF_REACH:
        return f"leg {leg} is out of reach by {amount:.4g} m"
    left = f": its end is {amount:.4g} (m or rad) off" if status == Status.NOT_CONVERGED and amount > 0.0 else ""
    return f"leg {leg} is {status.text}{left}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Statuses of N samples.

    Attributes:
        status: (N,) values of `Status`.
        leg: (N,) index of the leg that fails first, -1 if none.
        amount: (N,) how far that leg falls short [m], or its closure error where it is known and the leg is not
            converged; 0 if none.
        short: (N, legs) how far each leg falls short [m], as found in the end.
    """

    status: NDArray[np.int64]
    leg: NDArray[np.int64]
    amount: NDArray[np.float64]
    short: Any = None

    def lost(self, robot: Robot, single: bool) -> NDArray[np.bool_]:
        """(N,) the samples without a solution; raises `PoseError` if there is but one, and it has none."""
        lost = self.status > Status.NEAR_SINGULAR
        if single and lost[0]:
            raise PoseError(Status(self.status[0]), robot.legs[self.leg[0]].name, float(self.amount[0]))
        return lost


def judge(
    short: NDArray[np.float64],
    converged: NDArray[np.bool_],
    condition: Any = None,
    robot: Robot | None = None,
    x: Any = None,
) -> Verdict:
    """Statuses from each leg's shortfall and convergence (N, legs) and, if given, the condition of K (N,).

    What an iteration that failed says of a leg's reach does not count. With the robot and its poses x (N, n) the least
    gap of such a leg does, and where there is none the closure error is told; that takes a while per sample.
    """
    residual: Any = None
    if robot is not None and not (converged.all() and (short <= REACH_SLACK).all()):
        x = np.broadcast_to(np.atleast_2d(np.asarray(x, dtype=float)), (len(short), len(robot.platform.coordinates)))
        short, converged = settled(robot, x, short, converged)
        residual = np.zeros(short.shape)
        left = np.flatnonzero(~converged.all(axis=1))
        if len(left):
            residual[left] = np.nan_to_num(kinematics_program(robot, 0)(x=x[left])["residual"], posinf=0.0)
    status = np.full(len(short), int(Status.FINE))
    if condition is not None:
        status[~(condition <= SINGULAR)] = Status.NEAR_SINGULAR
    if converged.all() and (short <= REACH_SLACK).all():
        return Verdict(status, np.full(len(short), -1), np.zeros(len(short)), short)
    worst = np.argmax(np.where(converged, short, -np.inf), axis=1)
    rows = np.arange(len(short))
    beyond = converged[rows, worst] & ~(short[rows, worst] <= REACH_SLACK)
    stuck = ~converged.all(axis=1)
    status[stuck] = Status.NOT_CONVERGED
    status[beyond] = Status.OUT_OF_REACH
    leg = np.where(beyond, worst, np.where(stuck, np.argmin(converged, axis=1), -1))
    open_end = np.where(stuck, residual[rows, leg], 0.0) if residual is not None else 0.0
    return Verdict(status, leg, np.where(beyond, short[rows, worst], open_end), short)


def settled(
    robot: Robot,
    x: NDArray[np.float64],
    short: NDArray[np.float64],
    converged: NDArray[np.bool_],
    newton: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Shortfalls and convergence (N, legs) with the legs settled on which Newton's method came to no good end.

    It may fail, or come to rest where the ends do not meet and yet would elsewhere. The least gap tells what is out of
    reach, and by how much; what is not stays not converged.

    Args:
        robot: Any.
        x: (N, n) poses.
        short, converged: (N, legs) as found.
        newton: All legs were closed by Newton's method, also those with a closed form.
    """
    from gough.kinematics.closure.nearest import nearest
    from gough.kinematics.closure.newton import REACHED
    from gough.kinematics.closure.pattern import NEWTON, pattern_of

    short, converged = short.copy(), converged.copy()
    for k, leg in enumerate(robot.legs):
        open_ends = np.flatnonzero(~(converged[:, k] & (short[:, k] <= REACH_SLACK)))
        if len(open_ends) and (newton or pattern_of(leg) == NEWTON):
            gap, least = nearest(robot, k, x[open_ends])
            far = least & (gap > REACHED)
            short[open_ends[far], k] = gap[far]
            converged[open_ends, k] = far
    return short, converged


def judge_sound(robot: Robot, x: Any, sound: NDArray[np.bool_]) -> Verdict:
    """Statuses of N samples at x (N, n), looked into only where `sound` (N,) is false.

    A sample whose legs all reach at x, and which yet is not sound, is near singular.
    """
    count = len(sound)
    verdict = Verdict(np.zeros(count, dtype=np.int64), np.full(count, -1), np.zeros(count))
    bad = np.flatnonzero(~sound)
    if len(bad):
        at = np.broadcast_to(x, (count, np.shape(x)[-1]))[bad]
        raw = kinematics_program(robot, 0)(x=at)
        found = judge(raw["short"], raw["converged"], robot=robot, x=at)
        verdict.status[bad] = np.where(found.status == Status.FINE, Status.NEAR_SINGULAR, found.status)
        verdict.leg[bad], verdict.amount[bad] = found.leg, found.amount
    return verdict


def condition_number(robot: Robot, K: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) condition of K (N, actuators, n) with its columns of turning coordinates divided by the robot's length."""
    turning = [c.motion.startswith("r") for c in robot.platform.coordinates]
    matrices = scaled(robot, K) if any(turning) and not all(turning) else K
    good = np.isfinite(matrices).all(axis=(1, 2))
    condition = np.full(len(K), np.inf)
    if good.any():
        values = np.linalg.svd(matrices[good], compute_uv=False)
        with np.errstate(divide="ignore"):
            condition[good] = values[:, 0] / values[:, -1]
    return condition
