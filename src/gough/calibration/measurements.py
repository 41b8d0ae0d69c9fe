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
from gough.motion.columns import Header, KnownColumns, any_case, read_columns
from gough.motion.faults import too_far
from gough.motion.pose import parse_units
from gough.robot import Mechanism, Robot
from gough.robot.actuator_columns import column_actuator, reading_columns
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


def known_columns(robot: Mechanism, points: Sequence[Point] = (), bars: Sequence[Bar] = ()) -> list[str]:
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
    layout = _layout(robot, known, bars, size, str(path))
    rows = read_columns(path, layout, "rows", gaps=("",))
    columns = tuple(sorted(rows.given, key=known.index))
    used = {column.rpartition(".")[0] for column in columns}
    sensors = Sensors(
        robot, columns, tuple(p for p in points if p.name in used), tuple(b for b in bars if b.name in columns),
        tracker, target,
    )  # fmt: skip
    values = np.stack([rows[name] for name in columns], axis=1)
    missing = np.isnan(values)
    found = Measurements(str(path), sensors, np.where(missing, 0.0, values), missing, tuple(rows.lines))
    _check_values(robot, found, {name for name, cell in rows.header.items() if cell.unit})
    return found


def _layout(robot: Mechanism, known: Sequence[str], bars: Sequence[Bar], units: Units, source: str) -> KnownColumns:
    """Columns of measurements: those of `known`."""
    read, poses = reading_columns(robot), {c.name for c in robot.platform.all_coordinates}
    sensors = Sensors(robot, tuple(known), bars=tuple(bars))

    def resolve(name: str, _: Sequence[str]) -> str:
        """q3 for q_C where C is the third actuator; other names as they are."""
        own = any_case(name, ("t",))
        actuator = None if own in poses else column_actuator(robot, own, "q")
        return own if actuator is None else read[actuator]

    def unknown(name: str, _: Header) -> str | None:
        if name in _FOR_PEOPLE:
            return None
        if name.startswith("d") and name[1:].isdigit():
            return f"a distance: say where, --bar {name}=X,Y,Z:X,Y,Z"
        if "." in name and name.endswith((".x", ".y", ".z")):
            return f"a point of the platform: say where, --point {name[:-2]}=X,Y,Z"
        return did_you_mean(name, known)

    def select(header: Header) -> Sequence[str]:
        missing = [name for name in read if name not in header.names]
        if len(missing) == len(read):
            problem = f"has no encoder readings: columns {read[0]} to {read[-1]} are missing"
            raise CalibrationError(header.place, "", None, problem)
        if missing:
            raise CalibrationError(header.place, missing[0], None, "is missing", f"there are {len(read)} encoders")
        for bar in bars:
            if bar.name not in header.names:
                raise CalibrationError("--bar", bar.name, None, f"is no column of {source}")
        return known

    measures = {name: measure("angle" if sensors.is_angle(name) else "length", units) for name in known}
    example = f"a header such as {','.join([*known[: len(read) + 3], '...'])}"
    return KnownColumns(measures, example, unknown, select, resolve)


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
