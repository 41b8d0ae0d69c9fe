"""The workspace and the singular surface in the viewer."""

from types import SimpleNamespace

import numpy as np
import pytest

from gough import load
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from gough.view.browser.overlay import Overlay, positions, singular_surface
from gough.workspaces.conditions import conditions_of
from gough.workspaces.region import region_of


class _Server:
    """Takes meshes as the viewer's server does."""

    def __init__(self):
        self.meshes = {}
        self.scene = SimpleNamespace(add_mesh_simple=self._add)

    def _add(self, name, vertices, faces, **style):
        self.meshes[name] = (vertices, faces, style)
        return SimpleNamespace(remove=lambda: self.meshes.pop(name))


def test_the_boundary_is_shown_where_the_platform_can_be_and_hidden_again():
    robot, server = load("delta"), _Server()
    overlay, home = Overlay(server, robot), np.array(robot.platform.home)
    overlay.workspace(True, home)
    assert all(name.startswith("/workspace/") for name in server.meshes)
    region = region_of(robot, conditions_of(robot), home)
    vertices = next(iter(server.meshes.values()))[0].astype(float)
    assert vertices.shape[1] == 3
    used = np.unique(np.concatenate([faces.ravel() for _, faces, _ in server.meshes.values()]))
    near = np.abs(region.margins(vertices[used])).min(axis=1)
    assert np.quantile(near, 0.95) <= 1e-5
    overlay.workspace(False, home)
    assert not server.meshes


def test_no_boundary_is_shown_about_a_pose_outside_the_limits():
    server = _Server()
    with pytest.raises(InputError, match="outside its limits"):
        Overlay(server, load("spatial3")).workspace(True, np.array([5.0, 0.0, 0.0]))
    assert not server.meshes


def test_the_singular_surface_is_where_K_is_singular():
    stewart = load("stewart")
    tilted = np.array([0.0, 0.0, 2.0, 0.0, np.radians(-50.0), 0.0])
    surface = singular_surface(stewart, tilted)
    x = np.tile(tilted, (len(surface.faces), 1))
    x[:, :3] = surface.crossings
    values = np.linalg.svd(inverse_kinematics(stewart, x).K, compute_uv=False)[:, -1]
    assert np.median(values) <= 1e-6
    assert positions(stewart, tilted, np.array([[0.1, 0.2, 2.1]])) == pytest.approx(
        np.array([[0.1, 0.2, 2.1]]), abs=1e-6
    )
