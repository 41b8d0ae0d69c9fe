"""A leg of a robot from a branch of a linkage: elementary joints, each with the body it moves, and an end.

A ball in the chain becomes three hinges that are at zero at home, across the rod first and along it last. Where the leg
ends in a ball too, its spin about itself is left out (`free_spin`); three hinges through one point without mass between
them are such a ball. The frame of a body is the moved frame of its joint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gough.formats.linkage import Connection, Link, Linkage
from gough.formats.placement import Floats, Placement
from gough.formats.reading.couplings import Coupling
from gough.formats.reading.structure import Branch, Step
from gough.formats.xml_text import FormatError
from gough.robot import Body, End, Joint, JointSpring, Leg, Limits, Mimic

_SAME = 1e-9
_TWO_TURNS = 4 * np.pi


@dataclass(frozen=True, eq=False)
class Home:
    """A linkage where it is assembled.

    Attributes:
        linkage: Merged, so that only joints are left.
        places: Of its links in the world.
        values: Coordinates of hinges and slides; of those that close loops too.
        couplings: By the name of the connection that follows another.
        platform: The platform's link, and P's placement in it.
        size: Of the machine [m].
    """

    linkage: Linkage
    places: Mapping[str, Placement]
    values: Mapping[str, float]
    couplings: Mapping[str, Coupling]
    platform: str
    frame: Placement
    size: float


@dataclass
class Built:
    """A leg, and what became of things of the file.

    Attributes:
        leg: The leg.
        frames: For each of its links the joint whose body it is, and that body's frame in the link.
        joints: For each joint of the leg that is one of the file its connection.
        spin: Of a leg that spins freely: the link that does, and (3,) its spherical joint in it [m].
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
        name: Of the leg.
        short: Names of joints and bodies in the leg, by those of connections and links.
        label: What the file calls the leg, for messages.

    Raises:
        FormatError: The branch is no leg that gough has.
    """
    held: dict[str, float] = {}
    steps, end, starts = _with_ball_end(home, list(branch.steps))
    steps, balls, spinning = _spinning(home, steps, end, held, starts)
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
        built_end = End("spherical", owner, _vector(F.inverse().point(point)), platform_point=_vector(at))
    assert chain.position is not None or not last
    foot = chain.position or Placement()
    leg = Leg(
        name,
        tuple(chain.joints),
        built_end,
        _vector(foot.position),
        _matrix(foot.rotation),
        free_spin=spinning is not None,
    )
    frames = {link: (chain.joints[k].name, F) for link, (k, F) in chain.frames.items()}
    joints = {chain.joints[k].name: c for c, k in chain.connections.items()}
    return Built(leg, frames, joints, spinning, held, starts, chain.remarks)


EndPoint = tuple[str, Floats, Floats]
"""A spherical end: the last link, (3,) the point of it and (3,) that of the platform's link [m]."""


def _with_ball_end(home: Home, steps: list[Step]) -> tuple[list[Step], Step | EndPoint, dict[str, float]]:
    """The chain before its end, the end itself, and hinges that are part of it with their coordinates."""
    *before, last = steps
    if last.connection.kind == "ball":
        return before, (last.near, last.at_near.position, last.at_far.position), {}
    if last.connection.kind == "fixed":
        return before, last, {}
    centre = _meeting_point(home, steps[-3:]) if len(steps) > 3 else None
    if centre is not None:
        near = steps[-3].near
        ends = [home.places[link].inverse().point(centre) for link in (near, home.platform)]
        held = {step.connection.name: home.values[step.connection.name] for step in steps[-3:]}
        return steps[:-3], (near, ends[0], ends[1]), held
    return steps, last, {}


def _spinning(
    home: Home, steps: list[Step], end: Step | EndPoint, held: dict[str, float], starts: dict[str, float]
) -> tuple[list[Step], dict[str, Floats], tuple[str, Floats] | None]:
    """The chain, (3, 3) axes in the world of each ball in it by its name, and of a free spin its link and joint."""
    axes: dict[str, Floats] = {}
    for step in steps:
        if step.connection.kind == "ball":
            axes[step.connection.name] = _ball_axes(home, step, steps, end)
    own = sum(3 if s.connection.kind == "ball" else s.connection.name not in home.couplings for s in steps)
    if isinstance(end, Step) or own <= 3:
        return steps, axes, None
    tip = home.places[end[0]].point(end[1])
    for k, step in enumerate(steps):
        triple = steps[k : k + 3]
        ball = step.connection.kind == "ball"
        centre = (home.places[step.near] @ step.at_near).position if ball else _meeting_point(home, triple)
        if centre is None or not _slides_along(home, steps[k + (1 if ball else 3) :], tip - centre):
            continue
        link = step.far if ball else triple[2].far
        spin = link, home.places[link].inverse().point(centre)
        if ball:
            axes[step.connection.name] = axes[step.connection.name][:, :2]
            return steps, axes, spin
        line = (home.places[triple[2].near] @ triple[2].at_near).rotation @ triple[2].axis
        if np.linalg.norm(np.cross(line, tip - centre)) <= _SAME * home.size:
            third = triple[2].connection
            held[third.name] = home.values[third.name]
            return _without_third(home, steps, k), axes, spin
        made = _as_ball(home, triple, centre)
        for s in triple:
            starts[s.connection.name] = home.values[s.connection.name]
        folded = [*steps[:k], made, *steps[k + 3 :]]
        axes[made.connection.name] = _ball_axes(home, made, folded, end)[:, :2]
        return folded, axes, spin
    return steps, axes, None


def _slides_along(home: Home, steps: Sequence[Step], line: Floats) -> bool:
    """Whether what comes next only slides along a line."""
    for step in steps:
        axis = (home.places[step.near] @ step.at_near).rotation @ step.axis
        if step.connection.kind != "P" or np.linalg.norm(np.cross(axis, line)) > _SAME * home.size:
            return False
    return bool(np.linalg.norm(line) > _SAME * home.size)


def _without_third(home: Home, steps: list[Step], k: int) -> list[Step]:
    """The chain with the third of three hinges at k fixed where it is at home: its link moves with the second."""
    second, third = steps[k + 1], steps[k + 2]
    far_in_near = home.places[third.near].inverse() @ home.places[third.far]
    c = second.connection
    at_far = far_in_near.inverse() @ second.at_far
    if second.forward:
        made = replace(c, child=third.far, child_at=at_far)
    else:
        made = replace(c, parent=third.far, at=at_far)
    return [*steps[: k + 1], Step(made, second.forward), *steps[k + 3 :]]


def _as_ball(home: Home, triple: Sequence[Step], centre: Floats) -> Step:
    near, far = triple[0].near, triple[2].far
    at = [Placement(home.places[link].inverse().point(centre)) for link in (near, far)]
    return Step(Connection(triple[0].connection.name, "ball", near, far, at[0], at[1]), True)


def _meeting_point(home: Home, steps: Sequence[Step]) -> Floats | None:
    """(3,) the point of the world in which three plain hinges without mass between meet, or None."""
    if len(steps) != 3 or any(s.connection.kind != "R" or not _plain(home, s.connection) for s in steps):
        return None
    if not all(home.linkage.link(s.far).massless for s in steps[:2]):
        return None
    frames = [home.places[s.near] @ s.at_near for s in steps]
    axes = np.array([frame.rotation @ s.axis for frame, s in zip(frames, steps, strict=True)])
    rows = [np.eye(3) - np.outer(a, a) for a in axes]
    target = np.concatenate([row @ f.position for row, f in zip(rows, frames, strict=True)])
    point, _, rank, _ = np.linalg.lstsq(np.vstack(rows), target, rcond=1e-9)
    if rank < 3 or np.abs(np.vstack(rows) @ point - target).max() > _SAME * home.size:
        return None
    return point if abs(np.linalg.det(axes)) > 1e-6 else None


def _plain(home: Home, c: Connection) -> bool:
    """Whether nothing drives, brakes or couples a hinge."""
    followed = any(c.name == other.leader for other in home.couplings.values())
    return not (c.driven or c.viscous or c.spring or c.name in home.couplings or followed)


def _ball_axes(home: Home, step: Step, steps: Sequence[Step], end: Step | EndPoint) -> Floats:
    """(3, 3) in columns: two directions of the world across the rod behind a ball, and the one along it."""
    centre = (home.places[step.near] @ step.at_near).position
    k = steps.index(step)
    if k + 1 < len(steps):
        behind = home.places[step.far] @ steps[k + 1].at_near
        along = behind.position - centre
        if np.linalg.norm(along) <= _SAME * home.size and steps[k + 1].connection.kind == "P":
            along = behind.rotation @ steps[k + 1].axis
    else:
        target = end.at_near.position if isinstance(end, Step) else end[1]
        along = home.places[step.far].point(target) - centre
    length = np.linalg.norm(along)
    x = along / length if length > _SAME * home.size else np.array([0.0, 0.0, 1.0])
    y = np.cross(np.eye(3)[int(np.argmin(np.abs(x)))], x)
    y /= np.linalg.norm(y)
    return np.stack([y, np.cross(x, y), x], axis=1)


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
            moved = _in_frame(body, F) if k == count - 1 else Body()
            at_k = _founded(chain, parent, at) if k == 0 else Placement()
            joint = Joint(
                f"{short[c.name]}{k + 1}",
                "R",
                _vector(axis),
                _vector(at_k.position),
                _matrix(at_k.rotation),
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
    chain.joints.append(_joint(chain, home, step, short, at, parent, _in_frame(body, F)))
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
        _vector(step.axis),
        _vector(at.position),
        _matrix(at.rotation),
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
        return End("rigid", owner, platform_point=_vector(at.position), platform_rotation=_matrix(at.rotation))
    owner, F = chain.frames[step.near]
    own, at = F.inverse() @ step.at_near, to_P @ step.at_far
    return End(
        "rigid",
        owner,
        _vector(own.position),
        _matrix(own.rotation),
        _vector(at.position),
        _matrix(at.rotation),
    )


def _body(link: Link, short: Mapping[str, str]) -> Body:
    if link.massless:
        return Body()
    return body_of(link, short[link.name])


def body_of(link: Link, name: str) -> Body:
    """The body of a link, in the link's frame."""
    I = link.inertia
    six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return Body(name, float(link.mass), _vector(link.com), tuple(float(v) + 0.0 for v in six))  # type: ignore[arg-type]


def _in_frame(body: Body, F: Placement) -> Body:
    """A body of a link in a frame F of it."""
    if body.is_massless or (not F.position.any() and np.array_equal(F.rotation, np.eye(3))):
        return body
    inertia = F.rotation.T @ np.array(body.tensor, dtype=float) @ F.rotation
    com = F.inverse().point(body.com)
    return body_of(Link("", body.mass, com, (inertia + inertia.T) / 2), body.name)


def in_frame(body: Body, F: Placement) -> Body:
    """A body of a link in a frame F of it."""
    return _in_frame(body, F)


def _vector(v: Any) -> tuple[float, float, float]:
    x, y, z = (float(entry) + 0.0 for entry in v)
    return x, y, z


def _matrix(R: Any) -> Any:
    return tuple(_vector(row) for row in R)
