"""SDFormat as a linkage: links where the file has them, joints between them, loops included.

Poses are resolved through `relative_to` and `attached_to`. Coordinates are zero where the file has the links.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.inertia_floor import lowered
from gough.formats.linkage import WORLD, Connection, Follow, Link, Linkage, Spring
from gough.formats.placement import Floats, Placement, from_rpy
from gough.formats.reading.loops_file import Loops, closings, read_loops, with_home
from gough.formats.reading.span import spanned
from gough.formats.xml_text import FormatError, Place, parse_xml, read_text

_GRAVITY = (0.0, 0.0, -9.8)
"""SDFormat's own, of a file without a world."""
_MODEL = "__model__"
_UNLIMITED = 1e12
_DRAKE = "{http://drake.mit.edu}"


def read_sdf(path: str | Path, loops: str | Path | None = None) -> Linkage:
    """The linkage of the one model of an SDF file; `loops` is a YAML file with further pairs of frames that meet.

    Raises:
        FormatError: It cannot be read, or has what a linkage has no place for.
    """
    root = parse_xml(read_text(path), str(path))
    place = Place(str(path))
    if root.tag != "sdf":
        raise FormatError(f"{path}: is not SDF: its first element is <{root.tag}>, not <sdf>")
    models = [*root.findall("model"), *root.findall("world/model")]
    models = [model for model in models if model.find("joint") is not None] or models
    if len(models) != 1:
        raise place.error(f"{len(models)} models with joints; a robot is one: leave one in the file")
    if root.find(".//include") is not None:
        raise place.error("<include> is not followed; put the model into one file")
    if (models[0].findtext("static") or "").strip() in ("true", "1"):
        raise place.error("the model is static, so nothing of it moves")
    return _Reader(root, models[0], place).linkage(Loops() if loops is None else read_loops(loops))


class _Reader:
    def __init__(self, root: Element, model: Element, place: Place) -> None:
        self.root, self.model, self.place = root, model, place
        self.poses: dict[str, tuple[str, Placement]] = {}
        self.attached: dict[str, str] = {}
        if model.find("model") is not None:
            raise place.error("models in the model are not read; put its links into one model")
        for tag in ("link", "joint", "frame"):
            for node in model.findall(tag):
                name = node.get("name") or ""
                if not name or name in self.poses:
                    raise place.error(f"<{tag}> {name!r}: names must be given and unique")
                otherwise = _MODEL if tag == "link" else (node.findtext("child") or "").strip()
                if tag == "frame":
                    otherwise = node.get("attached_to") or _MODEL
                    self.attached[name] = otherwise
                if tag == "joint":
                    self.attached[name] = otherwise
                self.poses[name] = self._pose(node, otherwise, place.inside(f"{tag} {name}"))

    def linkage(self, loops: Loops) -> Linkage:
        """The whole model."""
        base = self.model.find("pose")
        self.in_world = Placement() if base is None else self._pose(self.model, "", self.place)[1]
        links = [self.link(node) for node in self.model.findall("link")]
        places = {link.name: self.in_world @ self.resolved(link.name) for link in links}
        places[WORLD] = Placement()
        connections: list[Connection] = []
        for node in self.model.findall("joint"):
            connections += self.joint(node, places)
        gravity = self.place.numbers(self.root.findtext("world/gravity"), 3, "gravity", _GRAVITY)
        frames = {name: self.frame(name, places) for name in (*places, *self.poses)}
        connections += closings(loops, frames, [c.name for c in connections], self.place)
        connections = with_home(connections, loops, self.place)
        extra = {name for c in connections for name in (c.parent, c.child)} - set(places)
        links += [Link(name) for name in sorted(extra)]
        made = spanned(connections)
        reached = {WORLD} | {c.child for c in made if not c.closes}
        free = {link.name: places[link.name] for link in links if link.name not in reached}
        if free:  # what nothing reaches from the world hangs on its first link
            first = next(iter(free))
            made = spanned(made, [first])
            free = {first: places[first]}
        return Linkage(
            self.model.get("name") or "robot",
            gravity,
            tuple(links),
            tuple(made),
            free=free,
            remarks=(*self.left_out(), *loops.remarks),
        )

    def resolved(self, name: str, seen: tuple[str, ...] = ()) -> Placement:
        """Placement of a link, joint or frame in the model."""
        if name in ("", _MODEL):
            return Placement()
        if name == WORLD:
            return self.in_world.inverse()
        if name not in self.poses:
            raise self.place.error(f"frame {name!r}: no such link, joint or frame")
        if name in seen:
            raise self.place.error(f"frame {name!r}: its pose is relative to itself")
        relative, pose = self.poses[name]
        return self.resolved(relative, (*seen, name)) @ pose

    def frame(self, name: str, places: dict[str, Placement]) -> tuple[str, Placement]:
        """The link that a link, joint or frame moves with, and its placement in it."""
        link = self.carrier(name)
        if name == WORLD or link not in places:
            return WORLD, Placement()
        return link, places[link].inverse() @ self.in_world @ self.resolved(name)

    def carrier(self, name: str) -> str:
        """The link that a link or frame moves with."""
        seen = []
        while name in self.attached and name not in seen:
            seen.append(name)
            name = self.attached[name]
        return name

    def link(self, node: Element) -> Link:
        """A link; without inertia it has none."""
        name = node.get("name") or ""
        here = self.place.inside(f"link {name}")
        inertial = node.find("inertial")
        if inertial is None:
            return Link(name)
        _, at = self._pose(inertial, "", here)
        mass = here.number(inertial.findtext("mass"), "mass", 1.0)
        keys = {"ixx": 1.0, "ixy": 0.0, "ixz": 0.0, "iyy": 1.0, "iyz": 0.0, "izz": 1.0}
        six = {key: here.number(inertial.findtext(f"inertia/{key}"), key, value) for key, value in keys.items()}
        I = np.array(
            [
                [six["ixx"], six["ixy"], six["ixz"]],
                [six["ixy"], six["iyy"], six["iyz"]],
                [six["ixz"], six["iyz"], six["izz"]],
            ]
        )
        mass, I = lowered(mass, I)
        if not np.array_equal(at.rotation, np.eye(3)):
            I = at.rotation @ I @ at.rotation.T
            I = (I + I.T) / 2
        return Link(name, mass, at.position, I)

    def joint(self, node: Element, places: dict[str, Placement]) -> list[Connection]:
        """The connections of a joint: two of a universal one."""
        name, kind = node.get("name") or "", node.get("type") or ""
        here = self.place.inside(f"joint {name}")
        frame = self.in_world @ self.resolved(name)
        ends = []
        for tag in ("parent", "child"):
            link = self.carrier((node.findtext(tag) or "").strip())
            if link not in places:
                raise here.error(f"{tag} {link!r} is no link")
            ends.append(link)
        at, child_at = (places[link].inverse() @ frame for link in ends)
        if kind in ("fixed", "ball"):
            made = Connection(name, "fixed" if kind == "fixed" else "ball", ends[0], ends[1], at, child_at)
            return [made]
        if kind in ("revolute", "continuous", "prismatic"):
            axis = self.axis(node, "axis", frame, here)
            made = Connection(name, "P" if kind == "prismatic" else "R", ends[0], ends[1], at, child_at, axis=axis)
            return [self.limited(made, node, "axis", here)]
        if kind in ("universal", "revolute2"):
            axes = [self.axis(node, tag, frame, here) for tag in ("axis", "axis2")]
            first = Connection(f"{name}.1", "R", ends[0], f"{name}.cross", at, axis=axes[0])
            second = Connection(f"{name}.2", "R", f"{name}.cross", ends[1], Placement(), child_at, axis=axes[1])
            return [self.limited(first, node, "axis", here), self.limited(second, node, "axis2", here)]
        if kind == "screw":
            axis = self.axis(node, "axis", frame, here)
            pitch = here.number(node.findtext("screw_thread_pitch"), "screw_thread_pitch")
            turn = Connection(name, "R", ends[0], f"{name}.nut", at, axis=axis)
            slide = Connection(
                f"{name}.slide",
                "P",
                f"{name}.nut",
                ends[1],
                Placement(),
                child_at,
                axis=axis,
                follows=Follow(name, pitch / (2 * np.pi), 0.0),
            )
            return [self.limited(turn, node, "axis", here), slide]
        known = "revolute, prismatic, ball, universal, screw, fixed"
        raise here.error(f"type = {kind!r} is not one that gough has; there are {known}")

    def axis(self, node: Element, tag: str, frame: Placement, here: Place) -> Floats:
        """(3,) unit vector in the joint's frame."""
        xyz = node.find(f"{tag}/xyz")
        u = here.unit(None if xyz is None else xyz.text, "axis xyz", [0, 0, 1])
        stated = None if xyz is None else xyz.get("expressed_in")
        if stated:
            R = (self.in_world @ self.resolved(stated)).rotation
            return frame.rotation.T @ R @ u
        return u

    def limited(self, c: Connection, node: Element, tag: str, here: Place) -> Connection:
        """The connection with limits, friction, spring, rotor and coupling of its axis."""
        axis = node.find(tag)
        if axis is None:
            return c

        def value(key: str, default: float) -> float:
            text = axis.findtext(key)
            if text is not None and text.strip().lstrip("+-").lower() in ("inf", "infinity"):
                return -np.inf if text.strip().startswith("-") else np.inf
            return here.number(text, key, default)

        low, high = value("limit/lower", -np.inf), value("limit/upper", np.inf)
        span = (low, high) if max(abs(low), abs(high)) < _UNLIMITED else None
        if span is not None and low >= high:
            raise here.error(f"lower = {low:g} must be below upper = {high:g}")
        effort, speed = value("limit/effort", -1.0), value("limit/velocity", -1.0)
        stiffness = value("dynamics/spring_stiffness", 0.0)
        rotor = here.number(node.findtext(f"{_DRAKE}rotor_inertia"), "rotor_inertia", 0.0)
        gear = here.number(node.findtext(f"{_DRAKE}gear_ratio"), "gear_ratio", 1.0)
        mimic, follows = axis.find("mimic"), None
        if mimic is not None:
            ratio, offset, reference = (
                here.number(mimic.findtext(key), key, default)
                for key, default in (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0))
            )
            follows = Follow(mimic.get("joint") or "", ratio, offset - ratio * reference)
        return replace(
            c,
            range=span,
            speed=speed if 0.0 < speed < _UNLIMITED else None,
            effort=effort if 0.0 < effort < _UNLIMITED else None,
            viscous=value("dynamics/damping", 0.0),
            coulomb=value("dynamics/friction", 0.0),
            spring=Spring(stiffness, value("dynamics/spring_reference", 0.0)) if stiffness else None,
            armature=rotor * gear**2,
            follows=follows,
            driven=effort != 0.0 and follows is None and axis.find("limit") is not None,
        )

    def left_out(self) -> list[str]:
        """A line for each kind of thing that a robot has no use for."""
        lines = []
        for tag, why in (
            ("link/visual", "gough draws robots by itself"),
            ("link/collision", "gough has no contacts"),
            ("link/sensor", "it has no place in a robot"),
            ("plugin", "it has no place in a robot"),
        ):
            count = len(self.model.findall(tag))
            if count:
                lines.append(f"{count} <{tag.split('/')[-1]}>: left out, {why}")
        hung = [node.get("name") or "" for node in self.model.findall("frame") if "bushing" in (node.get("name") or "")]
        if hung:
            lines.append(f"frames {', '.join(hung)}: a bushing between them is not part of SDF; it would be no joint")
        return lines

    def _pose(self, node: Element, otherwise: str, here: Place) -> tuple[str, Placement]:
        pose = node.find("pose")
        if pose is None:
            return otherwise, Placement()
        if pose.get("rotation_format", "euler_rpy") != "euler_rpy" or pose.get("degrees", "false") == "true":
            raise here.error("its pose must be x y z roll pitch yaw in radians")
        six = here.numbers(pose.text, 6, "pose", [0] * 6)
        rotation = from_rpy(six[3:]) if six[3:].any() else np.eye(3)
        return pose.get("relative_to") or otherwise, Placement(six[:3], rotation)
