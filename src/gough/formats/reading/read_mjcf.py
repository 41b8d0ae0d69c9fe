"""MuJoCo's MJCF as a linkage: bodies in a tree, equalities that close it, tendons as cables and springs.

Defaults and classes are followed; included files and meshes are not. The machine is taken at its first keyframe, or
else at its reference pose.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.formats.linkage import WORLD, Connection, Follow, Hook, Linkage, Rope
from gough.formats.placement import Placement, from_quaternion
from gough.formats.reading.loops_file import Loops, closings, read_loops, with_home
from gough.formats.reading.mjcf_tree import BodyTree
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


class _Reader(BodyTree):
    """Bodies, and what closes, pulls and drives them."""

    def linkage(self, loops: Loops) -> Linkage:
        """The whole file."""
        self.take_bodies()
        self.take_equalities()
        frames = {**{name: (name, Placement()) for name in self.world}, **self.sites}
        self.connections += closings(loops, frames, [c.name for c in self.connections], self.place)
        self.connections = with_home(self.connections, loops, self.place)
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
            (*self.remarks, *self.left_out(), *loops.remarks),
        )

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
