"""What a formulation of the dynamics is, and the list of them."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.matrices import Matrices
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.dynamics.state import RobotMotion
from gough.dynamics.virtual_work import VirtualWork
from gough.errors import InputError
from gough.robot.names import did_you_mean


class Formulation(Protocol):
    """Equations from a platform motion to actuator efforts."""

    @property
    def name(self) -> str:
        """By which it is chosen."""

    def effort(
        self, motion: RobotMotion, gravity: Any, wrench: tuple[Any, Any] | None, bodies: set[str] | None = None
    ) -> Any:
        """(actuators,) mechanical efforts, without rotors and the actuators' own friction.

        Args:
            motion: Of the robot.
            gravity: (3,) in B [m/s^2].
            wrench: External force and moment on the platform at the origin of P, base axes; None for none.
            bodies: Names of the only bodies that count, without friction; None for all.
        """


@runtime_checkable
class WithMatrices(Formulation, Protocol):
    """A formulation that also has the model's matrices."""

    @property
    def matrix_coordinates(self) -> str:
        """In which coordinates its `matrices` are: "platform" or "actuator"."""

    def matrices(self, motion: RobotMotion, gravity: Any) -> Matrices:
        """M, C and G; xdd of the motion does not enter."""


FORMULATIONS: tuple[Formulation, ...] = (
    NewtonEuler(),
    VirtualWork(),
    GeneralizedMomentum(),
    OrthogonalComplement(),
    Lagrange(),
    Lagrange(koditschek=True),
)


def choose(formulation: str | Formulation) -> Formulation:
    """The formulation of this name; a formulation is itself. "auto" depends on the robot: see `formulation_for`."""
    if not isinstance(formulation, str) and hasattr(formulation, "effort"):
        return formulation
    for known in FORMULATIONS:
        if known.name == formulation:
            return known
    names = [known.name for known in FORMULATIONS]
    hint = did_you_mean(formulation, names) if isinstance(formulation, str) else ""
    raise InputError(f"formulation {formulation!r}: choose auto, {', '.join(names)}{f' ({hint})' if hint else ''}")
