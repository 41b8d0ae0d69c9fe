"""What a formulation of the dynamics is, and the list of them.

A formulation given as an object works everywhere that a name does: nothing else knows the formulations by name or type.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from gough.dynamics.distribution import Demand, distribute
from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.matrices import Matrices, SolvedFor
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.dynamics.record_coordinates import at_fixed_rates
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.virtual_work import VirtualWork
from gough.errors import InputError
from gough.graph import Vector
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism
from gough.robot.names import did_you_mean

Wrench = tuple[Any, Any]


class Formulation(Hashable, Protocol):
    """A formulation of the dynamics: equations from a platform motion to the forces it requires.

    Equal values are the same formulation.
    """

    @property
    def name(self) -> str:
        """By which it is chosen."""

    @property
    def solved_for(self) -> SolvedFor:
        """What its forward dynamics solves for; decides which of the protocols below it follows."""

    @property
    def matrix_coordinates(self) -> str | None:
        """In which coordinates its `matrices` are, "platform" or "actuator"; None if it has none."""

    @property
    def yardstick(self) -> bool:
        """Whether it is kept for comparison: many times dearer than the others, and run only where it is asked for."""

    @property
    def accounts_for(self) -> frozenset[str]:
        """What its equations include beyond inertia, weight and wrench: of "base", "friction" and "springs".

        That is the motion of the base, viscous friction in passive joints, and springs. A robot or a motion that has
        what is missing here is refused; a formulation without this member accounts for none of them.
        """

    def demand(
        self, motion: RobotMotion, gravity: Vector, wrench: Wrench | None, bodies: set[str] | None = None
    ) -> Demand:
        """What the motion asks of the actuators, without their rotors and their own friction.

        Args:
            motion: Motion of the robot, relative to the base; `motion.base` is how the base moves.
            gravity: (3,) in B, as a moving base feels it [m/s^2].
            wrench: External force and moment on the platform at the origin of P, base axes; None for none.
            bodies: Names of the only bodies that count, without friction and springs; None for all.
        """


class WithMatrices(Formulation, Protocol):
    """A formulation whose `matrix_coordinates` is not None."""

    def matrices(self, motion: RobotMotion, gravity: Vector) -> Matrices:
        """M, C and G; accelerations of the motion do not enter."""


class WithMassMatrix(Formulation, Protocol):
    """A formulation solved for the accelerations of the platform."""

    def mass_matrix(self, pose: RobotPose) -> Vector:
        """(n, n) M on the rates of the pose's platform."""

    def bias(self, motion: RobotMotion, gravity: Vector, wrench: Wrench | None) -> Vector:
        """(n,) generalised force of rates, weight, springs, wrench and passive friction; accelerations do not enter."""


class WithActuatorMassMatrix(Formulation, Protocol):
    """A formulation solved for the accelerations of the actuators."""

    def actuator_mass_matrix(self, pose: RobotPose, factor_K: Vector) -> Vector:
        """(actuators, actuators) M, given the factorised Jacobian of the pose's rates."""


DEFAULT = NewtonEuler()
"""The formulation used where none is named: the fewest operations on every robot tried; all agree, so cost decides."""

FORMULATIONS: tuple[Formulation, ...] = (
    DEFAULT,
    VirtualWork(),
    GeneralizedMomentum(),
    OrthogonalComplement(),
    Lagrange(),
    Lagrange(koditschek=True),
)
"""What is compared, counted and chosen from."""

VARIANTS: tuple[Formulation, ...] = (VirtualWork(recursion="full"),)
"""The same equations another way, by name only: the papers' recursion without the short cut for thin legs."""

NAMES = tuple(known.name for known in (*FORMULATIONS, *VARIANTS))


def choose(formulation: str | Formulation) -> Formulation:
    """The formulation of this name, "auto" for the default; a formulation is itself.

    Raises:
        InputError: No formulation has this name.
    """
    if not isinstance(formulation, str):
        if not callable(getattr(formulation, "demand", None)):
            raise InputError(f"formulation {formulation!r}: choose auto, {', '.join(NAMES)}")
        if isinstance(formulation, type):
            raise InputError(
                f"formulation {formulation.__name__}: is a class; give a value of it: {formulation.__name__}()"
            )
        return formulation
    if formulation == "auto":
        return DEFAULT
    for known in (*FORMULATIONS, *VARIANTS):
        if known.name == formulation:
            return known
    hint = did_you_mean(formulation, NAMES, listed=False)
    raise InputError(f"formulation {formulation!r}: choose auto, {', '.join(NAMES)}{f' ({hint})' if hint else ''}")


def check_accounted_for(formulation: Formulation, robot: Mechanism, base: bool = False) -> None:
    """Refuse a formulation whose equations leave out what the robot or its motion has.

    Args:
        formulation: Any; see `Formulation.accounts_for`.
        robot: In plain numbers.
        base: Whether the base moves.

    Raises:
        InputError: It leaves out springs, friction in passive joints, or the motion of the base.
    """
    known: frozenset[str] = getattr(formulation, "accounts_for", frozenset())
    having = {
        "base": (base, "the motion of the base"),
        "friction": (any(joint.is_passive_viscous for joint in robot.joints), "friction in passive joints"),
        "springs": (robot.has_springs, "springs"),
    }
    missing = [name for name, (present, _) in having.items() if present and name not in known]
    if missing:
        what = " and ".join(having[name][1] for name in missing)
        raise InputError(
            f"formulation {formulation.name!r}: does not account for {what} of robot {robot.name}; choose "
            f"another, or add {', '.join(map(repr, missing))} to its accounts_for once its equations include it"
        )


def demand_of(
    formulation: Formulation,
    motion: RobotMotion,
    gravity: Vector,
    wrench: Wrench | None,
    bodies: set[str] | None = None,
) -> Demand:
    """`Formulation.demand`; one whose equations do not hold on any rates may differentiate by x at fixed rates."""
    if formulation.solved_for in (SolvedFor.FREE_RATES, SolvedFor.ACTUATORS):
        return formulation.demand(motion, gravity, wrench, bodies)
    demanded: Demand = at_fixed_rates(formulation.demand, motion, gravity, wrench, bodies)
    return demanded


def effort(
    formulation: Formulation,
    motion: RobotMotion,
    gravity: Vector,
    wrench: Wrench | None,
    bodies: set[str] | None = None,
) -> Vector:
    """(actuators,) mechanical efforts, without rotors and the actuators' own friction: see `Formulation.demand`."""
    return distribute(demand_of(formulation, motion, gravity, wrench, bodies), motion.pose.robot)
