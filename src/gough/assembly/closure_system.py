"""The closure of a whole robot as one system of few unknowns: r(z, q) = 0.

The unknowns are the joints of a passive leg with a rigid end, on which the platform hangs, or where there is none the
platform's own coordinates. A driven leg that does no more than keep a distance is one equation. A rod between two
universal joints keeps its length, and itself in a plane with their outer axes: two equations, of which the legs keep
the second by themselves where no coordinate depends. Of any other leg the passive joints are unknowns too, and the
equations are its closure error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.plate_legs import plate_equation
from gough.errors import InputError
from gough.graph import Array, Graph, Vector, array, cos, cross, dot, jacobian, record, sin
from gough.kinematics.chain import (
    Coordinate,
    Link,
    Slide,
    Turn,
    add_link,
    end_point,
    end_rotation,
    joint_rotation,
    parent_frame,
)
from gough.kinematics.closure.angles import parallel
from gough.kinematics.closure.assembly import chosen, leg_size, own_joints
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.closed_form import main_chain, without_sides
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.newton import coordinates_of as joint_coordinates
from gough.kinematics.closure.rod import UNIVERSALS, RodForm
from gough.kinematics.closure.shape import rod_shape, unmoved
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.forward.distance_equations import DistanceLeg, leg_equation
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.leg import build_links
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.robot import Leg, Mechanism, Platform, by_mechanism
from gough.run import Program

_RANK = 1e-9
PLATFORM = -1
"""Stands for the number of a leg where an unknown is a coordinate of the platform."""


@dataclass(frozen=True, slots=True, eq=False)
class ClosureSystem:
    """The system of a robot.

    Attributes:
        robot: Any without cables.
        platform: With all coordinates, dependent ones too.
        unknowns: (n,) number of a leg and of its joint, or `PLATFORM` and the number of a coordinate.
        turns: (n,) which of them turn; the others are in units of `size`.
        size: Of the machine [m].
        home: (n,) the unknowns at home.
        spare: Legs without which the actuators hold the platform: their equations are checked, not solved.
        graph: v (n + actuators) unknowns and displacements -> r (m,), by_v (m, n + actuators), p, R, by_v of these
            as `place_by_v`, and what must be zero too: `checks` of joints, `spares` of spare legs.
        square: With as many equations as unknowns, from which the others of `graph` follow; `graph` itself where it is
            so or no such choice is known. Of rods whose outer axes a on the base and d on the platform are the same in
            all legs, (a x d).r = 0 of two legs leaves a x d = 0, unless their r are in a plane with a.
    """

    robot: Mechanism
    platform: Platform
    unknowns: tuple[tuple[int, int], ...]
    turns: NDArray[np.bool_]
    size: float
    home: Array
    spare: tuple[int, ...]
    graph: Graph
    square: Graph

    def all_joints(self, z: Array, q: Array) -> Array:
        """(M, joints) displacements of all joints from their zeros; angles within half a turn, NaN where not known."""
        values: dict[tuple[int, int], Array] = {}
        for place, (unknown, turns) in enumerate(zip(self.unknowns, self.turns, strict=True)):
            values[unknown] = np.angle(np.exp(1j * z[:, place])) if turns else z[:, place] * self.size
        columns, drive = [], 0
        for number, leg in enumerate(self.robot.legs):
            for k, joint in enumerate(leg.joints):
                if joint.actuated:
                    values[number, k] = q[:, drive] + joint.zero
                    drive += 1
            for k, joint in enumerate(leg.joints):
                mimic = joint.mimic
                source = values.get((number, k if mimic is None else mimic.joint), np.full(len(z), np.nan))
                columns.append((source if mimic is None else mimic.ratio * source + mimic.offset) - joint.zero)
        return np.stack(columns, axis=1)


@by_mechanism(32)
def closure_system(robot: Mechanism) -> ClosureSystem:
    """The system of a robot.

    Raises:
        InputError: It has cables.
    """
    if any(leg.cable is not None for leg in robot.legs):
        raise InputError(f"assembly modes: {robot.name} has cables, which hold no pose by themselves; try gough fk")
    platform = home_platform(robot)
    size = max(leg_size(leg, platform) for leg in robot.legs)
    carrier = _carrier(robot)
    planes = _planes(robot) if carrier is None and robot.platform.dependent else ()
    distances = _distances(robot, carrier)
    if carrier is None and robot.platform.dependent:
        distances = {number: one for number, one in distances.items() if number in planes}
    unknowns, home = _unknowns(robot, platform, carrier, distances)
    turns = np.array([_joint(robot, platform, unknown).turns for unknown in unknowns])
    scales = np.where(turns, 1.0, size)

    def equations(v: Vector, spare: tuple[int, ...], planes: tuple[int, ...]) -> dict[str, Vector]:
        z, q = v[: len(unknowns)], v[len(unknowns) :]
        values: dict[tuple[int, int], Any] = dict(zip(unknowns, z * scales, strict=True))
        pose = _pose(robot, platform, carrier, values)
        errors: list[Vector] = []
        checks, spares, drive = [np.zeros(1)], [np.zeros(1)], 0
        for number, leg in enumerate(robot.legs):
            for k, joint in enumerate(leg.joints):
                if joint.actuated:
                    values[number, k] = q[drive] + joint.zero
                    drive += 1
            if number in distances:
                one = distances[number]
                own = _distance(leg, one, pose, values[number, one.joint], size)
                (spares if number in spare else errors).append(own)
                if number in planes:
                    errors.append(_off_plane(leg, one, pose, values[number, one.joint]))
            elif number != carrier:
                own, misfit = _closure(leg, pose, [values[number, k] for k in own_joints(leg)], size)
                errors.append(own)
                checks.append(misfit)
        r = np.concatenate(errors)
        place = np.concatenate([pose.p_BP, pose.R_BP.ravel()])
        return {
            "r": r,
            "by_v": jacobian(r, v),
            "checks": np.concatenate(checks),
            "spares": np.concatenate(spares),
            "spares_by_v": jacobian(np.concatenate(spares), v),
            "p": pose.p_BP,
            "R": pose.R_BP,
            "place_by_v": jacobian(place, v),
        }

    def recorded(spare: tuple[int, ...], planes: tuple[int, ...] = planes) -> Graph:
        return record(lambda v: equations(v, spare, planes), v=len(unknowns) + len(robot.actuators))

    spare: tuple[int, ...] = ()
    graph = recorded(spare)
    start = np.array(home) / scales
    if len(robot.actuators) > robot.dof:
        q = inverse_kinematics(robot, robot.platform.home).q
        by_z = Program(graph)(v=np.concatenate([start, q]))["by_v"][:, : len(unknowns)]
        spare = _spare(robot, tuple(distances), by_z)
        graph = recorded(spare)
    two = _two_planes(robot, platform, planes) if len(robot.legs) + 2 == len(unknowns) == 6 else ()
    square = recorded(spare, two) if two else graph
    return ClosureSystem(robot, platform, tuple(unknowns), turns, size, start, spare, graph, square)


def _unknowns(
    robot: Mechanism, platform: Platform, carrier: int | None, distances: Mapping[int, DistanceLeg]
) -> tuple[list[tuple[int, int]], list[float]]:
    """The unknowns, as `ClosureSystem.unknowns`, the carrier's first, and their values at home [m or rad]."""
    unknowns: list[tuple[int, int]] = []
    home: list[float] = []
    if carrier is None:
        unknowns += [(PLATFORM, k) for k in range(len(platform.coordinates))]
        home += platform.home
    for number in sorted(range(len(robot.legs)), key=lambda k: k != carrier):
        if number not in distances:
            leg = robot.legs[number]
            at_home = dict(zip(own_joints(leg), chosen(leg, platform).values, strict=True))
            unknowns += [(number, k) for k in at_home if not leg.joints[k].actuated]
            home += [value for k, value in at_home.items() if not leg.joints[k].actuated]
    return unknowns, home


def _carrier(robot: Mechanism) -> int | None:
    """The passive leg with a rigid end that has the fewest joints, where platform coordinates depend on others."""
    passive = [
        number
        for number, leg in enumerate(robot.legs)
        if leg.end.kind == "rigid" and not any(joint.actuated for joint in leg.joints)
    ]
    if not robot.platform.dependent or not passive:
        return None
    return min(passive, key=lambda number: len(own_joints(robot.legs[number])))


def _distances(robot: Mechanism, carrier: int | None) -> dict[int, DistanceLeg]:
    """The legs whose one equation is a distance: where the platform hangs on a leg, those that leave it the rest."""
    found = {}
    for number, leg in enumerate(robot.legs):
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        free = leg.end.kind == "spherical" and len(own_joints(leg)) - len(driven) >= 2
        equation = None
        if len(driven) == 1 and (free or carrier is None):
            equation = leg_equation(number, leg, driven[0]) or plate_equation(robot, number, driven[0])
        if equation is not None:
            found[number] = equation
    return found


def _planes(robot: Mechanism) -> tuple[int, ...]:
    """The driven legs with a rod between two universal joints."""
    if len(robot.actuators) > robot.dof:
        return ()
    forms = [closed_form(leg) for leg in robot.legs]
    return tuple(k for k, form in enumerate(forms) if isinstance(form, RodForm) and form.swing)


def _two_planes(robot: Mechanism, platform: Platform, planes: tuple[int, ...]) -> tuple[int, ...]:
    """The two legs whose planes are most across each other at home, if all legs share their outer axes; else none."""
    if len(planes) != len(robot.legs):
        return ()
    home = platform_pose(platform, np.array(platform.home))
    axes, ways = [], []
    for leg in robot.legs:
        if leg.joints[0].kind != "P":
            return ()
        chain = without_sides(leg, main_chain(leg))
        links, R_B0 = unmoved(chain), np.array(leg.rotation, dtype=float)
        p_end, R_end = end_target(leg, home)
        d = np.array(R_end, dtype=float) @ np.array(leg.end.rotation, dtype=float).T @ np.array(chain.joints[-1].axis)
        axes += [R_B0 @ links.axes[1], d]
        ways.append(np.array(p_end, dtype=float) - np.array(leg.position, dtype=float) - R_B0 @ links.p[1])
    if not all(parallel(axis, axes[0]) for axis in axes):
        return ()
    pairs = [(i, j) for j in range(len(ways)) for i in range(j)]
    return max(pairs, key=lambda pair: abs(float(axes[0] @ np.cross(ways[pair[0]], ways[pair[1]]))))


def _spare(robot: Mechanism, legs: tuple[int, ...], by_z: Array) -> tuple[int, ...]:
    """Legs that keep a distance, one equation each, whose equations depend on those before them."""
    if len(legs) != len(robot.legs):
        return ()
    spare: list[int] = []
    for k in range(len(legs)):
        held = [i for i in range(k) if legs[i] not in spare]
        if held and np.linalg.matrix_rank(by_z[[*held, k]], tol=_RANK) == len(held):
            spare.append(legs[k])
    return tuple(spare)


def _joint(robot: Mechanism, platform: Platform, unknown: tuple[int, int]) -> Any:
    number, k = unknown
    return platform.coordinates[k] if number == PLATFORM else robot.legs[number].joints[k]


def _pose(
    robot: Mechanism, platform: Platform, carrier: int | None, values: dict[tuple[int, int], Any]
) -> PlatformPose:
    """The platform's pose at the unknowns."""
    if carrier is None:
        return platform_pose(platform, array([values[PLATFORM, k] for k in range(len(platform.coordinates))]))
    leg = robot.legs[carrier]
    own = own_joints(leg)
    links, _ = build_links(leg, joint_coordinates(leg, own, array([values[carrier, k] for k in own])))
    R = end_rotation(leg, links) @ array(leg.end.platform_rotation).T
    return PlatformPose(end_point(leg, links) - R @ array(leg.end.platform_point), R, (), ())


def _distance(leg: Leg, one: DistanceLeg, pose: PlatformPose, value: Any, size: float) -> Vector:
    """(1,) how far the leg is from its distance, as squares."""
    coordinate: Coordinate = Turn(cos(value), sin(value)) if one.turns else Slide(value)
    at = one.at(coordinate)
    span = end_target(leg, pose)[0] - array(at.A)
    return array([(dot(span, span) - at.square) * (0.5 / size**2)])


def _off_plane(leg: Leg, one: DistanceLeg, pose: PlatformPose, value: Any) -> Vector:
    """(1,) how far the rod is off the plane of the outer axes of its universal joints, in its length."""
    coordinate: Coordinate = Turn(cos(value), sin(value)) if one.turns else Slide(value)
    main = without_sides(leg, main_chain(leg))
    links: list[Link] = []
    add_link(main, 0, coordinate, links)
    first, last = main.joints[1], main.joints[-1]
    R_first, at = parent_frame(main, 1, links)
    p_end, R_end = end_target(leg, pose)
    a = joint_rotation(R_first, first) @ array(first.axis)
    d = R_end @ (array(leg.end.rotation).T @ array(last.axis))
    return array([dot(cross(a, d), p_end - at) / rod_shape(main, *UNIVERSALS).length])


def _closure(leg: Leg, pose: PlatformPose, values: list[Any], size: float) -> tuple[Vector, Vector]:
    """Closure error of a leg, and what must be zero too: a half turn off is aligned as well."""
    own = own_joints(leg)
    links, _ = build_links(leg, joint_coordinates(leg, own, array(values)))
    p_end, R_end = end_target(leg, pose)
    gap = (end_point(leg, links) - p_end) / size
    if leg.end.kind == "spherical":
        return gap, np.zeros(0)
    R = end_rotation(leg, links)
    turn = sum(cross(R_end[:, k], R[:, k]) for k in range(3)) * 0.5
    return np.concatenate([gap, turn]), (R - R_end).ravel()
