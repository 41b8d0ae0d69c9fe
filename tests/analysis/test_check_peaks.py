"""Random spline motions: a limit just below the true peak is violated by the right leg, one just above is kept."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from gough import Motion, check, load
from gough.analysis import limits
from gough.analysis.limits import STATED
from gough.kinematics import Status, inverse_kinematics
from tests.support.dense import leg_pairs, passive_joints, peaks, quantity
from tests.support.lanes import sample
from tests.support.loaded_robots import loaded
from tests.support.motions import scales
from tests.support.robots import build, with_values

MOTIONS = 200
STEP = 1 / 100
"""Of the duration: the sample step that violations are measured by."""
ELSEWHERE = ("parasitic", "parasitic_turn", "margin", *limits.KINDS[-4:])
"""Of machines with dependent motion or shared forces only, and of the platform, which have tests of their own."""
KINDS = (*(kind for kind in STATED if kind not in ELSEWHERE), "joint")
assert {*KINDS, *ELSEWHERE} == set(limits.KINDS)
ROBOTS = {"angle": ("stewart",), "distance": ("stewart", "ring"), "joint": ("rotary", "sru", "delta", "stewart")}
"""Where the dense evaluation has an own geometry, the robots it knows."""
RING = {
    "name": "ring",
    "gravity": [0, 0, -9.81],
    "platform": {
        "coordinates": {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"},
        "home": [0, 0, 0.6, 0, 0, 0],
        "mass": 12,
        "inertia": [0.2, 0.2, 0.35],
    },
    "legs": {
        "type": "UPS",
        "base": {"radius": 0.45, "half_angle": 0.5},
        "platform": {"radius": 0.4, "half_angle": 0.55},
        "cylinder": {"mass": 2, "com": [0.15, 0, 0], "inertia": [0.001, 0.02, 0.02]},
        "piston": {"mass": 1, "com": [-0.15, 0, 0], "inertia": [0.0005, 0.01, 0.01]},
    },
}
"""Six legs that share no joint."""


def spline(robot, rng):
    """A random spline through 4 to 7 poses near home that every leg reaches."""
    home = np.array(robot.platform.home)
    while True:
        count = int(rng.integers(4, 8))
        t = np.concatenate([[0.0], np.cumsum(rng.uniform(0.2, 1.0, count - 1))])
        x = home + 0.12 * scales(robot) * rng.uniform(-1, 1, (count, len(home)))
        motion = Motion.through(robot, t, x)
        if (inverse_kinematics(robot, motion.sample(400).x).status == Status.FINE).all():
            return motion


@lru_cache(maxsize=16)
def machine(name, friction):
    """A robot of the catalogue whose legs may meet, half of them with friction, rotors and bodies of any shape."""
    robot = build(RING) if name == "ring" else load(name)
    robot = with_values(robot, legs=tuple(replace(leg, radius=None) for leg in robot.legs))
    return loaded(robot, 3) if friction else robot


@pytest.mark.parametrize("seed", sample(range(MOTIONS), 80, lane="peaks"))
def test_a_limit_at_the_peak(seed):
    rng = np.random.default_rng([7, seed])
    kind = KINDS[seed % len(KINDS)]
    names = ROBOTS.get(kind, ("stewart", "hexapod", "delta", "planar3rrr", "spatial3", "rotary"))
    robot = machine(names[int(rng.integers(len(names)))], friction=bool(rng.integers(2)) and kind != "angle")
    motion = spline(robot, rng)
    best, when = peaks(robot, motion, kind)
    k = int(best.argmax())
    peak, time = float(best[k]), float(when[k])

    wide = 10.0 ** rng.uniform(-4, -1) * STEP * motion.duration
    function = quantity(robot, motion, kind)
    sides = [t for t in (time - wide / 2, time + wide / 2) if motion.start <= t <= motion.end]
    lower = max(float(function(np.array([t]))[0, k]) for t in sides)
    epsilon = max(peak - lower, 1e-11 * abs(peak)) if lower < peak else 1e-9 * abs(peak)

    below = checked(robot, motion, kind, peak - epsilon)
    (found,) = [f for f in below.findings if f.kind == kind]
    assert not found.fits
    assert kind in below.violated
    value = -found.value if kind in LEAST else found.value if kind in ("stroke", "joint") else abs(found.value)
    assert abs(value - peak) <= 1e-9 * max(abs(peak), 1e-3)
    owners = owners_of(robot, kind) or [f.owner for f in below.every if f.kind == kind]
    others = np.delete(best, k)
    if not len(others) or others.max() < peak - 1e-9 * abs(peak):
        assert owners.index(found.owner) == k
        if sharp(function, k, peak, time, motion):
            assert abs(found.t - time) <= 1e-6 * motion.duration
    above = checked(robot, motion, kind, peak + max(epsilon, 1e-10 * abs(peak)))
    assert kind not in above.violated


LEAST = ("singular", "distance")
"""What must not be too small."""


def checked(robot, motion, kind, value):
    """The check of a motion with one limit, as if what is limited had to be at most `value`."""
    if kind != "joint":
        return check(robot, motion, {kind: (-50.0, value) if kind == "stroke" else -value if kind in LEAST else value})
    places = [k for k, _ in passive_joints(robot)]
    joints = [joint for leg in robot.legs for joint in leg.joints]
    for k in places:
        zero = joints[k].zero
        joints[k] = replace(joints[k], limits=replace(joints[k].limits, stroke=(-50.0 - zero, value - zero)))
    rest = iter(joints)
    legs = tuple(replace(leg, joints=tuple(next(rest) for _ in leg.joints)) for leg in robot.legs)
    return check(with_values(robot, legs=legs), motion)


def owners_of(robot, kind):
    """Names of the columns of the dense evaluation, where the check may leave some out."""
    if kind == "distance":
        return [f"{robot.legs[i].name}-{robot.legs[j].name}" for i, j in leg_pairs(robot)]
    return [name for _, name in passive_joints(robot)] if kind == "joint" else []


def sharp(function, k, peak, time, motion):
    """Whether the peak falls off to both sides within the motion's thousandth part, and no other is as high."""
    near = [time + share * motion.duration for share in (-1e-3, 1e-3)]
    near = [t for t in near if motion.start <= t <= motion.end]
    drop = peak - max(float(function(np.array([t]))[0, k]) for t in near)
    times = np.linspace(motion.start, motion.end, 400)
    far = function(times[np.abs(times - time) > 2e-2 * motion.duration])[:, k].max()
    return drop > 1e-5 * abs(peak) and far < peak - 1e-6 * abs(peak)


@pytest.mark.parametrize("seed", range(6))
def test_where_the_nearest_pair_changes(seed):
    """Along a motion on which the nearest legs change, the least distance of all and its pair."""
    rng = np.random.default_rng([8, seed])
    robot = machine("ring", friction=False)
    while True:
        x = np.array(robot.platform.home) + np.array([0.1, 0.1, 0.05, 1.0, 0.2, 0.2]) * rng.uniform(-1, 1, (5, 6))
        motion = Motion.through(robot, np.arange(5.0), x)
        function = quantity(robot, motion, "distance")
        near = function(np.linspace(0.0, 4.0, 400)).argmax(axis=1)
        if (
            len(np.unique(near)) < 3
            or not (inverse_kinematics(robot, motion.sample(100).x).status == Status.FINE).all()
        ):
            continue
        best, when = peaks(robot, motion, "distance")
        k = int(best.argmax())
        if sharp(function, k, float(best[k]), float(when[k]), motion):
            break
    found = checked(robot, motion, "distance", -1e-3).findings[0]
    assert found.kind == "distance"
    assert found.owner == owners_of(robot, "distance")[k]
    assert found.value == pytest.approx(-best[k], rel=1e-9)
    assert found.t == pytest.approx(when[k], abs=1e-6 * motion.duration)
    assert np.count_nonzero(np.diff(near)) >= 2
