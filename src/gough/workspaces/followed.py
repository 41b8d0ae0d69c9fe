"""Proved enclosures of a robot over boxes of poses, also where coordinates depend on others.

What follows the coordinates x, dependent ones first and then joints, solves G(x, u) = 0. Over a box it is the form
u0 + S t + v with |v| <= r: where, all over the box and with Y about the inverse of G_u,

    |Y G(x, u0 + S t)| + |1 - Y G_u| r < r

there is one u within r of the form at each x, and one only (Krawczyk 1969), and G_u is regular: no pose of the box is a
constraint singularity. Its rates D = -G_u^-1 G_x then have a form too, by the same Y. With forms of u and D in place of
iterations, the robot's equations are enclosed like those of any other. Taken is the assembly that is followed from home
to the middle of each box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.dependent.constraint import equations
from gough.kinematics.dependent.follow import dependent_position
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, stated_pose
from gough.robot import Robot
from gough.run import Program
from gough.run.affine_forms import Enclosure

Told: TypeAlias = Callable[[RobotPose, Any], dict[str, Any]]
"""What is asked of a pose, with free rates, and of the inputs that make it."""
TRIES = 3
"""How often the radius r is widened before a box is given up."""
POWERS = 4


class FollowedEnclosure:
    """Forms of what is asked of a robot with dependent coordinates, over boxes of the inputs that make its own."""

    def __init__(
        self,
        robot: Robot,
        ways: Ways,
        coordinates: Callable[[Any], Vector],
        told: Told,
        inputs: int,
        wide: Sequence[int],
    ) -> None:
        """Of coordinates x (n,) that so many inputs make, of which those at the places `wide` vary."""
        assert ways.constraint is not None
        self._robot, self._ways, self._constraint = robot, ways, ways.constraint
        self._coordinates, self._told, self._inputs, self._wide = coordinates, told, inputs, tuple(wide)
        self._dependent, self._unknowns = len(self._constraint.home), len(self._constraint.start)

    def __call__(self, centre: Array, radius: Array) -> dict[str, Array]:
        """(d + 2, *shape, B) centre, slopes and rest of each output; no bounds where nothing is proved of u.

        Args:
            centre: (B, inputs) middles of the boxes.
            radius: (B, d) half-widths of those that vary.
        """
        with np.errstate(all="ignore"):
            at = self._point(v=centre)
            Y = _inverses(at["Gu"])
            slopes = -(Y @ at["Gx"] @ at["X"]) * radius[:, None, :]
            u = np.where(at["good"][:, None], at["u"], np.nan)
            rest, proved, forms = self._solved(centre, radius, u, slopes, Y)
            D = _rates(Y, forms["Gu"], forms["Gx"])
            count = self._dependent
            D0, D_slopes, D_rest = (part[:, :count].reshape(len(u), -1, *part.shape[3:]) for part in D)
            found = self._asked(
                np.hstack([centre, u, D0]),
                radius,
                np.concatenate([slopes, D_slopes], axis=1),
                np.concatenate([rest, D_rest], axis=1),
            )
        for values in found.values():
            values[-1, ..., ~proved] = np.inf
        return found

    def _solved(
        self, centre: Array, radius: Array, u: Array, slopes: Array, Y: Array
    ) -> tuple[Array, NDArray[np.bool_], dict[str, Array]]:
        """(B, m) r, (B,) whether it holds u, and the forms of G, G_u and G_x there."""
        whole = np.hstack([centre, u])
        left = _over(Y, self._closure(whole, radius, slopes, np.zeros_like(u))["G"][:, :, None])[..., 0]
        rest = 1.25 * left + 1e-14 * (1.0 + np.abs(u))
        for tried in range(TRIES):
            forms = self._closure(whole, radius, slopes, rest)
            needed = (left + (_off(Y, forms["Gu"]) @ rest[..., None])[..., 0]) * (1.0 + 2.0**-48)
            proved = np.asarray((needed < rest).all(axis=1))
            if proved.all() or tried == TRIES - 1:
                break
            rest = np.where(proved[:, None], rest, 1.5 * np.maximum(needed, rest))
        return rest, proved, forms

    def _open_ends(self, x: Vector, u: Vector) -> Vector:
        constraint = self._constraint
        found = equations(self._robot, constraint.planes, constraint.by_leg(u), x, u[: self._dependent])
        return array([found[k] for k in constraint.rows])

    def _slopes(self, x: Vector, u: Vector) -> dict[str, Vector]:
        """Recorded: G (m,), G_u (m, m), G_x (m, n)."""

        def own(x: Vector, u: Vector) -> dict[str, Vector]:
            G = self._open_ends(x, u)
            return {"G": G, "Gu": jacobian(G, u, "forward"), "Gx": jacobian(G, x, "forward")}

        return record(own, x=self._robot.dof, u=self._unknowns)(x=x, u=u)

    @cached_property
    def _point(self) -> Program:
        """Inputs -> u followed from home, whether it was, G_u, G_x, and X (n, d) = dx / d inputs."""

        def point(v: Vector) -> dict[str, Vector]:
            x = array(self._coordinates(v))
            found = dependent_position(self._robot, self._constraint, x)
            u = array([*found.values, *(value for k in self._constraint.chains for value in found.joints[k])])
            own = self._slopes(x, u)
            X = jacobian(x, v, "forward")[:, list(self._wide)]
            return {"u": u, "good": found.converged, "X": X, "Gu": own["Gu"], "Gx": own["Gx"]}

        return Program(record(point, v=self._inputs))

    @cached_property
    def _closure(self) -> Enclosure:
        m, first = self._unknowns, self._inputs
        graph = record(lambda v: self._slopes(array(self._coordinates(v[:first])), v[first:]), v=first + m)
        return Enclosure(graph, self._wide, range(first, first + m))

    @cached_property
    def _asked(self) -> Enclosure:
        m, n, first, count = self._unknowns, self._robot.dof, self._inputs, self._dependent

        def asked(v: Vector) -> dict[str, Vector]:
            given, u, D = v[:first], v[first : first + m], v[first + m :].reshape(count, n)
            pose = stated_pose(self._robot, self._ways, array(self._coordinates(given)), u, D)
            return self._told(pose.free(), given)

        size = first + m + count * n
        return Enclosure(record(asked, v=size), self._wide, range(first, size))


def enclosure_of(
    robot: Robot,
    ways: Ways,
    pose: Callable[[Any], RobotPose] | None,
    coordinates: Callable[[Any], Vector],
    told: Told,
    inputs: int,
    wide: Sequence[int],
) -> FollowedEnclosure | Enclosure:
    """Forms of what is asked of a robot, over boxes of the inputs that make its pose.

    Args:
        robot, ways: As of `robot_pose`.
        pose: Inputs -> the robot; by its coordinates if left out.
        coordinates: Inputs -> x (n,).
        told: What is asked.
        inputs: How many.
        wide: Places of those that vary.

    Raises:
        InputError: The robot's equations have an operation without enclosure.
    """
    if robot.platform.dependent:
        return FollowedEnclosure(robot, ways, coordinates, told, inputs, wide)

    def at(v: Vector) -> RobotPose:
        return robot_pose(robot, ways, array(coordinates(v))).free()

    made = pose or at
    return Enclosure(record(lambda v: told(made(v), v), v=inputs), wide)


def _inverses(A: Array) -> Array:
    found = np.full_like(A, np.nan)
    good = np.asarray(np.isfinite(A).all(axis=(1, 2)))
    good[good] = np.linalg.cond(A[good]) < 1e12
    found[good] = np.linalg.inv(A[good])
    return found


def _split(forms: Array) -> tuple[Array, Array, Array, Array]:
    """Centre (B, m, n), slopes (B, d, m, n), rest and size (B, m, n) of forms (d + 2, m, n, B)."""
    parts = np.moveaxis(forms, -1, 0)
    centre, slopes, rest = parts[:, 0], parts[:, 1:-1], parts[:, -1]
    return centre, slopes, rest, np.abs(centre) + np.abs(slopes).sum(axis=1) + rest


def _slip(Y: Array, size: Array) -> Array:
    """Round-off of Y A: a sum of m products is off by less than (m + 2) 2^-53 of the sum of their sizes."""
    return np.asarray((Y.shape[1] + 2) * 2.0**-52 * (np.abs(Y) @ size))


def _over(Y: Array, forms: Array) -> Array:
    """(B, m, n) not below |Y A| for A of forms (d + 2, m, n, B)."""
    centre, slopes, rest, size = _split(forms)
    found = np.abs(Y @ centre) + np.abs(Y[:, None] @ slopes).sum(axis=1) + np.abs(Y) @ rest + _slip(Y, size)
    return np.asarray(found * (1.0 + 2.0**-48))


def _off(Y: Array, forms: Array) -> Array:
    """(B, m, m) not below |1 - Y A| for A of forms (d + 2, m, m, B)."""
    centre, slopes, rest, size = _split(forms)
    off = np.abs(Y @ centre - np.eye(Y.shape[1])) + np.abs(Y[:, None] @ slopes).sum(axis=1)
    return np.asarray((off + np.abs(Y) @ rest + _slip(Y, size)) * (1.0 + 2.0**-48) + 2.0**-52)


def _rates(Y: Array, Gu: Array, Gx: Array) -> tuple[Array, Array, Array]:
    """Form of D = -G_u^-1 G_x: centre (B, m, n), slopes (B, m, n, d), rest (B, m, n).

    With M = Y G_u and N = -Y G_x, D solves M D = N. What its first-order form leaves of that, at most P, is due to an
    error of D that (1 - E)^-1 P bounds, E >= |1 - M|: in rows weighted by w with E w <= e w that is w max(P / w) / (1 -
    e).
    """
    A, A_slopes, A_rest, A_size = _split(Gu)
    B, B_slopes, B_rest, B_size = _split(Gx)
    M, M_slopes, M_rest = Y @ A, Y[:, None] @ A_slopes, np.abs(Y) @ A_rest + _slip(Y, A_size)
    N, N_slopes, N_rest = -(Y @ B), -(Y[:, None] @ B_slopes), np.abs(Y) @ B_rest + _slip(Y, B_size)
    D, D_slopes = N, N_slopes - M_slopes @ N[:, None]
    M_turn, D_turn = np.abs(M_slopes).sum(axis=1), np.abs(D_slopes).sum(axis=1)
    D_size, M_size = np.abs(D) + D_turn, np.abs(M) + M_turn + M_rest
    P = np.abs(N - M @ D) + np.abs(N_slopes - M_slopes @ D[:, None] - M[:, None] @ D_slopes).sum(axis=1)
    P += N_rest + M_turn @ D_turn + M_rest @ D_size
    P += (Y.shape[1] + 4) * 2.0**-51 * (M_size @ D_size + np.abs(N) + np.abs(N_slopes).sum(axis=1) + N_rest)
    E = _off(Y, Gu)
    w = np.ones((*E.shape[:2], 1))
    for _ in range(POWERS):
        w = E @ w + 1e-9
        w /= w.max(axis=1, keepdims=True)
    share = ((E @ w) / w).max(axis=1, keepdims=True) * (1.0 + 2.0**-48)
    rest = np.where(share < 1.0, w * (P / w).max(axis=1, keepdims=True) / (1.0 - share), np.inf) * (1.0 + 2.0**-46)
    return D, np.moveaxis(D_slopes, 1, -1), rest
