"""Torque and power at the rotors behind a transmission with losses, against quadrature of the formula."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

from gough import Motion, Motor, fastest, inverse_dynamics, inverse_kinematics, load, motor_of
from gough.design import demand
from gough.errors import InputError
from tests.support.loaded_robots import loaded

CURVES = """
continuous = { rpm = [0, 3000, 5000], torque = [3, 3, 2] }
peak = { rpm = [0, 3500, 5000], torque = [10, 10, 6] }
"""
SCREW = f"lead = 0.02\nrotor_inertia = 2e-4\nscrew_inertia = 1e-4\nefficiency = 0.7\n{CURVES}"
GEAR = f"gear = 20\nrotor_inertia = 2e-5\nscrew_inertia = 2e-3\nefficiency = 0.8\n{CURVES}"
BEFORE = {"stewart": 3e-4, "delta": 2e-5}
"""Inertia at the rotor before the losses: a screw's nut is behind the screw, a gear before what it turns."""


class Rotor:
    """Torque and power of one rotor by the formula, at any time; none of the code under test but the whole force."""

    def __init__(self, robot, motor, motion, k):
        self.robot, self.motor, self.motion, self.k = robot.with_motor(motor), motor, motion, k

    def parts(self, t):
        """Load, speed, acceleration of the joint."""
        x = self.motion(np.atleast_1d(t))
        force = inverse_dynamics(self.robot, x, formulation="newton_euler").force[:, self.k]
        joint = inverse_kinematics(self.robot, x)
        qd, qdd = joint.qd[:, self.k], joint.qdd[:, self.k]
        return force - BEFORE[self.robot.name] * self.motor.ratio**2 * qdd, qd, qdd

    def torque(self, t):
        load, qd, qdd = self.parts(t)
        e, r = self.motor.efficiency, self.motor.ratio
        power = load * np.where(np.abs(qd) > 1e-12, qd, 0.0)
        felt = np.where(power > 0, load / e, np.where(power < 0, load * e, load))
        return BEFORE[self.robot.name] * r * qdd + felt / r

    def power(self, t):
        return self.torque(t) * self.parts(t)[1] * self.motor.ratio

    def breaks(self, times):
        """Times at which load, speed or torque change their sign, between samples."""
        found = {float(times[0]), float(times[-1]), *self.motion.breakpoints}
        for value in (lambda t: self.parts(t)[0], lambda t: self.parts(t)[1], self.torque):
            values = value(times)
            signs = np.sign(np.where(np.abs(values) > 1e-12 * np.abs(values).max(), values, 0.0))
            found |= set(times[np.flatnonzero(np.diff((signs == 0).astype(int)))].tolist())
            found |= set(times[signs == 0].tolist() if (signs == 0).sum() < 50 else [])
            for j in np.flatnonzero(signs[:-1] * signs[1:] < 0):
                found.add(brentq(lambda t, f=value: f(t)[0], times[j], times[j + 1], xtol=1e-14))
        return sorted(found)


@pytest.mark.parametrize(("name", "named", "text", "k"), [("stewart", "cos", SCREW, 1), ("delta", None, GEAR, 2)])
def test_a_rotor_behind_losses_against_quadrature(name, named, text, k):
    robot, motor = loaded(load(name), 3), motor_of(text)
    motion = Motion.named(robot, named)
    fit = demand(robot.with_motor(motor), motion).fits[k]
    rotor = Rotor(robot, motor, motion, k)
    times = np.linspace(motion.start, motion.end, 4001)
    breaks = rotor.breaks(times)

    def integral(function):
        parts = [quad(function, a, b, limit=200, epsabs=0, epsrel=1e-11)[0] for a, b in pairwise(breaks) if b > a]
        return sum(parts)

    rms = np.sqrt(integral(lambda t: rotor.torque(t)[0] ** 2) / motion.duration)
    assert fit.rms_torque == pytest.approx(rms, rel=1e-9)
    assert fit.energy == pytest.approx(integral(lambda t: max(rotor.power(t)[0], 0.0)), rel=1e-8)
    assert fit.regenerated == pytest.approx(-integral(lambda t: min(rotor.power(t)[0], 0.0)), rel=1e-8)
    for found, value in ((fit.torque, rotor.torque), (fit.power, rotor.power)):
        inner = np.concatenate([np.linspace(a, b, 402)[1:-1] for a, b in pairwise(breaks) if b - a > 1e-9])
        ends = np.concatenate([[a + 1e-12 * (b - a), b - 1e-12 * (b - a)] for a, b in pairwise(breaks)])
        sizes = np.abs(value(np.concatenate([inner, ends])))
        assert abs(found) >= sizes.max() * (1 - 1e-9)
        assert abs(found) <= sizes.max() * (1 + 1e-4)
    near = times[np.argmax(np.abs(rotor.power(times)))]
    step = times[1] - times[0]
    best = minimize_scalar(lambda t: -abs(rotor.power(t)[0]), bounds=(near - step, near + step), method="bounded",
                           options={"xatol": 1e-12})  # fmt: skip
    assert abs(fit.power) == pytest.approx(-best.fun, rel=1e-9)


@pytest.mark.parametrize("efficiency", [0.6, 0.95])
def test_the_fastest_motion_uses_what_losses_leave_of_a_motor(efficiency):
    robot = load("stewart")
    peak = {"rpm": [0, 3000, 6000], "torque": [0.15, 0.15, 0.05]}
    motor = motor_of({"lead": 0.02, "rotor_inertia": 1e-4, "peak": peak, "efficiency": efficiency})
    found = fastest(robot.with_motor(motor), Motion.named(robot.with_motor(motor), "trig3"), {"force": 100.0}, 120)
    x = found.motion(np.linspace(0, found.duration, 4001))
    force, joint = inverse_dynamics(robot.with_motor(motor), x).force, inverse_kinematics(robot, x)
    own = 1e-4 * motor.ratio * joint.qdd
    load_torque = force / motor.ratio - own
    factor = np.where(load_torque * joint.qd > 0, 1 / efficiency, efficiency)
    used = np.abs(own + factor * load_torque) / motor.peak(motor.ratio * joint.qd)
    assert found.fits
    assert 0.98 < used.max() <= 1.0 + 1e-9


def test_without_losses_the_rotor_feels_the_force_of_the_joint():
    robot, text = load("stewart"), SCREW.replace("efficiency = 0.7\n", "")
    found, stated = (
        demand(robot.with_motor(motor_of(t)), Motion.named(robot.with_motor(motor_of(t))))
        for t in (text, text + "efficiency = 1\n")
    )
    assert found.fits == stated.fits
    assert [fit.torque for fit in found.fits] == (found.force / motor_of(text).ratio).tolist()
    assert [fit.energy for fit in found.fits] == found.energy.tolist()
    lossy = demand(robot.with_motor(motor_of(SCREW)), Motion.named(robot.with_motor(motor_of(SCREW))))
    np.testing.assert_allclose(lossy.force, found.force, rtol=1e-12)
    for before, fit in zip(found.fits, lossy.fits, strict=True):
        assert fit.rms_torque > before.rms_torque
        assert fit.peak_margin < before.peak_margin
        assert fit.energy > before.energy
        assert fit.regenerated < before.regenerated


def test_efficiencies_that_are_none():
    line = "motor:1: efficiency: 90: implausibly large: at most 1 (0.9 for 90 %)"
    with pytest.raises(InputError, match=r".*") as error:
        motor_of(f"efficiency = 90\ngear = 5\n{CURVES}")
    assert str(error.value) == line
    with pytest.raises(InputError, match=r"^motor:1: efficiency: 0: must be greater than 0$"):
        motor_of(f"efficiency = 0\ngear = 5\n{CURVES}")
    with pytest.raises(InputError, match=r"^motor: efficiency: 1\.2: must be greater than 0 and at most 1$"):
        Motor("servo", 10.0, efficiency=1.2)
