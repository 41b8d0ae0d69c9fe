"""The boundary of a robot's workspace in the viewer, coloured by what limits it, and its singular surface."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.graph import Array
from gough.kinematics.pose import platform_pose
from gough.robot import Mechanism
from gough.workspaces.conditions import Conditions, conditions_of
from gough.workspaces.margins import Limit
from gough.workspaces.pictures import shade_of
from gough.workspaces.region import Grid, region_of
from gough.workspaces.surface import Surface, surface_of
from gough.workspaces.volume import volume_of

CELLS = 80
LOOSE = (213, 0, 28)


class Overlay:
    """Meshes of the viewer, made when they are first shown, at one orientation."""

    def __init__(self, server: Any, robot: Mechanism) -> None:
        """Nothing is shown yet."""
        self._server, self._robot = server, robot
        self._shown: dict[str, list[Any]] = {"workspace": [], "singular": []}

    def workspace(self, shown: bool, x: Array) -> None:
        """Show or hide the boundary of positions at the orientation of x (n,).

        Raises:
            InputError: A pose outside the limits, or a robot none of whose coordinates slides.
        """
        self._clear("workspace")
        if shown:
            surface = volume_of(region_of(self._robot, conditions_of(self._robot), x), CELLS).surface
            self._add("workspace", surface, x, None)

    def singular(self, shown: bool, x: Array) -> None:
        """Show or hide det K = 0 among the positions at the orientation of x (n,) that the legs reach.

        Raises:
            InputError: As in `workspace`.
        """
        self._clear("singular")
        if shown:
            self._add("singular", singular_surface(self._robot, x), x, LOOSE)

    def _clear(self, name: str) -> None:
        for mesh in self._shown[name]:
            mesh.remove()
        self._shown[name] = []

    def _add(self, name: str, surface: Surface | None, x: Array, color: tuple[int, int, int] | None) -> None:
        if surface is None or not len(surface.faces) or surface.vertices.shape[1] != 3:
            return
        places = positions(self._robot, x, surface.vertices)
        limits = np.tile(surface.face_limits, 2)
        for k in np.unique(limits):
            own = surface.limits[int(k)]
            paint = color or _colour(own, self._robot)
            mesh = self._server.scene.add_mesh_simple(
                f"/{name}/{int(k)}", places, surface.triangles[limits == k], color=paint, opacity=0.35, side="double",
                cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
            self._shown[name].append(mesh)


def positions(robot: Mechanism, x: Array, vertices: Array) -> Array:
    """(V, 3) of the platform's origin in B at sliding coordinates (V, 3), turning ones as in x (n,)."""
    at = platform_pose(robot.platform, x)
    slides = [k for k, c in enumerate(robot.platform.coordinates) if not c.turns]
    axes = np.array([at.columns[k][0] for k in slides], dtype=float)
    return np.asarray(np.array(at.p_BP, dtype=float) + (vertices - np.asarray(x)[slides]) @ axes, dtype=np.float32)


def singular_surface(robot: Mechanism, x: Array) -> Surface | None:
    """Where det K = 0 bounds the positions of home's side, at the orientation of x (n,); None where it nowhere does."""
    own = conditions_of(robot)
    kinds = tuple(kind for kind in own.kinds if kind in ("reach", "stroke", "joint", "side"))
    region = region_of(robot, Conditions(kinds, own.stated), x)
    grid: Grid = volume_of(region, CELLS).grid
    surface = surface_of(region, grid)
    sides = np.array([limit.kind == "side" for limit in surface.limits])[surface.face_limits]
    if not sides.any():
        return None
    kept = {name: getattr(surface, name)[sides] for name in ("faces", "face_limits", "crossings")}
    return replace(surface, **kept)


def _colour(limit: Limit, robot: Mechanism) -> tuple[int, int, int]:
    r, g, b = (255.0 * shade_of(limit, robot)).astype(int).tolist()
    return r, g, b
