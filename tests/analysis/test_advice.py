"""The advice of a check is safe and close: at its amplitude and duration a motion fits, just beyond it does not.

Cases are all coordinates of all robots at shares of their reach, as in `benchmarks/check.py`.
"""

import tomllib
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.check import SHARES, reach
from gough import Motion, State, check, inverse_dynamics, load
from gough.analysis.amplitude import CLOSE, near, up
from gough.analysis.extremes import extremes, pieces_of
from gough.kinematics import inverse_kinematics
from tests.support.catalogue_lanes import TREES
from tests.support.lanes import sample
from tests.support.robots import catalogue_text

BEYOND = 1.0 + 2.0 * CLOSE


def coordinates(name):
    """Names of a robot's coordinates that do not depend on others, from its file."""
    platform = tomllib.loads(catalogue_text(name))["platform"]
    return [coordinate for coordinate in platform["coordinates"] if coordinate not in platform.get("dependent", [])]


CASES = [(name, coordinate, share) for name in TREES for coordinate in coordinates(name) for share in SHARES]


def moved(robot, name, distance, duration=1.0):
    """From home along a coordinate."""
    k = [c.name for c in robot.platform.coordinates].index(name)
    return Motion.to(robot, {name: float(robot.platform.home[k]) + distance}, duration)


@pytest.mark.parametrize(
    ("robot", "name", "share"), sample(CASES, 24, lane="advice"), ids=lambda value: str(getattr(value, "name", value))
)
def test_the_advice_is_safe_and_close(robot, name, share):
    robot = load(robot)
    k = [c.name for c in robot.platform.coordinates].index(name)
    distance = share * reach(robot, k)
    result = check(robot, moved(robot, name, distance))
    advice = result.advice

    def fits(amplitude, duration=1.0):
        return check(robot, moved(robot, name, amplitude * distance, duration)).fits

    if advice.meets:
        assert fits(advice.amplitude)
        assert not fits(BEYOND * advice.amplitude)
    if advice.duration is None:
        assert set(result.violated) - {"speed", "power"}
        assert fits(advice.reachable, advice.reachable_duration)
        assert not fits(advice.reachable, advice.reachable_duration / BEYOND)
        assert not fits(BEYOND * advice.reachable, 1e6)
    elif advice.duration > 0.0:
        assert fits(1.0, advice.duration)
        assert not fits(1.0, advice.duration / BEYOND)


def test_a_limit_met_by_a_very_small_motion():
    robot = load("stewart")
    limits = {"speed": 1e-4}
    motion = moved(robot, "z", 0.3)
    amplitude = check(robot, motion, limits).advice.amplitude
    assert amplitude < 1e-3
    assert check(robot, moved(robot, "z", amplitude * 0.3), limits).fits
    assert not check(robot, moved(robot, "z", BEYOND * amplitude * 0.3), limits).fits


def test_a_static_limit_that_no_amplitude_helps():
    robot = load("stewart")
    advice = check(robot, moved(robot, "z", 0.3), {"force": 1e-3}).advice
    assert (advice.amplitude, advice.meets) == (None, "force")
    assert (advice.duration, advice.slowest, advice.reachable) == (None, "force", None)


def test_the_advice_of_a_function_looks_at_the_same_samples():
    robot = load("stewart")
    home = np.array(robot.platform.home)
    spike = 1.0 / 3.0

    def function(t):
        near_spike = np.exp(-(((t - spike) / 1e-4) ** 2))
        return home + near_spike * np.eye(6)[2] * 0.1, np.zeros(6), np.zeros(6)

    motion = Motion.from_function(robot, function, 0.0, 1.0)
    limits = {"stroke": (1.0, float(inverse_kinematics(robot, home).q.max()) + 0.05)}
    coarse, fine = (check(robot, motion, limits, samples=n) for n in (500, 3001))
    assert coarse.fits
    assert coarse.advice.meets == ""
    assert not fine.fits
    assert fine.advice.amplitude < 1.0


def test_round_off_near_a_singularity_does_not_multiply_pieces():
    rng = np.random.default_rng(3)
    calls = []

    def noisy(t, inside):
        calls.append(len(t))
        return (np.sin(3.0 * t) + 1e-9 * rng.uniform(-1, 1, t.shape))[:, None]

    _, (high,) = extremes(noisy, pieces_of(noisy, [0.0, 1.0]))
    assert sum(calls) < 5_000
    assert high.value == pytest.approx(1.0, abs=3e-9)


def test_a_narrow_peak_is_not_taken_for_round_off():
    def peak(t, inside):
        return (1.0 / (1.0 + ((t - 0.6789) / 1e-4) ** 2))[:, None]

    _, (high,) = extremes(peak, pieces_of(peak, [0.0, 1.0]))
    assert high.value == pytest.approx(1.0, abs=1e-10)
    assert high.t == pytest.approx(0.6789, abs=1e-8)


def test_four_digits():
    for value in (0.0760139, 2.4942, 9.9996, 1.0001, 123456.0, 1e-9 / 3.0):
        assert value <= up(value) <= value * (1 + 1e-3)
        assert up(up(value)) == up(value)
        assert len(f"{up(value):.12g}".replace(".", "").strip("0").split("e")[0]) <= 4
        assert abs(near(value) - value) <= 5e-4 * value


def test_an_advised_amplitude_keeps_the_pace():
    """The duration for a smaller amplitude is that of the smaller motion, not of the whole."""
    robot = load("delta")
    motion = moved(robot, "z", -1.15)
    advice = check(robot, motion).advice
    alone = check(robot, moved(robot, "z", -1.15 * advice.reachable)).advice
    assert advice.reachable_duration == alone.duration
    slower = replace(motion, name="the same")
    assert check(robot, slower).advice == advice


@pytest.mark.parametrize(("name", "share"), [("pitch", 0.9), ("yaw", 0.9)])
def test_a_duration_of_cables_fits_between_samples_too(name, share):
    robot = load("cable8")
    distance = share * reach(robot, [c.name for c in robot.platform.coordinates].index(name))
    duration = check(robot, moved(robot, name, distance)).advice.duration
    assert check(robot, moved(robot, name, distance, duration)).fits
    assert not check(robot, moved(robot, name, distance, duration / BEYOND)).fits


def test_round_off_is_no_missing_margin_of_forces():
    # A quarter turn of the middle angle makes two coordinates one, which the margin, of wrenches, does not see.
    robot = load("cable8")
    motion = Motion.to(robot, {"pitch": np.pi / 2}, 2.0)
    margin = next(found for found in check(robot, motion).findings if found.kind == "margin")
    at = motion(np.array([2.0 - 1e-6]))
    x, xd, xdd = at.x, at.xd, at.xdd
    assert margin.value == pytest.approx(inverse_dynamics(robot, State(x, xd, xdd)).margin[0], abs=1e-3)
    assert margin.value > 40.0
    for beyond, fits in ((np.nextafter(margin.value, np.inf), True), (margin.value + 1e-3, False)):
        result = check(robot, motion, {"margin": beyond})
        found = next(found for found in result.findings if found.kind == "margin")
        assert found.margin == (0.0 if fits else pytest.approx(-1e-3, rel=1e-6))
        assert result.fits == fits
