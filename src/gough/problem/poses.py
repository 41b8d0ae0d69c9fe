"""Poses of a platform by their number: a grid, points in a box, or rows of a file; any stretch of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gough.brief import brief
from gough.draws.counter import STREAMS, Array, uniforms
from gough.draws.sobol import sobol
from gough.errors import InputError
from gough.motion.columns import Columns, KnownColumns, any_case, header_columns, pose_measures, read_columns
from gough.motion.conventions import Value
from gough.motion.faults import MotionError
from gough.motion.rows import check_finite
from gough.robot import Mechanism
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean


@dataclass(frozen=True)
class Poses:
    """Poses (count, n) of the platform coordinates [m or rad].

    Attributes:
        kind: "grid", "sobol", "random" or "file".
        low, high: (n,) ends of a grid or box; equal where a coordinate stays.
        counts: (n,) of a grid.
        count: Number of poses.
        replicates: Replicates of points in a box: as many sets of equal size, each shifted by itself.
        seed: Seed of points in a box.
        given: (count, n) of a file.
    """

    __repr__ = brief

    kind: Literal["grid", "sobol", "random", "file"]
    low: tuple[float, ...]
    high: tuple[float, ...]
    count: int
    counts: tuple[int, ...] = ()
    replicates: int = 1
    seed: int = 0
    given: Any = field(default=None, compare=False)

    def rows(self, first: int, last: int) -> Array:
        """(last - first, n) poses of these numbers, the first coordinate of a grid changing slowest."""
        if self.kind == "file":
            return np.ascontiguousarray(self.given[first:last], dtype=float)
        low, high = np.array(self.low), np.array(self.high)
        if self.kind == "grid":
            places = np.unravel_index(np.arange(first, last), self.counts)
            steps = np.array([max(count - 1, 1) for count in self.counts])
            found = low + (high - low) * (np.stack(places, axis=1) / steps)
            return np.asarray(np.clip(found, low, high))
        found = np.tile(low, (last - first, 1))
        free = np.flatnonzero(high > low)
        if len(free):
            found[:, free] += (high - low)[free] * self._units(first, last, len(free))
        return np.asarray(np.clip(found, low, high))

    def _units(self, first: int, last: int, dimensions: int) -> Array:
        """(last - first, dimensions) in (0, 1)."""
        if self.kind == "random":
            return uniforms(self.seed, np.arange(first, last), 0, dimensions, STREAMS["poses"])
        each = self.count // self.replicates
        parts = []
        while first < last:
            replicate, begin = divmod(first, each)
            end = min(each, begin + last - first)
            parts.append(sobol(begin, end, dimensions, self.seed, replicate))
            first += end - begin
        return np.concatenate(parts) if parts else np.zeros((0, dimensions))


def at_home(robot: Mechanism) -> Poses:
    """The robot's home pose alone."""
    home = tuple(float(v) for v in robot.platform.home)
    return Poses("grid", home, home, 1, (1,) * robot.dof)


def poses_of_file(robot: Mechanism, path: Path, units: Units) -> Poses:
    """The poses of a CSV or Parquet file with a column for each coordinate; those without one stay at home.

    Raises:
        InputError: It is no such file.
    """
    names = robot.coordinate_names
    known = pose_measures([Value(c.name, c.motion) for c in robot.platform.coordinates], units, rates=False)
    layout = KnownColumns(
        {name: known[name] for name in names},
        f"the header {','.join(names)}",
        unknown=lambda name, _: did_you_mean(name, names),
        select=lambda _: names,
        resolve=lambda name, _: any_case(name, names),
    )
    parquet = path.suffix.lower() in (".parquet", ".pq")
    rows = _parquet(path, layout) if parquet else read_columns(path, layout, "a row for each pose")
    if not len(rows):
        raise MotionError(str(path), "", None, "has no poses", "one row for each is needed")
    found = np.tile(np.array(robot.platform.home, dtype=float), (len(rows), 1))
    for name in rows.given:
        found[:, names.index(name)] = rows[name]
    check_finite(rows)
    return Poses("file", tuple(found.min(axis=0)), tuple(found.max(axis=0)), len(found), given=found)


def _parquet(path: Path, layout: KnownColumns) -> Columns:
    from gough.table.formats import require_pyarrow

    require_pyarrow()
    from pyarrow import parquet

    try:
        table = parquet.read_table(path, page_checksum_verification=True)
        numbers = [np.asarray(column, dtype=float) for column in table.columns]
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except Exception as error:
        cause = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: is not a Parquet file of numbers: {cause}") from None
    found = header_columns(str(path), table.column_names, layout)
    given = {name: numbers[cell.place] for name, cell in found.items()}
    scale = {name: cell.scale for name, cell in found.items()}
    return Columns(str(path), given, scale, range(1, table.num_rows + 1), ": pose ", found)


def replicate_size(points: int, replicates: int) -> int:
    """Points of each replicate; 0 where they do not divide."""
    return points // replicates if points % replicates == 0 and math.log2(points // replicates).is_integer() else 0
