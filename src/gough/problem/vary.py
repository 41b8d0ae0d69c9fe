"""One number of a robot that varies: within which bounds, how it is drawn, and what is tied to it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gough.brief import brief
from gough.draws.counter import Array
from gough.draws.normal import normal
from gough.motion.faults import LARGEST_TURN
from gough.problem.schema import VaryTable, Wrong
from gough.robot import Mechanism, Robot
from gough.robot.addresses import canonical, expanded, measure_of, only, value_at
from gough.robot.checks.fault import Fault
from gough.robot.file.units import DIMENSIONS, Units
from gough.robot.mechanism import FARTHEST, size
from gough.robot.quantities import PLAIN, Measure, QuantityError, quantity
from gough.robot.spec import PathError, address, complete, number_at

Kind = Literal["uniform", "normal", "levels"]
KINDS = ("uniform", "normal", "bounds", "list", "grid")
WITHIN = 3.0
"""Standard deviations at which a normal distribution is truncated if nothing is said."""
MOST_LEVELS = 100_000
_PERCENT = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*%")


@dataclass(frozen=True, slots=True)
class Tie:
    """A number that follows another: its address, by what factor, and what is added to that."""

    address: str
    factor: float
    offset: float


@dataclass(frozen=True, slots=True)
class Varied:
    """A number that varies, SI units and radians.

    Attributes:
        name: As it was written: `leg.3.base.x`.
        address: Address of the number: `leg.3.position.0`.
        nominal: What the robot has.
        low, high: Its bounds; no draw is beyond them.
        kind: "uniform" between the bounds, "normal" about `middle`, truncated at the bounds, or one of the "levels".
        middle, deviation: Of the normal distribution before it is truncated.
        levels: The values of a list or a grid, each taken equally often.
        ties: What moves along.
        unit: SI unit, "" where there is none.
    """

    __repr__ = brief

    name: str
    address: str
    nominal: float
    low: float
    high: float
    kind: Kind = "uniform"
    middle: float = 0.0
    deviation: float = 0.0
    levels: tuple[float, ...] = ()
    ties: tuple[Tie, ...] = ()
    unit: str = ""

    def drawn(self, u: Array) -> Array:
        """(N,) values of uniform numbers u (N,) in (0, 1)."""
        if self.kind == "levels":
            levels = np.array(self.levels)
            return levels[np.minimum((u * len(levels)).astype(np.int64), len(levels) - 1)]
        if self.kind == "normal":
            low, high = (self.low - self.middle) / self.deviation, (self.high - self.middle) / self.deviation
            return np.clip(self.middle + self.deviation * normal(u, low, high), self.low, self.high)
        return np.clip(self.low + (self.high - self.low) * u, self.low, self.high)

    def changes(self, value: Any) -> dict[str, Any]:
        """Address to value of the number and of what is tied to it, for `Robot.replace`; plain or recorded."""
        tied = {tie.address: value * tie.factor + tie.offset for tie in self.ties}
        return {self.address: value} | tied


def varied_of(robot: Robot, tables: Sequence[VaryTable], units: Units) -> tuple[tuple[Varied, ...], list[Fault]]:
    """The numbers that tables state, and all faults of these."""
    found: list[Varied] = []
    faults: list[Fault] = []
    taken: dict[str, str] = {}
    for k, table in enumerate(tables):
        try:
            for name in _names(robot, table):
                one = _varied(robot, name, table, units)
                for path in (one.address, *[tie.address for tie in one.ties]):
                    if path in taken:
                        allowed = f"{_which(name, table)}varies already, as {taken[path]}"
                        raise Wrong("number", allowed, "each number varies once")
                    taken[path] = name
                found.append(one)
        except Wrong as wrong:
            faults.append(wrong.fault(table, ("vary", k)))
    return tuple(found), faults


def _names(robot: Robot, table: VaryTable) -> list[str]:
    names = []
    for name in table.number:
        try:
            names += expanded(robot, name)
        except PathError as error:
            raise Wrong("number", f"{_which(name, table)}no such number of {robot.name}", error.hint) from None
    if table.ties and len(names) > 1:
        raise Wrong("ties", "must belong to one number", "state a [[vary]] for each")
    return names


def _which(name: str, table: VaryTable) -> str:
    """The name for a message where the table's value does not say it."""
    return "" if table.number == [name] else f"{name}: "


def _varied(robot: Robot, name: str, table: VaryTable, units: Units) -> Varied:
    tree, keys = complete(robot.spec), only(robot, name)
    path, nominal = address(tree, keys), float(number_at(tree, keys))
    what = measure_of(tree, keys, units) or PLAIN

    def read(key: str, value: object) -> float:
        percent = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
        if percent is not None:
            if nominal == 0.0:
                raise Wrong(key, f"is a share of {name}, which is 0", "state it with its unit")
            return float(percent[1]) / 100.0 * nominal
        try:
            return quantity(value, what)
        except QuantityError as error:
            raise Wrong(key, str(error)) from None

    kinds = [key for key in KINDS if getattr(table, key) is not None]
    if not kinds or (len(kinds) > 1 and kinds != ["normal", "bounds"]):
        allowed = f"must have one of {', '.join(KINDS)}"
        raise Wrong("number", allowed, f"{' and '.join(kinds)} given" if kinds else "")
    if table.within is not None and kinds != ["normal"]:
        raise Wrong("within", "goes with normal alone")
    own: dict[str, Any] = _spread(table, kinds[0], nominal, read)
    _demand_plausible(robot, what, kinds[0], own["low"], own["high"])
    ties = tuple(_tie(robot, key, factor, nominal) for key, factor in table.ties.items())
    return Varied(name, path, nominal, **own, ties=ties, unit=what.named(1.0))


def _demand_plausible(robot: Mechanism, what: Measure, key: str, low: float, high: float) -> None:
    """Refuse lengths far beyond the robot's size and angles of more than a turn: most likely in another unit."""
    largest = max(abs(low), abs(high))
    if what.dimension == DIMENSIONS["length"]:
        own, hint = size(robot) or math.inf, 'millimetres? write e.g. "50 mm"'
        if largest > FARTHEST * own:
            raise Wrong(key, f"goes to {largest:g} m, more than {FARTHEST:.0f} times the robot's size", hint)
        if key == "normal" and high - low > 2.0 * own:
            raise Wrong(key, f"spreads over {high - low:g} m, beyond the robot's size either way", hint)
    if what.dimension == DIMENSIONS["angle"] and largest > LARGEST_TURN:
        raise Wrong(key, f"goes to {largest:g} rad, more than a turn", 'degrees? write e.g. "30 deg"')


def _spread(table: VaryTable, kind: str, nominal: float, read: Callable[[str, object], float]) -> dict[str, Any]:
    """Bounds and distribution."""
    if kind == "bounds" or (kind == "uniform" and isinstance(table.uniform, list)):
        low, high = _pair(kind, getattr(table, kind), read)
        return {"low": low, "high": high}
    if kind == "uniform":
        half = abs(read(kind, table.uniform))
        if half == 0.0:
            raise Wrong(kind, "must be a half-width above 0, or [least, greatest]")
        return {"low": nominal - half, "high": nominal + half}
    if kind == "normal":
        return _normal(table, nominal, read)
    if kind == "list":
        if not isinstance(table.list, list) or not 1 <= len(table.list) <= MOST_LEVELS:
            raise Wrong(kind, f"must be a list of 1 to {MOST_LEVELS} values")
        levels = tuple(read(kind, value) for value in table.list)
    else:
        if not isinstance(table.grid, list) or len(table.grid) != 3 or not _is_count(table.grid[2]):
            raise Wrong(kind, "must be [from, to, how many], e.g. [1.0, 2.0, 5]")
        levels = tuple(np.linspace(read(kind, table.grid[0]), read(kind, table.grid[1]), table.grid[2]).tolist())
    return {"kind": "levels", "levels": levels, "low": min(levels), "high": max(levels)}


def _normal(table: VaryTable, nominal: float, read: Callable[[str, object], float]) -> dict[str, Any]:
    deviation = abs(read("normal", table.normal))
    if deviation == 0.0:
        raise Wrong("normal", "must be a standard deviation above 0")
    within = WITHIN if table.within is None else table.within
    if isinstance(within, bool) or not isinstance(within, (int, float)) or not 0.0 < within <= 8.0:
        raise Wrong("within", "must be a number of standard deviations above 0 and up to 8")
    low, high = nominal - within * deviation, nominal + within * deviation
    if table.bounds is not None:
        low, high = _pair("bounds", table.bounds, read)
        if not low < nominal + 8.0 * deviation or not high > nominal - 8.0 * deviation:
            raise Wrong("bounds", "are more than 8 standard deviations away from the robot's own value")
    return {"kind": "normal", "middle": nominal, "deviation": deviation, "low": low, "high": high}


def _pair(key: str, value: object, read: Callable[[str, object], float]) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2:
        raise Wrong(key, "must be [least, greatest]")
    low, high = (read(key, entry) for entry in value)
    if not low < high:
        raise Wrong(key, "must be [least, greatest], the least first")
    return low, high


def _tie(robot: Robot, name: str, factor: float, nominal: float) -> Tie:
    try:
        path = canonical(robot, name)
    except PathError as error:
        raise Wrong("ties", f"{name}: no such number of {robot.name}", error.hint) from None
    return Tie(path, factor, value_at(robot, path) - factor * nominal)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_LEVELS
