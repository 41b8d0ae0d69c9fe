"""What is asked of an engine that has opened a file, for a comparison with a robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from gough.formats.placement import Floats, Placement


class Engine(Protocol):
    """A model that an engine read from a file by itself; q is its configuration, v and a its nv rates and their rates.

    Attributes:
        name: "MuJoCo 3.2".
        reads_rotors, reads_springs: Whether it takes them from the file.
        gravity: (3,) that it computes with.
    """

    name: str
    reads_rotors: bool
    reads_springs: bool
    gravity: Floats

    def configuration(self, values: Mapping[str, float], free: Mapping[str, Placement]) -> tuple[Floats, Floats]:
        """q with these joints and free bodies there, and (nv,) which of its rates belong to none of them."""
        ...

    def integrated(self, q: Floats, v: Floats) -> Floats:
        """q after moving at rate v for a unit of time."""
        ...

    def loops(self, q: Floats) -> tuple[Floats, Floats]:
        """(rows,) how far the loops are from closed, and (rows, nv) the rate of that."""
        ...

    def link(self, q: Floats, name: str) -> tuple[Placement, Floats]:
        """Where a link is in the world, and (6, nv) velocity of its origin and angular velocity, in world axes."""
        ...

    def inverse(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """(nv,) efforts that the motion of the open tree takes, friction and springs included."""
        ...

    def drives(self, q: Floats, names: Sequence[str]) -> Floats:
        """(nv, motors) effort of a unit force of each of these joints or cables."""
        ...
