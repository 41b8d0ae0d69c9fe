"""Which columns a motion file must have and may have."""

from __future__ import annotations

from collections.abc import Sequence

from gough.motion.column_names import RATES, WRENCH
from gough.motion.csv_rows import is_number
from gough.motion.faults import MotionError
from gough.renamed import new_column
from gough.robot.names import did_you_mean


def check_motion_columns(
    place: str,
    header: Sequence[str],
    coordinates: Sequence[str],
    *,
    hold_missing: bool,
    waypoints: bool,
    dependent: Sequence[str],
    timed: bool,
    other: str,
    motions: Sequence[str] = (),
    own: Sequence[str] = (),
) -> None:
    """Refuse a header whose columns do not tell a motion.

    Args:
        place: Of the header, for messages.
        header: Names of the columns that are read.
        coordinates: Names of the values that a motion states.
        hold_missing: Coordinates without a column stay at home.
        waypoints: The rows are waypoints, which have no rates.
        dependent: Coordinates of the platform that follow from the others.
        timed: There must be a column of times.
        other: What is said about names that are not known, after a list of those that are.
        motions: What each value moves, x y z rx ry rz, for hints.
        own: Names of all columns as the file has them; those of `header` if left out.
    Raises:
        MotionError: One line on the first fault.
    """
    if all(is_number(cell) for cell in header):
        raise MotionError(place, "", None, f"must be the header t,{','.join(coordinates)}, found numbers")
    rates = [order + name for order in RATES[1:] for name in coordinates]
    known = ["t", *coordinates, *([] if waypoints else rates), *WRENCH]
    for k, name in enumerate(header):
        if not name:
            raise MotionError(place, f"column {k + 1}", None, "has no name", "remove the comma that is too many?")
        if name in header[:k]:
            raise MotionError(place, name, None, "is there twice")
        if name in dependent:
            raise MotionError(place, "", name, f"follows {', '.join(coordinates)}", "leave its column out")
        if name not in known:
            first = timed and k == 0 and "t" not in header
            if motions.count(name.lower()) == 1:
                meant = coordinates[motions.index(name.lower())]
                hint = f"did you mean {meant}? that is {name} of this robot; --columns {name}={meant} reads it"
                raise MotionError(place, "", name, "no such column", hint if other else hint.partition(";")[0])
            raise _unknown(place, name, known, rates, coordinates, first, other)
    missing = [
        name for name in (*(["t"] if timed else []), *([] if hold_missing else coordinates)) if name not in header
    ]
    for k, order in enumerate(RATES[1:], 1):
        if any(later + name in header for name in coordinates for later in RATES[k:]):
            missing += [order + c for c in coordinates if c in header and order + c not in header]
    if missing:
        shown = list(own) or list(header)
        hint = f"header: {','.join(shown)}"
        if missing[0] == "t" and other and (free := [name for name in shown if name not in known]):
            hint += f"; --columns {free[0]}=t if that is the time"
        if missing[0] in rates:
            hint = "rates are given for all coordinates or for none"
        elif missing[0] in coordinates:
            hint += "; --hold-missing keeps it at home"
        raise MotionError(place, missing[0], None, "is missing", hint)
    alone = [(order + c, c) for order in RATES[1:] for c in coordinates if order + c in header and c not in header]
    if alone:
        raise MotionError(place, alone[0][0], None, f"needs a column {alone[0][1]}")


def _unknown(
    place: str,
    name: str,
    known: Sequence[str],
    rates: Sequence[str],
    coordinates: Sequence[str],
    first: bool,
    other: str,
) -> MotionError:
    """The fault of a column without a known name: what it may be called, and what `other` says about that."""
    if name in rates:
        hint = "waypoints have no rates; a motion file may"
    else:
        dotted = name.replace("_ddot", "_dd").replace("_dot", "_d").replace("ddot", "_dd").replace("dot", "_d")
        dotted = new_column(dotted, coordinates)
        hint = f"did you mean {dotted}?" if dotted in known else did_you_mean(name, known)
        if first and dotted not in known:
            hint = "the column of times is called t or time" + (f"; --columns {name}=t if that is it" if other else "")
        elif not hint.startswith("did you mean"):
            names = ", ".join(["t", *coordinates])
            hint = f"known: {names}, rates xd_ and xdd_, wrench fx to mz{other}"
    return MotionError(place, "", name, "no such column", hint)
