"""Quantities with limits, in groups that are computed and fitted together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.extremes import Quantities
from gough.analysis.limits import Bound, actuator_bounds, only_turns
from gough.analysis.platform_rates import OUTPUT as PLATFORM
from gough.analysis.platform_rates import platform_program
from gough.dynamics.sharing.shares import force_limits
from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.programs import characteristic_length
from gough.robot import Mechanism
from gough.robot.leg_values import ROUND_OFF

DRIVE = {"stroke": "q", "speed": "qd", "force": "force", "power": "power"}


@dataclass(frozen=True, slots=True)
class Column:
    """One smooth quantity with a limit.

    Attributes:
        kind, owner: What it is and whose.
        bound: Bound of the quantity as people read it.
        turns: Whether it is a coordinate, speed or torque of something that turns.
        radii: Radii of the two legs of a distance, which is computed as its square between axes [m].
        slack: What may be missing to the bound by round-off, where that has another size than value and bound.
    """

    kind: str
    owner: str
    bound: Bound
    turns: bool = False
    radii: float = 0.0
    slack: float = 0.0

    @property
    def width(self) -> float:
        """What margins are measured by."""
        return self.bound.low + self.radii or 1.0 if self.kind == "distance" else self.bound.width

    def shown(self, value: float) -> float:
        """The quantity as people read it, from the smooth one: cosines become angles, squares distances and speeds."""
        if self.kind == "angle":
            return math.acos(min(1.0, max(-1.0, value)))
        if self.kind in PLATFORM:
            return math.sqrt(value)
        return math.sqrt(max(value, 0.0)) - self.radii if self.kind == "distance" else value

    def holds(self, least: float, largest: float) -> bool:
        """Whether the bound holds, round-off not counted, for the smooth quantity between these."""
        low, high = self.shown(least), self.shown(largest)
        return self.bound.low <= min(low, high) and max(low, high) <= self.bound.high


@dataclass(frozen=True, slots=True)
class Group:
    """Columns and the function that gives them all.

    Attributes:
        columns, function: In the same order.
        jumps: Whether dry friction makes them jump as a speed turns.
        floor: See `pieces_of`.
    """

    columns: tuple[Column, ...]
    function: Quantities
    jumps: bool = False
    floor: float = 0.0


def groups_of(path: Path, stated: Mapping[str, Any], every_pair: bool = False) -> tuple[list[Group], dict[str, str]]:
    """Groups of all quantities that have limits, and for each kind that has none, why it is not checked.

    Of the distances between legs those that can be the least somewhere, or, without looking for them, `every_pair`.
    """
    missing: dict[str, str] = {}
    groups = [
        _drive(path, stated, missing, ("stroke", "speed")),
        _drive(path, stated, missing, ("force", "power")),
        _joints(path, missing),
        _angles(path, stated, missing),
        _distances(path, stated, missing, every_pair),
        _jacobian(path, stated, missing),
        _parasitic(path, stated, missing),
        _margin(path, stated, missing),
        _platform(path, stated),
    ]
    return [group for group in groups if group.columns], missing


def _drive(path: Path, stated: Mapping[str, Any], missing: dict[str, str], kinds: tuple[str, ...]) -> Group:
    turns = [joint.turns for joint in path.robot.actuators]
    columns, places = [], []
    for kind in kinds:
        bounds = actuator_bounds(path.robot, kind, stated)
        without = [name for name, bound in bounds if bound is None]
        if without:
            missing[kind] = "no limit" + (f" of {', '.join(without)}" if len(without) < len(bounds) else "")
        for k, (name, bound) in enumerate(bounds):
            if bound is not None:
                columns.append(Column(kind, name, bound, turns[k]))
                places.append((DRIVE[kind], k))

    def function(t: Array, inside: Array) -> Array:
        raw = path.drive(t, inside)
        return np.stack([raw[name][:, k] for name, k in places], axis=1)

    return Group(tuple(columns), function, jumps="force" in kinds)


def _joints(path: Path, missing: dict[str, str]) -> Group:
    joints = [(leg.name, joint) for leg in path.robot.legs for joint in leg.joints]
    places = [k for k, (_, joint) in enumerate(joints) if not joint.actuated and joint.limits.stroke is not None]
    columns = tuple(
        Column("joint", f"{leg}.{joint.name}", Bound(*joint.limits.stroke), joint.kind == "R")
        for leg, joint in (joints[k] for k in places)
        if joint.limits.stroke is not None
    )
    if not columns:
        missing["joint"] = "no stroke of a passive joint is stated"
    return Group(columns, lambda t, inside: path.joints(t)[:, places])


def _angles(path: Path, stated: Mapping[str, Any], missing: dict[str, str]) -> Group:
    cones = path.shape.cones
    limits = [stated.get("angle", cone) for _, _, cone in cones]
    places = [k for k, limit in enumerate(limits) if limit is not None]
    if not cones:
        missing["angle"] = "no universal or spherical joint"
    elif not places:
        missing["angle"] = "no cone"
    elif len(places) < len(cones):
        names = dict.fromkeys(cones[k][1] for k in range(len(cones)) if limits[k] is None)
        missing["angle"] = f"no cone of {', '.join(names)}"
    legs = path.robot.legs
    columns = tuple(
        Column("angle", f"{legs[cones[k][0]].name}.{cones[k][1]}", Bound(high=limits[k]), True) for k in places
    )
    return Group(columns, lambda t, inside: path.cosines(t)[:, places])


def _distances(path: Path, stated: Mapping[str, Any], missing: dict[str, str], every_pair: bool) -> Group:
    legs = path.robot.legs
    thick = [leg.radius is not None for leg in legs]
    limit = stated.get("distance", 0.0)
    pairs = path.pairs if "distance" in stated or sum(thick) > 1 else ()
    places = [
        k for k, pair in enumerate(pairs) if "distance" in stated or (thick[pair.first.leg] and thick[pair.second.leg])
    ]
    places = places if every_pair else nearest_pairs(path, places)
    if not places:
        missing["distance"] = "the legs have no radii" if len(legs) > 1 else "only one leg"
    columns = []
    for k in places:
        pair = pairs[k]
        name = f"{legs[pair.first.leg].name}-{legs[pair.second.leg].name}"
        columns.append(Column("distance", name, Bound(low=limit), radii=pair.radii))
    return Group(tuple(columns), lambda t, inside: path.squares(t)[:, places])


def nearest_pairs(path: Path, places: list[int]) -> list[int]:
    """Those pairs that can be the nearest somewhere on the motion.

    A pair is left out if at all samples it is farther than the nearest pair ever is, by more than distances change from
    one sample to the next, which is twice as much as they can dip in between.
    """
    if len(places) < 2 or not path.motion.analytic:
        return places
    edges = path.motion.breakpoints
    times = np.unique(np.concatenate([np.linspace(a, b, max(17, 513 // len(edges))) for a, b in pairwise(edges)]))
    gaps = np.sqrt(path.squares(times)[:, places]) - [path.pairs[k].radii for k in places]
    if not np.isfinite(gaps).all():
        return places
    least, change = gaps.min(axis=0), np.abs(np.diff(gaps, axis=0)).max(axis=0)
    return [k for k, gap, step in zip(places, least, change, strict=True) if gap - step <= least.min()]


def _parasitic(path: Path, stated: Mapping[str, Any], missing: dict[str, str]) -> Group:
    """How far dependent coordinates are from their values at home."""
    platform = path.robot.platform
    columns, places = [], []
    for kind, turns in (("parasitic", False), ("parasitic_turn", True)):
        own = [k for k, c in enumerate(platform.dependent) if c.turns == turns]
        if kind not in stated and own:
            missing[kind] = "no limit"
        elif kind in stated and not own:
            missing[kind] = f"no dependent coordinate {'turns' if turns else 'slides'}"
        elif own:
            bound = Bound(-stated[kind], stated[kind])
            columns += [Column(kind, platform.dependent[k].name, bound, turns) for k in own]
            places += own

    def function(t: Array, inside: Array) -> Array:
        home = dependent_coordinates(path.robot, platform.home)[0]
        return (dependent_coordinates(path.robot, path.state(t)["x"])[0] - home)[:, places]

    return Group(tuple(columns), function, floor=parasitic_floor(path.robot))


def parasitic_floor(robot: Mechanism) -> float:
    """Size [m, rad] below which parasitic motion is not resolved further: a machine may have none but round-off."""
    return 1e-3 * min(1.0, characteristic_length(robot))


def _jacobian(path: Path, stated: Mapping[str, Any], missing: dict[str, str]) -> Group:
    columns = []
    for kind in ("condition", "singular"):
        if kind not in stated:
            missing[kind] = "no limit"
        elif kind == "condition":
            columns.append(Column(kind, "", Bound(high=stated[kind])))
        else:
            columns.append(Column(kind, "", Bound(low=stated[kind])))

    def function(t: Array, inside: Array) -> Array:
        values = path.singular_values(t)
        with np.errstate(divide="ignore"):
            known = {"condition": values[:, 0] / values[:, -1], "singular": values[:, -1]}
        return np.stack([known[column.kind] for column in columns], axis=1)

    return Group(tuple(columns), function)


def _margin(path: Path, stated: Mapping[str, Any], missing: dict[str, str]) -> Group:
    """The margin of forces within limits: where it is stated, or where actuators keep to limits, at least 0."""
    shared = path.robot.actuation
    if "margin" not in stated and (shared is None or not shared.limited):
        return Group((), lambda t, inside: np.zeros((len(t), 0)))
    if any(low is None or high is None for low, high in force_limits(path.robot)):
        missing["margin"] = "an actuator has no force limit"
        return Group((), lambda t, inside: np.zeros((len(t), 0)))
    # A margin is the difference of sums of forces: where it is 0, round-off is that of the forces.
    slack = ROUND_OFF * sum(high - low for low, high in force_limits(path.robot))
    column = Column("margin", "", Bound(low=stated.get("margin", 0.0)), only_turns(path.robot, "margin"), slack=slack)
    return Group((column,), lambda t, inside: path.margins(t)[:, None])


def _platform(path: Path, stated: Mapping[str, Any]) -> Group:
    """Speeds and accelerations of the platform, as squares, which are smooth where it stops."""
    kinds = [kind for kind in PLATFORM if kind in stated]
    columns = tuple(Column(kind, "", Bound(high=stated[kind]), kind.startswith("turning")) for kind in kinds)

    def function(t: Array, inside: Array) -> Array:
        state = path.state(t)
        found = platform_program(path.robot)(x=state["x"], xd=state["xd"], xdd=state["xdd"])
        return np.stack([(found[PLATFORM[kind]] ** 2).sum(axis=1) for kind in kinds], axis=1)

    return Group(columns, function)
