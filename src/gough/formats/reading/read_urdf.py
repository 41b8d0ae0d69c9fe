"""A URDF file as a linkage, with the loops of a YAML file, or with links that have two parents.

A link that is the child of two joints closes a loop: engines refuse it, people write it. Meshes are not opened, and
`package://` is not followed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.linkage import WORLD, Connection, Follow, Link, Linkage
from gough.formats.placement import Floats, Placement, from_rpy
from gough.formats.reading.loops_file import Loops, closings, read_loops, with_home
from gough.formats.reading.span import spanned
from gough.formats.write_urdf import UNLIMITED
from gough.formats.xml_text import FormatError, Place, parse_xml, read_text
from gough.robot.names import did_you_mean

_GRAVITY = (0.0, 0.0, -9.81)
_DRAKE = "{http://drake.mit.edu}"
_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def read_urdf(path: str | Path, loops: str | Path | None = None, base: str | None = None) -> Linkage:
    """The linkage of a URDF file.

    Args:
        path: The file.
        loops: YAML file of its loops; None for the one of the same name beside it, if there is one.
        base: The link that stands still; the one that no joint moves if None.

    Raises:
        FormatError: It cannot be read, or is not one machine.
    """
    root = parse_xml(read_text(path), str(path))
    if root.tag != "robot":
        raise FormatError(f"{path}: is not URDF: its first element is <{root.tag}>, not <robot>")
    if any("xacro" in str(node.tag) for node in root):
        raise FormatError(f"{path}: is a xacro file; expand it first: xacro {Path(path).name} > robot.urdf")
    beside = Path(path).with_suffix(".yaml")
    known = read_loops(loops) if loops is not None else read_loops(beside) if beside.is_file() else Loops()
    place = Place(str(path))
    links = [_link(node, place) for node in root.findall("link")]
    _unique([link.name for link in links], "link", place)
    connections: list[Connection] = []
    free: list[str] = []
    for node in root.findall("joint"):
        made, floating = _joint(node, place, [link.name for link in links])
        connections += made
        free += floating
    links += [Link(c.child) for c in connections if c.child not in {link.name for link in links} and c.child != WORLD]
    _unique([c.name for c in connections], "joint", place)
    connections = _driven(root, connections, known, place)
    ground = _ground(links, connections, free, base, place)
    if ground != WORLD:
        connections.insert(0, Connection(f"{ground}.ground", "fixed", WORLD, ground))
    frames = {c.name: (c.child, Placement()) for c in connections}
    frames |= {link.name: (link.name, Placement()) for link in links}
    connections += closings(known, frames, [c.name for c in connections], place)
    connections = with_home(connections, known, place)
    links = [link for link in links if link.name != WORLD]
    return Linkage(
        root.get("name") or Path(path).stem,
        np.array(_GRAVITY) if known.gravity is None else known.gravity,
        tuple(links),
        tuple(spanned(connections, free)),
        free={name: known.free.get(name, Placement()) for name in free},
        remarks=(*_left_out(root), *known.remarks),
    )


def _link(node: Element, place: Place) -> Link:
    name = node.get("name") or ""
    here = place.inside(f"link {name}")
    if not name:
        raise here.error("a link has no name")
    inertial = node.find("inertial")
    if inertial is None:
        return Link(name)
    at = _origin(inertial, here)
    mass = inertial.find("mass")
    inertia = inertial.find("inertia")
    six = dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), 0.0)
    if inertia is not None:
        six = {key: here.number(inertia.get(key), key, 0.0) for key in six}
    I = np.array(
        [
            [six["ixx"], six["ixy"], six["ixz"]],
            [six["ixy"], six["iyy"], six["iyz"]],
            [six["ixz"], six["iyz"], six["izz"]],
        ]
    )
    if not np.array_equal(at.rotation, np.eye(3)):
        I = at.rotation @ I @ at.rotation.T
        I = (I + I.T) / 2
    value = 0.0 if mass is None else here.number(mass.get("value"), "mass")
    return Link(name, value, at.position, I)


def _origin(node: Element, here: Place) -> Placement:
    origin = node.find("origin")
    if origin is None:
        return Placement()
    angles = here.numbers(origin.get("rpy"), 3, "rpy", [0, 0, 0])
    rotation = from_rpy(angles) if angles.any() else np.eye(3)
    return Placement(here.numbers(origin.get("xyz"), 3, "xyz", [0, 0, 0]), rotation)


def _joint(node: Element, place: Place, links: list[str]) -> tuple[list[Connection], list[str]]:
    """The connections of a joint, and the link that it leaves free."""
    name, kind = node.get("name") or "", node.get("type") or ""
    here = place.inside(f"joint {name}")
    if kind not in _KINDS:
        raise here.error(f"type = {kind!r} must be one of {', '.join(_KINDS)}")
    ends = []
    for tag in ("parent", "child"):
        end = node.find(tag)
        link = "" if end is None else end.get("link") or ""
        if link not in links and not (link == WORLD and tag == "parent"):
            raise here.error(f"{tag} {link!r} is no link; {did_you_mean(link, links)}")
        ends.append(link)
    at = _origin(node, here)
    if kind == "floating":
        return [], [ends[1]]
    if kind == "fixed":
        return [Connection(name, "fixed", ends[0], ends[1], at)], []
    given = node.find("axis")
    axis = here.unit(None if given is None else given.get("xyz"), "axis", [1, 0, 0])
    if kind == "planar":
        return _planar(name, ends, at, axis), []
    made = Connection(name, "P" if kind == "prismatic" else "R", ends[0], ends[1], at, axis=axis)
    return [_with_limits(made, node, here, kind)], []


def _with_limits(c: Connection, node: Element, here: Place, kind: str) -> Connection:
    """The connection with the limits, friction and coupling of its element."""
    limit, dynamics, mimic = node.find("limit"), node.find("dynamics"), node.find("mimic")
    span, speed, effort = None, None, None
    if limit is not None:
        low, high = (here.number(limit.get(key), key, 0.0) for key in ("lower", "upper"))
        if kind != "continuous" and (low, high) != (0.0, 0.0) and max(abs(low), abs(high)) < UNLIMITED:
            if low >= high:
                raise here.error(f"lower = {low:g} must be below upper = {high:g}")
            span = low, high
        speed, effort = (_most(here.number(limit.get(key), key, 0.0)) for key in ("velocity", "effort"))
    damping = friction = 0.0
    if dynamics is not None:
        damping, friction = (here.number(dynamics.get(key), key, 0.0) for key in ("damping", "friction"))
    follows = None
    if mimic is not None:
        ratio, offset = (
            here.number(mimic.get(key), f"mimic {key}", default) for key, default in (("multiplier", 1), ("offset", 0))
        )
        follows = Follow(mimic.get("joint") or "", ratio, offset)
    return replace(c, range=span, speed=speed, effort=effort, viscous=damping, coulomb=friction, follows=follows)


def _most(value: float) -> float | None:
    return value if 0.0 < value < UNLIMITED else None


def _planar(name: str, ends: list[str], at: Placement, normal: Floats) -> list[Connection]:
    """Two slides across the normal and a hinge about it."""
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(normal)))], normal)
    x /= np.linalg.norm(x)
    return [
        Connection(f"{name}.x", "P", ends[0], f"{name}.x", at, axis=x),
        Connection(f"{name}.y", "P", f"{name}.x", f"{name}.y", axis=np.cross(normal, x)),
        Connection(f"{name}.turn", "R", f"{name}.y", ends[1], axis=normal),
    ]


def _driven(root: Element, connections: list[Connection], loops: Loops, place: Place) -> list[Connection]:
    """The connections with their motors: of the YAML file, else of the transmissions."""
    rotors: dict[str, float] = {}
    motors: list[str] = []
    for node in root.findall("transmission"):
        joint = node.find("joint")
        name = "" if joint is None else joint.get("name") or ""
        motors.append(name)
        here = place.inside(f"transmission {node.get('name')}")
        for motor in node.findall("actuator"):
            rotor, gear = motor.find(f"{_DRAKE}rotor_inertia"), motor.find(f"{_DRAKE}gear_ratio")
            if rotor is not None:
                ratio = 1.0 if gear is None else here.number(gear.get("value"), "gear_ratio")
                rotors[name] = here.number(rotor.get("value"), "rotor_inertia") * ratio**2
    driven = motors if loops.driven is None else loops.driven
    names = [c.name for c in connections]
    for name in driven:
        if name not in names:
            raise place.error(f"driven joint {name}: no such joint; {did_you_mean(name, names)}")
    return [replace(c, driven=c.name in driven, armature=rotors.get(c.name, 0.0)) for c in connections]


def _ground(links: list[Link], connections: list[Connection], free: list[str], base: str | None, place: Place) -> str:
    """The link that stands still."""
    names = [link.name for link in links]
    if base is not None:
        if base not in names:
            raise place.error(f"--base {base}: no such link; {did_you_mean(base, names)}")
        return base
    moved = {c.child for c in connections} | set(free)
    roots = [name for name in names if name not in moved]
    if any(c.parent == WORLD for c in connections) and WORLD not in names:
        return WORLD
    if len(roots) == 1:
        return roots[0]
    if not roots:
        raise place.error("every link is moved by a joint, so none is the base; name it: --base LINK")
    raise place.error(f"{len(roots)} links have no parent: {', '.join(roots[:6])}; a robot has one base: --base LINK")


def _unique(names: list[str], what: str, place: Place) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise place.error(f"{count} {what}s are called {name}; names must be unique")


def _left_out(root: Element) -> list[str]:
    """A line for each kind of element that a robot has no use for."""
    visuals, shapes = len(root.findall("link/visual")), len(root.findall("link/collision"))
    lines = [f"{visuals} visual shapes: left out, gough draws robots by itself"] if visuals else []
    lines += [f"{shapes} collision shapes: left out, gough has no contacts"] if shapes else []
    for tag in ("gazebo", "sensor", "ros2_control"):
        count = len(root.findall(tag))
        lines += [f"{count} <{tag}> elements: left out"] if count else []
    return lines
