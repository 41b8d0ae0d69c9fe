"""Every formulation gives the same motions, accelerations, forces and matrices, also where features meet.

Simulations are compared with newton_euler's on a base at rest or moving, with a payload, under a wrench, and with all
of them. Accelerations, forces and matrices are compared at single states of machines far from those of the papers:
gravity with all components, full tensors, centres of mass off the axes, friction, rotors and springs.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import gough
from gough import catalogue
from gough.dynamics import FORMULATIONS
from gough.dynamics.matrices import SolvedFor
from gough.kinematics.random_states import conditions, moving, reachable_poses
from tests.support.dependent_machines import random_machine
from tests.support.given_states import base_state
from tests.support.lanes import sample, slow_if
from tests.support.loaded_robots import loaded, rescaled, rubbing
from tests.support.motions import scales
from tests.support.random_robots import KINDS, random_robot
from tests.support.robots import with_values
from tests.support.sprung_robots import with_joint_springs

OTHERS = tuple(f.name for f in FORMULATIONS[1:] if f.solved_for is not SolvedFor.NOTHING)
"""Formulations with forward dynamics, but for newton_euler."""
DEPENDENT = ("rps", "prs", "rrs", "tricept", "exechon")
"""Kinds of random machines some of whose coordinates depend on others."""
CONDITIONS = ("fixed base", "moving base", "payload", "wrench", "all of them")
LARGE = ("hexapod", "rotary", "sru", "stewart")
"""Robots whose programs by Lagrange's equations take long to make."""
RTOL = 1e-10
WRENCH = np.array([3.0, -5.0, 2.0, 0.4, -0.3, 0.2])


def start_of(robot):
    """Home, with every coordinate moving, so that velocity terms matter."""
    n = robot.dof
    return gough.State(robot.home, scales(robot) * np.array([0.5, -0.4, 0.3, 0.8, -0.6, 0.7])[:n])


def condition_of(robot, condition):
    """(robot, arguments of a simulation)."""
    more = {"moving base": {"base": "vehicle"}, "wrench": {"wrench": WRENCH}}
    more["all of them"] = more["moving base"] | more["wrench"]
    if condition in ("payload", "all of them"):
        robot = robot.with_payload(0.8, (0.05, -0.03, 0.04), (0.02, 0.03, 0.03, 0.001, -0.002, 0.003))
    return robot, more.get(condition, {})


def simulated(robot, formulation, more):
    run = gough.simulate(
        robot, start_of(robot), None, 0.02, formulation=formulation, samples=3, rtol=RTOL, on_limit="continue", **more
    )
    return np.concatenate([run.x, run.xd], axis=1)


def simulation_cases():
    every = [
        (name, formulation, condition)
        for name, formulation, condition in product(catalogue(), OTHERS, CONDITIONS)
        if not (formulation in ("lagrange", "koditschek") and name in LARGE)
    ]
    drawn = sample(every, 7, lane="simulations by formulation")
    always = [
        ("stewart", "generalized_momentum", "fixed base"),
        ("stewart", "generalized_momentum", "moving base"),
        ("stewart", "lagrange", "moving base"),
    ]
    return [
        pytest.param(*case, id=" ".join(case), marks=slow_if(case[0] in ("rotary", "sru")))
        for case in dict.fromkeys((*always, *drawn))
    ]


@pytest.mark.parametrize(("name", "formulation", "condition"), simulation_cases())
def test_simulations_agree(name, formulation, condition):
    """To the integrator's tolerance: 100 times the relative error of a step."""
    robot, more = condition_of(gough.load(name), condition)
    expected, found = (simulated(robot, f, more) for f in ("newton_euler", formulation))
    assert expected.shape == found.shape
    assert np.isfinite(expected).all()
    assert np.abs(found - expected).max() <= 100 * RTOL * np.abs(expected).max()


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["lagrange", "koditschek"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_simulations_of_six_legs_by_lagrange_agree(formulation, condition):
    test_simulations_agree("hexapod", formulation, condition)


@pytest.mark.parametrize("base", [None, "vehicle"])
@pytest.mark.parametrize("formulation", ["generalized_momentum", "orthogonal_complement"])
def test_ensembles_agree(formulation, base):
    """Equal steps have equal errors: what is left is round-off over 20 steps."""
    robot = gough.load("stewart")
    x, xd = start_of(robot).x, start_of(robot).xd
    start = gough.State(np.stack([x, x]), np.stack([xd, -0.5 * xd]))
    runs = [
        gough.simulate_many(robot, start, None, 0.02, step=1e-3, formulation=f, base=base, history="none")
        for f in ("newton_euler", formulation)
    ]
    assert np.abs(runs[1].x - runs[0].x).max() <= 1e-12
    assert np.abs(runs[0].x - start.x).max() > 1e-3


def machine(kind, seed):
    """A random machine with all that dynamics can have; dependent ones are of kinds in lower case."""
    robot = random_machine(kind, seed) if kind in DEPENDENT else random_robot(kind, seed)
    dressed = (loaded if seed % 2 else rescaled)(robot, seed)
    if not any(leg.free_spin for leg in dressed.legs):
        dressed = with_joint_springs(rubbing(dressed, seed), seed)
    gravity = 4.0 * np.random.default_rng(seed).normal(size=3)
    return with_values(dressed, gravity=tuple(gravity.tolist()))


@pytest.fixture(
    params=sample(product((*KINDS, *DEPENDENT), range(4)), 4, lane="random machines by formulation"),
    ids=lambda case: f"{case[0]}-{case[1]}",
    scope="module",
)
def machine_and_states(request):
    """A machine, states of it, a motion of its base at each, and the formulations that do not take long on it."""
    kind, seed = request.param
    robot = machine(kind, seed)
    rng = np.random.default_rng([seed, 7])
    states = moving(robot, reachable_poses(robot, 6, rng), rng)
    base = base_state(robot, np.concatenate([robot.gravity, np.zeros(6)]) + rng.normal(size=(len(states), 9)))
    quick = len(robot.legs) <= 3 and kind not in DEPENDENT
    return robot, states, base, [f for f in FORMULATIONS if quick or not f.yardstick]


def test_forces_agree(machine_and_states):
    """Against cond(K) max |force|, on a base at rest and on one that moves, with a wrench."""
    robot, states, moving_base, formulations = machine_and_states
    for base in (None, moving_base):
        forces = [
            gough.inverse_dynamics(
                robot, gough.State(states.x, states.xd, states.xdd, wrench=states.wrench, base=base), formulation=f
            ).force
            for f in formulations
        ]
        scale = conditions(robot, states) * np.abs(forces[0]).max(axis=1)
        assert np.isfinite(forces).all()
        assert (np.ptp(forces, axis=0).max(axis=1) / scale).max() <= 1e-12


def test_accelerations_agree(machine_and_states):
    """Forces that each formulation's accelerations take are those given, against cond(K) max |force|."""
    robot, states, moving_base, formulations = machine_and_states
    x, xd, wrench = states.x, states.xd, states.wrench
    for base in (None, moving_base):
        given = gough.inverse_dynamics(robot, gough.State(x, xd, states.xdd, wrench=wrench, base=base)).force
        scale = conditions(robot, states) * np.abs(given).max(axis=1)
        for formulation in formulations:
            if formulation.solved_for is SolvedFor.NOTHING:
                continue
            found = gough.forward_dynamics(
                robot, gough.State(x, xd, wrench=wrench, base=base), given, formulation=formulation
            )
            needed = gough.inverse_dynamics(robot, gough.State(x, xd, found.xdd, wrench=wrench, base=base)).force
            assert (np.abs(needed - given).max(axis=1) / scale).max() <= 1e-11
            assert (found.status == 0).all()


def test_matrices_agree(machine_and_states):
    """M, C xd and G in platform coordinates, against the largest of each state."""
    robot, states, _, formulations = machine_and_states
    having = [f for f in formulations if f.matrix_coordinates is not None]
    assert len(having) >= 2
    found = [gough.dynamics_matrices(robot, gough.State(states.x, states.xd), formulation=f) for f in having]
    C_xd = [(m.C @ states.xd[..., None])[..., 0] for m in found]
    for values in ([m.M for m in found], C_xd, [m.G for m in found]):
        flat = np.array(values).reshape(len(found), len(states), -1)
        scale = conditions(robot, states) * np.abs(flat[0]).max(axis=1)
        assert (np.ptp(flat, axis=0).max(axis=1) / scale).max() <= 1e-12
