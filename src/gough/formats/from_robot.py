"""A robot as a linkage: each leg a branch of the tree, the legs' ends close the loops.

The platform is the last link of a leg that ends rigidly, so that nothing but joints is between it and the base; without
such a leg it is a free link. A link's frame is the moved frame of its joint. Links are called "leg.body" after the
body's name where that is unique in the leg, else "leg.joint.link"; the platform as its body; connections "leg.joint",
the ends "leg.end".
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from gough.errors import InputError
from gough.formats.linkage import WORLD, Connection, Follow, Hook, Link, Linkage, Rope, Spring
from gough.formats.placement import Floats, Placement, placed
from gough.formats.rods import platform_rods, thickness_of, with_rods
from gough.robot import Body, Joint, Leg, Mechanism, Robot

PLATFORM = "platform"
SPIN = "spin"


def linkage_of(robot: Robot) -> Linkage:
    """The linkage of a robot of plain numbers, assembled at its home.

    Raises:
        InputError: A number is left free, or home is out of reach.
    """
    from gough.kinematics import inverse_kinematics
    from gough.kinematics.dependent.constraint import home_platform
    from gough.robot.rotation import pose

    platform = home_platform(robot)
    position, rotation = pose(platform, platform.home)
    home = placed(position, rotation)
    solved = inverse_kinematics(robot, robot.platform.home)
    if solved.status.any():
        raise InputError(f"{robot.name}: a leg does not close at home, so there is nothing to export; see gough show")
    values = iter(np.asarray(solved.joint_q, dtype=float).reshape(-1))
    name, carrier = platform_name(robot), carrying_leg(robot)
    links, connections, ropes, remarks = [_link(name, robot.platform.body)], [], [], []
    for leg in robot.legs:
        q = np.array([next(values) for _ in leg.joints])
        if leg.cable is not None:
            ropes.append(_cable(leg, name))
            remarks += _left_out_of_cable(leg)
            continue
        own, joined = _leg(leg, q, name, leg is not carrier)
        links += own
        connections += joined
        remarks += _left_out(leg)
    if robot.actuation is not None and robot.actuation.criterion != "least-norm":
        remarks.append(f"actuation: how forces are shared ({robot.actuation.text}) is not part of the file")
    for spring in robot.springs:
        ends = [
            Hook(_link_name(robot, anchor.body), np.array(anchor.point)) for anchor in (spring.first, spring.second)
        ]
        ropes.append(Rope(spring.name, ends[0], ends[1], stiffness=spring.stiffness, free_length=spring.free_length))
    thickness = thickness_of(robot, home)
    bare = Linkage(
        robot.name,
        np.array(robot.gravity, dtype=float),
        tuple(links),
        tuple(connections),
        tuple(ropes),
        {name: home} if carrier is None else {},
        tuple(remarks),
        name,
        slides=not any(c.turns for c in (*robot.platform.coordinates, *robot.platform.dependent)),
    )
    radii = {leg.name: leg.radius or thickness for leg in robot.legs}
    return with_rods(bare, radii, {name: platform_rods(robot, thickness)})


def platform_name(robot: Mechanism) -> str:
    """Name of the platform's link: that of its body, unless another link could have it."""
    name = robot.platform.body.name
    return PLATFORM if not name or "." in name or name in (WORLD, "base") else name


def carrying_leg(robot: Mechanism) -> Leg | None:
    """The leg whose last link the platform is: of those that end rigidly a passive one, with the fewest joints."""
    rigid = [leg for leg in robot.legs if leg.cable is None and leg.end.kind == "rigid"]
    return min(rigid, key=lambda leg: (any(j.actuated for j in leg.joints), len(leg.joints)), default=None)


def link_names(leg: Leg) -> list[str]:
    """Names of the links of a leg, one per joint."""
    uses = Counter(joint.body.name for joint in leg.joints)
    return [
        f"{leg.name}.{joint.body.name}"
        if joint.body.name and uses[joint.body.name] == 1
        else f"{leg.name}.{joint.name}.link"
        for joint in leg.joints
    ]


def spun(leg: Leg) -> tuple[int, Floats]:
    """Of a leg that spins freely: the joint behind which its spin is, and (3,) the rod's direction in its body."""
    last = max(k for k, joint in enumerate(leg.joints) if joint.kind == "R")
    if last + 1 < len(leg.joints):
        slide = leg.joints[last + 1]
        return last, np.array(slide.rotation) @ slide.axis
    return last, np.array(leg.end.point) / np.linalg.norm(leg.end.point)


def _link_name(robot: Mechanism, body: str) -> str:
    if body in ("base", PLATFORM):
        return WORLD if body == "base" else platform_name(robot)
    owner, joint = body.split(".", 1)
    leg = next(leg for leg in robot.legs if leg.name == owner)
    return link_names(leg)[[j.name for j in leg.joints].index(joint)]


def _link(name: str, body: Body) -> Link:
    return Link(name, body.mass, np.array(body.com, dtype=float), np.array(body.tensor, dtype=float))


def _leg(leg: Leg, q: Floats, platform: str, closes: bool) -> tuple[list[Link], list[Connection]]:
    names = link_names(leg)
    links = [_link(name, joint.body) for name, joint in zip(names, leg.joints, strict=True)]
    foot = placed(leg.position, leg.rotation)
    connections = []
    for k, joint in enumerate(leg.joints):
        at = placed(joint.offset, joint.rotation)
        parent = WORLD if joint.parent < 0 else names[joint.parent]
        connections.append(_joint(leg, joint, parent, names[k], foot @ at if joint.parent < 0 else at, float(q[k])))
    if leg.free_spin:
        _add_spin(leg, names, links, connections)
    end = leg.end
    connections.append(
        Connection(
            f"{leg.name}.end",
            "ball" if end.kind == "spherical" else "fixed",
            names[end.joint],
            platform,
            placed(end.point, end.rotation),
            placed(end.platform_point, end.platform_rotation),
            closes=closes,
        )
    )
    return links, connections


def _add_spin(leg: Leg, names: list[str], links: list[Link], connections: list[Connection]) -> None:
    """Give a universal joint that stands for a spherical one its third axis, along the rod; the body rides on that."""
    k, along = spun(leg)
    cross = f"{leg.name}.{leg.joints[k].name}.cross"
    before = connections[k]
    connections[k] = Connection(**{**before.__dict__, "child": cross})
    connections.insert(k + 1, Connection(f"{leg.name}.{SPIN}", "R", cross, names[k], axis=along))
    links.insert(k, Link(cross))


def _joint(leg: Leg, joint: Joint, parent: str, child: str, at: Placement, q: float) -> Connection:
    limits, zero = joint.limits, joint.zero
    spring = None
    if joint.spring is not None:
        s = joint.spring
        if s.stiffness == 0.0 and s.preload != 0.0:
            raise InputError(
                f"leg.{leg.name}.{joint.name}.spring: a constant force has no place in these files; "
                "give it a stiffness, or export the robot without it"
            )
        spring = Spring(s.stiffness, zero + s.rest - (s.preload / s.stiffness if s.stiffness else 0.0))
    mimic = joint.mimic
    return Connection(
        f"{leg.name}.{joint.name}",
        joint.kind,
        parent,
        child,
        at,
        axis=np.array(joint.axis, dtype=float),
        home=q,
        zero=zero,
        range=None if limits.stroke is None else (limits.stroke[0] + zero, limits.stroke[1] + zero),
        speed=limits.speed,
        effort=limits.force,
        viscous=joint.viscous,
        coulomb=joint.coulomb,
        armature=joint.rotor_inertia * joint.gear**2,
        spring=spring,
        follows=None
        if mimic is None
        else Follow(f"{leg.name}.{leg.joints[mimic.joint].name}", mimic.ratio, mimic.offset),
        driven=joint.actuated,
    )


def _cable(leg: Leg, platform: str) -> Rope:
    assert leg.cable is not None
    joint = leg.joints[0]
    stroke = joint.limits.stroke
    return Rope(
        leg.name,
        Hook(WORLD, np.array(leg.position, dtype=float)),
        Hook(platform, np.array(leg.end.platform_point, dtype=float)),
        tension=leg.cable.tension,
        range=None if stroke is None else (stroke[0] + joint.zero, stroke[1] + joint.zero),
        viscous=joint.viscous,
        coulomb=joint.coulomb,
        armature=joint.rotor_inertia * joint.gear**2,
    )


def _left_out_of_cable(leg: Leg) -> list[str]:
    assert leg.cable is not None
    if leg.cable.pulley:
        raise InputError(
            f"leg.{leg.name}.pulley: a pulley that turns towards the platform has no place in these files; "
            "export the robot with an eye in its place"
        )
    lost = []
    if leg.cable.elasticity is not None:
        lost.append(f"leg.{leg.name}.elasticity: left out, the cable does not give")
    if leg.joints[0].limits.speed is not None:
        lost.append(f"leg.{leg.name}.actuator.speed: left out, the file has no place for it")
    return lost


def _left_out(leg: Leg) -> list[str]:
    lost = []
    for joint in leg.joints:
        if joint.cone is not None:
            lost.append(f"leg.{leg.name}.{joint.name}.cone: left out, a hinge has no cone")
        if joint.limits.power is not None:
            lost.append(f"leg.{leg.name}.{joint.name}.power: left out, the file has no place for it")
        if joint.zero:
            lost.append(f"leg.{leg.name}.{joint.name}.zero: left out, coordinates count from the joint's own zero")
    if leg.end.cone is not None:
        lost.append(f"leg.{leg.name}.end.cone: left out, the file has no place for it")
    return lost
