"""Balls of a branch: one at its end, those in its chain, and three hinges that are one.

A ball in the chain becomes three hinges that are at zero at home, across the rod first and along it last. Where the leg
ends in a ball too, its spin about itself is left out (`free_spin`); three hinges through one point without mass between
them are such a ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gough.formats.linkage import Connection
from gough.formats.placement import Floats, Placement
from gough.formats.reading.home import Home
from gough.formats.reading.structure import Step

_SAME = 1e-9

EndPoint = tuple[str, Floats, Floats]
"""A spherical end: the last link, (3,) the point of it and (3,) that of the platform's link [m]."""


def with_ball_end(home: Home, steps: list[Step]) -> tuple[list[Step], Step | EndPoint, dict[str, float]]:
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


def spinning_of(
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
