"""The shortest time along a path under all limits of a robot, certified by `check`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from gough.analysis.advice import TIMED
from gough.analysis.check import check
from gough.analysis.check_result import CheckResult
from gough.analysis.limits import LimitsLike, actuator_bounds, check_limits, in_si
from gough.analysis.platform_rates import OUTPUT as PLATFORM
from gough.design.motor_fit import motor_used
from gough.errors import InputError
from gough.graph import Array
from gough.motion import Motion
from gough.motion.curves import Pieces, Retimed
from gough.robot import Mechanism, Robot
from gough.timing.drive_terms import terms_at, terms_of, turning_places
from gough.timing.facets import shares_within_limits
from gough.timing.fastest_result import Fastest, InfeasibleError
from gough.timing.geometry import Way, way_of
from gough.timing.limit_rows import Bounds, typical_pace
from gough.timing.reachability import Profile, fastest_profile, toppra_parts

CELLS = 800
"""Of the grid on a stretch between two stops."""
INNER = 3
"""Places inside each cell at which limits are looked at before all of it is checked."""
LOCAL = 0.98
"""Share of the limits that is left to a cell inside which they are exceeded; more is no matter of the grid."""
REPEATS = 12
SETTLED = 1e-7
"""Change of the duration at which tangents are taken as good."""
MOST = 0.2
"""Share of the limits that may be given up for what happens between places of the grid."""
GIVEN = 4
"""How often limits are tightened where the certificate finds them exceeded, before all of the motion is slowed down."""
LITTLE = 2e-3
"""An excess below this is removed along the whole path: that costs little time and takes one pass."""
SLOWEST = 1e6
"""Factor of the duration beyond which a motion that still exceeds a limit is not slowed down any more."""
COSTLY = 4.0
"""Share of the time, of the excess that it removes, from which on tightened limits are compared with a slower pace."""
AROUND = 1
"""Cells on either side of such a place that are tightened too."""
SHARED = 1e-4
"""What is given up, of limits of forces that are shared, where they are exceeded at all."""
DENSE = 0.7
"""How much the grid is denser near stops, where a cell takes longest."""


def fastest(
    robot: Robot,
    motion: Motion,
    limits: LimitsLike | None = None,
    cells: int = CELLS,
) -> Fastest:
    """The fastest motion along the path of a motion, at rest at its ends.

    The timing of the motion is ignored, rests included; it stops at corners. What depends on no time (strokes,
    angles, distances) is checked as `check` does. Of robots whose actuators share forces within limits, any forces
    within them count.

    Args:
        robot: Any; with a motor, forces keep within its peak curve, or the continuous one if it has no other.
        motion: Its path counts, not its time. A wrench that changes along it counts by the place, not by the time.
        limits: In place of the robot's own, as of `check`.
        cells: Of the grid of places.

    Raises:
        InputError: No limit that bounds the time; a motion without a path; toppra is not installed.
        InfeasibleError: Some limit cannot be kept on this path at any speed; says which, where and by how much.
        ReachError: A leg cannot follow.
    """
    toppra_parts()
    stated = check_limits(in_si(robot, limits))
    moved = Motion.of(robot, motion).path()
    return along(robot, way_of(robot, moved), stated, moved.name, cells)


def along(robot: Robot, way: Way, stated: Mapping[str, Any], name: str, cells: int = CELLS) -> Fastest:
    """The fastest motion along a path; see `fastest`."""
    check_bounded(robot, stated)
    terms = terms_of(robot, way, grid_of(robot, way, cells))
    bounds = Bounds(terms, stated, robot.motor)
    profile = solved(bounds)
    within = _between(bounds, profile)
    if within.max() > 1.0:
        bounds = replace(bounds, share=np.clip(1.0 / within, LOCAL, 1.0))
        profile = profile_if_any(bounds) or profile
    motion = motion_of(robot, way, profile, name)
    certificate = check(robot, motion, stated)
    _check_untimed(certificate)
    excess = excess_of(certificate, motion, robot)
    for _ in range(GIVEN):
        if not 0.0 < excess < MOST:
            break
        share = _given_back(bounds, profile, certificate, excess)
        inner = profile_if_any(replace(bounds, share=share))
        if inner is None:
            break
        tried = motion_of(robot, way, inner, name)
        found = check(robot, tried, stated)
        left = excess_of(found, tried, robot)
        if left == 0.0 and tried.duration > motion.duration * (1.0 + COSTLY * excess):
            # Tangents of a steep curve may lead to a profile that is far from the fastest: the same motion, slower
            # all along, may take less time.
            slowed = _slowed(robot, way, profile, name, stated, excess)
            if slowed[1].duration < tried.duration:
                return Fastest(robot, slowed[1], dict(stated), bounds, slowed[0], slowed[2])
        bounds, profile, motion, certificate, excess = replace(bounds, share=share), inner, tried, found, left
    if excess > 0.0:
        profile, motion, certificate = _slowed(robot, way, profile, name, stated, excess)
    return Fastest(robot, motion, dict(stated), bounds, profile, certificate)


def _slowed(
    robot: Robot,
    way: Way,
    profile: Profile,
    name: str,
    stated: Mapping[str, Any],
    excess: float,
) -> tuple[Profile, Motion, CheckResult]:
    """The same motion at the fastest pace that keeps all limits, or SLOWEST times slower if none does.

    The pace is lowered by the excess, twice as much each time but never to less than half, until all limits are kept;
    then the gap to the last pace that does not keep them is halved until it is LITTLE.
    """

    def paced(factor: float) -> tuple[Profile, Motion, CheckResult]:
        slower = replace(profile, z=profile.z / factor**2)
        motion = motion_of(robot, way, slower, name)
        return slower, motion, check(robot, motion, stated)

    step, fast, slow = 1.0, 1.0, 1.0
    while True:
        fast, slow = slow, slow * (1.0 + min(step * excess, 1.0))
        found = paced(slow)
        excess, step = excess_of(found[2], found[1], robot), 2.0 * step
        if not excess > 0.0:
            break
        if slow > SLOWEST:
            return found
    while slow > fast * (1.0 + LITTLE):
        middle = math.sqrt(fast * slow)
        tried = paced(middle)
        if excess_of(tried[2], tried[1], robot) > 0.0:
            fast = middle
        else:
            slow, found = middle, tried
    return found


def _given_back(bounds: Bounds, profile: Profile, found: CheckResult, excess: float) -> Array:
    """(N,) share of the limits in each cell: less where one is much exceeded, otherwise everywhere."""
    share = np.broadcast_to(bounds.share, profile.u.shape).copy()
    edges = np.cumsum(profile.durations)
    over = [f for f in found.every if f.kind in TIMED and f.relative < 0.0]
    if not over or found.lost is not None or excess < LITTLE:
        return share * (1.0 - 1.02 * excess)
    for worst in over:
        cell = int(np.searchsorted(edges, worst.t))
        share[max(cell - AROUND, 0) : cell + AROUND + 1] *= 1.0 + 1.02 * worst.relative
    return share


def _between(bounds: Bounds, profile: Profile) -> Array:
    """(N,) largest share of a limit in use inside each cell, at INNER places."""
    t, grid = bounds.terms, profile.grid
    found = np.zeros(len(grid) - 1)
    for share in (np.arange(INNER) + 1.0) / (INNER + 1.0):
        middle = grid[:-1] + share * np.diff(grid)
        z = profile.z[:-1] + share * np.diff(profile.z)
        inner = terms_at(t.robot, t.way, middle[None], middle)
        used = Bounds(inner, bounds.limits, bounds.motor).used(profile.u, z[None])
        found = np.maximum(found, np.max([value[0] for value in used.values()], axis=0))
    return found


def check_bounded(robot: Robot, stated: Mapping[str, Any]) -> None:
    """Refuse a force limit where the robot's own decide, and a question without any limit.

    Raises:
        InputError: Such a question.
    """
    shared = shares_within_limits(robot)
    if shared and "force" in stated:
        raise InputError(
            f"limit force: {robot.name} shares forces within its own limits; change those in its file or by --set"
        )
    timed = any(
        bound is not None for k in ("force", "speed", "power") for _, bound in actuator_bounds(robot, k, stated)
    )
    if not (timed or shared or robot.motor is not None or any(kind in stated for kind in PLATFORM)):
        raise InputError(
            f"fastest: {robot.name} states no limit of force, speed or power and none is given; "
            "give e.g. limit force, speed or platform_speed"
        )


def _check_untimed(found: CheckResult) -> None:
    """Refuse a path that does not fit at any time."""
    if found.lost is not None and found.lost.kind == "reach":
        raise found.lost
    for worst in found.findings:
        if not worst.fits and worst.kind not in (*TIMED, "margin"):
            raise InfeasibleError(worst.kind, worst.owner, worst.value, worst.limit)
    if found.crossings or found.touched:
        raise InfeasibleError("det K", "", 0.0, 0.0)


def grid_of(robot: Mechanism, way: Way, cells: int) -> Array:
    """Places: even in the middle of each stretch, denser towards its stops, with all knots and turns of actuators."""
    if not 10 <= cells <= 100_000:
        raise InputError(f"cells {cells}: must be from 10 to 100000")
    u = np.linspace(0.0, 1.0, cells + 1)
    shape = (1.0 - DENSE) * u + DENSE * 0.5 * (1.0 - np.cos(np.pi * u))
    places = np.concatenate([a + (b - a) * shape for a, b in pairwise(way.stops)])
    fixed = np.unique([*way.knots, *turning_places(robot, way, np.unique([*places, *way.knots]))])
    least = 0.2 / cells * np.min(np.diff(way.stops)) * (1.0 - DENSE)
    away = np.abs(places[:, None] - fixed[None, :]).min(axis=1) > least if len(fixed) else np.ones(len(places), bool)
    merged = np.unique(np.concatenate([places[away], fixed]))
    keep = np.concatenate([[True], np.diff(merged) > 1e-12 * (merged[-1] - merged[0])])
    return np.asarray(merged[keep])


def solved(bounds: Bounds) -> Profile:
    """The fastest profile at the grid's places.

    Raises:
        InfeasibleError: There is none.
    """
    found = profile_if_any(bounds)
    if found is None:
        raise _cause(bounds)
    return found


def profile_if_any(bounds: Bounds) -> Profile | None:
    """The fastest profile that tangents lead to; where a motor has a curve, they are first taken at two paces.

    Tangents lie within the limits, so that every profile keeps these; but one that starts at the edge of what is
    possible may stay there, far from the fastest.
    """
    z = _first(bounds)
    starts = [z] if bounds.motor is None else [z, 0.25 * z]
    found = [profile for start in starts if (profile := _refined(bounds, start)) is not None]
    return min(found, key=lambda profile: profile.duration, default=None)


def _refined(bounds: Bounds, z: Array) -> Profile | None:
    """The profile with tangents first taken at z (2, N), made again until the duration stays."""
    good = 0.0 * z  # where tangents were taken that left a profile
    found: Profile | None = None
    duration = np.inf
    for _ in range(REPEATS):
        profile = _once(bounds, z)
        if profile is None:  # the tangents were taken too far out
            z = 0.25 * z if found is None else 0.5 * (good + z)
            continue
        found, good, z = profile, z, profile.ends
        if abs(profile.duration - duration) <= SETTLED * profile.duration:
            break
        duration = profile.duration
    return found


def _once(bounds: Bounds, z: Array) -> Profile | None:
    grid, rows = bounds.terms.grid, bounds.rows(z)
    out = np.zeros(len(grid))
    for cells in bounds.terms.stretches:
        own = [r.of(cells) for r in rows]
        places = grid[cells.start : cells.stop + 1]
        found = fastest_profile(places, own, typical_pace(own, places), bounds.terms.way.rolling)
        if found is None:
            return None
        out[cells.start : cells.stop + 1] = found.z
    return Profile(grid, out)


def _first(bounds: Bounds) -> Array:
    """(2, N) where tangents are taken first: what limits of power and speed allow at a steady pace, if anything."""
    t = bounds.terms
    z = np.full(t.rate.shape[:2], np.inf)
    for k in range(t.rate.shape[2]):
        speed, force = np.abs(t.rate[:, :, k]), np.abs(t.c[:, :, k])
        limits = {kind: bounds._limit(kind, k) for kind in ("speed", "power", "force")}
        with np.errstate(divide="ignore", invalid="ignore"):
            if limits["speed"] is not None:
                z = np.minimum(z, (limits["speed"] / speed) ** 2)
            if limits["power"] is not None:
                z = np.minimum(z, (limits["power"] / (speed * np.maximum(force, 1e-12))) ** 2)
            if bounds.motor is not None:
                z = np.minimum(z, 0.25 * (bounds.motor.limiting.speed[-1] / (bounds.motor.ratio * speed)) ** 2)
    return np.minimum(np.nan_to_num(z, nan=np.inf), 4.0 * _pace_of_inertia(bounds) ** 2)


def _pace_of_inertia(bounds: Bounds) -> float:
    """A typical rate from forces alone, or from whatever is limited."""
    t = bounds.terms
    rows = replace(bounds, terms=replace(t, v=0.0 * t.v)).rows(np.ones(t.rate.shape[:2]))
    return typical_pace([r for r in rows if r.kind != "power"] or rows, t.grid)


def _cause(bounds: Bounds) -> InfeasibleError:
    """Which limit cannot be kept on the path even at rest, and by how much."""
    t = bounds.terms
    zero = np.zeros(t.rate.shape[:2])
    used = bounds.used(zero[0], zero)
    (kind, owner), worst = max(used.items(), key=lambda item: float(item[1].max()))
    share = float(worst.max())
    at = int(worst.max(axis=0).argmax())
    place = float((t.grid[at] - t.grid[0]) / (t.grid[-1] - t.grid[0]))
    if kind == "force":
        limit = float(replace(bounds, share=1.0)._limit(kind, t.robot.actuator_names.index(owner)))
        return InfeasibleError(kind, owner, share * limit, limit, place)
    return InfeasibleError(kind, owner, share, 1.0, place)


def motion_of(robot: Mechanism, way: Way, profile: Profile, name: str) -> Motion:
    """The motion x(s(t)) with its own breakpoints."""
    t = np.concatenate([[0.0], np.cumsum(profile.durations)])
    coefficients = np.stack([profile.grid[:-1], np.sqrt(profile.z[:-1]), 0.5 * profile.u])[:, :, None]
    law = Retimed(way.curve, Pieces(t, coefficients, still=True), tuple(profile.grid.tolist()))
    load = None if way.load is None else replace(law, path=way.load)
    return Motion(f"{name}, fastest", robot.coordinate_names, 0.0, float(t[-1]), law, load)


def excess_of(found: CheckResult, motion: Motion, robot: Robot) -> float:
    """By what share a limit that depends on time is exceeded; 0 if none is."""
    margins = [f.relative for f in found.every if f.kind in TIMED]
    least = min(margins, default=0.0)
    if found.lost is not None or any(f.margin < 0.0 for f in found.every if f.kind == "margin"):
        least = min(least, -SHARED)
    least = min(least, 1.0 - motor_used(robot, motion))
    return -least if least < -1e-12 else 0.0


def scaled(motion: Motion, factor: float) -> Motion:
    """A motion of `motion_of` in `factor` times the time."""
    law = motion.law
    assert isinstance(law, Retimed)
    slower = law.stretched(factor)
    load = motion.load.stretched(factor) if isinstance(motion.load, Retimed) else motion.load
    return replace(motion, end=motion.start + motion.duration * factor, law=slower, load=load)
