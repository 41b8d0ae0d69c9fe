"""What a check says besides peaks: what was not checked, singularities, reach, functions, and what to try."""

import re
from dataclasses import replace

import numpy as np
import pytest

from gough import (
    Limits,
    Motion,
    State,
    check,
    inverse_dynamics,
    load,
)
from gough.analysis import ReachError
from gough.design import demand
from gough.errors import InputError
from gough.kinematics import Status, inverse_kinematics
from tests.support.loaded_robots import loaded
from tests.support.robots import with_values


def bare(robot):
    """The robot without limits and radii."""
    legs = [
        replace(leg, radius=None, joints=tuple(replace(joint, limits=Limits(), cone=None) for joint in leg.joints))
        for leg in robot.legs
    ]
    return with_values(robot, legs=tuple(replace(leg, end=replace(leg.end, cone=None)) for leg in legs))


def test_no_limit_at_all():
    with pytest.raises(InputError, match="check: delta states no limit and none is given"):
        check(bare(load("delta")), Motion.named(bare(load("delta"))))


def test_what_has_no_limit_is_listed():
    result = check(bare(load("stewart")), Motion.named(bare(load("stewart"))), limits={"force": 50.0})
    assert [found.kind for found in result.findings] == ["force"]
    assert list(result.unchecked) == ["stroke", "speed", "power", "joint", "angle", "distance", "condition", "singular"]


def test_margins_are_relative_to_the_limit_or_to_the_range():
    result = check(load("stewart"), Motion.named(load("stewart")), limits={"stroke": (1.5, 3.5), "force": 50.0})
    for found in result.every:
        if found.kind in ("stroke", "force"):
            assert found.relative == pytest.approx(found.margin / (2.0 if found.kind == "stroke" else 50.0), rel=1e-12)


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ({"forse": 3}, "limit forse: no such limit (did you mean force?)"),
        ({"force": -3}, "limit force: -3: must be greater than 0"),
        ({"condition": 0.5}, "limit condition: 0.5: must be at least 1"),
        ({"stroke": 3}, "limit stroke: 3: must be two numbers, low and high"),
        ({"stroke": (2, 1)}, "limit stroke: 2, 1: must be finite, the first smaller than the second"),
        ({"speed": "fast"}, "limit speed: fast: must be a number"),
    ],
)
def test_bad_limits(limits, line):
    with pytest.raises(InputError) as error:
        check(load("stewart"), Motion.named(load("stewart")), limits=limits)
    assert str(error.value) == line


def test_a_singularity_on_the_way():
    robot = load("stewart")
    turned = Motion.to(robot, {"psi": 2.2}, 1.0)
    angles = np.linspace(0.0, 2.2, 4001)
    x = np.tile(np.array(robot.platform.home), (len(angles), 1))
    x[:, 3] = angles
    K = inverse_kinematics(robot, x).K
    flips = np.flatnonzero(np.diff(np.sign(np.linalg.det(K))))
    assert len(flips) == 1
    result = check(robot, turned, {"speed": 1e3, "stroke": (0.1, 9.0)})
    assert not result.fits
    assert "det K" in result.violated
    (time,) = result.crossings
    assert turned(time).x[3] == pytest.approx(angles[flips[0]], abs=2e-3)


def test_euler_angles_alone_are_no_singularity():
    robot = load("stewart")
    K = inverse_kinematics(robot, [*robot.platform.home[:4], np.pi / 2, 0.0]).K
    assert np.linalg.cond(K) > 1e6
    nod = Motion.from_function(
        robot, lambda t: np.eye(3, 6)[[0, 0, 0]] * 0.0 + [[0, 0, 2, 0, t, 0], [0, 0, 0, 0, 1, 0], [0] * 6], 1.5, 1.65
    )
    assert check(robot, nod, {"speed": 1e9, "stroke": (0.1, 9.0), "force": 1e9}).crossings == ()


def test_out_of_reach():
    robot = load("delta")
    motion = Motion.to(robot, {"z": -2.0}, 1.0)
    result = check(robot, motion)
    lost = result.lost
    assert isinstance(lost, ReachError)
    assert re.search(r"leg [ABC] is out of reach; at worst by", str(lost))
    assert lost.exit_code == 3
    assert 0.5 < lost.t < 0.6
    assert result.violated[0] == "reach"
    assert not result.fits
    before = motion.sample(np.linspace(0.0, lost.t - 2e-6, 4001))
    angles = inverse_kinematics(robot, before.x).q
    (stroke,) = [found for found in result.findings if found.kind == "stroke"]
    assert stroke.t == pytest.approx(lost.t, abs=2e-6)
    assert stroke.value == pytest.approx(angles.min(), abs=1e-2)
    assert all(found.t <= lost.t for found in result.every)


WIDE = {"stroke": (-9.0, 9.0), "angle": 3.0, "force": 1e9}


def _tour(robot):
    """A quick dip, then out of reach tilted one way, and farther out of reach tilted the other way."""
    t = np.linspace(0.0, 3.2, 161)
    bumps = ((0.3, 0.05), (1.2, 0.3), (2.4, 0.3))
    dip, first, second = (np.exp(-(((t - middle) / width) ** 2)) for middle, width in bumps)
    x = np.tile(robot.platform.home, (len(t), 1))
    x[:, 2] += 0.02 * first + 0.03 * second - 0.006 * dip
    x[:, 5] += 0.1 * (first - second)
    return Motion.from_samples(robot, State(x, t=t), smooth="none")


def test_the_worst_shortfall_has_its_own_leg_and_time():
    robot = load("rotary")
    motion = _tour(robot)
    lost = check(robot, motion, WIDE).lost
    times = np.linspace(0.0, 3.2, 32001)
    found = inverse_kinematics(robot, motion.sample(times).x)
    short = np.where(found.status == Status.OUT_OF_REACH, found.amount, 0.0)
    worst = int(np.argmax(short))
    assert lost.worst.leg == robot.legs[found.leg[worst]].name != lost.leg
    assert lost.worst.t == pytest.approx(times[worst], abs=1e-4)
    assert short[worst] <= lost.worst.amount <= short[worst] + 1e-9
    assert lost.leg == robot.legs[found.leg[int(np.argmax(short > 0.0))]].name
    assert f"at worst leg {lost.worst.leg} by {lost.worst.amount:.4g} m at t = {lost.worst.t:.6g} s" in str(lost)
    with pytest.raises(ReachError) as raised:
        demand(robot, motion)
    assert raised.value.worst.leg == lost.worst.leg
    assert raised.value.worst.amount == pytest.approx(lost.worst.amount, rel=1e-12)


def test_what_grows_where_a_leg_stretches_is_told_but_violates_only_the_reach():
    robot = load("rotary")
    motion = _tour(robot)
    dip = np.abs(inverse_dynamics(robot, replace(motion, end=0.45).sample(401)).qd).max()
    result = check(robot, motion, WIDE | {"speed": 1.5 * dip})
    assert result.violated == ("reach",)
    (speed,) = [found for found in result.findings if found.kind == "speed"]
    assert speed.to_dict()["at_end"]
    assert speed.value > speed.limit
    slow = check(robot, motion, WIDE | {"speed": 0.9 * dip})
    assert slow.violated == ("reach", "speed")
    (speed,) = [found for found in slow.findings if found.kind == "speed"]
    assert speed.t < 0.45
    assert speed.value == pytest.approx(dip, rel=1e-3)  # the samples it is compared with


def test_out_of_reach_from_the_start():
    robot = load("delta")
    with pytest.raises(ReachError, match="t = 0 s: leg A is out of reach"):
        check(robot, Motion.to(robot, {}, 1.0, start={"z": -2.0}))


def test_functions_are_checked_as_sampled():
    robot = load("delta")
    home = np.array(robot.platform.home)

    def wave(t):
        return home + 0.1 * np.sin(t), 0.1 * np.cos(t) * np.ones(3), -0.1 * np.sin(t) * np.ones(3)

    result = check(robot, Motion.from_function(robot, wave, 0.0, 2.0), samples=501)
    assert result.sampled == 501
    assert result.notes[0] == "the motion is a function: checked at its samples, not between them"
    assert all(round(found.t * 250, 9) % 1 == 0 for found in result.findings)


def test_passive_joints_and_cones():
    robot = load("rotary")
    result = check(robot, Motion.named(robot))
    (angle,) = [found for found in result.findings if found.kind == "angle"]
    assert angle.fits
    assert not check(robot, Motion.named(robot), limits={"angle": angle.value - 1e-9}).fits
    stiff = replace(robot.legs[0].joints[1], limits=Limits(stroke=(-0.1, 0.1)))
    leg = replace(robot.legs[0], joints=(robot.legs[0].joints[0], stiff, *robot.legs[0].joints[2:]))
    (found,) = [
        f
        for f in check(
            with_values(robot, legs=(leg, *robot.legs[1:])),
            Motion.named(with_values(robot, legs=(leg, *robot.legs[1:]))),
        ).findings
        if f.kind == "joint"
    ]
    angles = inverse_kinematics(robot, result.motion.sample(2001).x).joint_q[:, 1]
    assert found.owner == "1.U1"
    assert abs(found.value) == pytest.approx(np.abs(angles).max(), rel=1e-5)


@pytest.mark.parametrize("limits", [{"force": 70.0}, {"speed": 0.35}, {"power": 12.0}, {"force": 60.0, "power": 9.0}])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_to_try(seed, limits):
    robot = bare(loaded(load("stewart"), 5))
    rng = np.random.default_rng(seed)
    t, x = np.array([0.0, 0.7, 1.3, 2.0]), np.array(robot.platform.home) + 0.1 * rng.uniform(-1, 1, (4, 6))
    advice = check(robot, Motion.through(robot, t, x), limits).advice
    assert advice.duration is not None
    pace = advice.duration / 2.0
    assert check(robot, Motion.through(robot, t * pace, x), limits).fits
    assert not check(robot, Motion.through(robot, t * pace / 1.002, x), limits).fits
    if advice.amplitude is not None and advice.meets:
        assert check(robot, Motion.through(robot, t, x[0] + advice.amplitude * (x - x[0])), limits).fits
        assert not check(robot, Motion.through(robot, t, x[0] + 1.002 * advice.amplitude * (x - x[0])), limits).fits


def test_no_duration_helps_a_stroke():
    result = check(load("stewart"), Motion.named(load("stewart")), limits={"stroke": (1.8, 3.0)})
    assert result.violated == ("stroke",)
    assert result.advice.duration is None
    assert result.advice.slowest == "stroke"
    assert 0.5 < result.advice.amplitude < 1.0


def test_a_machine_at_rest():
    result = check(loaded(load("delta"), 2), Motion.named(loaded(load("delta"), 2), "hold"))
    assert result.fits
    assert result.advice.slowest in ("", "speed", "force", "distance")


def test_a_motion_without_forces_within_limits_is_called_that():
    """A redundant robot with weak motors: slower motions and smaller ones fit, and the advice says what stops them."""
    weak = {"legs.actuator.force": 4.0, "actuation.criterion": "bounded"}
    robot = load("planar4rrr").replace(weak)
    result = check(robot, Motion.to(robot, {"x": 0.1}, 0.3))
    assert result.violated[0] == "infeasible"
    assert result.lost.kind == "infeasible"
    assert (result.advice.meets, result.advice.slowest) == ("infeasible", "infeasible")
    assert result.advice.duration > 0.3
    assert check(robot, Motion.to(robot, {"x": 0.1}, result.advice.duration)).fits
    assert not check(robot, Motion.to(robot, {"x": 0.1}, 0.99 * result.advice.duration)).fits


@pytest.mark.parametrize("start", [0.0, 5.0])
def test_a_shock_of_the_base_is_found_whenever_it_is(tmp_path, start):
    """A jump by 0.01 mm and back within 3 ms, of a base that is otherwise at rest."""
    t = start + np.array([0.0, 0.4037, 0.4047, 0.4057, 0.4067, 1.0])
    x = 1e-5 * np.array([0.0, 0.0, 1.0, -1.0, 0.0, 0.0])
    rows = [f"{time!r},{value!r},0,0" for time, value in zip(t.tolist(), x.tolist(), strict=True)]
    (tmp_path / "base.csv").write_text("\n".join(["t,x,xd_x,xdd_x", *rows]))
    robot = load("fivebar")
    still = Motion.from_samples(robot, State([robot.platform.home] * 2, t=start + np.array([0.0, 1.0])))
    peak = next(
        f for f in check(robot, still.on_base(tmp_path / "base.csv"), {"force": 100.0}).every if f.kind == "force"
    )
    assert abs(peak.value) == pytest.approx(22.8745497, rel=1e-8)
    assert start + 0.4037 < peak.t < start + 0.4067
