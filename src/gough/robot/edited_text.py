"""The text of a robot's file with some of its numbers changed, all else as it stands: units, short forms, comments."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gough.robot.addresses import keyed, leaves
from gough.robot.checks.fault import Path
from gough.robot.file.read import loads
from gough.robot.file.toml_tables import key_lines, number_spans
from gough.robot.file.write import explicit_document
from gough.robot.settings import measure_of
from gough.robot.values import Robot

SAME = 1e-12
"""How far numbers of two robots may be apart, of their size, that are the same but for the rounding of units."""


def edited_text(text: str, robot: Robot, changes: Mapping[str, float], wanted: Robot) -> str | None:
    """The text with numbers changed; None where they do not stand in it, or it does not describe the robot wanted then.

    Args:
        text: Of the robot's file.
        robot: That it describes.
        changes: Path to value, SI units and radians.
        wanted: What the robot must be with these numbers.
    """
    spans, edits = number_spans(text), []
    for path, value in changes.items():
        document, keys = keyed(robot, path)
        what = measure_of(document, keys, robot.units)
        number = written_number(value, 1.0 if what is None else what.size)
        edit = (*spans[keys], number) if keys in spans else _added(text, spans, keys, number)
        if edit is None:
            return None
        edits.append(edit)
    for first, last, number in sorted(edits, reverse=True):
        text = text[:first] + number + text[last:]
    return text if _same(loads(text), wanted) else None


def _added(text: str, spans: Mapping[Path, tuple[int, int]], keys: Path, number: str) -> tuple[int, int, str] | None:
    """Where a key that its table leaves out is added, and how; None if nowhere.

    It comes behind another number of that table, a key of no table before the first key of the file.
    """
    if len(keys) == 1:
        top = min(line for path, line in key_lines(text).items() if len(path) == 1)
        at = sum(map(len, text.splitlines(keepends=True)[: top - 1]))
        return at, at, f"{keys[0]} = {number}\n"
    for other, (first, last) in spans.items():
        if len(other) == len(keys) > 1 and other[:-1] == keys[:-1] and isinstance(keys[-1], str):
            before = text[text.rfind("\n", 0, first) + 1 : first]
            if before.count("{") > before.count("}"):
                return last, last, f", {keys[-1]} = {number}"
            if before.split("=")[0].strip() == other[-1]:
                return last, last, f"\n{keys[-1]} = {number}"
    return None


def written_number(value: float, size: float) -> str:
    """The shortest number that is the value in a unit of this size, but for the rounding of one product."""
    for digits in range(6, 18):
        found = f"{value / size:.{digits}g}"
        if math.isclose(float(found) * size, value, rel_tol=2.0**-51):
            break
    return found if "." in found or "e" in found else f"{found}.0"


def _same(one: Robot, other: Robot) -> bool:
    ours, theirs = (dict(leaves(explicit_document(robot))) for robot in (one, other))
    return ours.keys() == theirs.keys() and all(_close(value, theirs[path]) for path, value in ours.items())


def _close(a: object, b: object) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=SAME, abs_tol=SAME)
    return a == b
