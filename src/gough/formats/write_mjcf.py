"""MuJoCo's MJCF: bodies in a tree, loops as equalities between sites, cables as tendons.

Links without mass that carry just one joint become further joints of the next body, as MuJoCo's own models do it. Sites
close the loops, so that the file does not depend on a reference pose; the keyframe `home` is the assembled machine.
Loops are as stiff as MuJoCo lets them be: those of a parallel robot are joints, which do not give.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.inertia_floor import lifted
from gough.formats.linkage import WORLD, Connection, Link, Linkage
from gough.formats.placement import Floats, Placement, to_quaternion
from gough.formats.shared_mass import with_shared_mass
from gough.formats.xml_text import comment, document, element, number, numbers

FORMAT = "MJCF (MuJoCo)"
STIFF = "0.9999 0.9999 0.001"
"""`solimp` of the loops: the largest impedance that MuJoCo takes; its default is 0.9 to 0.95."""
_OF_LOOPS = "loops as stiff as MuJoCo has them; without this line they give as its defaults do, 0.9 0.95 0.001"


def mjcf_text(linkage: Linkage) -> tuple[str, list[str]]:
    """The file, and a line for each thing it leaves out or changes."""
    shared, given = with_shared_mass(linkage)
    writer = _Writer(shared)
    root = writer.root()
    remarks = [*linkage.remarks, *given, *writer.remarks]
    return document(root, [f"{linkage.name}, written by gough; SI units", *remarks]), remarks


class _Writer:
    def __init__(self, linkage: Linkage) -> None:
        self.linkage = linkage
        self.remarks: list[str] = []
        self.home: list[float] = []
        self.sites: dict[str, list[tuple[str, Placement]]] = {}
        for c in linkage.connections:
            if c.closes:
                self.sites.setdefault(c.parent, []).append((c.name, c.at))
                self.sites.setdefault(c.child, []).append((f"{c.name}.other", c.child_at))
        for rope in linkage.ropes:
            for suffix, hook in (("first", rope.first), ("second", rope.second)):
                self.sites.setdefault(hook.link, []).append((f"{rope.name}.{suffix}", Placement(hook.point)))

    def root(self) -> Element:
        """The whole file as elements."""
        linkage = self.linkage
        root = Element("mujoco", {"model": linkage.name})
        element(root, "compiler", {"angle": "radian", "autolimits": "true"})
        element(root, "option", {"gravity": numbers(linkage.gravity), "timestep": "0.001"})
        if any(c.closes or c.follows is not None for c in linkage.connections):
            default = element(root, "default")
            comment(default, _OF_LOOPS)
            element(default, "equality", {"solimp": STIFF})
        world = element(root, "worldbody")
        element(world, "light", {"pos": "0 0 10", "dir": "0 0 -1", "directional": "true"})
        self.add_sites(world, WORLD)
        for c in linkage.children(WORLD):
            self.add_body(world, [c])
        for name, place in linkage.free.items():
            body = element(world, "body", {"name": name, "pos": numbers(place.position), "quat": _quat(place.rotation)})
            element(body, "freejoint", {"name": name})
            self.home += [*place.position, *to_quaternion(place.rotation)]
            self.fill(body, linkage.link(name))
        self.add_equalities(root)
        self.add_tendons(root)
        self.add_actuators(root)
        keys = element(root, "keyframe")
        element(keys, "key", {"name": "home", "qpos": numbers(self.home)})
        return root

    def add_body(self, parent: Element, joints: list[Connection]) -> None:
        """The body behind a chain of joints whose links between have no mass."""
        link = self.linkage.link(joints[-1].child)
        behind = self.linkage.children(link.name)
        if link.massless and len(behind) == 1 and link.name not in self.sites:
            self.add_body(parent, [*joints, behind[0]])
            return
        frames, place = [], Placement()
        for c in joints:
            frames.append(place @ c.at)
            place = frames[-1] @ c.child_at.inverse()
        body = element(
            parent, "body", {"name": link.name, "pos": numbers(place.position), "quat": _quat(place.rotation)}
        )
        for c, frame in zip(joints, frames, strict=True):
            if c.kind != "fixed":
                self.add_joint(body, c, place.inverse() @ frame)
        self.fill(body, link)
        for c in behind:
            self.add_body(body, [c])

    def add_joint(self, body: Element, c: Connection, frame: Placement) -> None:
        """A joint of a body, whose frame at coordinate zero is `frame` in the body's."""
        self.home.append(c.home)
        if c.speed is not None:
            unit = "m/s" if c.kind == "P" else "rad/s"
            self.remarks.append(f"{c.name}: largest speed {c.speed:g} {unit} left out, MJCF has no place for it")
        element(
            body,
            "joint",
            {
                "name": c.name,
                "type": "slide" if c.kind == "P" else "hinge",
                "pos": numbers(frame.position) if frame.position.any() else None,
                "axis": numbers(frame.rotation @ c.axis),
                "range": None if c.range is None else numbers(c.range),
                "damping": number(c.viscous) if c.viscous else None,
                "frictionloss": number(c.coulomb) if c.coulomb else None,
                "armature": number(c.armature) if c.armature else None,
                "stiffness": number(c.spring.stiffness) if c.spring else None,
                "springref": number(c.spring.rest) if c.spring else None,
            },
        )

    def fill(self, body: Element, link: Link) -> None:
        """Inertia, sites and shapes of a body."""
        mass, inertia, remark = lifted(link)
        if remark:
            comment(body, remark)
            self.remarks.append(f"{link.name}: {remark}")
        element(body, "inertial", {"pos": numbers(link.com), "mass": number(mass), **_moments(inertia)})
        self.add_sites(body, link.name)
        for rod in link.rods:
            look = {"contype": 0, "conaffinity": 0, "group": 1, "mass": 0, "rgba": "0.55 0.62 0.7 1"}
            if np.array_equal(rod.start, rod.stop):
                element(body, "geom", {"type": "sphere", "pos": numbers(rod.start), "size": number(rod.radius), **look})
            else:
                ends = numbers([*rod.start, *rod.stop])
                element(body, "geom", {"type": "capsule", "fromto": ends, "size": number(rod.radius), **look})

    def add_sites(self, body: Element, link: str) -> None:
        """Points of a link at which loops close and ropes hold."""
        for name, at in self.sites.get(link, []):
            element(body, "site", {"name": name, "pos": numbers(at.position), "quat": _quat(at.rotation)})

    def add_equalities(self, root: Element) -> None:
        """What closes the loops, and joints that follow others."""
        closing = [c for c in self.linkage.connections if c.closes]
        following = [c for c in self.linkage.connections if c.follows is not None]
        if not closing and not following:
            return
        equality = element(root, "equality")
        for c in closing:
            kind = {"ball": "connect", "fixed": "weld"}[c.kind]
            element(equality, kind, {"name": c.name, "site1": c.name, "site2": f"{c.name}.other"})
        for c in following:
            assert c.follows is not None
            poly = numbers([c.follows.offset, c.follows.ratio, 0, 0, 0])
            element(equality, "joint", {"name": c.name, "joint1": c.name, "joint2": c.follows.leader, "polycoef": poly})

    def add_tendons(self, root: Element) -> None:
        """Cables and springs between points."""
        if not self.linkage.ropes:
            return
        tendons = element(root, "tendon")
        for rope in self.linkage.ropes:
            spring = rope.tension is None
            spatial = element(
                tendons,
                "spatial",
                {
                    "name": rope.name,
                    "range": None if rope.range is None else numbers(rope.range),
                    "damping": number(rope.viscous) if rope.viscous else None,
                    "frictionloss": number(rope.coulomb) if rope.coulomb else None,
                    "armature": number(rope.armature) if rope.armature else None,
                    "stiffness": number(rope.stiffness) if spring else None,
                    "springlength": number(rope.free_length) if spring else None,
                },
            )
            for suffix in ("first", "second"):
                element(spatial, "site", {"site": f"{rope.name}.{suffix}"})

    def add_actuators(self, root: Element) -> None:
        """A motor for each driven joint and each cable; a cable pulls with a negative force."""
        actuators = element(root, "actuator")
        for c in self.linkage.connections:
            if c.driven:
                limit = None if c.effort is None else numbers([-c.effort, c.effort])
                element(actuators, "motor", {"name": c.name, "joint": c.name, "ctrlrange": limit})
        for rope in self.linkage.ropes:
            if rope.tension is not None:
                limit = numbers([-rope.tension[1], -rope.tension[0]])
                element(actuators, "motor", {"name": rope.name, "tendon": rope.name, "ctrlrange": limit})


def _quat(R: Floats) -> str | None:
    return None if np.array_equal(R, np.eye(3)) else numbers(to_quaternion(R))


def _moments(I: Floats) -> dict[str, str]:
    if not (I - np.diag(np.diag(I))).any():
        return {"diaginertia": numbers(np.diag(I))}
    return {"fullinertia": numbers([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}
