"""`gough export mjcf`: a robot as MuJoCo's MJCF."""

from __future__ import annotations

from gough.cli.exports.model_files import FileOption, write_model
from gough.cli.options import RobotArgument, SettingsOption


def run(robot: RobotArgument, out: FileOption, settings: SettingsOption = []) -> None:  # noqa: B006
    """Write a robot as MJCF, for MuJoCo.

    Loops are connect and weld equalities between sites, parallelograms joint equalities, cables tendons; the keyframe
    home is the assembled machine. Notes on standard error list what the file leaves out or changes; see
    "MuJoCo: a robot as MJCF" in the documentation.

    \b
    Examples:
      gough export mjcf stewart --out stewart.xml
      gough export mjcf delta --set platform.mass=3 --out delta.xml
    """
    write_model("mjcf", robot, out, settings)
