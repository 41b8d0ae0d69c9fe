"""Choosing the closure of a leg."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, less_equal, logical_and
from gough.kinematics.chain import Coordinate, Turn
from gough.kinematics.closure.closed_form import ClosedForm, main_chain, without_sides
from gough.kinematics.closure.newton import AT_ITS_END, Target, close_newton, closure_at, followed
from gough.kinematics.leg import ChainLeg, Closure, LegPose, build_links
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.thin_leg import ThinLeg, is_thin
from gough.robot import Leg, Platform


@dataclass(frozen=True, slots=True)
class Way:
    """How a leg will be closed, decided from its plain numbers.

    Attributes:
        form: The closed form that fits it; None for Newton's method.
        branch: Branch of the closed form.
        home: (m,) independent coordinates at home, from where the leg is followed.
        sizes: (m,) how large a change of each is.
    """

    form: ClosedForm | None
    branch: int = 1
    home: tuple[float, ...] = ()
    sizes: tuple[float, ...] = ()


def close_leg(leg: Leg, way: Way, platform: Platform, x: Vector, pose: PlatformPose) -> LegPose:
    """The leg at a pose.

    Args:
        leg: Its numbers may be recorded.
        way: From `assembly.way_of`, decided from plain numbers.
        platform: For the poses between home and here, which Newton's method passes.
        x: (n,) platform coordinates.
        pose: The platform's pose at x.
    """
    home = np.array(platform.home)

    def on_the_way(s: Scalar) -> Target:
        return end_target(leg, platform_pose(platform, home + (x - home) * s))

    if way.form is None:
        closure = close_newton(leg, way.home, way.sizes, on_the_way, end_target(leg, pose))
    else:
        leg = replace(leg, branch=way.branch)
        closure = closed(leg, way.form, *end_target(leg, pose))
        if way.home:
            closure = _turns_counted(leg, closure, way, on_the_way)
    return _leg_pose(leg, closure, pose, way.form is not None)


def chain_at(leg: Leg, u: Vector, pose: PlatformPose, converged: Scalar) -> LegPose:
    """The leg at a pose and at independent coordinates u (m,) that were found with it, if `converged`."""
    return _leg_pose(leg, closure_at(leg, u, end_target(leg, pose), converged, converged), pose, closed_form=False)


def _leg_pose(leg: Leg, closure: Closure, pose: PlatformPose, closed_form: bool) -> LegPose:
    links, coordinates = build_links(leg, closure.coordinates)
    links = links if closure.links is None else closure.links
    r_end = pose.R_BP @ array(leg.end.platform_point)
    parts = (leg, links, coordinates, closure, r_end, end_target(leg, pose)[1], closed_form)
    if closure.rod is not None and (leg.free_spin or is_thin(leg, closure.rod)):
        return ThinLeg(*parts, closure.rod)
    return ChainLeg(*parts)


def closed(leg: Leg, form: ClosedForm, p_end: Vector, R_end: Vector) -> Closure:
    """Closure of a leg by its main chain, in the indices of the leg."""
    chain = main_chain(leg)
    if len(chain) == len(leg.joints):
        return form.close(leg, p_end, R_end)
    found = form.close(without_sides(leg, chain), p_end, R_end)

    def solve(v: Vector, w: Vector) -> dict[int, Any]:
        return {chain[k]: rate for k, rate in found.solve(v, w).items()}

    def spread(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return found.spread({k: efforts[index] for k, index in enumerate(chain) if index in efforts})

    coordinates = {chain[k]: coordinate for k, coordinate in found.coordinates.items()}
    points = {chain[k]: point for k, point in found.points.items()}
    short = (found.short, found.short_in_plane)
    return Closure(coordinates, solve, short[0], transposed=spread, short_in_plane=short[1], points=points)


def _turns_counted(leg: Leg, closure: Closure, way: Way, on_the_way: Callable[[Any], Target]) -> Closure:
    """The closure with its angles followed from home: other joints follow them at ratios that are not whole."""
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    path = followed(leg, independent, way.home, way.sizes, on_the_way)
    coordinates: dict[int, Coordinate] = {}
    for k, about in zip(independent, path.solution, strict=True):
        coordinate = closure.coordinates[k]
        if isinstance(coordinate, Turn):
            coordinate = replace(coordinate, angle=coordinate.value(about))
        coordinates[k] = coordinate
    arrived = less_equal(path.left, AT_ITS_END)
    return replace(closure, coordinates=coordinates, converged=logical_and(closure.converged, arrived))


def end_target(leg: Leg, pose: PlatformPose) -> tuple[Any, Any]:
    """Position and orientation in B that the leg's end must take."""
    p_end = pose.p_BP + pose.R_BP @ array(leg.end.platform_point)
    if leg.end.kind == "spherical":
        return p_end, None
    return p_end, pose.R_BP @ array(leg.end.platform_rotation)
