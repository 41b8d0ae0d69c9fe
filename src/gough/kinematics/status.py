"""What can be said of a sample: fine, near singular, out of reach, not converged, on another branch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.display import Display
from gough.errors import NumericalError
from gough.kinematics.dependent.constraint import constrains, home_platform
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.programs import kinematics_program
from gough.kinematics.recorded_condition import condition_program
from gough.kinematics.singularity import SINGULAR, scaled, stretched
from gough.motion.faults import too_far
from gough.robot import Mechanism

SI = Display()


class Status(IntEnum):
    """Per sample; beside FINE nothing but NEAR_SINGULAR has values."""

    NOT_FINITE = -1
    """An input is NaN or infinite: of compiled C functions and of bound calls; others refuse it."""
    FINE = 0
    NEAR_SINGULAR = 1
    OUT_OF_REACH = 2
    NOT_CONVERGED = 3
    OTHER_BRANCH = 4
    """A leg closes there, but not on the branch it has at home: the straight way from home passes its fold."""
    PATH_FOLDS = 5
    """Forward kinematics: the platform cannot follow its actuators from the guess to the displacements asked for."""
    GUESS_OUT_OF_REACH = 6
    """Forward kinematics: the guess is no pose of the robot."""
    OVERFLOW = 7
    """Finite numbers so large that what follows from them is not."""
    INFEASIBLE = 8
    """No forces within the limits of the actuators, tensions of cables among them, give the platform what it needs."""

    @property
    def text(self) -> str:
        """For people: "near singular"."""
        return self.name.lower().replace("_", " ")


def status_texts(status: NDArray[np.int64]) -> NDArray[np.str_]:
    """Texts of statuses, one or (N,)."""
    texts = np.array([Status(k).text if k in Status.__members__.values() else "" for k in range(max(Status) + 1)])
    return texts[status]


class PoseError(NumericalError):
    """A single pose that has no solution.

    Attributes:
        status: Cause of failure.
        leg: Name of the leg.
        amount: How far it falls short [m]; not converged, its closure error [m, or sine of an angle]; for a path that
            folds the share of it before the fold.
    """

    def __init__(self, status: Status, leg: str, amount: float, where: str = "", hint: str = "") -> None:
        """The line for one sample; `where` says which, e.g. "start", `hint` what to try."""
        self.status, self.leg, self.amount, self._where, self._hint = status, leg, amount, where, hint
        super().__init__(self.told())

    def told(self, length: tuple[float, str] = (1.0, "m")) -> str:
        """The line with lengths in a unit, so many of which are 1 m."""
        where, hint = f"{self._where}: " if self._where else "", f" ({self._hint})" if self._hint else ""
        return f"{where}{sentence(self.status, self.leg, self.amount, Display(length=length))}{hint}"


def sentence(status: Status, leg: str, amount: float, display: Display = SI) -> str:
    """One clause on a sample without a solution, in the units shown."""
    factor, unit = display.length
    if status == Status.INFEASIBLE:
        return "no forces within the actuators' limits give the platform what it needs"
    if status == Status.OVERFLOW:
        return f"numbers overflow: the largest given is {amount:.4g}, give smaller ones"
    if status == Status.NEAR_SINGULAR:
        return "the actuators do not hold the platform there, and forces have no bound (near singular)"
    if status == Status.OUT_OF_REACH:
        return f"leg {leg} is out of reach by {amount * factor:.4g} {unit}"
    if status == Status.OTHER_BRANCH and not leg:
        return "the legs hold the platform there only in another assembly: on the straight way from home they fold"
    if status == Status.OTHER_BRANCH:
        return f"leg {leg} reaches only on another branch: on the straight way from home it folds"
    if status == Status.GUESS_OUT_OF_REACH:
        return f"the guess is out of reach: leg {leg}" + (f" by {amount * factor:.4g} {unit}" if amount > 0.0 else "")
    there = f"{100.0 * amount:.3g} % of the way from the guess"
    if status == Status.PATH_FOLDS and leg:
        return f"leg {leg} is stretched or folded beyond {there}, and cannot follow"
    if status == Status.PATH_FOLDS:
        return f"the platform is singular at {there}, and cannot follow its actuators"
    if status == Status.NOT_CONVERGED and not leg:
        return f"the pose was followed to {there}, and not beyond"
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

    def lost(self, robot: Mechanism, single: bool, x: ArrayLike | None = None) -> NDArray[np.bool_]:
        """(N,) the samples without a solution; raises `PoseError` if there is but one, and it has none.

        The pose x (n,) is looked at for coordinates that can only be meant in other units.
        """
        lost = self.status > Status.NEAR_SINGULAR
        if single and lost[0]:
            leg = robot.legs[self.leg[0]].name if self.leg[0] >= 0 else ""
            overflows = self.status[0] == Status.OVERFLOW  # of numbers that no unit would make sensible
            hint = "" if x is None or overflows else _in_other_units(robot, np.ravel(x))
            raise PoseError(Status(self.status[0]), leg, float(self.amount[0]), hint=hint)
        return lost


def _in_other_units(robot: Mechanism, x: NDArray[np.float64]) -> str:
    """What to try where a coordinate of x (n,) is so large that it can only be meant in mm or deg; else empty."""
    for k, coordinate in enumerate(robot.platform.coordinates):
        if too_far(robot, k, [x[k]], stated=True) is not None:
            unit, meant = ("rad", "degrees") if coordinate.turns else ("m", "millimetres")
            return f"{coordinate.name} = {x[k]:g} {unit}: {meant}? coordinates are in m and rad"
    return ""


def judge(
    short: NDArray[np.float64],
    converged: NDArray[np.bool_],
    condition: NDArray[np.float64] | None = None,
    robot: Mechanism | None = None,
    x: NDArray[np.float64] | None = None,
) -> Verdict:
    """Statuses from each leg's shortfall and convergence (N, legs) and, if given, the condition of K (N,).

    What an iteration that failed says of a leg's reach does not count. With the robot and its poses x (N, n) the least
    gap of such a leg does, and where there is none the closure error is given; that takes a while per sample.
    """
    residual: Any = None
    other = np.zeros(short.shape, dtype=bool)
    if robot is not None and not (converged.all() and (short <= REACH_SLACK).all()):
        x = np.broadcast_to(np.atleast_2d(np.asarray(x, dtype=float)), (len(short), robot.dof))
        short, converged, other = settled(robot, x, short, converged)
        residual = np.zeros(short.shape)
        left = np.flatnonzero(~(converged | other).all(axis=1))
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
    stuck = ~(converged | other).all(axis=1)
    status[other.any(axis=1)] = Status.OTHER_BRANCH
    status[stuck] = Status.NOT_CONVERGED
    status[beyond] = Status.OUT_OF_REACH
    leg = np.where(other.any(axis=1), np.argmax(other, axis=1), -1)
    if robot is not None and robot.platform.dependent:
        leg[other[:, _holding(robot)].all(axis=1)] = -1
    leg = np.where(beyond, worst, np.where(stuck, np.argmin(converged | other, axis=1), leg))
    open_end = np.where(stuck, residual[rows, leg], 0.0) if residual is not None else 0.0
    return Verdict(status, leg, np.where(beyond, short[rows, worst], open_end), short)


def settled(
    robot: Mechanism,
    x: NDArray[np.float64],
    short: NDArray[np.float64],
    converged: NDArray[np.bool_],
    newton: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Shortfalls, convergence, and whether another branch closes (N, legs), for legs that lost their branch at home.

    The least gap shows what is out of reach, and by how much. Where there is none, the leg closes, but on another
    branch; where no least gap is found, it stays not converged.

    Args:
        robot: Any.
        x: (N, n) poses.
        short, converged: (N, legs) as found.
        newton: All legs were closed by Newton's method, also those with a closed form.
    """
    from gough.kinematics.closure.assembly import winding
    from gough.kinematics.closure.closed_forms import closed_form
    from gough.kinematics.closure.nearest_approach import nearest
    from gough.kinematics.closure.newton import REACHED

    short, converged, other = short.copy(), converged.copy(), np.zeros(short.shape, dtype=bool)
    holding: list[int] = []
    if robot.platform.dependent:
        holding = _holding(robot)
        astray = np.flatnonzero(~converged[:, holding].all(axis=1))
        if len(astray):
            short[astray], converged[astray], other[astray] = _together(robot, x[astray], holding)
        d = kinematics_program(robot, 0)(x=x)["dependent"]
        x = np.stack(robot.platform.in_order([*x.T], [*d.T]), axis=1)
        robot = replace(robot.mechanism, platform=home_platform(robot))
    for k, leg in enumerate(robot.legs):
        if k in holding:
            continue
        open_ends = np.flatnonzero(~(converged[:, k] & (short[:, k] <= REACH_SLACK)))
        if len(open_ends) and (newton or closed_form(leg) is None):
            gap, least = nearest(robot, k, x[open_ends])
            far = least & (gap > REACHED)
            short[open_ends[far], k] = gap[far]
            converged[open_ends, k] = far
            other[open_ends, k] = least & ~far
            short[open_ends[least & ~far], k] = 0.0
        elif len(open_ends) and winding(leg):
            reached = short[open_ends, k] <= REACH_SLACK
            converged[open_ends, k] = ~reached
            other[open_ends, k] = reached
    return short, converged, other


def _holding(robot: Mechanism) -> list[int]:
    """Indices of the legs that constrain the platform."""
    return [k for k, leg in enumerate(robot.legs) if constrains(leg)]


def _together(robot: Mechanism, x: NDArray[np.float64], holding: list[int]) -> tuple[Any, Any, Any]:
    """As `settled`, for samples x (N, n) whose dependent coordinates were lost on the way from home."""
    from gough.kinematics.closure.newton import REACHED
    from gough.kinematics.dependent.nearest_together import nearest_together

    gaps, least = nearest_together(robot, x)
    far = least & (gaps.max(axis=1) > REACHED)
    converged, other = np.ones(gaps.shape, dtype=bool), np.zeros(gaps.shape, dtype=bool)
    converged[:, holding] = far[:, None]
    other[:, holding] = (least & ~far)[:, None]
    return np.where(far[:, None], gaps, 0.0), converged, other


def singular_jacobians(robot: Mechanism, K: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) whether K (N, actuators, n) is that of a pose near singular: ill-conditioned, or of a leg at its fold."""
    return ~(condition_number(robot, K) <= SINGULAR) | stretched(robot, K)


def condition_number(robot: Mechanism, K: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) condition of K (N, actuators, n) on free rates, turns divided by the robot's length where others slide."""
    matrices = scaled(robot, K)
    good = np.isfinite(matrices).all(axis=(1, 2))
    condition = np.full(len(K), np.inf)
    if good.any():
        found = condition_program(*matrices.shape[1:])(K=np.ascontiguousarray(matrices[good]))
        condition[good] = np.where(np.isnan(found), np.inf, found)
    return condition
