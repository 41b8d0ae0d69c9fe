"""Required force, speed and power of each actuator over an envelope; none is enough if it touches a singularity."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.design.envelope import Envelope
from gough.design.limited_forces import WithinLimits, freely_shared, keeps_to_limits
from gough.design.search import Optimum, distinct, polished, scan_points
from gough.design.size_result import Margin, Requirement, SizeResult
from gough.design.worst import Worst
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.singularity import SINGULAR
from gough.kinematics.status import Status, judge
from gough.robot import Mechanism, Robot

KINDS = ("force+", "force-", "speed", "power")
QUICK = 3
"""With more velocities than this, the poses to start from are chosen by the corners of the velocity box alone."""


class Cube:
    """Points of the unit cube as poses and velocities of an envelope.

    Attributes:
        wide: Indices of the coordinates whose range has a width: the first columns of a point.
        moving: Indices of the velocities that are not zero: the columns after them.
    """

    def __init__(self, envelope: Envelope) -> None:
        """Of the ranges of an envelope."""
        self._pose, self._ball = np.array(envelope.pose), envelope.velocity_ball
        self.wide = np.flatnonzero(self._pose[:, 1] > self._pose[:, 0])
        self.moving = np.flatnonzero(np.array(envelope.velocity) > 0.0)

    def poses(self, u: Array) -> Array:
        """(N, n) poses of points u (N, ..)."""
        low, high = self._pose[:, 0], self._pose[:, 1]
        x = np.tile(low, (len(u), 1))
        x[:, self.wide] += u[:, : len(self.wide)] * (high - low)[self.wide]
        return x

    def velocities(self, u: Array) -> Array:
        """(N, n) velocities of points u, in half-widths or within the unit ball."""
        v = np.zeros((len(u), len(self._pose)))
        v[:, self.moving] = 2.0 * u[:, len(self.wide) :] - 1.0
        return v / np.maximum(np.linalg.norm(v, axis=1), 1.0)[:, None] if self._ball else v


def size(robot: Robot, envelope: Envelope, seeds: tuple[int, ...] = (1, 2), power: int = 11) -> SizeResult:
    """Required force, speed and power of each actuator over an envelope.

    At each pose the worst velocity, acceleration, wrench and payload are exact; the pose is searched (for power, the
    pose and the velocity) by Sobol points, corners and local polish, once for each seed. Forces that keep to limits are
    searched over all of these, and their least margin is exact at each pose: see `gough.design.limited_forces`.

    Raises:
        InputError: What is given is no envelope.
        UnboundedError: The envelope touches a singularity.
        NumericalError: No pose of the envelope can be reached.
    """
    given: object = envelope
    if not isinstance(given, Envelope):
        kind = type(given).__name__
        raise InputError(f"size: envelope: is of type {kind}: must be an Envelope (gough.demand takes motions)")
    worst = Worst(freely_shared(robot), envelope)
    limits = WithinLimits(robot, envelope, worst) if keeps_to_limits(robot) else None
    cube = Cube(envelope)
    m = len(robot.actuators)
    searches = [_search(robot, worst, limits, cube, seed, power) for seed in seeds]
    farthest = np.max([search.strokes for search in searches], axis=0)
    away = np.max([search.parasitic for search in searches], axis=0)
    half = len(away) // 2
    runs = [search.optima for search in searches]
    by_seed = np.array([[max(o.value for o in found) for found in run] for run in runs])
    margin = None
    if limits is not None:
        nearest = [optimum for search in searches for optimum in search.margins]
        margin = least_margin(nearest, cube.poses, float(np.mean([search.without for search in searches])))
    return SizeResult(
        robot, envelope, robot.actuator_names, _requirements(m, runs, cube.poses, limits),
        1.0 - float(np.mean([search.reached for search in searches])), max(search.condition for search in searches),
        seeds, by_seed, sum(search.looked for search in searches), worst.exact,
        np.stack([-farthest[m:], farthest[:m]], axis=1), np.stack([-away[half:], away[:half]], axis=1), worst,
        margin=margin,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Search:
    """What one seed finds.

    Attributes:
        optima: By kind and actuator, in the order of `KINDS`.
        strokes: Largest displacement of each actuator to either side.
        parasitic: Largest way of each dependent coordinate to either side; empty where there is none.
        margins: Where forces keep to limits, optima of the margin with its sign turned.
        looked: Number of scanned poses.
        reached: Share of them, corners left out, that the robot reaches.
        condition: The largest condition number met.
        without: Share of loads that no forces within limits carry; NaN where none are limited.
    """

    optima: list[list[Optimum]]
    strokes: list[float]
    parasitic: list[float]
    margins: list[Optimum]
    looked: int
    reached: float
    condition: float
    without: float


def _search(robot: Mechanism, worst: Worst, limits: WithinLimits | None, cube: Cube, seed: int, power: int) -> _Search:
    """The search from the 2**power Sobol points of a seed and the corners, polished.

    Raises:
        UnboundedError: The envelope touches a singularity.
        NumericalError: None of these poses can be reached.
    """
    poses, velocities = cube.poses, cube.velocities
    u = scan_points(len(cube.wide), seed, power)
    w = scan_points(len(cube.wide) + len(cube.moving), seed, power)
    x = poses(u)
    speeds = worst.speeds(x)
    fine = np.all(np.isfinite(speeds), axis=1)
    if not fine.any():
        raise NumericalError(nothing_reached(robot, x))
    check_edge(worst, x, fine)
    condition = check_singular(worst, poses, u, seed)
    fast = polished(lambda p, k: worst.speeds(poses(p))[np.arange(len(p)), k], u, speeds, seed)
    margins, without = [], np.nan
    if limits is None:
        forces = worst.forces(x, quick=len(cube.moving) > QUICK)
        strong = polished(lambda p, k: worst.columns(poses(p), k), u, forces, seed)
        powers = worst.powers(poses(w), velocities(w))
        able = polished(lambda p, k: worst.powers(poses(p), velocities(p))[np.arange(len(p)), k], w, powers, seed)
    else:
        strong, able, without = limits.search(seed, power)
        if limits.bounded:
            room = -limits.margins(x)[:, None]
            margins = polished(lambda p, _: -limits.margins(poses(p)), u, room, seed)[0]
    far = polished(lambda p, k: worst.displacements(poses(p))[np.arange(len(p)), k], u, worst.displacements(x), seed)
    ways = []
    if robot.dependent_names:
        ways = polished(lambda p, k: worst.parasitic(poses(p))[np.arange(len(p)), k], u, worst.parasitic(x), seed)
    return _Search(
        optima=strong + fast + able,
        strokes=[max(o.value for o in optima) for optima in far],
        parasitic=[max(o.value for o in optima) for optima in ways],
        margins=margins,
        looked=len(u),
        reached=float(fine[: 2**power].mean()),
        condition=condition,
        without=without,
    )


def _requirements(
    m: int, runs: list[list[list[Optimum]]], poses: Callable[[Array], Array], limits: WithinLimits | None
) -> tuple[Requirement, ...]:
    """The largest value of each kind for each of m actuators, over the optima of all runs."""
    found = []
    for k in range(4 * m):
        kind, actuator = KINDS[k // m], k % m
        optima = distinct([optimum for run in runs for optimum in run[k]])
        sign = -1.0 if kind == "force-" else 1.0
        listed = tuple((sign * o.value, poses(o.point[None])[0]) for o in optima)
        case = limits.case(optima[0].point) if limits is not None and k < 2 * m else None
        found.append(Requirement(kind, actuator, listed[0][0], listed[0][1], listed, case))
    return tuple(found)


def least_margin(found: list[Optimum], poses: Callable[[Array], Array], without: float) -> Margin:
    """The least margin of all searches; NaN where there is none because an actuator has no limit."""
    if not found:
        return Margin(np.nan, np.empty(0), without)
    least = max(found, key=lambda o: o.value)
    return Margin(-least.value, poses(least.point[None])[0], without)


FAR = 50.0
"""Poses farther from home, in lengths of the machine, were most likely meant in another unit."""


class UnboundedError(NumericalError):
    """An envelope that touches a singularity: no force is enough.

    Attributes:
        pose: (n,) where.
    """

    def __init__(self, robot: Mechanism, pose: Array, reason: str) -> None:
        """The line made from the parts."""
        self.pose = pose
        super().__init__(f"unbounded: the envelope touches a singularity at {_listed(robot, pose)} ({reason})")


def nothing_reached(robot: Mechanism, x: Array) -> str:
    """The line for poses (N, n) of which none can be reached: which leg falls short least, where, and what to try."""
    raw = kinematics_program(robot, 0)(x=x)
    found = judge(raw["short"], raw["converged"])
    if (found.status <= Status.NEAR_SINGULAR).any():
        return f"forces of {robot.name} over the envelope are not finite: its ranges are too large"
    least = int(np.argmin(np.where(np.isfinite(found.amount), found.amount, np.inf)))
    leg, short = robot.legs[found.leg[least]].name, found.amount[least]
    far = np.abs(x[least] - robot.platform.home).max() > FAR * characteristic_length(robot)
    hint = 'for millimetres: [units] length = "mm"' if far else f"home is {_listed(robot, robot.platform.home)}"
    return (
        f"no pose of the envelope can be reached by {robot.name}: nearest is {_listed(robot, x[least])}, where "
        f"leg {leg} falls short by {short:.4g} m ({hint})"
    )


def _listed(robot: Mechanism, pose: Iterable[float]) -> str:
    names = robot.coordinate_names
    return ", ".join(f"{name} = {value:.5g}" for name, value in zip(names, pose, strict=True))


def check_singular(worst: Worst, poses: Callable[[Array], Array], u: Array, seed: int) -> float:
    """The largest condition number met; raises where the envelope has a singular pose."""
    x = poses(u)
    signs = np.sign(worst.determinants(x))
    known = np.flatnonzero(np.isfinite(signs))
    flipped = known[signs[known] != signs[known[0]]]
    if len(flipped):
        raise UnboundedError(worst.robot, _crossing(worst, x[known[0]], x[flipped[0]]), "det K changes its sign")
    ((best, *_),) = (
        sorted(found, key=lambda o: -o.value)
        for found in polished(lambda p, k: worst.log_condition(poses(p)), u, worst.log_condition(x)[:, None], seed)
    )
    if best.value > np.log10(SINGULAR):
        raise UnboundedError(worst.robot, poses(best.point[None])[0], f"condition number {10**best.value:.3g}")
    return float(10.0**best.value)


def check_edge(worst: Worst, x: Array, fine: NDArray[np.bool_]) -> None:
    """Raises where the edge of reach lies in the envelope and is singular: a leg is stretched."""
    if fine.all():
        return
    outside = x[~fine][0]
    inside = x[fine][np.argmin(np.abs(x[fine] - outside).sum(axis=1))]
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        reached = np.isfinite(worst.speeds(middle[None])).all()
        inside, outside = (middle, outside) if reached else (inside, middle)
    if worst.log_condition(inside[None])[0] > np.log10(SINGULAR) - 1.0:
        share = f"{100.0 * (1.0 - fine.mean()):.3g} % of the poses are out of reach"
        raise UnboundedError(worst.robot, inside, f"the edge of reach; {share}")


def _crossing(worst: Worst, a: Array, b: Array) -> Array:
    """A pose between two at which det K is about zero."""
    sign = np.sign(worst.determinants(a[None]))[0]
    for _ in range(50):
        middle = 0.5 * (a + b)
        here = np.sign(worst.determinants(middle[None]))[0]
        a, b = (middle, b) if here == sign else (a, middle)
    return 0.5 * (a + b)
