"""`gough export sdf`: a robot as SDF, for Gazebo."""

from __future__ import annotations

from gough.cli.exports.model_files import FileOption, write_model
from gough.cli.options import RobotArgument, SettingsOption


def run(robot: RobotArgument, out: FileOption, settings: SettingsOption = []) -> None:  # noqa: B006
    """Write a robot as SDF, for Gazebo.

    Joints close the loops as they are: ball joints, and fixed ones for rigid ends. Coordinates count from home.
    Notes on standard error list what the file leaves out or changes; see "Gazebo: a robot as SDF" in the documentation.

    \b
    Examples:
      gough export sdf stewart --out stewart.sdf
      gough export sdf delta --set platform.mass=3 --out delta.sdf
    """
    write_model("sdf", robot, out, settings)
