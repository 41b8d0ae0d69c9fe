"""Actuator forces as a linear map of the robot's dynamic parameters.

Each body has ten numbers p = (m, h, I): mass, first moment h = m c, and inertia about its frame's origin. In body axes,
with w, wd and A = a - g of that origin, the body takes the force m A + (wd~ + w~ w~) h and about its origin the moment
h x A + I wd + w x I w. Virtual work takes them to the rates of the platform: Q = Y p, and K^T tau = Q. To the forces of
the actuators come viscous qd + coulomb sign(qd) + rotor qdd.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.dynamics.drives import rates
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import InputError
from gough.graph import Array, Graph, Vector, array, cross, logical_and, record
from gough.identification.dynamic_parameters import ParameterSet, parameter_set
from gough.kinematics.leg import LegPose, by_joints
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.sampled_call import all_finite, check_robot
from gough.robot import Mechanism, Robot, by_mechanism
from gough.run import Program

if TYPE_CHECKING:
    from gough.identification.base_parameters import BaseParameters


class Moving(NamedTuple):
    """A body at an instant, in its own axes.

    Attributes:
        w, wd: (3,) angular velocity and acceleration.
        a: (3,) acceleration of its origin less free fall.
        columns: For each rate of the platform velocity of its origin and angular velocity.
    """

    w: Vector
    wd: Vector
    a: Vector
    columns: list[tuple[Any, Any]]


def body_columns(b: Moving) -> Vector:
    """(n, 10) generalised forces per unit of mass, first moment and inertia about the origin."""
    w, wd, a = b.w, b.wd, b.a
    arm = _tilde(wd) + _tilde(w) @ _tilde(w)
    spin = _times(wd) + np.stack([cross(w, column) for column in _times(w).T], axis=1)
    rows = []
    for v, turn in b.columns:
        rows.append([v @ a, *(v @ arm + cross(a, turn)), *(turn @ spin)])
    return array(rows)


def _tilde(u: Vector) -> Vector:
    """(3, 3) with u x r = tilde(u) r."""
    x, y, z = u
    return array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _times(w: Vector) -> Vector:
    """(3, 6) with I w = times(w) (xx, yy, zz, xy, xz, yz)."""
    x, y, z = w
    return array([[x, 0.0, 0.0, y, z, 0.0], [0.0, y, 0.0, x, 0.0, z], [0.0, 0.0, z, 0.0, x, y]])


def moving_bodies(motion: RobotMotion) -> Iterator[Moving]:
    """The platform, then the bodies of all joints, leg by leg."""
    pose, gravity = motion.pose, motion.gravity
    R = pose.platform.R_BP
    t, r = motion.twist, motion.twist_rate
    yield _in_body_axes(R, t.w, r.wd, r.a - gravity, list(pose.platform.columns))
    for k, leg in enumerate(pose.legs):
        virtual = [leg.twists(v, w) for v, w in pose.platform.columns]
        twists, seconds = motion.leg_twists[k], motion.leg_twist_rates[k]
        for i, link in enumerate(leg.links):
            columns = [(column[i].v, column[i].w) for column in virtual]
            yield _in_body_axes(link.R, twists[i].w, seconds[i].wd, seconds[i].a - gravity, columns)


def _in_body_axes(R: Vector, w: Vector, wd: Vector, a: Vector, columns: list[tuple[Any, Any]]) -> Moving:
    back = array(R).T
    return Moving(back @ w, back @ wd, back @ a, [(back @ array(v), back @ array(u)) for v, u in columns])


def _with_frames(leg: LegPose) -> LegPose:
    """The leg joint by joint, unless it is free to spin: then its bodies are rods, which have no frame."""
    return leg if leg.leg.free_spin else by_joints(leg)


@by_mechanism(16)
def regressor_graph(robot: Mechanism) -> Graph:
    """From x, xd, xdd to Y (n, 10 bodies), K (actuators, n), qd and qdd (actuators,); `sound` where all legs reach."""
    ways = ways_of(robot)

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        found = robot_pose(robot, ways, x)
        pose = replace(found, legs=tuple(_with_frames(leg) for leg in found.legs))
        motion = RobotMotion(pose, xd, xdd)
        qd, qdd = rates(motion)
        closures = [leg.closure for leg in pose.legs]
        return {
            "Y": np.concatenate([body_columns(b) for b in moving_bodies(motion)], axis=1),
            "K": pose.jacobian(),
            "qd": qd,
            "qdd": qdd,
            "sound": reduce(logical_and, (c.sound for c in closures), all_finite(x, xd, xdd)),
        }

    n = robot.dof
    return record(equations, x=n, xd=n, xdd=n)


@by_mechanism(16)
def _program(robot: Mechanism) -> Program:
    """On NumPy blocks: a recording is a few thousand samples, too few to pay for compiling ten thousand operations."""
    return Program(regressor_graph(robot), "blocks")


class Columns(NamedTuple):
    """What the parameters do at N samples.

    Attributes:
        Q: (N, n, p) generalised forces on the rates of the platform per unit of each parameter.
        K: (N, actuators, n) Jacobian.
        sound: (N,) whether all legs reach; the rest is NaN where not.
    """

    Q: Array
    K: Array
    sound: Array

    def forces(self) -> Array:
        """(N, actuators, p) forces of the actuators; of more actuators than coordinates those of least norm."""
        KT = np.swapaxes(self.K, 1, 2)
        out = np.full((len(self.Q), self.K.shape[1], self.Q.shape[2]), np.nan)
        good = self.sound
        if KT.shape[1] == KT.shape[2]:
            out[good] = np.linalg.solve(KT[good], self.Q[good])
        else:
            out[good] = np.linalg.pinv(KT[good]) @ self.Q[good]
        return out


Choice = tuple[str, bool, bool, bool]
"""Which parameters: bodies, tied, friction, rotors of `regressor`."""


@by_mechanism(32)
def _base(robot: Mechanism, choice: Choice) -> BaseParameters:
    """Kept, because it takes longest."""
    from gough.identification.base_parameters import base_parameters

    return base_parameters(Regressor(robot, choice))


@dataclass(frozen=True)
class Regressor:
    """The linear map from dynamic parameters to forces: K^T tau = Q(x, xd, xdd) p.

    Springs, external wrenches and viscous friction of passive joints come on top: they are no parameters.

    Attributes:
        robot: The robot.
        choice: Bodies, tied, friction, rotors, as `regressor` takes them.
    """

    __repr__ = brief

    robot: Mechanism
    choice: Choice

    @cached_property
    def parameters(self) -> ParameterSet:
        """What p is, and its values in the robot's file."""
        return parameter_set(self.robot, *self.choice)

    @property
    def names(self) -> tuple[str, ...]:
        """(p,) of the parameters: "platform.mass", "1.P.hx", "2.viscous"; of tied ones that of the first."""
        return self.parameters.names

    @property
    def values(self) -> Array:
        """(p,) of the robot's file [kg, kg m, kg m^2, N s/m ...]."""
        return self.parameters.values

    @cached_property
    def base(self) -> BaseParameters:
        """The combinations of parameters that forces depend on."""
        return _base(self.robot, self.choice)

    def columns(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> Columns:
        """What each parameter does along N samples, (N, n) each.

        Raises:
            InputError: Wrong shapes, numbers that are not finite.
        """
        x, xd, xdd = (np.atleast_2d(np.asarray(value, dtype=float)) for value in (x, xd, xdd))
        found = _program(self.robot)(x=x, xd=xd, xdd=xdd)
        K, qd, qdd = found["K"], found["qd"], found["qdd"]
        KT = np.swapaxes(K, 1, 2)
        drives = [KT * effort[:, None, :] for effort in (qd, np.sign(qd), qdd)]
        whole = np.concatenate([found["Y"], *drives], axis=2)
        sound = found["sound"] & np.isfinite(whole).all(axis=(1, 2))
        return Columns(whole @ self.parameters.map, K, sound)

    def __call__(self, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike) -> Array:
        """(N, actuators, p) actuator forces per unit of each parameter, (actuators, p) of one sample."""
        found = self.columns(x, xd, xdd).forces()
        return np.asarray(found[0] if np.ndim(x) == 1 else found)


def regressor(
    robot: Robot, bodies: str = "full", tied: bool = False, friction: bool = True, rotors: bool = True
) -> Regressor:
    """Forces as a linear map of dynamic parameters, and these.

    Args:
        robot: Any robot.
        bodies: "full": ten numbers each. "stated": a body that the file has as a thin rod or as a point stays one, one
            without mass stays without.
        tied: Legs that are alike in the file share their parameters.
        friction: With viscous and Coulomb friction of the actuators.
        rotors: With the inertia of rotors, as seen at the actuator (J N^2).

    Raises:
        InputError: Not a robot; bodies that are neither.
    """
    check_robot(robot)
    if bodies not in ("full", "stated"):
        raise InputError(f"bodies: {bodies!r} given, expected 'full' or 'stated'")
    return Regressor(robot, (bodies, tied, friction, rotors))
