"""The graph of a mechanism: bodies are its nodes, joints its edges, and loops what is left of it beyond a tree.

The lecture on parallel manipulators counts independent loops by iota = j - l + 1, with j joints and l bodies, the base
included.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from gough.brief import brief
from gough.robot.leg_values import Leg
from gough.robot.mechanism import Mechanism

BASE, PLATFORM = "base", "platform"


@dataclass(frozen=True, slots=True)
class GraphBody:
    """A node.

    Attributes:
        name: "base", "platform", or "leg.joint" for the link behind that joint.
        body: Its body's name in the robot's file; empty for a link without mass.
        leg: Name of its leg; empty for base and platform.
    """

    name: str
    body: str
    leg: str


@dataclass(frozen=True, slots=True)
class GraphJoint:
    """An edge.

    Attributes:
        name: "leg.joint", or "leg.end" for the spherical joint on the platform.
        kind: "R", "P" or, on the platform, "S".
        carrier, carried: Names of the bodies it joins.
        actuated: Whether it is driven.
        mimic: Name of the joint it follows, empty if none.
        leg: Name of its leg.
    """

    name: str
    kind: str
    carrier: str
    carried: str
    actuated: bool
    mimic: str
    leg: str


@dataclass(frozen=True, slots=True)
class SystemGraph:
    """Bodies and joints of a robot; universal joints count as two joints with a body between them."""

    __repr__ = brief

    bodies: tuple[GraphBody, ...]
    joints: tuple[GraphJoint, ...]

    @property
    def loops(self) -> int:
        """Number of independent loops, iota = j - l + 1.

        A joint that follows another stands for a loop inside a parallelogram; that one is not counted.
        """
        return len(self.joints) - len(self.bodies) + 1

    def to_dot(self) -> str:
        """The graph in Graphviz' language."""
        lines = ["graph {", "  rankdir=BT; node [shape=circle, width=0.3, fontsize=10]; edge [fontsize=9];"]
        for body in self.bodies:
            shape = ", shape=box" if not body.leg else ""
            lines.append(
                f"  {json.dumps(body.name)} [label={json.dumps(body.body or ('' if body.leg else body.name))}{shape}];"
            )
        for joint in self.joints:
            style = ", penwidth=3" if joint.actuated else ", style=dashed" if joint.mimic else ""
            label = json.dumps(joint.name)
            lines.append(f"  {json.dumps(joint.carrier)} -- {json.dumps(joint.carried)} [label={label}{style}];")
        return "\n".join([*lines, "}"]) + "\n"


def system_graph(robot: Mechanism) -> SystemGraph:
    """Bodies and joints of a robot. The last link of a leg that ends rigidly is the platform."""
    bodies = [GraphBody(BASE, BASE, ""), GraphBody(PLATFORM, robot.platform.body.name or PLATFORM, "")]
    joints: list[GraphJoint] = []
    for leg in robot.legs:
        links = _links(leg)
        for k, joint in enumerate(leg.joints):
            carrier = links[joint.parent] if joint.parent >= 0 else BASE
            follows = "" if joint.mimic is None else f"{leg.name}.{leg.joints[joint.mimic.joint].name}"
            name = f"{leg.name}.{joint.name}"
            joints.append(GraphJoint(name, joint.kind, carrier, links[k], joint.actuated, follows, leg.name))
            if links[k] != PLATFORM:
                heavy = not joint.body.is_massless
                bodies.append(GraphBody(links[k], joint.body.name if heavy else "", leg.name))
        if leg.end.kind == "spherical":
            end = f"{leg.name}.end"
            joints.append(GraphJoint(end, "S", links[leg.end.joint], PLATFORM, False, "", leg.name))
    return SystemGraph(tuple(bodies), tuple(joints))


def _links(leg: Leg) -> list[str]:
    """Names of the bodies behind a leg's joints."""
    names = [f"{leg.name}.{joint.name}" for joint in leg.joints]
    if leg.end.kind == "rigid":
        names[leg.end.joint] = PLATFORM
    return names
