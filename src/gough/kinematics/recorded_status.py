"""The status of a sample, recorded: what equations themselves can tell, for code that runs without Python.

It agrees with what calls on samples find by slower means, but for what `untold` lists.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from gough.graph import (
    Scalar,
    Vector,
    absolute,
    isfinite,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    where,
)
from gough.graph.elementary import FARTHEST
from gough.kinematics.closure.assembly import winding
from gough.kinematics.dependent.constraint import constrains
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.recorded_condition import condition
from gough.kinematics.robot_pose import RobotPose, Ways
from gough.kinematics.sampled_call import HUGE, all_finite
from gough.kinematics.singularity import SINGULAR, scaled, surely_regular, usual_gain
from gough.kinematics.status import Status
from gough.robot import Leg, Mechanism

NOT_FINITE = int(Status.NOT_FINITE)
"""Status of a sample with an input that is not a finite number; Python's functions refuse it."""


class Told(NamedTuple):
    """A recorded status: one of `Status` or `NOT_FINITE`, and the index of the leg that fails, -1 if none."""

    status: Scalar
    leg: Scalar

    @property
    def lost(self) -> Scalar:
        """Whether the sample has no values."""
        return logical_or(self.status > float(Status.NEAR_SINGULAR), self.status < float(Status.FINE))


class _Leg(NamedTuple):
    """What is wrong with a leg: it falls short, its iteration failed, or it closes on another branch alone."""

    beyond: Scalar
    stuck: Scalar
    other: Scalar


def of_legs(robot: Mechanism, ways: Ways, pose: RobotPose) -> Told:
    """The status by the legs alone: FINE where all of them close.

    Args:
        robot: In plain numbers.
        ways: How it is closed.
        pose: Where.
    """
    legs = [_judged(robot, ways, k, leg.closure) for k, leg in enumerate(pose.legs)]
    status, number = _first(legs, "other", Status.OTHER_BRANCH, Told(float(Status.FINE), -1.0))
    status, number = _first(legs, "stuck", Status.NOT_CONVERGED, Told(status, number))
    worst: Any = None
    for k, (leg, judged) in enumerate(zip(pose.legs, legs, strict=True)):
        short = leg.closure.short
        farther = judged.beyond if worst is None else logical_and(judged.beyond, logical_not(less_equal(short, worst)))
        worst = where(judged.beyond, short, 0.0) if worst is None else where(farther, short, worst)
        number = where(farther, float(k), number)
        status = where(judged.beyond, float(Status.OUT_OF_REACH), status)
    return Told(status, number)


def _judged(robot: Mechanism, ways: Ways, k: int, closure: Any) -> _Leg:
    reached = less_equal(closure.short, REACH_SLACK)
    if not tells(robot, ways, k):
        return _Leg(False, logical_not(logical_and(closure.converged, reached)), False)
    if winding(robot.legs[k]):
        return _Leg(logical_not(reached), False, logical_and(reached, logical_not(closure.converged)))
    return _Leg(logical_and(closure.converged, logical_not(reached)), logical_not(closure.converged), False)


def tells(robot: Mechanism, ways: Ways, k: int) -> bool:
    """Whether the equations of a leg tell what is out of reach: it has a closed form at a pose that is given."""
    return ways.legs[k].form is not None and not (robot.platform.dependent and constrains(robot.legs[k]))


def _first(legs: list[_Leg], fault: str, status: Status, so_far: Told) -> Told:
    """The status where a leg has a fault, with the first such leg."""
    found, number = so_far
    for k in reversed(range(len(legs))):
        has = getattr(legs[k], fault)
        found, number = where(has, float(status), found), where(has, float(k), number)
    return Told(found, number)


def told(robot: Mechanism, legs: Told, sound: Scalar, given: list[Vector], x: Vector, rest: Scalar | float) -> Told:
    """The status of a sample.

    Args:
        robot: In plain numbers.
        legs: By the legs alone.
        sound: Whether all is fine.
        given: All inputs.
        x: (n,) platform coordinates.
        rest: Status of a sample that is not sound although its legs close.
    """
    status = where(legs.status > 0.0, legs.status, where(sound, float(Status.FINE), rest))
    finite: Any = True
    quick = all_finite(*given)  # costs nothing where it is part of `sound`; where it fails, each is looked at
    for values in given:
        for value in values:
            finite = logical_and(finite, isfinite(value))
    finite = logical_or(quick, finite)
    large: Any = False
    for value, coordinate in zip(x, robot.platform.coordinates, strict=True):
        far = absolute(value) > (FARTHEST if coordinate.turns else HUGE)
        large = logical_or(large, far if coordinate.turns else logical_and(far, logical_not(sound)))
    status = where(finite, where(large, float(Status.OVERFLOW), status), float(NOT_FINITE))
    return Told(status, where(logical_or(large, logical_not(finite)), -1.0, legs.leg))


def regular(robot: Mechanism, K: Vector) -> Scalar:
    """Whether the condition of K (actuators, n) on free rates and its size are within those of a pose that is FINE."""
    in_lengths = scaled(robot, K)
    sure = surely_regular(robot, K)
    exact = condition(in_lengths, logical_not(sure))
    largest: Any = 0.0
    for value in absolute(in_lengths).ravel():
        largest = where(logical_not(less_equal(value, largest)), value, largest)
    near = logical_and(exact <= SINGULAR, largest < usual_gain(robot) * SINGULAR)
    return logical_or(sure, near)


def unfolded(robot: Mechanism, K: Vector) -> Scalar:
    """Whether K (actuators, n) has the size of a pose without a leg that is stretched or folded."""
    return reduce(maximum, absolute(scaled(robot, K)).ravel()) < usual_gain(robot) * SINGULAR


def is_strut(leg: Leg) -> bool:
    """Whether a leg is moved by one slide at its end, a strut or a cable: it has no fold, its row of K is bounded."""
    driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
    return driven == [leg.end.joint] and leg.joints[leg.end.joint].kind == "P" and leg.end.kind == "spherical"
