"""Each sample says how it fares: fine, near singular, out of reach (which leg, by how much), not converged."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from gough import State, catalogue, load
from gough.dynamics import inverse_dynamics
from gough.errors import InputError
from gough.graph import count
from gough.kinematics import PoseError, Status, inverse_kinematics
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length, kinematics_graph, kinematics_program
from gough.kinematics.status import judge, sentence, settled
from tests.support.lanes import slow_if
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.robots import build, with_values

MOTION = ("joint_q", "joint_qd", "joint_qdd", "q", "qd", "qdd", "K", "residual")


def ends(robot, x):
    """(legs, 3) platform joints in B."""
    pose = platform_pose(robot.platform, [float(v) for v in x])
    p, R = np.array(pose.p_BP), np.array(pose.R_BP)
    return np.array([p + R @ np.array(leg.end.platform_point) for leg in robot.legs])


def test_a_batch_with_samples_of_every_kind():
    robot = load("hexapod")
    x = np.array([robot.platform.home] * 4)
    x[1, 2] += 1.0
    x[2, 0] += 2.0
    x[3] = motion_near_home(robot, 1, 3)[0]
    found = inverse_kinematics(robot, State(x, 0.1 + 0 * x, 0 * x))
    assert found.status.tolist() == [0, Status.OUT_OF_REACH, Status.OUT_OF_REACH, 0]
    for name in MOTION:
        lost = np.isnan(getattr(found, name)).reshape(4, -1)
        assert lost[1:3].all(), name
        assert not lost[[0, 3]].any(), name
    assert np.isnan(found.condition[1:3]).all()
    assert found.leg.tolist()[0] == -1
    alone = inverse_kinematics(robot, State(x[3], 0.1 + 0 * x[3], 0 * x[3]))
    for name in MOTION:
        assert (getattr(found, name)[3] == getattr(alone, name)).all()


def test_out_of_reach_of_a_slider_is_its_distance_from_the_guide():
    robot = load("hexapod")
    x = np.array(robot.platform.home) + [0.5, 0.3, 0.1, 0.1, 0.0, 0.2]
    found = inverse_kinematics(robot, x[None])
    short = []
    for leg, end in zip(robot.legs, ends(robot, x), strict=True):
        e = np.array(leg.rotation) @ np.array(leg.joints[0].axis)
        short.append(np.linalg.norm(np.cross(end - np.array(leg.position), e)) - 0.5)
    np.testing.assert_allclose(found.short[0], short, rtol=0, atol=1e-15)
    assert max(short) > 0
    assert found.leg[0] == np.argmax(short)
    with pytest.raises(PoseError) as caught:
        inverse_kinematics(robot, x)
    name = robot.legs[int(np.argmax(short))].name
    assert str(caught.value) == f"leg {name} is out of reach by {max(short):.4g} m"
    assert (caught.value.status, caught.value.leg) == (Status.OUT_OF_REACH, name)
    assert caught.value.amount == pytest.approx(max(short), abs=1e-15)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize("height", [-1.6, -0.02])
def test_out_of_reach_of_a_crank_is_the_distance_of_circle_and_sphere(height):
    """Too far and too near: the nearest and the farthest point of the crank's circle."""
    robot = load("delta")
    x = np.array([0.05, 0.02, height])
    found = inverse_kinematics(robot, x[None])
    around = np.linspace(0, 2 * np.pi, 200_001)
    for k, (leg, end) in enumerate(zip(robot.legs, ends(robot, x), strict=True)):
        R, p = np.array(leg.rotation), np.array(leg.position)
        tips = p + 0.42 * (np.cos(around)[:, None] * R[:, 0] + np.sin(around)[:, None] * R[:, 1])
        distances = np.linalg.norm(tips - end, axis=1)
        short = max(distances.min() - 1.055, 1.055 - distances.max())
        assert found.short[0, k] == pytest.approx(short, abs=1e-9)  # the circle's points are 3e-5 rad apart
    assert found.status[0] == Status.OUT_OF_REACH
    assert found.leg[0] == np.argmax(found.short[0])


@pytest.mark.parametrize("height", [0.2, 1.2])
def test_out_of_reach_of_a_knee_is_its_missing_length(height):
    robot = load("sru").replace({"legs.lower": 0.65})
    x = np.array([0.03, 0.0, height, 0.1, 0.0, 0.0])
    found = inverse_kinematics(robot, x[None])
    distance = np.linalg.norm(ends(robot, x) - [leg.position for leg in robot.legs], axis=1)
    short = np.maximum(distance - 1.1, 0.2 - distance)
    np.testing.assert_allclose(found.short[0], short, rtol=0, atol=1e-15)
    assert found.status[0] == (Status.OUT_OF_REACH if short.max() > 0 else Status.FINE)
    if short.max() > 0:
        assert found.leg[0] == np.argmax(short)


@pytest.mark.parametrize("beyond", [-1e-9, 1e-9, 1e-13])
def test_just_within_and_just_beyond_reach(beyond):
    """Leg A stretched to its 1 m and a little less or more; less than 1e-12 m short is round-off and reaches."""
    robot = load("planar3rrr").replace({"legs.crank.length": 0.5, "legs.rod.length": 0.5})
    base, point = np.array(robot.legs[0].position), np.array(robot.legs[0].end.platform_point)
    tip = base + (1.0 + beyond) * np.array([np.cos(0.5), np.sin(0.5), 0.0])
    found = inverse_kinematics(robot, np.array([[*(tip - point)[:2], 0.0]]))
    assert found.short[0, 0] == pytest.approx(beyond, abs=1e-15)
    assert found.short[0, 1:].max() < 0
    assert (found.status[0] == Status.OUT_OF_REACH) == (beyond == 1e-9)
    assert found.leg[0] == (0 if beyond == 1e-9 else -1)


def test_a_stretched_leg_is_near_singular():
    """n.e of a slider falls to zero at the edge of its reach, and K grows without bound."""
    robot = load("spatial3")
    edge = 0.4 - 0.15
    y = np.array([edge - 10.0**-k for k in (1, 3, 13)])
    found = inverse_kinematics(robot, np.stack([y, 0 * y, 0 * y], axis=1))
    assert found.status.tolist() == [0, 0, Status.NEAR_SINGULAR]
    assert (np.diff(found.condition) > 0).all()
    assert found.condition[2] > 1e6
    assert np.isfinite(found.K).all()
    assert (found.leg == -1).all()


def test_a_universal_joint_along_its_leg_is_near_singular():
    """K is fine there, but the joint's own rates are not determined."""
    robot = load("stewart")
    end = replace(robot.legs[0].end, platform_point=(0.25, 0.5, 0.0))
    upright = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    leg = replace(robot.legs[0], position=(1.5, 0.25, 0.0), end=end, rotation=upright)
    odd = with_values(robot, legs=(leg, *robot.legs[1:]))
    x = np.array([[1.25, -0.25, 2.0, 0, 0, 0], [0.1, 0.1, 2.0, 0, 0, 0]])
    found = inverse_kinematics(odd, State(x, 0.1 + 0 * x))
    assert np.isfinite(found.K).all()
    assert (found.condition < 1e6).all()
    assert found.status.tolist() == [Status.NEAR_SINGULAR, Status.FINE]
    assert np.isfinite(found.joint_qd[1]).all()


def test_the_condition_number_divides_turning_columns_by_the_length():
    robot = load("hexapod")
    found = inverse_kinematics(robot, np.array(robot.platform.home))
    assert characteristic_length(robot) == pytest.approx(0.3, rel=1e-15)
    scaled = found.K / [1, 1, 1, 0.3, 0.3, 0.3]
    assert found.condition == pytest.approx(np.linalg.cond(scaled), rel=1e-14)
    longer = inverse_kinematics(robot.replace({"length": 0.6}), np.array(robot.platform.home))
    assert longer.condition == pytest.approx(np.linalg.cond(found.K / [1, 1, 1, 0.6, 0.6, 0.6]), rel=1e-14)


def least_gap(robot, k, x, seed=0):
    """The least distance of leg k's end from its place, by SciPy on rotations written out here, from many starts."""
    leg = robot.legs[k]
    independent = [i for i, joint in enumerate(leg.joints) if joint.mimic is None]
    target = ends(robot, x)[k]

    def gap(u):
        values = dict(zip(independent, u, strict=True))
        frames = {-1: (np.array(leg.rotation), np.array(leg.position))}
        for i, joint in enumerate(leg.joints):
            R, p = frames[joint.parent]
            p, R = p + R @ np.array(joint.offset), R @ np.array(joint.rotation)
            axis = np.array(joint.axis)
            if joint.kind == "P":
                frames[i] = (R, p + R @ axis * values[i])
            else:
                frames[i] = (R @ Rotation.from_rotvec(axis * values[i]).as_matrix(), p)
        R, p = frames[leg.end.joint]
        return p + R @ np.array(leg.end.point) - target

    rng = np.random.default_rng(seed)
    starts = rng.uniform(-np.pi, np.pi, (3, len(independent)))
    return min(np.linalg.norm(least_squares(gap, u, xtol=1e-15, ftol=1e-15, gtol=1e-15).fun) for u in starts)


@pytest.mark.slow
def test_newton_says_which_leg_is_out_of_reach_and_by_how_much():
    """Elbows with a wrist at their end: the least gap, which Newton's method does not find."""
    robot = odd_robot("arm")
    x = np.array([robot.platform.home] * 3)
    x[1, 2] += 3.0
    found = inverse_kinematics(robot, x)
    assert found.status.tolist() == [Status.FINE, Status.OUT_OF_REACH, Status.FINE]
    assert np.isnan(found.joint_q[1]).all()
    assert found.amount[[0, 2]].tolist() == [0.0, 0.0]
    worst = int(found.leg[1])
    assert worst == np.argmax(found.short[1])
    assert found.short[1, worst] == pytest.approx(least_gap(robot, worst, x[1]), rel=1e-7)  # SciPy's differences
    with pytest.raises(PoseError) as caught:
        inverse_kinematics(robot, x[1])
    name = robot.legs[worst].name
    assert str(caught.value) == f"leg {name} is out of reach by {found.amount[1]:.4g} m"
    assert caught.value.amount == found.amount[1] == found.short[1, worst]


@pytest.mark.parametrize("kind", [pytest.param(k, marks=slow_if(k == "SRU")) for k in KINDS if k not in ("UPS", "SPS")])
def test_newton_agrees_with_the_closed_forms_on_what_is_out_of_reach(kind):
    """The same leg, by the same amount; where all legs reach, some may have folded on the way from home."""
    robot = random_robot(kind, 2)
    home = np.array(robot.platform.home)
    x = home + np.random.default_rng(1).uniform(-0.6, 0.6, (12, len(home)))
    raw, iterated = (kinematics_program(robot, 0, newton)(x=x) for newton in (False, True))
    closed = judge(raw["short"], raw["converged"])
    short, converged, other = settled(robot, x, iterated["short"], iterated["converged"], newton=True)
    newton = judge(short, converged | other)
    beyond = closed.status == Status.OUT_OF_REACH
    assert beyond.sum() >= 4
    assert (newton.status[beyond] == Status.OUT_OF_REACH).all()
    assert (newton.leg[beyond] == closed.leg[beyond]).all()
    np.testing.assert_allclose(newton.amount[beyond], closed.amount[beyond], rtol=0, atol=1e-14)
    assert (newton.status[~beyond] == Status.FINE).all()


def test_a_leg_that_folds_on_the_way_is_on_another_branch():
    """Of poses that the closed form reaches, those that Newton's method does not come to straight from home."""
    robot = random_robot("RPa", 2)
    home = np.array(robot.platform.home)
    x = home + np.random.default_rng(1).uniform(-0.6, 0.6, (40, len(home)))
    reached = inverse_kinematics(robot, x).status <= Status.NEAR_SINGULAR
    raw = kinematics_program(robot, 0, True)(x=x[reached])
    folded = ~raw["converged"]
    assert folded.any()
    _, converged, other = settled(robot, x[reached], raw["short"], raw["converged"], newton=True)
    assert other[folded].all()
    assert not converged[folded].any()


@pytest.mark.slow
def test_no_leg_that_closes_is_not_converged():
    """Each sample is fine, on another branch, or out of reach by a least gap."""
    robot = odd_robot("arm")
    x = np.array(robot.platform.home) + np.random.default_rng(1).uniform(-1.0, 1.0, (40, 6))
    found = inverse_kinematics(robot, x)
    assert (found.status == Status.OTHER_BRANCH).any()
    assert (found.status != Status.NOT_CONVERGED).all()
    other = np.flatnonzero(found.status == Status.OTHER_BRANCH)[0]
    assert np.isnan(found.joint_q[other]).all()
    assert found.amount[other] == 0.0
    name = robot.legs[found.leg[other]].name
    with pytest.raises(PoseError) as caught:
        inverse_kinematics(robot, x[other])
    assert str(caught.value) == f"leg {name} reaches only on another branch: on the straight way from home it folds"


def test_a_leg_that_is_not_converged_says_how_far_its_end_is_off():
    assert sentence(Status.NOT_CONVERGED, "B", 0.0123) == "leg B is not converged: its end is 0.0123 (m or rad) off"


def test_the_least_gap_of_a_sample_does_not_depend_on_its_neighbours():
    robot = odd_robot("arm")
    x = np.array(robot.platform.home) + np.random.default_rng(3).uniform(-1.0, 1.0, (12, 6))
    together = inverse_kinematics(robot, x)
    assert (together.status == Status.OUT_OF_REACH).sum() > 5
    for k in (2, 7):
        alone = inverse_kinematics(robot, x[k : k + 1])
        assert (alone.status[0], alone.amount[0]) == (together.status[k], together.amount[k])


def test_newton_says_how_near_a_leg_of_fewer_joints_comes():
    """A leg R R with a spherical end stays in a plane: off it, it misses by its distance, found as the least gap."""
    robot = load("planar3rrr")
    leg = robot.legs[0]
    joints = leg.joints[:2]
    end = replace(leg.end, kind="spherical", joint=1, point=(0.6, 0.0, 0.0))
    lifted = replace(leg, joints=joints, end=end, position=(*leg.position[:2], 0.07))
    odd = with_values(robot, legs=(lifted, *robot.legs[1:]))
    found = inverse_kinematics(odd, np.array([[0.01, 0.02, 0.0]]))
    assert found.status[0] == Status.OUT_OF_REACH
    assert found.leg[0] == 0
    assert found.short[0, 0] == pytest.approx(0.07, abs=2e-9)  # less the slack of closed Newton legs, 1e-9


def test_judge_leaves_failed_iterations_out_of_the_reach():
    short = np.array([[0.0, 5.0], [0.2, 5.0], [0.0, 0.0], [np.nan, 0.0]])
    converged = np.array([[True, False], [True, False], [True, True], [False, True]])
    verdict = judge(short, converged)
    assert verdict.status.tolist() == [3, 2, 0, 3]
    assert verdict.leg.tolist() == [1, 0, -1, 0]
    assert verdict.amount.tolist() == [0.0, 0.2, 0.0, 0.0]


@pytest.mark.parametrize("name", catalogue())
def test_no_samples_at_all(name):
    robot = load(name)
    found = inverse_kinematics(robot, np.zeros((0, len(robot.platform.home))))
    assert found.joint_q.shape == (0, sum(len(leg.joints) for leg in robot.legs))
    assert found.status.shape == (0,)


def test_single_pose_has_no_leading_axis():
    robot = load("delta")
    found = inverse_kinematics(robot, State([0.0, 0.0, -0.85], [0.1, 0.0, 0.0]))
    assert found.joint_q.shape == (18,)
    assert found.K.shape == (3, 3)
    assert found.joint_qdd is None
    assert found.qdd is None
    assert found.actuators == ("A", "B", "C")
    assert found.joints[:2] == ("A.R", "A.R2")
    assert found.status == Status.FINE


@pytest.mark.parametrize(
    ("motion", "line"),
    [
        ({"x": [0, 0]}, "input x: shape (2,) given, expected (3,) or (N, 3)"),
        ({"x": [0, 0, 0], "xdd": [0, 0, 0]}, "xdd: accelerations need rates too; give xd"),
        ({"x": [0, np.nan, 0]}, "x: z is nan: must be finite"),
        (
            {"x": [[0, 0, 0], [0, 0, 0.1]], "xd": [[0, 0, 0], [float("inf"), 0, 0]]},
            "xd: sample 1: y is inf: must be finite",
        ),
        ({"x": ["a", "b", "c"]}, "input x: text values given, expected real numbers of shape (3,) or (N, 3)"),
    ],
)
def test_bad_calls(motion, line):
    with pytest.raises(InputError) as caught:
        inverse_kinematics(load("spatial3"), State(**motion))
    assert str(caught.value) == line


@pytest.mark.parametrize("kind", ["UPS", "PUS", "RUS", "SRU"])
def test_cost_is_linear_in_legs(kind):
    """Four legs more of the same kind cost twice what two more do, the platform's own part aside."""
    extra = {
        "UPS": {},
        "PUS": {"guide": {"tilt": 0.3}, "rod": {"length": 0.75}},
        "RUS": {"motor": {"yaw": 0.3}, "crank": {"length": 0.2}, "rod": {"length": 0.7}},
        "SRU": {"lower": 0.5, "upper": 0.5},
    }
    costs = []
    for legs in (6, 8, 12):
        ring = {"angles": [0.1 + 2 * np.pi * k / legs + 0.05 * np.sin(3 * k) for k in range(legs)]}
        platform = {"angles": [0.3 + 2 * np.pi * k / legs + 0.07 * np.cos(2 * k) for k in range(legs)], "radius": 0.3}
        coordinates = {"x": "x", "y": "y", "z": "z", "a": "rz", "b": "ry", "c": "rx"}
        table = {
            "name": kind,
            "platform": {"coordinates": coordinates, "home": [0.01, 0.02, 0.6, 0.1, 0.05, -0.07], "mass": 1.0},
            "legs": {"type": kind, "base": {"radius": 0.5, **ring}, "platform": platform, **extra[kind]},
        }
        table |= {"actuation": {"criterion": "least-norm"}} if legs > 6 else {}
        graph = kinematics_graph(build(table))
        costs.append(count(graph).flops)
    six, eight, twelve = costs
    assert twelve - eight == pytest.approx(2 * (eight - six), rel=0.02)  # zeros and ones in a leg's frame save some


@pytest.mark.parametrize(
    ("x", "told"),
    [
        ([0, 0, 130, 0, 0, 0], "z = 130 m: millimetres? coordinates are in m and rad"),
        ([0, 0, 9, 8, 0, 0], "a1 = 8 rad: degrees? coordinates are in m and rad"),
    ],
)
def test_a_pose_that_can_only_be_meant_in_other_units_says_so(x, told):
    robot = load("hexapod")
    for call in (lambda: inverse_kinematics(robot, x), lambda: inverse_dynamics(robot, State(x, [0] * 6, [0] * 6))):
        with pytest.raises(PoseError, match=rf"^leg \w+ is out of reach by \S+ m \({re.escape(told)}\)$"):
            call()


def test_a_line_is_told_in_other_units():
    robot = load("hexapod")
    with pytest.raises(PoseError) as caught:
        inverse_kinematics(robot, np.array(robot.platform.home) + [0.5, 0.3, 0.1, 0.1, 0.0, 0.2])
    far = caught.value.amount
    assert str(caught.value).endswith(f" is out of reach by {far:.4g} m")
    assert caught.value.told((1e3, "mm")).endswith(f" is out of reach by {1e3 * far:.4g} mm")
