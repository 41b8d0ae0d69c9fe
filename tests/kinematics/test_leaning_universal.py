"""Universal joints with their first axis not across the leg at home have a closed form; spherical ones have no axes."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.programs import kinematics_graph
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.robots import build

COORDINATES = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
PLATFORM = {"coordinates": COORDINATES, "home": [0.02, -0.01, 0.5, 0.1, -0.05, 0.07], "mass": 2.0}
RINGS = {"base": {"radius": 0.4, "half_angle": 0.2}, "platform": {"radius": 0.25, "half_angle": 0.15}}
ROD = {"length": 0.5, "mass": 0.2, "com": [0.25, 0, 0], "inertia": [2e-3, 4e-3, 4e-3]}
CRANK = {"motor": {"yaw": 0.9}, "crank": {"length": 0.2, "mass": 0.05}, "rod": ROD}
LEGS = {
    "UPS": {"cylinder": {"mass": 0.3, "com": [0.1, 0, 0], "inertia": [1e-3, 2e-3, 3e-3]}, "piston": {"mass": 0.2}},
    "PUS": {"guide": {"tilt": 0.3, "offset": 0.1}, "rod": ROD, "slider": {"mass": 0.1}},
    "RUS": CRANK,
}
LEANING = [[0.6, -0.3, 0.5]]


def machine(kind, more, **keys):
    return build({"name": "m", "platform": PLATFORM, "legs": {"type": kind, **RINGS, **more, **keys}})


@pytest.mark.parametrize(("kind", "name"), [("UPS", "ups"), ("PUS", "rod"), ("RUS", "rod")])
def test_closed_form_of_leaning_axes_is_newtons(kind, name):
    robot = machine(kind, LEGS[kind], axes=LEANING)
    assert {closure_name(leg) for leg in robot.legs} == {name}
    leaning = [abs(np.dot(leg.joints[-2 if kind != "UPS" else 0].axis, (1, 0, 0))) for leg in robot.legs]
    assert max(leaning) > 0.5
    x, xd, xdd = motion_near_home(robot, 5, 1, 0.03)
    closed, newton = (
        Program(kinematics_graph(robot, 2, by_newton), executor="blocks")(x=x, xd=xd, xdd=xdd)
        for by_newton in (False, True)
    )
    assert closed["residual"].max() < 2e-14
    for key in ("joint_q", "joint_qd", "joint_qdd", "K"):
        np.testing.assert_allclose(closed[key], newton[key], rtol=0, atol=1e-12 * max(1.0, np.abs(newton[key]).max()))


@pytest.mark.parametrize("axes", [LEANING, [[0.6, -0.3, 0.5], [0.3, 0.6, 0.0]]])
def test_a_spherical_joint_has_no_axes(axes):
    """However they are stated, the rod spins freely and its moment about itself is no load."""
    bare, stated = machine("RSS", CRANK), machine("RSS", CRANK, axes=axes)
    motion = motion_near_home(bare, 5, 1, 0.03)
    expected, force = (gough.inverse_dynamics(robot, gough.State(*motion)).force for robot in (bare, stated))
    np.testing.assert_allclose(force, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
