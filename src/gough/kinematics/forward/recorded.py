"""Forward kinematics recorded whole, with a fixed bound on its steps: for code that runs without Python.

Robots whose actuators all set distances follow the path by certified steps, the others by guarded ones: a step is
taken where the Jacobian changes by less than a quarter of itself on it and its correction is a small share of it;
otherwise half of it is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from gough.graph import (
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    equal,
    isfinite,
    iterate,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    record,
    where,
)
from gough.graph.elementary import FARTHEST
from gough.graph.graph import Graph
from gough.kinematics.forward.certified_path import ENDED, FOLDED, Path, follow_path
from gough.kinematics.forward.certified_step import Certified
from gough.kinematics.forward.distance_equations import distance_legs
from gough.kinematics.forward.guarded_step import Guarded, displacements, inverted
from gough.kinematics.forward.step import CAP, CHANGE, SHORTEST, SMALL
from gough.kinematics.recorded_status import NOT_FINITE, of_legs, regular
from gough.kinematics.robot_pose import Ways, robot_pose, ways_of
from gough.kinematics.sampled_call import HUGE
from gough.kinematics.status import Status
from gough.robot import Mechanism, by_mechanism

MOST_STEPS = 40
"""Steps of a path; from the last sample of a control loop it takes one or two."""


class Found(NamedTuple):
    """What following gives: the pose x (n,), what is missing of the displacements, status and leg."""

    x: Vector
    residual: Scalar
    status: Scalar
    leg: Scalar


@by_mechanism(32)
def following(robot: Mechanism) -> Callable[[Vector, Vector], Found]:
    """(guess (n,), displacements q (actuators,)) -> what is found on the path from the guess to q."""
    legs = distance_legs(robot)
    ways = ways_of(robot)
    if legs is not None:
        certified = Certified(robot, legs)
        return lambda guess, q: _by_certified_steps(certified, ways, guess, q)
    guarded = Guarded(robot)
    return lambda guess, q: _by_guarded_steps(guarded, guess, q)


def _by_certified_steps(certified: Certified, ways: Ways, guess: Vector, q: Vector) -> Found:
    robot, space = certified.robot, certified.space
    x_first, left, reached, first = certified.from_guess(guess, q)
    at_once = reduce(logical_and, (reached, first.arrived, first.kept))
    start = Path.beginning(space.of_coordinates(guess), left)
    path = follow_path(certified, start, q, MOST_STEPS, wanted=logical_and(reached, logical_not(at_once)))
    x = where(at_once, x_first, space.coordinates(path.c))
    done = logical_or(at_once, equal(path.outcome, ENDED))
    return _ended(robot, ways, guess, q, x, done, reached, where(equal(path.outcome, FOLDED), 1.0, 0.0))


def _ended(
    robot: Mechanism, ways: Ways, guess: Vector, q: Vector, x: Vector, done: Scalar, reached: Scalar, fold: Scalar
) -> Found:
    """The end of a path, with its status; `fold` is 1 where it folds."""
    pose = robot_pose(robot, ways, x)
    fine = regular(robot, pose.free_jacobian())
    stopped = where(fold > 0.5, float(Status.PATH_FOLDS), float(Status.NOT_CONVERGED))
    status = where(done, where(fine, float(Status.FINE), float(Status.NEAR_SINGULAR)), stopped)
    leg: Any = -1.0
    at_guess = of_legs(robot, ways, robot_pose(robot, ways, guess))
    status = where(reached, status, float(Status.GUESS_OUT_OF_REACH))
    leg = where(reached, leg, at_guess.leg)
    finite: Any = True
    large: Any = False
    for value in (*guess, *q):
        finite = logical_and(finite, isfinite(value))
        large = logical_or(large, absolute(value) > HUGE)
    for value, coordinate in zip(guess, robot.platform.coordinates, strict=True):
        if coordinate.turns:
            large = logical_or(large, absolute(value) > FARTHEST)
    for value, joint in zip(q, robot.actuators, strict=True):
        if joint.turns:
            large = logical_or(large, absolute(value) > FARTHEST)
    status = where(finite, where(large, float(Status.OVERFLOW), status), float(NOT_FINITE))
    leg = where(logical_or(large, logical_not(finite)), -1.0, leg)
    missing = absolute(Guarded(robot).way(displacements(pose), q))
    return Found(x, reduce(maximum, missing), status, leg)


def _by_guarded_steps(guarded: Guarded, guess: Vector, q: Vector) -> Found:
    space, length = guarded.space, guarded.length
    size = space.size

    def step(state: Vector) -> Step:
        c, allowed = state[:size], state[size]
        here = guarded.at(c)
        left = guarded.way(here.q, q)
        whole = inverted(here.K)(left)
        far = guarded.size_of(whole)
        share = minimum(allowed, minimum(1.0, CAP * length / maximum(far, SMALL * length)))
        middle = space.moved(c, whole * share)
        there = guarded.at(middle)
        off = inverted(there.K)(guarded.way(there.q, here.q + left * share))
        like = guarded.change(here.K, there.K)
        tiny = less_equal(far, SMALL * length)
        small = less_equal(guarded.size_of(off), maximum(CHANGE * share * far, SMALL * length))
        holds = reduce(logical_and, (there.reached, less_equal(like, CHANGE), small, isfinite(far)))
        going = logical_or(holds, tiny)
        on = where(going, space.moved(middle, off), c)
        next_share = where(holds, minimum(1.0, share * 2.0), share * 0.5)
        lost = logical_or(logical_not(isfinite(far)), less_equal(share * far, SHORTEST * length))
        ends = logical_and(isfinite(far), tiny)
        goes_on = logical_and(logical_not(ends), logical_or(holds, logical_not(lost)))
        fold = logical_and(lost, logical_not(holds))
        return Step(array([*on, next_share, where(fold, 1.0, 0.0)]), goes_on, ends)

    start = space.of_coordinates(guess)
    reached = guarded.at(start).reached
    path = iterate(step, array([*start, 1.0, 0.0]), 2 * MOST_STEPS, wanted=reached)
    x = space.coordinates(path.state[:size])
    return _ended(guarded.robot, guarded.ways, guess, q, x, path.found, reached, path.state[-1])


@by_mechanism(32)
def following_graph(robot: Mechanism) -> Graph:
    """The graph of `following`."""
    found = following(robot)
    return record(lambda guess, q: found(guess, q)._asdict(), guess=robot.dof, q=len(robot.actuators))
