"""Measurements from a CSV file, and a template of such a file.

There is one row for each pose; columns are those of `gough.calibration.sensors`.
A header may carry its unit, `x [mm]`. Encoders are q1, q2 ... or q_NAME of an actuator. An empty cell is a value that
was not measured. Columns t, row, pose and comment are there for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.calibration.calibration_error import CalibrationError
from gough.calibration.sensors import Bar, Point, Sensors
from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics
from gough.motion.csv_header import named_columns, unit_size
from gough.motion.csv_rows import is_number, read_lines, to_number
from gough.motion.faults import too_far
from gough.motion.pose import parse_units
from gough.robot import Robot
from gough.robot.actuator_columns import DoubtfulColumn, column_actuator, reading_columns
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import measure

_FOR_PEOPLE = ("t", "time", "row", "pose", "comment", "number")
_SAMPLE = 5
"""Rows from which on a column that never changes is a fault."""
_FOREIGN = 100.0


@dataclass(frozen=True)
class Measurements:
    """Measured values of a file.

    Attributes:
        source: The file.
        sensors: What its columns are.
        m: (N, columns) values [m or rad], 0 where missing.
        missing: (N, columns) True where nothing was measured.
        lines: (N,) line of each row in the file.
    """

    __repr__ = brief

    source: str
    sensors: Sensors
    m: Array
    missing: NDArray[np.bool_]
    lines: tuple[int, ...]

    def place(self, row: int) -> str:
        """Of a row, for messages."""
        return f"{self.source}:{self.lines[row]}"


def known_columns(robot: Robot, points: Sequence[Point] = (), bars: Sequence[Bar] = ()) -> list[str]:
    """Names that a column may have."""
    coordinates = [c.name for c in robot.platform.all_coordinates]
    passive = [name for name, joint in zip(robot.joint_names, robot.joints, strict=True) if not joint.actuated]
    return [
        *reading_columns(robot),
        *coordinates,
        *(f"{point.name}.{axis}" for point in points for axis in "xyz"),
        *(bar.name for bar in bars),
        "incline_x",
        "incline_y",
        *passive,
    ]


def read_measurements(
    robot: Robot,
    path: str | Path,
    units: str | Units | None = None,
    points: Sequence[Point] = (),
    bars: Sequence[Bar] = (),
    tracker: bool = False,
    target: bool = False,
) -> Measurements:
    """The measurements of a CSV file.

    Raises:
        MotionError: One line naming file, row, column and the likely cause.
    """
    size = units if isinstance(units, Units) else parse_units(units or "", "units")
    known = known_columns(robot, points, bars)
    lines = read_lines(path, f"a header such as {','.join([*known[: len(robot.actuators) + 3], '...'])} and rows")
    (number, cells), rows = lines[0], lines[1:]
    place = f"{path}:{number}"
    if all(is_number(cell) for cell in cells):
        raise CalibrationError(place, "", None, f"must be a header such as {','.join(known[:8])}, found numbers")
    named = [(_own_name(robot, place, name), unit) for name, unit in named_columns(place, cells, [])]
    _check_names(place, [name for name, _ in named], known, robot, bars)
    read = [k for k, (name, _) in enumerate(named) if name not in _FOR_PEOPLE]
    order = sorted(read, key=lambda k: known.index(named[k][0]))
    columns = tuple(named[k][0] for k in order)
    used = {column.rpartition(".")[0] for column in columns}
    sensors = Sensors(
        robot, columns, tuple(p for p in points if p.name in used), tuple(b for b in bars if b.name in columns),
        tracker, target,
    )  # fmt: skip
    scale = [_scale(place, sensors, *named[k], size) for k in order]
    m, missing = np.zeros((len(rows), len(order))), np.zeros((len(rows), len(order)), dtype=bool)
    for i, (line, row) in enumerate(rows):
        if len(row) != len(cells):
            hint = "decimal commas? write 0.5 for 0,5" if len(row) > len(cells) else "is a cell missing?"
            raise CalibrationError(
                f"{path}:{line}", "", None, f"has {len(row)} cells, the header has {len(cells)}", hint
            )
        for j, k in enumerate(order):
            missing[i, j] = row[k] == ""
            m[i, j] = 0.0 if missing[i, j] else to_number(f"{path}:{line}", columns[j], row[k]) * scale[j]
    found = Measurements(str(path), sensors, m, missing, tuple(line for line, _ in rows))
    stated = {named[k][0] for k in order if named[k][1]}
    _check_values(robot, found, stated)
    return found


def _own_name(robot: Robot, place: str, name: str) -> str:
    """q3 for q_C where C is the third actuator; other names as they are."""
    if name in {c.name for c in robot.platform.all_coordinates}:
        return name
    try:
        actuator = column_actuator(robot, name, "q")
    except DoubtfulColumn as doubt:
        raise CalibrationError(place, name, None, str(doubt), doubt.hint) from None
    return name if actuator is None else reading_columns(robot)[actuator]


def _check_names(place: str, names: Sequence[str], known: Sequence[str], robot: Robot, bars: Sequence[Bar]) -> None:
    for k, name in enumerate(names):
        if name in _FOR_PEOPLE:
            continue
        if name in names[:k]:
            raise CalibrationError(place, name, None, "is there twice")
        if name not in known:
            hint = did_you_mean(name, known)
            if name.startswith("d") and name[1:].isdigit():
                hint = f"a distance: say where, --bar {name}=X,Y,Z:X,Y,Z"
            elif "." in name and name.endswith((".x", ".y", ".z")):
                hint = f"a point of the platform: say where, --point {name[:-2]}=X,Y,Z"
            raise CalibrationError(place, "", name, "no such column", hint)
    read = reading_columns(robot)
    have = [name in names for name in read]
    if any(have) and not all(have):
        raise CalibrationError(place, read[have.index(False)], None, "is missing", f"there are {len(read)} encoders")
    if not any(have):
        why = f"has no encoder readings: columns {read[0]} to {read[-1]} are missing"
        raise CalibrationError(place, "", None, why)
    for bar in bars:
        if bar.name not in names:
            raise CalibrationError("--bar", bar.name, None, f"is no column of {place.rpartition(':')[0]}")


def _scale(place: str, sensors: Sensors, name: str, unit: str, units: Units) -> float:
    what = measure("angle" if sensors.is_angle(name) else "length", units)
    return unit_size(place, name, unit, what, CalibrationError)


def _check_values(robot: Robot, found: Measurements, stated: set[str]) -> None:
    """Refuse what no sound measurement looks like: columns that never change, numbers in another unit."""
    if not len(found.m):
        raise CalibrationError(found.source, "", None, "has a header but no rows", "one row for each measured pose")
    names, own = list(robot.coordinate_names), not found.sensors.tracker
    for j, name in enumerate(found.sensors.columns):
        rows = np.flatnonzero(~found.missing[:, j])
        values = found.m[rows, j]
        if len(values) == 0:
            raise CalibrationError(found.source, name, None, "is empty in all rows", "leave the column out")
        if len(values) >= _SAMPLE and np.ptp(values) == 0.0:
            if (found.m == found.m[:1]).all():
                raise CalibrationError(found.source, "", None, "all rows are the same", "measure different poses")
            raise CalibrationError(
                found.source, name, float(values[0]), "is the same in all rows", "a sensor that was not read?"
            )
        if name in names and own:
            beyond = too_far(robot, names.index(name), values, name in stated)
            if beyond is not None:
                k, why, hint = beyond
                raise CalibrationError(found.place(int(rows[k])), name, float(values[k]), why, hint)
    _check_encoders(robot, found, stated)


def _check_encoders(robot: Robot, found: Measurements, stated: set[str]) -> None:
    """Refuse readings a hundred times those of the machine at home: millimetres for metres, degrees for radians."""
    from gough.kinematics.inverse import inverse_kinematics

    home = inverse_kinematics(robot, np.array(robot.platform.home)).q
    for name, k in found.sensors.encoders.items():
        joint, values = robot.actuators[k], found.m[:, found.sensors.columns.index(name)]
        reach = [abs(home[k]), *(abs(end) for end in joint.limits.stroke or ())]
        usual = 2 * np.pi if joint.turns else max(*reach, 1e-3)
        row = int(np.argmax(np.abs(values)))
        if np.median(np.abs(values)) > (4.0 if joint.turns else _FOREIGN) * usual:
            unit = ("degrees", "deg") if joint.turns else ("millimetres", "mm")
            hint = "" if name in stated else f"{unit[0]}? write {name} [{unit[1]}], or say --units {unit[1]}"
            about = f"is far beyond the actuator's {float(home[k]):.4g} {'rad' if joint.turns else 'm'} at home"
            raise CalibrationError(found.place(row), name, float(values[row]), about, hint)


def measurement_template(robot: Robot, file: str = "") -> str:
    """CSV text: comments on what may be measured, a header with units, and the values at home as a comment.

    Args:
        robot: Whose measurements.
        file: How commands name it, its name if left out.
    """
    coordinates = [c.name for c in robot.platform.all_coordinates]
    read = reading_columns(robot)
    columns = (*coordinates, *read)
    sensors = Sensors(robot, columns)
    header = [f"{name} [{'deg' if sensors.is_angle(name) else 'mm'}]" for name in columns]
    found = inverse_kinematics(robot, np.array(robot.platform.home))
    follows = [] if found.dependent is None else found.dependent.tolist()
    values = [*robot.platform.in_order(robot.platform.home, follows), *found.q]
    factors = [180 / np.pi if sensors.is_angle(name) else 1e3 for name in columns]
    home = [f"{float(v) * f or 0.0:.9g}" for v, f in zip(values, factors, strict=True)]
    passive = [name for name in known_columns(robot) if "." in name]
    told = [q if q.endswith(f"_{a}") else f"{q} of {a}" for q, a in zip(read, robot.actuator_names, strict=True)]
    more = f", {passive[0]} or another passive joint" if passive else ""
    return (
        "\n".join(
            [
                f"# Measurements of {robot.name} for `gough calibrate`: one row for each pose of the platform.",
                f"# Encoder readings: {', '.join(told)}. All are needed.",
                "# Measured beside them, what you have: leave out columns, or cells that were not measured.",
                f"# Pose: {', '.join(coordinates)}, in the robot's frame; by a tracker elsewhere with --tracker,",
                "# of a target elsewhere on the platform with --target.",
                f"# Further columns: incline_x, incline_y (rise of the platform's axes){more};",
                "# A.x, A.y, A.z of a point --point A=X,Y,Z; d1 of a ball bar --bar d1=X,Y,Z:X,Y,Z (base, platform).",
                "# Units are those of the header and may be changed there. t, row, pose and comment are not read.",
                f"# Which poses: gough calibrate {file or robot.name} --plan 30",
                ",".join(header),
                f"# at home: {','.join(home)}",
            ]
        )
        + "\n"
    )
