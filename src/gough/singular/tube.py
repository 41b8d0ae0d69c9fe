"""Whether a motion, and all poses near it, keep the least singular value of K above a limit: proved by enclosures.

Poses near x(t) slide by d and turn by half-angle tangents g from it, with sqrt(d^2 + (length turn)^2) <= radius. Boxes
of (t, d, g) are halved until each is decided. With C the matrix in the middle and D = K - C over the box,

    sigma_min(K) >= sigma_min(C) - |D|_F    and, with Y = C^-1 and |Y D| < 1,    >= sigma_min(C) (1 - |Y D|).

Where coordinates depend on others, d are changes of the free ones. What follows them is enclosed, for the motion and
near it, and with it the distance of the two poses: boxes that are farther than the radius all over are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.programs import turning_length
from gough.motion import Motion
from gough.robot import Mechanism, Robot
from gough.singular.recorded_law import RecordedLaw, recorded_law
from gough.singular.regular import inverses, regular
from gough.singular.tube_space import AboutFollowed, AboutMotion, AlongMotion, TubeSpace
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import margin_equations
from gough.workspaces.rays import is_free

BLOCK = 2048
MOST = 200_000


@dataclass(frozen=True, slots=True)
class Tube:
    """What is proved of a motion and a tube about it.

    Attributes:
        radius: Of the tube, as a distance of poses, sqrt(way^2 + (length turn)^2) [m].
        least: What the least singular value of K must exceed, turns divided by the length; 0 asks for full rank.
        proved: Whether it does at all times.
        until: Up to where that is proved [s].
        boxes: How many it took.
        found: A time and a value at which it does not, if one was met; None otherwise.
    """

    __repr__ = brief

    radius: float
    least: float
    proved: bool
    until: float
    boxes: int
    found: tuple[float, float] | None


def tube(
    robot: Robot, motion: Motion, radius: float = 0.0, least: float = 0.0, end: float | None = None, most: int = MOST
) -> Tube:
    """Whether all poses within a distance of a motion keep the least singular value of K above a limit.

    Args:
        robot: Whose legs are closed in closed form; its coordinates may depend on each other.
        motion: A polynomial or a sum of waves, piece by piece.
        radius: Distance of poses [m]; 0 for the motion alone.
        least: The limit; 0 asks for full rank.
        end: Up to which time [s]; to its end if left out.
        most: Boxes after which the proof gives up.

    Raises:
        InputError: A robot or a motion without enclosures, or a radius of half a turn and more.
    """
    motion = Motion.of(robot, motion).path()
    law, last = recorded_law(motion), motion.end if end is None else end
    length = turning_length(robot)
    if not 0.0 <= radius < 3.0 * length:
        most_m = 3.0 * length
        raise InputError(f"tube {radius:g}: must be a distance from 0 to less than {most_m:g} m, nearly half a turn")
    space = _space(robot, law, radius, length)
    enclosure = space.enclosure
    piece, centre, half = space.start(last)
    metric = np.concatenate([[_speed(motion, robot, length)], space.metric])
    looked, undecided, found = 0, np.inf, None
    while len(centre):
        order = np.argsort(centre[:, 0] - half[:, 0], kind="stable")[:BLOCK]
        looked += len(order)
        if looked > most:
            undecided = min(undecided, float((centre[:, 0] - half[:, 0]).min()))
            break
        inputs = np.hstack([centre[order, :1], law.numbers[piece[order]], centre[order, 1:]])
        told = enclosure(inputs, half[order])
        forms = told["S"]
        value = _middles(forms)
        from_motion, beyond = space.apart(inputs, centre[order], half[order], told)
        bad = np.flatnonzero((value <= least) & (from_motion <= radius))
        if len(bad):
            first = order[bad[np.argmin(centre[order[bad], 0])]]
            found = (float(centre[first, 0]), float(value[np.flatnonzero(order == first)[0]]))
            undecided = min(undecided, float(centre[first, 0] - half[first, 0]))
            break
        fine = (regular(forms) if least == 0.0 else _above(forms, least)) | beyond
        rest = np.ones(len(centre), dtype=bool)
        rest[order] = False
        open_ = order[~fine]
        short = (half[open_] * metric).max(axis=1) < 1e-10 * length
        undecided = min(undecided, float((centre[open_[short], 0] - half[open_[short], 0]).min(initial=np.inf)))
        open_ = open_[~short]
        parts = _halved(piece[open_], centre[open_], half[open_], metric)
        keep = ~space.beyond(*parts)
        piece, centre, half = (
            np.concatenate([old[rest], new[keep]]) for old, new in zip((piece, centre, half), parts, strict=True)
        )
    until = min(undecided, last)
    return Tube(radius, least, bool(undecided == np.inf), max(until, motion.start), looked, found)


def _space(robot: Mechanism, law: RecordedLaw, radius: float, length: float) -> TubeSpace:
    """What boxes about a motion are made of."""
    if radius == 0.0:
        return AlongMotion(robot, law, radius, length)
    free = is_free(margin_equations(robot, Conditions(("reach",))))
    return (AboutMotion if free else AboutFollowed)(robot, law, radius, length)


def _speed(motion: Motion, robot: Mechanism, length: float) -> float:
    """How fast the distance of poses grows at most, about: decides what is halved, not what is true."""
    _, xd, _ = motion.law(np.linspace(motion.start, motion.end, 65))
    sizes = np.where([c.turns for c in robot.platform.coordinates], length, 1.0)
    return float(np.linalg.norm(xd * sizes, axis=1).max()) or length / motion.duration


def _middles(forms: Array) -> Array:
    """(B,) least singular values in the middles of boxes; NaN where a leg does not reach."""
    C = np.moveaxis(forms[0], -1, 0)
    found = np.full(len(C), np.nan)
    good = np.isfinite(C).all(axis=(1, 2))
    found[good] = np.linalg.svd(C[good], compute_uv=False)[:, -1]
    # Squares of t have given half of their range to the middle of the form, which is off by as much.
    rest = np.moveaxis(forms[-1], -1, 0)[good]
    found[good] += np.linalg.norm(rest, axis=(1, 2))
    return found


def _above(forms: Array, least: float) -> NDArray[np.bool_]:
    """(B,) whether the least singular value is proved to exceed the limit all over boxes.

    Rounding: singular values of C are off by less than 1e-13 of its size, by any backward stable decomposition.
    """
    found = np.zeros(forms.shape[-1], dtype=bool)
    parts = np.moveaxis(forms, -1, 0)
    good = np.isfinite(parts).all(axis=(1, 2, 3))
    C, slopes, rest = parts[good, 0], parts[good, 1:-1], parts[good, -1]
    value = np.linalg.svd(C, compute_uv=False)[:, -1] - 1e-13 * np.linalg.norm(C, axis=(1, 2))
    size = np.linalg.norm(slopes, axis=(2, 3)).sum(axis=1) + np.linalg.norm(rest, axis=(1, 2))
    with np.errstate(all="ignore"):
        Y = inverses(C)
        E = np.abs(Y[:, None] @ slopes).sum(axis=1) + np.abs(Y) @ rest
        norm = np.sqrt(E.sum(axis=1).max(axis=1) * E.sum(axis=2).max(axis=1)) * (1.0 + 1e-12)
        second = np.where(C.shape[1] == C.shape[2], value * (1.0 - norm), -np.inf)
    found[good] = np.maximum(value - size * (1.0 + 1e-12), np.nan_to_num(second, nan=-np.inf)) > least
    return found


def _halved(
    piece: NDArray[np.intp], centre: Array, half: Array, metric: Array
) -> tuple[NDArray[np.intp], Array, Array]:
    """Boxes halved across the widest side by the metric."""
    across = np.arange(centre.shape[1]) == (half * metric).argmax(axis=1)[:, None]
    step = np.where(across, 0.5 * half, 0.0)
    smaller = np.where(across, np.nextafter(0.5 * half, np.inf), half)
    return (
        np.concatenate([piece, piece]),
        np.concatenate([centre - step, centre + step]),
        np.concatenate([smaller, smaller]),
    )
