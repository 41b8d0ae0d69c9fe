"""Hexapod: the readings that the companion chose (section 3), and what the others would do."""

from dataclasses import replace

import numpy as np
import pytest

from gough import load
from tests.support.papers import assert_printed
from tests.support.readings import forces, power_failure, with_bodies

MOTIONS = ("vertical", "horizontal", "rotation")
MASS, LENGTH = 0.398, 0.5
BALANCED = 1e-13


def leg(about_joint, com=LENGTH / 2):
    """A leg body of this transverse moment about A3 [kg m^2] and centre of mass [m]."""
    central = about_joint - MASS * com**2
    return lambda body: replace(body, com=(com, 0.0, 0.0), inertia=(0.0, central, central, 0.0, 0.0, 0.0))


def literal_20():
    """(20) as printed: the mass multiplies the tensors too, of the leg about A3 and of the platform about G."""
    heavy = {"platform": lambda b: replace(b, inertia=tuple(b.mass * v for v in b.inertia))}
    return with_bodies(load("hexapod"), leg=leg(MASS * 0.0722), **heavy)


def effect(other):
    """Largest change of a force of each motion."""
    own = load("hexapod")
    return [np.abs(forces(other, m, "virtual_work") - forces(own, m, "virtual_work")).max() for m in MOTIONS]


def test_own_method_balances_power():
    for motion in MOTIONS:
        assert power_failure(load("hexapod"), motion, forces(load("hexapod"), motion, "virtual_work")) < BALANCED


def test_equation_20_mass_outside_the_brace():
    """Item 3: the tensors are in kg m^2; the literal reading is off by up to 0.12 N and loses power."""
    other = literal_20()
    assert_printed(max(effect(other)), 0.12, digits=2)
    assert max(power_failure(load("hexapod"), m, forces(other, m)) for m in MOTIONS) > 1e-3


@pytest.mark.parametrize(
    ("item", "about_joint", "most"),
    [
        ("4, J3 about the mass centre", 0.0722 + MASS * 0.25**2, 0.051),
        ("5, a slender rod", MASS * LENGTH**2 / 3, 0.081),
        ("5, a tenth of J3", 0.00722, 0.134),
    ],
)
def test_moment_of_inertia_of_the_leg(item, about_joint, most):
    """Read otherwise, the paper's J3 would change the forces by so much."""
    digits = 3 if item.startswith("5, a tenth") else 2
    assert_printed(max(effect(with_bodies(load("hexapod"), leg=leg(about_joint)))), most, digits=digits)


@pytest.mark.parametrize("com", [0.0, LENGTH])
def test_place_of_the_mass_centre(com):
    """Item 6: r3C is never given; at either end of the leg the forces would be off by up to 2.17 N."""
    found = effect(with_bodies(load("hexapod"), leg=leg(0.0722, com)))
    for value, most in zip(found, (2.17, 1.35, 0.79), strict=True):
        assert 0.1 < value < most + 0.005


def test_place_of_the_mass_centre_at_worst():
    found = [effect(with_bodies(load("hexapod"), leg=leg(0.0722, com))) for com in (0.0, LENGTH)]
    assert np.max(found, axis=0) == pytest.approx([2.17, 1.35, 0.79], abs=0.005)


@pytest.mark.parametrize("about_joint", [0.0722, 0.0722 + MASS * 0.25**2, MASS * LENGTH**2 / 3, 0.00722])
def test_claims_hold_for_every_reading(about_joint):
    """Section 5: rotation is driven by B, D, F alone, vertical forces grow, whatever J3 is."""
    robot = with_bodies(load("hexapod"), leg=leg(about_joint))
    assert (np.diff(np.abs(forces(robot, "vertical")), axis=0) > 0).all()
    size = np.abs(forces(robot, "rotation"))
    assert (np.diff(size[:, [1, 3, 5]], axis=0) > 0).all()
    assert (np.diff(size[:, [0, 2, 4]], axis=0) < 0).all()
