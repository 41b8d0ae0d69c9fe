"""Faults of form: unknown and missing keys, values of the wrong kind, each found whatever else is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from gough.robot.checks.fault import Fault, Path
from gough.robot.file.document import to_document
from gough.robot.file.schema import RobotTable
from gough.robot.file.units import DIMENSIONS, following
from gough.robot.names import NAME, did_you_mean, nearest

UNKNOWN = "unknown key"
_WORDS = {
    "missing": "is missing",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "list_type": "must be a list",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "dict_type": "must be a table",
}


def form_fault(entry: Any, root: type[BaseModel] = RobotTable) -> Fault:
    """The fault of one entry of a validation error of a file whose tables are `root`'s."""
    is_key = entry["loc"][-1:] == ("[key]",)
    path: Path = entry["loc"][:-1] if is_key else entry["loc"]
    kind, context = entry["type"], entry.get("ctx", {})
    value = None if kind == "missing" or is_key else entry["input"]
    if kind == "gough":
        return Fault(path, context["allowed"], value, context["hint"])
    if kind == "extra_forbidden":
        known = known_keys(path[:-1], root)
        hint = _screw(entry["input"]) if path[-1] == "lead" and "gear" in known else ""
        return Fault(path, UNKNOWN, None, hint or did_you_mean(str(path[-1]), known))
    if kind == "literal_error":
        allowed = f"must be {context['expected'].replace(chr(39), chr(34))}"
        choices = [c.strip(" '\"") for c in context["expected"].replace(" or ", ", ").split(",")]
        near = did_you_mean(value, choices, listed=False) if isinstance(value, str) else ""
        return Fault(path, allowed, value, near)
    hint = "each spring is a [[spring]]" if path == ("spring",) else ""
    if len(path) > 1 and _WORDS.get(kind) == "must be a table" and (keys := known_keys(path, root)):
        hint = f"{{ {keys[0]} = ... }}; keys: {', '.join(keys)}"
    return Fault(path, _WORDS.get(kind, entry["msg"].lower()), value, hint)


def _screw(lead: object) -> str:
    """How the lead of a ball screw is stated as the gear of its motor."""
    text = "of a ball screw state gear = 360 / lead with angles in deg, 2 pi / lead in rad"
    if isinstance(lead, (int, float)) and not isinstance(lead, bool) and lead:
        text += f": {360.0 / lead:.6g} or {2.0 * math.pi / lead:.6g}"
    return text


def known_keys(path: Path, root: type[BaseModel] = RobotTable) -> list[str]:
    """Keys a table at `path` may have; none when there can be no table."""
    return list(_fields(model_at(path, root)))


def model_at(path: Path, root: type[BaseModel] = RobotTable) -> type[BaseModel] | None:
    """The model of the table at `path`, or None."""
    model: Any = root
    for part in path:
        if isinstance(part, int):
            continue
        field = _fields(model).get(part)
        model = _table_in(field.annotation) if field is not None else None
    return model


def _fields(model: type[BaseModel] | None) -> dict[str, Any]:
    """Fields of a model by the keys that stand for them in a file."""
    return {info.alias or name: info for name, info in model.model_fields.items()} if model else {}


def _table_in(annotation: object) -> type[BaseModel] | None:
    """The table model inside `Model`, `Model | None` or `list[Model]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inside = [_table_in(part) for part in getattr(annotation, "__args__", ())]
    return next((model for model in inside if model is not None), None)


_STAND_INS: dict[str, Any] = {"name": "robot", "platform": {}, "coordinates": {}, "mass": 1.0, "radius": 1.0}
_STAND_INS |= {"stiffness": 1.0, "first": {}, "second": {}, "body": "base"}
_ROUNDS = 12
"""Faults come in layers, a misspelt table's own ones behind its name: far more than tables are nested."""


@dataclass(slots=True)
class Form:
    """What could be read of a file's tables.

    Attributes:
        document: In SI units, without what is at fault; a key that must be there has a stand-in.
        faults: Faults of form, at the paths of the file.
        holes: Paths in the document of what is wrong or missing.
        units: Quantities whose unit is not known.
        stated: The units as stated.
        aliases: For what was read under another key than it stands at: path in the document, path in the file.
        tried: Tables and values of unknown keys that were compared with what each table may have.
    """

    document: dict[str, Any] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    holes: set[Path] = field(default_factory=set)
    units: frozenset[str] = frozenset()
    stated: dict[str, str] = field(default_factory=dict)
    aliases: dict[Path, Path] = field(default_factory=dict)
    tried: set[Any] = field(default_factory=set)

    def told(self, fault: Fault) -> Fault:
        """A fault of the document as one of the file; its hint does not propose a unit that the file states."""
        proposed = any(f'[units] {key} = "{unit}"' in fault.hint for key, unit in self.stated.items())
        return replace(fault, path=self.in_file(fault.path), hint="" if proposed else fault.hint)

    def in_file(self, path: Path) -> Path:
        """The path in the file of a path in the document."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.aliases:
                return self.in_file((*self.aliases[path[:end]], *path[end:]))
        return path


def read_form(tables: Mapping[str, Any]) -> Form:
    """The document of a file's tables, with all faults of form.

    Args:
        tables: As read from TOML, or the same built in Python; lists and dicts only.
    """
    form = Form()
    rest = _copied(tables)
    for _ in range(_ROUNDS):
        try:
            model = RobotTable.model_validate(rest)
        except ValidationError as error:
            _recover(form, rest, error.errors())
            continue
        form.document = to_document(model)
        form.stated = rest.get("units", {})
        wrong = {str(path[1]) for path in form.holes if path[0] == "units" and len(path) > 1}
        form.units = following(set(DIMENSIONS) if ("units",) in form.holes else wrong, form.stated)
        break
    return form


def _recover(form: Form, rest: dict[str, Any], errors: list[Any]) -> None:
    """Record the faults of one reading, and change the tables so that the next one finds more.

    Unknown keys come first: what is missing may stand under one of them.
    """
    unknown = [entry for entry in errors if entry["type"] == "extra_forbidden"]
    for entry in unknown or errors:
        fault = form_fault(entry)
        told = fault.path not in form.aliases and not form.holes.intersection(_ways_to(fault.path))
        if told:
            form.faults.append(replace(fault, path=form.in_file(fault.path)))
        if unknown:
            _rename(form, rest, fault.path)
        elif fault.path[:2] == ("platform", "coordinates") and not NAME.fullmatch(str(fault.path[-1])):
            platform = _inside(rest, ("platform",))
            named = enumerate(platform["coordinates"].items())
            platform["coordinates"] = {
                key if NAME.fullmatch(key) else f"coordinate-{k}": motion for k, (key, motion) in named
            }
        elif fault.path == ("leg",) and isinstance(rest.get("leg"), dict):
            _read_leg(form, rest)
        else:
            form.holes.add(fault.path)
            _take_out(rest, fault.path, missing=entry["type"] == "missing")


def _read_leg(form: Form, rest: dict[str, Any]) -> None:
    """Read a single `[leg]` as `[legs]` where it has rings, else as the first of `[[leg]]`."""
    leg = rest.pop("leg")
    rings = "legs" not in rest and any(isinstance(leg.get(side), dict) for side in ("base", "platform"))
    form.faults[-1] = replace(form.faults[-1], hint="all legs at once are [legs]" if rings else "each leg is a [[leg]]")
    if rings:
        rest["legs"] = leg
        form.aliases["legs",] = ("leg",)
    else:
        rest["leg"] = [leg]
        form.aliases["leg", 0] = ("leg",)
        form.holes.add(("legs", "count"))


def _ways_to(path: Path) -> list[Path]:
    return [path[:end] for end in range(1, len(path) + 1)]


def _rename(form: Form, rest: dict[str, Any], path: Path) -> None:
    """Read the value of an unknown key as that of the one most like it; if none is, all it could be are in doubt."""
    table, key = _inside(rest, path[:-1]), str(path[-1])
    value = table.pop(key)
    near = nearest(key, known_keys(path[:-1]))
    if near is not None and near not in table:
        table[near] = value
        form.aliases[*path[:-1], near] = path
        return
    kind = type(value) if isinstance(value, (bool, int, float)) else repr(value)
    if (path[:-1], kind) in form.tried:
        return
    form.tried.add((path[:-1], kind))
    model = model_at(path[:-1])
    if model is None:
        return
    for name in model.model_fields:
        if name not in table and _takes(model, name, value):
            form.holes.add((*path[:-1], name))


def _takes(model: type[BaseModel], name: str, value: object) -> bool:
    """Whether a field of a table could have a value."""
    try:
        model.model_validate({name: value})
    except ValidationError as error:
        return all(entry["loc"][0] != name for entry in error.errors())
    return True


def _take_out(rest: Any, path: Path, missing: bool) -> None:
    """Remove the value at a path; put a stand-in where one is missing."""
    *way, last = path
    table = _inside(rest, tuple(way))
    if isinstance(last, int):
        if way[-1] in ("leg", "joint"):
            table[last] = {}
        else:
            _take_out(rest, tuple(way), missing=False)
    elif not missing:
        table.pop(last, None)
    elif last == "joint":
        _take_out(rest, tuple(way), missing=False)
    elif last == "type":
        table[last] = "rigid" if way[-1] == "end" else "R"
    else:
        table[last] = _copied(_STAND_INS[str(last)])


def _inside(tables: Any, path: Path) -> Any:
    """The table or list at a path; an empty one where it was taken out."""
    found = tables
    for part in path:
        inside = isinstance(found, list) or part in found
        found = found[part] if inside else {}
    return found


def _copied(value: object) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(entry) for key, entry in value.items()}
    return [_copied(entry) for entry in value] if isinstance(value, (list, tuple)) else value
