"""Par4 and the Agile Eye of the examples: forces by Pinocchio and by every formulation, geometry, and a drawing."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gough import FORMULATIONS, inverse_kinematics, load
from gough.kinematics.closure.closed_forms import closure_name
from gough.view.drawing.draw import png
from tests.support.forces import QUICK, forces, states
from tests.support.pinocchio_dynamics import Oracle

FOLDER = Path(__file__).parents[2] / "examples"
NAMES = ("par4", "agile_eye")
YARDSTICKS = [f for f in FORMULATIONS if f.yardstick]


@cache
def robot_of(name):
    return load(FOLDER / f"{name}.toml")


@pytest.mark.oracle
@pytest.mark.parametrize(
    "formulations", [QUICK, pytest.param(YARDSTICKS, marks=pytest.mark.slow)], ids=["quick", "all"]
)
@pytest.mark.parametrize("name", NAMES)
def test_every_formulation_has_pinocchios_forces(name, formulations):
    robot = robot_of(name)
    given = states(robot, 3, 13, size=0.3)
    oracle = Oracle(robot)
    wanted = oracle.forces(*given)
    assert oracle.misfit < 1e-12
    for formulation in formulations:
        found = forces(robot, formulation, *given)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max(), err_msg=formulation.name)


def test_par4_by_geometry():
    """Middles of the forearms are a forearm from the elbows, wherever the bar is and however it is turned."""
    robot = robot_of("par4")
    assert {closure_name(leg) for leg in robot.legs} == {"hinged"}
    rng = np.random.default_rng(2)
    x = np.array([0, 0, -0.65, 0]) + rng.uniform(-1, 1, (30, 4)) * [0.15, 0.15, 0.1, 0.8]
    found = inverse_kinematics(robot, x)
    assert found.residual.max() < 2e-15
    for k, angle in enumerate(np.deg2rad([45, 135, 225, 315])):
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        side = 1.0 if k < 2 else -1.0
        q = found.q[:, k, None]
        elbow = (0.275 + 0.375 * np.cos(q)) * out + 0.375 * np.sin(q) * [0, 0, 1]
        hinge = x[:, :3] + 0.05 * side * np.stack([-np.sin(x[:, 3]), np.cos(x[:, 3]), 0 * x[:, 3]], axis=1)
        joint = hinge + 0.1 * out - [0, 0.05 * side, 0]
        np.testing.assert_allclose(np.linalg.norm(joint - elbow, axis=1), 0.825, rtol=0, atol=2e-15)


def test_the_eye_by_geometry():
    """The axes of a leg stay square: the camera's axis v_k to w_k, which motor k carries about u_k."""
    robot = robot_of("agile_eye")
    x = np.random.default_rng(4).uniform(-0.5, 0.5, (30, 3))
    q = inverse_kinematics(robot, x).q
    cz, sz, cy, sy, cx, sx = (f(x[:, k]) for k in range(3) for f in (np.cos, np.sin))
    R = np.array([
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ])  # fmt: skip
    unit = np.eye(3)
    for k in range(3):
        w = np.outer(np.cos(q[:, k]), unit[(k + 1) % 3]) + np.outer(np.sin(q[:, k]), unit[(k + 2) % 3])
        assert np.abs(np.einsum("ni,in->n", w, R[:, (k + 2) % 3])).max() < 1e-15


@pytest.mark.parametrize("name", NAMES)
def test_they_are_drawn(name):
    assert png(robot_of(name)).startswith(b"\x89PNG")
