"""Proved enclosures of a robot over boxes of poses, also where coordinates depend on others.

What follows the coordinates x, dependent ones first and then joints, solves G(x, u) = 0; where legs hold the platform
more than once these are more equations than unknowns: then Y takes the most independent of them in the middle of the
box, and the others hold with them. Over a box u is the form u0 + S t + v with |v| <= r: where, all over the box and
with Y about the inverse of G_u,

    |Y G(x, u0 + S t)| + |1 - Y G_u| r < r

there is one u within r of the form at each x, and one only (Krawczyk 1969), and G_u is regular: no pose of the box is a
constraint singularity. Its rates D = -G_u^-1 G_x then have a form too, by the same Y. With forms of u and D in place of
iterations, the robot's equations are enclosed like those of any other. Taken is the assembly that is followed from home
to the middle of each box; where the way there ends before, that of its end, with which a box may be outside its limits
but never inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.graph import Array, Graph, Vector, array, jacobian, record
from gough.kinematics.dependent.constraint import constrains, equations
from gough.kinematics.dependent.follow import dependent_position
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, stated_pose
from gough.robot import Mechanism
from gough.run import Program
from gough.run.affine_forms import Enclosure
from gough.workspaces.form_matrices import inverses, off, over, rates

Told: TypeAlias = Callable[[RobotPose, Any], dict[str, Any]]
"""What is asked of a pose, with free rates, and of the inputs that make it."""
TRIES = 3
"""How often the radius r is widened before a box is given up."""


class FollowedEnclosure:
    """Forms of what is asked of a robot with dependent coordinates, over boxes of the inputs that make its own."""

    def __init__(
        self,
        robot: Mechanism,
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
        found, followed = self.with_ends(centre, radius)
        for values in found.values():
            values[-1, ..., ~followed] = np.inf
        return found

    def with_ends(self, centre: Array, radius: Array) -> tuple[dict[str, Array], NDArray[np.bool_]]:
        """The same, and (B,) whether the way from home leads to the middles; else u is of where it ends."""
        with np.errstate(all="ignore"):
            at = self._point(v=centre)
            Y = inverses(at["Gu"])
            slopes = -(Y @ at["Gx"] @ at["X"]) * radius[:, None, :]
            u = at["u"]
            rest, proved, forms = self._solved(centre, radius, u, slopes, Y)
            D = rates(Y, forms["Gu"], forms["Gx"])
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
        return found, at["good"]

    def _solved(
        self, centre: Array, radius: Array, u: Array, slopes: Array, Y: Array
    ) -> tuple[Array, NDArray[np.bool_], dict[str, Array]]:
        """(B, m) r, (B,) whether it holds u, and the forms of G, G_u and G_x there."""
        whole = np.hstack([centre, u])
        left = over(Y, self._closure(whole, radius, slopes, np.zeros_like(u))["G"][:, :, None])[..., 0]
        rest = 1.25 * left + 1e-14 * (1.0 + np.abs(u))
        for tried in range(TRIES):
            forms = self._closure(whole, radius, slopes, rest)
            needed = (left + (off(Y, forms["Gu"]) @ rest[..., None])[..., 0]) * (1.0 + 2.0**-48)
            proved = np.asarray((needed < rest).all(axis=1))
            if proved.all() or tried == TRIES - 1:
                break
            rest = np.where(proved[:, None], rest, 1.5 * np.maximum(needed, rest))
        return rest, proved, forms

    def _open_ends(self, x: Vector, u: Vector) -> Vector:
        constraint = self._constraint
        return array(equations(self._robot, constraint.planes, constraint.by_leg(u), x, u[: self._dependent]))

    def _slopes(self, x: Vector, u: Vector) -> dict[str, Vector]:
        """Recorded: G (M,), G_u (M, m), G_x (M, n)."""

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
        return _enclosed(self._robot, self._ways, record(asked, v=size), self._wide, range(first, size))


def enclosure_of(
    robot: Mechanism,
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
    return _enclosed(robot, ways, record(lambda v: told(made(v), v), v=inputs), wide)


def _enclosed(
    robot: Mechanism, ways: Ways, graph: Graph, wide: Sequence[int], followers: Sequence[int] = ()
) -> Enclosure:
    """The enclosure of a graph; where there is none because legs are closed by iteration, these are told."""
    try:
        return Enclosure(graph, wide, followers)
    except InputError as error:
        why = _iterated(robot, ways)
        if not why:
            raise
        raise InputError(f"no proof: {why}") from error


def _iterated(robot: Mechanism, ways: Ways) -> str:
    """Which legs are closed by iteration beside the dependent coordinates, and what helps; empty if none is."""
    dependent = robot.platform.dependent
    legs = [
        leg
        for leg, way in zip(robot.legs, ways.legs, strict=True)
        if way.form is None and not (dependent and constrains(leg))
    ]
    if not legs:
        return ""
    names = ", ".join(leg.name for leg in legs)
    told = f"{'leg' if len(legs) == 1 else 'legs'} {names}: closed by iteration, which has no enclosure"
    moving = {c.motion for c in robot.platform.all_coordinates}
    held = [(name, motion) for name, motion in _MOTIONS if motion not in moving]
    if held and all(constrains(leg) for leg in legs):
        stated = ", ".join(f'{name} = "{motion}"' for name, motion in held)
        names = ", ".join(f'"{name}"' for name, _ in held)
        told += f" (state what these legs hold as coordinates too: {stated}; and platform.dependent = [{names}])"
    return told


_MOTIONS = (("x", "x"), ("y", "y"), ("z", "z"), ("yaw", "rz"), ("pitch", "ry"), ("roll", "rx"))
"""Motions of a platform, each with its usual name."""
