"""Lines of a robot's legs from joint to joint, the angles of their joints, and the distances between legs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, cross, dot, is_zero, maximum, minimum, norm, record
from gough.graph.triples import unit
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.robot import Joint, Leg, Mechanism, by_mechanism
from gough.run import Program

APART = 1e-9
"""Points of a leg closer than this are one [m]."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight part of a leg.

    Attributes:
        leg: Index of the leg.
        first, last: Places of its ends among all points of the robot.
        starts, ends: Whether it begins at the base, and whether it meets the platform.
    """

    leg: int
    first: int
    last: int
    starts: bool
    ends: bool


def chain(leg: Leg) -> list[int]:
    """Indices of the joints from the base to the leg's end."""
    found: list[int] = []
    k = leg.end.joint
    while k >= 0:
        found.append(k)
        k = leg.joints[k].parent
    return found[::-1]


def leg_points(pose: RobotPose, leg: LegPose) -> list[Vector]:
    """Points (3,) in B: the joints of the main chain, the end, then both ends of each bar beside the chain.

    A cable's joint is its length; its point is where the cable leaves the base.
    """
    main, end = chain(leg.leg), pose.platform.p_BP + leg.r_end
    known = leg.closure.points | dict.fromkeys(_at_end(leg.leg), end)
    points = [known[k] if k in known else leg.position(k, (0.0, 0.0, 0.0)) for k in main]
    points.append(end)
    for k, source in side_bars(leg.leg):
        at = leg.position(k, (0.0, 0.0, 0.0))
        place = main.index(source)
        points += [at, at + points[place + 1] - points[place]]
    return points


def _at_end(leg: Leg) -> list[int]:
    """Joints of the main chain that are where the leg ends: no angles are needed to tell where that is."""
    found: list[int] = []
    k = leg.end.joint if leg.cable is None else -1
    while k >= 0 and is_zero(leg.joints[found[-1]].offset if found else leg.end.point):
        if found and leg.joints[found[-1]].kind != "R":
            break
        found.append(k)
        k = leg.joints[k].parent
    return found


def side_bars(leg: Leg) -> list[tuple[int, int]]:
    """Joints beside the main chain that turn just as one of it does, and that one: second bars of parallelograms."""
    main = chain(leg)
    return [
        (k, joint.mimic.joint)
        for k, joint in enumerate(leg.joints)
        if k not in main and joint.mimic is not None and joint.mimic.ratio == 1.0 and joint.mimic.joint in main
    ]


def cone_groups(leg: Leg) -> list[list[int]]:
    """Indices of the joints of each universal or spherical joint of the leg."""
    groups: dict[str, list[int]] = {}
    for k, joint in enumerate(leg.joints):
        if joint.kind == "R" and joint.mimic is None and not joint.actuated:
            groups.setdefault(joint.group or joint.name, []).append(k)
    return [found for found in groups.values() if len(found) > 1]


def cone_cosine(leg: LegPose, group: list[int]) -> Vector:
    """Cosine of the angle between a joint's outgoing direction and its straight position.

    The direction is across both axes of a universal joint; of a spherical one it is towards the next joint. A joint
    on a bolt is straight in the whole plane across it: a rod end.
    """
    joints = [leg.leg.joints[k] for k in group]
    parent = joints[0].parent
    R_parent = leg.links[parent].R if parent >= 0 else array(leg.leg.rotation)
    n = array(_outgoing(leg.leg, group, joints))
    if joints[0].bolt is not None:
        return from_plane(R_parent @ array(unit(joints[0].bolt)), leg.links[group[-1]].R @ n)
    straight = R_parent
    for joint in joints:
        straight = straight @ array(joint.rotation)
    return dot(straight @ n, leg.links[group[-1]].R @ n)


def from_plane(bolt: Vector, n: Vector) -> Vector:
    """Cosine of the angle of a unit vector (3,) from the plane across another one."""
    return norm(cross(bolt, n))


def _outgoing(leg: Leg, group: list[int], joints: list[Joint]) -> Vector:
    if len(joints) == 2:
        first = np.array(joints[1].rotation).T @ np.array(joints[0].axis)
        n = np.cross(first, joints[1].axis)
    else:
        main = chain(leg)
        later = [leg.joints[k].offset for k in main if leg.joints[k].parent == group[-1]]
        n = np.array(later[0] if later else leg.end.point)
        if not n.any():
            n = np.array(joints[-1].axis)
    return n / np.linalg.norm(n)


def end_cosine(pose: RobotPose, leg: LegPose, points: list[Any], home: Vector, place: int) -> Vector:
    """Cosine of the angle of a leg's last part in the platform's axes from its direction at home (3,).

    On a bolt: from the plane across it.
    """
    end = points[len(chain(leg.leg))]
    d = pose.platform.R_BP.T @ (end - points[place])
    if leg.leg.end.bolt is not None:
        return from_plane(array(unit(leg.leg.end.bolt)), d) / norm(d)
    return dot(d, array(home)) / norm(d)


@dataclass(frozen=True)
class Shape:
    """The program for a robot's shape, and what its outputs are.

    Attributes:
        segments: Straight parts of all legs.
        cones: Leg index, joint name and largest angle [rad] (None: not stated) of the angles.
        program: x -> points (p, 3), cosines (c,), free (n, n): K in free rates.
    """

    segments: tuple[Segment, ...]
    cones: tuple[tuple[int, str, float | None], ...]
    program: Program


@dataclass(frozen=True, slots=True)
class Ends:
    """The last part of each leg at home: the place of its first point among the leg's, and its direction (3,) in P."""

    places: tuple[int, ...]
    directions: tuple[Vector, ...]


def ends_of(robot: Mechanism, ways: Ways) -> Ends:
    """The last parts of all legs at home."""
    home = robot_pose(robot, ways, np.array(robot.platform.home))
    places, directions = [], []
    for leg in home.legs:
        points = [np.array(p, dtype=float) for p in leg_points(home, leg)]
        end = len(chain(leg.leg))
        apart = [k for k in range(end) if np.linalg.norm(points[end] - points[k]) > APART]
        places.append(apart[-1] if apart else -1)
        d = np.array(home.platform.R_BP, dtype=float).T @ (points[end] - points[places[-1]])
        directions.append(d / np.linalg.norm(d) if apart else np.zeros(3))
    return Ends(tuple(places), tuple(directions))


def cones_of(robot: Mechanism) -> tuple[tuple[int, str, float | None], ...]:
    """Leg index, joint name and largest angle [rad] (None: not stated) of each universal and spherical joint."""
    cones: list[tuple[int, str, float | None]] = []
    for k, own in enumerate(robot.legs):
        firsts = [own.joints[group[0]] for group in cone_groups(own)]
        cones += [(k, joint.group or joint.name, joint.cone) for joint in firsts]
        cones += [(k, "end", own.end.cone)] if own.end.kind == "spherical" else []
    return tuple(cones)


def points_and_cosines(pose: RobotPose, ends: Ends) -> tuple[list[Any], list[Any]]:
    """Points (3,) of all legs in B, and the cosines of the angles of `cones_of`."""
    points: list[Any] = []
    cosines: list[Any] = []
    for k, leg in enumerate(pose.legs):
        own = leg_points(pose, leg)
        points += own
        cosines += [cone_cosine(leg, group) for group in cone_groups(leg.leg)]
        if leg.leg.end.kind == "spherical":
            cosines.append(end_cosine(pose, leg, own, ends.directions[k], ends.places[k]))
    return points, cosines


@by_mechanism(32)
def shape_of(robot: Mechanism) -> Shape:
    """The shape of a robot: its legs' parts, and the angle of every universal and spherical joint."""
    ways = ways_of(robot)
    ends = ends_of(robot, ways)

    def equations(x: Vector) -> dict[str, Vector]:
        pose = robot_pose(robot, ways, x)
        points, cosines = points_and_cosines(pose, ends)
        return {"points": array(points), "cosines": array(cosines or [1.0]), "free": pose.free_jacobian()}

    program = Program(record(equations, x=robot.dof))
    return Shape(_segments(robot, program), cones_of(robot), program)


def _segments(robot: Mechanism, program: Program) -> tuple[Segment, ...]:
    """Neighbouring points of each leg that are apart at home."""
    points = program(x=np.array(robot.platform.home))["points"]
    found: list[Segment] = []
    place = 0
    for index, leg in enumerate(robot.legs):
        count, bars = len(chain(leg)), len(side_bars(leg))
        pairs = [(place + k, place + k + 1) for k in range(count)]
        pairs += [(place + count + 1 + 2 * k, place + count + 2 + 2 * k) for k in range(bars)]
        for first, last in pairs:
            if np.linalg.norm(points[last] - points[first]) > APART:
                starts = bool(np.linalg.norm(points[first] - points[place]) <= APART)
                ends = bool(np.linalg.norm(points[last] - points[place + count]) <= APART)
                found.append(Segment(index, first, last, starts, ends))
        place += count + 1 + 2 * bars
    return tuple(found)


NEAR = 5.0
"""Legs that share a joint are not checked against each other within this many sums of their radii from it."""
NEAR_THIN = 0.05
"""Of the first leg's part at home, in place of this: legs without radii."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parts of different legs.

    Attributes:
        first, second: The parts.
        radii: Sum of the legs' radii [m].
        at_base, at_platform: Length left out at their common joint there, 0 if they share none [m].
    """

    first: Segment
    second: Segment
    radii: float
    at_base: float = 0.0
    at_platform: float = 0.0


@by_mechanism(32)
def pairs_of(robot: Mechanism) -> tuple[Pair, ...]:
    """All pairs of parts of different legs, those that share a joint shortened there."""
    shape = shape_of(robot)
    points = shape.program(x=np.array(robot.platform.home))["points"]
    found = []
    for a, b in combinations(shape.segments, 2):
        if a.leg == b.leg:
            continue
        radii = float((robot.legs[a.leg].radius or 0.0) + (robot.legs[b.leg].radius or 0.0))
        # Points fixed in one body that are nearer than the legs are thick: a shared joint.
        same = [np.linalg.norm(points[i] - points[j]) <= max(radii, 1e-9) for i, j in _ends(a, b)]
        base = a.starts and b.starts and bool(same[0]) and _fixed(robot, a) and _fixed(robot, b)
        platform = a.ends and b.ends and bool(same[1])
        near = NEAR * radii if radii > 0.0 else NEAR_THIN * float(np.linalg.norm(points[a.last] - points[a.first]))
        found.append(Pair(a, b, radii, near if base else 0.0, near if platform else 0.0))
    return tuple(found)


@lru_cache(maxsize=32)
def distance_program(pairs: tuple[Pair, ...], count: int) -> Program:
    """points (count, 3) -> squares of the distances between the axes of the parts of each pair (pairs,) [m^2]."""

    def equations(points: Vector) -> Vector:
        return [pair_squared(pair, points) for pair in pairs]

    return Program(record(equations, points=(count, 3)))


def pair_squared(pair: Pair, points: Vector) -> Vector:
    """Squared distance between the axes of the parts of a pair, from the points of all legs [m^2]."""
    return segments_squared(*trimmed(pair, points))


def trimmed(pair: Pair, points: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Ends (3,) of the axes of both parts of a pair, without what is near a shared joint."""
    first = _trimmed(points[pair.first.first], points[pair.first.last], pair)
    second = _trimmed(points[pair.second.first], points[pair.second.last], pair)
    return *first, *second


def segments_squared(a: Vector, b: Vector, c: Vector, d: Vector) -> Vector:
    """Squared distance of the segments from a to b and from c to d, each (3,).

    Ericson, Real-Time Collision Detection (2005), 5.1.9: the nearest place on one line, kept on its segment, gives that
    on the other, kept on its own, and that again the first. Where the lines are nearly parallel the first place is all
    but arbitrary, and so is the square, by round-off of the lengths' squares: it is flat there.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    s = _within((uv * vw - vv * uw) / maximum(uu * vv - uv * uv, 1e-300))
    t = _within((uv * s + vw) / maximum(vv, 1e-300))
    s = _within((uv * t - uw) / maximum(uu, 1e-300))
    gap = w + s * u - t * v
    return dot(gap, gap)


def _within(s: Scalar) -> Scalar:
    return minimum(maximum(s, 0.0), 1.0)


def _trimmed(a: Vector, b: Vector, pair: Pair) -> tuple[Vector, Vector]:
    if not (pair.at_base or pair.at_platform):
        return a, b
    length = norm(b - a)
    n = (b - a) / maximum(length, 1e-300)
    begin, end = minimum(pair.at_base, 0.5 * length), minimum(pair.at_platform, 0.5 * length)
    return a + begin * n, b - end * n


def _ends(a: Segment, b: Segment) -> tuple[tuple[int, int], tuple[int, int]]:
    return (a.first, b.first), (a.last, b.last)


def _fixed(robot: Mechanism, segment: Segment) -> bool:
    """Whether the part's first point stands still in the base: no slide moves it, and no pulley."""
    leg = robot.legs[segment.leg]
    return leg.joints[0].kind == "R" if leg.cable is None else not leg.cable.pulley
