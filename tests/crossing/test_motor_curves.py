"""The fastest motion with a motor: as fast as its curve allows, whatever the curve's shape, and within it."""

import json
import math
from dataclasses import replace
from itertools import count, pairwise

import numpy as np
import pytest

from gough import (
    InfeasibleError,
    InputError,
    Motion,
    Motor,
    check,
    demand,
    fastest,
    inverse_dynamics,
    load,
)
from gough.robot import Curve
from gough.robot.file.motor_file import LEAST_ACCELERATION
from tests.cli.running import outcome
from tests.support import lanes
from tests.support.motions import scales

ROBOTS = ("stewart", "hexapod", "delta", "planar3rrr")
SHAPES = {
    "flat": ([0.0, 1.0], [1.0, 1.0]),
    "ends above zero": ([0.0, 0.6, 1.0], [1.0, 1.0, 0.4]),
    "falls": ([0.0, 1.0], [1.0, 0.3]),
    "ends at zero": ([0.0, 1.0], [1.0, 0.0]),
    "corner, ends at zero": ([0.0, 0.5, 1.0], [1.0, 1.0, 0.0]),
    "hollow": ([0.0, 0.25, 0.5, 1.0], [1.0, 0.7, 0.5, 0.4]),
    "rises": ([0.0, 0.5, 1.0], [0.8, 1.0, 0.6]),
}
"""Speeds and torques of curves, of the last speed and of the largest torque."""
CASES = lanes.size(140, 14)
SMALL = 1e-3
"""Of a duration: that of a grid of 120 cells is so far from the optimum's on these paths."""


def moved(robot, rng):
    """Target of a straight move within the strokes and angles of the robot."""
    home = np.array(robot.platform.home)
    away = scales(robot) * rng.uniform(-1.0, 1.0, robot.dof)
    for size in (0.1, 0.05, 0.02, 0.01):
        target = dict(zip(robot.coordinate_names, (home + size * away).tolist(), strict=True))
        if check(robot, Motion.to(robot, target, 100.0)).fits:
            return target
    raise AssertionError("no move fits")


def rotor(motor, robot, motion, times):
    """Torques and speeds (N, actuators) of the rotors by size, from forces at times alone."""
    found = inverse_dynamics(robot.with_motor(motor), motion(times))
    force = found.force
    if motor.efficiency < 1.0:  # of what passes through the gear: all but the rotor's own inertia
        load = inverse_dynamics(robot.with_motor(replace(motor, rotor_inertia=0.0)), motion(times)).force
        power = load * found.qd
        factor = np.where(power > 0.0, 1.0 / motor.efficiency, np.where(power < 0.0, motor.efficiency, 1.0))
        force = force - load + factor * load
    return np.abs(force) / motor.ratio, np.abs(found.qd) * motor.ratio


def within(curve, torque, speed, slack):
    """Whether all torques and speeds are below a curve, but for a share."""
    allowed = np.interp(speed, curve.speed, curve.torque)
    return (torque <= allowed + slack * max(curve.torque)).all() and (speed <= curve.speed[-1] * (1.0 + slack)).all()


def random_case(seed):
    """A robot, a straight move, a motor whose curve binds on it, and limits of the robot."""
    rng = np.random.default_rng([seed, 16])
    robot = load(ROBOTS[seed % len(ROBOTS)])
    target = moved(robot, rng)
    shape = list(SHAPES)[seed % len(SHAPES)]
    prismatic = robot.actuators[0].kind == "P"
    ratio = 2.0 * math.pi / rng.uniform(0.005, 0.04) if prismatic else rng.uniform(5.0, 60.0)
    probe = Motor("probe", ratio, peak=Curve([0.0, 1e6], [1e6, 1e6]), drives="P" if prismatic else "R")
    motion = Motion.to(robot, target, 1.0)
    torque, speed = rotor(probe, robot, motion, np.linspace(0.0, 1.0, 101))
    still = Motion.to(robot, target, 1e4)
    hold = rotor(probe, robot, still, np.linspace(0.0, 1e4, 101))[0].max()
    top = float(speed.max() * 10.0 ** rng.uniform(-0.7, 0.7))
    most = float(3.0 * hold + rng.uniform(0.5, 5.0) * (torque.max() - hold)) / (0.3 if "zero" in shape else 1.0)
    speeds, torques = (np.array(part) for part in SHAPES[shape])
    curve = Curve((speeds * top).tolist(), (torques * most).tolist())
    inertia = float(rng.uniform(0.0, 0.2) * most / (1.0 + np.abs(np.gradient(speed, 0.01, axis=0)).max()))
    inertia = min(inertia, 0.999 * float(torques.max() * most) / LEAST_ACCELERATION)
    which = seed // len(SHAPES) % 3
    curves = [{"peak": curve}, {"continuous": curve}, {"peak": curve, "continuous": Curve(curve.speed, curve.torque)}]
    efficiency = 1.0 if seed % 4 else float(rng.uniform(0.7, 0.95))
    limits = {"stroke": (-9.0, 9.0)}
    if rng.uniform() < 0.4:  # below the end of the curve or above it
        limits["speed"] = float(top / ratio * rng.uniform(0.4, 1.5))
    return robot, target, Motor("m", ratio, inertia, efficiency=efficiency, **curves[which]), limits


def uniform(robot, target, motor, limits):
    """The shortest duration [s] of a smooth law along the same line that keeps the curve and the limit of speed."""
    curve, ratio = motor.peak or motor.continuous, motor.ratio

    def kept(duration):
        motion = Motion.to(robot, target, duration)
        torque, speed = rotor(motor, robot, motion, np.linspace(0.0, duration, 401))
        return within(curve, torque, speed, 0.0) and speed.max() <= ratio * limits.get("speed", math.inf)

    slow = next(2.0**k for k in count(-8) if kept(2.0**k))
    fast = 0.5 * slow
    while slow > 1.001 * fast:
        middle = math.sqrt(fast * slow)
        fast, slow = (fast, middle) if kept(middle) else (middle, slow)
    return slow


@pytest.mark.parametrize("seed", range(CASES))
def test_fastest_with_a_motor_is_no_slower_than_a_smooth_law_and_keeps_the_curve(seed):
    robot, target, motor, limits = random_case(seed)
    found = fastest(robot.with_motor(motor), Motion.to(robot, target, 1.0), limits, 120)
    assert found.fits
    assert found.duration <= (1.0 + SMALL) * uniform(robot, target, motor, limits)
    assert check(found.robot, found.motion, limits).fits
    curve = motor.peak or motor.continuous
    inner = np.concatenate([a + (b - a) * np.array([0.01, 0.3, 0.7, 0.99]) for a, b in pieces(found.motion)])
    assert within(curve, *rotor(motor, robot, found.motion, inner), 1e-9)
    if motor.efficiency == 1.0:
        fits = demand(robot.with_motor(motor), found.motion).fits
        assert all(fit.speed_margin >= -1e-12 * curve.speed[-1] for fit in fits)
        assert all(not fit.peak_margin < -1e-9 * max(curve.torque) for fit in fits)
        if motor.continuous is None:
            assert all(fit.fits for fit in fits)


def pieces(motion):
    edges = np.array(motion.breakpoints)
    return pairwise(edges)


@pytest.mark.parametrize("shape", SHAPES)
def test_fastest_at_the_top_speed_takes_the_time_of_that_speed(shape):
    """With torque to spare, the actuator with the longest travel runs at the curve's last speed nearly all the time."""
    robot = load("hexapod")
    target = {"z": robot.platform.home[2] + 0.05}
    slow = Motion.to(robot, target, 1.0)
    x = slow(np.linspace(0.0, 1.0, 401)).x
    q = inverse_dynamics(robot, x).q
    speeds, torques = (np.array(part) for part in SHAPES[shape])
    ratio, top = 300.0, 50.0
    motor = Motor("strong", ratio, peak=Curve((speeds * top).tolist(), (torques * 100.0).tolist()))
    least = np.abs(np.diff(q, axis=0)).max(axis=1).sum() * ratio / top
    found = fastest(robot.with_motor(motor), slow, {"stroke": (-9.0, 9.0)}, 120)
    assert least * (1.0 - 1e-6) <= found.duration <= 1.02 * least


def test_fastest_with_a_motor_that_cannot_hold_the_platform_is_infeasible():
    robot = load("stewart")
    motor = Motor("weak", 300.0, peak=Curve([0.0, 100.0], [1e-3, 1e-3]))
    with pytest.raises(InfeasibleError, match="motor"):
        fastest(robot.with_motor(motor), Motion.named(robot.with_motor(motor), "trig3"), {"force": 100.0}, 120)


@pytest.mark.parametrize(
    ("speed", "torque", "line"),
    [
        ([0.0], [1.0], "speed: .*two or more numbers that increase from 0"),
        ([10.0, 100.0], [1.0, 1.0], "speed: .*two or more numbers that increase from 0"),
        ([0.0, 100.0, 100.0], [1.0, 1.0, 0.5], "speed: .*two or more numbers that increase from 0"),
        ([0.0, 100.0], [1.0], "torque: .*2 numbers"),
        ([0.0, 100.0], [1.0, -0.1], "torque: .*none negative"),
        ([0.0, 100.0], [0.0, 1.0], "torque: .*first positive"),
    ],
)
def test_a_curve_that_is_none_is_refused(speed, torque, line):
    with pytest.raises(InputError, match=line):
        Curve(speed, torque)


def test_the_share_of_a_curve_is_one_on_it_and_grows_along_rays():
    rng = np.random.default_rng(7)
    for speeds, torques in SHAPES.values():
        curve = Curve(speeds, torques)
        turn = np.linspace(0.0, 1.0, 101)
        on = np.interp(turn, speeds, torques)
        np.testing.assert_allclose(curve.used(on, turn), 1.0, rtol=1e-12)
        assert (curve.used(on * rng.uniform(0.0, 1.0, 101), turn) <= 1.0 + 1e-12).all()
        factor = rng.uniform(0.1, 10.0, 101)
        np.testing.assert_allclose(curve.used(-factor * on, factor * turn), factor, rtol=1e-12)


def test_the_command_states_a_duration_of_seconds(tmp_path, capsys):
    motor = tmp_path / "motor.toml"
    motor.write_text(
        'name = "m"\nlead = 0.02\nrotor_inertia = 1e-6\npeak = { rpm = [0, 3000], torque = [0.15, 0.05] }\n'
    )
    words = ("fastest", "stewart", "--motion", "trig3", "--limit", "force=100", "--motor", str(motor))
    code, out, _ = outcome(capsys, *words, "--format", "json")
    assert code == 0
    assert json.loads(out)["duration"] == pytest.approx(1.69, rel=0.01)
