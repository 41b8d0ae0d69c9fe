"""Lopes' Jacobians and inertias body by body, against the motion of the same machine's bodies."""

from dataclasses import replace

import numpy as np
import pytest

from gough import State
from gough.dynamics.lopes import J_B, J_D, J_G, leg_bodies, lopes_parameters
from gough.kinematics import body_motion
from tests.papers.test_misprints_stewart import general
from tests.support.motions import motion_near_home
from tests.support.readings import with_bodies

MOMENTS = {"cylinder": (0.02, 0.11, 0.13), "piston": (0.01, 0.07, 0.08)}
"""No two alike: the axes of a leg's frame and its bodies can be told apart."""


@pytest.fixture(scope="module")
def states():
    """The machine, and at some states x, the platform's [v; w], and of each leg its moving bodies."""
    own = {
        name: lambda body, moments=moments: replace(body, inertia=(*moments, 0.0, 0.0, 0.0))
        for name, moments in MOMENTS.items()
    }
    robot = with_bodies(general(), **own)
    x, xd, xdd = motion_near_home(robot, 4, 41, 0.2)
    moves = body_motion(robot, State(x, xd, xdd))
    found = []
    for k, row in enumerate(x):
        legs = []
        for i, leg in enumerate(robot.legs):
            cylinder, piston = (moves.names.index(f"{leg.name}.{joint}") for joint in ("U2", "P"))
            n = moves.p[k, piston] - np.array(leg.position)
            n = n / np.linalg.norm(n)
            w = moves.w[k, cylinder]
            legs.append((i, n, w - n * (n @ w), moves.v_c[k, cylinder], moves.v_c[k, piston]))
        found.append((row, np.concatenate([moves.v[k, 0], moves.w[k, 0]]), legs))
    return lopes_parameters(robot), found


def near(found, expected):
    assert np.array(found, float) == pytest.approx(expected, abs=1e-14)


def test_jacobians(states):
    """J_D gives the leg's angular velocity across itself, J_B and J_G the velocities of the centres of mass."""
    machine, found = states
    for x, twist, legs in found:
        for i, _, w, cylinder, piston in legs:
            for jacobian, expected in ((J_D, w), (J_B, cylinder), (J_G, piston)):
                near(jacobian(machine, x, i) @ twist, expected)


def test_momenta_of_the_leg_bodies(states):
    """Velocity and momentum of each body: m v, and R I R^T w in the frame {C_i} whose y axis is level."""
    machine, found = states
    for x, twist, legs in found:
        for i, n, w, cylinder, piston in legs:
            level = np.cross([0.0, 0.0, 1.0], n)
            level = level / np.linalg.norm(level)
            R = np.stack([n, level, np.cross(n, level)], axis=1)
            expected = {
                "C_tra": (cylinder, 0.5 * cylinder),
                "C_rot": (w, R @ np.diag(MOMENTS["cylinder"]) @ R.T @ w),
                "S_tra": (piston, 0.3 * piston),
                "S_rot": (w, R @ np.diag(MOMENTS["piston"]) @ R.T @ w),
            }
            bodies = leg_bodies(machine, x, i)
            assert [name for name, _, _ in bodies] == list(expected)
            for name, jacobian, inertia in bodies:
                velocity, momentum = expected[name]
                near(jacobian @ twist, velocity)
                near(inertia @ (jacobian @ twist), momentum)
