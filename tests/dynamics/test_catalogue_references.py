"""The redundant, the cable-driven, the five-bar machine and the ankle of the catalogue, computed without gough."""

import numpy as np
import pytest

from gough import Motion, State, inverse_dynamics, inverse_kinematics, load
from gough.dynamics.contract import FORMULATIONS, VARIANTS
from tests.support.given_states import state_of
from tests.support.mechanisms import reference, series
from tests.support.pinocchio_dependent import DependentOracle


@pytest.mark.parametrize("formulation", [f.name for f in (*FORMULATIONS, *VARIANTS)])
@pytest.mark.parametrize(("name", "sign"), [("planar4rrr", 1.0), ("cable8", -1.0)])
def test_forces_are_those_computed_without_gough(name, sign, formulation):
    motion = [series(name, key) for key in ("x", "xd", "xdd")]
    found = inverse_dynamics(load(name), state_of(motion), formulation=formulation)
    wanted = series(name, "force")
    assert np.abs(sign * found.force - wanted).max() <= 1e-11 * np.abs(wanted).max()


@pytest.mark.parametrize("name", ["rps3", "tricept", "cable8", "planar4rrr"])
def test_the_motion_of_the_computation_is_a_motion_of_the_robot(name):
    given = reference({"rps3": "3rps"}.get(name, name))
    found = Motion.named(load(name), "waves")([sample["t"] for sample in given["samples"]])
    for key in ("x", "xd", "xdd"):
        wanted = [sample[key] for sample in given["samples"]]
        np.testing.assert_allclose(getattr(found, key), wanted, rtol=0, atol=1e-14)


@pytest.mark.oracle
def test_the_ankle_by_pinocchio():
    """At the edges of the range that its source states: the foot follows its pitch, the cranks keep within."""
    robot = load("ankle")
    x = np.deg2rad([[-50.0, 0.0], [30.0, 15.0], [30.0, -15.0], [-20.0, 10.0]])
    rng = np.random.default_rng(3)
    given = x, *rng.normal(size=(2, 4, 2)), rng.normal(size=(4, 6))
    oracle = DependentOracle(robot)
    wanted = oracle.forces(*given)
    assert oracle.misfit < 1e-12
    found = inverse_dynamics(robot, state_of(given))
    np.testing.assert_allclose(found.force, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())
    low, high = robot.legs[1].joints[0].limits.stroke
    assert (found.q > low).all()
    assert (found.q < high).all()
    place = np.stack([-0.017558 * np.sin(x[:, 0]), 0 * x[:, 0], -0.017558 * np.cos(x[:, 0])], axis=1)
    np.testing.assert_allclose(inverse_kinematics(robot, x).dependent, place, rtol=0, atol=1e-16)


def test_fivebar_by_trigonometry():
    """Crank angles by the law of cosines; torques by the power of a point mass and of bars with their inertia."""
    robot = load("fivebar")
    rng = np.random.default_rng(5)
    x = np.array([0.0, 0.35]) + 0.05 * rng.uniform(-1, 1, (20, 2))
    xd, xdd = rng.normal(size=x.shape), 5.0 * rng.normal(size=x.shape)

    def angles(p):
        found = []
        for base, side in ((-0.1, 1.0), (0.1, -1.0)):
            d = p - [base, 0.0]
            r = np.linalg.norm(d, axis=1)
            found.append(np.arctan2(d[:, 1], d[:, 0]) + side * np.arccos((r**2 + 0.22**2 - 0.3**2) / (2 * r * 0.22)))
        return np.stack(found, axis=1)

    assert np.abs(inverse_kinematics(robot, x).q - angles(x)).max() <= 1e-12

    def energy(t):
        """Kinetic energy at a time near 0, by differences of all positions."""
        h = 1e-5
        now, then = (x + (t + s) * xd + 0.5 * (t + s) ** 2 * xdd for s in (-h, h))
        total = 0.5 * 0.3 * ((then - now) ** 2).sum(axis=1) / (2 * h) ** 2
        turns = angles(then) - angles(now)
        total += 0.5 * (0.003 + 0.8 * 0.11**2) * (turns**2).sum(axis=1) / (2 * h) ** 2
        for k, base in enumerate((-0.1, 0.1)):
            elbows = [
                np.array([base, 0.0]) + 0.22 * np.stack([np.cos(q), np.sin(q)], 1)
                for q in (angles(now)[:, k], angles(then)[:, k])
            ]
            rods = [p - e for p, e in zip((now, then), elbows, strict=True)]
            centres = [e + 0.5 * r for e, r in zip(elbows, rods, strict=True)]
            total += 0.5 * 0.4 * ((centres[1] - centres[0]) ** 2).sum(axis=1) / (2 * h) ** 2
            spin = np.arctan2(rods[1][:, 1], rods[1][:, 0]) - np.arctan2(rods[0][:, 1], rods[0][:, 0])
            total += 0.5 * 0.003 * spin**2 / (2 * h) ** 2
        return total

    rate = (energy(2e-4) - energy(-2e-4)) / 4e-4
    power = inverse_dynamics(robot, State(x, xd, xdd)).power.sum(axis=1)
    assert np.abs(power - rate).max() <= 1e-5 * np.abs(rate).max(), "differences of differences"
