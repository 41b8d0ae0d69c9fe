"""All assembly modes of robots whose platform hangs with three points on circles: 3-RPS, 3-PRS, 3-RRS.

For given displacements each point B_i = C_i + r_i (u_i cos t_i + v_i sin t_i) is on a circle about a hinge. The
distances between the three give an equation for each pair of angles; 16 solutions (Nanua, Waldron & Murthy 1990, whose
legs, two to a point, put it on such circles too).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.assembly.angle_equations import three_angles
from gough.assembly.angle_quadrics import bilinear, circle, judged
from gough.assembly.solutions import Solutions, joined
from gough.assembly.three_legs import solutions_of
from gough.graph import Array, Scalar, Vector, array, cos, record, sin
from gough.kinematics.chain import Coordinate, Link, Slide, Turn, add_link, joint_rotation, parent_frame
from gough.kinematics.closure.closed_form import main_chain, without_sides
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.rod import RodForm
from gough.kinematics.closure.shape import rod_shape, swing_shape
from gough.kinematics.closure.swing import SwingForm
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.pose import platform_pose
from gough.robot import Joint, Leg, Mechanism, by_mechanism
from gough.run import Program

MOST = 16
"""Solutions there are at most."""
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class ThreeCircles:
    """The solver of a robot.

    Attributes:
        robot: Whose.
        b: (3, 3) points of the platform in P [m].
        program: q (3,) -> C, axis, rate (3, 3), radius, slope (3,): centres, unit axes and radii of the circles, and
            rates of centres and radii.
        columns: y (6,) all coordinates -> (6, 6) twists of their rates.
    """

    robot: Mechanism
    b: Array
    program: Program
    columns: Program

    def solve(self, q: Array, _starts: int) -> Solutions:
        """All poses at displacements q (N, 3)."""
        found = self._solved(q, every=False)
        again = set(np.flatnonzero(~found.complete).tolist())
        if not again:
            return found
        return joined([self._solved(q[k : k + 1], every=True) if k in again else found.of(k) for k in range(len(q))])

    def _solved(self, q: Array, every: bool) -> Solutions:
        at = self.program(q=q)
        size = float(np.linalg.norm(self.b[1:] - self.b[0]))
        C, r, b = at["C"] / size, at["radius"] / size, self.b / size
        u, v = _across(at["axis"])
        T = [self._pair(C, r, u, v, b, i, j) for i, j in _PAIRS]
        y = three_angles(T[0], T[1], T[2], every)
        Q = [np.broadcast_to(circle(6, 2 * k), (len(q), 7, 7)) for k in range(3)]
        Q += [bilinear(t, 6, 2 * i, 2 * j) for t, (i, j) in zip(T, _PAIRS, strict=True)]
        sizes = [np.full(len(q), 3.0)] * 3
        for i, j in _PAIRS:
            far = np.linalg.norm(C[:, i] - C[:, j], axis=1) + np.abs(r[:, i]) + np.abs(r[:, j])
            sizes.append(4.0 * far**2 + ((b[i] - b[j]) ** 2).sum())
        found = judged(y, np.stack(Q, axis=1), np.stack(sizes, axis=1), MOST)
        cs = found.y.reshape(*found.y.shape[:2], 3, 2)
        B = (C[:, None] + r[:, None, :, None] * (cs[..., :1] * u[:, None] + cs[..., 1:] * v[:, None])) * size
        R = _frame(B) @ np.linalg.inv(_frame(self.b))
        return solutions_of(found, B[:, :, 0] - R @ self.b[0], R, MOST)

    def _pair(self, C: Array, r: Array, u: Array, v: Array, b: Array, i: int, j: int) -> Array:
        """(N, 3, 3) the equation of two points."""
        D = C[:, i] - C[:, j]
        first, second = np.stack([u[:, i], v[:, i]], axis=2), np.stack([u[:, j], v[:, j]], axis=2)
        T = np.zeros((len(C), 3, 3))
        T[:, :2, :2] = -2.0 * (r[:, i] * r[:, j])[:, None, None] * (first.transpose(0, 2, 1) @ second)
        T[:, :2, 2] = 2.0 * r[:, i, None] * np.einsum("nk,nka->na", D, first)
        T[:, 2, :2] = -2.0 * r[:, j, None] * np.einsum("nk,nka->na", D, second)
        T[:, 2, 2] = (D * D).sum(axis=1) + r[:, i] ** 2 + r[:, j] ** 2 - ((b[i] - b[j]) ** 2).sum()
        return T

    def jacobian(self, q: Array, p: Array, R: Array, y: Array) -> tuple[Array, Array]:
        """K (M, 3, 3) in rates of the independent coordinates, and (M,) determinants of all equations by the twist."""
        at = self.program(q=q)
        arm = np.einsum("nij,lj->nli", R, self.b)
        span = p[:, None] + arm - at["C"]
        drive = np.concatenate([span, np.cross(arm, span)], axis=2)
        hold = np.concatenate([at["axis"], np.cross(arm, at["axis"])], axis=2)
        by_q = -(span * at["rate"]).sum(axis=2) - at["radius"] * at["slope"]
        S = self.columns(y=np.ascontiguousarray(y))
        names = [c.name for c in home_platform(self.robot).coordinates]
        free = [names.index(name) for name in self.robot.coordinate_names]
        rest = [k for k in range(6) if k not in free]
        whole = np.concatenate([drive, hold], axis=1)
        with np.errstate(all="ignore"):
            held = np.linalg.solve(hold @ S[:, :, rest], -hold @ S[:, :, free])
            K = -(drive @ (S[:, :, free] + S[:, :, rest] @ held)) / by_q[:, :, None]
        return K, np.linalg.det(whole)


def _across(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors (N, 3, 3) at right angles to unit vectors (N, 3, 3) and to each other."""
    other = np.eye(3)[np.abs(axis).argmin(axis=2)]
    u = np.cross(other, axis)
    u = u / np.linalg.norm(u, axis=2)[:, :, None]
    return u, np.cross(axis, u)


def _frame(points: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """(.., 3, 3) two sides of a triangle and what is across both, as columns."""
    first, second = points[..., 1, :] - points[..., 0, :], points[..., 2, :] - points[..., 0, :]
    return np.stack([first, second, np.cross(first, second)], axis=-1)


@by_mechanism(32)
def three_circles(robot: Mechanism) -> ThreeCircles | None:
    """The solver of a robot; None where it is not one of these."""
    platform = home_platform(robot)
    if len(robot.legs) != 3 or robot.dof != 3 or len(platform.coordinates) != 6:
        return None
    legs: list[tuple[Leg, SwingForm | RodForm]] = []
    for leg in robot.legs:
        chain = main_chain(leg)
        main, form = without_sides(leg, chain), closed_form(leg)
        driven = [k for k, joint in enumerate(main.joints) if joint.actuated]
        swings = isinstance(form, SwingForm) and driven == [1]
        hangs = isinstance(form, RodForm) and form.turning == (1,) and not form.distal and driven == [0]
        if not isinstance(form, SwingForm | RodForm) or not (swings or hangs) or leg.end.kind != "spherical":
            return None
        legs.append((main, form))

    def equations(q: Vector) -> dict[str, Vector]:
        circles = [_circle(leg, form, value) for (leg, form), value in zip(legs, q, strict=True)]
        names = ("C", "axis", "rate", "radius", "slope")
        return {name: array([found[k] for found in circles]) for k, name in enumerate(names)}

    def columns(y: Vector) -> dict[str, Vector]:
        pose = platform_pose(platform, y)
        return {"out": array([[*v, *w] for v, w in pose.columns]).T}

    b = np.array([leg.end.platform_point for leg in robot.legs], dtype=float)
    if np.linalg.matrix_rank(b[1:] - b[0], tol=1e-9) < 2:
        return None
    return ThreeCircles(robot, b, Program(record(equations, q=3)), Program(record(columns, y=6)))


def _circle(leg: Leg, form: SwingForm | RodForm, value: Scalar) -> tuple[Vector, Vector, Vector, Scalar, Scalar]:
    """Centre, axis, rate of the centre, radius and its rate, at a displacement."""
    if isinstance(form, SwingForm):
        R_0, centre = parent_frame(leg, 0, [])
        axis = joint_rotation(R_0, leg.joints[0]) @ array(leg.joints[0].axis)
        return array(centre), axis, np.zeros(3), value + leg.joints[1].zero + swing_shape(leg).length, 1.0
    links: list[Link] = []
    add_link(leg, 0, _coordinate(leg.joints[0], value + leg.joints[0].zero), links)
    R_1, centre = parent_frame(leg, 1, links)
    axis = joint_rotation(R_1, leg.joints[1]) @ array(leg.joints[1].axis)
    rate = np.cross(links[0].e, centre - links[0].p) if leg.joints[0].turns else links[0].e
    return centre, axis, rate, rod_shape(leg, form.turning, form.distal).length, 0.0


def _coordinate(joint: Joint, value: Scalar) -> Coordinate:
    return Turn(cos(value), sin(value)) if joint.turns else Slide(value)
