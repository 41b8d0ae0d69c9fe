"""`free_path`: never worse than the straight line, certified, exact derivatives, error lines."""

from dataclasses import replace

import numpy as np
import pytest

from gough import (
    Actuation,
    GoughError,
    InputError,
    Motion,
    ReachError,
    State,
    check,
    free_path,
    inverse_dynamics,
    load,
    motor_of,
)
from gough.design.demand import demand
from gough.timing.fastest import fastest
from gough.timing.free_limits import FreeLimits, quantities_of
from gough.timing.free_search import Search
from gough.timing.spline_space import SplineSpace
from tests.support import lanes
from tests.support.motions import scales
from tests.support.robots import with_values

REACH = {"stewart": 0.4, "hexapod": 0.25, "rotary": 0.25, "sru": 0.25, "delta": 0.4}
"""Machines of the stated set, and how far from home its poses are: in lengths, or radians."""
EACH = lanes.size(10, 1)


def task(name, seed):
    """Two random poses with a straight line between them that fits, and 1.5 times the force of holding there."""
    robot, rng = load(name), np.random.default_rng([seed, 5])
    home, names = np.array(robot.platform.home), robot.coordinate_names
    while True:
        ends = [home + REACH[name] * scales(robot) * rng.uniform(-1, 1, robot.dof) for _ in range(2)]
        first, last = (dict(zip(names, x, strict=True)) for x in ends)
        motion = Motion.to(robot, last, 1.0, start=first)
        try:
            x = motion.sample(101).x
            rest = np.abs(inverse_dynamics(robot, x).force).max()
            found = check(robot, motion, {"force": 1e9, "speed": 1e9})
        except (GoughError, ReachError):
            continue
        if found.fits and not found.crossings:
            return robot, motion, {"force": 1.5 * rest, "speed": 1e3}


@pytest.mark.slow
def test_a_stated_set_of_tasks():
    """Fifty in a full run: never slower than the straight line in its best law, 5 % faster in the median."""
    gains = []
    for name in REACH:
        for seed in range(EACH):
            robot, motion, limits = task(name, seed)
            found = free_path(robot, motion, limits, cells=200)
            line = fastest(robot, motion, limits, cells=200)
            assert found.fits
            assert found.duration <= line.duration
            assert check(robot, found.motion, limits).fits
            ends = [found.motion(t).x for t in (found.motion.start, found.motion.end)]
            assert np.abs(ends - np.array([motion(t).x for t in (0.0, 1.0)])).max() < 1e-9
            rates = [found.motion(t).xd for t in (found.motion.start, np.nextafter(found.motion.end, 0.0))]
            assert np.abs(rates).max() < 1e-6
            gains.append(found.gain)
    assert np.median(gains) <= -0.05, sorted(gains)


def search(least, robot, limits, spans=5):
    """A search on a robot between two poses, with all parts."""
    home = np.array(robot.platform.home)
    space = SplineSpace(home - 0.02 * scales(robot), home + 0.03 * scales(robot), spans)
    own = tuple(q for q in quantities_of(robot, limits) if not (least == "force" and q.kind == "force"))
    return Search(space, FreeLimits(robot, own, None, ("force", "speed")), least, 0.1 * scales(robot), 0.8)


def bounded(name):
    """A machine of the catalogue; with "bounded" behind its name its actuators share forces within their limits."""
    robot = load(name.split()[0])
    if not name.endswith("bounded"):
        return robot
    return with_values(robot, actuation=Actuation("bounded"))


LIMITS = {
    "force": 40.0,
    "speed": 3.0,
    "power": 50.0,
    "stroke": (-3.0, 3.0),
    "angle": 1.2,
    "distance": 0.01,
    "platform_speed": 2.0,
    "turning_acceleration": 30.0,
}


@pytest.mark.parametrize(
    ("name", "least", "without"),
    [
        ("delta", "energy", ("angle", "distance")),
        ("planar4rrr bounded", "time", ("angle", "distance")),
        pytest.param("delta", "force", (), marks=pytest.mark.slow),
        pytest.param("stewart", "time", (), marks=pytest.mark.slow),
    ],
)
def test_slopes_are_exact(name, least, without):
    """Against central differences with Richardson's step: what is left is their round-off."""
    robot = bounded(name)
    if without:  # legs without radii have no distances
        robot = with_values(robot, legs=tuple(replace(leg, radius=None) for leg in robot.legs))
    one = search(least, robot, {kind: value for kind, value in LIMITS.items() if kind not in without})
    rng = np.random.default_rng(1)
    y = one.variables(one.space.straight, 0.7) + 0.05 * rng.normal(size=one.space.straight.size + 1)
    goal, slope, rows, slopes = one.look(y)
    for k in (0, 4, len(y) - 1):
        step = np.eye(len(y))[k]

        def off(h, step=step):
            return one.look(y + h * step)

        found = []
        for h in (1e-4, 2e-4):
            up, down = off(h), off(-h)
            found.append([(up[i] - down[i]) / (2 * h) for i in (0, 2)])
        best = [(4 * a - b) / 3 for a, b in zip(*found, strict=True)]
        assert best[0] == pytest.approx(slope[k], abs=1e-7 * abs(goal))
        assert np.abs(best[1] - slopes[:, k]).max() <= 1e-8 * max(1.0, np.abs(rows).max())


@pytest.mark.slow
def test_rows_are_what_check_finds():
    """Every quantity, along one motion: largest rows against the margins of an independent check."""
    robot = load("stewart")
    motion = Motion.to(robot, {"x": 0.2, "psi": 0.2}, 0.6)
    limits = {"force": 60.0, "speed": 3.0, "stroke": (0.5, 4.0), "angle": 1.4, "platform_acceleration": 9.0}
    found = check(robot, motion, limits)
    t = np.linspace(0, 0.6, 2001)
    own = FreeLimits(robot, tuple(quantities_of(robot, limits)))
    values = own.at(np.concatenate(motion.law(t), axis=1))
    for kind in ("force", "speed"):
        worst = next(f for f in found.findings if f.kind == kind)
        assert np.abs(values[kind][0]).max() == pytest.approx(abs(worst.value), rel=1e-5)
    worst = next(f for f in found.findings if f.kind == "platform_acceleration")
    assert np.sqrt(values["platform_acceleration"][0].max()) == pytest.approx(worst.value, rel=1e-5)
    worst = next(f for f in found.findings if f.kind == "stroke")
    assert min(np.abs(values["stroke"][0] - worst.value).min(axis=0)) < 1e-5


def test_facets_are_where_forces_end():
    """The largest acceleration that four motors can give, by bisection with the sharing of forces itself."""
    robot = bounded("planar4rrr bounded")
    home, rng = np.array(robot.platform.home), np.random.default_rng(3)
    own = FreeLimits(robot, tuple(q for q in quantities_of(robot, {}) if q.kind == "margin"))
    for _ in range(5):
        x, xdd = home + 0.05 * rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
        low, high = 0.0, 1e5
        for _ in range(50):
            middle = 0.5 * (low + high)
            try:
                inverse_dynamics(robot, State(x, 0 * x, middle * xdd))
                low = middle
            except GoughError:
                high = middle
        used = own.at(np.concatenate([x, 0 * x, high * xdd])[None])["margin"][0]
        assert np.abs(used).max() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.slow
def test_cables_find_a_way_of_their_own():
    robot = load("cable8")
    motion = Motion.to(robot, {"x": 0.5, "y": -0.4}, 1.0)
    found = free_path(robot, motion, spans=4, cells=40)
    assert found.fits
    assert found.duration <= fastest(robot, motion, cells=40).duration
    along = inverse_dynamics(robot, found.motion.sample(2001))
    assert np.isfinite(along.force).all()
    with pytest.raises(InputError, match="least force: cable8 shares forces within limits: only the least time is"):
        free_path(robot, motion, least="force")


@pytest.fixture(scope="module")
def line():
    robot = load("delta")
    motion = Motion.to(robot, {"x": 0.15, "z": -0.85}, 0.3, start={"x": -0.15, "y": 0.1, "z": -0.75})
    return robot, motion


@pytest.mark.slow
def test_least_force_and_energy(line, tmp_path):
    robot, motion = line
    for least in ("force", "energy"):
        found = free_path(robot, motion, {"speed": 100.0}, least, spans=5, cells=60)
        assert found.fits
        assert found.duration == pytest.approx(0.3, rel=1e-12)
        assert found.gain < -0.01
        asked = demand(robot, found.motion)
        value = np.abs(asked.force).max() if least == "force" else asked.energy.sum()
        assert found.value == pytest.approx(value, rel=1e-9)
        # Another law along the same line is no better than the free motion.
        assert found.value < (
            np.abs(demand(robot, motion).force).max() if least == "force" else demand(robot, motion).energy.sum()
        )
        file = tmp_path / f"{least}.csv"
        file.write_text(found.motion_csv())
        assert check(robot, Motion.read_csv(robot, file), {"speed": 100.0}).fits
    assert found.plot() is not None
    assert len(repr(found).splitlines()) <= 10


@pytest.mark.slow
def test_a_motor_and_dry_friction(line):
    robot, motion = line
    legs = tuple(
        replace(leg, joints=tuple(replace(j, coulomb=2.0) if j.actuated else j for j in leg.joints))
        for leg in robot.legs
    )
    rough = with_values(robot, legs=legs)
    motor = motor_of({"gear": 20, "rotor_inertia": 1e-5, "peak": {"rpm": [0, 3000, 6000], "torque": [3.0, 3.0, 1.0]}})
    found = free_path(rough.with_motor(motor), motion, {"speed": 50.0, "force": 100.0}, spans=5, cells=60)
    assert found.fits
    assert found.duration <= found.before
    along = inverse_dynamics(found.robot, found.motion.sample(2001))
    used = np.abs(along.force) / motor.ratio / motor.peak(motor.ratio * along.qd)
    assert used.max() <= 1.0 + 1e-9


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"least": "fuel"}, "least fuel: must be one of time, energy, force"),
        ({"spans": 2}, "spans 2: must be from 4 to 100"),
        ({"motion": Motion.hold}, "motion hold: ends where it starts"),
    ],
)
def test_what_cannot_be(options, line):
    robot = load("stewart")
    given = {"motion": Motion.named, "limits": {"force": 30}} | options
    with pytest.raises(InputError, match=line):
        free_path(robot, given.pop("motion")(robot), **given)


def test_what_no_path_keeps():
    """Gravity alone takes more than the limit: the line says which, and by how much."""
    robot = load("stewart")
    motion = Motion.to(robot, {"x": 0.2}, 1.0)
    with pytest.raises(
        GoughError, match=r"fastest: force of 1: takes 7\.04\d+ at 0 % of the path, allowed 3, at any speed"
    ):
        free_path(robot, motion, {"force": 3.0}, spans=4, cells=40)
