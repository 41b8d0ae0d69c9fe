"""The table `[tool]` of numbers or texts with their units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.errors import InputError
from gough.robot.checks.fault import show
from gough.robot.quantities import QuantityError, measure, quantity


def tool_table(position: Sequence[Any], rotation: Any = None) -> dict[str, Any]:
    """The table of a tool's position (3,) and rotation, as `Robot.with_tool` takes them, SI units and radians.

    Raises:
        InputError: A position that is no point, or a number that cannot be read.
    """
    try:
        point = [quantity(value, measure("length")) for value in position]
    except TypeError:
        point = []
    except QuantityError as error:
        raise InputError(f"tool position: {show(position)}: {error}") from None
    if len(point) != 3:
        raise InputError(f"tool position: {show(position)}: must be three numbers x, y, z, or texts with units")
    return {"position": point} if rotation is None else {"position": point, "rotation": _in_radians(rotation)}


def _in_radians(rotation: Any) -> Any:
    """The rotation with its angles as numbers."""
    if not isinstance(rotation, Mapping):
        return rotation
    try:
        return {key: _angles(value) if key in ("angle", "angles") else value for key, value in rotation.items()}
    except (TypeError, QuantityError) as error:
        raise InputError(f"tool rotation: {show(rotation)}: {error}") from None


def _angles(value: Any) -> Any:
    turn = measure("angle")
    return [quantity(entry, turn) for entry in value] if isinstance(value, (list, tuple)) else quantity(value, turn)
