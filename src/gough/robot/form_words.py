"""What a fault of form is called, and which keys a table may have."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from gough.robot.faults import Fault, Path
from gough.robot.names import did_you_mean
from gough.robot.schema import RobotTable

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


def form_fault(entry: Any) -> Fault:
    """The fault of one entry of a validation error."""
    is_key = entry["loc"][-1:] == ("[key]",)
    path: Path = entry["loc"][:-1] if is_key else entry["loc"]
    kind, context = entry["type"], entry.get("ctx", {})
    value = None if kind == "missing" or is_key else entry["input"]
    if kind == "gough":
        return Fault(path, context["allowed"], value, context["hint"])
    if kind == "extra_forbidden":
        known = known_keys(path[:-1])
        return Fault(path, "unknown key", None, did_you_mean(str(path[-1]), known))
    if kind == "literal_error":
        allowed = f"must be {context['expected'].replace(chr(39), chr(34))}"
        choices = [c.strip(" '\"") for c in context["expected"].replace(" or ", ", ").split(",")]
        near = did_you_mean(value, choices, listed=False) if isinstance(value, str) else ""
        return Fault(path, allowed, value, near)
    return Fault(path, _WORDS.get(kind, entry["msg"].lower()), value)


def known_keys(path: Path) -> list[str]:
    """Keys a table at `path` may have; none when there can be no table."""
    model = model_at(path)
    return list(model.model_fields) if model else []


def model_at(path: Path) -> Any:
    """The model of the table at `path`, or None."""
    model: Any = RobotTable
    for part in path:
        if isinstance(part, int):
            continue
        model = _table_in(model.model_fields[part].annotation) if model and part in model.model_fields else None
    return model


def _table_in(annotation: Any) -> Any:
    """The table model inside `Model`, `Model | None` or `list[Model]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inside = [_table_in(part) for part in getattr(annotation, "__args__", ())]
    return next((model for model in inside if model is not None), None)
