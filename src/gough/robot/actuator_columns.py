"""Columns of actuators in files: `q_NAME` by name, `q3` by number from 1 in the order of the robot's file, or by name.

Where legs are named by numbers in another order (0 to 5, as joints of LinuxCNC), q3 may be the third actuator or the
one named 3. It is then refused, and columns that gough writes have names.
"""

from __future__ import annotations

from gough.robot.mechanism import Mechanism


class DoubtfulColumn(ValueError):
    """A column that two actuators may claim.

    Attributes:
        hint: How to write what is meant.
    """

    def __init__(self, why: str, hint: str) -> None:
        super().__init__(why)
        self.hint = hint


def reading_columns(robot: Mechanism) -> tuple[str, ...]:
    """(m,) columns of the actuators' displacements: q1, q2 ... or, where these may be read in two ways, q_NAME."""
    names = robot.actuator_names
    numbered = tuple(f"q{k + 1}" for k in range(len(names)))
    doubtful = any(name.isdecimal() and f"q{name}" != column for name, column in zip(names, numbered, strict=True))
    taken = {coordinate.name for coordinate in robot.platform.all_coordinates}
    return tuple(f"q_{name}" for name in names) if doubtful or taken & set(numbered) else numbered


def column_actuator(robot: Mechanism, column: str, mark: str) -> int | None:
    """Index of the actuator of a column: its name after `mark` and "_", or its name or number after `mark`.

    Raises:
        DoubtfulColumn: The number is the name of one actuator and the place of another.
    """
    names, text = robot.actuator_names, column.removeprefix(mark)
    if not column.startswith(mark):
        return None
    if text.startswith("_") and text[1:] in names:
        return names.index(text[1:])
    named = names.index(text) if text in names else None
    placed = _place(text, len(names))
    if named is not None and placed is not None and named != placed:
        why = f"may be the actuator named {text} or the one at place {text}, named {names[placed]}"
        raise DoubtfulColumn(why, f"write {mark}_{text} or {mark}_{names[placed]}")
    return placed if named is None else named


def _place(text: str, count: int) -> int | None:
    """Index that a number from 1 to `count` stands for."""
    return int(text) - 1 if text.isdecimal() and not text.startswith("0") and int(text) <= count else None
