"""The one schema language of gough's TOML files: what each key of a table holds, and the reader of such tables.

A kind of table is a subclass of `Table`; its attributes are the keys of the file, each followed by a string that
documents it. A `Reader` checks all keys in one pass, converts numbers to SI units and radians, and collects every fault
with its path instead of stopping at the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from gough.robot.checks.fault import Fault, Path, Place
from gough.robot.file.units import DIMENSIONS, Units, size_of, units
from gough.robot.names import did_you_mean, nearest
from gough.robot.quantities import Measure
from gough.robot.rotation import proper, unit_axis

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
        entry: Number of the entry of a list that is at fault; None: the value itself.
    """

    def __init__(self, allowed: str, hint: str = "", entry: int | None = None) -> None:
        """What is allowed, what to try, and which entry is at fault."""
        super().__init__(allowed)
        self.allowed, self.hint, self.entry = allowed, hint, entry


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
    """

    holds: Any
    quantity: str = ""
    measure: Callable[[Units], Measure] | None = None
    needed: bool = False
    default: Any = NOT_GIVEN

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


Keys = type[Table] | Mapping[str, Key]
"""A kind of table, or just its keys."""


@dataclass
class Reader:
    """Reads tables of a file in its units, and collects their faults.

    Attributes:
        units: Of numbers without one.
        faults: Found so far, at the paths of the file.
    """

    units: Units
    faults: list[Fault] = field(default_factory=list)

    def table(self, model: Keys, given: Any, path: Path = (), kind: str = "P") -> dict[str, Any]:
        """Values of a table by key, in SI units and radians; what is at fault is left out."""
        keys = model if isinstance(model, Mapping) else model.keys()
        if not isinstance(given, Mapping):
            hint = f"{{ {next(iter(keys))} = ... }}; keys: {', '.join(keys)}" if len(path) > 1 else ""
            self._fault(path, "must be a table", given, hint)
            return {}
        others = None if isinstance(model, Mapping) else model.other_keys
        kind = kind if isinstance(model, Mapping) else model.joint_kind(given, kind)
        meant = set()
        for name in given:
            if name not in keys and others is None:
                meant.add(nearest(name, tuple(keys)))
                hint = _screw(name, given[name], keys) or did_you_mean(name, list(keys))
                self._fault((*path, name), UNKNOWN, None, hint)
        found = {}
        for name, own in keys.items():
            if given.get(name) is not None:
                found[name] = self.value(own, given[name], (*path, name), kind)
            elif own.needed and name not in meant:
                self._fault((*path, name), "is missing")
            elif own.default is not NOT_GIVEN:
                found[name] = self.value(own, {}, (*path, name), kind) if own.default == {} else own.default
        if others is not None:
            found |= {
                name: self.value(others, value, (*path, name), kind)
                for name, value in given.items()
                if name not in keys
            }
        return found

    def value(self, own: Key, given: Any, path: Path, kind: str = "P") -> Any:
        """The value of a key in SI units and radians; None where it is at fault."""
        holds = own.holds
        if isinstance(holds, (type, Mapping)):
            return self.table(holds, given, path, kind)
        if isinstance(holds, Each):
            if not isinstance(given, list):
                hint = f"each {path[-1]} is a [[{path[-1]}]]" if isinstance(holds.entry.holds, type) else ""
                self._fault(path, "must be a list", given, hint)
                return None
            return [self.value(holds.entry, entry, (*path, k), kind) for k, entry in enumerate(given)]
        try:
            if isinstance(holds, Named):
                return self._named(holds, given, path, kind)
            found = holds(given) if own.measure is None else holds(given, own.measure(self.units))
        except Refused as refused:
            if (k := refused.entry) is not None:
                path, given = (*path, k), given[k]
            self._fault(path, refused.allowed, given, refused.hint)
            return None
        return in_si(found, own.quantity, self.units, kind) if own.quantity else found

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


MIXED = ("home", "efforts", "starts")
"""Quantities of lists whose entries have units of their own: who reads them converts them."""


def in_si(value: Any, quantity: str, given: Units, kind: str) -> Any:
    """A checked value in SI units and radians; words stay as they are, rotation matrices and axes are made exact."""
    if quantity in MIXED or isinstance(value, str):
        return value
    if quantity == "rotation":
        return _rotation(value, given.angle)
    if quantity == "axis":
        return [unit_axis(axis) for axis in value] if not value or isinstance(value[0], list) else unit_axis(value)
    if isinstance(value, list):
        return [in_si(entry, quantity, given, kind) for entry in value]
    return value * given.factor(quantity, kind)


def _rotation(value: Any, angle: float) -> Any:
    if not isinstance(value, dict):
        return proper(value)
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
    if reader.faults:
        raise place.error(reader.faults)
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
