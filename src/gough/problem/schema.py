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
    box: dict[str, Any] | None = None
    points: int | None = None
    by: Literal["sobol", "random"] = "sobol"
    replicates: int = 1
    seed: int | None = None
    file: str | None = None


class VaryTable(Table):
    """`[[vary]]`: a number of the robot, or several that vary alike but each by itself."""

    number: Any
    uniform: Any = None
    normal: Any = None
    within: Any = None
    bounds: Any = None
    list: Any = None
    grid: Any = None
    ties: dict[str, Any] = Field(default_factory=dict)


class ProblemTable(Table):
    """What a study and an optimisation both state."""

    robot: str
    units: UnitsTable = UnitsTable()
    poses: PosesTable | None = None
    vary: list[VaryTable] = EMPTY
