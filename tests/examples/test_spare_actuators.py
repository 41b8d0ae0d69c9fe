"""The redundant, the cable-driven and the five-bar machine of the examples."""

from pathlib import Path

import numpy as np
import pytest

from gough import inverse_dynamics, inverse_kinematics, load
from tests.support.mechanisms import series

FOLDER = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("name", "sign"), [("planar4rrr", 1.0), ("cable8", -1.0)])
def test_forces_are_those_computed_without_gough(name, sign):
    found = inverse_dynamics(load(FOLDER / f"{name}.toml"), *(series(name, key) for key in ("x", "xd", "xdd")))
    wanted = series(name, "force")
    assert np.abs(sign * found.force - wanted).max() <= 1e-11 * np.abs(wanted).max()


def test_fivebar_by_trigonometry():
    """Crank angles by the law of cosines; torques by the power of a point mass and of bars with their inertia."""
    robot = load(FOLDER / "fivebar.toml")
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
    power = inverse_dynamics(robot, x, xd, xdd).power.sum(axis=1)
    assert np.abs(power - rate).max() <= 1e-5 * np.abs(rate).max(), "differences of differences"
