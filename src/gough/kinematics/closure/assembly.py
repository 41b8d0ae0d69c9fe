"""The assemblies of a leg at home, and which one its file means.

A leg may close in several ways at one pose. Each has a number, its branch; `docs/branches.md` says what it means for
each kind of leg. The joints' stated starts choose the assembly nearest to them; without any, the stated branch does.
Where nothing is stated a closed form takes branch 1, any other leg the assembly that Newton's method finds from zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from gough.graph import Step, Vector, dot, factor, iterate, less, logical_not, record, root, solve
from gough.kinematics.chain import end_point, misclosure
from gough.kinematics.closure.close import Way, closed, end_target
from gough.kinematics.closure.closed_form import ClosedForm, main_chain
from gough.kinematics.closure.closed_forms import CLOSED_FORMS, closed_form
from gough.kinematics.closure.newton import REACHED, closure_equations, closure_error, coordinates_of, leg_jacobian
from gough.kinematics.leg import REACH_SLACK, build_links
from gough.kinematics.pose import platform_pose
from gough.robot import Leg, Platform
from gough.run import Program

NEAR_ANGLE = 0.2
"""How far a joint's start may be from the assembly it means [rad]."""
NEAR_SLIDE = 0.05
"""The same for a slide, as a share of the leg's size."""
TIE = 1e-3
"""Difference of distance, as a share of the largest allowed, below which two assemblies are equally near."""
_SAME = 1e-6
_MOST = 32
_TRIES = {1: 32, 2: 64, 3: 256, 4: 512, 5: 1024, 6: 2048}
"""Random starts of Newton's method by the number of unknowns; always the same ones."""
_STEPS = 40
_NEAR_ENOUGH = 1e-8
"""Most damped steps on a leg with fewer joints than equations, and how small the square of the last one is."""


P = ParamSpec("P")
T = TypeVar("T")


def kept(function: Callable[P, T]) -> Callable[P, T]:
    """The function with its results kept, as long as the list of closed forms stays as it is."""

    @lru_cache(maxsize=512)
    def known(_forms: tuple[Any, ...], args: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> T:
        return function(*args, **dict(named))

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return known(tuple(CLOSED_FORMS), args, tuple(kwargs.items()))

    return call


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way a leg closes at home: its branch and the coordinates of its independent joints [m or rad]."""

    branch: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The assembly a leg has at home.

    Attributes:
        values: (m,) coordinates of its independent joints [m or rad]; where it does not close, what comes near.
        branch: Its number; None of a leg closed by Newton's method where it was not needed: see `branch_of`.
        doubt: Why the file does not say which it is: "far", "tie", "disagree", "unknown", or "". A robot that did not
            come from a file is taken as it is: of starts and branch that disagree a closed form takes the branch, any
            other leg, whose numbers change with its geometry, the starts.
        joint: Of the start that is farthest off, its index.
        near: The assemblies that are equally near.
    """

    values: tuple[float, ...]
    branch: int | None
    doubt: str = ""
    joint: int = -1
    near: tuple[Assembly, ...] = ()


def own_joints(leg: Leg) -> list[int]:
    """Indices of the independent joints."""
    return [k for k, joint in enumerate(leg.joints) if joint.mimic is None]


@lru_cache(maxsize=512)
def leg_size(leg: Leg, platform: Platform) -> float:
    """How large a leg is: the lengths of its links in a row, or its ends' distance at home if that is more [m]."""
    p_end, _ = _home_target(leg, platform)
    links = [leg.joints[k].offset for k in main_chain(leg)[1:]]
    chain = sum(float(np.linalg.norm(link)) for link in [*links, leg.end.point])
    return max(chain, float(np.linalg.norm(p_end - np.array(leg.position)))) or 1.0


def sizes_of(leg: Leg, platform: Platform) -> tuple[float, ...]:
    """(m,) how large a change of each independent coordinate is: a radian, or the leg's size [m]."""
    return tuple(leg_size(leg, platform) if leg.joints[k].kind == "P" else 1.0 for k in own_joints(leg))


def _home_target(leg: Leg, platform: Platform) -> tuple[Any, Any]:
    return end_target(leg, platform_pose(platform, np.array(platform.home)))


@kept
def way_of(leg: Leg, platform: Platform, newton: bool = False) -> Way:
    """The way to close a leg of plain numbers; with `newton` never a closed form."""
    if leg.cable is not None:
        return Way(closed_form(leg))
    form = None if newton else closed_form(leg)
    if form is not None and not winding(leg):
        return Way(form, leg.branch or chosen(leg, platform).branch or 1)
    found = chosen(leg, platform)
    return Way(form, found.branch or 1, found.values, sizes_of(leg, platform))


def winding(leg: Leg) -> list[int]:
    """Joints whose number of turns matters: another turns with them at a ratio that is not whole, or slides."""
    follow = [(joint, joint.mimic) for joint in leg.joints if joint.mimic is not None]
    return sorted(
        {
            mimic.joint
            for joint, mimic in follow
            if leg.joints[mimic.joint].kind == "R"
            and (joint.kind == "P" or float(mimic.ratio) != math.floor(mimic.ratio))
        }
    )


@kept
def chosen(leg: Leg, platform: Platform) -> Chosen:
    """The assembly at home that a leg of plain numbers means, and what is doubtful about it."""
    stated = {k: float(joint.start) for k, joint in enumerate(leg.joints) if joint.start is not None}
    if leg.cable is not None:
        return Chosen((stated.get(0, 0.0),), 1)
    if closed_form(leg) is None and leg.branch is None:
        at_once = _at_once(leg, platform, stated)
        if at_once is not None:
            return at_once
    found = assemblies(leg, platform)
    if not found:
        u0 = tuple(stated.get(k, 0.0) for k in own_joints(leg))
        return Chosen(tuple(_newton(leg, platform, np.array([u0]))[0][0]), leg.branch)
    labelled = next((a for a in found if a.branch == leg.branch), None)
    if leg.branch is not None and labelled is None:
        return Chosen(found[0].values, found[0].branch, "unknown", near=found)
    if not stated:
        pick = labelled or found[0]
        return Chosen(pick.values, pick.branch)
    apart = [max(_apart(leg, platform, a.values, stated).values()) for a in found]
    least = min(apart)
    near = tuple(a for a, d in zip(found, apart, strict=True) if d <= least + TIE)
    pick = labelled if labelled in near else near[0]
    assert pick is not None
    each = _apart(leg, platform, pick.values, stated)
    worst = max(each, key=lambda k: each[k])
    if labelled is not None and labelled not in near:
        kept = pick if closed_form(leg) is None else labelled
        return Chosen(kept.values, kept.branch, "disagree", _drive(leg, labelled, pick, stated), near)
    if least > 1.0:
        return Chosen(pick.values, pick.branch, "far", worst, found)
    if len(near) > 1 and labelled is None:
        return Chosen(pick.values, pick.branch, "tie", worst, near)
    return Chosen(_towards(leg, pick.values, stated), pick.branch)


def branch_of(leg: Leg, platform: Platform) -> int | None:
    """Number of the assembly that a leg has at home; None where it is none of those that are found."""
    found = chosen(leg, platform)
    if found.branch is not None:
        return found.branch
    stated = dict(zip(own_joints(leg), found.values, strict=True))
    apart = {a.branch: max(_apart(leg, platform, a.values, stated).values()) for a in assemblies(leg, platform)}
    nearest = min(apart, key=lambda branch: apart[branch], default=None)
    return nearest if nearest is not None and apart[nearest] <= TIE else None


def _drive(leg: Leg, one: Assembly, other: Assembly, stated: dict[int, float]) -> int:
    """Index of the stated joint that distinguishes two assemblies best, a driven one if it does."""
    own = own_joints(leg)
    gaps = {k: abs(_wrapped(leg, k, one.values[i] - other.values[i])) for i, k in enumerate(own) if k in stated}
    return max(gaps, key=lambda k: (leg.joints[k].actuated and gaps[k] > 1e-3, gaps[k]), default=own[0])


def _wrapped(leg: Leg, k: int, difference: float) -> float:
    counted = leg.joints[k].kind == "P" or k in winding(leg)
    return difference if counted else math.remainder(difference, math.tau)


def _towards(leg: Leg, values: tuple[float, ...], stated: dict[int, float]) -> tuple[float, ...]:
    """The same assembly with each angle within half a turn of its start."""
    near = []
    for k, value in zip(own_joints(leg), values, strict=True):
        start = stated.get(k, 0.0)
        near.append(start + _wrapped(leg, k, value - start) if abs(value - start) > math.pi else value)
    return tuple(near)


def _apart(leg: Leg, platform: Platform, values: tuple[float, ...], stated: dict[int, float]) -> dict[int, float]:
    """How far an assembly is from each stated start, as a share of the largest allowed."""
    own = dict(zip(own_joints(leg), values, strict=True))
    slide = NEAR_SLIDE * leg_size(leg, platform)
    apart = {}
    for k, start in stated.items():
        joint = leg.joints[k]
        value = own[k] if joint.mimic is None else joint.mimic.ratio * own[joint.mimic.joint] + joint.mimic.offset
        apart[k] = abs(_wrapped(leg, k, value - start)) / (slide if joint.kind == "P" else NEAR_ANGLE)
    return apart


def _at_once(leg: Leg, platform: Platform, stated: dict[int, float]) -> Chosen | None:
    """The assembly of a leg closed by Newton's method where no other need be looked for."""
    own = own_joints(leg)
    if stated and not stated.keys() >= set(own):
        return None
    solutions, closes = _newton(leg, platform, np.array([[stated.get(k, 0.0) for k in own]]))
    if not closes[0]:
        return None
    values = tuple(float(v) for v in solutions[0])
    if stated and max(_apart(leg, platform, values, stated).values()) > TIE:
        return None
    return Chosen(values if stated else _towards(leg, values, {}), None)


def near_starts(leg: Leg, platform: Platform) -> tuple[float, ...]:
    """Independent coordinates that Newton's method finds at home from the stated starts, or from zero."""
    starts = [[leg.joints[k].start or 0.0 for k in own_joints(leg)]]
    return tuple(float(v) for v in _newton(leg, platform, np.array(starts))[0][0])


@kept
def assemblies(leg: Leg, platform: Platform) -> tuple[Assembly, ...]:
    """All assemblies of a leg at home, in the order of their branches 1, -1, 2, -2 and so on."""
    form = closed_form(leg)
    if form is None:
        found = _newton_assemblies(leg, platform)
        return tuple(Assembly((1 + k // 2) * (-1) ** k, values) for k, values in enumerate(found))
    numbers = [sign * number for number in range(1, form.postures + 1) for sign in (1, -1)]
    ways = [(branch, _closed_at_home(leg, form, platform, branch)) for branch in numbers]
    return tuple(Assembly(branch, values) for branch, values in ways if values is not None)


def _closed_at_home(leg: Leg, form: ClosedForm, platform: Platform, branch: int) -> tuple[float, ...] | None:
    """Coordinates of a leg closed in closed form on a branch, None where it does not close."""
    p_end, R_end = _home_target(leg, platform)
    leg = replace(leg, branch=branch)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = closed(leg, form, p_end, R_end)
        if not float(found.short) <= REACH_SLACK:
            return None
        links, _ = build_links(leg, found.coordinates)
    if not float(misclosure(leg, links, p_end, R_end)) <= REACHED:
        return None
    return tuple(float(found.coordinates[k].value(leg.joints[k].start)) for k in own_joints(leg))


def _newton_assemblies(leg: Leg, platform: Platform) -> list[tuple[float, ...]]:
    """Coordinates of all assemblies found from many starts, ordered as `_order` says."""
    own = own_joints(leg)
    sizes = np.array(sizes_of(leg, platform))
    turns = np.array([leg.joints[k].kind == "R" for k in own])
    random = np.random.default_rng(1954)
    tries = random.uniform(-1.0, 1.0, (_TRIES[min(len(own), 6)], len(own))) * np.where(turns, np.pi, 1.5 * sizes)
    solutions, closes = _newton(leg, platform, np.concatenate([np.zeros((1, len(own))), tries]))
    different: list[NDArray[np.float64]] = []
    for u in solutions[closes]:
        u = np.where(turns, np.pi - np.mod(np.pi - u, 2 * np.pi), u)
        if all(_distance(u, known, turns, sizes) > _SAME for known in different):
            different.append(u)
    ordered = sorted(different, key=partial(_order, turns, sizes))
    return [tuple(float(v) for v in u) for u in ordered[:_MOST]]


def _order(turns: NDArray[np.bool_], sizes: NDArray[np.float64], u: NDArray[np.float64]) -> tuple[float, ...]:
    """Fewest slides drawn back beyond zero, then least coordinates behind the first joint, then of that.

    What comes behind the first joint is the same in legs that are each other's images about its axis.
    """
    drawn_back = float(((u < 0.0) & ~turns).sum())
    behind = round(float(np.linalg.norm(u[1:] / sizes[1:])), 6)
    return (drawn_back, behind, *(u[1:].round(6) + 0.0), round(float(u[0]), 6))


def _distance(
    u: NDArray[np.float64], v: NDArray[np.float64], turns: NDArray[np.bool_], sizes: NDArray[np.float64]
) -> float:
    apart = np.where(turns, np.angle(np.exp(1j * (u - v))), u - v)
    return float(np.abs(apart / sizes).max())


def _newton(leg: Leg, platform: Platform, starts: NDArray[np.float64]) -> tuple[Any, Any]:
    """Solutions (N, m) at home that Newton's method finds from starts (N, m), and whether the leg closes there (N,)."""
    found = _program(leg, platform)(u=starts)
    closes = (found["converged"] | (found["gap"] <= REACHED * 1e-3)) & (found["gap"] <= REACHED)
    return found["u"], closes


@lru_cache(maxsize=128)
def _program(leg: Leg, platform: Platform) -> Program:
    own = own_joints(leg)
    p_end, R_end = _home_target(leg, platform)

    def equations(u: Vector) -> dict[str, Any]:
        start = _nearer(leg, own, p_end, R_end, u) if len(own) < (6 if leg.end.kind == "rigid" else 3) else u
        found = root(partial(closure_equations, leg, own, p_end, R_end), start, max_iter=60)
        links, _ = build_links(leg, coordinates_of(leg, own, found.solution))
        return {"u": found.solution, "converged": found.converged, "gap": misclosure(leg, links, p_end, R_end)}

    return Program(record(equations, u=len(own)), executor="blocks")


def _nearer(leg: Leg, own: list[int], p_end: Vector, R_end: Vector, start: Vector) -> Vector:
    """(m,) coordinates near a closure of a leg with fewer joints than equations, from a start (m,).

    Newton's method on J^T r = 0 would go to any stationary closure error r, most of which are none: these are damped
    least-squares steps (J^T J + r.r 1) du = J^T r, which only rest where r is least.
    """

    def step(u: Vector) -> Step:
        links, _ = build_links(leg, coordinates_of(leg, own, u))
        r = closure_error(leg, own, p_end, R_end, u)
        J = leg_jacobian(leg, own, links, end_point(leg, links))
        damped = J.T @ J + np.eye(len(own)) * dot(r, r)
        move = solve(factor(damped), J.T @ r)
        near = less(dot(move, move), _NEAR_ENOUGH)
        return Step(u - move, logical_not(near), near)

    return iterate(step, start, _STEPS).state
