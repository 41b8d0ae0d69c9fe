"""The one schema language of gough's TOML files: what each key of a table holds, and the reader of such tables.

A kind of table is a subclass of `Table`; its attributes are the keys of the file, each followed by a string that
documents it; bounds of numbers are part of the key. A `Reader` checks all keys in one pass, converts numbers to SI
units and radians, and collects every fault with its path instead of stopping at the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar

from gough.graph import dot
from gough.graph.triples import cross, matrix
from gough.robot.checks.fault import Fault, Path, Place
from gough.robot.file.units import DIMENSIONS, Units, size_of, units
from gough.robot.names import did_you_mean, nearest
from gough.robot.quantities import Measure, has_unit
from gough.robot.rotation import proper, skewness, unit_axis

Model = TypeVar("Model", bound="Table")
Check = Callable[..., Any]
"""Returns a value of a file as it is kept, or refuses it; with a `measure`, it takes the value and that measure."""
UNKNOWN = "unknown key"
NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "NOT_GIVEN"})()
"""Stands for the default of a key that is left out of what is read."""


class Refused(Exception):
    """A value is not allowed.

    Attributes:
        allowed: What would be.
        hint: What to try.
    """

    def __init__(self, allowed: str, hint: str = "") -> None:
        """What is allowed, and what to try."""
        super().__init__(allowed)
        self.allowed, self.hint = allowed, hint


def refuse(allowed: str, hint: str = "") -> NoReturn:
    """Refuse a value, saying what is allowed."""
    raise Refused(allowed, hint)


@dataclass(frozen=True)
class Each:
    """A list whose entries are all held by the same key."""

    entry: Key


@dataclass(frozen=True)
class Named:
    """A table of names chosen in the file: `name` checks these, and `entry` holds the value of each."""

    name: Check
    entry: Key


@dataclass(frozen=True)
class Key:
    """A key of a table.

    Attributes:
        holds: Check of its value; or the keys of a table, a list, a table of names.
        quantity: What its numbers measure, "length"; "travel" or "effort" depend on how the joint moves.
        measure: For numbers that may carry their unit as text: what they measure in a file of given units.
        needed: Whether the table must have the key.
        default: Its value where it is left out, {} for a table of defaults; NOT_GIVEN: it stays out.
        low: Least value of its number or numbers, SI, where that is at least 0.
        above: Whether they must be greater than `low`.
        high: Largest size of its number, or of the numbers of its list, SI.
        hint: What to try where it does not hold a list, or a number is too large.
    """

    holds: Any
    quantity: str = ""
    measure: Callable[[Units], Measure] | None = None
    needed: bool = False
    default: Any = NOT_GIVEN
    low: float = -math.inf
    above: bool = False
    high: float = 1e100
    hint: str = ""

    def of(self, **changes: Any) -> Any:
        """The same key with other attributes."""
        return replace(self, **changes)

    @property
    def table(self) -> type[Table] | None:
        """The kind of table that the key holds, or holds a list of."""
        holds = self.holds.entry.holds if isinstance(self.holds, Each) else self.holds
        return holds if isinstance(holds, type) and issubclass(holds, Table) else None


def key_of(holds: Any, quantity: str = "", **stated: Any) -> Any:
    """A key of a table; see `Key`. A list of one kind of table stands for `Each`."""
    return Key(Each(Key(holds[0])) if isinstance(holds, list) else holds, quantity, **stated)


class Table:
    """A kind of table. An instance has what a file states, or defaults, as attributes.

    Attributes:
        other_keys: Key that holds all keys without one of their own; None: they are unknown.
    """

    other_keys: Key | None = None

    def __init__(self, values: Mapping[str, Any]) -> None:
        """The table of values as `Reader.table` returns them; a key that is not there is None."""
        for name, own in self.keys().items():
            value = values.get(name)
            if own.table is not None and value is not None:
                value = own.table(value) if isinstance(value, dict) else [own.table(entry) for entry in value]
            setattr(self, name, value)

    @classmethod
    def keys(cls) -> dict[str, Key]:
        """Keys of the table by name, those of the tables it extends first."""
        found = {name: value for part in reversed(cls.__mro__) for name, value in vars(part).items()}
        return {name: value for name, value in found.items() if isinstance(value, Key) and name != "other_keys"}

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """How the joint of a table moves, "P" or "R", given that of the table that holds it."""
        return kind

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterable[Fault]:
        """Convert numbers of a table, of right form, whose unit depends on other keys; faults of keys together."""
        return ()


Keys = type[Table] | Mapping[str, Key]
"""A kind of table, or just its keys."""


@dataclass
class Reader:
    """Reads tables of a file in its units, and collects their faults.

    Attributes:
        units: Of numbers without one.
        faults: Of form, found so far, at the paths of the file.
        implausible: Numbers out of bounds, and keys that do not go together; of use where the form is right.
    """

    units: Units
    faults: list[Fault] = field(default_factory=list)
    implausible: list[Fault] = field(default_factory=list)

    def table(self, model: Keys, given: Any, path: Path = (), kind: str = "P") -> dict[str, Any]:
        """Values of a table by key, in SI units and radians; what is at fault is left out."""
        model, keys = (Table, model) if isinstance(model, Mapping) else (model, model.keys())
        if not isinstance(given, Mapping):
            hint = f"{{ {next(iter(keys))} = ... }}; keys: {', '.join(keys)}" if len(path) > 1 else ""
            self._fault(path, "must be a table", given, hint)
            return {}
        kind, meant, found = model.joint_kind(given, kind), set[str | None](), dict[str, Any]()
        unknown = [name for name in given if name not in keys]
        if model.other_keys is not None:
            keys, unknown = {**keys, **dict.fromkeys(unknown, model.other_keys)}, []
        for name in unknown:
            meant.add(nearest(name, tuple(keys)))
            hint = _screw(name, given[name], keys) or did_you_mean(name, list(keys))
            self._fault((*path, name), UNKNOWN, None, hint)
        for name, own in keys.items():
            if given.get(name) is not None:
                found[name] = self.value(own, given[name], (*path, name), kind)
            elif own.needed and name not in meant:
                self._fault((*path, name), "is missing")
            elif own.default is not NOT_GIVEN:
                found[name] = self.value(own, {}, (*path, name), kind) if own.default == {} else own.default
        if not self.faults:
            self.implausible += [replace(f, path=(*path, *f.path)) for f in model.settle(found, self.units, kind)]
        return found

    def value(self, own: Key, given: Any, path: Path, kind: str = "P") -> Any:
        """The value of a key in SI units and radians; None where it is at fault."""
        holds = own.holds
        if isinstance(holds, (type, Mapping)):
            return self.table(holds, given, path, kind)
        if isinstance(holds, Each):
            if not isinstance(given, list):
                meant = f"each {path[-1]} is a [[{path[-1]}]]" if isinstance(holds.entry.holds, type) else ""
                self._fault(path, "must be a list", given, own.hint or meant)
                return None
            return [self.value(holds.entry, entry, (*path, k), kind) for k, entry in enumerate(given)]
        try:
            if isinstance(holds, Named):
                return self._named(holds, given, path, kind)
            if own.measure is not None:
                found = holds(given, own.measure(self.units))
            else:
                found = in_si(holds(given), own.quantity, self.units, kind)
        except Refused as refused:
            self._fault(path, refused.allowed, given, refused.hint)
            return None
        if (beyond := out_of_bounds(own, found, self.units, kind, given)) is not None:
            self.implausible.append(Fault(path, beyond.allowed, given, beyond.hint))
        return found

    def _named(self, holds: Named, given: Any, path: Path, kind: str) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            refuse("must be a table")
        for name in given:
            try:
                holds.name(name)
            except Refused as refused:
                self._fault((*path, name), refused.allowed, None, refused.hint)
        return {name: self.value(holds.entry, value, (*path, name), kind) for name, value in given.items()}

    def _fault(self, *parts: Any) -> None:
        self.faults.append(Fault(*parts))


def _screw(name: str, value: object, keys: Mapping[str, Key]) -> str:
    """A hint for the lead of a ball screw, which is stated as the gear of its motor."""
    if name != "lead" or "gear" not in keys:
        return ""
    text = "of a ball screw state gear = 360 / lead with angles in deg, 2 pi / lead in rad"
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value:
        text += f": {360.0 / value:.6g} or {2.0 * math.pi / value:.6g}"
    return text


def out_of_bounds(own: Key, value: Any, units: Units, kind: str = "P", given: Any = None) -> Refused | None:
    """Why a number in SI units, or one of a list, is out of the bounds of its key; None where none is.

    Args:
        own: The key.
        value: The number or numbers.
        units: Of the file, for a hint where the unit of a number was most likely forgotten.
        kind: How the joint of its table moves.
        given: The value as the file has it.
    """
    if not isinstance(value, (int, float, list, tuple)):
        return None
    least = value if isinstance(value, (int, float)) else math.inf if own.low == -math.inf else min(value)
    if least < own.low or (own.above and least == own.low):
        if least <= 0.0:
            return Refused("must be greater than 0" if own.above or own.low > 0.0 else "must not be negative")
        size, bound = "small", f"at least {_sized(own.low, own.quantity, kind)}"
    elif largest(value) > own.high:
        size, bound = "large", f"at most {_sized(own.high, own.quantity, kind)}"
    else:
        return None
    hint, (forgotten, unit) = own.hint, FORGOTTEN.get((own.quantity, size), ("", ""))
    if forgotten and (getattr(units, own.quantity) == 1.0) == (size == "large") and not has_unit(given):
        state = f'{forgotten}? state [units] {own.quantity} = "{unit}"'
        hint = state if own.measure is None else f'write "{given} {unit}"?'
    return Refused(f"implausibly {size}: {bound}", hint)


FORGOTTEN = {
    ("length", "large"): ("mm for m", "mm"),
    ("length", "small"): ("m for mm", "m"),
    ("angle", "large"): ("degrees for radians", "deg"),
    ("mass", "large"): ("g for kg", "g"),
}
"""By quantity: the unit most likely forgotten where a number is too large in SI units, or too small in others."""


def largest(value: Any) -> float:
    """Size of the largest number of nested lists."""
    if isinstance(value, (list, tuple)):
        return max(map(largest, value), default=0.0)
    return abs(value) if isinstance(value, (int, float)) else 0.0


def _sized(value: float, quantity: str, kind: str) -> str:
    """A bound with its unit."""
    if quantity == "travel":
        return f"{value:g} {'m' if kind == 'P' else 'rad'}"
    if quantity == "angle":
        return f"{math.degrees(value):g} deg ({value:.4g} rad)"
    return f"{value:g} {SI_UNITS[quantity]}" if quantity in SI_UNITS else f"{value:g}"


SI_UNITS = {"length": "m", "mass": "kg"}
MIXED = ("home", "efforts", "starts")
"""Quantities of lists whose entries have units of their own: who reads them converts them."""


def in_si(value: Any, quantity: str, given: Units, kind: str) -> Any:
    """A checked value in SI units and radians; words stay as they are, rotation matrices and axes are made exact.

    Raises:
        Refused: A matrix that is no rotation, or an axis that is no unit vector.
    """
    if not quantity or quantity in MIXED or isinstance(value, str):
        return value
    if quantity == "rotation":
        return _rotation(value, given.angle)
    if quantity == "axis":
        return [_unit(axis) for axis in value] if not value or isinstance(value[0], list) else _unit(value)
    if isinstance(value, list):
        return [in_si(entry, quantity, given, kind) for entry in value]
    return value * given.factor(quantity, kind)


EXACT = 1e-9
"""How far rows of a rotation and axes may be from unit length and right angles."""


def _unit(stated: list[float]) -> list[float]:
    axis = unit_axis(stated)
    length = math.hypot(*axis)
    if abs(length - 1.0) > EXACT:
        hint = "try [" + ", ".join(f"{a / length:.16g}" for a in axis) + "]" if length > 0 else ""
        refuse(f"must be a unit vector, its length is {length:.6g}", hint)
    return axis


def _rotation(value: Any, angle: float) -> Any:
    if not isinstance(value, dict):
        R = matrix(rows := proper(value))
        off = skewness(R)
        if off > EXACT:
            hint = f"off by {off:.2g}: give more digits, or {{axis, angle}}" if off < 1e-2 else ""
            refuse("must be a rotation: rows of unit length, perpendicular", hint)
        if dot(cross(R[0], R[1]), R[2]) < 0:
            refuse("must be a rotation: determinant 1, not -1", "a left-handed frame: reverse one axis")
        return rows
    if "angle" in value:
        return {**value, "angle": value["angle"] * angle}
    return {**value, "angles": [entry * angle for entry in value["angles"]]}


def read_tables(model: type[Model], tables: Mapping[str, Any], place: Place) -> Model:
    """The tables of a file as an instance of their kind, numbers in SI units.

    Raises:
        RobotError: With every fault, one line each.
    """
    return model(read_keys(model, tables, place))


def read_keys(model: Keys, tables: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The tables of a file as a dict, numbers in SI units.

    Raises:
        RobotError: With every fault, one line each.
    """
    reader = Reader(file_units(tables))
    found = reader.table(model, tables)
    if faults := reader.faults or reader.implausible:
        raise place.error(faults)
    return found


def file_units(tables: Mapping[str, Any]) -> Units:
    """Units that a file states; those at fault are left out."""
    stated = tables.get("units")
    good = {}
    for name, text in (stated if isinstance(stated, dict) else {}).items():
        if isinstance(text, str) and name in DIMENSIONS and size_of(text, DIMENSIONS[name]) is not None:
            good[name] = text
    return units(good)


def key_at(path: Path, root: type[Table]) -> Key | None:
    """The key at a path of a file of this kind; None where there is none."""
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return None
    table = table_at(tuple(names[:-1]), root)
    return None if table is None else table.keys().get(names[-1])


def table_at(path: Path, root: type[Table]) -> type[Table] | None:
    """The kind of table at a path of a file of this kind; None where there is none."""
    found: type[Table] | None = root
    for part in path:
        if isinstance(part, str):
            own = None if found is None else found.keys().get(part)
            found = None if own is None else own.table
    return found
