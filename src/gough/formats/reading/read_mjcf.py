"""MuJoCo's MJCF as a linkage: bodies in a tree, equalities that close it, tendons as cables and springs.

A body with several joints is a chain of links without mass. Defaults and classes are followed; included files and
meshes are not. The machine is taken at its first keyframe, or else at its reference pose.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.inertia_floor import lowered
from gough.formats.linkage import WORLD, Connection, Follow, Hook, Link, Linkage, Rope, Spring
from gough.formats.placement import Floats, Placement, from_quaternion, moved
from gough.formats.reading.loops_file import Loops, closings, read_loops
from gough.formats.reading.mjcf_defaults import Defaults
from gough.formats.reading.mjcf_frames import Angles, placement_of
from gough.formats.reading.span import spanned
from gough.formats.xml_text import FormatError, Place, parse_xml, read_text

_GRAVITY = (0.0, 0.0, -9.81)
_MOTORS = ("motor", "position", "velocity", "general", "damper", "intvelocity", "cylinder", "muscle")


def read_mjcf(path: str | Path, loops: str | Path | None = None) -> Linkage:
    """The linkage of an MJCF file; `loops` is a YAML file with further pairs of bodies or sites that meet.

    Raises:
        FormatError: It cannot be read, or has what a linkage has no place for.
    """
    root = parse_xml(read_text(path), str(path))
    if root.tag != "mujoco":
        raise FormatError(f"{path}: is not MJCF: its first element is <{root.tag}>, not <mujoco>")
    return _Reader(root, Place(str(path)), Path(path).stem).linkage(Loops() if loops is None else read_loops(loops))


class _Reader:
    def __init__(self, root: Element, place: Place, stem: str) -> None:
        if root.find(".//include") is not None:
            raise place.error("<include> is not followed; join the files first (mujoco.mj_saveLastXML writes one)")
        self.root, self.place, self.name = root, place, root.get("model") or stem
        self.defaults = Defaults(root)
        self.angles = Angles(root, place)
        self.links: list[Link] = []
        self.connections: list[Connection] = []
        self.free: dict[str, Placement] = {}
        self.sites: dict[str, tuple[str, Placement]] = {}
        self.order: list[tuple[str, str]] = []
        self.remarks: list[str] = []
        self.world: dict[str, Placement] = {WORLD: Placement()}

    def linkage(self, loops: Loops) -> Linkage:
        """The whole file."""
        worlds = self.root.findall("worldbody")
        if not worlds:
            raise self.place.error("<worldbody> is missing")
        for world in worlds:
            self.inside(world, WORLD, "")
        self.take_keyframe()
        self.take_equalities()
        frames = {**{name: (name, Placement()) for name in self.world}, **self.sites}
        self.connections += closings(loops, frames, [c.name for c in self.connections], self.place)
        ropes = self.take_tendons()
        self.take_motors()
        option = self.root.find("option")
        gravity = self.place.numbers(None if option is None else option.get("gravity"), 3, "gravity", _GRAVITY)
        connections = spanned(self.connections, list(self.free))
        return Linkage(
            self.name,
            gravity,
            tuple(self.links),
            tuple(connections),
            tuple(self.with_motors(ropes)),
            self.free,
            (*self.remarks, *self.left_out()),
        )

    def inside(self, node: Element, link: str, inherited: str) -> None:
        """Bodies and sites in a body."""
        for child in node:
            if child.tag == "body":
                self.body(child, link, inherited)
            elif child.tag == "site":
                given = self.defaults.of(child, inherited)
                here = self.place.inside(f"site {given.get('name', '')}")
                if "name" in given:
                    self.sites[given["name"]] = link, placement_of(given, self.angles, here)
            elif child.tag == "frame":
                raise self.place.error("<frame> is not read; mujoco.mj_saveLastXML writes the model without")

    def body(self, node: Element, parent: str, inherited: str) -> None:
        """A body, the joints that move it, and what is in it."""
        name = node.get("name") or f"body{len(self.links) + 1}"
        here = self.place.inside(f"body {name}")
        inherited = node.get("childclass") or inherited
        at = placement_of(dict(node.attrib), self.angles, here)
        joints = [j for j in node if j.tag in ("joint", "freejoint")]
        given = [self.defaults.of(j, inherited) for j in joints]
        kinds = ["free" if j.tag == "freejoint" else g.get("type", "hinge") for j, g in zip(joints, given, strict=True)]
        if "free" in kinds:
            self.free[name] = self.world[parent] @ at
            self.order.append(("free", name))
        elif not kinds:
            self.connections.append(Connection(f"{name}.fixed", "fixed", parent, name, at))
        else:
            carrier = parent
            for k, (attributes, kind) in enumerate(zip(given, kinds, strict=True)):
                last = k == len(kinds) - 1
                link = name if last else f"{name}.{k + 1}"
                made = self.joint(attributes, kind, f"{name}.joint{k + 1}", here)
                first = at if k == 0 else Placement()
                self.connections.append(replace(made, parent=carrier, child=link, at=first @ made.at))
                self.order.append((kind, made.name))
                if not last:
                    self.links.append(Link(link))
                carrier = link
        self.world[name] = self.world[parent] @ at
        self.links.append(self.link(node, name, here))
        self.inside(node, name, inherited)

    def joint(self, given: dict[str, str], kind: str, otherwise: str, here: Place) -> Connection:
        """A joint whose frame stands in the body; its links are set by the caller."""
        name = given.get("name") or otherwise
        here = here.inside(f"joint {name}")
        if kind not in ("hinge", "slide", "ball"):
            raise here.error(f"type = {kind!r} must be hinge, slide, ball or free")
        pos = here.numbers(given.get("pos"), 3, "pos", [0, 0, 0])
        frame = Placement(pos)
        if kind == "ball":
            return Connection(name, "ball", "", "", frame, frame)
        axis = here.unit(given.get("axis"), "axis", [0, 0, 1])
        turns = kind == "hinge"
        scale = self.angles.unit if turns else 1.0
        reference = here.number(given.get("ref"), "ref", 0.0) * scale
        limits = given.get("range")
        span = None
        if limits is not None and given.get("limited", "auto") != "false":
            low, high = here.numbers(limits, 2, "range") * scale
            if low > high:
                raise here.error(f"range = {limits!r} must be least and largest")
            span = (float(low), float(high)) if low < high else None
        stiffness = here.number(given.get("stiffness"), "stiffness", 0.0)
        rest = here.number(given.get("springref"), "springref", 0.0) * scale
        # the coordinate is `ref` at the reference pose, where the frames coincide
        child_at = frame @ moved("R" if turns else "P", axis, reference) if reference else frame
        return Connection(
            name,
            "R" if turns else "P",
            "",
            "",
            frame,
            child_at,
            axis=axis,
            home=reference,
            range=span,
            viscous=here.number(given.get("damping"), "damping", 0.0),
            coulomb=here.number(given.get("frictionloss"), "frictionloss", 0.0),
            armature=here.number(given.get("armature"), "armature", 0.0),
            spring=Spring(stiffness, rest) if stiffness else None,
        )

    def link(self, node: Element, name: str, here: Place) -> Link:
        """The link of a body; mass that follows from shapes is not computed."""
        inertial = node.find("inertial")
        if inertial is None:
            heavy = [g for g in node.findall("geom") if g.get("mass") != "0" and g.get("density") != "0"]
            if heavy:
                raise here.error(
                    "has no <inertial>: its mass would follow from its shapes; save the model with "
                    "mujoco.mj_saveLastXML, which writes it"
                )
            return Link(name)
        at = placement_of(dict(inertial.attrib), self.angles, here)
        mass = here.number(inertial.get("mass"), "mass")
        full, diagonal = inertial.get("fullinertia"), inertial.get("diaginertia")
        if full is not None:
            xx, yy, zz, xy, xz, yz = here.numbers(full, 6, "fullinertia")
            I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            I = np.diag(here.numbers(diagonal, 3, "diaginertia"))
        mass, I = lowered(mass, I)
        if not np.array_equal(at.rotation, np.eye(3)):
            I = at.rotation @ I @ at.rotation.T
            I = (I + I.T) / 2
        return Link(name, mass, at.position, I)

    def take_keyframe(self) -> None:
        """Start joints and free bodies where the first keyframe has them."""
        key = self.root.find("keyframe/key")
        if key is None or key.get("qpos") is None:
            return
        here = self.place.inside(f"key {key.get('name', '')}")
        sizes = {"free": 7, "ball": 4}
        q = here.numbers(key.get("qpos"), sum(sizes.get(kind, 1) for kind, _ in self.order), "qpos")
        k, values = 0, {}
        turns: dict[str, Floats] = {}
        for kind, name in self.order:
            own = q[k : k + sizes.get(kind, 1)]
            if kind == "free":
                self.free[name] = Placement(own[:3], from_quaternion(own[3:]))
            elif kind == "ball":
                turns[name] = from_quaternion(own)
            else:
                values[name] = float(own[0])
            k += sizes.get(kind, 1)
        for n, c in enumerate(self.connections):
            if c.name in values:
                self.connections[n] = replace(c, home=values[c.name])
            elif c.name in turns:
                self.connections[n] = replace(c, at=c.at @ Placement(rotation=turns[c.name]))

    def take_equalities(self) -> None:
        """Connections that close loops, and joints that follow others."""
        for node in self.root.findall("equality/*"):
            given = self.defaults.of(node, "", "equality")
            name = given.get("name") or f"{node.tag}{len(self.connections)}"
            here = self.place.inside(f"{node.tag} {name}")
            if given.get("active") == "false":
                self.remarks.append(f"{node.tag} {name}: left out, it is not active")
            elif node.tag in ("connect", "weld"):
                self.connections.append(self.closing(node.tag, name, given, here))
            elif node.tag == "joint":
                self.couple(given, here)
            else:
                raise here.error(f"a <{node.tag}> equality is not one that gough has; connect, weld and joint are")

    def closing(self, tag: str, name: str, given: dict[str, str], here: Place) -> Connection:
        """A connection between two sites, or between two bodies as they stand at the reference pose."""
        if name in {c.name for c in self.connections}:
            name = f"{name}.{tag}"
        kind: Any = "ball" if tag == "connect" else "fixed"
        if "site1" in given or "site2" in given:
            (a, at), (b, other) = (self.site(given.get(key), here) for key in ("site1", "site2"))
            return Connection(name, kind, a, b, at, other, closes=True)
        a, b = given.get("body1", ""), given.get("body2", WORLD)
        for link in (a, b):
            if link not in self.world:
                raise here.error(f"body {link!r} is no body")
        if tag == "connect":
            at = Placement(here.numbers(given.get("anchor"), 3, "anchor"))
            other = Placement(self.world[b].inverse().point(self.world[a].point(at.position)))
        else:
            anchor = Placement(here.numbers(given.get("anchor"), 3, "anchor", [0, 0, 0]))  # in the second body
            pose = here.numbers(given.get("relpose"), 7, "relpose", [0, 1, 0, 0, 0, 0, 0])
            stated = pose[3:].any()
            second = (
                Placement(pose[:3], from_quaternion(pose[3:])) if stated else self.world[a].inverse() @ self.world[b]
            )
            at, other = second @ anchor, anchor
        return Connection(name, kind, a, b, at, other, closes=True)

    def couple(self, given: dict[str, str], here: Place) -> None:
        """Let a joint follow another."""
        first, second = given.get("joint1", ""), given.get("joint2", "")
        poly = list(here.numbers(given.get("polycoef"), None, "polycoef", [0, 1, 0, 0, 0]))
        if any(poly[2:]):
            raise here.error("polycoef has powers above the first; gough couples joints at a fixed ratio")
        names = [c.name for c in self.connections]
        if first not in names:
            raise here.error(f"joint1 {first!r} is no hinge or slide")
        k = names.index(first)
        if not second:
            self.connections[k] = replace(self.connections[k], kind="fixed")
            self.remarks.append(f"{first}: held still by an equality, taken as fixed")
            return
        # both count from their reference values: q1 - ref1 = offset + ratio (q2 - ref2)
        ref1, ref2 = self.reference(first), self.reference(second)
        ratio = poly[1] if len(poly) > 1 else 0.0
        self.connections[k] = replace(self.connections[k], follows=Follow(second, ratio, poly[0] + ref1 - ratio * ref2))

    def reference(self, name: str) -> float:
        """A joint's value at the reference pose."""
        for node in self.root.iter("joint"):
            if node.get("name") == name and node.get("ref") is not None:
                turns = node.get("type", "hinge") == "hinge"
                return self.place.number(node.get("ref"), "ref") * (self.angles.unit if turns else 1.0)
        return 0.0

    def site(self, name: str | None, here: Place) -> tuple[str, Placement]:
        """A site's link and placement in it."""
        if name is None or name not in self.sites:
            raise here.error(f"site {name!r} is no site")
        return self.sites[name]

    def take_tendons(self) -> list[Rope]:
        """Straight tendons between two sites; others are refused where they matter."""
        ropes: list[Rope] = []
        for node in self.root.findall("tendon/*"):
            given = self.defaults.of(node, "", "tendon")
            name = given.get("name") or f"tendon{len(ropes) + 1}"
            here = self.place.inside(f"tendon {name}")
            parts = list(node)
            if node.tag != "spatial" or len(parts) != 2 or any(part.tag != "site" for part in parts):
                raise here.error("is not straight between two sites, which is what gough has as cable or spring")
            ends = [Hook(link, at.position) for link, at in (self.site(part.get("site"), here) for part in parts)]
            span = given.get("range")
            stated = None if span is None else tuple(float(v) for v in here.numbers(span, 2, "range"))
            lengths = here.numbers(given.get("springlength"), None, "springlength", [0.0])
            ropes.append(
                Rope(
                    name,
                    ends[0],
                    ends[1],
                    range=stated,  # type: ignore[arg-type]
                    viscous=here.number(given.get("damping"), "damping", 0.0),
                    coulomb=here.number(given.get("frictionloss"), "frictionloss", 0.0),
                    armature=here.number(given.get("armature"), "armature", 0.0),
                    stiffness=here.number(given.get("stiffness"), "stiffness", 0.0),
                    free_length=float(max(lengths[0], 0.0)),
                )
            )
        return ropes

    def take_motors(self) -> None:
        """Mark driven joints; remember what pulls tendons."""
        self.pulled: dict[str, tuple[float, float] | None] = {}
        names = [c.name for c in self.connections]
        for node in self.root.findall("actuator/*"):
            given = self.defaults.of(node, "", "actuator")
            here = self.place.inside(f"{node.tag} {given.get('name', '')}")
            gear = here.numbers(given.get("gear"), None, "gear", [1.0])[0]
            limit = given.get("forcerange") or (given.get("ctrlrange") if node.tag == "motor" else None)
            span = None if limit is None else here.numbers(limit, 2, "range") * (gear or 1.0)
            if "tendon" in given:
                self.pulled[given["tendon"]] = None if span is None else (float(min(span)), float(max(span)))
            elif "joint" in given:
                if given["joint"] not in names:
                    raise here.error(f"joint {given['joint']!r} is no hinge or slide")
                k = names.index(given["joint"])
                effort = None if span is None else float(np.abs(span).max()) or None
                self.connections[k] = replace(self.connections[k], driven=True, effort=effort)
                if node.tag != "motor":
                    self.remarks.append(f"{node.tag} {given['joint']}: taken as a motor, its control is left out")
            else:
                self.remarks.append(f"{node.tag} {given.get('name', '')}: left out, it drives no joint and no tendon")

    def with_motors(self, ropes: list[Rope]) -> list[Rope]:
        """Tendons that a motor pulls as cables, the others as springs."""
        found = []
        for rope in ropes:
            if rope.name not in self.pulled:
                if rope.stiffness == 0.0:
                    self.remarks.append(f"tendon {rope.name}: left out, nothing pulls it and it has no stiffness")
                    continue
                found.append(rope)
                continue
            span = self.pulled[rope.name]
            if span is None or span[1] > 0.0:
                raise self.place.error(
                    f"tendon {rope.name}: a cable pulls with a force between -largest and -least tension; give "
                    "its motor such a ctrlrange"
                )
            if rope.stiffness:
                self.remarks.append(f"tendon {rope.name}: its stiffness is left out, the cable does not give")
            found.append(replace(rope, tension=(-span[1] + 0.0, -span[0]), stiffness=0.0, free_length=0.0))
        return found

    def left_out(self) -> list[str]:
        """A line for each kind of thing that a robot has no use for."""
        geoms = sum(1 for _ in self.root.iter("geom"))
        lines = [f"{geoms} geoms: left out, gough has no contacts and draws robots by itself"] if geoms else []
        for tag in ("contact", "sensor", "deformable", "plugin"):
            if self.root.find(tag) is not None:
                lines.append(f"<{tag}>: left out")
        return lines
