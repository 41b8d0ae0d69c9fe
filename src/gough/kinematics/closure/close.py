"""Choosing the closure of a leg."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array
from gough.kinematics.closure.newton import STAGES, at_home, close_newton
from gough.kinematics.closure.pattern import NEWTON, Pattern, main_chain, pattern_of, without_sides
from gough.kinematics.closure.rod import close_rod
from gough.kinematics.closure.sru import close_sru
from gough.kinematics.closure.ups import close_ups
from gough.kinematics.leg import Closure, LegPose, build_links
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.thin import is_thin
from gough.robot import Leg, Platform

_CLOSED = {"ups": close_ups, "rod": close_rod, "sru": close_sru}


@dataclass(frozen=True, slots=True)
class Way:
    """How a leg will be closed: the closed form that fits it, or Newton's method from its coordinates at home."""

    pattern: Pattern
    home: Any = None


def way_of(leg: Leg, platform: Platform, newton: bool = False) -> Way:
    """The way to close a leg of plain numbers; with `newton` never a closed form."""
    pattern = NEWTON if newton else pattern_of(leg)
    if pattern != NEWTON:
        return Way(pattern)
    return Way(pattern, at_home(leg, *end_target(leg, platform_pose(platform, np.array(platform.home)))))


def close_leg(leg: Leg, way: Way, platform: Platform, x: Any, pose: PlatformPose) -> LegPose:
    """The leg at a pose.

    Args:
        leg: Its numbers may be recorded.
        way: From `way_of`, told from plain numbers.
        platform: For the poses between home and here, which Newton's method passes.
        x: (n,) platform coordinates.
        pose: The platform's pose at x.
    """
    if way.pattern == NEWTON:
        home = np.array(platform.home)
        between = [platform_pose(platform, home + (x - home) * (k / STAGES)) for k in range(1, STAGES)]
        closure = close_newton(leg, way.home, [end_target(leg, stage) for stage in (*between, pose)])
    else:
        closure = _closed(leg, way.pattern, *end_target(leg, pose))
    links, coordinates = build_links(leg, closure.coordinates)
    r_end = pose.R_BP @ array(leg.end.platform_point)
    spinless = closure.rod is not None and (leg.free_spin or is_thin(leg, closure.rod))
    return LegPose(leg, links, coordinates, closure, r_end, spinless, way.pattern != NEWTON)


def _closed(leg: Leg, pattern: Pattern, p_end: Any, R_end: Any) -> Closure:
    """Closure of a leg by its main chain, told in the indices of the leg."""
    chain = main_chain(leg)
    close = _CLOSED[pattern.name]
    if len(chain) == len(leg.joints):
        return close(leg, pattern, p_end, R_end)
    found = close(without_sides(leg, chain), pattern, p_end, R_end)

    def solve(v: Any, w: Any) -> dict[int, Any]:
        return {chain[k]: rate for k, rate in found.solve(v, w).items()}

    def spread(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return found.spread({k: efforts[index] for k, index in enumerate(chain) if index in efforts})

    coordinates = {chain[k]: coordinate for k, coordinate in found.coordinates.items()}
    return Closure(coordinates, solve, found.short, transposed=spread)


def end_target(leg: Leg, pose: PlatformPose) -> tuple[Any, Any]:
    """Position and orientation in B that the leg's end must take."""
    p_end = pose.p_BP + pose.R_BP @ array(leg.end.platform_point)
    if leg.end.kind == "spherical":
        return p_end, None
    return p_end, pose.R_BP @ array(leg.end.platform_rotation)
