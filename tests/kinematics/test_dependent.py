"""Dependent coordinates: values, displacements and K of independent computations, statuses, files, what is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from gough import RobotError, State, load, loads
from gough.kinematics import inverse_kinematics
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.status import PoseError, Status
from tests.support.dependent_references import NAMES, document, machine, samples
from tests.support.pinocchio_tree import platform_frame
from tests.support.robots import build, validate, with_values


@pytest.mark.parametrize("name", NAMES)
def test_positions_rates_and_K_are_those_of_the_independent_computation(name):
    robot = machine(name)
    found = inverse_kinematics(robot, State(*(samples(name, key) for key in ("x", "xd", "xdd"))))
    assert (found.status == Status.FINE).all()
    values = kinematics_program(robot, 0)(x=samples(name, "x"))["dependent"]
    np.testing.assert_allclose(values, samples(name, "dependent"), rtol=0, atol=1e-15)
    np.testing.assert_allclose(found.K, samples(name, "K"), rtol=0, atol=1e-14)
    assert np.abs(found.residual).max() < 1e-15


@pytest.mark.parametrize("name", NAMES)
def test_joints_as_unknowns_give_the_same_as_planes_and_closed_forms(name):
    x, xd, xdd = (samples(name, key) for key in ("x", "xd", "xdd"))
    short, long = (kinematics_program(machine(name), 2, newton)(x=x, xd=xd, xdd=xdd) for newton in (False, True))
    for key in ("dependent", "dependent_xdd", "joint_q", "joint_qd", "joint_qdd", "K"):
        np.testing.assert_allclose(long[key], short[key], rtol=0, atol=1e-13 * max(1.0, np.abs(short[key]).max()))


def test_accelerations_are_the_rates_of_the_velocities():
    robot, h = machine("3rps"), 1e-6
    x, xd, xdd = (samples("3rps", key) for key in ("x", "xd", "xdd"))
    program = kinematics_program(robot, 2)
    rates = [program(x=x + s * h * xd + h * h / 2 * xdd, xd=xd + s * h * xdd, xdd=xdd)["joint_qd"] for s in (1.0, -1.0)]
    wanted = program(x=x, xd=xd, xdd=xdd)["joint_qdd"]
    np.testing.assert_allclose((rates[0] - rates[1]) / (2 * h), wanted, rtol=0, atol=1e-8 * np.abs(wanted).max())


def test_a_file_reads_back_and_dependent_home_values_are_solved_from_starts(tmp_path):
    tables = document("3rps")
    tables["platform"]["home"] = [0.01, -0.02, 0.6, 0.05, 0.2, 0.1]
    for leg in tables["leg"]:
        del leg["joint"][1]["start"]
    path = tmp_path / "head.toml"
    path.write_text(build(tables).to_toml(), "utf-8")
    robot = load(path)
    assert robot.coordinate_names == ("z", "pitch", "roll")
    assert robot.platform.home == (0.6, 0.2, 0.1)
    yaw = np.arctan2(np.sin(0.2) * np.sin(0.1), np.cos(0.2) + np.cos(0.1))
    R = Rotation.from_euler("ZYX", [yaw, 0.2, 0.1]).as_matrix()
    x, y = 0.1 * (R[0, 0] - R[1, 1]), -0.2 * R[1, 0]
    np.testing.assert_allclose(robot.platform.start, [x, y, yaw], rtol=0, atol=1e-15)
    assert home_platform(robot).home == robot.platform.whole().home
    assert loads(robot.to_toml()) == robot
    assert np.abs(inverse_kinematics(robot, robot.platform.home).residual).max() < 1e-15


def test_a_pose_beyond_the_fold_of_what_holds_the_platform_has_its_own_status():
    robot = machine("tricept")
    found = inverse_kinematics(robot, [[0.0, 0.0, 1.2], [0.0, 0.0, -1.2], [0.3, 0.2, 1.1]])
    assert found.status.tolist() == [Status.FINE, Status.OTHER_BRANCH, Status.FINE]
    assert np.isnan(found.q[1]).all()
    assert np.isfinite(found.q[[0, 2]]).all()
    with pytest.raises(PoseError) as caught:
        inverse_kinematics(robot, [0.0, 0.0, -1.2])
    line = "the legs hold the platform there only in another assembly: on the straight way from home they fold"
    assert str(caught.value) == line


LINK = np.hypot(0.15, 0.1)


def with_fixed_first_leg():
    """3-RPS whose first leg is a link of fixed length: two motions are left."""
    tables = document("3rps")
    leg = tables["leg"][0]
    hinge, _ = leg["joint"]
    leg["joint"] = [hinge]
    leg["end"] = {**leg["end"], "point": [0.0, 0.0, LINK]}
    tables["platform"]["dependent"] = ["x", "y", "z", "yaw"]
    tables["platform"]["home"][2] = 0.1
    for joint in (joint for leg in tables["leg"] for joint in leg["joint"]):
        del joint["start"]
    hinge["start"] = -1.0
    return tables


def test_a_pose_that_the_holding_legs_cannot_reach_says_by_how_much():
    robot = build(with_fixed_first_leg())
    found = inverse_kinematics(robot, [[0.0, 0.0], [0.1, -0.1], [1.23, 0.02], [2.5, 0.02]])
    assert found.status.tolist() == [Status.FINE, Status.FINE, Status.OUT_OF_REACH, Status.OTHER_BRANCH]
    assert max(least_gaps(robot, 2.5, 0.02)) < 1e-12
    wanted = least_gaps(robot, 1.23, 0.02)
    assert found.leg[2] == np.argmax(wanted)
    assert found.amount[2] == pytest.approx(max(wanted), rel=1e-6)


def least_gaps(robot, pitch, roll):
    """Gaps of the three legs where the sum of their squares is least: told by planes and the fixed leg's circle."""
    e = np.array([[0.0, 1.0, 0.0], [-np.sqrt(0.75), -0.5, 0.0], [np.sqrt(0.75), -0.5, 0.0]])
    b = np.array([leg.position for leg in robot.legs])
    points = np.array([leg.end.platform_point for leg in robot.legs])

    def errors(u):
        R = Rotation.from_euler("ZYX", [u[3], pitch, roll]).as_matrix()
        d = u[:3] + points @ R.T - b
        off = (d * e).sum(axis=1)
        return [*off, np.hypot(d[0, 0], d[0, 2]) - LINK]

    random = np.random.default_rng(0)
    tries = [least_squares(errors, random.uniform(-1, 1, 4) * [0.3, 0.3, 0.6, 3.0], xtol=1e-15) for _ in range(40)]
    off = min(tries, key=lambda found: found.cost).fun
    return [np.hypot(off[0], off[3]), abs(off[1]), abs(off[2])]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_does_not_depend_on_its_neighbours(name):
    x = samples(name, "x")
    together = inverse_kinematics(machine(name), x)
    alone = inverse_kinematics(machine(name), x[3])
    assert np.array_equal(together.q[3], alone.q)


def refused(tables, tmp_path, monkeypatch):
    """The one line a file is refused with."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(build(tables).to_toml(), "utf-8")
    with pytest.raises(RobotError) as caught:
        load("bad.toml")
    text = str(caught.value)
    assert "\n" not in text
    return re.sub(r"^bad.toml:\d+: ", "", text)


def with_free_first_leg(tables):
    """The tables with a UPS leg in place of the first one, so that one motion more is left."""
    leg = tables["leg"][0]
    first, slide = leg["joint"]
    across = {"name": "across", "type": "R", "axis": [1, 0, 0], "body": first.pop("body")}
    leg["joint"] = [first, across, slide]
    return tables


def test_more_motions_than_independent_coordinates_are_refused(tmp_path, monkeypatch):
    line = refused(with_free_first_leg(document("3rps")), tmp_path, monkeypatch)
    assert line == (
        "platform.coordinates: the legs leave the machine 4 motions, but the platform has 3 independent coordinates "
        "(take 1 name off platform.dependent)"
    )


def test_coordinates_that_do_not_follow_the_others_are_refused(tmp_path, monkeypatch):
    tables = document("3rps")
    tables["platform"]["dependent"] = ["x", "y", "roll"]
    line = refused(tables, tmp_path, monkeypatch)
    assert line == (
        "platform.dependent: x, y, roll must follow z, yaw, pitch, but at home the legs leave them free "
        "(list other coordinates)"
    )


@pytest.mark.parametrize(
    ("dependent", "line"),
    [
        (
            ["x", "yawn"],
            'robot:3: platform.dependent.1: "yawn": must be the name of a coordinate (did you mean yaw?)',
        ),
        (["x", "y", "x"], 'robot:3: platform.dependent.2: "x": must be listed once'),
    ],
)
def test_a_list_of_dependent_coordinates_that_is_none_is_refused(dependent, line):
    tables = document("3rps")
    tables["platform"]["dependent"] = dependent
    with pytest.raises(RobotError) as caught:
        build(tables)
    assert str(caught.value) == line


def test_values_put_together_by_hand_must_fit():
    robot = with_values(machine("3rps"))
    validate(robot)
    with pytest.raises(RobotError, match=r"platform\.start: \[0\.0\]: must be 3 numbers, one per dependent coordinate"):
        validate(with_values(robot, platform=replace(robot.platform, start=(0.0,))))
    with pytest.raises(RobotError, match=r"must be the names of all coordinates"):
        validate(with_values(robot, platform=replace(robot.platform, order=("x", "y"))))


def test_the_condition_of_dependent_coordinates_is_that_of_the_planes():
    """Three points that stay in planes: differences of their distances from these, over the dependent coordinates."""
    robot = load("rps3")
    names = [c.name for c in robot.platform.all_coordinates]
    dependent = [names.index(name) for name in robot.dependent_names]
    x = np.array(robot.platform.home) + [0.02, 0.3, -0.2]
    found = inverse_kinematics(robot, x)
    whole = np.array(robot.platform.in_order(x, found.dependent))
    free = with_values(robot, platform=robot.platform.whole())

    def distances(values):
        p, R = platform_frame(free, values)
        return np.array([
            np.array(leg.rotation) @ leg.joints[0].axis @ (p + R @ leg.end.platform_point - leg.position)
            for leg in robot.legs
        ])  # fmt: skip

    h = 1e-6
    slopes = [(distances(whole + h * e) - distances(whole - h * e)) / (2 * h) for e in np.eye(6)[dependent]]
    turns = [c.turns for c in robot.platform.dependent]
    J = np.array(slopes).T / np.where(turns, characteristic_length(robot), 1.0)
    assert np.abs(distances(whole)).max() < 1e-14
    assert found.dependent_condition == pytest.approx(np.linalg.cond(J), rel=1e-8)  # second order in h
    assert inverse_kinematics(robot, [x, x]).dependent_condition == pytest.approx([found.dependent_condition] * 2)
    assert inverse_kinematics(load("planar3rrr"), [0.0, 0.0, 0.0]).dependent_condition is None
