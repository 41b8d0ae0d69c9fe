"""Each formulation fails where its own coordinates do, the angles where theirs do."""

from dataclasses import replace

import numpy as np

import gough
from gough.kinematics import Status, inverse_kinematics
from gough.robot import Coordinate
from tests.simulate.cases import robot


def at(machine, x, formulation):
    x = np.atleast_2d(x)
    still = np.zeros_like(x)
    return gough.forward_dynamics(machine, x, still, still, formulation=formulation)


def type_2_pose():
    """The hexapod turned by a right angle about z has a singular K (Fichter's)."""
    machine = robot("stewart")
    home = np.array(machine.platform.home)

    def smallest(angle):
        x = home.copy()
        x[3] = angle
        return np.linalg.det(inverse_kinematics(machine, x).K)

    low, high = 1.0, 1.6
    while np.sign(smallest(low)) == np.sign(smallest(high)):
        high += 0.05
        assert high < 3.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if np.sign(smallest(middle)) == np.sign(smallest(low)) else (low, middle)
    home[3] = low
    return machine, home


def test_at_a_type_2_singularity_platform_coordinates_are_regular_and_actuator_ones_are_not():
    machine, x = type_2_pose()
    for name in ("newton_euler", "generalized_momentum"):
        found = at(machine, x, name)
        assert found.status[0] == Status.FINE
        assert np.isfinite(found.xdd).all()
    assert at(machine, x, "orthogonal_complement").status[0] == Status.NEAR_SINGULAR


def test_near_a_type_1_singularity_actuator_coordinates_are_regular_and_platform_ones_are_not():
    """A planar 3-RRR leg all but stretched: the platform cannot move on along it."""
    machine = robot("planar3rrr")
    home = np.array(machine.platform.home)
    low, high = home[0], home[0] + 5.0
    for _ in range(200):
        middle = (low + high) / 2
        x = home.copy()
        x[0] = middle
        inside = inverse_kinematics(machine, x[None]).status[0] <= Status.NEAR_SINGULAR
        low, high = (middle, high) if inside else (low, middle)
    x = home.copy()
    x[0] = low
    gain = np.linalg.svd(inverse_kinematics(machine, x[None]).K[0], compute_uv=False)
    assert gain[0] > 1e6
    assert gain[-1] > 1e-3
    assert at(machine, x, "newton_euler").status[0] == Status.NEAR_SINGULAR
    assert at(machine, x, "orthogonal_complement").status[0] == Status.FINE


def test_the_chart_of_the_angles_has_a_status_of_its_own():
    machine = zyz(robot("stewart"))
    found = at(machine, machine.platform.home, "newton_euler")
    assert found.status[0] == Status.FINE
    assert np.isfinite(found.free).all()
    assert not found.chart[0]
    assert np.isnan(found.xdd).all()


def zyz(machine):
    """The same machine described with angles about z, y and z, singular at home."""
    slides = machine.platform.coordinates[:3]
    turns = tuple(Coordinate(f"a{k}", motion) for k, motion in enumerate(("rz", "ry", "rz")))
    platform = replace(machine.platform, coordinates=(*slides, *turns))
    return replace(machine, platform=platform, document=None)
