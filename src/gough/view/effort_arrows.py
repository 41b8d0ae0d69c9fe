"""What actuators give, as arrows: straight ones for forces, arrows that go round the axis for torques."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.view.browser.meshes import SPIN_GAP, quaternion, spin_arrow, turned_to
from gough.view.browser.moving import Snapshot
from gough.view.drawing.scene import Scene
from gough.view.drawing.solids import Array
from gough.view.theme import force_colour

LONGEST = 0.25
"""Of a straight arrow, and `WIDEST` the radius of a round one, as shares of the machine's extent."""
WIDEST = 0.075
_LEAST = 0.02
"""Share of the largest force below which no arrow is shown."""


class EffortArrows:
    """The arrows of a robot's actuators on a viser scene, made when they are first shown."""

    def __init__(self, server: Any, home: Scene, turns: list[bool]) -> None:
        """For actuators of which `turns` says whether they turn."""
        self._server, self._sizes = server, home.sizes
        over = float((home.p_BP - np.mean(list(home.names.values()), axis=0)) @ home.up)
        self._base = -home.up if over > 0.0 else home.up
        self._turns = np.array(turns, dtype=bool)
        self._straight: Any = None
        self._round: dict[int, Any] = {}

    def hide(self) -> None:
        """Show none."""
        for node in [self._straight, *self._round.values()]:
            if node is not None and node.visible:
                node.visible = False

    def show(self, snapshot: Snapshot, forces: Array, most: float) -> None:
        """Those of forces (actuators,) on a scale up to `most`, from where they act."""
        if not np.isfinite(forces).all() or most <= 0.0:
            self.hide()
            return
        slides = np.flatnonzero(~self._turns)
        if len(slides):
            self._show_straight(snapshot, forces, most, slides)
        for k in np.flatnonzero(self._turns).tolist():
            self._show_round(snapshot, k, float(forces[k]), most)

    def _show_straight(self, snapshot: Snapshot, forces: Array, most: float, which: Any) -> None:
        extent = self._sizes.extent
        start = snapshot.anchors[which]
        length = LONGEST * extent * forces[which, None] / most
        points = np.stack([start, start + length * snapshot.axes[which]], 1).astype(np.float32)
        colours = np.array([force_colour(f, most) for f in forces[which]], dtype=np.uint8)
        if self._straight is None:
            self._straight = self._server.scene.add_arrows(
                "/forces", points, colours, shaft_radius=0.006 * extent, head_radius=0.015 * extent,
                head_length=0.04 * extent,
            )  # fmt: skip
        else:
            self._straight.points, self._straight.colors, self._straight.visible = points, colours, True

    def _show_round(self, snapshot: Snapshot, k: int, torque: float, most: float) -> None:
        share = min(abs(torque) / most, 1.0)
        axis = snapshot.axes[k]
        sign = 1.0 if torque >= 0.0 else -1.0
        position = snapshot.anchors[k] + axis * 1.9 * self._sizes.motor
        wxyz = quaternion(open_towards(sign * axis, self._base))
        size = WIDEST * self._sizes.extent * max(share, _LEAST)
        colour = force_colour(torque, most)
        if k not in self._round:
            mesh = spin_arrow()
            self._round[k] = self._server.scene.add_mesh_simple(
                f"/torques/{k}", mesh.corners, mesh.triangles, color=colour, scale=(size, size, size),
                position=position, wxyz=wxyz, side="double", cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
        node = self._round[k]
        node.position, node.wxyz, node.scale, node.color = position, wxyz, (size, size, size), colour
        node.visible = share >= _LEAST


def open_towards(axis: Array, base: Array) -> Array:
    """A rotation that takes z to `axis` and the gap of a round arrow as near to the direction `base` as can be."""
    way = base - axis * float(axis @ base)
    size = float(np.linalg.norm(way))
    if size < 0.1:
        return turned_to(axis)
    way = way / size
    x = way * np.cos(SPIN_GAP) - np.cross(axis, way) * np.sin(SPIN_GAP)
    return np.column_stack([x, np.cross(axis, x), axis])
