"""`gough count`: what a robot's inverse dynamics costs by each formulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.options import JsonOption, RobotArgument, SettingsOption, choice
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.reports.counts import OperationCounts
    from gough.robot import Robot

ByOption = Annotated[str, typer.Option("--by", metavar="body", help="Split by body: platform, legs and the rest.")]
TableOption = Annotated[
    str, typer.Option("--table", metavar="lopes", help="Compare with a paper's table: lopes (stewart).")
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE.png", help="Write a chart; with --by body the share of each.")
]
FIELDS = ("add", "mul", "div", "sqrt", "transcendental", "select", "flops")


def run(
    robot: RobotArgument,
    by: ByOption = "",
    table: TableOption = "",
    plot: PlotOption = None,
    settings: SettingsOption = [],  # noqa: B006
    json: JsonOption = False,
) -> None:
    """Count the operations of tau(x, xd, xdd) by every formulation.

    Flops are additions, multiplications, divisions and square roots; comparisons and selects (from pivoting) are
    counted separately.

    Operations that several bodies share are counted for the first of them; "whole" are those that belong to no body.

    virtual_work takes a short cut on thin legs; a last line then has the flops of the papers' recursion over all links,
    virtual_work_full.

    The name "all" prints a line for each robot of the catalogue.

    \b
    Examples:
      gough count stewart
      gough count hexapod --by body --plot counts.png
      gough count stewart --table lopes
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import PICTURES, check_file, picture_ending, write_whole
    from gough.cli.output import steps, to_json
    from gough.reports.counts import operation_counts

    if by:
        choice("--by", by, ["body"])
    if plot is not None:
        check_file("--plot", plot, PICTURES)
    if robot == "all":
        _all(json)
        return
    loaded = load_robot(robot, settings)
    if table:
        choice("--table", table, ["lopes"])
        _lopes(loaded.name, json)
        return
    with steps() as progress:
        counts = operation_counts(loaded, progress=progress)
    if json:
        print(to_json({"robot": loaded.name, "counts": [_values(c, bool(by)) for c in counts]}))
    else:
        print(_by_body(counts) if by else _table(counts))
        print(_full_recursion(loaded), end="")
    if plot is not None:
        from gough.plots import picture
        from gough.reports.counts import count_chart

        write_whole(plot, picture(count_chart(loaded.name, counts, bool(by)), picture_ending(plot)))


def _table(counts: list[OperationCounts]) -> str:
    from gough.cli.output import table

    least = min(c.total.flops for c in counts)
    rows = [
        [c.formulation, *[str(getattr(c.total, field)) for field in FIELDS], f"{c.total.flops / least:.1f}"]
        for c in counts
    ]
    return table(["formulation", "add", "mul", "div", "sqrt", "sin, cos ...", "select", "flops", "times"], rows)


def _full_recursion(robot: Robot) -> str:
    """A line on what the papers' recursion costs where virtual_work takes a short cut; empty where it takes none."""
    from gough.dynamics.virtual_work import VirtualWork
    from gough.reports.counts import operation_counts

    if len(VirtualWork().legs_by_recursion(robot)) == len(robot.legs):
        return ""
    full = VirtualWork("full")
    flops = operation_counts(robot, [full])[0].total.flops
    told = f"virtual_work takes a short cut on thin legs; the papers' recursion over all links, {full.name}"
    return f"\n{told}: {flops} flops\n"


def _by_body(counts: list[OperationCounts]) -> str:
    from gough.cli.output import table

    bodies = list(dict.fromkeys(name for c in counts for name in c.by_body))
    rows = [
        [c.formulation, *[str(c.by_body[b].flops) if b in c.by_body else "-" for b in bodies], str(c.total.flops)]
        for c in counts
    ]
    return table(["flops", *bodies, "total"], rows)


def _values(counts: OperationCounts, by_body: bool) -> dict[str, object]:
    from dataclasses import asdict

    values: dict[str, object] = {"formulation": counts.formulation, **asdict(counts.total)}
    values["flops"] = counts.total.flops
    if by_body:
        values["bodies"] = {name: asdict(part) | {"flops": part.flops} for name, part in counts.by_body.items()}
    return values


def _lopes(name: str, json: bool) -> None:
    from gough.cli.output import to_json
    from gough.reports.lopes_table import lopes_table, lopes_text

    if name != "stewart":
        raise InputError(f"--table lopes: the paper's table is of the robot stewart, not of {name}")
    rows = lopes_table()
    print(to_json([row.values() for row in rows]) if json else lopes_text(rows))


def _all(json: bool) -> None:
    from gough.cli.output import steps, table, to_json
    from gough.reports.counts import COUNT_HEADER, count_rows

    with steps() as progress:
        rows = count_rows(progress)
    names = COUNT_HEADER[1:]
    values = {name: dict(zip(names, map(int, flops), strict=True)) for name, *flops in rows}
    print(to_json(values) if json else table(COUNT_HEADER, rows))
