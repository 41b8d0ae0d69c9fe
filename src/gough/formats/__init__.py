"""Models of other programs, written from a robot: MJCF, URDF with its loops, SDF."""

from gough.formats.export_robot import ENDINGS, Exported, export_robot

__all__ = ["ENDINGS", "Exported", "export_robot"]
