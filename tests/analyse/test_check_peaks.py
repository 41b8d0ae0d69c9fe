"""Random spline motions: a limit just below the true peak is violated by the right leg, one just above is kept."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from gough import check, load
from gough.analyse.limits import STATED
from gough.kinematics import Status, inverse_kinematics
from gough.motion import through
from tests.support.dense import peaks, quantity
from tests.support.loaded_robots import loaded
from tests.support.motions import scales

MOTIONS = 200
STEP = 1 / 100
"""Of the duration: the sample step that violations are measured by."""
KINDS = tuple(kind for kind in STATED if kind != "distance")


def spline(robot, rng):
    """A random spline through 4 to 7 poses near home that every leg reaches."""
    home = np.array(robot.platform.home)
    while True:
        count = int(rng.integers(4, 8))
        t = np.concatenate([[0.0], np.cumsum(rng.uniform(0.2, 1.0, count - 1))])
        x = home + 0.12 * scales(robot) * rng.uniform(-1, 1, (count, len(home)))
        motion = through(robot, t, x)
        if (inverse_kinematics(robot, motion.sampled(400).x).status == Status.FINE).all():
            return motion


@lru_cache(maxsize=16)
def machine(name, friction):
    """A robot of the catalogue whose legs may meet, half of them with friction, rotors and bodies of any shape."""
    robot = load(name)
    robot = replace(robot, legs=tuple(replace(leg, radius=None) for leg in robot.legs), document=None)
    return loaded(robot, 3) if friction else robot


@pytest.mark.parametrize("seed", range(MOTIONS))
def test_a_limit_at_the_peak(seed):
    rng = np.random.default_rng([7, seed])
    kind = KINDS[seed % len(KINDS)]
    names = ("stewart",) if kind == "angle" else ("stewart", "hexapod", "delta", "planar3rrr", "spatial3", "rotary")
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

    below = check(robot, motion, {kind: limit(kind, peak - epsilon)})
    (found,) = [f for f in below.findings if f.kind == kind]
    assert not found.fits
    assert kind in below.violated
    value = -found.value if kind == "singular" else found.value if kind == "stroke" else abs(found.value)
    assert abs(value - peak) <= 1e-9 * max(abs(peak), 1e-3)
    owners = [f.owner for f in below.every if f.kind == kind]
    others = np.delete(best, k)
    if not len(others) or others.max() < peak - 1e-9 * abs(peak):
        assert owners.index(found.owner) == k
        if sharp(function, k, peak, time, motion):
            assert abs(found.time - time) <= 1e-6 * motion.duration
    above = check(robot, motion, {kind: limit(kind, peak + max(epsilon, 1e-10 * abs(peak)))})
    assert kind not in above.violated


def limit(kind, value):
    return (-50.0, value) if kind == "stroke" else -value if kind == "singular" else value


def sharp(function, k, peak, time, motion):
    """Whether the peak falls off to both sides within the motion's thousandth part, and no other is as high."""
    near = [time + share * motion.duration for share in (-1e-3, 1e-3)]
    near = [t for t in near if motion.start <= t <= motion.end]
    drop = peak - max(float(function(np.array([t]))[0, k]) for t in near)
    times = np.linspace(motion.start, motion.end, 400)
    far = function(times[np.abs(times - time) > 2e-2 * motion.duration])[:, k].max()
    return drop > 1e-5 * abs(peak) and far < peak - 1e-6 * abs(peak)
