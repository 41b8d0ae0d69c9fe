"""The tree of bodies in an MJCF file: links, the joints that move them, sites, their start, and default attributes."""

from __future__ import annotations

from dataclasses import replace
from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.inertia_floor import lowered
from gough.formats.linkage import WORLD, Connection, Link, Spring
from gough.formats.placement import Floats, Placement, from_quaternion, moved
from gough.formats.reading.mjcf_frames import Angles, placement_of
from gough.formats.xml_text import Place

_MAIN = "main"


class Defaults:
    """The default classes of a file: attributes that elements take from their class."""

    def __init__(self, root: Element) -> None:
        """Collect what each class gives to each kind of element."""
        self.classes: dict[str, dict[str, dict[str, str]]] = {_MAIN: {}}
        for node in root.findall("default"):
            self._take(node, _MAIN, {})

    def of(self, node: Element, inherited: str, kind: str = "") -> dict[str, str]:
        """Attributes of an element, those of its class where it does not state them.

        Args:
            node: The element.
            inherited: The class that the bodies around it give it; "" for the main one.
            kind: What a default calls such elements, where that is not the element's own name.
        """
        own = node.get("class") or inherited or _MAIN
        known = self.classes.get(own, self.classes[_MAIN])
        shared = {**known.get(kind, {}), **known.get(node.tag, {})}
        return {**shared, **node.attrib}

    def _take(self, node: Element, otherwise: str, parent: dict[str, dict[str, str]]) -> None:
        name = node.get("class") or otherwise
        known = {tag: dict(attributes) for tag, attributes in parent.items()}
        for child in node:
            if child.tag != "default":
                known[child.tag] = {**known.get(child.tag, {}), **child.attrib}
        self.classes[name] = known
        for child in node:
            if child.tag == "default":
                self._take(child, name, known)


class BodyTree:
    """What was read of the bodies so far.

    Attributes:
        links: Bodies; one with several joints is a chain of links without mass.
        connections: Their joints.
        free: Free bodies, and where they are in the world.
        sites: Link and placement in it of each site.
        order: Kind and name of what has coordinates, as in qpos.
        world: Placements of bodies at the reference pose.
        remarks: What was left out.
    """

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

    def take_bodies(self) -> None:
        """Read all bodies, and start them where the first keyframe has them."""
        worlds = self.root.findall("worldbody")
        if not worlds:
            raise self.place.error("<worldbody> is missing")
        for world in worlds:
            self.inside(world, WORLD, "")
        self.take_keyframe()

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
                self.connections[n] = replace(c, home=values[c.name], given=True)
            elif c.name in turns:
                self.connections[n] = replace(c, at=c.at @ Placement(rotation=turns[c.name]))
