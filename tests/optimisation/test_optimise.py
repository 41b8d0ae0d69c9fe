"""`optimise`: known optima, exact gradients, agreement of starts, independent re-evaluation, error lines."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import gough
from gough import InfeasibleDesign, RobotError, State, inverse_dynamics, load, loads, optimise
from gough.accuracy import elasticity, pose_errors
from gough.analysis.leg_distances import shape_of
from gough.cli.pages.optimise_page import exceeded_lines, page
from gough.kinematics.programs import characteristic_length
from gough.optimisation.compliance import Errors, stiffnesses
from gough.optimisation.compliance import pose_errors as compliance_errors
from gough.optimisation.design_file import design_text
from gough.optimisation.measured import Measured, singular_values
from gough.optimisation.optimise import judged_of
from gough.optimisation.read import wanted_of, workspace_volume

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
    return problem, State(np.array(robot.platform.home) + x, np.zeros((200, 6)), xdd, wrench=wrench)


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
    np.testing.assert_array_equal(found.robot.platform.home, load("stewart").platform.home + shift)
    assert loads(found.robot.to_toml()).platform.home == found.robot.platform.home
    force = inverse_dynamics(found.robot, gough.State(x, states.xd, states.xdd, wrench=states.wrench)).force
    assert np.abs(force).max() == pytest.approx(found.value, rel=1e-9)
    q = gough.inverse_kinematics(found.robot, x).q
    assert q.max() / q.min() <= 1.7 * (1 + 1e-6)
    base = np.array([leg.position for leg in found.robot.legs])
    gaps = np.linalg.norm(base[:, None] - base[None], axis=2)[~np.eye(6, dtype=bool)]
    told = {one.name: one.values[0] for one in found.reached}
    assert told["ratio"] == pytest.approx(q.max() / q.min(), rel=1e-12)
    assert told["base_gap"] == pytest.approx(gaps.min(), rel=1e-12)
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
        "hexapod": ["platform.mass", "leg.A.platform.0"],
        "delta": ["platform.mass", "leg.A.crank.mass"],
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


@pytest.mark.slow
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
    with pytest.raises(
        InfeasibleDesign, match=r"the nearest misses force by [\d.e+]+ times its size; widen the bounds or that"
    ):
        optimise(problem | {"limits": {"force": 5.0}}, states=states)


@pytest.mark.parametrize(("z", "amount"), [([-20, -19], r"[\d.e+]+ times its size"), ([-1.9, -1.8], r"[\d.]+ %")])
def test_poses_out_of_reach_are_told_though_nothing_that_varies_reaches_them(z, amount):
    problem = {
        "robot": "delta",
        "starts": 1,
        "poses": {"box": {"x": [-0.1, 0.1], "z": z}, "points": 4},
        "vary": [{"number": "platform.mass", "bounds": [0.5, 2.0]}],
    }
    with pytest.raises(InfeasibleDesign, match=rf"misses reach by {amount}; are the poses about home, in m and rad"):
        gough.optimise(problem)


def test_poses_in_millimetres_are_refused_on_their_line():
    poses = {"box": {"z": [-800, -700]}, "points": 4}
    vary = [{"number": "platform.mass", "bounds": [0.5, 2.0]}]
    with pytest.raises(gough.InputError, match=r"poses\.box\.z: \[-800, -700\]: is more than 50 times .*millimetres\?"):
        gough.optimise({"robot": "delta", "starts": 1, "poses": poses, "vary": vary})


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"minimise": "peek force"}, "minimise: no such objective: peek force"),
        ({"limits": {"ration": 2}}, "limits.ration: no such limit"),
        ({"limits": {"ratio": 0.5}}, "limits.ratio: must be greater than 1"),
        ({"vary": []}, "vary: is missing: nothing varies"),
        ({"task": {"shift": {"w": [0, 1]}}}, "task.shift.w: no such coordinate"),
        ({"minimise": "stiffness"}, "stiffness.actuator: is missing: no stiffness is stated"),
        ({"minimise": "pose error"}, "tolerances: is missing: no tolerance is stated"),
        ({"minimise": "largest box"}, "limits: is missing: nothing bounds the largest box"),
        ({"limits": {"regular": 3}}, "limits.regular: must be true or false"),
        ({"limits": {"angle": "3 m"}}, "limits.angle: its unit"),
        ({"task": {"motion": "trig3", "velocity": {"x": 1}}}, "task.motion: takes the place of poses"),
        ({"minimise": "task time", "limits": {"force": 9}}, "task.motion: is missing: a time needs a motion"),
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


RING = {
    "robot": "stewart",
    "starts": 3,
    "vary": [
        {"number": "legs.base.radius", "bounds": [0.8, 2.2]},
        {"number": "legs.platform.radius", "bounds": [0.35, 1.1]},
        {"number": "legs.platform.half_angle", "bounds": [0.08, 0.5]},
    ],
    "poses": {"box": {"x": [-0.2, 0.2], "y": [-0.2, 0.2], "z": [1.8, 2.2]}, "points": 16},
    "task": {"corners": True},
    "limits": {"ratio": 1.8, "base_gap": 0.15, "platform_gap": 0.15},
}


def test_stiffness_and_pose_error_are_those_of_accuracy():
    """The best designs judged again by `gough.accuracy`, which knows nothing of optimisations."""
    found = optimise(RING | {"minimise": "stiffness", "stiffness": {"actuator": "20 kN/mm"}})
    machine = found.robot.with_errors({"stiffness": {"actuator": 2e7}})
    again = [np.linalg.eigvalsh(elasticity(machine, x).compliance[:3, :3])[-1] for x in found.wanted.states.x]
    assert found.value == pytest.approx(1.0 / max(again), rel=1e-10)
    assert found.gain > 0.3
    tolerances = {"base": 1e-4, "platform": 5e-5, "zero": 2e-5, "encoder": 1e-5}
    found = optimise(RING | {"minimise": "pose error", "tolerances": tolerances})
    machine = found.robot.with_errors({"tolerances": tolerances})
    again = pose_errors(machine, found.wanted.states.x).rms[:, 0]
    assert found.value == pytest.approx(again.max(), rel=1e-10)
    assert found.gain < -0.1
    assert found.agreeing == 3


def test_stiffness_that_does_not_count_is_named():
    given = {"actuator": "20 kN/mm", "link": "80 kN/mm"}
    line = r"^stiffness counts that of actuators alone: \[stiffness\] link left out$"
    with pytest.warns(gough.GoughWarning, match=line):
        optimise(RING | {"minimise": "stiffness", "stiffness": given, "starts": 1})


def test_slopes_of_stiffness_and_pose_error():
    rng = np.random.default_rng(5)
    K, D = rng.normal(size=(4, 36)), rng.normal(size=(4, 36, 2))
    errors, places = Errors(1e-3, 2e-3, 5.0), np.arange(3)
    for function in (
        lambda K, D: stiffnesses(K, D, 6, 5.0, places),
        lambda K, D: compliance_errors(K, D, 6, errors),
    ):
        value, slope = function(K, D)
        for k in range(2):
            ends = [
                (function(K + h * D[:, :, k], D)[0] - function(K - h * D[:, :, k], D)[0]) / (2 * h)
                for h in (1e-5, 2e-5)
            ]
            best = (4 * ends[0] - ends[1]) / 3
            assert np.abs(best / slope[:, k] - 1).max() < 1e-6
        assert (value > 0).all()


def test_a_singular_pose_has_no_stiffness_and_leaves_others_as_they_are():
    rng = np.random.default_rng(6)
    K, D = rng.normal(size=(3, 36)), rng.normal(size=(3, 36, 2))
    errors, places = Errors(1e-3, 2e-3, 5.0), np.arange(3)
    alone = [stiffnesses(K[[0, 2]], D[[0, 2]], 6, 5.0, places), compliance_errors(K[[0, 2]], D[[0, 2]], 6, errors)]
    for singular in (np.full(36, 1e9), np.zeros(36), np.r_[K[1, :30], K[1, :6]]):
        K[1] = singular
        held, pose_error = stiffnesses(K, D, 6, 5.0, places), compliance_errors(K, D, 6, errors)
        assert (held[0][1], pose_error[0][1]) == (0.0, 1e9)
        for (value, slope), (one, by) in zip((held, pose_error), alone, strict=True):
            np.testing.assert_array_equal(value[[0, 2]], one)
            np.testing.assert_array_equal(slope, [by[0], [0.0, 0.0], by[1]])


def test_stiffness_that_is_not_asked_for_is_not_computed(monkeypatch):
    """A robot's own [stiffness] and [tolerances] must not matter to other limits."""
    refused = pytest.fail
    monkeypatch.setattr("gough.optimisation.rows.stiffnesses", lambda *_: refused("stiffness is computed"))
    monkeypatch.setattr("gough.optimisation.rows.pose_errors", lambda *_: refused("pose errors are computed"))
    given = {"stiffness": {"actuator": "20 kN/mm"}, "tolerances": {"base": 1e-4}, "starts": 1}
    assert optimise(RING | given | {"minimise": "peak force", "limits": {"condition": 8}}).reached


def test_poses_stated_relative_to_home_are_told():
    box = {"box": {"x": [-0.1, 0.1], "z": ["-25 mm", "25 mm"]}, "points": 4}
    problem = RING | {"poses": box, "limits": {"stroke": [2.5, 2.6]}, "starts": 1}
    line = r"the nearest misses stroke by [\d.]+ %; poses are not relative to home: z = 1.975 to 2.025 m\?$"
    with pytest.raises(InfeasibleDesign, match=line):
        optimise(problem)


def test_a_gradient_against_long_double():
    """Lengths of legs in 80 bits: central differences there are good to 1e-13, and so are the recorded slopes."""
    problem = RING | {"task": {"shift": {"z": [-0.5, 0.5]}}}
    wanted = wanted_of(problem, {})
    measured = Measured(wanted.robot, wanted.variables, ("stroke",), {})
    p = np.array([1.4, 0.7, 0.2, 0.1])
    slope = measured.at(wanted.states, p)["stroke"][1]
    legs = wanted.variables.robot(wanted.robot, p.tolist()).legs
    x = wanted.states.x[3]

    def stroke(radius, top_radius, shift):
        """Distances of joints on two rings; the platform does not turn."""
        found = []
        for leg in legs:
            base, top = (np.array(v, dtype=np.longdouble) for v in (leg.position, leg.end.platform_point))
            base[:2] *= radius / np.longdouble(p[0])
            top[:2] *= top_radius / np.longdouble(p[1])
            place = x[:3].astype(np.longdouble) + np.array([0, 0, shift], dtype=np.longdouble)
            found.append(np.sqrt(((place + top - base) ** 2).sum()))
        return np.array(found)

    start = np.array([p[0], p[1], p[3]], dtype=np.longdouble)
    h = np.longdouble(1e-5)
    for k, column in ((0, 0), (1, 1), (2, 3)):
        step = np.zeros(3, dtype=np.longdouble)
        step[k] = h
        near, far = ((stroke(*(start + m * step)) - stroke(*(start - m * step))) / (2 * m * h) for m in (1, 2))
        best = ((4 * near - far) / 3).astype(float)
        assert np.abs(best - slope[3, :, column]).max() < 1e-12


@pytest.mark.slow
def test_the_largest_box_fits_and_is_proved():
    limits = {"stroke": [1.5, 2.6], "condition": 12, "angle": "80 deg", "distance": 0.0, "regular": True}
    found = optimise(RING | {"starts": 2, "minimise": "largest box", "limits": limits})
    assert found.gain > 0.2
    assert found.proof.regular
    half = 0.2 * found.value
    corners = np.array(list(product(*[(-half, half)] * 3))) + [0, 0, 2.0]
    x = np.concatenate([corners, np.zeros((8, 3))], axis=1)
    q = gough.inverse_kinematics(found.robot, x).q
    assert q.min() >= 1.5 - 1e-6
    assert q.max() <= 2.6 + 1e-6
    assert min(2.6 - q.max(), q.min() - 1.5) < 1e-5
    grown = gough.inverse_kinematics(found.robot, np.concatenate([1.01 * corners, np.zeros((8, 3))], axis=1)).q
    assert grown.max() > 2.6 or grown.min() < 1.5
    assert np.ptp(found.proof.ranges[:, 0] + found.proof.ranges[:, 1]) == pytest.approx(4.0)


@pytest.mark.slow
def test_the_time_of_a_task():
    problem = {key: value for key, value in RING.items() if key != "poses"}
    found = optimise(
        problem
        | {
            "minimise": "task time",
            "task": {"motion": "trig3"},
            "limits": {"force": 30.0, "speed": 2.0, "base_gap": 0.15, "platform_gap": 0.15},
        }
    )
    motion = gough.Motion.named(found.robot, "trig3")
    s = motion.sample(101)
    k = found.value
    faster = gough.inverse_dynamics(found.robot, gough.State(s.x, s.xd / k, s.xdd / k**2))
    used = [np.abs(faster.force).max() / 30.0, np.abs(faster.qd).max() / 2.0]
    assert max(used) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.slow
def test_numbers_of_a_list_and_functions_without_gradients():
    """Ten masses, one of them the lightest that keeps a limit: known by looking at all."""
    masses = np.linspace(0.5, 2.3, 10).tolist()
    problem = {
        "robot": "delta",
        "minimise": "peak force",
        "budget": 60,
        "vary": [
            {"number": "platform.mass", "list": masses},
            {"number": "leg.*.crank.mass", "bounds": [0.3, 0.6]},
        ],
        "limits": {"payload": -1.0},
    }
    found = optimise(problem, {"payload": lambda robot: -robot.platform.body.mass})
    assert found.robot.platform.body.mass == pytest.approx(min(m for m in masses if m >= 1.0))
    assert [float(v) for v in found.best.p[1:]] == pytest.approx([0.3] * 3, rel=1e-6)
    home = np.array(found.robot.platform.home)
    own = {
        "robot": "delta",
        "minimise": "weight",
        "budget": 60,
        "vary": [{"number": "platform.mass", "bounds": [0.5, 3]}],
    }
    plain = optimise(own, numeric={"weight": lambda robot: abs(robot.platform.body.mass - 1.234) + 0.0 * home[0]})
    assert plain.robot.platform.body.mass == pytest.approx(1.234, abs=0.05)


@pytest.mark.slow
def test_the_best_of_several_machines():
    small = load("delta").replace({"platform.mass": 1.0})
    problem = {
        "robot": [small, "planar3rrr"],
        "minimise": "peak force",
        "starts": 1,
        "vary": [{"number": "platform.mass", "bounds": [0.5, 1.5]}],
    }
    found = optimise(problem)
    assert found.wanted.robot.name == "planar3rrr"  # it lies flat, and holds nothing at rest
    assert [one.wanted.robot.name for one in found.others] == ["delta"]


@pytest.mark.slow
def test_the_largest_workspace():
    """Of three lengths of a crank the longest has the largest room: as `workspace` finds it for each."""
    robot = load("planar3rrr")
    lengths = [0.8 * robot.legs[0].joints[1].offset[0], robot.legs[0].joints[1].offset[0]]
    numbers = [f"leg.{leg.name}.crank.length" for leg in robot.legs]
    problem = {
        "robot": robot,
        "minimise": "workspace volume",
        "budget": 12,
        "vary": [{"number": numbers[0], "list": lengths, "ties": dict.fromkeys(numbers[1:], 1)}],
    }
    found = optimise(problem)
    rooms = [workspace_volume(found.wanted.variables.robot(robot, [length])) for length in lengths]
    assert found.value == max(rooms)
    assert max(rooms) == pytest.approx(gough.workspace(robot, cells=16).volume.measure, rel=1e-9)
    assert rooms[0] < rooms[1]


def test_cubic_hexapod_has_condition_two():
    """Legs along six edges of a cube, about its centre: translations alike, turns by 1 : 1 : 2 whatever the length."""
    low = [(1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    edges = [(a, tuple(v if i != k else 1 for i, v in enumerate(a))) for a in low for k in range(3) if a[k] < 0]
    upright = np.array([[1, -1, 0], [1, 1, -2], [1, 1, 1]]) / np.sqrt([[2], [6], [3]])
    tables = [f"[[leg]]\nbase = {(upright @ a).tolist()}\nplatform = {(upright @ b).tolist()}" for a, b in edges]
    head = """
        name = "cubic"
        [platform]
        coordinates = { x = "x", y = "y", z = "z", a = "rz", b = "ry", c = "rx" }
        home = [0, 0, 0, 0, 0, 0]
        mass = 1
        inertia = [1, 1, 1]
        [legs]
        type = "UPS"
        cylinder = { mass = 0.1 }
        piston = { mass = 0.1 }
    """
    robot = loads("\n".join([head, *tables]))
    problem = {
        "robot": robot,
        "minimise": "condition",
        "starts": 6,
        "vary": [{"number": "platform.mass", "bounds": [1, 2]}],
        "jacobian": {"length": [0.3, 6.0], "reference": {c: [-0.5, 0.5] for c in "xyz"}},
    }
    found = optimise(problem)
    assert found.value == pytest.approx(2.0, rel=1e-6)
    assert found.agreeing >= 5 or found.local


def test_an_interrupt_keeps_the_best():
    told = []

    def progress(words):
        told.append(words)
        if len(told) == 2:
            raise KeyboardInterrupt

    found = optimise(RING | {"minimise": "condition", "starts": 8}, progress=progress)
    assert found.interrupted
    assert len(found.found) == 2
    assert told[0].startswith("stewart: 1 of 8 starts, best ")


def test_a_start_that_ends_far_away_hides_nothing():
    """A start that ended at a hundred times the force is counted, and marked at the edge of the picture."""
    problem = {"robot": "delta", "starts": 3, "vary": [{"number": "platform.mass", "bounds": [0.5, 2]}]}
    found = optimise(problem)
    far = replace(found.best, value=100.0 * found.before)
    better = replace(found.best, value=0.5 * (found.before + found.value))
    found = replace(found, found=(found.best, better, found.best, far))
    assert (
        page(found).splitlines()[-1]
        == f"2 of 4 starts agree; local optima: {better.value:.5g}; 1 ended no better than before."
    )
    ax = found.plot().axes[0]
    assert ax.get_ylim()[1] < 2.0 * found.before
    assert f"beyond: {far.value:.4g}" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_what_is_reached_of_limits_is_what_public_functions_say():
    poses = {"box": {"x": [-0.1, 0.1], "z": [-0.9, -0.8]}, "points": 8}
    limits = {
        "force": 900,
        "speed": 90,
        "stroke": [-3, 3],
        "condition": 90,
        "singular": 1e-3,
        "angle": 1.5,
        "cost": 9.0,
    }
    vary = [{"number": "platform.mass", "bounds": [0.5, 2]}]
    problem = {"robot": "delta", "starts": 1, "vary": vary, "poses": poses, "limits": limits}
    found = optimise(problem | {"task": {"velocity": {"x": 1}}}, {"cost": lambda robot: 2.0 * robot.platform.body.mass})
    told, states = {one.name: one.values for one in found.reached}, found.wanted.states
    assert set(told) == set(limits)
    at = gough.inverse_kinematics(found.robot, gough.State(states.x, states.xd))
    force = inverse_dynamics(found.robot, gough.State(states.x, states.xd, states.xdd)).force
    assert told["force"][0] == pytest.approx(np.abs(force).max(), rel=1e-12)
    assert told["speed"][0] == pytest.approx(np.abs(at.qd).max(), rel=1e-12)
    assert told["stroke"] == pytest.approx((at.q.min(), at.q.max()), rel=1e-12)
    assert told["condition"][0] == pytest.approx(at.condition.max(), rel=1e-9)
    assert told["singular"][0] == pytest.approx(np.linalg.svd(at.K, compute_uv=False).min(), rel=1e-9)
    assert told["cost"] == (1.0,)


def test_the_angle_reached_is_that_of_legs_from_home():
    poses = {"box": {"x": [-0.3, 0.3], "y": [-0.2, 0.2]}, "points": 8}
    vary = [{"number": "platform.mass", "bounds": [1, 2]}]
    found = optimise({"robot": "stewart", "starts": 1, "vary": vary, "poses": poses, "limits": {"angle": 1.5}})
    robot, x = found.robot, found.wanted.states.x[:, :3]
    points = [np.array(leg.end.platform_point) - np.array(leg.position) for leg in robot.legs]
    legs = np.array(points) + np.vstack([robot.platform.home[:3], x])[:, None]
    legs /= np.linalg.norm(legs, axis=2, keepdims=True)
    angles = np.arccos((legs[1:] * legs[0]).sum(axis=2))
    assert found.reached[0].values[0] == pytest.approx(angles.max(), rel=1e-9)


def test_condition_numbers_told_are_those_of_the_design_written(tmp_path):
    """Turns are counted by one length in all designs, and the file states it: another platform has its own."""
    problem = RING | {"minimise": "condition", "starts": 1}
    found = optimise(problem)
    assert found.robot.length == found.to_dict()["length"] == characteristic_length(load("stewart"))
    (tmp_path / "best.toml").write_text('robot = "stewart"\n')
    written = loads(design_text(tmp_path / "best.toml", found, found.best))
    K = shape_of(written).program(x=found.wanted.states.x)["free"]
    values = np.linalg.svd(K / [1, 1, 1, *[characteristic_length(written)] * 3], compute_uv=False)
    assert found.value == pytest.approx((values[:, 0] / values[:, -1]).max(), rel=1e-9)
    assert "count turns by 0.75 m, the same for all designs; files of --out state it.\n" in page(found)
    plain = optimise(RING | {"starts": 1})
    assert plain.robot.length is plain.to_dict()["length"] is None


def test_the_span_of_strokes_is_limited():
    found = optimise(RING | {"limits": {"stroke_span": "0.6 m"}, "starts": 2, "minimise": "condition"})
    q = gough.inverse_kinematics(found.robot, found.wanted.states.x).q
    assert q.max() - q.min() <= 0.6 * (1 + 1e-6)
    told = {one.name: one for one in found.reached}
    assert told["stroke_span"].values == pytest.approx([q.max() - q.min()], rel=1e-12)
    assert (told["stroke_span"].unit, told["displacement"].unit) == ("m", "m")
    assert "stroke_span" in dict(found.best.active)
    assert optimise(RING | {"limits": {}, "starts": 2, "minimise": "condition"}).value < found.value


def test_limits_of_the_robots_own_file_that_a_design_exceeds_are_told():
    robot = load("stewart").replace({"legs.actuator.stroke": [1.8, 1.9], "legs.actuator.force": 5.0})
    shift = {"corners": True, "shift": {"z": [0.05, 0.1]}}
    found = optimise(RING | {"robot": robot, "starts": 1, "limits": {}, "task": shift})
    told = {one.name: one for one in found.exceeded(found.best)}
    x = found.wanted.states.x + [0, 0, found.best.p[-1], 0, 0, 0]
    q = gough.inverse_kinematics(found.robot, x).q
    force = inverse_dynamics(found.robot, x).force
    assert told["stroke"].values == pytest.approx((q.min(), q.max()), rel=1e-12)
    assert told["stroke"].limits == (1.8, 1.9)
    assert told["force"].values == pytest.approx([np.abs(force).max()], rel=1e-12)
    line = f"the file's own stroke 1.8 to 1.9 m is exceeded over the task: {q.min():.5g} to {q.max():.5g} m"
    assert exceeded_lines(found, found.best)[0] == line
    wide = optimise(RING | {"robot": load("stewart"), "starts": 1})
    assert "stroke" not in {one.name for one in wide.exceeded(wide.best)}


def test_objectives_may_be_spelt_as_measures_of_studies():
    wanted = wanted_of(RING | {"minimise": ["peak_force", "singular_value"]}, {"my_cost": lambda robot: 1.0})
    assert wanted.objectives == ("peak force", "singular value")
    assert wanted_of(RING | {"minimise": "my_cost"}, {"my_cost": lambda robot: 1.0}).objectives == ("my_cost",)


def test_home_may_vary_where_angles_are_limited():
    """Straight joints are those of the design's own home: so says a check of the robot written, and so do slopes."""
    problem = {
        "robot": "stewart",
        "starts": 1,
        "vary": [{"number": "platform.home.2", "bounds": [1.8, 2.3]}],
        "poses": {"box": {"x": [-0.3, 0.3], "y": [-0.2, 0.2], "theta": [-0.2, 0.2]}, "points": 8},
        "limits": {"angle": 1.5},
    }
    wanted = wanted_of(problem, {})
    measured = Measured(wanted.robot, wanted.variables, ("angle",), {})
    h, p = 1e-4, np.array([2.1])
    cosines, slope = measured.at(wanted.states, p)["angle"]
    around = [measured.at(wanted.states, p + k * h)["angle"][0] for k in (2, 1, -1, -2)]
    numeric = (-around[0] + 8 * around[1] - 8 * around[2] + around[3]) / (12 * h)
    assert np.abs(slope).max() > 0.01
    np.testing.assert_allclose(slope[:, :, 0], numeric, atol=1e-10)
    shape = shape_of(wanted.robot.replace({"platform.home.2": 2.1}))
    np.testing.assert_allclose(shape.program(x=wanted.states.x)["cosines"], cosines, rtol=1e-12)
    found = optimise(problem)
    assert found.robot.platform.home[2] == found.best.p[0]
