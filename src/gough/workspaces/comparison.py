"""The workspaces of two machines side by side: travel, volume, largest shapes, tilt."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gough.errors import InputError
from gough.table import Result, records
from gough.workspaces.result import Workspace


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of both machines.

    Attributes:
        what: In words.
        unit: SI.
        first, second: The values; None where a machine has not got it.
    """

    what: str
    unit: str
    first: float | None
    second: float | None

    @property
    def relative(self) -> float | None:
        """(second - first) of the larger of the two; None where one is missing."""
        if self.first is None or self.second is None:
            return None
        larger = max(abs(self.first), abs(self.second))
        return (self.second - self.first) / larger if larger else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"relative": self.relative}


class WorkspaceComparison(Result):
    """Two workspaces.

    Attributes:
        names: Of the two machines.
        workspaces: Their own.
        figures: In the order of a workspace's page.
    """

    names: tuple[str, str]
    workspaces: tuple[Workspace, Workspace]
    figures: tuple[Figure, ...] = records()

    FACTS, INDEX, LAYOUT, UNDER = ("names",), "what", "rows", "figures"


def compare_workspaces(
    first: Workspace, second: Workspace, names: tuple[str, str] | None = None
) -> WorkspaceComparison:
    """Two workspaces side by side; axes of the same name are compared.

    Raises:
        InputError: They have no figure in common.
    """
    sides = [_figures(one) for one in (first, second)]
    if not set(sides[0]) & set(sides[1]):
        raise InputError(f"compare: {first.robot.name} and {second.robot.name} have no axis of travel in common")
    keys = list(dict.fromkeys([*sides[0], *sides[1]]))
    figures = tuple(Figure(what, unit, *(side.get((what, unit)) for side in sides)) for what, unit in keys)
    return WorkspaceComparison(names or (first.robot.name, second.robot.name), (first, second), figures)


def _figures(found: Workspace) -> dict[tuple[str, str], float]:
    """By what it is and its unit."""
    values: dict[tuple[str, str], float] = {}
    for row in found.travel:
        unit = "rad" if row.turns else "m"
        values |= {
            (f"travel {row.axis}, whole", unit): row.high - row.low,
            (f"travel {row.axis}, down", unit): row.at - row.low,
            (f"travel {row.axis}, up", unit): row.high - row.at,
        }
    if found.volume is not None:
        values[found.volume.name, found.volume.unit] = found.volume.measure
    names = {"cube": "half side of the largest cube", "box": "half side of the largest box"}
    for shape in found.shapes:
        values[names.get(shape.shape, f"radius of the largest {shape.shape}"), "m"] = shape.size
    if found.tilts is not None:
        values["tilt in every direction", "rad"] = found.tilts.least
    return values
