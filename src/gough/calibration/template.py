"""A file for measurements to fill in."""

from __future__ import annotations

import numpy as np

from gough.calibration.measurements import known_columns
from gough.calibration.sensors import Sensors
from gough.kinematics.inverse import inverse_kinematics
from gough.robot import Robot


def template(robot: Robot) -> str:
    """CSV text: comments on what may be measured, a header with units, and the values at home as a comment."""
    coordinates = [c.name for c in robot.platform.all_coordinates]
    read = [f"q{k + 1}" for k in range(len(robot.actuators))]
    columns = (*coordinates, *read)
    sensors = Sensors(robot, columns)
    header = [f"{name} [{'deg' if sensors.is_angle(name) else 'mm'}]" for name in columns]
    found = inverse_kinematics(robot, np.array(robot.platform.home))
    follows = [] if found.dependent is None else found.dependent.tolist()
    values = [*robot.platform.in_order(robot.platform.home, follows), *found.q]
    factors = [180 / np.pi if sensors.is_angle(name) else 1e3 for name in columns]
    home = [f"{float(v) * f:.9g}" for v, f in zip(values, factors, strict=True)]
    passive = [name for name in known_columns(robot) if "." in name]
    of_encoders = ", ".join(f"{q} of {name}" for q, name in zip(read, robot.actuator_names, strict=True))
    more = f", {passive[0]} or another passive joint" if passive else ""
    return (
        "\n".join(
            [
                f"# Measurements of {robot.name} for `gough calibrate`: one row for each pose of the platform.",
                f"# Encoder readings: {of_encoders}. All are needed.",
                "# Measured beside them, what you have: leave out columns, or cells that were not measured.",
                f"# Pose: {', '.join(coordinates)}, in the robot's frame; by a tracker elsewhere with --tracker,",
                "# of a target elsewhere on the platform with --target.",
                f"# Further columns: incline_x, incline_y (rise of the platform's axes){more};",
                "# A.x, A.y, A.z of a point --point A=X,Y,Z; d1 of a ball bar --bar d1=X,Y,Z:X,Y,Z (base, platform).",
                "# Units are those of the header; any others may stand there. t, row, pose and comment are for people.",
                f"# Which poses: gough calibrate {robot.name} --plan 30",
                ",".join(header),
                f"# at home: {','.join(home)}",
            ]
        )
        + "\n"
    )
