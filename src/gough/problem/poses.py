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
from gough.motion.faults import MotionError, too_far
from gough.motion.rows import check_finite
from gough.problem.schema import PosesTable
from gough.robot import Mechanism
from gough.robot.checks.fault import Fault
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, QuantityError, measure, quantity

KINDS = ("grid", "box", "file")
MOST = 2**40


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


def poses_of(robot: Mechanism, table: PosesTable, units: Units, folder: Path) -> tuple[Poses | None, list[Fault]]:
    """The poses a table states, and its faults."""
    kinds = [key for key in KINDS if getattr(table, key) is not None]
    if len(kinds) != 1:
        return None, [Fault(("poses",), f"must have one of {', '.join(KINDS)}", None, " and ".join(kinds))]
    if kinds[0] == "file":
        return poses_of_file(robot, folder / str(table.file), units), []
    faults: list[Fault] = []
    low, high = list(robot.platform.home), list(robot.platform.home)
    counts = [1] * robot.dof
    for name, ends in (table.grid or table.box or {}).items():
        path = ("poses", kinds[0], name)
        if name not in robot.coordinate_names:
            faults.append(Fault(path, "no such coordinate", None, did_you_mean(name, robot.coordinate_names)))
            continue
        k = robot.coordinate_names.index(name)
        turns = robot.platform.coordinates[k].turns
        try:
            low[k], high[k], counts[k] = _ends(ends, kinds[0], measure("travel", units, turns=turns))
        except QuantityError as error:
            faults.append(Fault(path, str(error), ends))
            continue
        if (fault := too_far(robot, k, [low[k], high[k]], stated=False)) is not None:
            hint = 'degrees? write e.g. "30 deg"' if turns else 'millimetres? write e.g. "50 mm"'
            faults.append(Fault(path, fault[1], ends, hint))
    count = math.prod(counts)
    if kinds[0] == "box":
        count = table.points or 0
        faults += _points(table)
    if count > MOST:
        faults.append(Fault(("poses",), f"are {count:g}, at most {MOST:g}"))
    if faults:
        return None, faults
    ends = tuple(map(float, low)), tuple(map(float, high))
    if kinds[0] == "grid":
        return Poses("grid", *ends, count, tuple(counts)), []
    return Poses(table.by, *ends, count, (), table.replicates, table.seed), []


def _ends(given: object, kind: str, own: Measure) -> tuple[float, float, int]:
    """From, to, and how many; a single number stays."""
    if not isinstance(given, list):
        value = quantity(given, own)
        return value, value, 1
    allowed = "[from, to, how many]" if kind == "grid" else "[least, greatest]"
    if len(given) != (3 if kind == "grid" else 2):
        raise QuantityError(f"must be {allowed}")
    low, high = quantity(given[0], own), quantity(given[1], own)
    count = given[2] if kind == "grid" else 1
    single = kind == "grid" and count == 1 and low == high
    if not (low < high or single):
        raise QuantityError(f"must be {allowed}, the least first")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise QuantityError(f"must be {allowed}, with a whole number from 1 on")
    return low, high, count


def _points(table: PosesTable) -> list[Fault]:
    """Faults of how many points are in a box."""
    if table.points is None:
        return [Fault(("poses", "points"), "must be a whole number from 1 on", None, "e.g. points = 1024")]
    if table.points % table.replicates:
        return [Fault(("poses", "points"), f"must be a multiple of the {table.replicates} replicates", table.points)]
    if table.replicates > 1 and table.by == "sobol" and not replicate_size(table.points, table.replicates):
        hint = f"e.g. {2 ** round(math.log2(table.points / table.replicates)) * table.replicates}"
        return [Fault(("poses", "points"), "must be a power of two for each replicate", table.points, hint)]
    return []
