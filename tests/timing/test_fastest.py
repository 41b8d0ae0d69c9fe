"""`fastest`: certified, near the limit, never slower than a uniform change of pace."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gough import (
    CsvLayout,
    InfeasibleError,
    InputError,
    Motion,
    State,
    check,
    fastest,
    inverse_dynamics,
    load,
    motor_of,
)
from gough.analysis.advice import shortest_duration
from gough.analysis.along_motion import Path
from tests.support import lanes
from tests.support.motions import scales
from tests.support.robots import with_values

ROBOTS = ("stewart", "hexapod", "delta", "rotary", "planar3rrr")
PATHS = lanes.size(200, 5)
COARSE = 120
"""Cells of tests that look at no time to four digits."""


@cache
def machine(name):
    return load(name)


def rough(robot, viscous, coulomb):
    """The robot with friction in its actuators."""
    legs = []
    for leg in robot.legs:
        joints = (replace(j, viscous=viscous, coulomb=coulomb) if j.actuated else j for j in leg.joints)
        legs.append(replace(leg, joints=tuple(joints)))
    return with_values(robot, legs=tuple(legs))


def random_path(robot, seed):
    """A spline through four random poses near home, and limits of force and speed that it takes at a fair pace.

    The poses are drawn nearer together until no joint turns too far: no pace would mend that.
    """
    rng = np.random.default_rng([seed, 17])
    away = scales(robot) * rng.uniform(-1, 1, (4, robot.dof))
    for size in (0.12, 0.1, 0.08, 0.06):
        motion = Motion.through(robot, [0.0, 1.0, 2.0, 3.0], np.array(robot.platform.home) + size * away, smooth="none")
        if not {"angle", "joint"}.intersection(check(robot, motion, {"stroke": (-9.0, 9.0)}).violated):
            break
    s = motion.sample(201)
    rest = np.abs(inverse_dynamics(robot, State(s.x, 0 * s.xd, 0 * s.xdd)).force).max()
    along = inverse_dynamics(robot, s)
    limits = {"force": 1.3 * rest + rng.uniform(0.5, 4.0) * np.abs(along.force).max(), "stroke": (-9.0, 9.0)}
    if rng.uniform() < 0.5:
        limits["speed"] = rng.uniform(1.0, 3.0) * np.abs(along.qd).max()
    return motion, limits


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PATHS))
def test_random_paths(seed):
    robot = machine(ROBOTS[seed % len(ROBOTS)])
    motion, limits = random_path(robot, seed)
    found = fastest(robot, motion, limits)
    timed = [f for f in found.certificate.every if f.kind in ("force", "speed")]
    assert found.fits
    assert min(f.relative for f in timed) >= -1e-12
    pace, _ = shortest_duration(Path(robot, motion), limits)
    assert pace is None or found.duration <= motion.duration / pace
    assert found.saturated >= 0.95
    if seed % 5 == 0:  # against a grid four times as fine: its own error is a quarter or less
        assert found.duration <= 1.003 * fastest(robot, motion, limits, cells=2000).duration


def test_the_law_of_a_straight_push_is_known():
    """One mass on a line: full force there, full force back; T = 2 sqrt(L m / F)."""
    robot = load("hexapod")
    # On a short way inertia and gravity hardly change: the time is that of constant forces at both ends.
    motion = Motion.to(robot, {"z": robot.platform.home[2] + 1e-4}, 1.0)
    limits = {"force": 20.0}
    found = fastest(robot, motion, limits)
    home, up = np.array(robot.platform.home), np.zeros(robot.dof)
    up[2] = 1.0
    zero = np.zeros(robot.dof)
    hold = inverse_dynamics(robot, home).force
    push = inverse_dynamics(robot, State(home, zero, up)).force - hold
    both = [((s * 20.0 - hold) / push) for s in (1.0, -1.0)]
    rise = np.min(np.where(both[0] > 0, both[0], both[1]))
    fall = np.min(-np.where(both[0] < 0, both[0], both[1]))
    way = 1e-4
    assert found.duration == pytest.approx(np.sqrt(2 * way * (1 / rise + 1 / fall)), rel=2e-4)


@pytest.mark.parametrize(("viscous", "coulomb"), [(5.0, 0.0), (0.0, 3.0), (5.0, 3.0)])
def test_friction_is_right(viscous, coulomb):
    robot = rough(load("stewart"), viscous, coulomb)
    found = fastest(robot, Motion.named(robot, "trig3"), {"force": 40.0, "speed": 5.0}, COARSE)
    assert found.fits
    assert found.saturated > (0.9 if coulomb else 0.99)  # at a stop dry friction may have either sign
    # An independent look at the force at dense samples away from the jumps.
    t = np.linspace(0, found.duration, 4001)[1:-1]
    force = np.abs(inverse_dynamics(robot, found.motion(t)).force).max(axis=1)
    assert force.max() <= 40.0 * (1 + 1e-9)
    smooth = fastest(load("stewart"), Motion.named(load("stewart"), "trig3"), {"force": 40.0, "speed": 5.0}, COARSE)
    assert found.duration > smooth.duration


def test_power_and_motor_curves():
    robot = load("stewart")
    limits = {"force": 40.0, "power": 30.0, "speed": 5.0}
    found = fastest(robot, Motion.named(robot, "trig3"), limits, COARSE)
    t = np.linspace(0, found.duration, 4001)
    along = inverse_dynamics(robot, found.motion(t))
    assert found.fits
    assert 29.5 < np.abs(along.power).max() <= 30.0 * (1 + 1e-9)
    assert found.saturated > 0.99
    motor = motor_of(
        {"lead": 0.02, "rotor_inertia": 1e-6, "peak": {"rpm": [0, 3000, 6000], "torque": [0.15, 0.15, 0.05]}}
    )
    found = fastest(robot.with_motor(motor), Motion.named(robot.with_motor(motor), "trig3"), {"force": 100.0}, COARSE)
    along = inverse_dynamics(robot.with_motor(motor), found.motion(np.linspace(0, found.duration, 4001)))
    used = np.abs(along.force) / motor.ratio / motor.peak(motor.ratio * along.qd)
    assert found.fits
    assert 0.98 < used.max() <= 1.0 + 1e-9
    falling = motor_of({"lead": 0.02, "rotor_inertia": 1e-6, "peak": {"rpm": [0, 3000], "torque": [0.4, 0.02]}})
    assert (
        fastest(
            robot.with_motor(falling), Motion.named(robot.with_motor(falling), "trig3"), {"force": 1e4}, COARSE
        ).saturated
        > 0.99
    )


def test_the_platform_alone():
    robot = load("stewart")
    limits = {"platform_speed": 0.5, "platform_acceleration": "2 m/s^2", "turning_speed": "60 deg/s"}
    found = fastest(robot, Motion.named(robot, "trig3"), limits, COARSE)
    kinds = {stretch.kind for stretch in found.stretches}
    assert kinds == {"platform_speed", "platform_acceleration"}
    speed = np.linalg.norm(found.motion(np.linspace(0, found.duration, 2001)).xd[:, :3], axis=1)
    assert 0.4999 < speed.max() <= 0.5 + 1e-9
    slow = check(robot, Motion.named(robot, "trig3"), {"platform_speed": 0.1})
    assert slow.violated == ("platform_speed",)
    quick = slow.advice.duration
    assert check(robot, point_like(robot, quick), {"platform_speed": 0.1}).fits


def test_who_holds_it_back_when():
    """Mirrored legs are named together, and in every stretch the forces themselves are at their limits.

    Legs B and C are alike but for rounding, which must not cut what they hold back into pieces that join leg A's.
    """
    robot = load("delta")
    s = np.linspace(0, 1, 41)
    x = np.stack([-0.2 + 0.4 * s, 0 * s, -0.9 + 0.12 * np.sin(np.pi * s)], axis=1)
    found = fastest(robot, Motion.from_samples(robot, State(x, t=s)), {"force": 60.0})
    assert {stretch.owner for stretch in found.stretches} == {"A", "B, C"}
    assert len(found.stretches) > 2
    for stretch in found.stretches:
        t = np.linspace(stretch.begin, stretch.end, 401)[1:-1]
        share = np.abs(inverse_dynamics(robot, found.motion(t)).force) / 60.0
        held = share[:, [robot.actuator_names.index(name) for name in stretch.owner.split(", ")]]
        assert (held.max(axis=1) >= share.max(axis=1) - 1e-3).mean() > 0.9
        assert np.median(held, axis=0).min() > 0.99
    assert set(found.table["limit"].tolist()) == {"force A", "force B"}


def point_like(robot, duration):
    """The motion trig3 of the Stewart platform in another time."""
    motion = Motion.named(robot, "trig3")
    s = motion.sample(801)
    k = duration / motion.duration
    return Motion.from_samples(robot, State(s.x, s.xd / k, s.xdd / k**2, t=s.t * k * (1 + 1e-6)))


@pytest.mark.slow
def test_cables_pull_as_hard_as_they_may():
    robot = load("cable8")
    found = fastest(robot, Motion.named(robot), cells=30)
    assert found.fits
    assert found.saturated > 0.99
    assert "margin" in {stretch.kind for stretch in found.stretches}
    assert found.duration < check(robot, Motion.named(robot)).advice.duration
    with pytest.raises(InputError, match="limit force: cable8 shares forces within its own limits"):
        fastest(robot, Motion.named(robot), limits={"force": 3.0})


def test_redundant_actuators():
    robot = load("planar4rrr")
    found = fastest(robot, Motion.named(robot), limits={"force": 6.0}, cells=COARSE)
    assert found.fits
    assert found.saturated > 0.95


def test_rows_fit_as_they_are_read(tmp_path):
    robot, limits = load("stewart"), {"force": 25.0}
    found = fastest(robot, Motion.named(robot, "trig3"), limits, cells=200)
    file = tmp_path / "fast.csv"
    file.write_text(found.motion_csv())
    read = Motion.read_csv(robot, file, CsvLayout(units="mm,deg,ms"))  # every unit is in the header
    assert check(robot, read, limits).fits
    assert read.duration == pytest.approx(found.duration, rel=1e-4)


def test_a_load_along_the_path_counts():
    robot = load("stewart")
    motion = Motion.named(robot, "trig3").with_wrench([0, 0, -30, 0, 0, 0])
    found = fastest(robot, motion, {"force": 40.0}, COARSE)
    t = np.linspace(0, found.duration, 2001)
    force = inverse_dynamics(robot, State(*found.motion.law(t), wrench=[0, 0, -30, 0, 0, 0])).force
    assert 39.9 < np.abs(force).max() <= 40.0 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ({"force": 5.0}, r"fastest: force of \w+: takes [\d.]+ at [\d.e-]+ % of the path, allowed 5, at any speed; "),
        ({"force": 40.0, "stroke": (1.8, 2.0)}, r"fastest: stroke of \w+: takes [\d.]+, allowed 2, at any speed; "),
    ],
)
def test_what_no_time_helps(limits, line):
    with pytest.raises(InfeasibleError, match=line) as caught:
        fastest(load("stewart"), Motion.named(load("stewart"), "trig3"), limits, COARSE)
    assert caught.value.value > caught.value.limit


def test_what_has_no_path_or_no_limit():
    robot = load("stewart")
    with pytest.raises(InputError, match="motion hold: stays where it is, and has no path"):
        fastest(robot, Motion.named(robot, "hold"), {"force": 30})
    legs = tuple(
        replace(leg, joints=tuple(replace(j, limits=type(j.limits)()) for j in leg.joints)) for leg in robot.legs
    )
    with pytest.raises(InputError, match="states no limit of force, speed or power"):
        fastest(with_values(robot, legs=legs), Motion.named(with_values(robot, legs=legs), "trig3"))


def test_the_legend_of_the_phase_plane_has_only_what_is_seen(monkeypatch):
    found = fastest(load("stewart"), Motion.named(load("stewart"), "trig3"), {"force": 40.0, "speed": 5.0}, cells=400)
    which, rest = found.holding
    rare = next(k for k in range(len(found.used)) if k not in which)
    changed = np.where(np.arange(len(which)) == np.argmax(found.profile.z), rare, which)
    monkeypatch.setattr(type(found), "holding", (changed, rest))
    axes = found.figure().axes[0]
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    names = [" ".join(name).strip() for name in found.used]
    assert told[-1] == "largest path speed"
    assert set(told[:-1]) <= {names[k] for k in set(which.tolist())}
    assert names[rare] not in told
    assert axes.get_ylabel() == "path speed ds/dt [1/s]"
