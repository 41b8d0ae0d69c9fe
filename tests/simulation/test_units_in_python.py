"""Texts with units in the Python calls of simulation and control give what SI numbers give."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import InputError
from gough.robot.actuator_quantities import of_actuators
from gough.simulation.arguments import sample_times, start_state, wrench_function
from gough.simulation.control.laws import of_actuators as gains
from gough.simulation.control.laws import of_errors
from gough.simulation.ensemble.variation import varied
from gough.simulation.system import system_of


@cache
def stewart():
    return gough.load("stewart")


@cache
def rotary():
    return gough.load("rotary")


@cache
def home():
    return np.array(stewart().platform.home)


@pytest.mark.parametrize(
    ("what", "slides", "turns", "wanted"),
    [
        ("travel", "2um", "0.5 deg", (2e-6, math.radians(0.5))),
        ("speed", "3 mm/s", "90deg/s", (3e-3, math.pi / 2)),
        ("effort", "2 kN", "5 N mm", (2000.0, 0.005)),
        ("stiffness", "1e3 N/mm", "1 N m/deg", (1e6, 180 / math.pi)),
        ("viscous", "50 N s/m", "0.2 N m s/rad", (50.0, 0.2)),
    ],
)
def test_quantities_of_actuators(what, slides, turns, wanted):
    for robot, good, bad, number in ((stewart(), slides, turns, wanted[0]), (rotary(), turns, slides, wanted[1])):
        n = len(robot.legs)
        np.testing.assert_allclose(of_actuators(robot, "it", good, what), np.full(n, number), rtol=1e-15)
        mixed = of_actuators(robot, "it", [good] * (n - 1) + [7.0], what)
        np.testing.assert_allclose(mixed, [*[number] * (n - 1), 7.0], rtol=1e-15)
        with pytest.raises(InputError, match=r"^it: .*: its unit must be "):
            of_actuators(robot, "it", bad, what)
        with pytest.raises(InputError, match=rf"^it: .* given, expected one or {n} of them$"):
            of_actuators(robot, "it", [good], what)


def test_modes():
    plain = gough.modes(stewart(), [0, 0, 2.1, np.radians(5), 0, 0], 2e6)
    named = gough.modes(stewart(), stewart().pose("z=2100mm,psi=5deg"), "2e3 N/mm")
    np.testing.assert_allclose(named.frequency, plain.frequency, rtol=1e-12)
    np.testing.assert_array_equal(gough.modes(rotary(), stiffness="1e4 N m/rad").stiffness, np.full(6, 1e4))
    with pytest.raises(InputError, match=r"^stiffness: 1e6 N/m: its unit must be N m/rad or N m/deg, not N/m$"):
        gough.modes(rotary(), stiffness="1e6 N/m")


def test_noise():
    noise = gough.Noise("2um", "1 mm/s", seed=3)
    position, rate = noise.deviations(stewart())
    np.testing.assert_allclose(position, np.full(6, 2e-6))
    np.testing.assert_allclose(rate, np.full(6, 1e-3))
    with pytest.raises(InputError, match=r"^noise: position: 2um: its unit must be deg or rad, not um$"):
        noise.deviations(rotary())
    with pytest.raises(InputError, match=r"^noise: position -1 given, must be a standard deviation"):
        gough.Noise("-1 rad")
    with pytest.raises(InputError, match=r"^noise: rate: 1 mm: its unit must be "):
        gough.Noise(rate="1 mm")


def test_a_controlled_run():
    motion = gough.Motion.to(stewart(), "z=2.1", "1s")

    def run(times, noise, law, force, start):
        drive = gough.Controller(law, motion, None, *times, force, noise)
        return gough.simulate(stewart(), start, drive, "10 ms", samples=3).x

    x = home() + [0, 0, 1e-3, 0, 0, 0]
    plain = run((1e-3, 2e-3), gough.Noise(2e-6, 1e-3), gough.PD(2e5, 1e3), 2e3, gough.State(x, [0, 0, 0.02, 0, 0, 0]))
    start = gough.State(stewart().pose(f"z={x[2]:.17g}m"), [0, 0, 0.02, 0, 0, 0])
    laws = gough.PD("200 N/mm", "1e3 N s/m")
    named = run(("1 ms", "2ms"), gough.Noise("2 um", "1mm/s"), laws, "2 kN", start)
    np.testing.assert_allclose(named, plain, rtol=0, atol=1e-13)


def test_springs():
    plain, named = gough.Springs(1e6, 50.0, 0.01), gough.Springs("1e3 N/mm", "50 N s/m", "10mm")
    for a, b in zip(plain.ready(stewart(), home()), named.ready(stewart(), home()), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-15)
    with pytest.raises(InputError, match=r"^springs: damping: 50 N/m: its unit must be N s/m or N s/mm, not N/m$"):
        gough.Springs(1e6, "50 N/m").ready(stewart(), home())


def test_gains_bandwidths_and_times():
    for law in (gough.PD, gough.Feedforward, gough.ComputedTorque):
        assert law(bandwidth="7 Hz") == law(bandwidth=7.0)
        with pytest.raises(InputError, match=r"^bandwidth: 7 s given, must be a positive number"):
            law(bandwidth="7 s")
    kp, kd = gains(rotary(), "2 N m/rad", "0.1 N m s/rad", 5.0)
    np.testing.assert_array_equal(kp, np.full(6, 2.0))
    np.testing.assert_array_equal(kd, np.full(6, 0.1))
    assert gough.Custom(lambda t, q, qd: q, "5 ms").sample_time == 0.005
    with pytest.raises(InputError, match=r"^controller: sample time: 5 mm: its unit must be ms, s or min, not mm$"):
        gough.Custom(lambda t, q, qd: q, "5 mm")
    np.testing.assert_allclose(sample_times(["0s", "20 ms", 0.1], 0.0, 1.0), [0.0, 0.02, 0.1])
    assert system_of(stewart(), slip="2 mm/s").slip == (0.002,) * 6


def test_starts_wrenches_and_linearisation():
    np.testing.assert_allclose(stewart().pose(z="2100mm"), [0, 0, 2.1, 0, 0, 0])
    np.testing.assert_allclose(start_state(stewart(), None)[0], home())
    wrench = wrench_function(["2 kN", 0, 0, "5 N mm", 0, 0])
    np.testing.assert_allclose(wrench(0.0), [2000, 0, 0, 0.005, 0, 0])
    with pytest.raises(InputError, match=r"^wrench: 2 kN m: its unit must be N, kN, lbf or kgf, not kN m$"):
        wrench_function(["2 kN m", 0, 0, 0, 0, 0])
    plain = gough.linearise(
        stewart(), gough.State([0, 0, 2.1, 0, 0, 0], [0, 0, 0.1, 0, 0, 0], wrench=[0, 0, 10, 0, 0, 0]), np.full(6, 20.0)
    )
    named = gough.linearise(
        stewart(), gough.State(stewart().pose("z=2.1"), [0, 0, 0.1, 0, 0, 0], wrench=[0, 0, "0.01 kN", 0, 0, 0]), "20 N"
    )
    np.testing.assert_allclose(named.A, plain.A, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(named.xdd, plain.xdd, rtol=1e-12, atol=1e-12)


def test_tools():
    robot = stewart().with_tool(("0", "1 cm", "150mm"), {"axis": [0, 0, 1], "angle": "90 deg"})
    assert robot.tool.position == (0.0, 0.01, 0.15)
    np.testing.assert_allclose(robot.tool.rotation, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    for position in (("0", "1 s", "150mm"), (0.0, 1.0), 3.0, (0.0, 0.0, math.inf)):
        with pytest.raises(InputError, match=r"tool\.position") as caught:
            stewart().with_tool(position)
        assert "\n" not in str(caught.value)


def test_gains_per_second_squared():
    for kp, kd in (("900 1/s^2", "60 1/s"), ("900/s^2", "60/s"), (["900 1/s^2", 900.0], [60.0, "60/s"])):
        for found, expected in zip(of_errors(kp, kd, 5.0, 2), (900.0, 60.0), strict=True):
            np.testing.assert_array_equal(found, np.full(2, expected))
    with pytest.raises(InputError, match=r"^kp: 900 N/m: its unit must be 1/s\^2, not N/m$"):
        of_errors("900 N/m", None, 5.0, 2)


def test_numbers_that_vary():
    numbers = np.arange(500)
    (_, shares), (_, percent) = (varied(stewart(), {"platform.mass": s}, 3, numbers) for s in (0.05, "5%"))
    np.testing.assert_array_equal(shares, percent)
    mass = stewart().platform.body.mass
    _, widths = varied(stewart(), {"platform.mass": "20 g"}, 3, numbers)
    assert np.abs(widths - mass).max() == pytest.approx(0.02, rel=0.01)
    assert np.abs(widths - mass).max() <= 0.02
    np.testing.assert_allclose((widths - mass) / 0.02, (shares / mass - 1.0) / 0.05, atol=1e-12)
    _, given = varied(stewart(), {"platform.mass": ["1500 g", 2.0]}, 3, numbers[:2])
    np.testing.assert_array_equal(given, [[1.5], [2.0]])
    with pytest.raises(InputError, match=r"^platform\.mass=3mm: its unit must be g, kg or lb, not mm$"):
        varied(stewart(), {"platform.mass": "3mm"}, 3, numbers)
    with pytest.raises(InputError, match=r"^vary platform\.mass: x given, expected a number or one with its unit$"):
        varied(stewart(), {"platform.mass": ["x", 1.0]}, 3, numbers[:2])
    with pytest.raises(
        InputError, match=r"^vary platform\.mass: 500% given, expected a share from 0 to 1, e\.g\. 0\.05$"
    ):
        varied(stewart(), {"platform.mass": "500%"}, 3, numbers)
