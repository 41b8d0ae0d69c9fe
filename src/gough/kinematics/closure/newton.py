"""Any other leg: Newton's method on the loop equations, each sample led from home on its own.

The unknowns are the independent coordinates u; the equations are J^T r = 0 with the closure error r (gap, and
misalignment for a rigid end) and its Jacobian J. That is square for any leg, and where the leg reaches, r = 0. Rates
are J's least-squares solution by orthogonalisation.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gough.graph import array, cos, cross, dot, factor, logical_and, root, sin, solve, solve_transposed, sqrt
from gough.kinematics.chain import Coordinate, Link, Slide, Turn, end_point, end_rotation, misclosure
from gough.kinematics.leg import Closure, build_links
from gough.robot import Leg

STAGES = 4
"""Poses on the way from home, each solved from the one before."""


def close_newton(leg: Leg, home: Any, targets: list[tuple[Any, Any]]) -> Closure:
    """Closure found by Newton's method.

    Args:
        leg: Any leg with at most as many independent joints as equations.
        home: (m,) independent coordinates at home.
        targets: The end's position and orientation in B at poses that lead from home to the wanted one.
    """
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    u: Any = array(home)
    converged: Any = True
    for p_end, R_end in targets:
        found = root(partial(_equations, leg, independent, p_end, R_end), u)
        u = found.solution
        converged = logical_and(converged, found.converged)
    coordinates = _coordinates(leg, independent, u)
    links, _ = build_links(leg, coordinates)
    p_end, R_end = targets[-1]
    gap = misclosure(leg, links, p_end, R_end)
    J = leg_jacobian(leg, independent, links, p_end)
    rigid = leg.end.kind == "rigid"
    square = J.shape[0] == J.shape[1]
    f = factor(J) if square else None
    least_squares = None if square else _least_squares(J)

    def rates(v: Any, w: Any) -> dict[int, Any]:
        rhs = np.concatenate([v, w]) if rigid else v
        return dict(zip(independent, solve(f, rhs) if least_squares is None else least_squares(rhs), strict=True))

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        wrench = solve_transposed(f, array([efforts[k] for k in independent]))
        return wrench[:3], wrench[3:] if rigid else np.zeros(3)

    return Closure(coordinates, rates, gap - REACHED, converged, transposed=transposed if square else None)


REACHED = 1e-9
"""Closure error [m, or sine of an angle] below which a converged leg has reached."""


def at_home(leg: Leg, p_end: Any, R_end: Any) -> Any:
    """(m,) independent coordinates at home in floats, from each joint's `start`."""
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    start = np.array([leg.joints[k].start for k in independent])
    return root(partial(_equations, leg, independent, p_end, R_end), start, max_iter=100).solution


def _coordinates(leg: Leg, independent: list[int], u: Any) -> dict[int, Coordinate]:
    kinds = {k: leg.joints[k].kind for k in independent}
    return {
        k: Slide(value) if kinds[k] == "P" else Turn(cos(value), sin(value))
        for k, value in zip(independent, u, strict=True)
    }


def _equations(leg: Leg, independent: list[int], p_end: Any, R_end: Any, u: Any) -> Any:
    links, _ = build_links(leg, _coordinates(leg, independent, u))
    r = _error(leg, links, p_end, R_end)
    J = leg_jacobian(leg, independent, links, end_point(leg, links))
    return r if J.shape[0] == J.shape[1] else J.T @ r


def closure_error(leg: Leg, independent: list[int], p_end: Any, R_end: Any, u: Any) -> Any:
    """(3,) gap or (6,) gap and misalignment of the end at the independent coordinates u (m,)."""
    return _error(leg, build_links(leg, _coordinates(leg, independent, u))[0], p_end, R_end)


def _error(leg: Leg, links: list[Link], p_end: Any, R_end: Any) -> Any:
    """(3,) gap or (6,) gap and misalignment of the end."""
    gap = end_point(leg, links) - p_end
    if leg.end.kind == "spherical":
        return gap
    R = end_rotation(leg, links)
    turn = sum(cross(R_end[:, k], R[:, k]) for k in range(3)) * 0.5
    return np.concatenate([gap, turn])


def leg_jacobian(leg: Leg, independent: list[int], links: list[Link], p_end: Any) -> Any:
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


def _least_squares(J: Any) -> Any:
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

    def solve_one(rhs: Any) -> list[Any]:
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
