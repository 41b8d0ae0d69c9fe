"""The singularities of each kind that are nearest to a pose, as found, and a bound below which none is, as proved.

Type 2: the actuators do not hold the platform; det K changes its sign on a ray. Type 1: a leg is stretched or folded,
where its reach ends, and the platform cannot go on. Constraint: what the legs forbid loses rank; its least singular
value, along a ray, touches zero. Gosselin and Angeles (1990); Zlatanov, Bonev and Gosselin (2002).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gough.brief import brief
from gough.graph import Array, array
from gough.kinematics.singularity import usual_gain
from gough.singular.around import Around
from gough.singular.charts import Chart
from gough.singular.coordinates import BEFORE, GROWTH, coordinates_of
from gough.singular.followed_distance import FreeCoordinates, enclosed_distance, stated
from gough.singular.held import Held
from gough.singular.redundant import loose_poses
from gough.singular.regular import Proof, least_size, prove
from gough.workspaces.conditions import Conditions
from gough.workspaces.followed import enclosure_of
from gough.workspaces.rays import Rays, ray_tracer

KINDS = ("type 1", "type 2", "constraint")
MEANING = {
    "type 1": "a leg is stretched or folded: the platform cannot go on",
    "type 2": "the actuators do not hold the platform",
    "constraint": "the legs do not hold what they must, whatever the actuators do",
    "architecture": "every pose is singular: the geometry of the legs does not hold the platform",
}
STARTS, BEST, ROUNDS, TRIES = 6000, 16, 90, 24
"""Rays looked at first, those looked at closer, in how many rounds, and how many around each; a quarter of the first
and of the closer ones where each pose takes an iteration, a third of all where singular values are looked at; fewer
still where poses take very many operations."""
LOOSE = 1e-6
"""Least singular value, of what is usual, at which a pose is singular."""
OUTSIDE = 1e6
"""Distance that stands for poses beyond the limits, from which the search goes on [m]."""
PARTS = 24
"""Of a ray, on which the least singular value of what the legs forbid is looked at."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A singular pose.

    Attributes:
        kind: Of `KINDS`.
        distance: From the middle: sqrt(way^2 + (length turn)^2) [m].
        x: (n,) platform coordinates.
        way: (3,) of the platform's origin in B [m].
        turn: (3,) rotation vector in B [rad].
        p, R: The pose in B.
        twist: (6,) the motion that is not held there, or that is lost there (type 1): velocity of the platform's origin
            and angular velocity in B, of unit size with turns times the length.
        singular_value: The least of K there, turns divided by the length; of type 1, where the largest grows without
            bound, that on the way to it; of a constraint that of what the legs forbid.
    """

    __repr__ = brief

    kind: str
    distance: float
    x: Array
    way: Array
    turn: Array
    p: Array
    R: Array
    twist: Array
    singular_value: float


def silent(_step: str) -> None:
    """What is told of the steps of a search unless someone listens."""


def nearest(around: Around, kind: str, seed: int = 0, progress: Callable[[str], None] = silent) -> Nearest | None:
    """The nearest singular pose of a kind found within the limits; None if none was. `progress` gets steps."""
    progress(f"looking for the nearest of {kind}")
    if kind == "type 2" and len(around.robot.actuator_legs) > around.robot.dof:
        x = loose_poses(around, seed)
        return None if x is None else _described(around, kind, x, x)
    met = _MET[kind](around)
    if not met.asked:
        return None
    slow = kind == "constraint"
    less = (1 if around.chart is not None else 4) * (3 if slow else 1) * around.sparing
    rounds = (ROUNDS // 3 if slow else ROUNDS) // min(around.sparing, 3)
    found = _search(
        met, around.size, seed, less, rounds, lambda step: progress(f"looking for the nearest of {kind}: {step}")
    )
    if found is None:
        return None
    rays = around.rays(found[1][None])
    t = met.places(rays)
    if not np.isfinite(t[0]):  # on the brink of being one: gains differ in their last digits from those in a block
        return None
    return _described(around, kind, around.coordinates(rays, t)[0], around.coordinates(rays, t * (1.0 - BEFORE[0]))[0])


def _search(
    met: _Met, size: int, seed: int, less: int, rounds: int, progress: Callable[[str], None]
) -> tuple[float, Array] | None:
    """The least distance and its direction (n,), among many directions and then closer around the best."""
    rng = np.random.default_rng(seed)
    directions = _unit(np.concatenate([np.eye(size), -np.eye(size), rng.normal(size=(STARTS // less, size))]))
    value = met(directions)
    if not np.isfinite(value).any():
        return None
    order = np.argsort(value)[: max(2, BEST // less)]
    middles, best = directions[order], value[order]
    spread = np.full(len(order), 0.4)
    for number in range(rounds):
        if number == rounds // 3 and best.min() >= OUTSIDE:
            return None
        progress(f"round {number + 1} of {rounds}, " + (f"{best.min():.4g} m" if best.min() < OUTSIDE else "none yet"))
        around = _unit(middles[:, None] + spread[:, None, None] * rng.normal(size=(len(middles), TRIES, size)))
        found = met(around.reshape(-1, size)).reshape(len(middles), TRIES)
        k = found.argmin(axis=1)
        rows = np.arange(len(middles))
        better = found[rows, k] < best
        middles = np.where(better[:, None], around[rows, k], middles)
        best = np.where(better, found[rows, k], best)
        spread = np.where(better, np.minimum(1.3 * spread, 0.4), 0.7 * spread)
    k = int(best.argmin())
    return (float(best[k]), middles[k]) if best[k] < OUTSIDE else None


def _unit(directions: Array) -> Array:
    return np.asarray(directions / np.linalg.norm(directions, axis=-1, keepdims=True))


class _Met(ABC):
    """Where rays meet singularities of a kind, first, within the limits."""

    asked = True
    beside: tuple[str, ...] = ()
    """Limits that are met there by themselves."""

    def __init__(self, around: Around) -> None:
        self.around = around
        kinds = tuple(kind for kind in around.conditions.kinds if kind not in self.beside)
        self._limits = ray_tracer(around.robot, replace(around.conditions, kinds=kinds)) if kinds else None

    @abstractmethod
    def places(self, rays: Rays) -> Array:
        """(N,) how far along the rays; infinite where none is."""

    def __call__(self, directions: Array) -> Array:
        """(N,) distances of poses along unit directions; from `OUTSIDE` on beyond the limits, infinite if none."""
        rays = self.around.rays(directions)
        found = np.full(len(rays), np.inf)
        t = self.places(rays)
        k = np.flatnonzero(np.isfinite(t))
        if len(k):
            some = Rays(rays.values[k], rays.far[k])
            found[k] = self.around.distance(some, t[k]) + OUTSIDE * self._beyond(some, t[k])
        return np.where(np.isnan(found), np.inf, found)

    def _beyond(self, rays: Rays, t: Array) -> Array:
        """(N,) 0 within the limits, else 1 and more, the further beyond them: by margins, beside those at the start."""
        if self._limits is None:
            return np.zeros(len(t))
        margins = self._margins(rays, t)
        usual = np.abs(self._limits.margins(Rays(rays.values[:1], rays.far[:1]), np.zeros(1)))
        with np.errstate(invalid="ignore"):
            # Forces grow without bound towards a singular pose: their margins may be infinite there.
            share = np.nan_to_num(-margins / (usual - margins + 1e-300), nan=1.0)
        beyond = np.where(margins > 0.0, 0.0, share).sum(axis=1)
        return np.asarray(np.where((margins > 0.0).all(axis=1), 0.0, 1.0 + beyond))

    def _margins(self, rays: Rays, t: Array) -> Array:
        assert self._limits is not None
        return self._limits.margins(rays, t)

    def _gains(self, rays: Rays, t: Array) -> Array:
        """(N, n) singular values of K at t (N,), of what is usual, largest first."""
        K = self.around.matrices(x=self.around.coordinates(rays, t))
        return np.linalg.svd(np.nan_to_num(K), compute_uv=False) / usual_gain(self.around.robot)


class _Loose(_Met):
    """Type 2: det K changes its sign."""

    beside = ("side", "singular", "condition")

    def places(self, rays: Rays) -> Array:
        found = ray_tracer(self.around.robot, Conditions(("side",))).trace(rays)
        t, k = np.where(found.ended, found.t, np.inf), np.flatnonzero(found.ended)
        if len(k):
            # Where K grows without bound, a leg is stretched, which ends the reach and is no loss of hold. There the
            # least singular value is round-off of the largest, but not just before.
            some = Rays(rays.values[k], rays.far[k])
            t[k[~(self._gains(some, t[k] * (1.0 - BEFORE[0]))[:, -1] < LOOSE)]] = np.inf
        return np.asarray(t)


class _Stretched(_Met):
    """Type 1: a leg's reach ends, and K grows without bound."""

    beside = ("reach", "side", "singular", "condition", "speed")

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._tracer = ray_tracer(around.robot, Conditions(("reach",)))
        self.asked = bool(self._tracer.limits)

    def _margins(self, rays: Rays, t: Array) -> Array:
        """Those of the way to t: where a leg is stretched, an iteration may take it anywhere at t itself.

        Joints go as the root of what is left of the way, so that margins at one and four shares of it tell the last.
        """
        assert self._limits is not None
        near, far = (self._limits.margins(rays, t * (1.0 - share * BEFORE[0])) for share in (1.0, 4.0))
        with np.errstate(invalid="ignore"):
            return np.asarray(2.0 * near - far)

    def places(self, rays: Rays) -> Array:
        found = self._tracer.trace(rays)
        t, k = np.where(found.ended, found.t, np.inf), np.flatnonzero(found.ended)
        if len(k):
            some = Rays(rays.values[k], rays.far[k])
            near, far = (self._gains(some, t[k] * (1.0 - share))[:, 0] for share in BEFORE)
            t[k[~(near > GROWTH * far)]] = np.inf
        return np.asarray(t)


class _Released(_Met):
    """Constraint: the least singular value of what the legs forbid touches zero."""

    beside = ("side", "singular", "condition", "constraint")

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._held = Held(around)
        self.asked = self._held.asked and self._varies()

    def _varies(self) -> bool:
        """Whether what the legs hold is not the same everywhere, as in planar machines and on passive legs."""
        directions = _unit(np.random.default_rng(2).normal(size=(64, self.around.size)))
        rays = self.around.rays(directions)
        return bool(np.nanmin(self._share(rays, 0.5 * rays.far)) < 1.0 - 1e-6)

    def _share(self, rays: Rays, t: Array) -> Array:
        return self._held(self.around.coordinates(rays, t)) / self._held.at_start

    def places(self, rays: Rays) -> Array:
        shares = np.arange(1, PARTS + 1) / PARTS
        many = Rays(np.repeat(rays.values, PARTS, axis=0), np.repeat(rays.far, PARTS))
        value = self._share(many, (rays.far[:, None] * shares).ravel()).reshape(len(rays), PARTS)
        value = np.where(np.isnan(value), np.inf, value)
        before, after = np.pad(value, ((0, 0), (1, 0)), constant_values=1.0)[:, :-1], np.roll(value, -1, axis=1)
        after[:, -1] = np.inf
        low = (value <= before) & (value <= after) & (value < 0.5)
        t = np.full(len(rays), np.inf)
        which, part = np.nonzero(low)
        if not len(which):
            return t
        some = Rays(rays.values[which], rays.far[which])
        width = rays.far[which] / PARTS
        left, right = part * width, np.minimum((part + 2) * width, rays.far[which])
        place = _lowest(lambda at: self._share(some, at), left, right)
        zero = self._share(some, place) < LOOSE
        np.minimum.at(t, which[zero], place[zero])
        return t


_MET: dict[str, Callable[[Around], _Met]] = {"type 1": _Stretched, "type 2": _Loose, "constraint": _Released}


def _lowest(function: Callable[[Array], Array], left: Array, right: Array) -> Array:
    """(N,) where functions that fall and rise between left and right are least, by golden sections."""
    g = 0.5 * (np.sqrt(5.0) - 1.0)
    for _ in range(45):
        a, b = right - g * (right - left), left + g * (right - left)
        first = np.nan_to_num(function(a), nan=np.inf) < np.nan_to_num(function(b), nan=np.inf)
        left, right = np.where(first, left, a), np.where(first, b, right)
    return np.asarray(0.5 * (left + right))


def _described(around: Around, kind: str, x: Array, before: Array) -> Nearest:
    """The singular pose at x (n,), with what is loose there; `before` on the way, where iterations close legs yet."""
    pose = around.at(x)
    p, R = np.array(pose.platform.p_BP, dtype=float), np.array(pose.platform.R_BP, dtype=float)
    way, turn = (part[0] for part in around.apart(p[None], R[None]))
    distance = float(np.sqrt(way @ way + around.length**2 * (turn @ turn)))
    K = np.array(around.matrix(around.at(before) if kind == "type 1" and around.chart is None else pose), dtype=float)
    _, values, rows = np.linalg.svd(np.nan_to_num(K))
    value = float(values[-1])
    if kind == "constraint":
        held = Held(around)
        twist, value = held.loose(x), float(held(x[None])[0])
    else:
        rates = rows[0 if kind == "type 1" else len(values) - 1]
        rates = rates / np.where(np.array(pose.platform.turns), around.length, 1.0)
        twist = np.concatenate([np.array(part, dtype=float) for part in pose.platform.twist(rates)])
    size = np.sqrt(twist[:3] @ twist[:3] + around.length**2 * (twist[3:] @ twist[3:]))
    return Nearest(kind, distance, np.asarray(x), way, turn, p, R, twist / size, value)


def proved_distance(chart: Chart, found: float, share: float = 0.95, most: int = 400_000) -> Proof:
    """A distance below which no pose within the limits is singular, up to a share of what was found.

    Raises:
        InputError: The robot's equations have an operation without enclosure.
    """
    s, turns = len(chart.slides), len(chart.axes)
    turn = found / chart.length
    reach = np.tan(0.5 * min(turn, 0.99 * np.pi)) if turns == 3 else min(turn, np.pi)
    radius = np.concatenate([np.full(s, found), np.full(turns, reach)])[None]
    metric = np.concatenate([np.ones(s), np.full(turns, (2.0 if turns == 3 else 1.0) * chart.length)])

    def rank(centre: Array, half: Array) -> Array:
        return chart.distance(least_size(centre, half)) * (1.0 - 1e-12)

    return prove(chart.enclosure, np.zeros((1, chart.size)), radius, metric, rank, share * found, most)


def proved_followed_distance(around: Around, found: float, share: float = 0.95, most: int = 400_000) -> Proof:
    """As `proved_distance`, of a robot some of whose coordinates follow the others; none of a constraint either.

    Raises:
        InputError: The robot's equations have an operation without enclosure.
    """
    robot, count = around.robot, around.robot.dof
    own, free = coordinates_of(robot, around.conditions), FreeCoordinates(robot, around.length)
    enclosure = enclosure_of(robot, around.equations.ways, None, array, own.told_with_pose, count, range(count))
    start = np.array(stated(around.at(around.x)), dtype=float)
    base = np.stack([start, *np.zeros((count, 12)), 1e-12 * np.full(12, 1.0 + around.length)])[:, :, None]
    x = np.asarray(around.x, dtype=float)

    def forms(centre: Array, half: Array) -> dict[str, Array]:
        return enclosure(x + centre, half)

    def rank(centre: Array, half: Array) -> Array:
        told = free.distance(x, centre, half)
        near = np.flatnonzero(told < found)
        if len(near):
            pose = forms(centre[near], half[near])["pose"]
            told[near] = np.maximum(told[near], enclosed_distance(pose, base, around.length))
        return told

    metric = np.where(free.turns, around.length, 1.0)
    return prove(forms, np.zeros((1, count)), free.reach(found, x, x)[None], metric, rank, share * found, most)
