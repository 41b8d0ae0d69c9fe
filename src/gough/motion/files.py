"""Motions, waypoints, lists of poses and lists of displacements from CSV files.

| file | columns | others |
|---|---|---|
| motion | t, coordinates, wrench fx to mz, rates `xd_NAME`, `xdd_NAME` of all or none | refused |
| waypoints | t, coordinates, wrench | refused |
| poses | t, coordinates; those left out stay at home | rates, wrench, `q_NAME` and status are not read |
| displacements | t, `q_NAME`, `NAME` or `q3`; those left out stay as at home | others that gough writes are not read |

Units and separators are those of `gough.motion.columns`. Names of coordinates may be in any case, t may be called time;
`columns` renames others, and then those without a known name are left out. Rates are per second whatever the unit of t.
`gough.motion.rows` says what happens between the rows of a motion. Poses and displacements are read row by row:
angles are not made continuous, and a displacement that is empty or NaN leaves its row without displacements.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gough.errors import GoughWarning
from gough.graph import Array
from gough.motion.columns import (
    RATES,
    WRENCH,
    Columns,
    CsvLayout,
    Header,
    KnownColumns,
    any_case,
    pose_measures,
    read_columns,
)
from gough.motion.conventions import VALUE_NAMES, Convention, NoSuchPose
from gough.motion.faults import MotionError, too_far, too_far_from_home
from gough.motion.motion import Motion
from gough.motion.named import motions
from gough.motion.recording import bridge_of, smooth_of, without_noise
from gough.motion.rows import in_own_coordinates, table_motion
from gough.robot import Mechanism, Robot
from gough.robot.actuator_columns import column_actuator
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import measure

NEAR_ZERO = 0.2
"""Share of a slide's value at home: where half of its values are nearer to 0, it most likely counts from home."""
MANY = 50
"""Rows from which on whole seconds between all of them are in doubt."""
_RATE = re.compile(r"(.+?)_?(d?)d(?:ot)?")
_OTHER_NAMES = "; CsvLayout.columns gives other names, and leaves out the rest"
_NOT_READ = ("qd_", "qdd_", "force_", "power_", "current_", "joint_")
"""Prefixes of columns that lists of displacements may have beside."""
_ALSO_NOT_READ = ("status", "leg", "amount", "condition", "residual", "steps", "share")


@dataclass(frozen=True, slots=True)
class PoseList:
    """Poses of a file.

    Attributes:
        x: (N, n) platform coordinates [m or rad].
        t: (N,) times [s]; None where the file has none.
        lines: (N,) numbers of their lines in the file.
    """

    x: Array
    t: Array | None
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DisplacementList:
    """Displacements of a file.

    Attributes:
        q: (N, actuators) from the actuators' zeros [m or rad]; NaN where a cell is empty or NaN.
        t: (N,) times [s]; None where the file has none.
        lines: (N,) numbers of their lines in the file.
        left_out: Names of the actuators without a column, which stay as at home.
    """

    q: Array
    t: Array | None
    lines: tuple[int, ...]
    left_out: tuple[str, ...]


def read_motion(
    robot: Robot,
    path: str | Path,
    layout: CsvLayout | None = None,
    smooth: str | float | None = None,
    max_gap: str | float | None = None,
    forces: bool = True,
) -> Motion:
    """The motion of a CSV file; see `Motion.read_csv`.

    Args:
        robot, path, layout, smooth, max_gap: As there.
        forces: Whether it is read for forces, which noise must not decide; what needs none takes the rows as they are.
    """
    found = _read(robot, path, CsvLayout.of(layout), False, smooth, max_gap, timed=True)
    return without_noise(robot, found) if forces else found


def find_motion(
    robot: Robot,
    name: str | Path,
    layout: CsvLayout | None = None,
    smooth: str | float | None = None,
    max_gap: str | float | None = None,
    forces: bool = True,
    place: str = "",
) -> Motion:
    """One of a robot's motions by its name, or the motion of a CSV file, in this order.

    Args:
        robot, layout, smooth, max_gap, forces: As in `read_motion`.
        name: The name, or the file.
        place: Option or key that states it, for messages.
    Raises:
        MotionError: Neither is there; the file is refused.
    """
    text = str(name)
    if text in motions(robot):
        return Motion.named(robot, text)
    path = Path(name)
    if not text or (path.suffix == "" and "/" not in text and not path.exists()):
        hint = did_you_mean(text, motions(robot))
        raise MotionError(place, "", text, f"no such motion of {robot.name}, nor a file", hint)
    if "\0" not in text and not path.exists():
        raise MotionError(text, "", None, "no such file", f"motions by name: {', '.join(motions(robot))}")
    return read_motion(robot, path, layout, smooth, max_gap, forces)


def read_waypoints(
    robot: Robot,
    path: str | Path,
    layout: CsvLayout | None = None,
    smooth: str | None = None,
    timed: bool = True,
    forces: bool = True,
) -> Motion:
    """The spline through a CSV file of waypoints; see `Motion.read_waypoints`.

    Args:
        robot, path, layout, smooth: As there.
        timed: Whether the times count. Where only the path does, the file need not have any: then they are those of
            even steps along the chords, and the ends are not at rest.
        forces: As in `read_motion`.
    """
    found = _read(robot, path, CsvLayout.of(layout), True, smooth, None, timed)
    return without_noise(robot, found) if forces else found


def _read(
    robot: Robot,
    path: str | Path,
    layout: CsvLayout,
    waypoints: bool,
    smooth: str | float | None,
    max_gap: str | float | None,
    timed: bool,
) -> Motion:
    """The motion of a file: through waypoints, at rest at the first and the last, or along its rows."""
    own, stated = layout.sizes, layout.stated_by
    known = _known(robot, layout, timed, rates=not waypoints)
    rows = read_columns(path, known, "at least 2 rows")
    if "t" in rows:
        rows = _without_repeats(rows)
        if own.time == 1.0:
            _warn_of_milliseconds(rows)
    else:
        rows, waypoints = _with_even_times(rows), False
    if layout.relative:
        rows = _from_home(robot, rows, stated)
    elif len(rows):
        _warn_of_relative_values(robot, rows, stated)
    rows = in_own_coordinates(robot, rows, stated, own)
    longest = bridge_of(max_gap, own)
    found = table_motion(robot, rows, Path(path).name, waypoints, smooth_of(smooth, own), longest)
    return found.read_in(layout.units) if isinstance(layout.units, str) else found


def read_poses(robot: Robot, path: str | Path, layout: CsvLayout) -> PoseList:
    """The poses of a CSV file; coordinates without a column are at home.

    Args:
        robot: Whose coordinates the columns are.
        path: The file.
        layout: How its numbers are stated.
    Raises:
        MotionError: One line naming file, row and column.
    """
    convention = layout.stated_by
    held = replace(layout, hold_missing=True, columns=layout.columns or {})
    known = _known(robot, held, timed=False, rates=True)
    coordinates = [value.name for value in convention.values(robot)]
    beside = {"status", *(f"q_{name}" for name in robot.actuator_names)}

    def unknown(name: str, header: Header) -> str | None:
        return None if name in beside else known.unknown(name, header)

    def select(header: Header) -> Sequence[str]:
        if not set(header.names) & set(coordinates):
            raise MotionError(header.place, "", None, "has no coordinate", f"known: {', '.join(coordinates)}")
        return ["t", *coordinates]

    example = f"the header {','.join(coordinates)}"
    rows = read_columns(path, replace(known, example=example, unknown=unknown, select=select), "a row for each pose")
    if not len(rows):
        raise MotionError(str(path), "", None, "has no poses", "one row for each is needed")
    if layout.relative:
        rows = _from_home(robot, rows, convention)
    else:
        _warn_of_relative_values(robot, rows, convention)
    x = _own_coordinates(robot, rows, convention, layout.sizes)
    return PoseList(x, rows.get("t"), tuple(rows.lines))


def read_displacements(
    robot: Mechanism, path: str | Path, home: Sequence[float], layout: CsvLayout
) -> DisplacementList:
    """The actuator displacements of a CSV file.

    Args:
        robot: Whose actuators the columns are.
        path: The file.
        home: (actuators,) displacements at home [m or rad], those of actuators without a column.
        layout: How its numbers are stated; `columns` names t or actuators.
    Raises:
        MotionError: One line naming file, row and column.
    """
    names = [f"q_{name}" for name in robot.actuator_names]
    rows = read_columns(
        path, _known_displacements(robot, names, layout.sizes, layout.columns or {}), "a row for each time", ("", "nan")
    )
    if not len(rows):
        raise MotionError(str(path), "", None, "has no displacements", "one row for each time is needed")
    q = np.tile(np.array(home, dtype=float), (len(rows), 1))
    for k, name in enumerate(names):
        if name in rows:
            q[:, k] = rows[name] + (home[k] if layout.relative else 0.0)
            turns, stated = robot.actuators[k].turns, bool(rows.header[name].unit) or abs(rows.scale[name]) != 1.0
            fault = too_far_from_home(robot, turns, q[:, k] - home[k], stated)
            if fault is not None and not (turns and stated):  # An encoder may count turns.
                raise rows.error(fault[0], name, *fault[1:])
    left_out = tuple(actuator for actuator, name in zip(robot.actuator_names, names, strict=True) if name not in rows)
    return DisplacementList(q, rows.get("t"), tuple(rows.lines), left_out)


def _known(robot: Robot, layout: CsvLayout, timed: bool, rates: bool) -> KnownColumns:
    """Columns of motions and poses.

    Args:
        robot: The robot.
        layout: How the numbers are stated; without `columns`, hints do not name the option --columns.
        timed: There must be a column of times.
        rates: There may be rates.
    """
    values, columns, hold_missing = layout.stated_by.values(robot), layout.columns, layout.hold_missing
    coordinates, motions = [value.name for value in values], [value.motion for value in values]
    known = pose_measures(values, layout.sizes, rates)

    def unknown(name: str, header: Header) -> str:
        if name in robot.dependent_names:
            follows = f"follows {', '.join(coordinates)}"
            raise MotionError(header.place, "", name, follows, "leave its column out")
        if name in (rate + c for rate in RATES[1:] for c in coordinates):
            return "waypoints have no rates; a motion file may"
        if motions.count(name.lower()) == 1:
            meant = coordinates[motions.index(name.lower())]
            option = "" if columns is None else f'; CsvLayout(columns={{"{name}": "{meant}"}}) reads it'
            return f"did you mean {meant}? that is {name} of this robot{option}"
        if (rate := _RATE.fullmatch(name)) and rate[1] in coordinates:
            return f"did you mean x{rate[2]}d_{rate[1]}?"
        if timed and name == header.names[0] and "t" not in header.names:
            option = "" if columns is None else f'; CsvLayout(columns={{"{name}": "t"}}) if that is it'
            return f"the column of times is called t or time{option}"
        listed = f"known: {', '.join(['t', *coordinates])}, rates xd_ and xdd_, wrench fx to mz"
        return did_you_mean(name, list(known), listed=False) or listed + ("" if columns is None else _OTHER_NAMES)

    def select(header: Header) -> Mapping[str, object]:
        _check_complete(header, coordinates, known, timed, hold_missing, columns is not None)
        return known

    example = f"the header {','.join(['t', *coordinates])}"
    return KnownColumns(
        known, example, unknown, select, lambda name, _: any_case(name, ("t", *coordinates)), columns or {}
    )


def _check_complete(
    header: Header,
    coordinates: Sequence[str],
    known: Mapping[str, object],
    timed: bool,
    hold_missing: bool,
    optional: bool,
) -> None:
    """Refuse the header of a motion that lacks columns; `optional`: hints may say how to rename them."""
    names = header.names
    missing = [name for name in [*["t"] * timed, *([] if hold_missing else coordinates)] if name not in names]
    hint = f"header: {','.join(dict.fromkeys(header.written))}"
    if not missing:
        hint = "rates are given for all coordinates or for none"
    elif missing[0] != "t":
        hint += "; CsvLayout(hold_missing=True) keeps it at home"
    elif optional and (free := [name for name in header.written if name not in known]):
        hint += f'; CsvLayout(columns={{"{free[0]}": "t"}}) if that is the time'
    for k, rate in enumerate(RATES[1:], 1):
        if any(later + c in names for later in RATES[k:] for c in coordinates):
            missing += [rate + c for c in coordinates if c in names and rate + c not in names]
    if missing:
        raise MotionError(header.place, missing[0], None, "is missing", hint)
    for column, c in ((rate + c, c) for rate in RATES[1:] for c in coordinates):
        if column in names and c not in names:
            raise MotionError(header.place, column, None, f"needs a column {c}")


def _known_displacements(
    robot: Mechanism, names: Sequence[str], units: Units, columns: Mapping[str, str]
) -> KnownColumns:
    """Columns of displacements, `names` q_NAME of the actuators.

    An actuator may have the name of a coordinate: where there are columns q_NAME, names alone are not actuators'.
    """
    actuators = robot.actuator_names
    poses = {*VALUE_NAMES, *(coordinate.name for coordinate in robot.platform.all_coordinates)}
    beside = {*WRENCH, *_ALSO_NOT_READ, *(rate + name for rate in RATES for name in poses)}
    kinds = ["angle" if joint.turns else "length" for joint in robot.actuators]
    known = {"t": measure("time", units)}
    known |= {name: measure(kind, units) for name, kind in zip(names, kinds, strict=True)}

    def resolve(name: str, header: Sequence[str]) -> str:
        full = any_case(name, names)
        alone = () if any(any_case(other, names) in names for other in header) else actuators
        if full in names or (name in poses and name not in alone):
            return full
        own = any_case(name, ("t", *alone))
        if own in alone:
            return f"q_{own}"
        actuator = column_actuator(robot, own, "q")
        return own if actuator is None else names[actuator]

    def unknown(name: str, _: Header) -> str | None:
        if name in beside or name.startswith(_NOT_READ):
            return None
        if f"q_{name}" in names:
            return f"did you mean q_{name}?"
        near = did_you_mean(name, ["t", *names], listed=False)
        return near or f"known: t, {', '.join(names)}{_OTHER_NAMES}"

    def select(header: Header) -> Mapping[str, object]:
        if not set(header.names) & set(names):
            raise MotionError(header.place, "", None, "has no displacement", f"known: {', '.join(names)}")
        return known

    def renamed(text: str) -> str:
        name = text.removeprefix("-")
        return f"{text.removesuffix(name)}q_{name}" if name in actuators else text

    own_names = {column: renamed(text) for column, text in columns.items()}
    return KnownColumns(known, f"the header {','.join(names)}", unknown, select, resolve, own_names)


def _own_coordinates(robot: Robot, rows: Columns, convention: Convention, units: Units) -> Array:
    """(N, n) platform coordinates of the rows, each by itself."""
    home = convention.stated(robot, robot.platform.home)
    x = np.tile(np.array(home, dtype=float), (len(rows), 1))
    for k, value in enumerate(convention.values(robot)):
        if value.name in rows:
            x[:, k] = rows[value.name]
    if convention.name != "robot":
        try:
            x = convention.solved_rows(robot, x, units=units, separate=True)[0]
        except NoSuchPose as error:
            raise MotionError(rows.place(error.row), "", None, error.reason) from None
    for k, coordinate in enumerate(robot.platform.coordinates):
        scale = rows.scale.get(coordinate.name, 1.0)
        if (fault := too_far(robot, k, x[:, k], scale != 1.0)) is not None:
            row, problem, hint = fault
            raise MotionError(rows.place(row), coordinate.name, float(x[row, k] / scale), problem, hint)
    return x


def _with_even_times(rows: Columns) -> Columns:
    """Return the rows with times in even steps along the chords, where only the path counts."""
    steps = np.sqrt(np.linalg.norm(np.diff(np.column_stack([rows[name] for name in rows.given]), axis=0), axis=1))
    t = np.concatenate([[0.0], np.cumsum(steps)])[: len(rows)]
    return replace(rows, given={"t": t, **rows.given}, scale={"t": 1.0, **rows.scale})


def _without_repeats(rows: Columns) -> Columns:
    """Return the rows without those that repeat the row before in every column, with a warning."""
    block = rows.block
    again = np.flatnonzero((block[1:] == block[:-1]).all(axis=1)) + 1
    if not len(again):
        return rows
    more = f", and {len(again) - 1} more rows likewise" if len(again) > 1 else ""
    line = f"{rows.place(again[0])}: is the same as the row before: left out{more}"
    warnings.warn(line, GoughWarning, stacklevel=2)
    return rows.part(np.delete(np.arange(len(rows)), again).tolist())


def _warn_of_milliseconds(rows: Columns) -> None:
    """Warn of times without a unit that count as those of a recorder in milliseconds do."""
    t, name = rows.given["t"], rows.header["t"].written
    steps = np.diff(t)
    if rows.header["t"].unit or len(t) < MANY or not (steps >= 1.0).all() or (t != np.round(t)).any():
        return
    line = f"{rows.source}: rows are {np.median(steps):.6g} s apart: is {name} in ms? (write {name} [ms], or [s])"
    warnings.warn(line, GoughWarning, stacklevel=2)


def _warn_of_relative_values(robot: Robot, rows: Columns, convention: Convention) -> None:
    """Warn of a column of places about 0 that never come to home."""
    for value, home in zip(convention.values(robot), convention.stated(robot, robot.platform.home), strict=True):
        name = value.name
        if value.turns or name not in rows:
            continue
        column = rows[name]
        if np.median(np.abs(column)) < NEAR_ZERO * abs(home) and np.abs(column).max() < abs(home):
            hint = "does it count from home? (say CsvLayout(relative=True))"
            usual = float(np.median(np.abs(rows.given[name])))
            metres = NEAR_ZERO * abs(home) <= usual <= abs(home) / NEAR_ZERO
            if not rows.header[name].unit and rows.scale[name] != 1.0 and metres:
                remedy = f"leave its unit out of CsvLayout.units, or write {name} [m] in the header"
                hint = f"is it in metres? ({remedy}; if it counts from home, say CsvLayout(relative=True))"
            extent = f"{column.min() + 0.0:.3g} to {column.max():.3g} m, home is {home:.3g} m"
            warnings.warn(f"{rows.source}: {name}: {extent}: {hint}", GoughWarning, stacklevel=2)


def _from_home(robot: Robot, rows: Columns, convention: Convention) -> Columns:
    """Return the rows with values that counted from home."""
    if convention.name == "quaternion":
        raise MotionError("relative", "", None, "cannot go with convention quaternion", "quaternions do not add")
    given = dict(rows.given)
    for value, home in zip(convention.values(robot), convention.stated(robot, robot.platform.home), strict=True):
        if value.name in rows:
            given[value.name] = given[value.name] + home / rows.scale[value.name]
    return replace(rows, given=given)
