"""Identities a model must satisfy: matrices, agreement of formulations along a motion, and power balance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.dynamics import InverseDynamics
from gough.dynamics.contract import FORMULATIONS
from gough.dynamics.drives import rates
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.matrices import Matrices
from gough.dynamics.moving_base import across_rod
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import stored_energy
from gough.graph import Array, Scalar, Vector, absolute, array, cross, dot, jvp, record
from gough.kinematics import inverse_kinematics
from gough.kinematics.bodies import body_poses, body_velocities, potential_energy
from gough.kinematics.random_states import conditions
from gough.kinematics.tool import wrench_at_origin
from gough.motion import State
from gough.robot import Mechanism
from gough.run import Program
from gough.run.choose import size_of


@dataclass(frozen=True)
class Check:
    """One property: the worst departure from it, relative to the scale named, and in which state.

    Attributes:
        name: What must hold.
        worst: Largest departure of all states, in units in which `limit` is allowed.
        state: Index of the state where.
        limit: What is allowed.
        part: What it is a check of: "matrices", "forward dynamics", "moving base", "joint rates" or "energy".
        formulation: The formulation that is checked; "" where it is not one alone.
    """

    name: str
    worst: float
    state: int
    limit: float
    part: str = "matrices"
    formulation: str = ""

    @property
    def passed(self) -> bool:
        """Whether the worst is within the limit; what is not a number is not."""
        return bool(self.worst <= self.limit)


def worst_of(name: str, departures: Array, limit: float, part: str = "matrices", formulation: str = "") -> Check:
    """The check of departures (N, ...): the largest of them; what is not a number is worst."""
    flat = np.asarray(departures, dtype=float).reshape(len(departures), -1)
    by_state = np.where(np.isnan(flat), np.inf, flat).max(axis=1)
    k = int(np.argmax(by_state))
    return Check(name, float(by_state[k]), k, limit, part, formulation)


def matrix_checks(robot: Mechanism, states: State, lagrange: dict[str, Matrices], limit: float) -> list[Check]:
    """All of them; departures in actuator coordinates are divided by the condition of K.

    With more actuators than coordinates there are no matrices in actuator coordinates to check.
    """
    momentum = _with_rates(robot, GeneralizedMomentum(), states)
    yardstick, christoffel = lagrange["lagrange"], lagrange["koditschek"]
    cond = conditions(robot, states)
    M = momentum["M"]
    xd = states.xd[:, :, None]
    moving = [(m @ xd)[..., 0] for m in (momentum["C"], yardstick.C, christoffel.C)]
    skew = momentum["Md"] - 2.0 * christoffel.C
    checks = [
        worst_of("M symmetric (generalized_momentum)", _apart(M, _turned(M)), limit),
        worst_of("M positive definite (smallest eigenvalue below 0, unit diagonal)", _indefinite(M), 0.0),
        worst_of("M alike: generalized_momentum, lagrange", _apart(M, yardstick.M), limit),
        worst_of("C xd alike: generalized_momentum, lagrange, koditschek", _spread(moving), limit),
        worst_of("G alike: generalized_momentum, lagrange", _apart(momentum["G"], yardstick.G), limit),
        worst_of("Md - 2 V skew (koditschek)", _apart(skew, -_turned(skew), momentum["Md"]), limit),
    ]
    return checks if robot.actuation is not None else checks + _of_actuators(robot, states, M, cond, limit)


def _of_actuators(robot: Mechanism, states: State, M: Array, cond: Array, limit: float) -> list[Check]:
    """Checks of the matrices in actuator coordinates, M (N, n, n) being that in platform coordinates."""
    complement = _with_rates(robot, OrthogonalComplement(), states)
    M_q = complement["M"]
    skew_q = complement["Md"] - 2.0 * complement["C"]
    return [
        worst_of("M symmetric (orthogonal_complement, actuator coordinates)", _apart(M_q, _turned(M_q)), limit),
        worst_of("M alike: orthogonal_complement, lagrange", _apart(_platform(states, M_q, robot), M) / cond, limit),
        worst_of("Md - 2 N skew (orthogonal_complement)", _apart(skew_q, -_turned(skew_q), M_q) / cond, limit),
    ]


def _with_rates(
    robot: Mechanism, formulation: GeneralizedMomentum | OrthogonalComplement, states: State
) -> dict[str, Any]:
    """M, C, G and Md = dM/dt, exactly differentiated."""
    n = robot.dof
    model = Model(robot, formulation)

    def equations(x: Vector, xd: Vector) -> dict[str, Vector]:
        found = formulation.matrices(model.motion(x, xd, np.zeros(n)), array(robot.gravity))
        return {"M": found.M, "C": found.C, "G": found.G, "Md": jvp(found.M, x, xd)}

    results: dict[str, Array] = Program(record(equations, x=n, xd=n), "blocks")(x=states.x, xd=states.xd)
    return results


def _platform(states: State, M_q: Array, robot: Mechanism) -> Array:
    K = inverse_kinematics(robot, states.x).K
    return _turned(K) @ M_q @ K


def _turned(matrices: Array) -> Array:
    return np.swapaxes(matrices, 1, 2)


def _apart(a: Array, b: Array, scale: Array | None = None) -> Array:
    """(N,) largest difference over the largest entry."""
    size = np.abs(a if scale is None else scale).reshape(len(a), -1).max(axis=1)
    return np.abs(a - b).reshape(len(a), -1).max(axis=1) / np.where(size == 0.0, 1.0, size)


def _spread(values: list[Any]) -> Array:
    low, high = np.min(values, axis=0), np.max(values, axis=0)
    size = np.abs(values).max(axis=(0, 2))
    return (high - low).max(axis=1) / np.where(size == 0.0, 1.0, size)


def _indefinite(M: Array) -> Array:
    root = np.sqrt(np.diagonal(M, axis1=1, axis2=2))
    unit = M / root[:, :, None] / root[:, None, :]
    smallest = np.linalg.eigvalsh((unit + _turned(unit)) / 2.0)[:, 0]
    return np.where(smallest > 0.0, 0.0, np.maximum(-smallest, 1e-300))


MOST = 64
"""Samples that are compared."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A formulation beside the one that was used.

    Attributes:
        formulation: Its name.
        operations: Number of operations of its program.
        worst: Largest difference in force, over cond(K) max |tau|.
    """

    formulation: str
    operations: int
    worst: float


def motion_agreement(result: InverseDynamics) -> tuple[tuple[Beside, ...], int]:
    """Every formulation but the yardsticks, which take longer than all others; and how many samples are compared.

    Samples without a solution are left out.
    """
    fine = np.flatnonzero(np.isfinite(result.force).all(axis=1))
    chosen = fine[np.unique(np.linspace(0, len(fine) - 1, min(MOST, len(fine))).round().astype(int))]
    if not len(chosen):
        return (), 0
    many = len(result.t)
    given = {"x": result.x, "xd": result.xd, "xdd": result.xdd, "wrench": result.wrench}
    inputs = {
        name: np.broadcast_to(values, (many, np.shape(values)[-1]))[chosen]
        for name, values in given.items()
        if values is not None
    }
    ours = result.force[chosen]
    scale = result.condition[chosen] * np.maximum(np.abs(ours).max(axis=1), 1e-300)
    found = []
    for formulation in FORMULATIONS:
        if formulation.yardstick:
            continue
        graph = force_graph(Model(result.robot, formulation, wrench=result.wrench is not None))
        theirs = Program(graph, "blocks")(**inputs)
        worst = float((np.abs(theirs - ours) / scale[:, None]).max())
        found.append(Beside(formulation.name, size_of(graph), worst))
    return tuple(found), len(chosen)


def energy(motion: RobotMotion) -> Scalar:
    """Kinetic and potential energy relative to the base, rotors and springs included [J]."""
    pose = motion.pose
    bodies = body_poses(pose)
    total = potential_energy(bodies, motion.gravity) + stored_energy(pose)
    for b, (v, w) in zip(bodies, body_velocities(pose, bodies, *pose.platform.twist(motion.rate)), strict=True):
        total = total + (dot(v, v) * b.body.mass + dot(w, b.spin_momentum(w))) * 0.5
    qd, _ = rates(motion)
    for joint, rate in zip(motion.pose.robot.actuators, qd, strict=True):
        total = total + rate * rate * (0.5 * joint.rotor_inertia * joint.gear * joint.gear)
    return total


def dissipation(motion: RobotMotion) -> Scalar:
    """What friction takes in all joints [W]."""
    total: Any = 0.0
    for k, leg in enumerate(motion.pose.legs):
        for joint, rate in zip(leg.leg.joints, motion.leg_rates[k], strict=True):
            total = total + rate * rate * joint.viscous
            if joint.actuated:
                total = total + absolute(rate) * joint.coulomb
    return total


def base_power(motion: RobotMotion) -> Scalar:
    """Power that a turning base takes from the actuators: of Euler's and of the centrifugal forces [W].

    Coriolis forces do no work. Centrifugal forces are the slope of the kinetic energy T0 of the bodies at rest on the
    base.
    """
    base, pose = motion.base, motion.pose
    assert base is not None
    bodies = body_poses(pose)
    euler: Any = 0.0
    at_rest: Any = 0.0
    for b, (v, w) in zip(bodies, body_velocities(pose, bodies, *pose.platform.twist(motion.rate)), strict=True):
        turning, carried = across_rod(b, base.w), cross(base.w, b.c)
        euler = euler + dot(v, cross(base.wd, b.c)) * b.body.mass + dot(w, b.spin_momentum(across_rod(b, base.wd)))
        at_rest = at_rest + (dot(carried, carried) * b.body.mass + dot(turning, b.spin_momentum(turning))) * 0.5
    return euler - jvp(array([at_rest]), pose.x, motion.rate)[0]


def power_program(robot: Mechanism, base: bool = False) -> Program:
    """From x, xd, xdd, wrench (and base): "needed", the power the actuators must give, and "rates" of the actuators."""
    model = Model(robot, NewtonEuler(), wrench=True, base=base)

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector, base: Vector = None) -> dict[str, Vector]:
        motion = model.motion(x, xd, xdd, None, base)
        v, w = motion.pose.platform.twist(xd)
        gained = jvp(energy(motion), np.concatenate([x, xd]), np.concatenate([xd, xdd]))
        if base is not None:
            gained = gained + base_power(motion)
        f, m = wrench_at_origin(motion.pose, wrench)
        outer = dot(f, v) + dot(m, w)
        return {"needed": array([gained + dissipation(motion) - outer]), "rates": rates(motion)[0]}

    return Program(record(equations, **model.inputs()), "blocks")
