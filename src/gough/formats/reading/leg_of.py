"""A leg of a robot from a branch of a linkage: elementary joints, each with the body it moves, and an end.

The frame of a body is the moved frame of its joint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gough.formats.linkage import Connection, Link
from gough.formats.placement import Floats, Placement
from gough.formats.reading.balls import spinning_of, with_ball_end
from gough.formats.reading.home import Home
from gough.formats.reading.link_body import body_of, in_frame, matrix, vector
from gough.formats.reading.structure import Branch, Step
from gough.formats.xml_text import FormatError
from gough.robot import Body, End, Joint, JointSpring, Leg, Limits, Mimic

_TWO_TURNS = 4 * np.pi


@dataclass
class Built:
    """A leg, and what became of things of the file.

    Attributes:
        leg: The leg.
        frames: For each of its links the joint whose body it is, and that body's frame in the link.
        joints: For each joint of the leg that is one of the file its connection.
        spin: The link that spins freely, if one does, and (3,) its spherical joint in it [m].
        held: Connections whose coordinates the leg does not have and which keep their values.
        starts: Those that it does not have and which move, with their values at home.
        remarks: What was left out.
    """

    leg: Leg
    frames: dict[str, tuple[str, Placement]]
    joints: dict[str, str]
    spin: tuple[str, Floats] | None
    held: dict[str, float]
    starts: dict[str, float]
    remarks: list[str]


@dataclass
class _Chain:
    """Joints so far."""

    joints: list[Joint] = field(default_factory=list)
    frames: dict[str, tuple[int, Placement]] = field(default_factory=dict)
    connections: dict[str, int] = field(default_factory=dict)
    position: Placement | None = None
    remarks: list[str] = field(default_factory=list)


def leg_of(home: Home, branch: Branch, name: str, short: Mapping[str, str], label: str) -> Built:
    """The leg of a branch.

    Args:
        home: The machine.
        branch: The leg's links and joints.
        name: Name of the leg.
        short: Names of joints and bodies in the leg, by those of connections and links.
        label: What the file calls the leg, for messages.

    Raises:
        FormatError: The branch is no leg that gough has.
    """
    held: dict[str, float] = {}
    steps, end, starts = with_ball_end(home, list(branch.steps))
    steps, balls, spinning = spinning_of(home, steps, end, held, starts)
    chain = _Chain()
    for step in steps:
        _add(chain, home, step, short, balls)
    for step in branch.side:
        _add_side(chain, home, step, short, label)
    last = steps[-1].far if steps else ""
    if isinstance(end, Step):
        built_end = _end(chain, home, end)
    else:
        near, point, met = end
        owner, F = chain.frames[near]
        at = home.frame.inverse().point(met)
        built_end = End("spherical", owner, vector(F.inverse().point(point)), platform_point=vector(at))
    assert chain.position is not None or not last
    foot = chain.position or Placement()
    leg = Leg(
        name,
        tuple(chain.joints),
        built_end,
        vector(foot.position),
        matrix(foot.rotation),
        free_spin=spinning is not None,
    )
    frames = {link: (chain.joints[k].name, F) for link, (k, F) in chain.frames.items()}
    joints = {chain.joints[k].name: c for c, k in chain.connections.items()}
    return Built(leg, frames, joints, spinning, held, starts, chain.remarks)


def _add(chain: _Chain, home: Home, step: Step, short: Mapping[str, str], balls: Mapping[str, Floats]) -> None:
    """Add the joints of one step."""
    c = step.connection
    parent, before = chain.frames.get(step.near, (-1, Placement()))
    body = _body(home.linkage.link(step.far), short) if step.far != home.platform else Body()
    if c.kind == "ball":
        axes = balls[c.name]
        R = np.stack([np.cross(axes[:, 0], axes[:, 1]), axes[:, 0], axes[:, 1]], axis=1)
        at = before.inverse() @ Placement(step.at_near.position, home.places[step.near].rotation.T @ R)
        F = Placement(step.at_far.position, home.places[step.far].rotation.T @ R)
        count = axes.shape[1]
        for k in range(count):
            axis = np.eye(3)[(1, 2, 0)[k]]
            moved = in_frame(body, F) if k == count - 1 else Body()
            at_k = _founded(chain, parent, at) if k == 0 else Placement()
            joint = Joint(
                f"{short[c.name]}{k + 1}",
                "R",
                vector(axis),
                vector(at_k.position),
                matrix(at_k.rotation),
                parent if k == 0 else len(chain.joints) - 1,
                start=0.0,
                body=moved,
                group=short[c.name],
            )
            chain.joints.append(joint)
        chain.frames[step.far] = len(chain.joints) - 1, F
        return
    at = before.inverse() @ step.at_near
    at = _founded(chain, parent, at)
    F = step.at_far
    chain.connections[c.name] = len(chain.joints)
    chain.joints.append(_joint(chain, home, step, short, at, parent, in_frame(body, F)))
    chain.frames[step.far] = len(chain.joints) - 1, F


def _founded(chain: _Chain, parent: int, at: Placement) -> Placement:
    """A joint's frame in its carrier's; the first of the base becomes the leg's own frame."""
    if parent >= 0:
        return at
    if chain.position is None:
        chain.position = at
        return Placement()
    return chain.position.inverse() @ at


def _add_side(chain: _Chain, home: Home, step: Step, short: Mapping[str, str], label: str) -> None:
    c = step.connection
    if c.name in home.couplings and c.kind in ("R", "P"):
        _add(chain, home, step, short, {})
        return
    link = home.linkage.link(step.far)
    if not link.massless:
        raise FormatError(
            f"link {link.name}: hangs on leg {label} by {c.name}, which follows no other joint, so that nothing "
            "decides its motion; fix it, couple it to another joint, or remove it"
        )
    chain.remarks.append(f"{link.name}: left out, it has no mass and leads nowhere")


def _joint(
    chain: _Chain, home: Home, step: Step, short: Mapping[str, str], at: Placement, parent: int, body: Body
) -> Joint:
    c = step.connection
    if c.kind == "fixed":
        raise FormatError(f"{c.name}: is fixed in the middle of a leg")  # merged before
    coupling = home.couplings.get(c.name)
    mimic, group = None, ""
    if coupling is not None:
        leader = chain.connections[coupling.leader]
        mimic = Mimic(leader, float(coupling.ratio), float(coupling.offset))
        if chain.joints[leader].kind != c.kind:
            group = chain.joints[leader].group or chain.joints[leader].name
            chain.joints[leader] = replace(chain.joints[leader], group=group)
    spring = None if c.spring is None else JointSpring(c.spring.stiffness, c.spring.rest - c.zero)
    return Joint(
        short[c.name],
        "P" if c.kind == "P" else "R",
        vector(step.axis),
        vector(at.position),
        matrix(at.rotation),
        parent,
        mimic,
        c.driven,
        c.zero,
        start=home.values[c.name],
        limits=_limits(chain, c),
        viscous=c.viscous,
        coulomb=_of_motor(chain, c, "coulomb", "dry friction"),
        rotor_inertia=_of_motor(chain, c, "armature", "the rotor"),
        body=body,
        group=group,
        spring=spring,
    )


def _of_motor(chain: _Chain, c: Connection, key: str, what: str) -> float:
    """A value that only a driven joint can have."""
    value = float(getattr(c, key))
    if value and not c.driven:
        chain.remarks.append(f"{c.name}: {what} of {value:g} left out, gough has it in driven joints only")
        return 0.0
    return value


def _limits(chain: _Chain, c: Connection) -> Limits:
    stroke = None if c.range is None else (c.range[0] - c.zero, c.range[1] - c.zero)
    if stroke is not None and c.kind == "R" and max(map(abs, stroke)) > _TWO_TURNS:
        chain.remarks.append(f"{c.name}: its range of {stroke[0]:g} to {stroke[1]:g} rad is taken as none")
        stroke = None
    return Limits(stroke, c.speed if c.driven else None, c.effort if c.driven else None)


def _end(chain: _Chain, home: Home, step: Step) -> End:
    """A rigid end: the frames of a fixed connection, or a joint's body that is the platform itself."""
    to_P = home.frame.inverse()
    if step.connection.kind != "fixed":
        owner, F = chain.frames[step.far]
        at = to_P @ F
        return End("rigid", owner, platform_point=vector(at.position), platform_rotation=matrix(at.rotation))
    owner, F = chain.frames[step.near]
    own, at = F.inverse() @ step.at_near, to_P @ step.at_far
    return End(
        "rigid",
        owner,
        vector(own.position),
        matrix(own.rotation),
        vector(at.position),
        matrix(at.rotation),
    )


def _body(link: Link, short: Mapping[str, str]) -> Body:
    if link.massless:
        return Body()
    return body_of(link, short[link.name])
