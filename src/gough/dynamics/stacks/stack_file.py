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
from gough.robot.checks.leg_faults import rotation_fault
from gough.robot.file import fields as f
from gough.robot.file.document import to_document
from gough.robot.file.fields import Table
from gough.robot.file.schema import OriginTable, UnitsTable
from gough.robot.file.small_tables import held_against, read_text, tables_of
from gough.robot.leg_values import IDENTITY, ZERO, Matrix, Vector
from gough.robot.rotation import rotation


@dataclass(frozen=True)
class Stack:
    """A robot whose base stands on the platform of another.

    Attributes:
        name: Name of the two together.
        lower, upper: The robots. Gravity is that of the lower; the upper's own has no effect.
        position: (3,) origin of the upper robot's base in the frame of the lower's platform [m].
        rotation: R_P_B of the upper base in the lower platform.
    """

    __repr__ = brief

    name: str
    lower: Robot
    upper: Robot
    position: Vector = ZERO
    rotation: Matrix = IDENTITY


class StackTable(Table):
    """A whole file: `name`, one-line `description`, `lower` and `upper` robot (a catalogue name, or a file beside this
    one), and `mount`: `position` [m] and `rotation` of the upper's base in the frame of the lower's platform.
    """

    name: f.Name
    description: str = ""
    units: UnitsTable = UnitsTable()
    lower: str
    upper: str
    mount: OriginTable = OriginTable()


def load_stack(path: str | FilePath) -> Stack:
    """The stack of a TOML file, both robots checked.

    Raises:
        RobotError: With every fault of the file, or of a robot's, one line each.
    """
    tables, place = tables_of(read_text(path, "stack"), str(path), "stack")
    document = to_document(held_against(StackTable, tables, place))
    mount = document.get("mount", {})
    R = rotation(mount.get("rotation"))
    faults = [*rotation_fault(R, ("mount", "rotation"))]
    if faults:
        raise place.error(faults)
    lower, upper = (load(_beside(path, document[key])) for key in ("lower", "upper"))
    return Stack(document["name"], lower, upper, vector(mount.get("position", ZERO)), R)


def _beside(path: str | FilePath, name: str) -> str | FilePath:
    """A catalogue name as it is, a file's name from the folder of the stack's."""
    return name if name in catalogue() else FilePath(path).parent / name
