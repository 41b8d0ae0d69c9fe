"""Dependent coordinates at a pose, followed from home, and how they move with the others.

The position: along the straight line in the independent coordinates, then polished. The path stays on the assembly that
the machine has at home; `graph.follow` says how.

The rates: what a constraining leg forbids its end are the motions across its joints: with their Jacobian J = Q R and P
= 1 - Q Q^T the end's velocity A (S_x xd + S_d dd) has no part P. For all legs together that is P A S_d dd = -P A S_x
xd, which is solved by least squares, exact also where the legs hold the platform more than once. A leg in a plane has
one such row, its normal. Accelerations have the same matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import (
    Scalar,
    Vector,
    array,
    cross,
    dot,
    factor,
    follow,
    label,
    less_equal,
    logical_and,
    logical_or,
    root,
    solve,
    sqrt,
)
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.newton import AT_ITS_END, CLOSED, least_squares, leg_jacobian
from gough.kinematics.dependent.constraint import Constraint, equations, outer_axes, own_joints, plane_of
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import Dependence, PlatformPose
from gough.kinematics.spatial import point_acceleration
from gough.robot import Mechanism, Platform


@dataclass(frozen=True, slots=True)
class Position:
    """What is found at a pose.

    Attributes:
        values: (k,) dependent coordinates [m or rad].
        joints: For each leg of the constraint's `chains` its independent coordinates.
        converged: Whether the path from home leads there.
    """

    values: Vector
    joints: dict[int, Any]
    converged: Scalar


def dependent_position(robot: Mechanism, constraint: Constraint, x: Vector) -> Position:
    """The dependent coordinates at x (n,).

    Args:
        robot: Its numbers may be recorded.
        constraint: Constraint of the same robot in plain numbers.
        x: Floats or recorded.
    """
    home, count = np.array(robot.platform.home), len(constraint.home)

    def open_ends(x: Vector, u: Vector) -> Vector:
        found = equations(robot, constraint.planes, constraint.by_leg(u), x, u[:count])
        return array([found[k] for k in constraint.rows])

    start = constraint.start
    left_open = open_ends(home, start)
    exact = left_open.dtype != object

    def on_the_way(u: Vector, s: Scalar) -> Vector:
        r = open_ends(home + (x - home) * s, u)
        return r if exact else r - left_open * (1.0 - s)

    path = follow(on_the_way, start, constraint.sizes)
    found = root(lambda u: open_ends(x, u), path.solution)
    there = less_equal(path.left, AT_ITS_END)
    closed = logical_or(found.converged, less_equal(found.residual, CLOSED))
    u = found.solution
    return Position(u[:count], constraint.by_leg(u), logical_and(there, closed))


@dataclass(frozen=True, slots=True)
class Row:
    """A motion that a leg forbids: f.v_end + m.w = 0, and likewise f.(a_end - bias) + m.(wd - bias) = 0."""

    leg: LegPose
    f: Vector
    m: Vector
    biased: bool

    def along(self, v: Vector, w: Vector) -> Vector:
        """The part of a platform twist, or of its rate less what is due to rates, that is forbidden."""
        return dot(self.f, v) + dot(self.m + cross(self.leg.r_end, self.f), w)


def constrained(
    platform: Platform,
    constraint: Constraint,
    whole: PlatformPose,
    legs: dict[int, LegPose],
    values: Vector,
    D: Vector | None = None,
) -> PlatformPose:
    """The platform's pose with the rates of its independent coordinates alone.

    Args:
        platform: Whose coordinates.
        constraint: What constrains them.
        whole: The pose with the rates of all coordinates.
        legs: The constraining legs by index.
        values: (k,) dependent coordinates.
        D: (k, n) how they follow the others, where that is known; else it is solved for.
    """
    with label("platform"):
        rows = [row for k, joint in constraint.planes for row in [_of_plane(legs[k], joint, whole)]]
        rows += [row for k in constraint.chains for row in _of_chain(legs[k])]
        columns = _by_kind(platform, whole.columns)
        own, other = columns[: len(platform.coordinates)], columns[len(platform.coordinates) :]
        held = array([[row.along(*column) for column in other] for row in rows])
        solve_rows = _solver(held)
        if D is None:
            D = np.stack([-array(solve_rows(array([row.along(*column) for row in rows]))) for column in own], axis=1)
        places = _places(platform)
        together = tuple(
            (
                v + sum(dv * D[j, k] for j, (dv, _) in enumerate(other)),
                w + sum(dw * D[j, k] for j, (_, dw) in enumerate(other)),
            )
            for k, (v, w) in enumerate(own)
        )

    def drift(rate: Vector) -> Vector:
        with label("platform"):
            found = [*rate, *(D @ array(rate))]
            rates = array([found[k] for k in places])
            v, w = whole.twist(rates)
            a, wd = whole.twist_rate(rates, np.zeros(len(rates)))
            return array(solve_rows(array([-_acceleration(row, v, w, a, wd) for row in rows])))

    turns = tuple(c.motion.startswith("r") for c in platform.coordinates)
    dependence = Dependence(whole, places, values, D, drift, held)
    return PlatformPose(whole.p_BP, whole.R_BP, together, turns, dependence=dependence)


def _places(platform: Platform) -> tuple[int, ...]:
    names = [c.name for c in (*platform.coordinates, *platform.dependent)]
    return tuple(names.index(c.name) for c in platform.all_coordinates)


def _by_kind(platform: Platform, columns: tuple[Any, ...]) -> list[Any]:
    """Columns of the independent coordinates, then of the dependent ones."""
    found: list[Any] = [None] * len(columns)
    for column, place in zip(columns, _places(platform), strict=True):
        found[place] = column
    return found


def _of_plane(leg: LegPose, joint: int, whole: PlatformPose) -> Row:
    """The row of a leg's plane; of a rod between universal joints the derivative of (a x d).r, d on the platform."""
    if leg.leg.end.kind == "spherical":
        e, _ = plane_of(leg.leg, joint)
        return Row(leg, e, np.zeros(3), biased=False)
    p_end, R_end = end_target(leg.leg, whole)
    a, d, point = outer_axes(leg.leg, joint, R_end)
    return Row(leg, cross(a, d), cross(d, cross(p_end - point, a)), biased=True)


def _of_chain(leg: LegPose) -> list[Row]:
    """The rows of P."""
    from gough.kinematics.chain import end_point

    J = leg_jacobian(leg.leg, own_joints(leg.leg), leg.links, end_point(leg.leg, leg.links))
    size = len(J)
    P = np.eye(size, dtype=object) * 1.0
    basis: list[Any] = []
    for k in range(J.shape[1]):
        column = J[:, k]
        for q in basis:
            column = column - q * dot(q, column)
        basis.append(column / sqrt(dot(column, column)))
    for q in basis:
        P = P - np.outer(q, q)
    none = np.zeros(3)
    return [Row(leg, row[:3], row[3:] if size == 6 else none, biased=True) for row in array(P)]


def _acceleration(row: Row, v: Vector, w: Vector, a: Vector, wd: Vector) -> Vector:
    """The forbidden part of the end's acceleration, less that of the leg's joint rates alone."""
    a_end = point_acceleration(a, wd, w, row.leg.r_end)
    if not row.biased:
        return dot(row.f, a_end)
    a_bias, wd_bias = row.leg.bias(v, w)
    return dot(row.f, a_end - a_bias) + dot(row.m, wd - wd_bias)


def _solver(matrix: Vector) -> Callable[[Any], Any]:
    """Solver of the rows for the dependent rates: plain where they are as many, else by least squares."""
    if matrix.shape[0] == matrix.shape[1]:
        f = factor(matrix)
        return lambda rhs: solve(f, rhs)
    return least_squares(matrix)
