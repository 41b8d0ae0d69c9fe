"""A path followed by certified steps, recorded."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from gough.graph import (
    Scalar,
    Step,
    Vector,
    array,
    greater_equal,
    isfinite,
    iterate,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    where,
)
from gough.kinematics.forward.certified_step import Certified
from gough.kinematics.forward.path_certificate import longest_way
from gough.kinematics.forward.step import SHORTEST

FARTHER = 4.0
"""A short step of which this many times as much would not be certain must be short."""
CROSSING = 1e-2
"""A step on which a leg is stretched is as short as this, so that the place is known."""
TRIAL = 0.5
"""Share of the path that is tried first where the whole was not certain."""
GOING, ENDED, FOLDED, LOST = 0.0, 1.0, 2.0, 3.0
"""How far a path was followed."""


class Path(NamedTuple):
    """A path as far as it was followed.

    Attributes:
        c: (m,) the configuration there.
        left: (n,) the way that the actuators have to go from there.
        trial: Share of it to be tried next.
        rest: Share of the whole path that is left.
        steps: Taken.
        outcome: `GOING`, `ENDED`, `FOLDED` or `LOST`.
        actuator: Whose leg is stretched or folded where it folds, -1 if none.
        plain: 1 where it has ended and the pose is certainly not near singular, else 0.
        residual: What is then missing of the displacements [m or rad].
    """

    c: Vector
    left: Vector
    trial: Any
    rest: Any
    steps: Any
    outcome: Any
    actuator: Any
    plain: Any
    residual: Any

    @classmethod
    def beginning(cls, c: Vector, left: Vector) -> Path:
        """The path from a configuration c (m,) with `left` (n,) to go."""
        return cls(c, left, TRIAL, 1.0, 0.0, GOING, -1.0, 0.0, 0.0)


def follow_path(
    certified: Certified,
    path: Path,
    q: Vector,
    most: int,
    *,
    wanted: Scalar = True,
    tries: Scalar | None = None,
) -> Path:
    """The path to displacements q (n,) after at most so many steps, tried or taken.

    Args:
        certified: Of the robot.
        path: Where it is, with outcome `GOING`.
        q: As above.
        most: The most for any sample.
        wanted: Whether to go on at all.
        tries: The most for this sample, if they are fewer.
    """
    m, n = certified.space.size, len(certified.legs)

    def packed(path: Path, left: Scalar) -> Vector:
        return array([*path.c, *path.left, *path[2:], left])

    def unpacked(state: Vector) -> Path:
        return Path(state[:m], state[m : m + n], *state[m + n : -1])

    def step(state: Vector) -> Step:
        after, left = onward(certified, unpacked(state), q), state[-1] - 1.0
        going = less(after.outcome, 0.5)
        return Step(packed(after, left), logical_and(going, left > 0.5), logical_not(going))

    start = packed(path, float(most) if tries is None else tries)
    return unpacked(iterate(step, start, most, wanted=wanted).state)


def onward(certified: Certified, path: Path, q: Vector) -> Path:
    """The path to displacements q (n,) after one more step is tried.

    It is taken where it is certain; otherwise a shorter one is to be tried next.
    """
    c, left = path.c, path.left
    here, _ = certified.here(certified.space.platform(c), certified.coordinates(q - left))
    share = minimum(path.trial, longest_way(here, left))
    there, half = (certified.coordinates(q - left * (1.0 - part * share)) for part in (1.0, 0.5))
    aim = certified.aim(here, c, there, left * share, half)
    end = certified.arrival(here, c, aim, True)
    going = logical_and(end.arrived, end.kept)
    scope, size = aim.tube.scope, aim.tube.size
    shortest = SHORTEST * certified.scale.rho

    near = less_equal(size, CROSSING * certified.scale.rho)
    crossed = reduce(logical_and, (end.arrived, near, logical_not(reduce(logical_and, end.same))))
    stretched = logical_and(end.arrived, logical_not(end.kept))
    tiny = logical_and(less_equal(size, shortest), logical_or(stretched, less_equal(scope, FARTHER)))
    ended = logical_and(going, greater_equal(share, 1.0))
    folded = logical_and(logical_or(crossed, tiny), logical_not(ended))
    lost = logical_not(isfinite(aim.tube.change))
    outcome = where(ended, ENDED, where(folded, FOLDED, where(lost, LOST, GOING)))

    rest = 1.0 - where(going, share, 0.0)
    farther = where(going, scope, where(end.arrived, 0.5, minimum(scope, 0.5)))
    trial = minimum(1.0, farther * share / maximum(rest, np.finfo(float).tiny))
    actuator: Any = -1.0
    for k, same in reversed(list(enumerate(end.same))):
        actuator = where(same, actuator, float(k))
    return Path(
        where(going, certified.space.moved(c, end.y), c),
        left * rest,
        trial,
        path.rest * rest,
        path.steps + where(going, 1.0, 0.0),
        outcome,
        where(crossed, actuator, -1.0),
        where(logical_and(ended, end.plain), 1.0, 0.0),
        end.residual,
    )
