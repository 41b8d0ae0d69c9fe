"""Oracle lane: forces by Pinocchio on the cut tree, projected on the motions the loops allow."""

from functools import cache

import numpy as np
import pytest

from gough.dynamics import FORMULATIONS
from tests.support.dynamic_cases import case, drawn_cases
from tests.support.forces import QUICK, forces, scale, states
from tests.support.pinocchio_dependent import oracle_of
from tests.support.pinocchio_dynamics import Oracle

pytestmark = pytest.mark.oracle

AGREE = 1e-13  # of cond(K) max |tau|: the worst that was seen is 1e-14
SMALL = ("planar3rrr loaded", "spatial3 loaded", "delta loaded", "two_and_one")


@cache
def expected(name):
    """States of a robot and its forces by Pinocchio."""
    given = states(case(name), 4, 31, size=0.05)
    oracle = oracle_of(case(name))
    found = oracle.forces(*given)
    assert np.isfinite(found).all()
    assert oracle.misfit < 1e-12
    assert oracle.spin < 1e-14
    return given, found


def assert_agrees(name, formulation):
    given, found = expected(name)
    error = np.abs(forces(case(name), formulation, *given) - found).max(axis=1)
    assert (error <= AGREE * scale(case(name), given[0], found)).all()


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("name", drawn_cases(12, "oracle"))
def test_forces(name, formulation):
    assert_agrees(name, formulation)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f not in QUICK], ids=lambda f: f.name)
@pytest.mark.parametrize("name", SMALL)
def test_forces_of_large_formulations(name, formulation):
    assert_agrees(name, formulation)


def test_the_oracle_sees_what_is_left_out():
    """Its forces change by much more than the tolerance when one of the causes is taken away."""
    robot, given = case("stewart loaded"), expected("stewart loaded")[0]
    x, xd, xdd, _ = given
    full = expected("stewart loaded")[1]
    joint = "leg.1.joint"
    changes = [{f"{joint}.{k}.viscous": 0.0} for k in (1, 2, 3)] + [{f"{joint}.3.{key}": 0.0} for key in MOTOR]
    changes += [{f"{joint}.{k}.body.inertia": [0.0] * 6} for k in (1, 2, 3)] + [{"platform.com": [0.0, 0.0, 0.0]}]
    for change in changes:
        less = Oracle(robot.replace(change)).forces(*given)
        assert np.abs(less - full).max() > 1e-6 * np.abs(full).max(), change
    assert np.abs(Oracle(robot).forces(x, xd, xdd) - full).max() > 0.1


MOTOR = ("coulomb", "rotor_inertia", "viscous")
