"""A certified step along the path, recorded: the certificate, then Newton's method to the share it allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.graph import (
    Scalar,
    Vector,
    absolute,
    array,
    atan2,
    cos,
    cross,
    dot,
    factor,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    maximum,
    root,
    sin,
    solve,
    sqrt,
)
from gough.kinematics.chain import Coordinate, Slide, Turn
from gough.kinematics.configuration import Configuration, matrix_of
from gough.kinematics.forward.distance_equations import At, DistanceLeg
from gough.kinematics.forward.path_certificate import Here, Scale, certify, curvature_here
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import assembled, ways_of
from gough.kinematics.singularity import SINGULAR, usual_gain
from gough.robot import Robot

MOST_ITERATIONS = 12


@dataclass(frozen=True)
class Certified:
    """A robot whose actuators all set distances: see `distance_legs`."""

    robot: Robot
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

    def from_guess(self, x: Vector, q: Vector) -> dict[str, Any]:
        """The first step, from the guess x (n,) towards displacements q (n,); it is the last where `share` is 1."""
        pose = platform_pose(self.robot.platform, x).free()
        legs = assembled(self.robot, ways_of(self.robot), x, pose).legs
        reached: Any = True
        for leg in legs:
            reached = logical_and(reached, leg.closure.short <= REACH_SLACK)
        here = [legs[leg.number].closure.coordinates[leg.joint] for leg in self.legs]
        left = array([_way(c, there) for c, there in zip(here, self._coordinates(q), strict=True)])
        found = self._step(pose, x, here, q, left)
        y = found.pop("y")
        slides = [x[k] + y[k] for k in range(len(x)) if k not in self.space.turns]
        x_end = self.space.with_orientation(slides, found["R_BP"]) if self.space.turns else x + y
        return {"x": x_end, "left": left, "reached": reached, **found}

    def quick(self, guess: Vector, q: Vector) -> dict[str, Any]:
        """Pose and residual at displacements q, and whether that is sound: certain in one step from the guess, fine."""
        found = self.from_guess(guess, q)
        done = logical_and(found["reached"], greater_equal(found["share"], 1.0))
        for fact in (found["arrived"], found["plain"], *found["kept"]):
            done = logical_and(done, fact)
        return {"x": found["x"], "residual": found["residual"], "sound": done}

    def onward(self, c: Vector, q: Vector, left: Scalar) -> dict[str, Any]:
        """A step from the configuration c (m,), on the path with `left` (n,) to go to displacements q (n,)."""
        here = self._coordinates(q - left)
        found = self._step(self.space.platform(c), c, here, q, left)
        y = found.pop("y")
        return {"c": self.space.moved(c, y), **found}

    def _coordinates(self, q: Vector) -> list[Coordinate]:
        """Coordinates of the actuated joints at displacements q."""
        joints = [self.robot.legs[leg.number].joints[leg.joint] for leg in self.legs]
        values = [value + joint.zero for value, joint in zip(q, joints, strict=True)]
        return [Turn(cos(v), sin(v)) if leg.turns else Slide(v) for leg, v in zip(self.legs, values, strict=True)]

    def _moved(self, pose: PlatformPose, x: Vector, y: Vector) -> tuple[Any, Any]:
        """p_BP and R_BP after the displacement y (n,) from the pose, which is that at x unless three axes turn."""
        if not self.space.turns:
            at = platform_pose(self.robot.platform, x + y)
            return at.p_BP, at.R_BP
        p_BP = pose.p_BP
        for k, (v, _) in enumerate(pose.columns):
            if not pose.turns[k]:
                p_BP = p_BP + v * y[k]
        turn = matrix_of([1.0, *[y[k] * 0.5 for k in self.space.turns]])
        return p_BP, turn @ pose.R_BP

    def _step(
        self, pose: PlatformPose, x: Vector, here: Sequence[Coordinate], q: Vector, left: Scalar
    ) -> dict[str, Any]:
        legs, ends = self.legs, [array(self.robot.legs[leg.number].end.platform_point) for leg in self.legs]
        now = [leg.at(c) for leg, c in zip(legs, here, strict=True)]
        arms = [pose.R_BP @ end for end in ends]
        spans = [pose.p_BP + arm - at.A for arm, at in zip(arms, now, strict=True)]
        J = array([pose.power(span, cross(arm, span)) for arm, span in zip(arms, spans, strict=True)])
        G = solve(factor(J), np.eye(len(legs)))
        slopes = array([_slope(span, at) for span, at in zip(spans, now, strict=True)])
        bent = curvature_here(self.scale, pose, arms, spans, G)
        sure = certify(Here(self.scale, legs, arms, spans, [at.dA for at in now], slopes, G, left, bent))
        there = [leg.at(c) for leg, c in zip(legs, self._coordinates(q - left * (1.0 - sure.share)), strict=True)]

        units = np.where(pose.turns, 1.0, self.scale.rho)

        def equations(u: Vector) -> list[Any]:
            p_BP, R_BP = self._moved(pose, x, u * units)
            return [_gap(p_BP + R_BP @ end - at.A, at) for end, at in zip(ends, there, strict=True)]

        first = [_gap(pose.p_BP + arm - at.A, at) for arm, at in zip(arms, there, strict=True)]
        found = root(equations, (G @ array(first)) / -units, MOST_ITERATIONS, polish=False)
        y = found.solution * units
        p_BP, R_BP = self._moved(pose, x, y)
        ends_at = [p_BP + R_BP @ end for end in ends]
        last = [end - at.A for end, at in zip(ends_at, there, strict=True)]
        slopes_end = array([_slope(span, at) for span, at in zip(last, there, strict=True)])
        size = self.scale.norm(y)
        gaps = [absolute(_gap(span, at) / slope) for span, at, slope in zip(last, there, slopes_end, strict=True)]
        residual = gaps[0]
        for gap in gaps[1:]:
            residual = maximum(residual, gap)
        return {
            "y": y,
            "p_BP": p_BP,
            "R_BP": R_BP,
            "share": sure.share,
            "arrived": logical_and(found.converged, less_equal(size, sure.ball)),
            "kept": [greater(a * b, 0.0) for a, b in zip(slopes, slopes_end, strict=True)],
            "plain": self._plain(G, last, slopes_end, sure.drift + sure.curvature * size),
            "step": size,
            "residual": residual,
        }

    def _plain(self, G: Vector, spans: Vector, slopes: Vector, looseness: Scalar) -> Scalar:
        """Whether K and its inverse are certainly not so large, at the end of the step, that it is near singular.

        K = -J / dF/dq by rows, so that its inverse is that of J with scaled columns; J's changes by less than
        1 / (1 - looseness) in the norm N, which is at least a length over sqrt 2.
        """
        scale = self.scale
        inverse: Any = 0.0
        direct: Any = 0.0
        largest: Any = 0.0
        for k, leg in enumerate(self.legs):
            column = scale.norm(G[:, k]) * slopes[k]
            inverse = inverse + column * column
            row = sqrt(dot(spans[k], spans[k])) * scale.first(leg) / slopes[k]
            direct = direct + row * row
            largest = maximum(largest, row * row)
        rest = 1.0 - looseness
        if self.idle:
            return array(False)
        small = less(2.0 * direct * inverse, SINGULAR**2 * rest * rest)
        return logical_and(small, less(largest, (usual_gain(self.robot) * SINGULAR) ** 2))


def _gap(span: Vector, at: At) -> Scalar:
    return (dot(span, span) - at.square) * 0.5


def _slope(span: Vector, at: At) -> Scalar:
    """dF/dq."""
    return -at.half_slope if at.dA is None else -dot(span, at.dA) - at.half_slope


def _way(here: Coordinate, there: Coordinate) -> Scalar:
    """From one coordinate to another; turns by the shorter way."""
    if isinstance(here, Slide) or isinstance(there, Slide):
        return there.q - here.q  # type: ignore[union-attr]
    return atan2(there.s * here.c - there.c * here.s, there.c * here.c + there.s * here.s)
