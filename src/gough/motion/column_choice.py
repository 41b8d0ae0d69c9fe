"""Columns of a recording whose names are not those of the robot: which coordinate each one is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gough.motion.faults import MotionError
from gough.robot.names import did_you_mean

_PAIR = re.compile(r"\s*(.+?)\s*=\s*(-?)\s*(\S+?)\s*")


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a file that are read, in their order there.

    Attributes:
        places: Place of each in a row.
        names: What each one is: t, a coordinate, its rate, or a component of the wrench.
        units: From the header, empty where it has none.
        signs: 1, or -1 where the file counts the other way.
    """

    places: tuple[int, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    signs: tuple[float, ...]


def every_column(named: Sequence[tuple[str, str]]) -> Columns:
    """All columns of a file under their own names."""
    return Columns(
        tuple(range(len(named))), tuple(n for n, _ in named), tuple(u for _, u in named), (1.0,) * len(named)
    )


def chosen_columns(named: Sequence[tuple[str, str]], known: Sequence[str]) -> Columns:
    """Columns with a known name, "-z" where one counts the other way; the others are left out."""
    kept = [k for k, (name, _) in enumerate(named) if name.removeprefix("-") in known]
    names = [named[k][0] for k in kept]
    signs = tuple(-1.0 if name.startswith("-") else 1.0 for name in names)
    return Columns(
        tuple(kept), tuple(name.removeprefix("-") for name in names), tuple(named[k][1] for k in kept), signs
    )


def check_wanted(
    place: str, header: Sequence[str], wanted: Mapping[str, str], known: Sequence[str], what: str = "coordinate"
) -> None:
    """Refuse columns that a file does not have, and what no column can be.

    Args:
        place: Of the header, for messages.
        header: Names of the columns in the file, with and without the unit at their end.
        wanted: Column of the file -> what it is, "-z" where it counts the other way.
        known: What a column may be.
        what: What that is called.
    Raises:
        MotionError: One line on the first fault.
    """
    for column, target in wanted.items():
        if column not in header:
            raise MotionError("--columns", "", column, f"no such column in {place}", did_you_mean(column, header))
        if target.removeprefix("-") not in known:
            raise MotionError("--columns", column, target, f"no such {what}", did_you_mean(target, known))


def parse_columns(text: str | None) -> dict[str, str]:
    """Columns by their names in the file, from "Heave=-z,Surge=x"; empty where nothing is said.

    Raises:
        MotionError: Something else than pairs.
    """
    found: dict[str, str] = {}
    for part in (text or "").split(",") if text else []:
        pair = _PAIR.fullmatch(part)
        if pair is None:
            raise MotionError("--columns", "", part, "must be COLUMN=COORDINATE", "e.g. Surge=x,Heave=-z,Time=t")
        found[pair[1]] = pair[2] + pair[3]
    return found
