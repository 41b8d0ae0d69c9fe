"""A robot written as a model of another program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gough.errors import InputError
from gough.files import write_whole
from gough.formats.linkage import Linkage
from gough.robot import Robot
from gough.robot.names import did_you_mean

ENDINGS = {"mjcf": (".xml", ".mjcf"), "urdf": (".urdf",), "sdf": (".sdf",)}
"""Endings of the files of each format."""


@dataclass(frozen=True)
class Exported:
    """The result of an export.

    Attributes:
        files: Paths of the files: a URDF has a YAML file of its loops beside it.
        remarks: A line for each thing that they leave out or change.
    """

    files: tuple[Path, ...]
    remarks: tuple[str, ...]


def export_robot(robot: Robot, path: str | Path, target: str | None = None) -> Exported:
    """Write a robot as MJCF (MuJoCo), as URDF with a YAML file of its loops, or as SDF (Gazebo).

    Args:
        robot: A robot of plain numbers.
        path: The file; its ending tells the format.
        target: "mjcf", "urdf" or "sdf"; by the ending if None.

    Raises:
        InputError: No such format, or the format has no place for what the robot is.
        OSError: The file cannot be written; nothing is left behind.
    """
    from gough.formats.from_robot import linkage_of

    file = Path(path)
    chosen = target or next((name for name, ends in ENDINGS.items() if file.suffix.lower() in ends), "")
    if chosen not in ENDINGS:
        known = ", ".join(f"{ends[0]} ({name})" for name, ends in ENDINGS.items())
        hint = f"; {did_you_mean(target, tuple(ENDINGS))}" if target else ""
        raise InputError(f"{target or path}: no such format; endings are {known}{hint}")
    linkage = linkage_of(robot)
    texts, remarks = _texts(linkage, chosen, file)
    for place, text in texts.items():
        write_whole(place, text.encode())
    return Exported(tuple(texts), tuple(remarks))


def _texts(linkage: Linkage, target: str, file: Path) -> tuple[dict[Path, str], list[str]]:
    if target == "mjcf":
        from gough.formats.write_mjcf import mjcf_text

        text, remarks = mjcf_text(linkage)
        return {file: text}, remarks
    if target == "sdf":
        from gough.formats.write_sdf import sdf_text

        text, remarks = sdf_text(linkage)
        return {file: text}, remarks
    from gough.formats.write_urdf import urdf_text

    text, loops, remarks = urdf_text(linkage)
    return {file: text, file.with_suffix(".yaml"): loops}, remarks
