"""Rays of poses: where they leave the limits, which limit it is, and that they do not leave them before.

A ray slides a point of the platform, the pivot, along a direction, or turns the platform about a fixed axis through it:
P = P0 + v t, R = Rot(k, a t) R0, p_BP = P - R c. Of a robot whose legs are closed by iteration, or that has dependent
coordinates, a ray is a straight line in its own coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.graph import Array, Graph, Scalar, Vector, array, cos, jacobian, record, sin
from gough.graph.triples import rotation_about
from gough.kinematics.closure.wrist import WristForm
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.robot_pose import RobotPose, assembled, robot_pose
from gough.robot import Mechanism, by_mechanism
from gough.run import Program
from gough.run.affine_forms import highest, lowest
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.conditions import Conditions
from gough.workspaces.enclosures import MarginEnclosure
from gough.workspaces.margins import Limit, MarginEquations, least_of, margin_equations

STEPS = 64
"""Of a march; a ray that leaves within the first half is marched again up to there."""
CLOSE = 1e-9
"""A ray is proved up to so much before its end, of its length; limits as near as this to its end end it too."""
DIP = 30
"""Halvings of a step in which a margin falls and rises, towards where it is lowest."""
SHORTEST = 2.0**-40
"""Parts of a ray below this, of its length, are not divided any more."""
MOST_PARTS = 1000
"""Undecided parts per ray, on average, at which a proof gives up."""
UNDECIDED = ("time", "parts", "touch")
"""Why a proof ends: the time allowed is over, there are too many parts, a part as short as can be still touches 0."""


def is_free(equations: MarginEquations) -> bool:
    """Whether a pose is given by position and orientation alone: closed forms, no dependent coordinates.

    Hinges that guide the platform close for its own coordinates; of a pose from elsewhere that would have to be proved.
    """
    platform = equations.robot.platform
    forms = [None if way.home else way.form for way in equations.ways.legs]
    closed = all(form is not None and not isinstance(form, WristForm) for form in forms)
    return closed and not platform.dependent and sum(c.turns for c in platform.coordinates) in (0, 1, 3)


def posed(equations: MarginEquations, p_BP: Vector, R_BP: Vector) -> RobotPose:
    """The robot with its platform at a position and an orientation that it can have, with free rates."""
    robot = equations.robot
    at = platform_pose(robot.platform, np.array(robot.platform.home))
    platform = PlatformPose(p_BP, R_BP, at.columns, at.turns)
    return assembled(robot, equations.ways, None, platform.free())


@dataclass(frozen=True)
class Rays:
    """N rays.

    Attributes:
        values: (N, k) what the program takes beside t: P0, c, v, k, a, R0 by rows; or x0 and its direction.
        far: (N,) how far they are followed.
    """

    values: Array
    far: Array

    def __len__(self) -> int:
        return len(self.far)

    def until(self, far: Array) -> Rays:
        """The same rays, followed to elsewhere."""
        return replace(self, far=far)


def sliding(p: ArrayLike, R: ArrayLike, directions: ArrayLike, far: float) -> Rays:
    """Rays from one pose, or from N of them, (3,) and (3, 3), along directions (N, 3) in B."""
    v = np.atleast_2d(np.asarray(directions, dtype=float))
    return _rays(p, np.zeros(3), v, np.array([1.0, 0.0, 0.0]), 0.0, R, len(v), far)


def turning(p: ArrayLike, R: ArrayLike, pivot: ArrayLike, axes: ArrayLike, far: float) -> Rays:
    """Rays that turn about unit axes (N, 3) in B through the pivot (3,) of the platform, which stands still."""
    k = np.atleast_2d(np.asarray(axes, dtype=float))
    P0 = np.asarray(p, dtype=float) + np.asarray(R, dtype=float) @ np.asarray(pivot, dtype=float)
    return _rays(P0, pivot, np.zeros(3), k, 1.0, R, len(k), far)


def _rays(
    P0: ArrayLike, c: ArrayLike, v: ArrayLike, k: ArrayLike, a: float, R: ArrayLike, count: int, far: float
) -> Rays:
    parts = [*(np.broadcast_to(part, (count, 3)) for part in (P0, c, v, k)), np.full((count, 1), a)]
    matrices = np.broadcast_to(np.asarray(R, dtype=float), (count, 3, 3)).reshape(count, 9)
    return Rays(np.hstack([*parts, matrices]), np.full(count, float(far)))


def straight(x: ArrayLike, directions: ArrayLike, far: float) -> Rays:
    """Rays along directions (N, n) of a robot's own coordinates from x (n,)."""
    d = np.atleast_2d(np.asarray(directions, dtype=float))
    start = np.broadcast_to(np.asarray(x, dtype=float), d.shape)
    return Rays(np.hstack([start, d]), np.full(len(d), float(far)))


@dataclass(frozen=True)
class Ended:
    """Where rays end.

    Attributes:
        t: (N,) how far they go; `far` where nothing ends them.
        ended: (N,) whether a limit ends them.
        limits: For each ray the indices of the limits that end it, together where they do at the same place.
        undecided: For each ray why a proof did not get to its end, of `UNDECIDED`; "" where it did, none without one.
    """

    t: Array
    ended: NDArray[np.bool_]
    limits: tuple[tuple[int, ...], ...]
    undecided: tuple[str, ...] = ()


class RayTracer:
    """Follows rays of a robot under conditions.

    Attributes:
        limits: What the margins are of, in order.
    """

    def __init__(self, robot: Mechanism, conditions: Conditions) -> None:
        """A tracer; its programs are compiled as they are needed."""
        self.equations = margin_equations(robot, conditions)
        self.free = is_free(self.equations)
        self.limits: tuple[Limit, ...] = ()
        n = robot.dof
        self._size = 22 if self.free else 2 * n
        self._graph = self._recorded()

    def _pose(self, t: Scalar, ray: Vector) -> RobotPose:
        if not self.free:
            return robot_pose(self.equations.robot, self.equations.ways, self._coordinates(t, ray)).free()
        P0, c, v, k, angle = ray[:3], ray[3:6], ray[6:9], ray[9:12], ray[12] * t
        R = array(rotation_about(k, cos(angle), sin(angle))) @ ray[13:].reshape(3, 3)
        return posed(self.equations, P0 + v * t - R @ c, R)

    def _coordinates(self, t: Scalar, ray: Vector) -> Vector:
        """Of rays in the robot's own coordinates."""
        n = self.equations.robot.dof
        return ray[:n] + ray[n:] * t

    def _recorded(self) -> Graph:
        def margins(t: Vector, ray: Vector) -> Vector:
            named = self.equations(self._pose(t[0], ray))
            self.limits = tuple(limit for limit, _ in named)
            return array([margin for _, margin in named])

        return record(margins, t=1, ray=self._size)

    @cached_property
    def _values(self) -> Program:
        return Program(self._graph)

    @cached_property
    def _enclosure(self) -> MarginEnclosure:
        return MarginEnclosure(
            self.equations,
            lambda u: self._pose(u[0], u[1:]),
            lambda u: self._coordinates(u[0], u[1:]),
            1 + self._size,
            (0,),
        )

    def margins(self, rays: Rays, t: Array) -> Array:
        """(N, m) at t (N,) of each ray; below zero where they are not numbers."""
        found = np.asarray(self._values(t=t[:, None], ray=rays.values))
        return np.where(np.isnan(found), -1.0, found)

    @cached_property
    def _least_value(self) -> Program:
        return Program(record(lambda t, ray: least_of(self._graph(t=t, ray=ray)["out"]), t=1, ray=self._size))

    def _least(self, rays: Rays, t: Array) -> Array:
        return np.asarray(self._least_value(t=t[:, None], ray=rays.values))

    @property
    def thin(self) -> bool:
        """Whether legs may meet and be apart again between two steps: thin ones pass through one another."""
        return bool(self.equations.pairs)

    def trace(self, rays: Rays, dips: bool = False) -> Ended:
        """Where rays first leave the limits, as far as a march sees it; they begin within them.

        Args:
            rays: Which.
            dips: Look between the steps too: at the lowest places of margins that fall at one end and rise at the next.
        """
        inside, outside = self._marched(rays)
        if dips:
            inside, outside = self._dipped(rays, inside, outside)
        ended = np.isfinite(outside)
        t = np.where(ended, self._crossing(rays, inside, np.where(ended, outside, rays.far)), rays.far)
        return Ended(t, ended, self._ending(rays, t, ended))

    def _marched(self, rays: Rays) -> tuple[Array, Array]:
        """(N,) the last place inside, and the first outside, infinite if there is none."""
        inside, outside = np.zeros(len(rays)), np.full(len(rays), np.inf)
        todo, reach = np.arange(len(rays)), rays.far.copy()
        steps = np.arange(1, STEPS + 1) / STEPS
        while len(todo):
            t = (reach[todo, None] * steps).ravel()
            some = Rays(np.repeat(rays.values[todo], STEPS, axis=0), t)
            out = (self._least(some, t) <= 0.0).reshape(-1, STEPS)
            first = out.argmax(axis=1)
            hit = out.any(axis=1)
            inside[todo] = np.where(hit, reach[todo] * first / STEPS, reach[todo])
            todo, first = todo[hit], first[hit]
            outside[todo] = reach[todo] * (first + 1) / STEPS
            reach[todo] = outside[todo]
            todo = todo[(first < STEPS // 2) & (reach[todo] > SHORTEST * rays.far[todo])]
        return inside, outside

    @cached_property
    def _slopes(self) -> Program:
        def sloped(t: Vector, ray: Vector) -> dict[str, Vector]:
            m = self._graph(t=t, ray=ray)["out"]
            return {"m": m, "d": jacobian(m, t, "forward")[:, 0]}

        return Program(record(sloped, t=1, ray=self._size))

    def _dipped(self, rays: Rays, inside: Array, outside: Array) -> tuple[Array, Array]:
        """(N,) the same as `_marched`, where a margin falls below zero and rises again between two steps there.

        Between places where a margin falls and where it rises, its lowest place is found by halving on its slope; not
        where its tangents meet above half of what it is at the nearer end, far from zero.
        """
        inside, outside = inside.copy(), outside.copy()
        t = np.where(np.isfinite(outside), outside, inside)[:, None] * (np.arange(STEPS + 1) / STEPS)
        found = self._slopes(t=t.reshape(-1, 1), ray=np.repeat(rays.values, STEPS + 1, axis=0))
        m, d = (found[name].reshape(*t.shape, -1) for name in ("m", "d"))
        out = ~(m > 0.0).all(axis=2)
        first = np.where(out.any(axis=1), out.argmax(axis=1), STEPS + 1)
        for k in np.flatnonzero((first > 0) & (first <= STEPS)):
            inside[k], outside[k] = t[k, first[k] - 1], t[k, first[k]]
        which, step, limit = np.nonzero((d[:, :-1] < 0.0) & (d[:, 1:] > 0.0))
        kept = step < first[which]
        which, step, limit = which[kept], step[kept], limit[kept]
        begin, end = (which, step, limit), (which, step + 1, limit)
        low = _tangents_meet(t[which, step + 1] - t[which, step], m[begin], m[end], d[begin], d[end])
        kept = ~(low > 0.5 * np.minimum(m[begin], m[end]))
        which, step, limit = which[kept], step[kept], limit[kept]
        if not len(which):
            return inside, outside
        low, high, own, at = t[which, step], t[which, step + 1], rays.values[which], np.arange(len(which))
        for _ in range(DIP):
            middle = 0.5 * (low + high)
            falls = self._slopes(t=middle[:, None], ray=own)["d"][at, limit] < 0.0
            low, high = np.where(falls, middle, low), np.where(falls, high, middle)
        for k in np.flatnonzero(self.margins(Rays(own, high), high)[at, limit] <= 0.0):
            if high[k] < outside[which[k]]:
                inside[which[k]], outside[which[k]] = t[which[k], step[k]], high[k]
        return inside, outside

    def _crossing(self, rays: Rays, low: Array, high: Array) -> Array:
        """(N,) where the least margin vanishes between places inside and outside, by Chandrupatla's method."""
        a, b = high.copy(), low.copy()
        fa, fb = self._least(rays, a), self._least(rays, b)
        c, fc, share = a, fa, np.full(len(a), 0.5)
        for _ in range(80):
            x = a + share * (b - a)
            fx = self._least(rays, x)
            same = np.sign(fx) == np.sign(fa)
            c, fc = np.where(same, a, b), np.where(same, fa, fb)
            b, fb = np.where(same, b, a), np.where(same, fb, fa)
            a, fa = x, fx
            best = np.where(np.abs(fa) < np.abs(fb), a, b)
            width = np.abs(b - a)
            tolerance = 2.0**-52 * np.abs(best)
            done = (width <= 2.0 * tolerance) | (np.minimum(np.abs(fa), np.abs(fb)) == 0.0)
            if done.all():
                break
            share = _interpolated(a, b, c, fa, fb, fc)
            least = np.where(width > 0.0, tolerance / np.where(width > 0.0, width, 1.0), 0.5)
            share = np.clip(share, np.minimum(least, 0.5), np.maximum(1.0 - least, 0.5))
        return np.asarray(best)

    def _ending(self, rays: Rays, t: Array, ended: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
        """The limits that are met at t: the least margin, and all that vanish just there."""
        step = CLOSE * rays.far
        before, after = self.margins(rays, np.maximum(t - step, 0.0)), self.margins(rays, t + step)
        met = (before > 0.0) & (after <= 0.0)
        met[np.arange(len(t)), self.margins(rays, t).argmin(axis=1)] = True
        rays_met, limits = np.nonzero(met & ended[:, None])
        ends = np.searchsorted(rays_met, np.arange(len(t) + 1)).tolist()
        listed = limits.tolist()
        return tuple(tuple(listed[a:b]) for a, b in pairwise(ends))

    def first_exits(self, rays: Rays, allowed: Allowance = ALL) -> tuple[Ended, Array]:
        """Where rays first leave the limits, and (N,) up to where it is proved that they do not leave them before.

        Args:
            rays: Which.
            allowed: The time that the proof may take.

        Raises:
            InputError: The robot's equations have an operation without enclosure.
        """
        found = self.trace(rays)
        for _ in range(8):
            proved, earlier, why = self._proved(rays, found.t, allowed)
            wrong = np.flatnonzero(np.isfinite(earlier))
            if not len(wrong):
                break
            again = self.trace(Rays(rays.values[wrong], earlier[wrong]))
            limits = list(found.limits)
            for k, own in zip(wrong, again.limits, strict=True):
                limits[k] = own
            t, ended = found.t.copy(), found.ended.copy()
            t[wrong], ended[wrong] = again.t, True
            found = Ended(t, ended, tuple(limits))
        return replace(found, undecided=tuple(why)), np.minimum(proved, found.t)

    def _proved(self, rays: Rays, ends: Array, allowed: Allowance) -> tuple[Array, Array, list[str]]:
        """(N,) up to where all margins are proved positive; a place that is proved outside, infinite if none is; why.

        Parts of the rays are halved until they are decided; the last `CLOSE` of a ray is its end.
        """
        proved, earlier = ends.copy(), np.full(len(rays), np.inf)
        which, why = np.arange(len(rays)), [""] * len(rays)
        low, high = np.zeros(len(rays)), ends * (1.0 - CLOSE)
        while len(which):
            middle = 0.5 * (low + high)
            half = np.nextafter(0.5 * (high - low), np.inf)
            lower, upper = self._enclosure(np.hstack([middle[:, None], rays.values[which]]), half[:, None])
            inside = (lowest(lower) > 0.0).all(axis=0)
            outside = (highest(upper) < 0.0).any(axis=0)
            over, many = allowed.over, len(which) > MOST_PARTS * len(rays)
            short = (half <= SHORTEST * ends[which]) | many | over
            np.minimum.at(earlier, which[outside], high[outside])
            left = ~inside & (short | outside)
            np.minimum.at(proved, which[left], low[left])
            for k in np.unique(which[left & ~outside]):
                why[k] = why[k] or ("time" if over else "parts" if many else "touch")
            more = ~inside & ~left
            which, low, middle, high = which[more], low[more], middle[more], high[more]
            which = np.concatenate([which, which])
            low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        return proved, earlier, why


def _tangents_meet(width: Array, m: Array, n: Array, d: Array, e: Array) -> Array:
    """(N,) how high the tangents of values m and n, so far apart, meet: one that falls by d, one that rises by e."""
    with np.errstate(all="ignore"):
        return np.asarray((m * e - n * d + d * e * width) / (e - d))


def _interpolated(a: Array, b: Array, c: Array, fa: Array, fb: Array, fc: Array) -> Array:
    """Chandrupatla1997: inverse quadratic interpolation where it is safe, else halving."""
    with np.errstate(all="ignore"):
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        quadratic = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
        t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    return np.where(quadratic & np.isfinite(t), t, 0.5)


@by_mechanism(32)
def ray_tracer(robot: Mechanism, conditions: Conditions) -> RayTracer:
    """The tracer of a robot under conditions."""
    return RayTracer(robot, conditions)
