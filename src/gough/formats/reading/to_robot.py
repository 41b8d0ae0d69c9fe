"""The robot that is in a linkage: its base, its legs, its platform, and what could not be kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from gough.formats.engines.names_in_file import Names
from gough.formats.linkage import WORLD, Linkage, Rope
from gough.formats.placement import Floats, Placement
from gough.formats.reading.home import home_of
from gough.formats.reading.leg_of import Built, leg_of
from gough.formats.reading.link_body import body_of, in_frame
from gough.formats.reading.machine import Machine, machine_of
from gough.formats.reading.platform_motion import NAMES, Chosen, chosen_coordinates
from gough.formats.reading.structure import Branch
from gough.formats.xml_text import FormatError
from gough.robot import Actuation, Anchor, Coordinate, Leg, Mechanism, Platform, PointSpring, Robot
from gough.robot.checks.column_names import ANYWHERE
from gough.robot.file.write import mechanism_spec
from gough.robot.legs.short_forms import SHORT_FORMS


@dataclass(frozen=True, eq=False)
class Found:
    """A robot read from a file.

    Attributes:
        robot: In its explicit form.
        names: What its things are called in the file.
        remarks: A line for each thing that was left out or changed.
    """

    robot: Robot
    names: Names
    remarks: tuple[str, ...]


def robot_of(
    linkage: Linkage,
    platform: str | None = None,
    actuated: Sequence[str] | None = None,
    base: str | None = None,
    independent: Sequence[str] | None = None,
) -> Found:
    """The robot of a linkage.

    Args:
        linkage: As a file has it.
        platform: Name of the platform's link; found if None.
        actuated: Names of the driven joints; those of the file if None.
        base: A link that stands still; what the file has if None.
        independent: Platform motions that the others follow, as "z", "roll" or "rx"; chosen if None.

    Raises:
        FormatError: There is no such robot in it.
    """
    machine = machine_of(linkage, platform, actuated, base)
    linkage, platform, legs = machine.linkage, machine.platform, machine.legs
    point = not _turns(machine)
    chosen = chosen_coordinates(machine.assembly, platform, machine.size, not point, independent)
    if point:  # P stands in the point itself
        chosen = _in_point(chosen, legs[0].steps[-1].at_far.position)
    home = home_of(machine, chosen.frame)
    built = [leg_of(home, branch, name, short, name) for (branch, name, short) in _named(legs)]
    body = in_frame(body_of(linkage.link(platform), _word(platform)), chosen.frame)
    plate = Platform(body, *_coordinates(chosen))
    cables = [_cable(rope, plate, chosen, platform) for rope in machine.cables]
    whole = Mechanism(
        _word(linkage.name) or "robot",
        plate,
        (*(b.leg for b in built), *cables),
        gravity=cast(Any, tuple(float(g) for g in linkage.gravity)),
        springs=tuple(_springs(linkage, built, platform, chosen)),
    )
    remarks = [*linkage.remarks, *(line for b in built for line in b.remarks), *_of_frame(chosen, platform)]
    whole, more = _shared(whole)
    robot = Robot.from_spec(mechanism_spec(whole))
    names = _names(built, machine, chosen)
    return Found(robot, names, (*remarks, *more))


def _turns(machine: Machine) -> bool:
    """Whether the platform's turning counts: not where it is a point in which all its legs end by balls."""
    link = machine.linkage.link(machine.platform)
    ends = [branch.steps[-1] for branch in machine.legs]
    if machine.cables or any(e.connection.kind != "ball" for e in ends):
        return True
    spread = max(np.abs(end.at_far.position - ends[0].at_far.position).max() for end in ends)
    return bool(spread > 1e-9 or link.inertia.any() or np.abs(link.com - ends[0].at_far.position).max() > 1e-9)


def _in_point(chosen: Chosen, point: Floats) -> Chosen:
    """The coordinates with P's origin in a point (3,) of the platform's link."""
    shift = chosen.frame.rotation.T @ point
    whole = dict(zip("xyz", chosen.origin.position + shift, strict=True))
    home = tuple(v + float(shift["xyz".index(m)]) for m, v in zip(chosen.motions, chosen.home, strict=True))
    origin = Placement(np.array([0.0 if m in chosen.motions else whole[m] for m in "xyz"]))
    return replace(chosen, home=home, origin=origin, frame=Placement(point, chosen.frame.rotation))


def _word(text: str) -> str:
    """A name that gough can have, of any text."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:60]


def _named(legs: Sequence[Branch]) -> list[tuple[Branch, str, dict[str, str]]]:
    """Each leg with its name and the names of its joints and bodies: those of the file, without what all share.

    A leg is called as what stands before the point in all its names, else as the one joint that drives it, else by its
    number.
    """
    found: list[tuple[Branch, str, dict[str, str]]] = []
    prefixes = [_prefix(leg) for leg in legs]
    distinct = all(prefixes) and len(set(prefixes)) == len(prefixes)
    for k, leg in enumerate(legs):
        prefix = f"{prefixes[k]}." if distinct else ""
        joints = [step.connection.name for step in (*leg.steps, *leg.side)]
        short: dict[str, str] = {}
        for full in joints:
            short[full] = _unique(_word(full.removeprefix(prefix)) or "joint", [*short.values(), "base"])
        for link in leg.links:
            own = link.removeprefix(prefix).removesuffix(".link")
            short[link] = _word(own) or "body"
        name = _word(prefixes[k]) if distinct else _drive(leg)
        found.append((leg, _unique(name or str(k + 1), [*ANYWHERE, *(taken for _, taken, _ in found)]), short))
    return found


def _drive(leg: Branch) -> str:
    """Name of the joint that drives a leg, or nothing where not just one does."""
    driven = [step.connection.name for step in (*leg.steps, *leg.side) if step.connection.driven]
    return _word(driven[0]) if len(driven) == 1 else ""


def _prefix(leg: Branch) -> str:
    """What stands before the point in the names of all its joints, or nothing."""
    names = [step.connection.name for step in leg.steps if step.connection.kind != "fixed"]
    starts = {name.partition(".")[0] for name in names if "." in name}
    return starts.pop() if all("." in name for name in names) and len(starts) == 1 else ""


def _unique(name: str, taken: Sequence[str]) -> str:
    if name not in taken:
        return name
    return next(f"{name}_{k}" for k in range(2, 1000) if f"{name}_{k}" not in taken)


def _coordinates(chosen: Chosen) -> tuple[Any, ...]:
    """Arguments of a platform behind its body."""
    own = [k for k, m in enumerate(chosen.motions) if m not in chosen.dependent]
    rest = [k for k, m in enumerate(chosen.motions) if m in chosen.dependent]
    listed = [Coordinate(NAMES[m], cast(Any, m)) for m in chosen.motions]
    position = tuple(float(v) + 0.0 for v in chosen.origin.position)
    return (
        tuple(listed[k] for k in own),
        tuple(chosen.home[k] for k in own),
        position,
        Platform.__dataclass_fields__["rotation"].default,
        tuple(listed[k] for k in rest),
        tuple(chosen.home[k] for k in rest),
        tuple(c.name for c in listed) if rest else (),
    )


def _cable(rope: Rope, plate: Platform, chosen: Chosen, platform: str) -> Leg:
    from gough.robot.rotation import pose

    ends = {rope.first.link: rope.first.point, rope.second.link: rope.second.point}
    if set(ends) != {WORLD, platform}:
        raise FormatError(
            f"cable {rope.name}: runs from {rope.first.link} to {rope.second.link}; gough has them "
            "from the base to the platform"
        )
    assert rope.tension is not None  # the machine's cables; springs are not among them
    whole = plate.whole()
    entry = {
        "name": _word(rope.name),
        "type": "cable",
        "base": [float(v) for v in ends[WORLD]],
        "platform": [float(v) for v in chosen.frame.inverse().point(ends[platform])],
        "tension": list(rope.tension),
        "actuator": {
            "viscous": rope.viscous,
            "coulomb": rope.coulomb,
            "rotor_inertia": rope.armature,
            **({} if rope.range is None else {"stroke": list(rope.range)}),
        },
    }
    return SHORT_FORMS["cable"].leg(entry, *pose(whole, whole.home))


def _springs(linkage: Linkage, built: Sequence[Built], platform: str, chosen: Chosen) -> list[PointSpring]:
    frames: dict[str, tuple[str, Placement]] = {WORLD: ("base", Placement()), platform: ("platform", chosen.frame)}
    for b in built:
        frames |= {link: (f"{b.leg.name}.{joint}", F) for link, (joint, F) in b.frames.items() if link != platform}
    found = []
    for rope in linkage.ropes:
        if rope.tension is None:
            ends = []
            for hook in (rope.first, rope.second):
                body, F = frames[hook.link]
                x, y, z = (float(v) for v in F.inverse().point(hook.point))
                ends.append(Anchor(body, (x, y, z)))
            found.append(PointSpring(_word(rope.name), ends[0], ends[1], rope.stiffness, rope.free_length))
    return found


def _of_frame(chosen: Chosen, platform: str) -> list[str]:
    if np.array_equal(chosen.frame.rotation, np.eye(3)):
        return []
    return [f"{platform}: the platform's axes are those of the base at home, not those of its link"]


def _shared(robot: Mechanism) -> tuple[Mechanism, list[str]]:
    """The mechanism with a way to share forces where it has more actuators than coordinates; too few are refused."""
    driven = len(robot.actuators)
    if driven < robot.dof:
        passive = [f"{leg.name}.{j.name}" for leg in robot.legs for j in leg.joints if not j.actuated and not j.mimic]
        raise FormatError(
            f"{driven} driven joints for {robot.dof} motions of the platform; name the driven joints: --actuated "
            f"A,B,.. (passive are {', '.join(passive[:6])}{', ..' if len(passive) > 6 else ''})"
        )
    if robot.cables:
        from gough.robot.legs.expand import expand_actuation

        return replace(robot, actuation=expand_actuation(None, robot.legs)), []
    if driven > robot.dof:
        line = f"{driven} driven joints for {robot.dof} motions: [actuation] shares forces by least squares"
        return replace(robot, actuation=Actuation()), [line]
    return robot, []


def _names(built: Sequence[Built], machine: Machine, chosen: Chosen) -> Names:
    joints = {f"{b.leg.name}.{name}": c for b in built for name, c in b.joints.items()}
    drives = [joints[f"{b.leg.name}.{j.name}"] for b in built for j in b.leg.joints if j.actuated]
    actuators = (*drives, *(rope.name for rope in machine.cables))
    spinning = {b.leg.name: b.spin for b in built if b.spin is not None}
    held = {name: value for b in built for name, value in b.held.items()}
    starts = {name: value for b in built for name, value in b.starts.items()} | machine.changed
    own = {joint: name for joint, name in joints.items() if name not in machine.changed}
    return Names(machine.platform, own, actuators, spinning, held, chosen.frame, starts)
