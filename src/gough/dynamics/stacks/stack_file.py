"""A stack of two robots, from a small TOML file.

name = "tower"
lower = "hexapod"                                  # a robot of the catalogue, or a file beside this one
upper = "wrist.toml"
[mount]                                            # base of the upper robot, in the frame of the lower's platform
position = [0, 0, 0.05]
rotation = { axis = [0, 0, 1], angle = 0.5 }
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path as FilePath

from gough.brief import brief
from gough.graph.triples import vector
from gough.kinematics.kinematic_checks import load
from gough.robot import Robot, catalogue
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of, read_keys
from gough.robot.file.schema import OriginTable, UnitsTable
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.leg_values import IDENTITY, ZERO, Matrix, Vector
from gough.robot.rotation import rotation


@dataclass(frozen=True)
class Stack:
    """A robot whose base stands on the platform of another.

    Attributes:
        name: Name of the two together.
        lower, upper: The robots. Gravity is that of the lower; the upper's own has no effect. The lower has no tool:
            the upper loads its platform at the origin.
        position: (3,) origin of the upper robot's base in the frame of the lower's platform [m].
        rotation: R_P_B of the upper base in the lower platform.
    """

    __repr__ = brief

    name: str
    lower: Robot
    upper: Robot
    position: Vector = ZERO
    rotation: Matrix = IDENTITY

    def __post_init__(self) -> None:
        """Takes the lower robot's tool away."""
        if not self.lower.tool.is_identity:
            object.__setattr__(self, "lower", self.lower.with_tool(ZERO))


class StackTable(Table):
    """A whole file: `name`, one-line `description`, `lower` and `upper` robot (a catalogue name, or a file beside this
    one), and `mount`: `position` [m] and `rotation` of the upper's base in the frame of the lower's platform.
    """

    name = f.NAME.of(needed=True)
    description = f.TEXT
    units = key_of(UnitsTable)
    lower = f.TEXT.of(needed=True)
    upper = f.TEXT.of(needed=True)
    mount = key_of(OriginTable)


def load_stack(path: str | FilePath) -> Stack:
    """The stack of a TOML file, both robots checked.

    Raises:
        RobotError: With every fault of the file, or of a robot's, one line each.
    """
    tables, place = tables_of(read_text(path), str(path), "a stack")
    document = read_keys(StackTable, tables, place)
    mount = document.get("mount", {})
    lower, upper = (load(_beside(path, document[key])) for key in ("lower", "upper"))
    return Stack(document["name"], lower, upper, vector(mount.get("position", ZERO)), rotation(mount.get("rotation")))


def _beside(path: str | FilePath, name: str) -> str | FilePath:
    """A catalogue name as it is, a file's name from the folder of the stack's."""
    return name if name in catalogue() else FilePath(path).parent / name
