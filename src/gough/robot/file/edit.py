"""The text of a robot's file with what was changed since it was read: comments, units and all else as they were."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from gough.errors import InputError
from gough.robot.addresses import measure_of
from gough.robot.checks.fault import Path
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.read import loads
from gough.robot.file.toml_tables import key_lines, value_spans
from gough.robot.file.units import Units
from gough.robot.file.write import is_list_of_tables, table_lines, toml_key, value_text
from gough.robot.legs.rings import leg_entries
from gough.robot.robot import Source
from gough.robot.spec import Keys, Spec, complete, is_number, leaves, listed_legs, number_at

SAME = 2.0**-50
"""How far a number may be from itself, as a share of it, after it was written in another unit and read again."""
WHOLE = ("payload", "motor")
"""Tables that are set as a whole: out of place are their old lines, as comments, and the new ones behind the end."""
Edit = tuple[int, int, str]
"""Begin and end in a text, and what stands there instead."""


def edited_text(source: Source, spec: Spec) -> str | None:
    """The text of a file changed so that it describes a spec; None where that cannot be said in it."""
    was, now = dict(leaves(source.spec)), dict(leaves(spec))
    spans, lines = _in_spec(value_spans(source.text)), key_lines(source.text)
    again = [table for table in WHOLE if _is_out_of_place(table, spans, was, now)]
    tables = _new_tables(source.spec, spec, again)
    tree, edits = complete(spec), dict[Keys, Edit]()
    starts = list(accumulate((len(line) + 1 for line in source.text.split("\n")), initial=0))

    def text_at(keys: Keys) -> str:
        return value_text(_in_units(tree, keys, number_at(spec, keys), source.units))

    try:
        for keys in now:
            if (keys in was and was[keys] == now[keys]) or keys[:1] in tables or keys[:2] in tables:
                continue
            whole = keys
            while keys not in spans and isinstance(whole[-1], int):  # a list that the file leaves out is added whole
                whole = whole[:-1]
            if keys in spans:
                edits[keys] = (*spans[keys], text_at(keys))
            elif whole not in edits:
                edits[whole] = _added(source.text, spans, lines, starts, whole, text_at(whole))
        for keys in was.keys() - now.keys():
            if keys[0] not in again:
                edits[keys] = _removed(source.text, spans[keys], keys)
        added = list[str]()
        for keys, header in tables.items():
            table = _in_units(tree, keys, number_at(spec, keys), source.units)
            added += ["", header, *table_lines(str(keys[0]), table)]
        found = [*edits.values(), *_commented(source.text, lines, starts, again)]
        if added:
            first = [] if source.text.endswith("\n") else [""]
            found.append((len(source.text), len(source.text), "\n".join([*first, *added]) + "\n"))
        text = _applied(source.text, found)
        return text if _same(loads(text, source.name).spec, spec) else None
    except (InputError, LookupError):
        return None


def _is_out_of_place(
    table: str, spans: Mapping[Keys, tuple[int, int]], was: Mapping[Keys, Any], now: Mapping[Keys, Any]
) -> bool:
    """Whether a table at the top of a file has lost keys, or values that the file states by other keys."""
    own = [keys for keys in was if keys[0] == table]
    return any(keys not in now or (was[keys] != now[keys] and keys not in spans) for keys in own)


def _new_tables(was: Spec, now: Spec, again: Sequence[str]) -> dict[Keys, str]:
    """Headers, by their keys, of tables that a file does not have, or that it is to have as comments."""
    found: dict[Keys, str] = {}
    for key, value in now.items():
        if is_list_of_tables(value):
            found |= {(key, k): f"[[{key}]]" for k in range(len(was.get(key, ())), len(value))}
        elif isinstance(value, Mapping) and (key not in was or key in again):
            found[key,] = f"[{key}]"
    return found


def _commented(text: str, lines: Mapping[Path, int], starts: Sequence[int], tables: Sequence[str]) -> Iterator[Edit]:
    """Comments in place of all lines of some tables at the top of a file."""
    owners, owner = {line: path[0] for path, line in lines.items()}, None
    for number, begin in enumerate(starts if tables else (), 1):
        owner, line = owners.get(number, owner), text[begin:].partition("\n")[0]
        if owner in tables and line.strip() and not line.startswith("#"):
            yield begin, begin, "# "


def _in_spec(spans: Mapping[Path, tuple[int, int]]) -> dict[Keys, tuple[int, int]]:
    """Spans by the keys of a spec, in which addresses are keys of `[tolerances]` as a whole."""
    return {(p[0], ".".join(map(str, p[1:]))) if p[0] == ERROR_TABLES[0] else p: span for p, span in spans.items()}


def _added(
    text: str,
    spans: Mapping[Keys, tuple[int, int]],
    lines: Mapping[Path, int],
    starts: Sequence[int],
    keys: Keys,
    value: str,
) -> Edit:
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
        at = starts[lines[keys[:depth]] - 1] if keys[:depth] in lines else len(text)
        if text[at:].lstrip().startswith("["):
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


def _removed(text: str, span: tuple[int, int], keys: Keys) -> Edit:
    """A comment in place of the line of a key that the spec no longer has; nothing in place of one in braces.

    Raises:
        LookupError: It stands neither alone on its line nor alone between commas.
    """
    first, last = span
    begin, end = _line(text, first, last)
    line = text[begin:end]
    comma = text.rfind(",", begin, first)
    if "{" in text[begin:first] and text[comma + 1 : first].split("=")[0].strip() == keys[-1]:
        return comma, last, ""
    if "{" in line or "[" in line or "=" not in line:
        raise LookupError(keys)
    return begin, begin, "# "


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
    ours, theirs = (dict(leaves({**spec, "leg": _named_legs(spec)})) for spec in (one, other))
    return ours.keys() == theirs.keys() and all(_close(value, theirs[keys]) for keys, value in ours.items())


def _named_legs(spec: Spec) -> list[dict[str, Any]]:
    """The tables of single legs with their names; points on rings are compared as the rings state them."""
    return [{"name": leg["name"], **own} for own, leg in zip(listed_legs(spec), leg_entries(spec), strict=True)]


def _close(a: object, b: object) -> bool:
    return math.isclose(a, b, rel_tol=SAME) if is_number(a) and is_number(b) else a == b  # type: ignore[arg-type]
