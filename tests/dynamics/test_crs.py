"""3-CRS: legs on cylindrical joints whose turn and slide are both driven, a hinge and a ball, joint by joint."""

import numpy as np
import pytest

from gough import State
from gough.dynamics import forward_dynamics
from gough.kinematics import inverse_kinematics
from gough.kinematics.forward import forward_kinematics
from gough.kinematics.kinematic_checks import kinematic_faults
from tests.support.forces import QUICK, forces, states
from tests.support.pinocchio_dynamics import Oracle
from tests.support.robots import build

pytestmark = pytest.mark.oracle
BODY = {"mass": 0.8, "com": [0.12, 0.01, 0.02], "inertia": [2e-3, 4e-3, 5e-3, 1e-4, 0, 0]}


def three_crs():
    """Cylindrical joints along three horizontal lines, cranks of 0.3 m and rods of 0.4 m across them."""
    legs = []
    for k in range(3):
        angle = 2 * np.pi * k / 3
        c, s = np.cos(angle), np.sin(angle)
        joints = [
            {"name": "slide", "type": "P", "axis": [0, 1, 0], "actuated": True, "start": 0.0, "viscous": 2.0},
            {"name": "turn", "type": "R", "axis": [0, -1, 0], "actuated": True, "body": BODY, "start": 0.9},
            {"name": "hinge", "type": "R", "axis": [0, -1, 0], "offset": [0.3, 0, 0], "body": BODY, "start": 1.3},
        ]
        legs.append({
            "name": "ABC"[k],
            "position": [0.35 * c, 0.35 * s, 0],
            "rotation": {"axis": [0, 0, 1], "angle": float(angle)},
            "branch": 1,
            "joint": [{key: v for key, v in joint.items() if key != "start"} for joint in joints],
            "end": {"type": "spherical", "point": [0.4, 0, 0], "platform_point": [0.2 * c, 0.2 * s, 0]},
        })  # fmt: skip
    six = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
    platform = {"coordinates": six, "home": [0, 0, 0.5, 0, 0, 0], "mass": 4.0, "com": [0, 0.01, 0.02]}
    platform |= {"inertia": [0.03, 0.03, 0.05]}
    return build({"name": "crs", "gravity": [0, 0, -9.81], "platform": platform, "leg": legs})


def test_forces_are_pinocchios_and_lead_back():
    robot = three_crs()
    assert kinematic_faults(robot) == []
    assert len(robot.actuators) == 6
    given = states(robot, 3, 5, size=0.1)
    oracle = Oracle(robot)
    wanted = oracle.forces(*given)
    assert oracle.misfit < 1e-12
    for formulation in QUICK:
        found = forces(robot, formulation, *given)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max(), err_msg=formulation.name)
    x, xd, xdd, wrench = given
    back = forward_dynamics(robot, State(x, xd, wrench=wrench), wanted)
    np.testing.assert_allclose(back.xdd, xdd, rtol=0, atol=1e-10 * np.abs(xdd).max())
    np.testing.assert_allclose(forward_kinematics(robot, inverse_kinematics(robot, x).q).x, x, rtol=0, atol=1e-12)
