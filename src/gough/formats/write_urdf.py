"""URDF, a tree, and beside it a YAML file of the loops that close it.

The YAML file is that of Gepetto's example-parallel-robots (read at commit bf6965485a02): `closed_loop` pairs of frames
that meet, `type` "3d" or "6d" of each, `name_mot` the driven joints. Keys of its own, which others pass over, hold what
neither has a place for: `home`, `home_platform` (x y z, quaternion x y z w) and `gravity`. A platform that no leg
carries hangs on the world by a floating joint. Rotors are written as Drake reads them, in the transmissions.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.linkage import WORLD, Connection, Link, Linkage, refuse_cables
from gough.formats.placement import Placement, to_quaternion, to_rpy
from gough.formats.xml_text import document, element, number, numbers

FORMAT = "URDF"
UNLIMITED = 1e9
"""Written where URDF asks for a limit and there is none."""


def urdf_text(linkage: Linkage) -> tuple[str, str, list[str]]:
    """The URDF file, the YAML file, and a line for each thing they leave out.

    Raises:
        InputError: The machine has cables.
    """
    refuse_cables(linkage, "URDF")
    remarks = [*linkage.remarks]
    remarks += [f"spring {rope.name}: left out, URDF has no springs" for rope in linkage.ropes]
    root = Element("robot", {"name": linkage.name, "xmlns:drake": "http://drake.mit.edu"})
    element(root, "link", {"name": WORLD})
    for link in linkage.links:
        _add_link(root, link)
    for c in linkage.connections:
        if not c.closes:
            _add_joint(root, c)
            if c.spring is not None:
                remarks.append(f"{c.name}: its spring is left out, URDF has no springs")
    for name in linkage.free:
        joint = element(root, "joint", {"name": name, "type": "floating"})
        _ends(joint, WORLD, name, Placement())
    for c in linkage.connections:
        if c.closes:
            for carrier, at, suffix in ((c.parent, c.at, ""), (c.child, c.child_at, ".other")):
                element(root, "link", {"name": f"{c.name}{suffix}"})
                joint = element(root, "joint", {"name": f"{c.name}{suffix}.frame", "type": "fixed"})
                _ends(joint, carrier, f"{c.name}{suffix}", at)
    for c in linkage.connections:
        if c.driven:
            _add_transmission(root, c)
    head = [f"{linkage.name}, written by gough; the loops are in the YAML file beside it", *remarks]
    return document(root, head), _loops(linkage), remarks


def _add_link(root: Element, link: Link) -> None:
    made = element(root, "link", {"name": link.name})
    if not link.massless:
        inertial = element(made, "inertial")
        element(inertial, "origin", {"xyz": numbers(link.com), "rpy": "0 0 0"})
        element(inertial, "mass", {"value": number(link.mass)})
        I = link.inertia
        six = {"ixx": I[0, 0], "ixy": I[0, 1], "ixz": I[0, 2], "iyy": I[1, 1], "iyz": I[1, 2], "izz": I[2, 2]}
        element(inertial, "inertia", {key: number(value) for key, value in six.items()})
    for rod in link.rods:
        visual = element(made, "visual")
        length = float(np.linalg.norm(rod.stop - rod.start))
        place = Placement((rod.start + rod.stop) / 2, along(rod.stop - rod.start)) if length else Placement(rod.start)
        _origin(visual, place)
        geometry = element(visual, "geometry")
        if length:
            element(geometry, "cylinder", {"radius": number(rod.radius), "length": number(length)})
        else:
            element(geometry, "sphere", {"radius": number(rod.radius)})


def along(direction: np.ndarray) -> np.ndarray:
    """(3, 3) a rotation that takes z to a direction (3,)."""
    z = direction / np.linalg.norm(direction)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _add_joint(root: Element, c: Connection) -> None:
    if c.kind == "fixed":
        joint = element(root, "joint", {"name": c.name, "type": "fixed"})
        _ends(joint, c.parent, c.child, c.at @ c.child_at.inverse())
        return
    if c.kind == "P":
        kind = "prismatic"
    else:
        kind = "revolute" if c.range is not None else "continuous"
    joint = element(root, "joint", {"name": c.name, "type": kind})
    _ends(joint, c.parent, c.child, c.at)
    element(joint, "axis", {"xyz": numbers(c.axis)})
    low, high = c.range or ((-UNLIMITED, UNLIMITED) if c.kind == "P" else (None, None))
    effort = (UNLIMITED if c.effort is None else c.effort) if c.driven else 0.0
    limit = {"effort": number(effort), "velocity": number(UNLIMITED if c.speed is None else c.speed)}
    if low is not None and high is not None:
        limit = {"lower": number(low), "upper": number(high), **limit}
    element(joint, "limit", limit)
    if c.viscous or c.coulomb:
        element(joint, "dynamics", {"damping": number(c.viscous), "friction": number(c.coulomb)})
    if c.follows is not None:
        f = c.follows
        element(joint, "mimic", {"joint": f.leader, "multiplier": number(f.ratio), "offset": number(f.offset)})


def _ends(joint: Element, parent: str, child: str, at: Placement) -> None:
    _origin(joint, at)
    element(joint, "parent", {"link": parent})
    element(joint, "child", {"link": child})


def _origin(node: Element, place: Placement) -> None:
    element(node, "origin", {"xyz": numbers(place.position), "rpy": numbers(to_rpy(place.rotation))})


def _add_transmission(root: Element, c: Connection) -> None:
    made = element(root, "transmission", {"name": c.name})
    element(made, "type", text="transmission_interface/SimpleTransmission")
    joint = element(made, "joint", {"name": c.name})
    element(joint, "hardwareInterface", text="hardware_interface/EffortJointInterface")
    motor = element(made, "actuator", {"name": c.name})
    if c.armature:
        element(motor, "drake:rotor_inertia", {"value": number(c.armature)})
        element(motor, "drake:gear_ratio", {"value": "1"})


def _loops(linkage: Linkage) -> str:
    closing = [c for c in linkage.connections if c.closes]
    kinds = {"ball": "3d", "fixed": "6d"}
    home = [f"  {c.name!r}: {float(c.home)!r}" for c in linkage.connections if c.kind in ("R", "P")]
    lines = [
        "closed_loop: " + str([[c.name, f"{c.name}.other"] for c in closing]),
        "type: " + str([kinds[c.kind] for c in closing]),
        "name_mot: " + str([c.name for c in linkage.connections if c.driven]),
        "gravity: " + str([float(g) for g in linkage.gravity]),
        "home:",
        *home,
    ]
    for name, place in linkage.free.items():
        w, x, y, z = to_quaternion(place.rotation)
        lines.append(f"home_{name}: " + str([float(v) for v in (*place.position, x, y, z, w)]))
    return "\n".join(lines) + "\n"
