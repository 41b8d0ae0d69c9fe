"""Checks of `verify` beyond forces and matrices: forward dynamics, a moving base, joint rates and a simulation.

Nothing is compared with itself: accelerations come back from the median of the forces of all formulations, forces on a
moving base are compared across formulations, with the power balance and with a robot under another gravity, joint rates
with automatic derivatives of the joint coordinates, and a simulation with the energies of its bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.dynamics.base_motion import COORDINATES, BaseMotion
from gough.dynamics.contract import DEFAULT, Formulation
from gough.dynamics.drives import displacements, rates
from gough.dynamics.force_programs import Model, force
from gough.dynamics.forward import forward_equations
from gough.dynamics.matrices import SolvedFor
from gough.graph import Array, Graph, Vector, array, jvp, record
from gough.kinematics.programs import characteristic_length
from gough.kinematics.random_states import GRAVITY, conditions, scales
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.motion import Motion, State
from gough.motion.curves import Series
from gough.reports.identity_checks import Check, power_program, worst_of
from gough.robot import Mechanism
from gough.run import Program
from gough.run.choose import has_llvm, size_of
from gough.simulation.run.run_result import Simulation, run_result, within_half_a_turn
from gough.simulation.run.running import Running, StepError, integrate
from gough.simulation.system import System, system_of


@dataclass(frozen=True, slots=True)
class NotRun:
    """A check that was not run.

    Attributes:
        part, formulation: What it would have checked, as in `Check`.
        reason: Why it was not run.
    """

    part: str
    formulation: str
    reason: str


_NO_MASS_MATRIX = "has no mass matrix"


def forward_checks(
    robot: Mechanism, states: State, forces: Array, formulations: Sequence[Formulation], limit: float
) -> list[Check | NotRun]:
    """Accelerations under forces (N, actuators) against those that the forces were computed for.

    Departures are relative to cond(K) times the largest acceleration, which counts as at least that of gravity over the
    robot's length.
    """
    natural = GRAVITY / characteristic_length(robot) * scales(robot)
    expected = states.xdd / natural
    size = conditions(robot, states) * np.maximum(np.abs(expected).max(axis=1), 1.0)
    able = [f for f in formulations if f.solved_for is not SolvedFor.NOTHING]
    methods, n = ways_of(robot), robot.dof

    def equations(x: Vector, xd: Vector, force: Vector, wrench: Vector) -> dict[str, Any]:
        pose = robot_pose(robot, methods, x)
        return {f.name: forward_equations(f, robot, pose, xd, force, wrench)["xdd"] for f in able}

    graph = record(equations, x=n, xd=n, force=len(robot.actuators), wrench=6)  # one of all: they share most of it
    found = Program(graph, "blocks")(x=states.x, xd=states.xd, force=forces, wrench=states.wrench) if able else {}
    part = "forward dynamics"
    checks: list[Check | NotRun] = [
        worst_of(f"xdd back from forces: {name}", np.abs(xdd / natural - expected) / size[:, None], limit, part, name)
        for name, xdd in found.items()
    ]
    return checks + [NotRun(part, f.name, _NO_MASS_MATRIX) for f in formulations if f not in able]


def random_base(robot: Mechanism, count: int, seed: int) -> Array:
    """(count, 9) random motions of a base as `BaseRates` has them: as fast as those of `random_states`."""
    rng = np.random.default_rng([seed, 1])
    frequency = np.sqrt(GRAVITY / characteristic_length(robot))
    gravity = np.array(robot.gravity, dtype=float) + GRAVITY * rng.normal(size=(count, 3))
    w = 0.5 * frequency * rng.normal(size=(count, 3))
    return np.concatenate([gravity, w, frequency**2 * rng.normal(size=(count, 3))], axis=1)


def base_checks(
    robot: Mechanism, states: State, seed: int, formulations: Sequence[Formulation], limit: float
) -> list[Check]:
    """Forces on a moving base: of each formulation against the median of all, of all against the power balance, and of
    newton_euler on a tilted base with a constant acceleration against the same robot under another gravity.
    """
    base = random_base(robot, len(states), seed)
    inputs = states.inputs(robot) | {"base": base}
    forces = _forces(robot, formulations, inputs)
    median = np.median(list(forces.values()), axis=0)
    size = conditions(robot, states) * np.abs(median).max(axis=1)
    part = "moving base"
    found = [
        worst_of(f"forces on a moving base: {name}", np.abs(tau - median) / size[:, None], limit, part, name)
        for name, tau in forces.items()
    ]
    power = power_program(robot, base=True)(**inputs)
    speed = np.abs(power["rates"]).max(axis=1)
    lost = [np.abs((tau * power["rates"]).sum(axis=1) - power["needed"][:, 0]) for tau in forces.values()]
    departures = np.max(lost, axis=0) / (size * np.where(speed == 0.0, 1.0, speed))
    found.append(worst_of("power balance on a moving base, all formulations", departures, limit, part))
    return [*found, _tilted_base_check(robot, states, limit)]


def _tilted_base_check(robot: Mechanism, states: State, limit: float) -> Check:
    """Forces on a base that is tilted and accelerates steadily: those under the gravity R0^T (g - a0)."""
    angles, a0 = np.array([0.5, -0.4, 0.3]), GRAVITY * np.array([0.3, -0.2, 0.5])
    start = (0.0, 0.0, 0.0, *angles)
    law = Series((start, (0.0,) * 6, (*(0.5 * a0), 0.0, 0.0, 0.0)))
    moving = BaseMotion(Motion("tilted", COORDINATES, 0.0, 1.0, law)).state(np.zeros(1))
    base = moving.felt(robot.gravity)
    on_base = _forces(robot, [DEFAULT], states.inputs(robot) | {"base": np.tile(base, (len(states), 1))})[DEFAULT.name]
    (cz, cy, cx), (sz, sy, sx) = np.cos(angles), np.sin(angles)
    R0 = (
        np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
        @ np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
        @ np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
    )
    gravity = R0.T @ (np.array(robot.gravity, dtype=float) - a0)
    other = replace(robot.mechanism, gravity=tuple(gravity.tolist()))
    still = _forces(other, [DEFAULT], states.inputs(robot))[DEFAULT.name]
    departures = np.abs(on_base - still) / (conditions(robot, states) * np.abs(still).max(axis=1))[:, None]
    return worst_of("tilted, accelerated base = other gravity (newton_euler)", departures, limit, "moving base")


def _forces(robot: Mechanism, formulations: Sequence[Formulation], inputs: dict[str, Any]) -> dict[str, Array]:
    """(N, actuators) forces by each formulation, from one graph: they share most of it."""
    models = [Model(robot, formulation, wrench=True, base="base" in inputs) for formulation in formulations]

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector, base: Vector = None) -> dict[str, Any]:
        motion = models[0].motion(x, xd, xdd, None, base)
        return {model.formulation.name: force(model, motion, wrench) for model in models}

    forces: dict[str, Array] = Program(record(equations, **models[0].inputs()), "blocks")(**inputs)
    return forces


def joint_checks(robot: Mechanism, states: State, limit: float) -> list[Check]:
    """Rates and accelerations of all joints, passive ones too, against automatic derivatives along the motion.

    The derivatives are exact but for round-off, so the limit is that of all other checks. Departures are relative to
    cond(K) times the largest rate of any joint, lengths over the robot's length, which counts as at least
    sqrt(g / length); of accelerations to the largest of them and of squared rates.
    """
    model = Model(robot, DEFAULT)

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        first, second = rates(motion)
        q = array([*displacements(motion), *(value for leg in motion.pose.legs for value in leg.values())])
        qd = array([*first, *(value for leg in motion.leg_rates for value in leg)])
        qdd = array([*second, *(value for leg in motion.leg_accelerations for value in leg)])
        state, rate = np.concatenate([x, xd]), np.concatenate([xd, xdd])
        return {"qd": qd, "qdd": qdd, "dq": jvp(q, x, xd), "dqd": jvp(qd, state, rate)}

    n = robot.dof
    found = Program(record(equations, x=n, xd=n, xdd=n), "blocks")(x=states.x, xd=states.xd, xdd=states.xdd)
    length = characteristic_length(robot)
    joints = [*robot.actuators, *(joint for leg in robot.legs for joint in leg.joints)]
    unit = np.array([1.0 if joint.turns else length for joint in joints])
    qd, qdd, dq, dqd = (found[name] / unit for name in ("qd", "qdd", "dq", "dqd"))
    frequency = np.sqrt(GRAVITY / length)
    fast = np.maximum(np.abs(qd).max(axis=1), frequency)
    sudden = np.maximum(np.abs(qdd).max(axis=1), fast**2)
    part, cond = "joint rates", conditions(robot, states)
    return [
        worst_of("qd = d/dt of joint coordinates", np.abs(qd - dq) / (cond * fast)[:, None], limit, part),
        worst_of("qdd = d/dt of joint rates", np.abs(qdd - dqd) / (cond * sudden)[:, None], limit, part),
    ]


SHORT = 0.1
"""Duration of the simulation, over sqrt(length / g)."""
RTOL, ATOL = 1e-12, 1e-14
"""Tolerances of its integration: its energy error is then some 1e-13 of the energy that is converted."""


def energy_checks(
    robot: Mechanism,
    states: State,
    forces: Array,
    formulations: Sequence[Formulation],
    limit: float,
    largest: int,
    progress: Callable[[str], None],
) -> list[Check | NotRun]:
    """A short simulation by each formulation from the best conditioned state, under constant forces and wrench.

    The energy that the bodies gained must be the work of actuators and wrench, integrated along, less what friction
    took; departures are relative to the energy that is converted. The poses at the end must be alike too: forces that
    do no work do not show in energies.

    Args:
        robot: Any robot.
        states: Where it may start.
        forces: (N, actuators) of these states.
        formulations: Those that are checked.
        limit: What is allowed.
        largest: Operations above which a formulation is not run.
        progress: Called with each step as it begins.
    """
    k = int(np.argmin(conditions(robot, states)))
    force = forces[k].copy()
    cables = list(robot.cables)
    force[cables] = -np.maximum(np.abs(force[cables]), 1.0)  # a slack cable would not be tested
    duration = SHORT * np.sqrt(characteristic_length(robot) / GRAVITY)
    shared: dict[str, Program] = {}
    ends: list[Array] = []
    found: list[Check | NotRun] = []
    for formulation in formulations:
        name = formulation.name
        if formulation.solved_for is SolvedFor.NOTHING:
            found.append(NotRun("energy", name, _NO_MASS_MATRIX))
            continue
        system = replace(system_of(robot, formulation))  # its programs are compiled quickly, and for this run alone
        graph = system.graph("rates")
        if size_of(graph) > largest:
            found.append(NotRun("energy", name, f"{size_of(graph)} operations, more than {largest}"))
            continue
        progress(f"simulation by {name}")
        for other in ("sensors", "energy", "watch"):  # the same for all formulations
            if other not in shared:
                shared[other] = _quick(system.graph(other))
        vars(system)["_programs"] = shared | {"rates": _quick(graph)}
        run = _short_run(system, states, k, force, duration)
        departures = np.inf if run is None else np.abs(run.balance).max() / run.converted
        found.append(Check(f"energy balance of a simulation: {name}", float(departures), k, limit, "energy", name))
        if run is not None:
            ends.append(run.x[-1])
    if len(ends) > 1:
        departures = np.abs(within_half_a_turn(robot, ends - np.median(ends, axis=0))) / (SHORT * scales(robot))
        found.append(Check("poses at the end of the simulations alike", float(departures.max()), k, limit, "energy"))
    return found


def _quick(graph: Graph) -> Program:
    """A program that is ready soon: some hundred evaluations do not pay for optimising it."""
    return Program(graph, "llvm", opt=0) if has_llvm() else Program(graph, "blocks")


def _short_run(system: System, states: State, k: int, force: Array, duration: float) -> Simulation | None:
    """The simulation from state k, a tenth as long where the integration stops; None where it stops then too."""
    for length in (duration, 0.1 * duration):
        run = Running(system, states.x[k], states.xd[k], lambda _t: force, lambda _t: states.wrench[k], 0.0, length)
        try:
            for _ in integrate(run.rhs, run.pieces, run.edges, run.begin, rtol=RTOL, atol=ATOL):
                pass
        except StepError:
            continue
        return run_result(run, np.linspace(0.0, length, 11), (), "", "DOP853", RTOL + ATOL)
    return None
