"""Tables whose columns are a convention's values, as tables of the robot's own coordinates."""

from __future__ import annotations

import numpy as np

from gough.graph import Array
from gough.motion.column_names import RATES
from gough.motion.conventions import Convention, NotMet
from gough.motion.faults import MotionError
from gough.motion.named import WRENCH
from gough.motion.plausible_motion import LARGEST_TURN
from gough.motion.table import Table, check_rows, unwrapped
from gough.robot import Robot
from gough.robot.file.units import Units


def in_own_coordinates(robot: Robot, table: Table, convention: Convention, units: Units | None = None) -> Table:
    """The same rows in the robot's own coordinates, with rates and accelerations where the table has them.

    Args:
        robot: Whose coordinates.
        table: Columns t, values of the convention, `xd_`, `xdd_` of them, wrench; values without a column stay at home.
        convention: Of the columns.
        units: Of the new columns, for messages.
    Raises:
        MotionError: Rows that are no motion, or that the robot has no coordinates for.
    """
    if convention.name == "robot":
        return table
    check_rows(table)
    stated, size = convention.values(robot), units or Units()
    home = convention.stated(robot, robot.platform.home)
    given = [order for order in RATES if any(order + value.name in table.columns for value in stated)]
    rows = [np.zeros((len(table.given), len(stated))) for _ in given or [""]]
    rows[0][:] = home
    for k, value in enumerate(stated):
        if value.name not in table.columns:
            continue
        if value.turns:
            _check_turns(table, value.name, home[k])
        for values, order in zip(rows, given, strict=False):
            values[:, k] = table.column(order + value.name)
    try:
        solved = convention.solved_rows(robot, rows[0], *_padded(rows[1:]), units=size)
    except NotMet as error:
        raise MotionError(table.place(error.row), "", None, error.reason) from None
    return _own_table(robot, table, solved, size)


def _padded(rows: list[Array]) -> tuple[Array | None, Array | None]:
    """Rates and accelerations, None where there are none."""
    return (rows[0] if rows else None, rows[1] if len(rows) > 1 else None)


def _check_turns(table: Table, name: str, home: float) -> None:
    """Refuse angles that are degrees taken for radians, and steps that could be either way."""
    far = np.flatnonzero(np.abs(table.column(name) - home) > LARGEST_TURN)
    if len(far):
        stated = table.scale[table.columns.index(name)] != 1.0
        hint = "" if stated else "degrees? say --units deg"
        raise table.error(int(far[0]), name, "is more than a turn from home", hint)
    unwrapped(table, name)


def _own_table(robot: Robot, table: Table, solved: tuple[Array, ...], units: Units) -> Table:
    kept = [name for name in table.columns if name == "t" or name in WRENCH]
    places = [table.columns.index(name) for name in kept]
    columns, blocks, scale = list(kept), [table.given[:, places]], [table.scale[places]]
    sizes = np.array([units.angle if c.turns else units.length for c in robot.platform.coordinates])
    for order, rows in zip(RATES, solved, strict=False):
        columns += [order + c.name for c in robot.platform.coordinates]
        blocks.append(rows / sizes)
        scale.append(sizes)
    return Table(table.source, tuple(columns), np.hstack(blocks), np.concatenate(scale), table.place)
