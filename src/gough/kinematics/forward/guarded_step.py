"""Steps along the path of any robot, recorded: taken where the Jacobian changes little on them.

Where legs are no distance legs (see `distance_legs`) there is no certificate. A step is relied on where K, half-way and
at each point that Newton's method passes, differs from K at its beginning by less than a quarter of itself, and where
corrections shrink. `step.checked_step` does the same in NumPy, for as short a step as it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from gough.graph import (
    Array,
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    dot,
    equal,
    factor,
    floor,
    iterate,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    orthogonal,
    solve,
    sqrt,
    where,
)
from gough.kinematics.configuration import Configuration
from gough.kinematics.forward.step import CAP, CHANGE, SMALL
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, Ways, ways_of
from gough.kinematics.singularity import surely_regular
from gough.robot import Mechanism

_MOST = 14
"""Visits of a step from a guess; from the last pose of a control loop it takes four or five."""
_DONE = 2.0**-54
"""A correction is the last where the next one would be smaller than this, in the robot's length."""


class Place(NamedTuple):
    """Displacements (actuators,), K (actuators, n) and whether all legs reach at a configuration."""

    q: Vector
    K: Vector
    reached: Scalar


@dataclass(frozen=True)
class Guarded:
    """Displacements over configurations of any robot."""

    robot: Mechanism

    @cached_property
    def space(self) -> Configuration:
        """The space of configurations."""
        return Configuration(self.robot)

    @cached_property
    def ways(self) -> Ways:
        """How the robot is closed."""
        return ways_of(self.robot)

    @cached_property
    def length(self) -> float:
        """The robot's [m]."""
        return characteristic_length(self.robot)

    @cached_property
    def sizes(self) -> Array:
        """(n,) by which displacements y are measured: 1 where they slide, the robot's length where they turn."""
        return np.array([self.length if c.turns else 1.0 for c in self.robot.platform.coordinates])

    def at(self, c: Vector) -> Place:
        """The robot at a configuration c (m,)."""
        pose = self.space.pose(self.ways, c)
        reached = reduce(logical_and, [leg.closure.reached for leg in pose.legs])
        return Place(displacements(pose), array(pose.jacobian()), reached)

    def way(self, here: Vector, there: Vector) -> Vector:
        """(actuators,) from displacements to displacements; an actuator that turns takes the shorter way."""
        turn = 2.0 * np.pi
        apart = there - here
        return array(
            [
                value - turn * floor(value * (1.0 / turn) + 0.5) if joint.turns else value
                for value, joint in zip(apart, self.robot.actuators, strict=True)
            ]
        )

    def size_of(self, y: Vector) -> Scalar:
        """Length of a displacement y (n,) along the free rates [m]."""
        return sqrt(dot(y * self.sizes, y * self.sizes))

    def change(self, K: Vector, K_end: Vector) -> Scalar:
        """How much K_end differs from K, as the Frobenius norm of K^+ K_end - 1 in displacements measured by sizes."""
        inverse = inverted(K)
        total: Any = 0.0
        for k in range(K.shape[1]):
            column = inverse(K_end[:, k] - K[:, k]) * (self.sizes / self.sizes[k])
            total = total + dot(column, column)
        return sqrt(total)

    def beginning(self, x: Vector, q: Vector) -> dict[str, Any]:
        """The configuration of the guess x (n,), the way from there to q (actuators,), whether all legs reach."""
        c = self.space.of_coordinates(x)
        here = self.at(c)
        return {"c": c, "left": self.way(here.q, q), "reached": here.reached}

    def quick(self, guess: Vector, q: Vector) -> dict[str, Any]:
        """Pose and residual at displacements q, and whether that is sound: one step from the guess x (n,), fine.

        The robot is solved at the guess, half-way, at the end that K half-way leads to, and at each point of Newton's
        method from there: in one loop, so that its equations stand there once.
        """
        space, least = self.space, SMALL * self.length
        (m, n), start = (len(self.robot.actuators), self.robot.dof), space.of_coordinates(guess)
        places = np.cumsum([space.size, m * n, m])

        def visit(state: Vector) -> Step:
            c, K_guess, left, (visits, before, limit, bend, last, *_) = np.split(state, places)
            at_guess, half_way, last = visits < 0.5, equal(visits, 1.0), last > 0.5
            here = self.at(c)
            missing = self.way(here.q, q)
            left = where(at_guess, missing, left)
            dy = inverted(here.K)(where(half_way, left, missing))
            size = self.size_of(dy)
            K_guess = where(at_guess, here.K, K_guess.reshape(m, n))
            change = self.change(K_guess, here.K)
            short = size <= where(visits < 1.5, CAP * self.length, limit)
            good = reduce(logical_and, (here.reached, change <= CHANGE, short))
            bend = where(half_way, 2.0 * change / size, bend)
            rest = bend * size if m == n else size / before  # Newton's method; linear where displacements do not fit
            stalls = logical_and(size <= least, size > before * 0.5)
            ends = logical_and(visits > 1.5, logical_or(rest * size <= _DONE * self.length, stalls))
            on = space.moved(where(visits < 1.5, start, c), where(at_guess, dy * 0.5, dy))
            limit = maximum(size * where(visits < 1.5, CHANGE, 0.5), least)
            regular = surely_regular(self.robot, here.K)
            facts = [where(ends, 1.0, 0.0), reduce(maximum, absolute(missing)), where(regular, 1.0, 0.0)]
            after = array([*where(last, c, on), *K_guess.ravel(), *left, visits + 1.0, size, limit, bend, *facts])
            return Step(after, logical_and(good, logical_not(last)), logical_and(good, last))

        found = iterate(visit, array([*start, *np.zeros(m * n + m + 7)]), _MOST)
        residual, regular = found.state[-2], found.state[-1] > 0.5
        return {
            "x": space.coordinates(found.state[: space.size]),
            "residual": residual,
            "sound": logical_and(found.found, regular),
        }


def displacements(pose: RobotPose) -> Vector:
    """(actuators,) displacements from the actuators' zeros at a pose [m or rad]."""
    return array(
        [
            coordinate.value(joint.start) - joint.zero
            for leg in pose.legs
            for coordinate, joint in zip(leg.coordinates, leg.leg.joints, strict=True)
            if joint.actuated
        ]
    )


def inverted(K: Vector) -> Callable[[Vector], Vector]:
    """b (actuators,) -> y (n,) with K y = b, for which |K y - b| is least where there are more actuators."""
    m, n = K.shape
    if m == n:
        factors = factor(K)
        return lambda b: array(solve(factors, b))
    turned = orthogonal(K)
    return lambda b: array(turned.least_squares(b))
