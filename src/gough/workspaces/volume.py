"""How much room there is at one orientation, what bounds it, and between which proved bounds it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gough.brief import brief
from gough.graph import Array
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.bracket import Bracket, bracket_of
from gough.workspaces.region import Grid, Region, grid_of
from gough.workspaces.surface import Surface, surface_of

CELLS = 96
"""Along the longest side of a grid, where none are stated."""
NAMES = {1: "range", 2: "area", 3: "volume"}
UNITS = {1: "m", 2: "m^2", 3: "m^3"}


@dataclass(frozen=True)
class Volume:
    """Positions at the orientation of a pose that hang together with it.

    Attributes:
        region: Which positions.
        grid: By which they are found.
        bracket: Proved bounds of all positions within the limits, None where they were not asked for.
        tool: (d,) from the platform's origin to the tool along the sliding coordinates; positions told
            are its own [m].
        ends: Of the one coordinate that slides, the tool's, exactly: where its travel ends [m]; None where several do.
    """

    __repr__ = brief

    region: Region
    grid: Grid
    bracket: Bracket | None = None
    tool: Array = field(default_factory=lambda: np.zeros(1))
    ends: tuple[float, float] | None = None

    @property
    def shifted(self) -> Surface | None:
        """The boundary of the positions of the tool."""
        return None if self.surface is None else replace(self.surface, vertices=self.surface.vertices + self.tool)

    @property
    def name(self) -> str:
        """Range, area or volume, by the number of sliding coordinates."""
        return NAMES[self.region.dimension]

    @property
    def unit(self) -> str:
        """SI."""
        return UNITS[self.region.dimension]

    @cached_property
    def surface(self) -> Surface | None:
        """The boundary; None where only one coordinate slides."""
        return surface_of(self.region, self.grid) if self.region.dimension > 1 else None

    @cached_property
    def measure(self) -> float:
        """The range, or the area or volume at the grid [m, m^2 or m^3]."""
        if self.ends is not None:
            return self.ends[1] - self.ends[0]
        if self.surface is None:
            return float(self.grid.own.sum() * self.grid.step)
        return self.surface.measure

    @cached_property
    def largest_extent(self) -> dict[str, tuple[float, float]]:
        """Least and largest value of each sliding coordinate, at the grid unless there is one alone [m]."""
        names = [self.region.robot.coordinate_names[k] for k in self.region.places]
        if self.ends is not None:
            return {names[0]: self.ends}
        points = self.grid.nodes(np.argwhere(self.grid.own)) if self.surface is None else self.surface.vertices
        points = points + self.tool
        return {name: (float(points[:, k].min()), float(points[:, k].max())) for k, name in enumerate(names)}


def volume_of(
    region: Region,
    cells: int = CELLS,
    prove: bool = False,
    tolerance: float = 2e-3,
    allowed: Allowance = ALL,
    progress: Callable[[str], None] = lambda step: None,
) -> Volume:
    """The room at the region's orientation, at a grid of so many cells along the longest side.

    Args:
        region: Of which robot, where.
        cells: Of the grid.
        prove: Find proved bounds too.
        tolerance: How close they should be, of the upper one.
        allowed: The time that finding them may take.
        progress: Gets what is reached.

    Raises:
        InputError: The start is outside, nothing bounds the region, or a proof is asked for that cannot be.
    """
    grid = grid_of(region, cells)
    proved = bracket_of(region, grid, tolerance, allowed=allowed, progress=progress) if prove else None
    return Volume(region, grid, proved)
