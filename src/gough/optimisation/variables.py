"""The free numbers of a design: numbers of the robot, where the task is, and what its Jacobian is measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Array, Vector
from gough.kinematics.programs import characteristic_length
from gough.problem import Varied
from gough.robot import Mechanism, Robot


@dataclass(frozen=True)
class Extra:
    """A free number that is none of the robot's.

    Attributes:
        name: `task.z`, `task.size`, `task.time`, `length` or `reference.x`.
        low, high: Bounds.
        nominal: Before anything is changed.
        unit: SI.
    """

    name: str
    low: float
    high: float
    nominal: float
    unit: str = "m"


@dataclass(frozen=True)
class Variables:
    """All free numbers p: first those of the robot, then the extra ones.

    Attributes:
        vary: Numbers of the robot.
        extra: Others.
        coordinates: Coordinates of the platform, by name.
        own_length: What turns are divided by where no length is free [m].
        own_reference: (3,) the reference point where it is not free, platform axes [m].
        centre: (n,) about which the task's poses become larger, where their size is free.
    """

    vary: tuple[Varied, ...]
    extra: tuple[Extra, ...]
    coordinates: tuple[str, ...]
    own_length: float
    own_reference: tuple[float, float, float] = (0.0, 0.0, 0.0)
    centre: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.vary) + len(self.extra)

    @property
    def all(self) -> tuple[Any, ...]:
        """Each with name, low, high, nominal and unit."""
        return (*self.vary, *self.extra)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all numbers p."""
        return tuple(v.name for v in self.all)

    @property
    def low(self) -> Array:
        """Lower bounds."""
        return np.array([v.low for v in self.all])

    @property
    def high(self) -> Array:
        """Upper bounds."""
        return np.array([v.high for v in self.all])

    @property
    def nominal(self) -> Array:
        """The robot's own numbers, moved within the bounds."""
        return np.clip([v.nominal for v in self.all], self.low, self.high)

    @property
    def addresses(self) -> list[str]:
        """Of the robot's numbers, tied ones too."""
        return [path for v in self.vary for path in v.changes(v.nominal)]

    def changes(self, p: Sequence[Any] | Vector) -> dict[str, Any]:
        """Numbers of the robot by their addresses, tied ones too."""
        found: dict[str, Any] = {}
        for varied, value in zip(self.vary, p, strict=False):
            found |= varied.changes(value)
        return found

    def robot(self, robot: Robot, p: Sequence[Any] | Vector) -> Mechanism:
        """The mechanism with numbers p, plain or traced."""
        return robot.with_numbers(self.changes(p))

    def moved(self, x: Vector, p: Vector) -> Vector:
        """(n,) coordinates x of a task that is scaled and shifted as p says."""
        out = list(x)
        size = self._extra("task.size", p, 1.0)
        if not isinstance(size, float):
            out = [c + size * (v - c) for v, c in zip(out, self.centre, strict=True)]
        out = [v + s for v, s in zip(out, self.shift(p), strict=True)]
        return np.array(out, dtype=object) if any(not isinstance(v, float) for v in out) else np.array(out)

    def shift(self, p: Vector) -> list[Any]:
        """(n,) by which the task is moved along each coordinate."""
        return [self._extra(f"task.{name}", p, 0.0) for name in self.coordinates]

    def pace(self, p: Vector) -> Any:
        """Factor on the speed of the task as it is stated."""
        return 1.0 / self._extra("task.time", p, 1.0)

    def place(self, name: str) -> int:
        """Index in p of the number with this name."""
        return self.names.index(name)

    def length(self, p: Vector) -> Any:
        """What turns are divided by [m]."""
        return self._extra("length", p, self.own_length)

    def reference(self, p: Vector) -> list[Any]:
        """(3,) the point that the platform's velocity is of, platform axes [m]."""
        return [self._extra(f"reference.{c}", p, own) for c, own in zip("xyz", self.own_reference, strict=True)]

    def _extra(self, name: str, p: Vector, own: float) -> Any:
        for k, extra in enumerate(self.extra):
            if extra.name == name:
                return p[len(self.vary) + k]
        return own


def variables_of(
    robot: Mechanism,
    vary: Sequence[Varied],
    extra: Sequence[Extra],
    length: float | None = None,
    centre: Sequence[float] = (),
) -> Variables:
    """The variables of a robot, turns counted by its characteristic length unless one is given [m]."""
    own = characteristic_length(robot) if length is None else length
    return Variables(tuple(vary), tuple(extra), robot.coordinate_names, own, centre=tuple(map(float, centre)))
