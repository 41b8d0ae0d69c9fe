"""Natural frequencies and mode shapes about an equilibrium that springs in the actuated joints hold."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.dynamics.acceleration import from_free_rates
from gough.dynamics.contract import DEFAULT
from gough.errors import InputError, NumericalError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.configuration import charts, free_turns
from gough.motion import State
from gough.robot import Mechanism
from gough.robot.actuator_quantities import finite_vector, of_actuators
from gough.run import Program
from gough.simulation.arguments import start_state
from gough.simulation.system import System, system_of
from gough.table import Result, column, computed


class Modes(Result):
    """Small motions about an equilibrium, the slowest first.

    Attributes:
        robot: The robot.
        coordinates, actuators: Names on the axes. Turns are about base axes where three coordinates turn.
        x: (n,) the pose.
        stiffness: (actuators,) [N/m or N m/rad].
        force: (actuators,) forces of the springs at the equilibrium: the preload.
        frequency: (n,) [Hz]; negative for an unstable mode: minus its rate of growth over 2 pi.
        shapes: (n, n) mode by mode along the free rates, the largest entry 1, turns times the robot's length.
        actuator_shapes: (n, actuators) the actuators' part in each.
        mass, total_stiffness, geometric_stiffness: (n, n) on the free rates; geometric is what preload and weight add.
    """

    robot: Mechanism
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    x: Array
    stiffness: Array
    force: Array
    frequency: Array = column(quantity="Hz")
    shapes: Array = column("coordinate:coordinates", name="x", prefix="")
    actuator_shapes: Array = column("actuator", name="q")
    mass: Array
    total_stiffness: Array
    geometric_stiffness: Array

    COLUMNS = ("mode", "frequency", "shapes", "actuator_shapes")
    INDEX, DRAWN, UNDER = "mode", ("frequency", "x"), "modes"

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        return bool((self.frequency > 0.0).all())

    @property
    @computed()
    def mode(self) -> NDArray[np.int_]:
        """(n,) number of each mode, from 1."""
        return np.arange(1, len(self.frequency) + 1)

    def facts(self) -> dict[str, Any]:
        own = {"robot": self.robot.name, "x": self.x, "stiffness": self.stiffness, "preload": self.force}
        return own | {"stable": self.stable}


@lru_cache(maxsize=16)
def stiffness_program(system: System) -> Program:
    """At rest at c under forces that change with the actuators: M, K and the derivative of zd by displacement."""
    size, n, m = system.configuration.size, system.robot.dof, len(system.robot.actuators)

    def equations(c: Vector, d: Vector, force: Vector, stiffness: Vector) -> dict[str, Any]:
        space = system.configuration
        still = np.zeros(n)
        here = system.motion(c, still).pose
        q0 = system.sensors(c, still)["q"]
        moved = space.moved(c, d)
        q = system.sensors(moved, still)["q"]
        effort = force - stiffness * (q - q0)
        pose = system.motion(moved, still).pose
        zd = from_free_rates(DEFAULT, pose, still, effort, array(system.robot.gravity), None)
        return {"slope": jacobian(zd, d), "zd": zd, "M": DEFAULT.mass_matrix(here), "K": here.jacobian()}

    return Program(record(equations, c=size, d=n, force=m, stiffness=m), "blocks")


def modes(
    robot: Mechanism, x: ArrayLike | None = None, stiffness: ArrayLike | None = None, structure: ArrayLike | None = None
) -> Modes:
    """Frequencies and shapes of small motions about the equilibrium at x, preload included.

    Args:
        robot: Any robot.
        x: (n,) pose; home by default. The springs carry the robot's weight there.
        stiffness: Stiffness of the actuators, one or (actuators,) [N/m or N m/rad], or texts with units,
            "1e3 N/mm"; by default 1e6, of a cable with elasticity E A / length.
        structure: (n, n) stiffness on the free rates that actuators, joints and links have together, by
            `gough.accuracy.structure`, in place of that of springs in the actuators alone.

    Raises:
        InputError: A pose or stiffness that is none; a state that moves, or with a load.
        NumericalError: The pose is singular.
    """
    from gough.dynamics import inverse_dynamics
    from gough.dynamics.acceleration import with_rotors
    from gough.kinematics.programs import characteristic_length

    at = State.of(robot, robot.platform.home if x is None else x).without_base("modes")
    for what, values in (("rates", at.xd), ("accelerations", at.xdd), ("external wrench", at.wrench)):
        if values is not None and np.any(values):
            raise InputError(f"modes: takes no {what} into account; give a pose at rest without load")
    pose, still = start_state(robot, at.x)
    n = len(pose)
    held = inverse_dynamics(robot, pose)
    given = stiffness_by_default(robot, held.q) if stiffness is None else stiffness
    k = finite_vector("stiffness:", of_actuators(robot, "stiffness", given, "stiffness"), len(robot.actuators))
    system = system_of(robot)
    c = charts(robot)[0](x=pose)
    found = stiffness_program(system)(c=c, d=np.zeros(n), force=held.force, stiffness=k)
    if not np.isfinite(found["slope"]).all():
        raise NumericalError("modes: the pose is singular")
    K = found["K"]
    M = np.asarray(with_rotors(found["M"], system.motion(c, still).pose), dtype=float)
    M = (M + M.T) / 2.0
    total = -M @ found["slope"]
    total = (total + total.T) / 2.0
    springs = K.T @ (k[:, None] * K)
    geometric = total - springs
    if structure is not None:
        total = geometric + finite_vector("structure:", np.ravel(structure), n * n, signed=True).reshape(n, n)
    from scipy.linalg import eigh

    squares, vectors = eigh(total, M)
    turning = np.array([coordinate.turns for coordinate in robot.platform.coordinates])
    length = np.where(turning, characteristic_length(robot), 1.0)
    scaled = vectors.T * length
    largest = scaled[np.arange(n), np.argmax(np.abs(scaled), axis=1)]
    return Modes(
        robot,
        _names(robot),
        robot.actuator_names,
        x=pose,
        stiffness=k,
        force=held.force,
        frequency=np.sign(squares) * np.sqrt(np.abs(squares)) / (2.0 * np.pi),
        shapes=scaled / largest[:, None],
        actuator_shapes=(K @ (vectors / largest)).T,
        mass=M,
        total_stiffness=total,
        geometric_stiffness=geometric,
    )


def stiffness_by_default(robot: Mechanism, q: Vector) -> Array:
    """(actuators,) [N/m or N m/rad]: of a cable with elasticity E A over its length at displacements q, else 1e6."""
    found = np.full(len(robot.actuators), 1e6)
    for k in robot.cables:
        cable = robot.legs[robot.actuator_legs[k]].cable
        if cable is not None and cable.elasticity is not None:
            found[k] = cable.elasticity / (q[k] + robot.actuators[k].zero)
    return found


def _names(robot: Mechanism) -> tuple[str, ...]:
    """Names of the free rates: coordinates, or rx ry rz where three of them turn."""
    coordinates = robot.platform.coordinates
    if not free_turns(robot.platform):
        return tuple(c.name for c in coordinates)
    axes = iter(("rx", "ry", "rz"))
    return tuple(next(axes) if c.turns else c.name for c in coordinates)
