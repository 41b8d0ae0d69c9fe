"""Models of other programs, written from a robot and read as one: MJCF, URDF with its loops, SDF."""

from gough.formats.export_robot import ENDINGS, Exported, export_robot
from gough.formats.import_robot import Imported, import_robot

__all__ = ["ENDINGS", "Exported", "Imported", "export_robot", "import_robot"]
