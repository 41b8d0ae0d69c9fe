"""Coordinates of a platform: which motions its legs leave it, and which of them follow the others.

A coordinate is one of x, y, z and of the turns yaw, pitch, roll if the platform moves along or about that axis of the
base anywhere near home. Of more coordinates than motions those that the motions move most are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.formats.placement import Floats, Placement, to_rpy
from gough.formats.reading.assembly import Assembly, Motions, closed
from gough.formats.xml_text import FormatError

NAMES = {"x": "x", "y": "y", "z": "z", "rz": "yaw", "ry": "pitch", "rx": "roll"}
_ROWS = {"x": 0, "y": 1, "z": 2, "rz": 5, "ry": 4, "rx": 3}
_MOVES = 1e-7
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
    bases = [_twists(Motions(assembly, size), platform)]
    rng = np.random.default_rng(seed)
    here = Motions(assembly, size)
    free = here.free_rates()
    for _ in range(_NEIGHBOURS if free.shape[1] else 0):
        step = free @ rng.uniform(-1, 1, free.shape[1])
        near, gap = closed(here.moved(_NEAR * step / np.abs(step).max()), size)
        if gap < _MOVES:
            bases.append(_twists(Motions(near, size), platform))
    rows = {m: row for m, row in _ROWS.items() if turns or len(m) == 1}
    if not turns:
        bases = [_basis(basis[:3]) for basis in bases]
    count = min(basis.shape[1] for basis in bases)
    if count == 0:
        raise FormatError(f"link {platform}: the loops leave it no motion; is --platform the right link?")
    moving = [m for m, row in rows.items() if any(np.abs(basis[row]).max() > _MOVES for basis in bases)]
    generic = next(basis for basis in bases if basis.shape[1] == count)
    independent = _independent([rows[m] for m in moving], moving, generic, wanted)
    place = here.places[platform]
    frame, origin, home = _framed(place, moving)
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
        unknown = [m for m in wanted if m not in moving]
        if unknown or len(wanted) != count:
            known = ", ".join(NAMES[m] for m in moving)
            raise FormatError(f"--independent: the platform has {count} motions in {known}; name {count} of these")
        return list(wanted)
    if len(moving) == count:
        return moving
    _, _, order = qr(basis[rows].T, mode="economic", pivoting=True)
    return [moving[k] for k in sorted(order[:count])]


def _framed(place: Placement, moving: list[str]) -> tuple[Placement, Placement, tuple[float, ...]]:
    """P in the platform's link, P at all coordinates zero, and the coordinates at home.

    P is the link's own frame where the turning coordinates can say how that stands at home; else its axes are those of
    the base at home.
    """
    roll, pitch, yaw = to_rpy(place.rotation)
    angles = {"rz": yaw, "ry": pitch, "rx": roll}
    still = [m for m in ("rz", "ry", "rx") if m not in moving]
    own = all(abs(angles[m]) < 1e-15 for m in still) and abs(pitch) < _STEEPEST
    frame = Placement() if own else Placement(rotation=place.rotation.T)
    slides = dict(zip("xyz", place.position, strict=True))
    values = {**slides, **({m: float(a) for m, a in angles.items()} if own else dict.fromkeys(angles, 0.0))}
    home = tuple(float(values[m]) + 0.0 for m in moving)
    origin = Placement(np.array([0.0 if m in moving else slides[m] for m in "xyz"]))
    return frame, origin, home
