"""The largest cube, box, cylinder or sphere of positions about a point of a region.

A shape of size a is all p with g(p) <= a, g a norm. It lies in the region if every ray from its middle does up to its
surface: the largest size is the least of t(d) g(d) over all unit directions d, t(d) where the ray along d ends. The
least is found among many directions and then closer and closer around the best; a proof divides the shape into boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.pose import platform_pose
from gough.robot.names import did_you_mean
from gough.run.affine_forms import lowest
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.bracket import divided
from gough.workspaces.margins import Limit
from gough.workspaces.rays import ray_tracer, sliding, straight
from gough.workspaces.region import Region
from gough.workspaces.travel import FAR, machine_size, pose_of

SHAPES = ("cube", "cylinder", "sphere")
DIRECTIONS = 1500
"""Looked at first, beside those of corners and edges."""
BEST, ROUNDS = 6, 45
"""So many of them are looked at closer, in so many rounds, each of two thirds of the one before in size."""
WITHIN = (0.2, 0.05, 1e-2, 1e-3, 1e-4, 1e-5, 1e-7)
"""A shape is proved at a size that is less by one of these shares, as its surface touches a limit: the last that `MOST`
boxes and the time suffice for."""
MOST = 60_000


RayEnds = Callable[[Array], tuple[Array, list[tuple[Limit, ...]]]]
"""(N,) lengths of rays from a middle along unit directions (N, d), and the limits that end them."""


@dataclass(frozen=True, slots=True)
class Inscribed:
    """The largest shape about a point, or anywhere.

    Attributes:
        shape: Of `SHAPES`, or "box".
        size: Half the side of a cube, the radius of a cylinder or sphere; of a box the factor of its half sides [m].
        half: (d,) half extents along the sliding coordinates [m].
        limits: What it touches first.
        at: (d,) where.
        proved: Size at which it is proved to be inside, 0 if at none; None where that was not asked for.
        centre: (d,) its middle.
        most: Size that no shape of the kind can exceed, wherever its middle is: points of the boundary are in the way;
            None where it was not searched for.
    """

    __repr__ = brief

    shape: str
    size: float
    half: Array
    limits: tuple[Limit, ...]
    at: Array
    proved: float | None = None
    centre: Array = field(default_factory=lambda: np.zeros(0))
    most: float | None = None

    @property
    def gap(self) -> float | None:
        """How much larger one could be elsewhere, of its size; None where that was not searched for."""
        return None if self.most is None else max(0.0, self.most / self.size - 1.0)


def largest(
    region: Region,
    shape: str,
    aspect: Sequence[float] | None = None,
    height: float = 1.0,
    prove: bool = False,
    centre: Array | None = None,
    allowed: Allowance = ALL,
    ends: RayEnds | None = None,
    rounds: int = ROUNDS,
) -> Inscribed:
    """The largest shape about a point of the region, its axes those of the sliding coordinates.

    Args:
        region: In one, two or three sliding coordinates.
        shape: "cube", "sphere", "cylinder" (its axis the last coordinate's) or "box".
        aspect: (d,) half sides of a box, of which the largest factor is found.
        height: Of a cylinder, per diameter.
        prove: By enclosures.
        centre: (d,) its middle, the region's start if left out.
        allowed: The time that a proof may take.
        ends: Tells where rays from the middle end; at the region's orientation if left out.
        rounds: In which the direction that ends first is looked for closer.

    Raises:
        InputError: No such shape, or sides that are none.
    """
    norm, half = norm_of(region, shape, aspect, height)
    middle = region.start if centre is None else np.asarray(centre, dtype=float)
    ends = ends or Ends(region, middle)
    looked = directions_of(region.dimension, half)
    t, limits = ends(looked)
    value = t * norm(looked)
    order = np.argsort(value)[:BEST]
    best = int(order[0])
    size, at, touched = float(value[best]), looked[best] * t[best], limits[best]
    middles, spread = looked[order], 2.0 / np.sqrt(len(looked))
    for _ in range(rounds):
        around = _around(middles, spread)
        t, limits = ends(around)
        value = (t * norm(around)).reshape(len(middles), -1)
        nearest = value.argmin(axis=1) + np.arange(len(middles)) * value.shape[1]
        middles = around[nearest]
        best = int(nearest[value.min(axis=1).argmin()])
        if value.min() < size:
            size, at, touched = float(value.min()), around[best] * t[best], limits[best]
        spread *= 2.0 / 3.0
    proved = None
    if prove:
        proved = 0.0
        for own in (size * (1.0 - less) for less in WITHIN):
            if not _proved(region, middle, norm, own * half, own, allowed):
                break
            proved = own
    return Inscribed(shape, size, size * half, touched, middle + at, proved, middle)


def norm_of(
    region: Region, shape: str, aspect: Sequence[float] | None, height: float
) -> tuple[Callable[[Any], Any], Array]:
    """The norm of a shape, and its half extents at size 1."""
    d = region.dimension
    if shape == "box":
        half = np.array([] if aspect is None else aspect, dtype=float)
        if half.shape != (d,) or not (np.isfinite(half) & (half > 0.0)).all():
            raise InputError(f"box: must be {d} positive half sides, one per sliding coordinate")
        return lambda p: np.abs(p / half).max(axis=-1), half
    if shape == "cube":
        return lambda p: np.abs(p).max(axis=-1), np.ones(d)
    if shape == "sphere":
        return lambda p: np.linalg.norm(p, axis=-1), np.ones(d)
    if shape == "cylinder" and d == 3:
        if not height > 0.0:
            raise InputError(f"cylinder: height {height:g}: must be a positive number of diameters")
        return (
            lambda p: np.maximum(np.linalg.norm(p[..., :2], axis=-1), np.abs(p[..., 2]) / height),
            np.array([1.0, 1.0, height]),
        )
    if shape == "cylinder":
        raise InputError(f"cylinder: {region.robot.name} has {d} sliding coordinates, a cylinder needs 3; take sphere")
    raise InputError(f"shape {shape}: no such shape ({did_you_mean(shape, (*SHAPES, 'box'))})")


class Ends:
    """Where rays from a point of the region end, along directions of its sliding coordinates."""

    def __init__(self, region: Region, centre: Array) -> None:
        """From the point centre (d,)."""
        self._region, self._centre = region, centre
        self._tracer = ray_tracer(region.robot, region.conditions)
        self._far = FAR * machine_size(region.robot)

    def __call__(self, directions: Array) -> tuple[Array, list[tuple[Limit, ...]]]:
        """(N,) lengths and the limits met, for unit directions (N, d)."""
        region, tracer = self._region, self._tracer
        if tracer.free:
            columns = platform_pose(region.robot.platform, region.x).columns
            axes = np.array([columns[k][0] for k in region.places], dtype=float)
            p, R = pose_of(region.robot, region.x)
            rays = sliding(p + (self._centre - region.start) @ axes, R, directions @ axes, self._far)
        else:
            wide = np.zeros((len(directions), region.robot.dof))
            wide[:, region.places] = directions
            rays = straight(region.coordinates(self._centre[None])[0], wide, self._far)
        found = tracer.trace(rays, dips=tracer.thin)
        return found.t, [tuple(tracer.limits[k] for k in own) for own in found.limits]


def directions_of(d: int, half: Array) -> Array:
    """(N, d) unit directions: to corners, edges and faces of the box of these half extents, and evenly all around."""
    corners = np.array([signs for signs in product((-1.0, 0.0, 1.0), repeat=d) if any(signs)]) * half
    if d == 1:
        even = np.zeros((0, 1))
    elif d == 2:
        angle = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS // 4, endpoint=False)
        even = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        k = np.arange(DIRECTIONS) + 0.5
        z, angle = 1.0 - 2.0 * k / DIRECTIONS, np.pi * (1.0 + np.sqrt(5.0)) * k
        even = np.stack([np.sqrt(1.0 - z * z) * np.cos(angle), np.sqrt(1.0 - z * z) * np.sin(angle), z], axis=1)
    found = np.concatenate([corners, even])
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def _around(middles: Array, spread: float) -> Array:
    """Unit directions near each of the middles (M, d), themselves first, those of one after the other."""
    d = middles.shape[1]
    if d == 1:
        return middles
    offsets = np.array([o for o in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=d - 1) if any(o)])
    across = np.linalg.svd(middles[:, None, :])[2][:, 1:]
    moved = middles[:, None] + spread * np.einsum("ok,mkd->mod", offsets, across)
    found = np.concatenate([middles[:, None], moved], axis=1).reshape(-1, d)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def _proved(
    region: Region, middle: Array, norm: Callable[[Any], Any], half: Array, size: float, allowed: Allowance
) -> bool:
    """Whether all boxes that the shape meets are proved inside."""
    centre, radius = middle[None], np.nextafter(half, np.inf)[None]
    looked = 0
    while len(centre):
        looked += len(centre)
        lower, _ = region.enclosure(centre, radius)
        nearest = np.maximum(np.abs(centre - middle) - radius, 0.0)
        met = norm(nearest) <= size * (1.0 + 1e-12)
        left = met & ~(lowest(lower) > 0.0).all(axis=0)
        if allowed.over or looked + int(left.sum()) * 2**region.dimension > MOST:
            return False
        centre, radius = divided(centre[left], radius[left])
    return True
