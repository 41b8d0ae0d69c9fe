"""A robot on a viser server's scene: nodes made once, then moved, coloured and labelled; forces as arrows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.graph import Array
from gough.view import theme
from gough.view.browser.framing import keep_in_view, step_back
from gough.view.browser.meshes import SPIN_GAP, mesh_of, place_of, quaternion, spin_arrow, turned_to
from gough.view.browser.moving import MovingRobot, Snapshot
from gough.view.drawing.scene import Scene, best_view
from gough.view.drawing.solids import Rod, Solid
from gough.view.drawing.tensions import tension_colours
from gough.view.theme import force_colour, lighter, whole

LONGEST = 0.25
"""Of a straight arrow, and `WIDEST` the radius of a round one, as shares of the machine's extent."""
WIDEST = 0.075
_LEAST = 0.02
"""Share of the largest force below which no arrow is shown."""


class EffortArrows:
    """The arrows of a robot's actuators on a viser scene, made when they are first shown."""

    def __init__(self, server: Any, home: Scene, turns: list[bool], under: str = "") -> None:
        """For actuators of which `turns` says whether they turn; nodes are named under a node."""
        self._server, self._sizes, self._under = server, home.sizes, under
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

    def _show_straight(self, snapshot: Snapshot, forces: Array, most: float, which: NDArray[np.intp]) -> None:
        extent = self._sizes.extent
        start = snapshot.anchors[which]
        length = LONGEST * extent * forces[which, None] / most
        points = np.stack([start, start + length * snapshot.axes[which]], 1).astype(np.float32)
        colours = np.array([force_colour(f, most) for f in forces[which]], dtype=np.uint8)
        if self._straight is None:
            self._straight = self._server.scene.add_arrows(
                f"{self._under}/forces", points, colours, shaft_radius=0.006 * extent, head_radius=0.015 * extent,
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
                f"{self._under}/torques/{k}", mesh.corners, mesh.triangles, color=colour, scale=(size, size, size),
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


_NARROW = 1.2
"""Width over height of the frame for which the first camera is placed."""
_LEG = (theme.DRIVEN, theme.CABLE, theme.ROD, theme.PISTON)
"""Colours of the parts that show a leg's force."""


class Stage:
    """The robot's nodes on a scene."""

    def __init__(self, server: Any, moving: MovingRobot, under: str = "") -> None:
        """Base, platform, legs and frames of the robot at home, and gravity and floor; these not under another node."""
        self.server, self.moving, self._under = server, moving, under
        self.extent = moving.home.sizes.extent
        self.middle = moving.home.reach(np.eye(3)).mean(0)
        self.size = float(np.linalg.norm(np.ptp(moving.home.reach(np.eye(3)), axis=0)))
        turns = [joint.turns for joint in moving.robot.actuators]
        self._efforts = EffortArrows(server, moving.home, turns, under)
        self._frames: list[Any] = []
        sizes = moving.home.sizes
        self._lift = moving.home.up * (sizes.ball + 1.4 * sizes.plate if moving.home.flat else 0.0)
        self._add_frames()
        if not under:
            self._furnish()
        self._platform = server.scene.add_frame(f"{under}/platform", show_axes=False)
        for k, solid in enumerate(moving.still):
            self._add(f"/base/{k}", solid)
        home = moving.at(moving.home.x)
        self._p0, self._R0 = home.p_BP, home.R_BP
        for k, solid in enumerate(moving.carried):
            self._add(f"/platform/{k}", solid)
        self._legs = [self._add(f"/legs/{s.owner}/{k}", s) for k, s in enumerate(moving.parts)]
        self.names = {
            name: self._label(f"/names/{name}", name, p) for name, p in self._places(moving.home.names).items()
        }
        self.readout = self._label("/readout", "", self._above(1.28))
        self.warning = self._label("/warning", "", self._above(1.14))
        self.show(home)

    def show(self, snapshot: Snapshot) -> None:
        """Move everything to a pose."""
        R = snapshot.R_BP @ self._R0.T
        with self.server.atomic():
            self._platform.position = snapshot.p_BP - R @ self._p0
            self._platform.wxyz = quaternion(R)
            self._frames[-1].position = snapshot.p_BP + self._lift
            self._frames[-1].wxyz = quaternion(snapshot.R_BP)
            for node, place in zip(self._legs, snapshot.places, strict=True):
                _set(node, "visible", place is not None)
                if place is not None:
                    node.position, node.wxyz = place.position, place.wxyz
                    _set(node, "scale", place.scale)
        if not self._under:
            keep_in_view(self.server, self._platform_corners(snapshot.p_BP, snapshot.R_BP))

    def colour(
        self, forces: Array | None, most: float, lost: Collection[str] = (), cables: Mapping[str, float] | None = None
    ) -> None:
        """Legs in the colours of their forces (actuators,), or in their own.

        Args:
            forces: None for legs in their own colours.
            most: The force of the fullest colour.
            lost: Names of the legs at fault: these are marked, and no others coloured.
            cables: Tensions by leg, in the colours of their own scale.
        """
        colours: dict[str, tuple[int, int, int]] = dict.fromkeys(lost, whole(theme.LOST))
        if forces is not None and not colours:
            colours = self._by_leg(forces, most) | tension_colours(self.moving.robot, cables or {})
        for node, solid in zip(self._legs, self.moving.parts, strict=True):
            own = whole(solid.colour)
            shown = colours.get(solid.owner, own) if solid.colour in _LEG else own
            _set(node, "color", lighter(shown) if shown is not own and solid.colour == theme.PISTON else shown)

    def arrows(self, snapshot: Snapshot, forces: Array | None, most: float) -> None:
        """An arrow for what each actuator gives, where it acts; none without forces."""
        if forces is None:
            self._efforts.hide()
        else:
            self._efforts.show(snapshot, forces, most)

    def label_legs(self, texts: Mapping[str, str]) -> None:
        """Say something after the names of the legs in `texts`; all others have their names alone."""
        for name, label in self.names.items():
            text = f"{name}: {texts[name]}" if texts.get(name) else name
            if label.text != text:
                label.text = text

    def frames_visible(self, shown: bool) -> None:
        """Show or hide the frames of base and platform."""
        for frame in self._frames:
            frame.visible = shown

    def names_visible(self, shown: bool) -> None:
        """Show or hide the names of the legs."""
        for label in self.names.values():
            label.visible = shown

    def _by_leg(self, forces: Array, most: float) -> dict[str, tuple[int, int, int]]:
        """The colour of each leg's largest force."""
        largest: dict[str, float] = {}
        robot = self.moving.robot
        owners = [robot.legs[k].name for k in robot.actuator_legs]
        for owner, force in zip(owners, forces, strict=True):
            if abs(force) >= abs(largest.get(owner, 0.0)):
                largest[owner] = float(force)
        return {owner: force_colour(force, most) for owner, force in largest.items()}

    def _add(self, name: str, solid: Solid) -> Any:
        mesh, place = mesh_of(solid.shape), place_of(solid.shape, solid.shape)
        return self.server.scene.add_mesh_simple(
            f"{self._under}{name}", mesh.corners, mesh.triangles, color=whole(solid.colour), scale=place.scale,
            position=place.position, wxyz=place.wxyz, side="double", cast_shadow=False, receive_shadow=False,
        )  # fmt: skip

    def _label(self, name: str, text: str, position: Array) -> Any:
        name = f"{self._under}{name}"
        return self.server.scene.add_label(name, text, position=position, visible=bool(text), anchor="center-center")

    def _aside(self, p: Array) -> Array:
        """A point outside of p, so that a label does not cover the machine."""
        out = p - self.middle
        level = out - self.moving.home.up * (out @ self.moving.home.up)
        far = float(np.linalg.norm(level))
        return p + level / far * 0.07 * self.size if far > 1e-6 * self.size else p

    def _places(self, names: dict[str, Array]) -> dict[str, Array]:
        """Points beside the feet of the legs for their names; at their bars where feet are close to one another."""
        near = set()
        for one, other in combinations(names, 2):
            if float(np.linalg.norm(names[one] - names[other])) < 0.09 * self.size:
                near |= {one, other}
        return {name: self._aside(self._bar(name, p) if name in near else p) for name, p in names.items()}

    def _bar(self, name: str, otherwise: Array) -> Array:
        """The middle of a leg's longest bar."""
        bars = [s.shape for s in self.moving.parts if s.owner == name and isinstance(s.shape, Rod)]
        longest = max(bars, key=lambda bar: float(np.linalg.norm(bar.end - bar.start)), default=None)
        return otherwise if longest is None else (longest.start + longest.end) / 2

    def _above(self, share: float) -> Array:
        """A point above the machine, `share` of its height from its foot."""
        up = self.moving.home.up
        low, high = self.moving.home.reach(np.eye(3)) @ up
        return self.middle + up * (min(low, high) + share * abs(high - low) - self.middle @ up)

    def _add_frames(self) -> None:
        for name in "BP":
            frame = self.server.scene.add_frame(
                f"{self._under}/frames/{name}", axes_length=0.14 * self.extent, axes_radius=0.004 * self.extent,
                position=self._lift, wxyz=quaternion(np.eye(3)),
            )  # fmt: skip
            self._frames.append(frame)

    def _furnish(self) -> None:
        """Gravity, floor, camera and background."""
        scene, up, extent = self.server.scene, self.moving.home.up, self.extent
        scene.set_up_direction(tuple(up))
        scene.configure_default_lights(cast_shadow=False)
        low = float((self.moving.home.reach(np.eye(3)) @ up).min())
        plane = {0: "yz", 1: "xz", 2: "xy"}[int(np.argmax(np.abs(up)))]
        cell = 10.0 ** np.floor(np.log10(extent / 2))
        scene.add_grid(
            "/floor", 4 * extent, 4 * extent, plane=plane, cell_size=cell, section_size=5 * cell,
            position=self.middle + up * (low - 0.01 * extent - self.middle @ up), cell_color=(222, 226, 230),
            section_color=(195, 201, 208), cell_thickness=0.8,
        )  # fmt: skip
        g = np.asarray(self.moving.robot.gravity, dtype=float)
        if np.linalg.norm(g) > 0:
            step = g / np.linalg.norm(g) * 0.16 * extent
            start = self._corner() - step
            scene.add_arrows(
                "/gravity", np.array([[start, start + step]], dtype=np.float32), whole(theme.INK),
                shaft_radius=0.005 * extent, head_radius=0.014 * extent, head_length=0.04 * extent,
            )  # fmt: skip
            scene.add_label("/gravity-name", "g", position=start - 0.25 * step, anchor="center-center")
        camera = best_view(self.moving.home)
        eye = self.server.initial_camera
        place, look_at = self.middle + 0.85 * self.size * camera.view[2], self.middle + 0.05 * extent * up
        seen = np.vstack([self._platform_corners(*pose) for pose in self.moving.poses_on_the_way()])
        back = step_back(seen, place, look_at, up, eye.fov, _NARROW)
        eye.position = tuple(place + back * camera.view[2])
        eye.look_at = tuple(look_at)
        eye.up = tuple(up)

    def _platform_corners(self, p_BP: Array, R_BP: Array) -> Array:
        """(8, 3) of a box around the platform at a pose."""
        home = self.moving.home
        low, high = np.array([s.shape.reach(np.eye(3)) for s in self.moving.carried]).swapaxes(0, 1)
        box = np.array(list(product(*zip(low.min(0), high.max(0), strict=True))))
        return np.asarray((box - home.p_BP) @ (R_BP @ home.R_BP.T).T + p_BP)

    def _corner(self) -> Array:
        """A point beside the machine, to the left of someone who looks at it."""
        right = best_view(self.moving.home).view[0]
        return self.middle - 0.42 * self.size * right + 0.25 * self.size * self.moving.home.up


def _set(node: Any, name: str, value: ArrayLike) -> None:
    """Set a property where it changes: every change is a message."""
    old = getattr(node, name)
    if not np.array_equal(np.asarray(old, dtype=float), np.asarray(value, dtype=float)):
        setattr(node, name, value)
