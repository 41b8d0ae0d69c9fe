"""Any other leg: Newton's method on the loop equations, each sample followed from home on its own.

The unknowns are the independent coordinates u; the equations are J^T r = 0 with the closure error r (gap, and
misalignment for a rigid end) and its Jacobian J. That is square for any leg, and where the leg reaches, r = 0. Rates
are J's least-squares solution by orthogonalisation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gough.graph import (
    Followed,
    Scalar,
    Vector,
    array,
    cos,
    cross,
    dot,
    factor,
    follow,
    is_constant,
    less_equal,
    logical_and,
    logical_or,
    root,
    sin,
    solve,
    solve_transposed,
    sqrt,
)
from gough.kinematics.chain import Coordinate, Link, Slide, Turn, end_point, end_rotation, misclosure
from gough.kinematics.leg import Closure, build_links
from gough.robot import Leg

STAGES = 4
"""Poses on the way from home, each tried from the one before, where what is sought is how near a leg comes."""

Target = tuple[Any, Any]
"""Position (3,) and orientation (3, 3) in B that the leg's end must take; no orientation for a spherical end."""


def close_newton(leg: Leg, home: Vector, sizes: Vector, on_the_way: Callable[[Any], Target], target: Target) -> Closure:
    """Closure on the branch that the leg has at home, followed along the straight line in the platform's coordinates.

    Args:
        leg: Any leg with at most as many independent joints as equations.
        home: (m,) independent coordinates at home.
        sizes: (m,) how large a change of each is: a radian, or the leg's size [m].
        on_the_way: The target at a share s of the way from home to the pose.
        target: At the pose.
    """
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    p_end, R_end = target
    path = followed(leg, independent, home, sizes, on_the_way)
    found = root(partial(closure_equations, leg, independent, p_end, R_end), path.solution)
    u = with_own_slopes(leg, independent, target, found.solution)
    return closure_at(leg, u, target, less_equal(path.left, AT_ITS_END), found.converged)


def with_own_slopes(leg: Leg, independent: list[int], target: Target, u: Vector) -> Vector:
    """(m,) the same solution u (m,), with derivatives by least squares where there are more equations than joints.

    Those of J^T r = 0 are (J^T J)^-1 times something, which costs the square of J's condition: a screw of 3 mm lead
    turns 2000 rad per metre. A step of least squares from the solution goes nowhere and has no such derivative.
    """
    links, _ = build_links(leg, coordinates_of(leg, independent, u))
    J = leg_jacobian(leg, independent, links, end_point(leg, links))
    if J.shape[0] == J.shape[1]:
        return u
    return u - array(least_squares(J)(_error(leg, links, *target)))


def closure_at(leg: Leg, u: Vector, target: Target, arrived: Scalar, converged: Scalar) -> Closure:
    """Closure at independent coordinates u (m,) that were found by iteration.

    Args:
        leg: Any leg with at most as many independent joints as equations.
        u: Where it closes.
        target: At the pose.
        arrived: Whether the way from home leads there.
        converged: Whether the iteration did; it need not have where the leg is closed.
    """
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    p_end, R_end = target
    coordinates = coordinates_of(leg, independent, u)
    links, _ = build_links(leg, coordinates)
    gap = misclosure(leg, links, p_end, R_end)
    J = leg_jacobian(leg, independent, links, p_end)
    rigid = leg.end.kind == "rigid"
    square = J.shape[0] == J.shape[1]
    f = factor(J) if square else None
    by_least_squares = None if square else least_squares(J)

    def rates(v: Vector, w: Vector) -> dict[int, Any]:
        rhs = np.concatenate([v, w]) if rigid else v
        return dict(zip(independent, solve(f, rhs) if by_least_squares is None else by_least_squares(rhs), strict=True))

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        wrench = solve_transposed(f, array([efforts[k] for k in independent]))
        return wrench[:3], wrench[3:] if rigid else np.zeros(3)

    closes = logical_and(arrived, logical_or(converged, gap <= CLOSED))
    return Closure(coordinates, rates, gap - REACHED, closes, transposed=transposed if square else None)


REACHED = 1e-9
"""Closure error [m, or sine of an angle] below which a converged leg has reached."""
CLOSED = 1e-12
"""Closure error at which a leg is closed, whatever is left of Newton's steps where it is stretched."""
AT_ITS_END = 2.0**-36
"""Share of the way from home that round-off leaves of it at a fold: the leg is there."""


def followed(
    leg: Leg, independent: list[int], home: Vector, sizes: Vector, on_the_way: Callable[[Any], Target]
) -> Followed:
    """The leg's coordinates followed from home along the way to a pose: arguments as in `close_newton`.

    Where the leg's numbers are recorded and not those it had at home, what they leave open there is closed on the way.
    """
    left_open = closure_equations(leg, independent, *on_the_way(0.0), array(home))
    exact = all(is_constant(value) for value in left_open)

    def equations(u: Vector, s: Scalar) -> Vector:
        r = closure_equations(leg, independent, *on_the_way(s), u)
        return r if exact else r - left_open * (1.0 - s)

    return follow(equations, home, sizes)


def coordinates_of(leg: Leg, independent: list[int], u: Vector) -> dict[int, Coordinate]:
    """The independent coordinates u (m,) by joint."""
    kinds = {k: leg.joints[k].kind for k in independent}
    return {
        k: Slide(value) if kinds[k] == "P" else Turn(cos(value), sin(value), value)
        for k, value in zip(independent, u, strict=True)
    }


def closure_equations(leg: Leg, independent: list[int], p_end: Vector, R_end: Vector, u: Vector) -> Vector:
    """(m,) equations of the independent coordinates u (m,): the closure error r where they are as many, else J^T r."""
    links, _ = build_links(leg, coordinates_of(leg, independent, u))
    r = _error(leg, links, p_end, R_end)
    J = leg_jacobian(leg, independent, links, end_point(leg, links))
    return r if J.shape[0] == J.shape[1] else J.T @ r


def closure_error(leg: Leg, independent: list[int], p_end: Vector, R_end: Vector, u: Vector) -> Vector:
    """(3,) gap or (6,) gap and misalignment of the end at the independent coordinates u (m,)."""
    return _error(leg, build_links(leg, coordinates_of(leg, independent, u))[0], p_end, R_end)


def _error(leg: Leg, links: list[Link], p_end: Vector, R_end: Vector) -> Vector:
    """(3,) gap or (6,) gap and misalignment of the end."""
    gap = end_point(leg, links) - p_end
    if leg.end.kind == "spherical":
        return gap
    R = end_rotation(leg, links)
    turn = sum(cross(R_end[:, k], R[:, k]) for k in range(3)) * 0.5
    return np.concatenate([gap, turn])


def leg_jacobian(leg: Leg, independent: list[int], links: list[Link], p_end: Vector) -> Vector:
    """(3 or 6, m) velocity of the end per independent rate; mimics add to the joint they follow."""
    rigid = leg.end.kind == "rigid"
    columns: dict[int, Any] = {k: np.zeros(6 if rigid else 3) for k in independent}
    k = leg.end.joint
    while k >= 0:
        joint, link = leg.joints[k], links[k]
        slides = joint.kind == "P"
        v = link.e if slides else cross(link.e, p_end - link.p)
        column = np.concatenate([v, np.zeros(3) if slides else link.e]) if rigid else v
        source, ratio = (k, 1.0) if joint.mimic is None else (joint.mimic.joint, joint.mimic.ratio)
        columns[source] = columns[source] + column * ratio
        k = joint.parent
    return np.stack([columns[k] for k in independent], axis=1)


def least_squares(J: Vector) -> Any:
    """Solver of min |J u - rhs| by modified Gram-Schmidt, which also takes the right-hand side along."""
    m = J.shape[1]
    Q: list[Any] = []
    R: dict[tuple[int, int], Any] = {}
    columns = [J[:, k] for k in range(m)]
    for k in range(m):
        R[k, k] = sqrt(dot(columns[k], columns[k]))
        Q.append(columns[k] / R[k, k])
        for j in range(k + 1, m):
            R[k, j] = dot(Q[k], columns[j])
            columns[j] = columns[j] - Q[k] * R[k, j]

    def solve_one(rhs: Vector) -> list[Any]:
        rest, y = rhs, []
        for q in Q:
            y.append(dot(q, rest))
            rest = rest - q * y[-1]
        u: list[Any] = [None] * m
        for k in reversed(range(m)):
            value = y[k]
            for j in range(k + 1, m):
                value = value - R[k, j] * u[j]
            u[k] = value / R[k, k]
        return u

    return solve_one
