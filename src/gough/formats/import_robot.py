"""A robot from a model of another program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gough.brief import brief
from gough.errors import GoughError, NumericalError
from gough.formats.engines.agreement import Agreement
from gough.formats.linkage import Linkage
from gough.formats.xml_text import FormatError
from gough.robot import Mechanism, Robot

READS = {".urdf": "URDF", ".xml": "MJCF", ".mjcf": "MJCF", ".sdf": "SDF", ".world": "SDF"}
"""Endings of the files that are read, and their formats."""

CLOSED, AGREES = 1e-7, 1e-6
"""Largest closure residual [m or rad] and part of the forces by which an engine may differ."""


@dataclass(frozen=True, eq=False)
class Imported:
    """A robot read from a file of another program.

    Attributes:
        robot: In its explicit form.
        remarks: A line for each thing that was left out or changed, and why.
        agreement: How far it is from what an engine makes of the same file; None where none was asked.
    """

    __repr__ = brief

    robot: Robot
    remarks: tuple[str, ...]
    agreement: Agreement | None

    def to_toml(self) -> str:
        """Text of the robot's file: legs by their short form where one fits exactly, else joint by joint."""
        from gough.formats.reading.short_legs import short_text

        return short_text(self.robot)


def import_robot(
    path: str | Path,
    platform: str | None = None,
    *,
    loops: str | Path | None = None,
    actuated: Sequence[str] | None = None,
    base: str | None = None,
    independent: Sequence[str] | None = None,
    compare: bool = True,
) -> Imported:
    """The robot of a URDF, MJCF or SDF file with loops.

    Args:
        path: The file; its ending tells the format (.urdf; .xml, .mjcf; .sdf, .world).
        platform: Name of the platform's link; found where only one is possible if None.
        loops: YAML file with loops that the format has no place for; beside a URDF the one of its name if None.
        actuated: Names of the driven joints; what the file says if None.
        base: The link that stands still; what the file says if None.
        independent: Platform motions ("x", "yaw" or "rz", ..) that the others follow; those that move most if None.
        compare: Compare closure and forces with the format's engine (Pinocchio, MuJoCo) where it is installed.

    Raises:
        FormatError: The file cannot be read, or has no such robot.
    """
    file = Path(path)
    form = READS.get(file.suffix.lower())
    if form is None:
        raise FormatError(f"{path}: no such format; endings are .urdf, .xml (MJCF) and .sdf")
    try:
        linkage = _linkage(file, form, loops, base)
        from gough.formats.reading.to_robot import robot_of

        found = robot_of(linkage, platform, actuated, base, independent)
        robot = _checked(found.robot)
    except FormatError as error:
        text = str(error)
        raise FormatError(text if text.startswith(str(path)) else f"{path}: {text}") from None
    remarks, agreement = list(found.remarks), None
    if compare:
        from gough.formats.engines.agreement import engine_of

        engine, why = engine_of(file, form, loops)
        if engine is None:
            remarks.append(f"not compared with an engine: {why}")
        else:
            agreement = _agreement(robot, engine, found.names, path)
    return Imported(robot, tuple(remarks), agreement)


def _linkage(file: Path, form: str, loops: str | Path | None, base: str | None) -> Linkage:
    if form == "URDF":
        from gough.formats.reading.read_urdf import read_urdf

        return read_urdf(file, loops, base)
    if form == "MJCF":
        from gough.formats.reading.read_mjcf import read_mjcf

        return read_mjcf(file, loops)
    from gough.formats.reading.read_sdf import read_sdf

    return read_sdf(file, loops)


def _checked(robot: Robot) -> Robot:
    """The robot, if gough can solve it.

    Raises:
        FormatError: With the first of its faults.
    """
    from gough.kinematics.kinematic_checks import checked

    try:
        return checked(robot.with_spec(robot.spec))
    except FormatError:
        raise
    except GoughError as error:
        raise FormatError(str(error).split("\n")[0]) from None


def _agreement(robot: Mechanism, engine: object, names: object, path: str | Path) -> Agreement | None:
    from gough.formats.engines.agreement import compare

    try:
        found = compare(robot, engine, names, poses=20, states=3)  # type: ignore[arg-type]
    except NumericalError as error:
        raise FormatError(
            f"{path}: cannot be compared with the engine: {error}; --no-check writes it as it is"
        ) from None
    if not (found.closure <= CLOSED and found.force <= AGREES):
        raise FormatError(
            f"{path}: the robot is not what {found.engine} makes of the file: loops are off by {found.closure:.2g}, "
            f"forces by {found.force:.2g} of the largest; --no-check writes it as it is"
        )
    return found
