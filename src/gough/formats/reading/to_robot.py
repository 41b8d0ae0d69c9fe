"""The robot that is in a linkage: its base, its legs, its platform, and what could not be kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from gough.formats.engines.names import Names
from gough.formats.linkage import WORLD, Connection, Linkage
from gough.formats.placement import Floats, Placement
from gough.formats.reading.assembly import Assembly, Motions, closed, coordinate, size_of, start_of
from gough.formats.reading.couplings import couplings_of
from gough.formats.reading.leg_of import Built, Home, body_of, in_frame, leg_of
from gough.formats.reading.merge import merged, without_idle
from gough.formats.reading.parallelograms import with_parallelograms
from gough.formats.reading.platform_motion import NAMES, Chosen, chosen_coordinates
from gough.formats.reading.plausible import refuse_odd_sizes
from gough.formats.reading.span import spanned
from gough.formats.reading.structure import Branch, branches, possible_platforms, with_base
from gough.formats.xml_text import FormatError
from gough.robot import Actuation, Anchor, Coordinate, Leg, Platform, PointSpring, Robot
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.names import did_you_mean

_CLOSED = 1e-9
"""Largest gap, in sizes of the machine or rad, of a loop that counts as closed."""


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
        independent: Platform motions that the others follow, as "z" or "rx"; chosen if None.

    Raises:
        FormatError: There is no such robot in it.
    """
    refuse_odd_sizes(linkage)
    linkage = _based(linkage, base, platform)
    linkage = _driven(linkage, actuated)
    platform = _platform(linkage, platform)
    linkage, assembly, size = _assembled(linkage, platform)
    linkage, assembly, changed = _without_inner_loops(linkage, assembly, platform, size)
    legs, idle = branches(linkage, platform)
    linkage, assembly = _without_idle_ends(linkage, assembly, platform, idle)
    ropes = [rope for rope in linkage.ropes if rope.tension is not None]
    if len(legs) + len(ropes) < 2:
        raise FormatError(
            f"link {platform}: only {len(legs)} leg holds it, so there is no loop; a serial arm is not for gough, and "
            "a URDF needs --loops FILE.yaml to say where its branches meet"
        )
    point = not _turns(linkage, platform, legs)
    chosen = chosen_coordinates(assembly, platform, size, not point, independent)
    if point:  # P stands in the point itself
        chosen = _in_point(chosen, legs[0].steps[-1].at_far.position)
    home = _home(linkage, assembly, legs, platform, chosen, size)
    built = [
        leg_of(home, branch, name, short, name) for (branch, name, short) in _named(legs, linkage, platform, len(ropes))
    ]
    body = in_frame(body_of(linkage.link(platform), _word(platform)), chosen.frame)
    plate = Platform(body, *_coordinates(chosen))
    cables = [_cable(rope, linkage, plate, chosen, platform) for rope in ropes]
    robot = Robot(
        _word(linkage.name) or "robot",
        plate,
        (*(b.leg for b in built), *cables),
        gravity=cast(Any, tuple(float(g) for g in linkage.gravity)),
        springs=tuple(_springs(linkage, built, platform, chosen)),
    )
    remarks = [*linkage.remarks, *(line for b in built for line in b.remarks), *_of_frame(chosen, platform)]
    robot, more = _shared(robot)
    names = _names(robot, built, ropes, platform, chosen)
    if changed:
        own = {joint: name for joint, name in names.joints.items() if name not in changed}
        names = replace(names, joints=own, starts={**names.starts, **changed})
    return Found(robot, names, (*remarks, *more))


def _based(linkage: Linkage, base: str | None, platform: str | None) -> Linkage:
    """The linkage on a base that stands still."""
    names = [link.name for link in linkage.links]
    if base is not None:
        if base not in names:
            raise FormatError(f"--base {base}: no such link; {did_you_mean(base, names)}")
        if base in linkage.free:
            return with_base(linkage, base)
        return linkage
    stands = any(WORLD in (c.parent, c.child) for c in linkage.connections)
    stands = stands or any(WORLD in (r.first.link, r.second.link) for r in linkage.ropes)
    roots = [name for name in linkage.free if name != platform]
    if stands or not roots:
        return linkage
    return with_base(linkage, roots[0])


def _driven(linkage: Linkage, actuated: Sequence[str] | None) -> Linkage:
    """The linkage with just these joints driven."""
    if actuated is None:
        return linkage
    joints = [c.name for c in linkage.connections if c.kind in ("R", "P")]
    for name in actuated:
        if name not in joints:
            raise FormatError(f"--actuated {name}: no such hinge or slide; {did_you_mean(name, joints)}")
    connections = [replace(c, driven=c.name in actuated) for c in linkage.connections]
    return replace(linkage, connections=tuple(connections))


def _platform(linkage: Linkage, stated: str | None) -> str:
    names = [link.name for link in linkage.links]
    if stated is not None:
        if stated not in names:
            raise FormatError(f"--platform {stated}: no such link; {did_you_mean(stated, names)}")
        return stated
    if not any(c.closes for c in linkage.connections) and not any(r.tension for r in linkage.ropes):
        raise FormatError(
            "no loop: its joints make a tree, and a parallel robot has loops; if they are left out, name the frames "
            "that meet with --loops FILE.yaml"
        )
    held, _ = merged(linkage, next(iter(linkage.free), names[0]))
    found = possible_platforms(held)
    floating = [name for name in found if name in held.free]
    if len(floating) == 1:
        return floating[0]
    if len(found) == 1:
        return found[0]
    if found:
        raise FormatError(
            f"{len(found)} links could be the platform: {', '.join(found)}; name it: --platform {found[-1]}"
        )
    try:
        branches(held, next(iter(held.free), names[-1]))
    except FormatError as error:
        raise FormatError(f"no platform found: {error}") from None
    raise FormatError("no link is held by two legs or more; name the platform: --platform LINK")


def _assembled(linkage: Linkage, platform: str) -> tuple[Linkage, Assembly, float]:
    """The linkage with only joints left, assembled, and its size."""
    size = size_of(linkage)
    assembly, gap = closed(start_of(linkage), size)
    if gap > _CLOSED:
        raise FormatError(_open_loop(assembly, gap, size))
    names = {link.name for link in linkage.links}
    linkage = replace(linkage, free=assembly.linkage.free)
    held, where = merged(linkage, platform)
    if where[platform][0] != platform:
        raise FormatError(f"link {platform}: is fixed to the base, so it is no platform; there are {', '.join(names)}")
    slack = without_idle(held, platform, assembly.values)
    if slack is not held:
        held, _ = merged(slack, platform)
    again = _closed(_homed(held, assembly), size)
    return again.linkage, again, size


def _without_inner_loops(
    linkage: Linkage, assembly: Assembly, platform: str, size: float
) -> tuple[Linkage, Assembly, dict[str, float]]:
    """The machine with its parallelograms as joints that follow others, and hinges that the file has otherwise."""
    whole, _ = merged(linkage, platform, ends=False)
    made, changed = with_parallelograms(_closed(_homed(whole, assembly), size), platform, size)
    if not changed:
        return linkage, assembly, {}
    again = _closed(replace(made, connections=tuple(spanned(made.connections, list(made.free)))), size)
    return again.linkage, again, changed


def _closed(linkage: Linkage, size: float) -> Assembly:
    """The linkage assembled, from where it starts.

    Raises:
        FormatError: A loop stays open.
    """
    again, gap = closed(start_of(linkage), size)
    if gap > _CLOSED:
        raise FormatError(_open_loop(again, gap, size))
    linkage = replace(linkage, free=again.linkage.free)
    return Assembly(linkage, again.values, again.turns)


def _homed(linkage: Linkage, assembly: Assembly) -> Linkage:
    """The linkage whose coordinates start where it is assembled; balls are turned so that they stand at zero there."""
    made = []
    for c in linkage.connections:
        if c.closes:
            made.append(c)
        elif c.kind == "ball":
            made.append(replace(c, at=c.at @ Placement(rotation=assembly.turns[c.name])))
        else:
            made.append(replace(c, home=assembly.values.get(c.name, c.home)))
    return replace(linkage, connections=tuple(made))


def _open_loop(assembly: Assembly, gap: float, size: float) -> str:
    """The line of a machine whose loops do not close: the worst of them and how far it stays open."""
    worst, at = 0.0, ""
    for c in assembly.linkage.connections:
        if c.closes:
            only = replace(
                assembly.linkage, connections=tuple(o for o in assembly.linkage.connections if o is c or not o.closes)
            )
            found = np.abs(Motions(Assembly(only, assembly.values, assembly.turns), size).loops()[0]).max(initial=0.0)
            if found > worst:
                worst, at = float(found), c.name
    hint = "give the file more digits" if gap < 1e-4 else "is it assembled in the file's own pose?"
    return f"{at}: the loop stays open by {gap * size:.3g} m (or {gap:.3g} rad); {hint}"


def _turns(linkage: Linkage, platform: str, legs: Sequence[Branch]) -> bool:
    """Whether the platform's turning counts: not where it is a point in which all its legs end by balls."""
    link = linkage.link(platform)
    ends = [branch.steps[-1] for branch in legs]
    if any(rope.tension is not None for rope in linkage.ropes) or any(e.connection.kind != "ball" for e in ends):
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


def _without_idle_ends(
    linkage: Linkage, assembly: Assembly, platform: str, idle: Sequence[Connection]
) -> tuple[Linkage, Assembly]:
    """The linkage without links that do not reach the platform; what hangs on the platform is fixed to it at home."""
    if not idle:
        return linkage, assembly
    names = {name for c in idle for name in (c.parent, c.child)} - {WORLD, platform}
    places, parts, remarks = assembly.places(), [], list(linkage.remarks)
    on_platform = {c.name for c in idle if platform in (c.parent, c.child)}
    hanging = _reached(idle, platform) if on_platform else set()
    for name in sorted(names & hanging):
        parts.append((linkage.link(name), places[platform].inverse() @ places[name]))
        remarks.append(f"{name}: hangs on the platform; fixed to it where it is at home")
    for name in sorted(names - hanging):
        remarks.append(f"{name}: left out, it does not reach the platform")
    from gough.formats.reading.merge import composite

    whole = composite([(linkage.link(platform), Placement()), *parts], platform)
    links = tuple(whole if link.name == platform else link for link in linkage.links if link.name not in names)
    lost = {c.name for c in idle}
    kept = tuple(c for c in linkage.connections if c.name not in lost)
    ropes = tuple(r for r in linkage.ropes if not {r.first.link, r.second.link} & names)
    free = {name: place for name, place in linkage.free.items() if name not in names}
    linkage = replace(linkage, links=links, connections=kept, ropes=ropes, free=free, remarks=tuple(remarks))
    values = {name: value for name, value in assembly.values.items() if name not in lost}
    turns = {name: R for name, R in assembly.turns.items() if name not in lost}
    return linkage, Assembly(linkage, values, turns)


def _reached(connections: Sequence[Connection], start: str) -> set[str]:
    found, grown = {start}, True
    while grown:
        more = {n for c in connections if {c.parent, c.child} & found for n in (c.parent, c.child)} - found - {WORLD}
        found |= more
        grown = bool(more)
    return found - {start}


def _home(
    linkage: Linkage, assembly: Assembly, legs: Sequence[Branch], platform: str, chosen: Chosen, size: float
) -> Home:
    places = assembly.places()
    values = dict(assembly.values)
    for c in linkage.connections:
        if c.closes and c.kind in ("R", "P"):
            values[c.name] = coordinate(c, places)
    order = [step.connection for leg in legs for step in (*leg.steps, *leg.side)]
    return Home(linkage, places, values, couplings_of(order), platform, chosen.frame, size)


def _word(text: str) -> str:
    """A name that gough can have, of any text."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:60]


def _named(
    legs: Sequence[Branch], linkage: Linkage, platform: str, ropes: int
) -> list[tuple[Branch, str, dict[str, str]]]:
    """Each leg with its name and the names of its joints and bodies: those of the file, without what all share."""
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
        found.append((leg, _word(prefixes[k]) if distinct else str(k + 1), short))
    return found


def _prefix(leg: Branch) -> str:
    """What stands before the point in the names of all its joints, or nothing."""
    starts = {step.connection.name.partition(".")[0] for step in leg.steps if "." in step.connection.name}
    dotted = all("." in step.connection.name for step in leg.steps)
    return starts.pop() if dotted and len(starts) == 1 else ""


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


def _cable(rope: Any, linkage: Linkage, plate: Platform, chosen: Chosen, platform: str) -> Leg:
    from gough.robot.rotation import pose

    ends = {rope.first.link: rope.first.point, rope.second.link: rope.second.point}
    if set(ends) != {WORLD, platform}:
        raise FormatError(
            f"cable {rope.name}: runs from {rope.first.link} to {rope.second.link}; gough has them "
            "from the base to the platform"
        )
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
    return SHORT_FORMS["cable"].expand(entry, *pose(whole, whole.home))


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


def _shared(robot: Robot) -> tuple[Robot, list[str]]:
    """The robot with a way to share forces where it has more actuators than coordinates; too few are refused."""
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


def _names(robot: Robot, built: Sequence[Built], ropes: Sequence[Any], platform: str, chosen: Chosen) -> Names:
    joints = {f"{b.leg.name}.{name}": c for b in built for name, c in b.joints.items()}
    drives = [joints[f"{b.leg.name}.{j.name}"] for b in built for j in b.leg.joints if j.actuated]
    spinning = {b.leg.name: b.spin for b in built if b.spin is not None}
    held = {name: value for b in built for name, value in b.held.items()}
    starts = {name: value for b in built for name, value in b.starts.items()}
    return Names(platform, joints, (*drives, *(rope.name for rope in ropes)), spinning, held, chosen.frame, starts)
