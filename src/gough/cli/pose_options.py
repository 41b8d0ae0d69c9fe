"""The options of a command that solves for one pose, and the frame of what it prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gough.cli.invoke import OptionGroup
from gough.cli.loading import load_robot
from gough.cli.options import (
    ConventionOption,
    CsvUnitsOption,
    FormatOption,
    ToolOption,
    UnitsOption,
    check_csv_units,
    choice,
    convention_of,
    with_tool_at,
)
from gough.cli.output import FORMATS, table
from gough.display import Display, display_units, table_units
from gough.graph import Array
from gough.motion import parse_units
from gough.motion.conventions import Convention
from gough.robot import Mechanism, Robot
from gough.robot.file.units import Units


@dataclass(frozen=True)
class PoseOptions(OptionGroup):
    """Format, units and pose convention, as the command line states them."""

    format: FormatOption = "table"
    units: UnitsOption = ""
    csv_units: CsvUnitsOption = False
    convention: ConventionOption = None
    tool: ToolOption = None

    @property
    def form(self) -> str:
        """One of `FORMATS`.

        Raises:
            InputError: It is none, or `--csv-units` goes with another.
        """
        form = choice("--format", self.format, FORMATS)
        check_csv_units(self.csv_units, form)
        return form

    @property
    def poses(self) -> Convention:
        """How poses are stated."""
        return convention_of(self.convention)

    def robot(self, name: str, settings: Sequence[str]) -> Robot:
        """The robot of this name with its settings and its tool.

        Raises:
            InputError: A robot, a setting or a tool that cannot be read.
        """
        return with_tool_at(load_robot(name, settings, self.units), self.tool, self.units)

    @property
    def given(self) -> Units:
        """Units of numbers without one."""
        return parse_units(self.units)

    @property
    def display(self) -> Display:
        """Units of the page."""
        return display_units(self.units)

    @property
    def csv(self) -> Display:
        """Units of CSV: SI, or `--units` if asked."""
        return table_units(self.units if self.csv_units else "")


def pose_page(
    title: str,
    robot: Mechanism,
    stated: Convention,
    display: Display,
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    last: str,
) -> str:
    """Title, how poses are stated, the table, and a last line."""
    by = f"Pose by {stated.described(robot, display.length, display.angle)}."
    return "\n".join([title, by, "", table(header, cells), "", last])


def pose_facts(stated: Convention, robot: Mechanism, x: Sequence[float] | Array) -> dict[str, Any]:
    """How poses are stated, and the pose x (n,) stated so."""
    pose = zip([c.name for c in stated.values(robot)], stated.stated(robot, x), strict=True)
    return {"name": stated.name, "tool": robot.tool.position, "text": stated.described(robot), "pose": dict(pose)}
