"""What commands that solve a list, a row for each line of a file, print and write: columns, forms and lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gough.cli.options import check_csv_units, choice
from gough.cli.out_files import announce, form_of, write_whole
from gough.cli.output import FORMATS, table
from gough.cli.pose_options import PoseOptions
from gough.display import Display, number, table_units
from gough.graph import Array
from gough.kinematics import Status
from gough.motion.conventions import Convention
from gough.robot import Mechanism
from gough.table import Block, Table
from gough.table.result import dependent_blocks


def list_form(out: str, solving: PoseOptions) -> str:
    """One of `FORMATS`: by the ending of the file `out`, else as stated.

    Raises:
        InputError: They do not go together, or `--csv-units` goes with another.
    """
    form = choice("--format", solving.format, FORMATS)
    if out:
        form = form_of("--out", out, None if form == "table" else form, ("csv", "json"))
    check_csv_units(solving.csv_units, form)
    return form


def list_units(form: str, solving: PoseOptions) -> Display:
    """Units in which the words of a list speak."""
    return {"table": solving.display, "csv": table_units(solving.units), "json": table_units()}[form]


def list_table(
    robot: Mechanism,
    t: Array | None,
    x: Array,
    dependent: Array | None,
    travel: Block,
    stated: Convention,
    words: Sequence[str],
) -> Table:
    """Time if there is one, pose, dependent coordinates, displacements and status of each row.

    Args:
        robot: The robot.
        t: (N,) [s], None where there are no times.
        x: (N, n) platform coordinates; NaN in rows without a pose.
        dependent: (N, k) coordinates that follow them, None where there are none.
        travel: Displacements.
        stated: How poses are stated.
        words: (N,) statuses.
    """
    values = stated.values(robot)
    units = ["" if value.motion == "q" else "rad" if value.turns else "m" for value in values]
    there = np.isfinite(x).all(axis=1)
    pose = np.full((len(x), len(values)), np.nan)
    pose[there] = stated.stated_rows(robot, x[there])[0]
    blocks = [] if t is None else [Block("t", t, "s")]
    blocks.append(Block("pose", pose, units, {"coordinate": [value.name for value in values]}, ""))
    if dependent is not None:
        blocks += dependent_blocks(robot, [dependent])
    blocks += [travel, Block("status", np.array(words, dtype=object))]
    facts = {"robot": robot.name, "convention": stated.name, "tool": robot.tool.position}
    return Table(len(words), tuple(blocks), facts)


def write_list(found: Table, form: str, out: str, solving: PoseOptions) -> None:
    """Print the rows in a form of `FORMATS`, or write them to the file `out` if one is given."""
    if form == "json":
        text = found.to_json()
    else:
        text = found.to_csv(units=solving.units) if form == "csv" else _page(found, solving.display)
    if out:
        write_whole(Path(out), text.encode())
        announce(out)
    else:
        print(text, end="")


def rows_by_status(status: Any) -> dict[str, list[int]]:
    """Rows of each status (N,) but fine ones, by its text."""
    return {Status(k).text: np.flatnonzero(status == k).tolist() for k in np.unique(status[status != Status.FINE])}


def tell_rows(kinds: Iterable[tuple[str, Sequence[int]]], lines: Sequence[int], what: str) -> None:
    """Say on standard error how many rows are of each kind, and on which line the first; nothing where none is.

    Args:
        kinds: What is wrong, and the rows of which it is.
        lines: (N,) numbers of the rows' lines.
        what: A row is.
    """
    told = [
        f"{kind}: {len(rows)} ({'first on ' if len(rows) > 1 else ''}line {lines[rows[0]]})" for kind, rows in kinds
    ]
    if told:
        count = f"1 {what}" if len(lines) == 1 else f"{len(lines)} {what}s"
        print(f"gough: of {count} {'; '.join(told)}", file=sys.stderr)


def _page(found: Table, display: Display) -> str:
    header, cells = [], list[Sequence[str]]()
    units = found.si_units()
    for name, values in found.columns().items():
        factor, unit = display.of(units[name]) if name in units else (1.0, "")
        header.append(f"{name} [{unit}]" if unit else name)
        cells.append([_cell(value, factor) for value in values.tolist()])
    return table(header, list(zip(*cells, strict=True))) + "\n"


def _cell(value: Any, factor: float) -> str:
    if not isinstance(value, float):
        return str(value)
    return number(value * factor, 6) if np.isfinite(value) else "-"
