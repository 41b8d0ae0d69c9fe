"""Faults of a robot: one line each, `file:line: key: value: what is allowed (likely cause, what to try)`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gough.errors import InputError
from gough.escape import one_line

Path = tuple[str | int, ...]

_SHOWN = 60
_SHOWN_KEY = 120


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a robot.

    Attributes:
        path: Keys and indices (from 0) to the value in the spec.
        allowed: What would be right.
        value: What stands there; None when nothing does.
        hint: Likely cause and what to try, without brackets.
        legs: Names of the legs it shows in, where several share one table.
        key: How the path is written for the reader; empty: as `path` says.
    """

    path: Path
    allowed: str
    value: object = None
    hint: str = ""
    legs: tuple[str, ...] = ()
    key: str = ""


class RobotError(InputError):
    """A robot that cannot be accepted, with all its faults.

    Attributes:
        source: File name, or what was read instead.
        faults: In the order of the file.
        lines: The line of the user's text each one is at, or None.
    """

    def __init__(self, source: str, faults: Sequence[Fault], lines: Sequence[int | None] | None = None) -> None:
        """All faults of `source`, with their lines where known."""
        self.source = source
        self.faults = tuple(faults)
        self.lines = tuple(lines) if lines is not None else (None,) * len(self.faults)
        super().__init__("\n".join(_rendered(source, self.faults, self.lines)))


_ALIKE = 5
"""Faults that propose the same unit, from which all but the first are told in one line."""


def _rendered(source: str, faults: Sequence[Fault], lines: Sequence[int | None]) -> list[str]:
    """A line for each fault; where a unit was forgotten, one for all numbers after the first with the same hint."""
    alike: dict[str, list[int]] = {}
    for k, fault in enumerate(faults):
        if "[units]" in fault.hint:
            alike.setdefault(fault.hint, []).append(k)
    found = []
    for k, (fault, line) in enumerate(zip(faults, lines, strict=True)):
        same = alike.get(fault.hint, [])
        if len(same) < _ALIKE or k == same[0]:
            found.append(render(source, fault, line))
        elif k == same[1]:
            place = source if line is None else f"{source}:{line}"
            key = one_line(fault.key or dotted(fault.path), _SHOWN_KEY)
            found.append(f"{place}: {key} and {len(same) - 2} more: the same ({fault.hint})")
    return found


def render(source: str, fault: Fault, line: int | None) -> str:
    """The one line a user sees."""
    parts = [source if line is None else f"{source}:{line}", one_line(fault.key or dotted(fault.path), _SHOWN_KEY)]
    if fault.value is not None:
        parts.append(show(fault.value))
    if fault.legs:
        parts.append(f"leg{'s' if len(fault.legs) > 1 else ''} {', '.join(fault.legs)}")
    hint = f" ({fault.hint})" if fault.hint else ""
    return one_line(": ".join([part for part in parts if part] + [fault.allowed]) + hint)


def merged(faults: Iterable[Fault]) -> list[Fault]:
    """Faults without repetitions; those that differ only in the leg become one."""
    found: dict[tuple[Path, str], Fault] = {}
    for fault in faults:
        same = found.get((fault.path, fault.allowed))
        found[fault.path, fault.allowed] = fault if same is None else replace(same, legs=(*same.legs, *fault.legs))
    return list(found.values())


def show(value: object) -> str:
    """A value as a file would have it, shortened."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, float):
        text = f"{value:.12g}"
        text += "" if any(mark in text for mark in ".en") else ".0"
    elif isinstance(value, str):
        text = f'"{one_line(value)}"'
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{key} = {show(entry)}" for key, entry in value.items()) + "}"
    elif isinstance(value, (list, tuple)):
        text = "[" + ", ".join(show(entry) for entry in value) + "]"
    else:
        text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def dotted(path: Path) -> str:
    """Path with dots: legs, joints, springs and the like counted from 1, entries of vectors from 0: see `replace`."""
    before, counted = ("", *path), ("leg", "joint", "spring", "vary", "reduce", "measure")
    return ".".join(
        str(part + (before[k] in counted)) if isinstance(part, int) else part for k, part in enumerate(path)
    )


@dataclass(slots=True)
class Place:
    """Where faults were found: the spec's names for its legs and the line of each path."""

    source: str
    lines: Mapping[Path, int] = field(default_factory=dict)
    names: Sequence[str] = ()
    tables: Mapping[str, Any] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """Line of the longest part of `path` that the text has."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return 1 if self.lines else None

    def error(self, faults: Iterable[Fault]) -> RobotError:
        """One error of all faults, in the order of the text."""
        placed = [(self.line(fault.path), fault) for fault in faults]
        placed.sort(key=lambda entry: entry[0] or 0)
        named = [replace(f, value=self.value(f), key=f.key or self.key(f.path)) for _, f in placed]
        return RobotError(self.source, named, [line for line, _ in placed])

    def value(self, fault: Fault) -> Any:
        """The fault's value as the text has it, before any change of units."""
        found: Any = self.tables
        try:
            for part in fault.path if fault.value is not None else ():
                found = found[part]
        except (KeyError, IndexError, TypeError):
            return fault.value
        return None if fault.value is None else found

    def key(self, path: Path) -> str:
        """Path as `replace` takes it: legs by name, joints counted from 1."""
        if len(path) > 1 and path[0] == "leg" and isinstance(path[1], int) and path[1] < len(self.names):
            return ".".join(["leg", self.names[path[1]], *([dotted(path[2:])] if len(path) > 2 else [])])
        return dotted(path)
