"""Options that say how poses are stated: rotation convention and pivot."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.options import choice
from gough.errors import InputError
from gough.motion.conventions import NAMES, Convention

ConventionOption = Annotated[
    str | None,
    typer.Option("--convention", metavar="NAME", help="Pose convention: robot, fixed-xyz, uvw or quaternion. [robot]"),
]
PivotOption = Annotated[
    str | None,
    typer.Option("--pivot", metavar="X,Y,Z", help="Point of the platform that poses refer to (platform axes)."),
]


def convention_of(name: str | None, pivot: str | None, units: str) -> Convention:
    """The convention of the options.

    Raises:
        InputError: An unknown name, or a pivot that is not three numbers.
    """
    chosen = "robot" if name is None else choice("--convention", name, NAMES)
    if pivot is None:
        return Convention(chosen)
    from gough.cli.option_values import quantities
    from gough.motion import parse_units
    from gough.robot.quantities import measure

    values = quantities("--pivot", pivot, "x,y,z", measure("length", parse_units(units)))
    if len(values) != 3:
        raise InputError(f"--pivot {pivot}: must be three numbers x,y,z, not {len(values)}")
    return Convention(chosen, (values[0], values[1], values[2]))
