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

from gough.robot.checks.fault import Fault, Path
from gough.robot.file import fields as f
from gough.robot.file.reader import Check, Key, Named, Table, key_of, refuse
from gough.robot.file.schema import UnitsTable


class Wrong(Exception):
    """A key of a table is at fault.

    Attributes:
        key: Its name.
        allowed: What would be right.
        hint: What to try.
    """

    def __init__(self, key: str, allowed: str, hint: str = "") -> None:
        super().__init__(allowed)
        self.key, self.allowed, self.hint = key, allowed, hint

    def fault(self, table: Table, path: Path) -> Fault:
        """The fault of a table at a path of its file."""
        return Fault((*path, self.key), self.allowed, getattr(table, self.key, None), self.hint)


def _whole(least: int, most: int | None = None) -> Check:
    """A check: a whole number in a range."""
    allowed = f"must be a whole number from {least} {'on' if most is None else 'to 2^64 - 1'}"

    def whole(value: object) -> int:
        number = f.whole(value)
        return number if number >= least and (most is None or number <= most) else refuse(allowed)

    return whole


def _addresses(value: object) -> list[str]:
    """An address or several."""
    names: list[Any] = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) for name in names):
        refuse("must be an address such as leg.1.base.x, or a list of them")
    return names


class PosesTable(Table):
    """`[poses]`: where the platform is."""

    grid: dict[str, Any] | None = key_of(f.table)
    """Grid of poses: from, to and how many along each named coordinate. Default: none."""
    box: dict[str, Any] | None = key_of(f.table)
    """Box of poses: from and to of each named coordinate, filled with `points`. Default: none."""
    points: int | None = key_of(_whole(1))
    """Number of poses in the box. Default: needed with `box`."""
    by: Literal["sobol", "random"] = key_of(f.one_of("sobol", "random"), default="sobol")
    """How poses are drawn in the box."""
    replicates: int = key_of(_whole(1), default=1)
    """Number of independent sets of poses, for error estimates."""
    seed: int = key_of(_whole(0, 2**64 - 1), default=0)
    """Seed of the poses."""
    file: str | None = key_of(f.text)
    """CSV or Parquet file of poses: columns named as the coordinates, with units as in `x [mm]`. Default: none."""


class VaryTable(Table):
    """`[[vary]]`: a number of the robot, or several that vary alike but each by itself."""

    number: Any = key_of(_addresses, needed=True)
    """Address or name of the number that varies, or a list of them; `*` matches every leg or axis."""
    uniform: Any = key_of(f.anything)
    """Half width of a uniform distribution about the robot's own value, or [low, high]. Default: none."""
    normal: Any = key_of(f.anything)
    """Standard deviation of a normal distribution about the robot's own value. Default: none."""
    within: Any = key_of(f.anything)
    """Number of standard deviations at which `normal` is cut off. Default: 3."""
    bounds: Any = key_of(f.anything)
    """Smallest and largest value; alone, a uniform distribution between them. Default: none."""
    list: Any = key_of(f.anything)
    """Values to choose from. Default: none."""
    grid: Any = key_of(f.anything)
    """Values from, to, how many. Default: none."""
    ties: dict[str, float] = key_of(Named(f.text, Key(f.number)), default={})
    """Other numbers that change along with this one, each with its factor. Default: none."""


class ProblemTable(Table):
    """What a study and an optimisation both state."""

    robot: str = key_of(f.text, needed=True)
    """Name of a catalogue robot, or a robot file in the same folder."""
    units: UnitsTable = key_of(UnitsTable, default={})
    """Units of numbers that carry none. Default: SI, rad."""
    poses: PosesTable | None = key_of(PosesTable)
    """Poses of the platform. Default: home."""
    vary: list[VaryTable] = key_of([VaryTable], default=())
    """Numbers of the robot that vary. Default: none."""
