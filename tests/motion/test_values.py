"""Motions as values: shapes, samples, intervals, wrenches, the laws and the curves they are made of."""

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough import Motion, MotionError, State, motions
from gough.singular.recorded_law import recorded_law
from tests.cli.running import ROBOTS, outcome
from tests.support.robots import with_values

LAWS = ("cos", "minimum-jerk", "trig3")


@cache
def stewart():
    return gough.load("stewart")


@cache
def delta():
    return gough.load("delta")


def test_shapes_follow_the_time():
    motion = Motion.named(stewart(), "trig3")
    for t, shape in ((1.0, (6,)), ([0, 1, 2], (3, 6)), (np.zeros(0), (0, 6))):
        at = motion(t)
        assert [a.shape for a in (at.x, at.xd, at.xdd)] == [shape] * 3
    assert np.array_equal(motion(1).x, motion(np.float32(1.0)).x)
    assert motion.wrench(1.0) is None


def test_samples():
    motion = Motion.named(stewart(), "trig3")
    even, chosen = motion.sample(5), motion.sample([0.5, 0.25])
    assert even.t.tolist() == [0, 1, 2, 3, 4]
    assert chosen.t.tolist() == [0.5, 0.25]
    assert motion.sample().t.tolist() == motion.sample(101).t.tolist()
    assert motion.sample(0.5).x.shape == (1, 6)
    assert motion.sample(np.int64(7)).x.shape == (7, 6)
    assert np.array_equal(even.xdd, motion(even.t).xdd)
    assert even.wrench is None
    assert even.coordinates == ("x", "y", "z", "psi", "theta", "phi")
    assert list(even.table.columns())[:3] == ["t", "x", "y"]
    assert even.table["xdd_psi"].tolist() == [row[3] for row in even.xdd.tolist()]
    assert even.table.to_dict()["columns"]["t"] == [0, 1, 2, 3, 4]


def test_times_out_by_round_off_are_the_ends():
    motion = Motion.named(stewart(), "trig3")
    assert np.array_equal(motion(4.0 + 1e-10).x, motion(4.0).x)
    assert np.array_equal(motion(-1e-10).x, motion(0.0).x)


def test_motions_are_frozen_equal_and_hashable():
    for name in motions(delta()):
        motion = Motion.named(delta(), name)
        assert motion == Motion.named(delta(), name)
        assert hash(motion) == hash(Motion.named(delta(), name))
        with pytest.raises(dataclasses.FrozenInstanceError):
            motion.end = 2.0
    law = Motion.named(delta(), "pick-and-place").law
    with pytest.raises(ValueError, match="read-only"):
        law.coefficients[0] = 1.0
    assert law != Motion.named(delta(), "circle").law


def test_a_constant_wrench():
    motion = Motion.named(stewart(), "trig3").with_wrench([1, 2, 3, 4, 5, 6])
    assert motion.wrench(1.0).tolist() == [1, 2, 3, 4, 5, 6]
    assert motion.wrench([0, 1]).shape == (2, 6)
    assert motion.sample(3).wrench.tolist() == [[1, 2, 3, 4, 5, 6]] * 3


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("back", [False, True])
def test_laws_go_from_rest_to_rest(law, back):
    motion = Motion.to(delta(), [0.1, 0.2, -0.9], 1.6, law=law, back=back)
    home, far = np.array([0, 0, -0.85]), np.array([0.1, 0.2, -0.9])
    t = np.array([0.0, 0.8, 1.6])
    at = motion(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    expected = [home, far, home] if back else [home, (home + far) / 2, far]
    np.testing.assert_allclose(x, expected, rtol=0, atol=3e-16)
    resting = [0, 1, 2] if back else [0, 2]
    assert np.abs(xd[resting]).max() < 2e-15
    if law != "cos":
        assert np.abs(xdd[resting]).max() < 2e-14
    assert motion.breakpoints == ((0.0, 0.8, 1.6) if back and law == "minimum-jerk" else (0.0, 1.6))
    assert (motion.name, motion.start, motion.end, motion.duration) == (law, 0.0, 1.6, 1.6)


def test_poses_of_a_straight_line_are_numbers_texts_or_by_name():
    motion = Motion.to(stewart(), "z=2.2,psi=0.1", "2")
    assert motion == Motion.to(stewart(), [0, 0, 2.2, 0.1, 0, 0], 2.0)
    other = Motion.to(stewart(), {"z": 2.2}, 2, start="0,0,2.1,0,0,0", law="trig3")
    assert other(0.0).x.tolist() == [0, 0, 2.1, 0, 0, 0]
    assert other.name == "trig3"


def test_holding_a_pose_is_at_rest_there():
    home, away = Motion.hold(stewart()), Motion.hold(stewart(), "z=2.2,psi=5deg", "1500 ms")
    assert (home.name, home.duration, away.duration) == ("hold", 1.0, 1.5)
    assert home.law == Motion.named(stewart(), "hold").law
    at = away([0.0, 0.7, 1.5])
    assert at.x.tolist() == [[0, 0, 2.2, np.deg2rad(5), 0, 0]] * 3
    assert not at.xd.any()
    assert not at.xdd.any()


def test_minimum_jerk_is_the_quintic():
    at = Motion.to(delta(), {"x": 1.0}, 1.0)([0.25])
    x, xd, xdd = at.x, at.xd, at.xdd
    assert x[0, 0] == pytest.approx(10 / 64 - 15 / 256 + 6 / 1024, abs=1e-16)
    assert xd[0, 0] == pytest.approx(30 / 16 - 60 / 64 + 30 / 256, abs=1e-15)
    assert xdd[0, 0] == pytest.approx(60 / 4 - 180 / 16 + 120 / 64, abs=1e-14)


def test_staying_where_it_is_is_a_motion():
    at = Motion.to(delta(), [0, 0, -0.9], 2.0, start="z=-0.9")([0, 1, 2])
    x, xd = at.x, at.xd
    assert x.tolist() == [[0, 0, -0.9]] * 3
    assert not xd.any()


def test_functions_are_called_as_they_are():
    def circle(t):
        s, c = np.sin(t), np.cos(t)
        return [0.1 * c, 0.1 * s, -0.9], [-0.1 * s, 0.1 * c, 0], [-0.1 * c, -0.1 * s, 0]

    motion = Motion.from_function(delta(), circle, 0.0, 3.0, wrench=lambda t: [0, 0, -t, 0, 0, 0], breakpoints=[1.0])
    at = motion([0.5, 2.0])
    x, xd, xdd = at.x, at.xd, at.xdd
    np.testing.assert_array_equal([x[1], xd[1], xdd[1]], circle(2.0))
    assert motion.wrench(2.0).tolist() == [0, 0, -2, 0, 0, 0]
    assert not motion.analytic
    assert motion.breakpoints == (0.0, 1.0, 3.0)
    assert motion.pieces == ((0.0, 1.0), (1.0, 3.0))


def test_a_function_may_return_one_array():
    motion = Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1)
    assert motion(0.5).x.shape == (3,)


def test_tables_and_waypoints_are_analytic_between_rows():
    t = np.linspace(1, 2, 9)
    x = np.stack([0.1 * np.sin(t), 0.1 * np.cos(t), -0.9 + 0 * t], axis=1)
    assert Motion.through(delta(), t, x).breakpoints == tuple(t)
    assert Motion.from_samples(delta(), State(x, t=t)).breakpoints == tuple(t[[0, 3, 4, 5, 8]])
    assert Motion.from_samples(delta(), State(x, t=t)).analytic
    loaded = Motion.from_samples(delta(), State(x, wrench=np.outer(t, np.arange(6)), t=t))
    assert loaded.breakpoints == tuple(t)
    np.testing.assert_allclose(loaded.wrench(1.3), 1.3 * np.arange(6), rtol=1e-14)


def test_rates_at_rest_are_exactly_zero():
    """Dry friction has the sign of a rate: what round-off leaves of one at an end would switch on all of it."""
    to = {"x": 0.031, "y": -0.017, "z": -0.9}
    t, way = (
        np.array([0.0, 0.13, 0.31, 0.7]),
        np.random.default_rng(1).uniform(0.9, 1.0, (4, 3)) * delta().platform.home,
    )
    moves = [Motion.to(delta(), to, T, law=law, back=back) for T in (0.3, 0.7) for law in LAWS for back in (0, 1)]
    moves += [Motion.through(delta(), t, way)]
    moves += [gough.fastest(delta(), moves[0], {"force": 40.0}).motion]
    rows = moves[0].sample(7)
    moves += [Motion.from_samples(delta(), State(rows.x, rows.xd, rows.xdd, t=rows.t))]
    for motion in moves:
        assert not motion([motion.start, motion.end]).xd.any(), motion.name
        assert motion(motion.end - 1e-3 * motion.duration).xd.any(), "only the end itself is at rest"
    turn = Motion.to(delta(), to, 0.7, law="trig3", back=True)
    assert not turn(0.35).xd.any()
    rates = np.zeros((2, 3))
    rates[1, 0] = 0.2
    half = Motion.from_samples(delta(), State([moves[0](0.0).x] * 2, rates, 0.0 * rates, t=[0.0, 0.3]))
    assert half(0.3).xd[0] == pytest.approx(0.2)
    assert half(0.3).xd[1:].tolist() == [0.0, 0.0]


def test_friction_is_off_at_the_end_of_a_motion():
    robot = gough.load("delta")
    legs = [
        dataclasses.replace(leg, joints=tuple(dataclasses.replace(j, coulomb=1.1 * j.actuated) for j in leg.joints))
        for leg in robot.legs
    ]
    robot = with_values(robot, legs=tuple(legs))
    moved = gough.inverse_dynamics(robot, Motion.to(robot, {"z": -0.9}, 0.3).sample([0.0, 0.3]))
    still = gough.inverse_dynamics(robot, moved.x)
    assert np.abs(moved.force - still.force).max() <= 1e-9 * np.abs(still.force).max()


def test_a_scaled_motion_is_that_about_its_first_pose():
    robot = gough.load("stewart")
    motion = gough.Motion.named(robot, "trig3").with_wrench([1, 2, 3, 4, 5, 6])
    half = motion.scaled(0.5)
    t = np.linspace(motion.start, motion.end, 23)
    (x, xd, xdd), first = motion.law(t), motion(motion.start).x
    for found, expected in zip(half.law(t), (first + 0.5 * (x - first), 0.5 * xd, 0.5 * xdd), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert half.breakpoints == motion.breakpoints
    np.testing.assert_array_equal(half.wrench(t), motion.wrench(t))
    assert half.name == "trig3 scaled by 0.5"
    law = recorded_law(half)
    at = [float(v) for v in law.equations(1.3, law.numbers[0])]
    np.testing.assert_allclose(at, half(1.3).x, atol=1e-14)
    for factor in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(MotionError, match=r"factor: .* must be a positive number"):
            motion.scaled(factor)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ROBOTS)
def test_any_law_there_and_back_on_any_robot(name, law):
    robot = gough.load(name)
    home = np.array(robot.platform.home)
    end = home + 0.01
    motion = Motion.to(robot, end, "2s", law=law, back=True)
    np.testing.assert_allclose(motion(0.0).x, home, rtol=0, atol=1e-15)
    np.testing.assert_allclose(motion(1.0).x, end, rtol=0, atol=1e-15)
    np.testing.assert_allclose(motion(2.0).x, home, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(motion(0.7).x, Motion.to(robot, end, 2.0, law=law, back=True)(0.7).x)


def test_the_papers_motion_from_the_command_line(capsys):
    arguments = ("--to", "-0.1,-0.2,2.5,15deg,-15deg,15deg", "--duration", "4s", "--law", "trig3", "--back")
    named_one = outcome(capsys, "inverse", "stewart", "--motion", "trig3", "--format", "csv")
    stated = outcome(capsys, "inverse", "stewart", *arguments, "--format", "csv")
    assert stated[0] == 0
    assert stated[1] == named_one[1]
    assert Motion.named(stewart(), "trig3").duration == 4.0
