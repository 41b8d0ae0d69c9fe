"""From a `[poses]` table to poses."""

from __future__ import annotations

import math
from pathlib import Path

from gough.motion.faults import too_far
from gough.problem.poses import Poses, poses_of_file, replicate_size
from gough.problem.schema import PosesTable
from gough.robot import Mechanism
from gough.robot.checks.fault import Fault
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, QuantityError, measure, quantity

WAYS = ("grid", "box", "file")
MOST = 2**40


def poses_of(robot: Mechanism, table: PosesTable, units: Units, folder: Path) -> tuple[Poses | None, list[Fault]]:
    """The poses a table states, and its faults."""
    ways = [key for key in WAYS if getattr(table, key) is not None]
    if len(ways) != 1:
        return None, [Fault(("poses",), f"must have one of {', '.join(WAYS)}", None, " and ".join(ways))]
    if ways[0] == "file":
        return poses_of_file(robot, folder / str(table.file), units), []
    faults: list[Fault] = []
    low, high = list(robot.platform.home), list(robot.platform.home)
    counts = [1] * robot.dof
    for name, ends in (table.grid or table.box or {}).items():
        path = ("poses", ways[0], name)
        if name not in robot.coordinate_names:
            faults.append(Fault(path, "no such coordinate", None, did_you_mean(name, robot.coordinate_names)))
            continue
        k = robot.coordinate_names.index(name)
        turns = robot.platform.coordinates[k].turns
        try:
            low[k], high[k], counts[k] = _ends(ends, ways[0], measure("travel", units, turns=turns))
        except QuantityError as error:
            faults.append(Fault(path, str(error), ends))
            continue
        if (fault := too_far(robot, k, [low[k], high[k]], stated=False)) is not None:
            hint = 'degrees? write e.g. "30 deg"' if turns else 'millimetres? write e.g. "50 mm"'
            faults.append(Fault(path, fault[1], ends, hint))
    count = math.prod(counts)
    if ways[0] == "box":
        count = table.points or 0
        faults += _points(table)
    if count > MOST:
        faults.append(Fault(("poses",), f"are {count:g}, at most {MOST:g}"))
    if faults:
        return None, faults
    ends = tuple(map(float, low)), tuple(map(float, high))
    if ways[0] == "grid":
        return Poses("grid", *ends, count, tuple(counts)), []
    return Poses(table.by, *ends, count, (), table.replicates, table.seed), []


def _ends(given: object, way: str, own: Measure) -> tuple[float, float, int]:
    """From, to, and how many; a single number stays."""
    if not isinstance(given, list):
        value = quantity(given, own)
        return value, value, 1
    wanted = "[from, to, how many]" if way == "grid" else "[least, greatest]"
    if len(given) != (3 if way == "grid" else 2):
        raise QuantityError(f"must be {wanted}")
    low, high = quantity(given[0], own), quantity(given[1], own)
    count = given[2] if way == "grid" else 1
    single = way == "grid" and count == 1 and low == high
    if not (low < high or single):
        raise QuantityError(f"must be {wanted}, the least first")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise QuantityError(f"must be {wanted}, with a whole number from 1 on")
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
