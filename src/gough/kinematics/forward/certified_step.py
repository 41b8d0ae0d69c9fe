"""Certified steps along the path, recorded: the certificate, then Newton's method to the end of what it allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from gough.graph import (
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    cos,
    cross,
    dot,
    factor,
    greater,
    iterate,
    less,
    less_equal,
    logical_and,
    logical_not,
    maximum,
    minimum,
    sin,
    solve,
    where,
)
from gough.kinematics.chain import Coordinate, Slide, Turn
from gough.kinematics.configuration import Configuration, matrix_of
from gough.kinematics.forward.distance_equations import At, DistanceLeg
from gough.kinematics.forward.fixed_order import inverse_in_order, pivot_order
from gough.kinematics.forward.path_certificate import Arc, Here, Tube, tube
from gough.kinematics.forward.scale import Scale
from gough.kinematics.forward.ways import near_way, ways
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import assembled, ways_of
from gough.kinematics.singularity import SINGULAR, usual_gain
from gough.robot import Mechanism

MOST_CORRECTIONS = 8
"""Of a step; from the last pose of a control loop it takes one or two."""
ROUND_OFF, MOST_ROUND_OFF = 16.0, 4096.0
"""A correction of at most so many grains is taken for round-off; where it is not below half of the last, of so many."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Where the path leads from here.

    Attributes:
        end: (n,) the end of the arc, as `_turn` takes it.
        there: The equations at the actuators' coordinates there.
        arc: See `path_certificate`.
        tube: What is certain about it.
        newton: From gaps F (n,) to what Newton's method takes off a displacement with them, near the end.
        ahead: (n,) the end after one correction.
        first: N of that correction [m].
    """

    end: Vector
    there: Sequence[At]
    arc: Arc
    tube: Tube
    newton: Callable[[Any], Any]
    ahead: Vector
    first: Any


class Arrival(NamedTuple):
    """The end of a step.

    Attributes:
        y: (n,) displacement to it.
        arrived: Whether it is certainly the path's, but for stretched legs.
        same: For each leg whether dF/dq has its sign there.
        kept: Whether no leg is stretched or folded on the way.
        plain: Whether the pose is certainly not near singular.
        residual: What is missing of the displacements [m or rad].
    """

    y: Vector
    arrived: Any
    same: list[Any]
    kept: Any
    plain: Any
    residual: Any


@dataclass(frozen=True)
class Certified:
    """A robot whose actuators all set distances: see `distance_legs`."""

    robot: Mechanism
    legs: tuple[DistanceLeg, ...]

    @cached_property
    def scale(self) -> Scale:
        """The norm of displacements."""
        turns = tuple(c.turns for c in self.robot.platform.coordinates)
        return Scale(turns, characteristic_length(self.robot))

    @cached_property
    def idle(self) -> bool:
        """Whether a leg without an actuator has a say in what is within reach."""
        return len(self.legs) < len(self.robot.legs)

    @cached_property
    def space(self) -> Configuration:
        """The space of configurations."""
        return Configuration(self.robot)

    def quick(self, guess: Vector, q: Vector) -> dict[str, Any]:
        """Pose and residual at displacements q, and whether that is sound: certain in one step from the guess, fine.

        As in `from_guess`, but for what only serves long ways and unusual poses.
        """
        pose, legs, coordinates = self._at_guess(guess)
        there = self.coordinates(q)
        near = [near_way(a, b) for a, b in zip(coordinates, there, strict=True)]
        left, halves = array([way.left for way in near]), [way.half for way in near]
        here, good = self.here(pose, coordinates, near_home=True)
        aim = self.aim(here, guess, there, left, halves if any(leg.swing for leg in self.legs) else None, short=True)
        facts = [good, *[leg.closure.sound for leg in legs], *[way.short for way in near]]
        end = self.arrival(here, guess, aim, reduce(logical_and, facts))
        x = self._coordinates_at(guess, end.y, self._orientation(pose, end.y))
        sound = reduce(logical_and, (end.arrived, end.kept, end.plain))
        return {"x": x, "residual": end.residual, "sound": sound}

    def from_guess(self, x: Vector, q: Vector) -> tuple[Any, Any, Any, Arrival]:
        """The whole way from the guess x (n,) to displacements q (n,) in one step.

        Returns the pose at its end (n,), the way (n,), whether all legs reach at the guess, and the arrival.
        """
        pose, legs, coordinates = self._at_guess(x)
        there = self.coordinates(q)
        left = ways(coordinates, there)
        here, _ = self.here(pose, coordinates)
        aim = self.aim(here, x, there, left, self.coordinates(q - left * 0.5))
        end = self.arrival(here, x, aim, reduce(logical_and, [leg.closure.sound for leg in legs]))
        reached = reduce(logical_and, [leg.closure.reached for leg in legs])
        return self._coordinates_at(x, end.y, self._orientation(pose, end.y)), left, reached, end

    def beginning(self, x: Vector, q: Vector) -> dict[str, Any]:
        """The configuration of the guess x (n,), the way from there to displacements q (n,), whether all legs reach."""
        _, legs, coordinates = self._at_guess(x)
        left = ways(coordinates, self.coordinates(q))
        reached = reduce(logical_and, [leg.closure.reached for leg in legs])
        return {"c": self.space.of_coordinates(x), "left": left, "reached": reached}

    def _at_guess(self, x: Vector) -> tuple[PlatformPose, Sequence[LegPose], list[Coordinate]]:
        """The platform's pose at x, the legs, and the coordinates of the actuated joints."""
        pose = platform_pose(self.robot.platform, x).free()
        legs = assembled(self.robot, ways_of(self.robot), x, pose).legs
        return pose, legs, [legs[leg.number].closure.coordinates[leg.joint] for leg in self.legs]

    def arrival(self, here: Here, x: Vector, aim: Aim, wanted: Scalar) -> Arrival:
        """The end of an aim from the pose here, which is at x; it is looked for only where that is wanted and certain.

        Corrections shrink by about the same share each: the last is one whose next would be below round-off, or one
        that is round-off itself: from a guess that is the solution all are.
        """
        there, scale = aim.there, self.scale

        def correction(state: Vector) -> Step:
            y, before = state[:-1], state[-1]
            d = aim.newton(self._gaps(here, x, y, there))
            size = scale.norm(d)
            least = minimum(size, before)
            noise = where(greater(size * 2.0, before), MOST_ROUND_OFF, ROUND_OFF)
            small = less_equal(size * least, aim.tube.grain * maximum(before, noise * least))
            return Step(array([*(y - d), size]), logical_not(small), small)

        certain = logical_and(wanted, aim.tube.holds)
        found = iterate(correction, array([*aim.ahead, aim.first]), MOST_CORRECTIONS, wanted=certain)
        y, done = found.state[:-1], found.found
        spans, _ = self._moved(here, x, y, there)
        slopes = _slopes(spans, there)
        return Arrival(
            y,
            logical_and(done, less_equal(scale.norm(y - aim.end), aim.tube.ball)),
            [greater(a * b, 0.0) for a, b in zip(here.slopes, slopes, strict=True)],
            aim.tube.kept(here.slopes, slopes),
            self._plain(here, there, slopes, aim.tube.change),
            _residual(spans, there, slopes),
        )

    def coordinates(self, q: Vector) -> list[Coordinate]:
        """Coordinates of the actuated joints at displacements q."""
        joints = [self.robot.legs[leg.number].joints[leg.joint] for leg in self.legs]
        values = [value + joint.zero for value, joint in zip(q, joints, strict=True)]
        return [Turn(cos(v), sin(v)) if leg.turns else Slide(v) for leg, v in zip(self.legs, values, strict=True)]

    def _at(self, coordinates: Sequence[Coordinate]) -> list[At]:
        return [leg.at(c) for leg, c in zip(self.legs, coordinates, strict=True)]

    def here(
        self, pose: PlatformPose, coordinates: Sequence[Coordinate], *, near_home: bool = False
    ) -> tuple[Here, Scalar]:
        """The robot at a pose, and whether its Jacobian was inverted well; `near_home` by the order of home's."""
        now = self._at(coordinates)
        arms = [pose.R_BP @ array(self.robot.legs[leg.number].end.platform_point) for leg in self.legs]
        spans = [pose.p_BP + arm - at.A for arm, at in zip(arms, now, strict=True)]
        J = array([pose.power(span, cross(arm, span)) for arm, span in zip(arms, spans, strict=True)])
        G, good = inverse_in_order(J, *self._order) if near_home else (solve(factor(J), np.eye(len(self.legs))), True)
        return Here(self.scale, pose, self.legs, arms, spans, now, _slopes(spans, now), array(G)), good

    @cached_property
    def _order(self) -> tuple[list[int], list[int]]:
        """Rows and columns of the Jacobian in the order in which they are eliminated at home."""
        home = np.array(self.robot.platform.home, dtype=float)
        pose, _, coordinates = self._at_guess(home)
        here = [leg.at(c) for leg, c in zip(self.legs, coordinates, strict=True)]
        rows = []
        for leg, at in zip(self.legs, here, strict=True):
            arm = pose.R_BP @ np.array(self.robot.legs[leg.number].end.platform_point)
            span = pose.p_BP + arm - at.A
            rows.append(pose.power(span, cross(arm, span)))
        return pivot_order(np.array(rows, dtype=float) / np.where(self.scale.turns, self.scale.rho, 1.0))

    def aim(
        self,
        here: Here,
        x: Vector,
        coordinates: Sequence[Coordinate],
        left: Vector,
        halves: Sequence[Coordinate] | None,
        *,
        short: bool = False,
    ) -> Aim:
        """Where the path leads on the way `left` of the actuators to these coordinates, half-way through `halves`.

        On a short way the inverse G of the Jacobian here serves at its end too: with E there, (1 - E + E^2 - ...) G is
        the inverse there.
        """
        there = self._at(coordinates)
        y1 = here.heading(left)
        half = None if halves is None else self._at(halves)
        if short and half is not None:
            y2 = here.G @ (self._gaps(here, x, self._charted(y1 * 0.5), half) * -4.0)
        else:
            y2 = here.G @ -self._gaps(here, x, y1, there)
        end = self._charted(y1 + y2)
        spans, rows = self._moved(here, x, end, there)
        E = here.G @ rows - np.eye(len(self.legs))
        gaps = array([_gap(span, at) for span, at in zip(spans, there, strict=True)])
        miss = self.scale.norm(here.G @ gaps)
        arc = Arc(left, y1, y2, miss, E, halved=short and half is not None)
        if half is not None and not short:
            bow = self._gaps(here, x, self._charted(arc.at(0.5)), half) * 8.0 - gaps
            arc = replace(arc, bow=self.scale.norm(here.G @ bow))

        def newton_by_series(gaps: Vector) -> Vector:
            d = first = here.G @ gaps
            for _ in range(2 if half is None else 3):
                d = first - E @ d
            return d

        factors = None if short else factor(rows)
        newton = newton_by_series if factors is None else lambda gaps: array(solve(factors, gaps))
        d = newton(gaps)
        return Aim(end, there, arc, tube(here, arc), newton, end - d, self.scale.norm(d))

    def _charted(self, y: Vector) -> Vector:
        """(n,) what `_turn` takes to turn by exp(w) of a displacement y (n,): 2 tan(|w| / 2) along w, |w| <= 1/4."""
        if not self.space.turns:
            return y
        square = self.scale.turn_square(y)
        longer = (square * (1.0 / 120.0) + 1.0 / 12.0) * square + 1.0
        return array([v * longer if k in self.space.turns else v for k, v in enumerate(y)])

    def _gaps(self, here: Here, x: Vector, y: Vector, there: Sequence[At]) -> Vector:
        """(n,) F after the displacement y (n,)."""
        return array([_gap(span, at) for span, at in zip(self._moved(here, x, y, there)[0], there, strict=True)])

    def _moved(self, here: Here, x: Vector, y: Vector, there: Sequence[At]) -> tuple[list[Any], Vector]:
        """P - A of each leg after the displacement y (n,) from the pose here, which is at x, and rows of dF/dy there.

        Where three coordinates turn the rows are right to first order in y.
        """
        pose = here.pose
        if self.space.turns:
            p_BP = pose.p_BP
            for k, (v, _) in enumerate(pose.columns):
                if not pose.turns[k]:
                    p_BP = p_BP + v * y[k]
            turn = self._turn(y)
            arms = [turn @ arm for arm in here.arms]
        else:
            pose = platform_pose(self.robot.platform, x + y)
            p_BP = pose.p_BP
            arms = [pose.R_BP @ array(self.robot.legs[leg.number].end.platform_point) for leg in self.legs]
        spans = [p_BP + arm - at.A for arm, at in zip(arms, there, strict=True)]
        rows = []
        for arm, span in zip(arms, spans, strict=True):
            moment = cross(arm, span)
            if self.space.turns:
                moment = moment + cross(moment, array([y[k] * 0.5 for k in self.space.turns]))
            rows.append(pose.power(span, moment))
        return spans, array(rows)

    def _turn(self, y: Vector) -> Vector:
        return matrix_of([1.0, *[y[k] * 0.5 for k in self.space.turns]])

    def _orientation(self, pose: PlatformPose, y: Vector) -> Vector:
        """(3, 3) R_BP after the displacement y from a pose; the pose's own where three axes do not turn."""
        return self._turn(y) @ pose.R_BP if self.space.turns else pose.R_BP

    def _coordinates_at(self, x: Vector, y: Vector, R_BP: Vector) -> Vector:
        """(n,) platform coordinates after the displacement y (n,) from x, with the orientation that it leads to."""
        if not self.space.turns:
            return x + y
        return self.space.with_orientation([x[k] + y[k] for k in range(len(x)) if k not in self.space.turns], R_BP)

    def _plain(self, here: Here, there: Sequence[At], slopes: Vector, change: Scalar) -> Scalar:
        """Whether K and its inverse are certainly not so large, at the end of a step, that it is near singular.

        K = -J / dF/dq by rows, so that its inverse is that of J with scaled columns, each of which is at most N(|G| 1);
        J's changes by less than 1 / (1 - change) in the norm N, which is at least a length over sqrt 2.
        """
        if self.idle:
            return False
        direct: Any = 0.0
        for leg, at, slope in zip(self.legs, there, slopes, strict=True):
            row = (1.0 / slope) * self.scale.first(leg)
            direct = direct + at.square * (row * row)
        inverse, rest = here.spread * here.spread * dot(slopes, slopes), 1.0 - change
        small = less(2.0 * direct * inverse, SINGULAR**2 * rest * rest)
        return logical_and(small, less(direct, (usual_gain(self.robot) * SINGULAR) ** 2))


def _gap(span: Vector, at: At) -> Scalar:
    return (dot(span, span) - at.square) * 0.5


def _slopes(spans: Sequence[Any], ats: Sequence[At]) -> Vector:
    """(n,) dF/dq of each leg."""
    return array(
        [
            -at.half_slope if at.dA is None else -dot(span, at.dA) - at.half_slope
            for span, at in zip(spans, ats, strict=True)
        ]
    )


def _residual(spans: Sequence[Any], ats: Sequence[At], slopes: Vector) -> Scalar:
    """What is missing of the displacements, to first order."""
    gaps = [absolute(_gap(span, at) / slope) for span, at, slope in zip(spans, ats, slopes, strict=True)]
    return reduce(maximum, gaps)
