"""SDFormat: links at their places in the assembled machine, and joints between them, those that close loops too.

A joint's coordinate is zero where the file has the links, that is at home: limits, springs and what follows another are
counted from there. Rotors are written as Drake reads them; a joint that follows another as SDFormat 1.11 has it.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.inertia_floor import lifted
from gough.formats.linkage import WORLD, Connection, Link, Linkage, refuse_cables
from gough.formats.placement import Placement, moved, to_rpy
from gough.formats.write_urdf import along
from gough.formats.xml_text import comment, document, element, number, numbers

FORMAT = "SDF (Gazebo)"
UNSIMULATED = "engines do not simulate a link so light; state its mass in the robot's file"


def sdf_text(linkage: Linkage) -> tuple[str, list[str]]:
    """The file, and a line for each thing it leaves out or changes.

    Raises:
        InputError: The machine has cables.
    """
    refuse_cables(linkage, "SDF")
    remarks = [*linkage.remarks]
    remarks += [f"spring {rope.name}: left out, SDF has no springs between points" for rope in linkage.ropes]
    follows = any(c.follows is not None for c in linkage.connections)
    root = Element("sdf", {"version": "1.11" if follows else "1.9", "xmlns:drake": "http://drake.mit.edu"})
    world = element(root, "world", {"name": linkage.name})
    element(world, "gravity", text=numbers(linkage.gravity))
    model = element(world, "model", {"name": linkage.name})
    places = _places(linkage)
    for link in linkage.links:
        remark = _add_link(model, link, places[link.name])
        if remark:
            remarks.append(f"{link.name}: {remark}")
        if link.massless:
            remarks.append(f"{link.name}: {UNSIMULATED}")
    homes = {c.name: c.home for c in linkage.connections}
    for c in linkage.connections:
        _add_joint(model, c, homes)
    return document(root, [f"{linkage.name} at home, written by gough", *remarks]), remarks


def _places(linkage: Linkage) -> dict[str, Placement]:
    """Placement of each link in the world, at home."""
    found = {WORLD: Placement(), **linkage.free}
    todo = [WORLD, *linkage.free]
    while todo:
        name = todo.pop()
        for c in linkage.children(name):
            motion = moved(c.kind, c.axis, c.home)
            found[c.child] = found[name] @ c.at @ motion @ c.child_at.inverse()
            todo.append(c.child)
    return found


def _add_link(model: Element, link: Link, place: Placement) -> str:
    made = element(model, "link", {"name": link.name})
    mass, inertia, remark = lifted(link)
    if remark:
        comment(made, remark)
    _pose(made, place)
    inertial = element(made, "inertial")
    _pose(inertial, Placement(link.com))
    element(inertial, "mass", text=number(mass))
    six = element(inertial, "inertia")
    for key, (i, j) in _SIX.items():
        element(six, key, text=number(inertia[i, j]))
    for k, rod in enumerate(link.rods):
        visual = element(made, "visual", {"name": f"rod{k + 1}"})
        length = float(np.linalg.norm(rod.stop - rod.start))
        _pose(
            visual,
            Placement((rod.start + rod.stop) / 2, along(rod.stop - rod.start)) if length else Placement(rod.start),
        )
        shape = element(element(visual, "geometry"), "cylinder" if length else "sphere")
        element(shape, "radius", text=number(rod.radius))
        if length:
            element(shape, "length", text=number(length))
    return remark


_SIX = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
_KINDS = {"R": "revolute", "P": "prismatic", "ball": "ball", "fixed": "fixed"}


def _add_joint(model: Element, c: Connection, homes: dict[str, float]) -> None:
    joint = element(model, "joint", {"name": c.name, "type": _KINDS[c.kind]})
    element(joint, "parent", text=c.parent)
    element(joint, "child", text=c.child)
    _pose(joint, c.child_at)
    if c.kind in ("ball", "fixed"):
        return
    axis = element(joint, "axis")
    element(axis, "xyz", text=numbers(c.axis))
    limit = element(axis, "limit")
    if c.range is not None:
        element(limit, "lower", text=number(c.range[0] - c.home))
        element(limit, "upper", text=number(c.range[1] - c.home))
    effort = (-1.0 if c.effort is None else c.effort) if c.driven else 0.0
    element(limit, "effort", text=number(effort))
    if c.speed is not None:
        element(limit, "velocity", text=number(c.speed))
    dynamics = {"damping": c.viscous, "friction": c.coulomb}
    if c.spring is not None:
        dynamics |= {"spring_reference": c.spring.rest - c.home, "spring_stiffness": c.spring.stiffness}
    if any(dynamics.values()):
        made = element(axis, "dynamics")
        for key, value in dynamics.items():
            element(made, key, text=number(value))
    if c.follows is not None:
        f = c.follows
        mimic = element(axis, "mimic", {"joint": f.leader})
        element(mimic, "multiplier", text=number(f.ratio))
        offset = f.ratio * homes[f.leader] + f.offset - c.home
        element(mimic, "offset", text=number(0.0 if abs(offset) < 1e-12 else offset))
        element(mimic, "reference", text="0")
    if c.armature:
        element(joint, "drake:rotor_inertia", text=number(c.armature))
        element(joint, "drake:gear_ratio", text="1")


def _pose(node: Element, place: Placement) -> None:
    if place.position.any() or not np.array_equal(place.rotation, np.eye(3)):
        element(node, "pose", text=numbers([*place.position, *to_rpy(place.rotation)]))
