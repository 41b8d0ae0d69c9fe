"""`gough export urdf`: a robot as URDF, with a YAML file of its loops beside it."""

from __future__ import annotations

from gough.cli.exports.model_files import FileOption, write_model
from gough.cli.options import RobotArgument, SettingsOption


def run(robot: RobotArgument, out: FileOption, settings: SettingsOption = []) -> None:  # noqa: B006
    """Write a robot as URDF, with a YAML file of its loops beside it.

    The URDF is a tree with a floating platform; FILE.yaml names the pairs of frames that meet and the driven joints, as
    Gepetto's example-parallel-robots does. Notes on standard error list what the files leave out; see
    "Pinocchio: a robot as URDF with loops" in the documentation.

    \b
    Examples:
      gough export urdf stewart --out stewart.urdf
      gough export urdf delta --set platform.mass=3 --out delta.urdf
    """
    write_model("urdf", robot, out, settings)
