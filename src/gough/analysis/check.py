"""Does a motion fit a machine: every limit, with the worst value between samples too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gough.analysis.along_motion import Path, ReachError
from gough.analysis.check_result import CheckResult, Finding, finding, worst_finding
from gough.analysis.checked_quantities import Group, groups_of
from gough.analysis.extremes import extremes, extremes_at, pieces_of, sign_changes
from gough.analysis.leg_distances import NEAR, NEAR_THIN
from gough.analysis.limits import KINDS, LimitsLike, check_limits, in_si
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.motion import Motion
from gough.robot import Robot

SAMPLES = 2001
"""Number of times at which a user's function is sampled."""
EDGE = 1e-6
"""A motion that leaves the reach is checked up to this share of its duration before: speeds have no bound there."""
UNBOUNDED = ("speed", "force", "power", "condition")
"""What grows without bound as a leg comes to the end of its reach."""


def check(
    robot: Robot,
    motion: Motion,
    limits: LimitsLike | None = None,
    samples: int = SAMPLES,
) -> CheckResult:
    """Whether a motion fits a robot.

    Args:
        robot: Any.
        motion: Its motion, with wrench and base.
        limits: In place of the robot's own, in SI units or with theirs: stroke (low, high), speed, force, power, angle
            of universal and spherical joints, distance between legs, condition and singular (value) of K.
        samples: How many of a user's function; others are searched between samples.

    Raises:
        InputError: Limits that cannot be; no limit at all.
        ReachError: A leg cannot follow from the start on. Where it cannot later, the result says so (`lost`) and is
            of the motion up to there.
    """
    moved = Motion.of(robot, motion)
    stated = check_limits(in_si(robot, limits))
    whole = Path(robot, moved)
    path, edges, lost = _reached(whole, samples)
    groups, missing = groups_of(path, stated)
    if not groups:
        raise InputError(
            f"check: {robot.name} states no limit and none is given; give e.g. limit force or speed, "
            "or put stroke, speed, force or power into its file"
        )
    every = [found for group in groups for found in worst_of(path, group, edges, samples)]
    if lost is not None and lost.kind == "reach":
        every = _apart_from_the_end(path, stated, groups, every, samples)
    kinds = [kind for kind in KINDS if any(found.kind == kind for found in every)]
    findings = [worst_finding([f for f in every if f.kind == kind]) for kind in kinds]
    return CheckResult(
        robot,
        moved,
        stated,
        tuple(findings),
        tuple(every),
        {kind: missing[kind] for kind in KINDS if kind in missing},
        *singular_times(path, samples),
        tuple(_notes(path, any(found.kind == "distance" for found in findings))),
        0 if whole.analytic else samples,
        characteristic_length(robot),
        lost,
        whole,
    )


def _reached(path: Path, samples: int) -> tuple[Path, list[float], ReachError | None]:
    """The path up to where a leg goes out of reach, its edges, and that place; the whole path and None if none does.

    Raises:
        ReachError: At the start.
    """
    lost: ReachError | None = None
    while True:
        try:
            times = sample_times(path, samples)
            path.drive(times, times)
            return path, edges_of(path), lost
        except ReachError as error:
            end = error.t - EDGE * path.motion.duration
            if end <= path.motion.start:
                raise
            lost, path = error if lost is None else lost.earlier(error), path.until(end)


def _apart_from_the_end(
    path: Path, stated: Mapping[str, Any], groups: list[Group], every: list[Finding], samples: int
) -> list[Finding]:
    """The findings, those marked that violate a limit only where a leg stretches, at the end of the path.

    Speeds and forces have no bound there, which says nothing of the actuators. They are looked at again up to where the
    first of them passes its limit and stays beyond to the end; what is violated before that is told in its place.
    """
    columns = [column for group in groups for column in group.columns]
    near = path.motion.end - EDGE * path.motion.duration
    last = [k for k, found in enumerate(every) if found.kind in UNBOUNDED and not found.fits and found.t >= near]
    times = sample_times(path, samples)
    values = np.concatenate([group.function(times, times) for group in groups], axis=1)
    begins = {}
    for k in last:
        kept = [columns[k].holds(value, value) for value in values[:, k]]
        if any(kept):  # otherwise it is beyond its limit from the start on: of the actuators, not of the reach
            begins[k] = float(times[np.flatnonzero(kept)[-1]])
    if not begins:
        return every
    before: dict[tuple[str, str], Finding] = {}
    if (cut := min(begins.values())) > path.motion.start:
        short = path.until(cut)
        edges = edges_of(short)
        again = [f for group in groups_of(short, stated, True)[0] for f in worst_of(short, group, edges, samples)]
        before = {(found.kind, found.owner): found for found in again if not found.fits}
    every = list(every)
    for k in begins:
        found = every[k]
        every[k] = before.get((found.kind, found.owner), replace(found, at_end=True))
    return every


def edges_of(path: Path) -> list[float]:
    """Breakpoints of the motion and, where there is dry friction, the times at which an actuator turns round.

    Raises:
        ReachError: A leg cannot follow.
    """
    points = list(path.breakpoints)
    if not path.analytic:
        return points
    pieces = pieces_of(lambda t, inside: path.drive(t, inside)["qd"], points, kinds=["qd"] * len(path.robot.actuators))
    if not path.coulomb.any():
        return points
    turns = [sign_changes(pieces, int(k), path.still) for k in np.flatnonzero(path.coulomb)]
    return merged_edges(np.concatenate([points, *turns]))


def merged_edges(times: Array) -> list[float]:
    """Times in order, the first and last kept, those that differ by round-off as one."""
    ordered = np.unique(times)
    slack = 1e-12 * (ordered[-1] - ordered[0])
    inner = ordered[1:-1]
    inner = inner[(inner - ordered[0] > slack) & (ordered[-1] - inner > slack)]
    kept = inner[np.concatenate([[True], np.diff(inner) > slack])] if len(inner) else inner
    return [float(ordered[0]), *kept.tolist(), float(ordered[-1])]


def worst_of(path: Path, group: Group, edges: list[float], samples: int = SAMPLES) -> list[Finding]:
    """The worst value of each column of a group."""
    if path.analytic:
        points = edges if group.jumps else list(path.breakpoints)
        kinds = [column.kind for column in group.columns]
        low, high = extremes(group.function, pieces_of(group.function, points, floor=group.floor, kinds=kinds))
    else:
        times = sample_times(path, samples)
        low, high = extremes_at(times, group.function(times, times))
    return [finding(column, a, b) for column, a, b in zip(group.columns, low, high, strict=True)]


def sample_times(path: Path, samples: int) -> Array:
    """Evenly spaced times and the breakpoints."""
    return np.unique([*np.linspace(path.motion.start, path.motion.end, samples), *path.breakpoints])


def singular_times(path: Path, samples: int = SAMPLES) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Times at which det K changes its sign, and others at which it is 0: a touch, an end, a stretch that begins."""
    if path.motion.analytic:

        def function(t: Array, inside: Array) -> Array:
            return path.determinant(t)[:, None]

        pieces = pieces_of(function, list(path.motion.breakpoints))
        zeros = sign_changes(pieces, 0)
        edges = np.concatenate([[path.motion.start], zeros, [path.motion.end]])
        signs = np.sign(path.determinant(0.5 * (edges[:-1] + edges[1:])))
        crossed = zeros[signs[1:] * signs[:-1] < 0]
        tried = np.unique([*zeros, *path.motion.breakpoints])
    else:
        tried = sample_times(path, samples)
        signs = np.sign(path.determinant(tried))
        crossed = tried[1:][signs[1:] * signs[:-1] < 0]
    touched = tried[path.singular(tried)]
    return tuple(crossed.tolist()), tuple(np.setdiff1d(touched, crossed).tolist())


def _notes(path: Path, distances: bool) -> list[str]:
    notes = []
    if path.motion.base is not None:
        notes.append(f"the base moves: {path.motion.base.name}")
    if not path.analytic:
        whose = "motion" if not path.motion.analytic else "base's motion"
        notes.append(f"the {whose} is a function: checked at its samples, not between them")
    if path.motion.smoothing:
        notes.append(path.motion.smoothing.rstrip("."))
    shared: dict[tuple[float, bool], list[str]] = {}
    for pair in path.pairs if distances else []:
        near = max(pair.at_base, pair.at_platform)
        if near:
            both = " and ".join(path.robot.legs[k].name for k in (pair.first.leg, pair.second.leg))
            shared.setdefault((near, pair.radii > 0.0), []).append(both)
    for (near, thick), names in shared.items():
        listed = "; ".join(dict.fromkeys(names))
        why = f"{NEAR:g} times their radii" if thick else f"{100.0 * NEAR_THIN:g} % of the first leg's length at home"
        notes.append(f"legs {listed} share a joint: not checked against each other within {near:.4g} m of it ({why})")
    return notes
