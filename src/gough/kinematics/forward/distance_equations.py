"""One equation per driven leg: its end is at a known distance from a point that the actuator's coordinate determines.

F(x, q) = (|P(x) - A(q)|^2 - l(q)^2) / 2 = 0 with P the leg's end on the platform. A cylinder (UPS, SPS) has A fixed and
l its length; a rod on a slider or crank has A on the carrier and l fixed; a driven knee (SRU) has A fixed and l by the
law of cosines. No root is taken, so that nothing of F is singular where a leg is stretched, and its second derivatives
are bounded everywhere: what a certificate needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from gough.graph import absolute, array, cross
from gough.kinematics.chain import Coordinate, Link, Slide, Turn, add_link, parent_frame
from gough.kinematics.closure.closed_form import main_chain, without_sides
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.rod import RodForm
from gough.kinematics.closure.shape import rod_shape, sru_shape, ups_shape
from gough.kinematics.closure.sru import SruForm
from gough.kinematics.closure.ups import UpsForm
from gough.robot import Leg, Mechanism


@dataclass(frozen=True, slots=True)
class At:
    """A leg's equation at a coordinate q of its actuator: |P - A|^2 = l^2.

    Attributes:
        A: (3,) in B [m].
        dA: (3,) derivative of A by q, or None where A is fixed.
        square: l(q)^2 [m^2].
        half_slope: Derivative of l(q)^2 / 2 by q.
        reach: Bound of l(q) [m].
    """

    A: Any
    dA: Any
    square: Any
    half_slope: Any
    reach: Any


Equation = Callable[[Any], At]
"""Coordinate of the actuated joint (`Slide` or `Turn`) -> the leg's equation."""


@dataclass(frozen=True, slots=True)
class DistanceLeg:
    """The equation of a driven leg, with the bounds that hold for it everywhere.

    Attributes:
        number: Of the leg.
        joint: Index of the actuated joint in the leg.
        turns: Whether it turns.
        at: The equation at a coordinate of the joint.
        speed: |dA/dq|.
        swing: |d^2 A / dq^2|.
        bend: Bound of |d^2 F / dq^2| at a fixed pose.
        arm: Distance of the leg's end from the origin of P [m].
    """

    number: int
    joint: int
    turns: bool
    at: Equation
    speed: float
    swing: float
    bend: float
    arm: float


def distance_legs(robot: Mechanism) -> tuple[DistanceLeg, ...] | None:
    """The equations of a robot in plain numbers, in the order of its actuators; None where they are not of this kind.

    There is one for each coordinate if none depends on others and all driven legs have a closed form and one actuator,
    where the form has it.
    """
    if robot.platform.dependent:
        return None
    found = []
    for number, leg in enumerate(robot.legs):
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        if not driven:
            continue
        equation = leg_equation(number, leg, driven[0]) if len(driven) == 1 else None
        if equation is None:
            return None
        found.append(equation)
    return tuple(found) if len(found) == robot.dof else None


def leg_equation(number: int, leg: Leg, driven: int) -> DistanceLeg | None:
    """The equation of a leg with one actuator, that of joint `driven`; None where it is not of this kind."""
    chain = main_chain(leg)
    found = form_equation(closed_form(leg), without_sides(leg, chain)) if driven in chain else None
    if found is None or chain.index(driven) != found.place:
        return None
    arm = float(np.linalg.norm(leg.end.platform_point))
    turns = leg.joints[driven].kind == "R"
    return DistanceLeg(number, driven, turns, found.at, found.speed, found.swing, found.bend, arm)


@dataclass(frozen=True, slots=True)
class FormEquation:
    """The equation of a closed form: `place` is that of the joint which must be driven; the rest: see `DistanceLeg`."""

    place: int
    at: Equation
    speed: float
    swing: float
    bend: float


@singledispatch
def form_equation(_form: object, _leg: Leg) -> FormEquation | None:
    """The equation of a leg without side branches that a closed form fits; None of a form that has none."""
    return None


@form_equation.register
def _(_form: UpsForm, leg: Leg) -> FormEquation:
    center, rest = parent_frame(leg, 0, [])[1], ups_shape(leg).length

    def at(slide: Slide) -> At:
        length = slide.q + rest
        return At(center, None, length * length, length, absolute(length))

    return FormEquation(2, at, 0.0, 0.0, 1.0)


@form_equation.register
def _(form: RodForm, leg: Leg) -> FormEquation:
    length = float(rod_shape(leg, form.turning, form.distal).length)
    slides = leg.joints[0].kind == "P"

    def at(coordinate: Coordinate) -> At:
        links: list[Link] = []
        add_link(leg, 0, coordinate, links)
        A = parent_frame(leg, 1, links)[1]
        return At(A, links[0].e if slides else cross(links[0].e, A - links[0].p), length * length, 0.0, length)

    if slides:
        return FormEquation(0, at, 1.0, 0.0, 1.0)
    axis, offset = np.array(leg.joints[0].axis), np.array(leg.joints[1].offset)
    radius = float(np.linalg.norm(np.cross(axis, offset)))
    return FormEquation(0, at, radius, radius, radius * (radius + length))


@form_equation.register
def _(form: SruForm, leg: Leg) -> FormEquation:
    shape = sru_shape(leg, form.signs)
    center, lower, upper = parent_frame(leg, 0, [])[1], float(shape.lower), float(shape.upper)

    def at(turn: Turn) -> At:
        square = lower * lower + upper * upper + turn.c * (2.0 * lower * upper)
        return At(array(center), None, square, turn.s * (-lower * upper), lower + upper)

    return FormEquation(3, at, 0.0, 0.0, lower * upper)
