"""Tables that a study and an optimisation share. Any number may carry its unit: "0.1 mm", or be a share, "5 %".

robot = "stewart"                    # a name of the catalogue, or a file beside this one

[poses]                              # one of: a grid, points in a box, a file
grid = { x = [-0.1, 0.1, 5] }        # from, to, how many; coordinates left out stay at home
box = { x = [-0.1, 0.1] }            # with points = 64, by = "sobol" (or "random"), replicates = 1, seed = 0
file = "poses.csv"                   # or .parquet: columns named as the coordinates, `x [mm]` with its unit

[[vary]]
number = "leg.*.base.x"              # an address, a readable name, or a list of them; each varies by itself
uniform = "0.1 mm"                   # half-width about the robot's own value; or normal, bounds, list, grid
normal = "0.05 mm"                   # standard deviation; truncated `within = 3` of them, or at the `bounds`
bounds = ["0.9 m", "1.1 m"]          # alone: evenly between
list = [1, 2, 3]                     # or grid = [1, 3, 5]: from, to, how many
ties = { "leg.2.base.x" = -1 }       # moves along, by this factor
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from gough.robot.file.fields import EMPTY, Table
from gough.robot.file.schema import UnitsTable


class PosesTable(Table):
    """`[poses]`: where the platform is."""

    grid: dict[str, Any] | None = None
    """Grid of poses: from, to and how many along each named coordinate. Default: none."""
    box: dict[str, Any] | None = None
    """Box of poses: from and to of each named coordinate, filled with `points`. Default: none."""
    points: int | None = None
    """Number of poses in the box. Default: needed with `box`."""
    by: Literal["sobol", "random"] = "sobol"
    """How poses are drawn in the box."""
    replicates: int = 1
    """Number of independent sets of poses, for error estimates."""
    seed: int | None = None
    """Seed of the poses. Default: 0."""
    file: str | None = None
    """CSV or Parquet file of poses: columns named as the coordinates, with units as in `x [mm]`. Default: none."""


class VaryTable(Table):
    """`[[vary]]`: a number of the robot, or several that vary alike but each by itself."""

    number: Any
    """Address or name of the number that varies, or a list of them; `*` matches every leg or axis."""
    uniform: Any = None
    """Half width of a uniform distribution about the robot's own value, or [low, high]. Default: none."""
    normal: Any = None
    """Standard deviation of a normal distribution about the robot's own value. Default: none."""
    within: Any = None
    """Number of standard deviations at which `normal` is cut off. Default: 3."""
    bounds: Any = None
    """Smallest and largest value; alone, a uniform distribution between them. Default: none."""
    list: Any = None
    """Values to choose from. Default: none."""
    grid: Any = None
    """Values from, to, how many. Default: none."""
    ties: dict[str, Any] = Field(default_factory=dict)
    """Other numbers that change along with this one, each with its factor. Default: none."""


class ProblemTable(Table):
    """What a study and an optimisation both state."""

    robot: str
    """Name of a catalogue robot, or a robot file in the same folder."""
    units: UnitsTable = UnitsTable()
    """Units of numbers that carry none. Default: SI, rad."""
    poses: PosesTable | None = None
    """Poses of the platform. Default: home."""
    vary: list[VaryTable] = EMPTY
    """Numbers of the robot that vary. Default: none."""
