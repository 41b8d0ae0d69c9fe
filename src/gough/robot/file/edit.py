"""The text of a robot's file with what was changed since it was read: comments, units and all else as they were."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.errors import InputError
from gough.robot.checks.fault import Path
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.read import loads
from gough.robot.file.toml_tables import key_lines, value_spans
from gough.robot.file.units import Units
from gough.robot.file.write import is_list_of_tables, table_lines, toml_key, value_text
from gough.robot.robot import Source
from gough.robot.settings import measure_of
from gough.robot.spec import Keys, Spec, complete, is_number, leaves, number_at

SAME = 2.0**-50
"""How far a number may be from itself, as a share of it, after it was written in another unit and read again."""
WHOLE = ("payload", "motor")
"""Tables that are set as a whole: out of place are their old lines, as comments, and the new ones behind the end."""
Edit = tuple[int, int, str]
"""Begin and end in a text, and what stands there instead."""


def edited_text(source: Source, spec: Spec) -> str | None:
    """The text of a file changed so that it describes a spec; None where that cannot be said in it."""
    was, now = dict(leaves(source.spec)), dict(leaves(spec))
    changes = {keys: value for keys, value in now.items() if keys not in was or was[keys] != value}
    try:
        again = [table for table in WHOLE if _is_out_of_place(source.text, table, was, now)]
        edits = [*_edits(source, spec, {keys: value for keys, value in changes.items() if keys[0] not in again})]
        edits += _removed(source.text, {keys for keys in was.keys() - now.keys() if keys[0] not in again})
        edits += _commented(source.text, again)
        text = _applied(source.text, [*edits, *_new_tables(source, spec, again)])
        return text if _same(loads(text, source.name).spec, spec) else None
    except (InputError, LookupError):
        return None


def _edits(source: Source, spec: Spec, changes: Mapping[Keys, Any]) -> Iterator[Edit]:
    """One edit for each changed value, but for those of tables that the file does not have.

    Raises:
        LookupError: A value that has no place in the text.
    """
    spans, lines, tree = _in_spec(value_spans(source.text)), key_lines(source.text), complete(spec)
    added = set[Keys]()
    for keys in changes:
        if keys in spans:
            yield (*spans[keys], value_text(_in_units(tree, keys, changes[keys], source.units)))
            continue
        whole = keys
        while isinstance(whole[-1], int):  # a list that the file leaves out is added as a whole
            whole = whole[:-1]
        if whole not in added and not _is_new(source, spec, keys):
            added.add(whole)
            value: Any = number_at(spec, whole)
            yield _added(source.text, spans, lines, whole, value_text(_in_units(tree, whole, value, source.units)))


def _is_new(source: Source, spec: Spec, keys: Keys) -> bool:
    """Whether keys are in a table at the top of a file, or in one of a list of tables, that the file does not have."""
    value, was = spec[str(keys[0])], source.spec.get(str(keys[0]))
    if is_list_of_tables(value):
        return int(keys[1]) >= len(was or ())
    return isinstance(value, Mapping) and was is None


def _is_out_of_place(text: str, table: str, was: Mapping[Keys, Any], now: Mapping[Keys, Any]) -> bool:
    """Whether a table at the top of a file has lost keys, or values that the file states by other keys."""
    own = [keys for keys in was if keys[0] == table]
    changed = [keys for keys in own if keys not in now or was[keys] != now[keys]]
    spans = value_spans(text) if changed else {}
    return any(keys not in now or keys not in spans for keys in changed)


def _commented(text: str, tables: Sequence[str]) -> Iterator[Edit]:
    """Comments in place of all lines of some tables at the top of a file."""
    owners = {line: path[0] for path, line in key_lines(text).items()} if tables else {}
    owner, begin = None, 0
    for number, line in enumerate(text.splitlines(keepends=True) if tables else (), 1):
        owner = owners.get(number, owner)
        if owner in tables and line.strip() and not line.startswith("#"):
            yield begin, begin, "# "
        begin += len(line)


def _new_tables(source: Source, spec: Spec, again: Sequence[str]) -> Iterator[Edit]:
    """Tables that the file does not have, or has as comments, behind its end."""
    tree, lines = complete(spec), list[str]()
    for key, value in spec.items():
        if isinstance(value, Mapping) and (key not in source.spec or key in again):
            lines += ["", f"[{key}]", *table_lines(key, _in_units(tree, (key,), value, source.units))]
        elif is_list_of_tables(value):
            for k in range(len(source.spec.get(key, ())), len(value)):
                lines += ["", f"[[{key}]]", *table_lines(key, _in_units(tree, (key, k), value[k], source.units))]
    if lines:
        end = len(source.text)
        yield end, end, "\n".join([*([] if source.text.endswith("\n") else [""]), *lines]) + "\n"


def _in_spec(spans: Mapping[Path, tuple[int, int]]) -> dict[Keys, tuple[int, int]]:
    """Spans by the keys of a spec, in which addresses are keys of `[tolerances]` as a whole."""
    return {(p[0], ".".join(map(str, p[1:]))) if p[0] == ERROR_TABLES[0] else p: span for p, span in spans.items()}


def _added(text: str, spans: Mapping[Keys, tuple[int, int]], lines: Mapping[Path, int], keys: Keys, value: str) -> Edit:
    """A key that its table leaves out: behind the last key of the table, or below its header.

    Of a table that is left out too, a dotted key of the table around it.

    Raises:
        LookupError: The file has no such table.
    """
    for depth in range(len(keys) - 1, min(0, len(keys) - 2), -1):
        pair = f"{'.'.join(toml_key(str(key)) for key in keys[depth:])} = {value}"
        found = _behind_last(text, spans, keys[:depth], pair)
        if found is not None:
            return found
        number = lines.get(keys[:depth])
        at = _begin(text, number) if number is not None else 0
        if number is not None and text[at:].lstrip().startswith("["):
            end = _line(text, at, at)[1]
            return end, end, f"\n{pair}"
    raise LookupError(keys)


def _behind_last(text: str, spans: Mapping[Keys, tuple[int, int]], table: Keys, pair: str) -> Edit | None:
    """A pair `key = value` behind the last key of a table; None where the table has no key on a line of its own."""
    depth = len(table)
    inside = [(span, other) for other, span in spans.items() if len(other) > depth and other[:depth] == table]
    for (first, last), other in sorted(inside, reverse=True):
        begin, end = _line(text, first, last)
        before, line, inner = text[begin:first], text[begin:end], other[depth + 1 :]
        if before.count("{") - before.count("}") > sum(isinstance(key, str) for key in inner):
            at = last
            for key in reversed(inner):
                at = text.index("]" if isinstance(key, int) else "}", at) + 1
            return at, at, f", {pair}"
        prefix = _prefix(before, str(other[depth]))
        if prefix is not None and all(line.count(left) == line.count(right) for left, right in ("[]", "{}")):
            return end, end, f"\n{prefix}{pair}"
    return None


def _prefix(before: str, name: str) -> str | None:
    """What a line has before a key, its indent and the tables of a dotted one; None where it is another key's line."""
    path = before.split("=")[0].rstrip()
    indent = path[: len(path) - len(path.lstrip())]
    if path.strip() in (name, f'"{name}"', f"'{name}'"):
        return indent
    parts = path.strip().split(".")
    return indent + "".join(f"{part}." for part in parts[: parts.index(name)]) if name in parts else None


def _line(text: str, first: int, last: int) -> tuple[int, int]:
    """Begin and end of the lines of a part of a text, without the end of the last one."""
    end = text.find("\n", last)
    end = len(text) if end < 0 else end
    return text.rfind("\n", 0, first) + 1, end - text[:end].endswith("\r")


def _begin(text: str, line: int) -> int:
    """Where a line, counted from 1, begins."""
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at


def _removed(text: str, gone: Any) -> Iterator[Edit]:
    """A comment in place of the line of each key that the spec no longer has; nothing in place of one in braces.

    Raises:
        LookupError: It stands neither alone on its line nor alone between commas.
    """
    spans = _in_spec(value_spans(text)) if gone else {}
    for keys in gone:
        first, last = spans[keys]
        begin, end = _line(text, first, last)
        line = text[begin:end]
        comma = text.rfind(",", begin, first)
        if "{" in text[begin:first] and text[comma + 1 : first].split("=")[0].strip() == keys[-1]:
            yield comma, last, ""
            continue
        if "{" in line or "[" in line or "=" not in line:
            raise LookupError(keys)
        yield begin, begin, "# "


def _in_units(tree: Spec, keys: Keys, value: Any, units: Units) -> Any:
    """A value of a spec, all numbers in it in units of a file."""
    if isinstance(value, Mapping):
        return {key: _in_units(tree, (*keys, key), own, units) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [_in_units(tree, (*keys, k), own, units) for k, own in enumerate(value)]
    what = measure_of(tree, keys, units) if is_number(value) else None
    return value if what is None or what.size == 1.0 else shortest(float(value), what.size)


def shortest(value: float, size: float) -> float:
    """The number of fewest digits that is the value in a unit of this size, but for the rounding of one product."""
    found = value / size
    for digits in range(6, 18):
        found = float(f"{value / size:.{digits}g}")
        if math.isclose(found * size, value, rel_tol=2.0**-51):
            break
    return found


def _applied(text: str, edits: list[Edit]) -> str:
    """The text with edits made in it; new lines end as its own do."""
    end = "\r\n" if "\r\n" in text else "\n"
    for first, last, new in sorted(edits, reverse=True):
        text = text[:first] + new.replace("\n", end) + text[last:]
    return text


def _same(one: Spec, other: Spec) -> bool:
    """Whether two specs are equal but for the rounding of units; names of single legs may be stated in one alone."""
    ours, theirs = (dict(leaves(complete(spec))) for spec in (one, other))
    return ours.keys() == theirs.keys() and all(_close(value, theirs[keys]) for keys, value in ours.items())


def _close(a: object, b: object) -> bool:
    return math.isclose(a, b, rel_tol=SAME) if is_number(a) and is_number(b) else a == b  # type: ignore[arg-type]
