"""Coordinates of a platform: which motions its legs leave it, and which of them follow the others.

A coordinate is one of x, y, z if the platform moves along that axis of the base anywhere near home, and one of yaw,
pitch, roll if it turns about that axis and this angle changes. Of more coordinates than motions those that the motions
move most are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.formats.placement import Floats, Placement, about, to_rpy
from gough.formats.reading.assembly import Assembly, Motions, closed
from gough.formats.xml_text import FormatError

NAMES = {"x": "x", "y": "y", "z": "z", "rz": "yaw", "ry": "pitch", "rx": "roll"}
_ROWS = {"x": 0, "y": 1, "z": 2, "rz": 5, "ry": 4, "rx": 3}
_MOVES = 1e-7
_STILL = 1e-15
_CHANGES = 1e-9
"""Angle [rad] and rate, of a motion of unit size, up to which an angle of the platform counts as constant."""
_NEAR = 0.03
_NEIGHBOURS = 3
_STEEPEST = 1.2
"""Largest pitch [rad] at which yaw, pitch and roll are still good coordinates of home."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the platform's coordinates are.

    Attributes:
        motions: "x", "rz" and so on, in order.
        dependent: Those that follow the others.
        home: A value for each [m or rad].
        origin: P where all coordinates are zero, in the world.
        frame: P in the platform's link.
    """

    motions: tuple[str, ...]
    dependent: tuple[str, ...]
    home: tuple[float, ...]
    origin: Placement
    frame: Placement


def chosen_coordinates(
    assembly: Assembly, platform: str, size: float, turns: bool, wanted: Sequence[str] | None, seed: int = 1
) -> Chosen:
    """The platform's coordinates.

    Args:
        assembly: Closed.
        platform: Its link.
        size: Size of the machine [m].
        turns: Whether its turning counts; that of a point does not.
        wanted: Motions that are to be independent, or None.
        seed: Seed of the neighbours of home that are looked at.

    Raises:
        FormatError: The platform does not move.
    """
    rng = np.random.default_rng(seed)
    here = Motions(assembly, size)
    bases, places = [_twists(here, platform)], [here.places[platform]]
    free = here.free_rates()
    for _ in range(_NEIGHBOURS if free.shape[1] else 0):
        step = free @ rng.uniform(-1, 1, free.shape[1])
        near, gap = closed(here.moved(_NEAR * step / np.abs(step).max()), size)
        if gap < _MOVES:
            there = Motions(near, size)
            bases.append(_twists(there, platform))
            places.append(there.places[platform])
    rows = {m: row for m, row in _ROWS.items() if turns or len(m) == 1}
    if not turns:
        bases = [_basis(basis[:3]) for basis in bases]
    count = min(basis.shape[1] for basis in bases)
    if count == 0:
        rigid = any(c.closes and c.kind == "fixed" for c in assembly.linkage.connections)
        kind = ", some taken as rigid (6d, weld; ball joints are 3d, connect)," if rigid else ""
        raise FormatError(f"link {platform}: the loops{kind} leave it no motion; is --platform the right link?")
    moving = [m for m, row in rows.items() if any(np.abs(basis[row]).max() > _MOVES for basis in bases)]
    generic = next(basis for basis in bases if basis.shape[1] == count)
    place = here.places[platform]
    frame = _frame(place, moving)
    if turns:
        fixed = _constant([(at.rotation @ frame.rotation, basis) for at, basis in zip(places, bases, strict=True)])
        moving = [m for m in moving if m not in fixed]
    independent = _independent([rows[m] for m in moving], moving, generic, wanted)
    origin, home = _home(place, frame, moving)
    return Chosen(tuple(moving), tuple(m for m in moving if m not in independent), home, origin, frame)


def _twists(motions: Motions, platform: str) -> Floats:
    """(6, motions) orthonormal: velocity of the platform's origin in sizes of the machine, angular velocity."""
    twists = motions.of(platform) @ motions.free_rates()
    p = motions.places[platform].position / motions.size
    return _basis(np.vstack([twists[:3] + np.cross(twists[3:].T, p).T, twists[3:]]))


def _basis(columns: Floats) -> Floats:
    U, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return U[:, sizes > _MOVES]


def _independent(rows: list[int], moving: list[str], basis: Floats, wanted: Sequence[str] | None) -> list[str]:
    from scipy.linalg import qr

    count = basis.shape[1]
    if wanted is not None:
        motions = {name: motion for motion, name in NAMES.items()}
        chosen = list(dict.fromkeys(motions.get(m, m) for m in wanted))
        if len(chosen) != count or len(chosen) != len(wanted) or not set(chosen) <= set(moving):
            known = ", ".join(NAMES[m] if NAMES[m] == m else f"{NAMES[m]} (or {m})" for m in moving)
            raise FormatError(
                f"--independent {','.join(wanted)}: the platform has {count} motions in {known}; name {count} of these"
            )
        return [m for m in moving if m in chosen]
    if len(moving) == count:
        return moving
    _, _, order = qr(basis[rows].T, mode="economic", pivoting=True)
    return [moving[k] for k in sorted(order[:count])]


def _frame(place: Placement, moving: list[str]) -> Placement:
    """P in the platform's link: the link's own frame where the turning coordinates can say how that stands at home.

    Else P's axes are those of the base at home.
    """
    angles = _angles(place.rotation)
    still = [m for m in angles if m not in moving]
    own = all(abs(angles[m]) < _STILL for m in still) and abs(angles["ry"]) < _STEEPEST
    return Placement() if own else Placement(rotation=place.rotation.T)


def _home(place: Placement, frame: Placement, moving: list[str]) -> tuple[Placement, tuple[float, ...]]:
    """P at all coordinates zero, and the coordinates at home."""
    slides = dict(zip("xyz", place.position, strict=True))
    own = np.array_equal(frame.rotation, np.eye(3))
    values = {**slides, **(_angles(place.rotation) if own else dict.fromkeys(("rz", "ry", "rx"), 0.0))}
    home = tuple(float(values[m]) + 0.0 for m in moving)
    return Placement(np.array([0.0 if m in moving else slides[m] for m in "xyz"])), home


def _angles(R: Floats) -> dict[str, float]:
    roll, pitch, yaw = (float(angle) for angle in to_rpy(R))
    return {"rz": yaw, "ry": pitch, "rx": roll}


def _constant(samples: Sequence[tuple[Floats, Floats]]) -> list[str]:
    """Those of yaw, pitch, roll that are zero and stay so, of pairs of P's orientation and its motions (6, motions).

    A platform on a universal joint turns about all axes of the base, but only two of its angles change.
    """
    found = {"rz", "ry", "rx"}
    for R, basis in samples:
        angles = _angles(R)
        first = about(np.array([0.0, 0.0, 1.0]), angles["rz"])
        second = first @ about(np.array([0.0, 1.0, 0.0]), angles["ry"])
        axes = np.stack([[0.0, 0.0, 1.0], first[:, 1], second[:, 0]], axis=1)
        if abs(angles["ry"]) > _STEEPEST:
            return []
        rates = dict(zip(("rz", "ry", "rx"), np.abs(np.linalg.solve(axes, basis[3:])).max(axis=1), strict=True))
        found = {m for m in found if rates[m] < _CHANGES and abs(angles[m]) < _CHANGES}
    at_home = _angles(samples[0][0])
    return [m for m in found if abs(at_home[m]) < _STILL]
