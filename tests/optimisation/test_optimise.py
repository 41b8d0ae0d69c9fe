"""`optimise`: known optima, exact gradients, agreement of starts, independent re-evaluation, error lines."""

from itertools import product

import numpy as np
import pytest

import gough
from gough import InfeasibleDesign, RobotError, States, inverse_dynamics, load, optimise
from gough.optimisation.measured import Measured, singular_values
from gough.optimisation.optimise import judged_of
from gough.optimisation.read import wanted_of

BOX = np.array([0.3, 0.3, 0.25, 0.3, 0.3, 0.3])
RADII = {
    "legs.base.radius": [0.8, 2.2],
    "legs.base.half_angle": [0.08, 0.5],
    "legs.platform.radius": [0.35, 1.1],
    "legs.platform.half_angle": [0.08, 0.5],
}


def stewart_task(seed=0):
    """The machine, the free numbers and 200 states: corners and random points of a box, accelerations, wrenches."""
    robot = load("stewart").replace({"legs.platform.half_angle": 0.1})
    rng = np.random.default_rng(seed)
    x = np.concatenate([np.array(list(product(*zip(-BOX, BOX, strict=True)))), rng.uniform(-1, 1, (136, 6)) * BOX])
    xdd = rng.uniform(-1, 1, (200, 6)) * [5, 5, 5, 8, 8, 8]
    wrench = rng.normal(size=(200, 6)) * [20, 20, 20, 3, 3, 3]
    problem = {
        "robot": robot,
        "minimise": "peak force",
        "starts": 1,
        "vary": [{"number": name, "bounds": ends} for name, ends in RADII.items()],
        "task": {"shift": {"z": [-0.8, 0.8], "psi": [-0.6, 0.6]}},
        "limits": {"ratio": 1.7, "base_gap": 0.15, "platform_gap": 0.15},
    }
    return problem, States(np.array(robot.platform.home) + x, np.zeros((200, 6)), xdd, wrench)


def test_forces_of_a_stewart_platform():
    problem, states = stewart_task()
    found = optimise(problem, states=states)
    assert found.gain < -0.22
    assert len(found.best.states) < 80
    assert {name for name, _ in found.best.active} >= {"ratio", "platform_gap"}
    # Again, by the public functions alone.
    shift = np.zeros(6)
    shift[[2, 3]] = found.best.p[4:]
    x = states.x + shift
    force = inverse_dynamics(found.robot, x, states.xd, states.xdd, states.wrench).force
    assert np.abs(force).max() == pytest.approx(found.value, rel=1e-9)
    q = gough.inverse_kinematics(found.robot, x).q
    assert q.max() / q.min() <= 1.7 * (1 + 1e-6)
    base = np.array([leg.position for leg in found.robot.legs])
    gaps = np.linalg.norm(base[:, None] - base[None], axis=2)[~np.eye(6, dtype=bool)]
    assert gaps.min() >= 0.15 * (1 - 1e-6)


@pytest.mark.slow
def test_starts_agree():
    problem, states = stewart_task()
    found = optimise(problem | {"starts": 20}, states=states)
    assert found.agreeing >= 18
    assert all(one.value >= found.value for one in found.found if one.feasible)


@pytest.mark.parametrize("name", ["stewart", "hexapod", "delta"])
def test_gradients_are_exact(name):
    """Against central differences in long steps and Richardson: errors of 1e-9 of the size are theirs."""
    numbers = {
        "stewart": ["legs.base.radius", "legs.platform.half_angle", "platform.mass"],
        "hexapod": ["platform.mass", "leg.A.end.platform_point.0"],
        "delta": ["platform.mass", "leg.A.joint.1.body.mass"],
    }[name]
    robot = load(name)
    vary = [{"number": n, "uniform": 0.05} for n in numbers]
    home = robot.platform.home
    box = {c: [h - 0.03, h + 0.03] for c, h in zip(robot.coordinate_names, home, strict=True)}
    problem = {
        "robot": robot,
        "vary": vary,
        "poses": {"box": box, "points": 4},
        "task": {"acceleration": {robot.coordinate_names[0]: 2.0}},
        "jacobian": {"length": [0.1, 0.5]},
    }
    wanted = wanted_of(problem, {})
    measured = Measured(robot, wanted.variables, ("force", "stroke", "K"), {})
    p = wanted.variables.nominal
    exact = measured.at(wanted.states, p)
    for k in range(len(p)):
        for key, (value, slope) in exact.items():
            step = 1e-4 * max(abs(p[k]), 0.1)

            def off(h, key=key, k=k):
                return measured.at(wanted.states, p + h * np.eye(len(p))[k])[key][0]

            one, two = ((off(h) - off(-h)) / (2 * h) for h in (step, 2 * step))
            best = (4 * one - two) / 3
            assert np.abs(best - slope[:, :, k]).max() <= 1e-8 * max(1.0, np.abs(value).max() / step * 1e-4)


def test_derivatives_of_singular_values():
    rng = np.random.default_rng(3)
    K, D = rng.normal(size=(5, 6 * 6)), rng.normal(size=(5, 36, 2))
    s, ds = singular_values(K, D, 6)
    h = 1e-5
    for k in range(2):
        up = np.linalg.svd((K + h * D[:, :, k]).reshape(5, 6, 6), compute_uv=False)
        down = np.linalg.svd((K - h * D[:, :, k]).reshape(5, 6, 6), compute_uv=False)
        assert np.abs((up - down) / (2 * h) - ds[:, :, k]).max() < 1e-7
    assert (np.diff(s, axis=1) <= 0).all()


def test_condition_of_mirrored_rings_is_sqrt_two():
    """Three-fold mirrored rings of six legs: no better than sqrt 2, with length and reference point free."""
    problem = {
        "robot": "stewart",
        "minimise": "condition",
        "starts": 12,
        "vary": [
            {"number": "legs.base.radius", "bounds": [0.3, 4.0]},
            {"number": "legs.base.half_angle", "bounds": [0.0, 1.04]},
            {"number": "legs.platform.radius", "bounds": [0.2, 3.0]},
            {"number": "legs.platform.half_angle", "bounds": [0.0, 1.04]},
        ],
        "jacobian": {"length": [0.05, 4.0], "reference": {"z": [-3.0, 3.0]}},
        "task": {"shift": {"z": [-1.5, 2.0]}},
    }
    found = optimise(problem)
    assert found.value == pytest.approx(np.sqrt(2), rel=1e-5)


def test_an_analytic_case_and_a_user_function():
    """The lightest platform that keeps its own limit, and a bound that is met."""
    robot = load("delta")
    problem = {
        "robot": robot,
        "minimise": "weight",
        "starts": 2,
        "vary": [{"number": "platform.mass", "bounds": [0.5, 3]}],
    }
    found = optimise(problem, {"weight": lambda machine: 9.81 * machine.platform.body.mass})
    assert found.value == pytest.approx(9.81 * 0.5, rel=1e-9)
    assert found.table["at"].tolist() == ["least"]
    capped = problem | {"minimise": "peak force", "limits": {"weight": 9.0}}
    best = optimise(capped, {"weight": lambda machine: 9.81 * machine.platform.body.mass})
    assert best.robot.platform.body.mass == pytest.approx(0.5, rel=1e-6)


@pytest.mark.slow
def test_a_front():
    problem, states = stewart_task()
    found = optimise(problem | {"minimise": ["peak force", "condition"], "front": 4}, states=states)
    force, condition = np.array([one.value for one in found.front]), np.array(found.second)
    assert len(force) == 4
    assert (np.diff(force) > 0).all()
    assert (np.diff(condition) < 0).all()
    assert found.plot() is not None


def test_what_no_design_keeps():
    problem, states = stewart_task()
    with pytest.raises(InfeasibleDesign, match=r"the nearest misses force by [\d.e+]+ %; widen the bounds or that"):
        optimise(problem | {"limits": {"force": 5.0}}, states=states)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"minimise": "peek force"}, "minimise: no such objective: peek force"),
        ({"limits": {"ration": 2}}, "limits.ration: no such limit"),
        ({"limits": {"ratio": 0.5}}, "limits.ratio: must be greater than 1"),
        ({"vary": []}, "vary: is missing: no number is free"),
        ({"task": {"shift": {"w": [0, 1]}}}, "task.shift.w: no such coordinate"),
        ({"starts": 0}, "starts: must be a whole number from 1 to 10000"),
    ],
)
def test_faults_are_one_line(change, line):
    problem = {"robot": "stewart", "vary": [{"number": "platform.mass", "bounds": [1, 2]}]} | change
    with pytest.raises(RobotError) as caught:
        optimise(problem)
    text = str(caught.value)
    assert "\n" not in text
    assert line.split(":")[0] in text
    assert line.split(": ")[1] in text


def test_judged_values_are_those_of_rows():
    problem, states = stewart_task()
    wanted = wanted_of(problem, {}, states)
    judged = judged_of(wanted, Measured(wanted.robot, wanted.variables, wanted.needs, {}), "peak force")
    p = wanted.variables.nominal
    top = judged.value(states, p)
    rows = judged.rows(states, np.arange(200), np.array([*p, top, 1.0]))
    own = [v for v, name in zip(rows.values, rows.names, strict=True) if name == "peak force"]
    assert max(own) == pytest.approx(0.0, abs=1e-12)
