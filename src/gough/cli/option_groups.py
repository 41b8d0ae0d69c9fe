"""Options that come in groups: a command takes a group as one parameter, the user sees each of its options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, get_type_hints


class OptionGroup:
    """Base of frozen dataclasses whose fields are options, annotated as parameters of a command are."""

    def stated(self) -> dict[str, Any]:
        """Values that are not their defaults, by the names of their options."""
        found = {}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value != field.default:
                found[f"--{field.name.rstrip('_').replace('_', '-')}"] = value
        return found


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the fields of its groups as parameters of its own."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    flat = []
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if not (isinstance(kind, type) and issubclass(kind, OptionGroup)):
            flat.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = kind
        own = get_type_hints(kind, include_extras=True)
        for field in fields(kind):  # type: ignore[arg-type]
            assert field.default is not MISSING
            flat.append(
                inspect.Parameter(
                    field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=own[field.name]
                )
            )

    @wraps(command)
    def run(**given: Any) -> Any:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return command(**given)

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    del run.__wrapped__
    return run
