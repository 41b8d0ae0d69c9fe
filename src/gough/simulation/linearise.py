"""Equations of motion linearised about any state, by exact derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.dynamics.acceleration import coordinate_acceleration, free_acceleration, mechanical_effort
from gough.dynamics.contract import DEFAULT
from gough.dynamics.drives import rates
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import NumericalError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.tool import wrench_at_origin
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot, by_mechanism
from gough.robot.actuator_quantities import of_actuators
from gough.run import Program
from gough.simulation.arguments import start_state
from gough.simulation.system import system_of
from gough.table import Result, column, computed


class Linearisation(Result):
    """d/dt (x, xd) = rate + A (dx, dxd) + B dforce about a state.

    Attributes:
        robot: The robot.
        coordinates, actuators: Names on the axes.
        x, xd: (n,) the state.
        force: (actuators,) forces at the state.
        xdd: (n,) accelerations at the state.
        A: (2 n, 2 n), states x then xd.
        B: (2 n, actuators).
    """

    robot: Robot
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    x: Array
    xd: Array
    force: Array
    xdd: Array
    A: Array = column("by_state:_states")
    B: Array = column("actuator")

    COLUMNS, FACTS, INDEX = ("_states", "A", "B"), ("robot", "x", "xd", "force", "xdd"), "state"

    @property
    @computed(name="state")
    def _states(self) -> list[str]:
        return [*self.coordinates, *(f"xd_{name}" for name in self.coordinates)]


@by_mechanism(16)
def linear_program(robot: Mechanism, slip: float | str | None = None) -> Program:
    """From x, xd, force, wrench to xdd and its derivatives.

    Coulomb friction has the sign of the rates, and no slope; with a slip speed it fades as in the simulation.
    """
    ways, n = ways_of(robot), robot.dof
    system = None if slip is None else system_of(robot, slip=slip)

    def equations(x: Vector, xd: Vector, force: Vector, wrench: Vector) -> dict[str, Any]:
        pose = robot_pose(robot, ways, x)
        motion = RobotMotion(pose, xd, np.zeros(n))
        if system is None:
            effort = mechanical_effort(motion, force)
        else:
            effort = force - system.friction(motion.pose.robot.actuators, rates(motion)[0])
        outer = wrench_at_origin(pose, wrench)
        zd = free_acceleration(DEFAULT, pose, xd, effort, array(robot.gravity), outer)
        xdd = coordinate_acceleration(pose, xd, zd)
        return {
            "xdd": xdd,
            "by_x": jacobian(xdd, x),
            "by_xd": jacobian(xdd, xd),
            "by_force": jacobian(xdd, force),
        }

    return Program(record(equations, x=n, xd=n, force=len(robot.actuators), wrench=6), "blocks")


def linearise(
    robot: Robot,
    state: StateLike | None = None,
    force: ArrayLike | None = None,
    *,
    slip: float | str | None = None,
) -> Linearisation:
    """A and B about a state.

    Coulomb friction has no slope: at rest it is left out altogether, and about a moving state it is a constant force
    against the motion, as in `forward_dynamics`. A and B are those of the machine with viscous friction alone. With a
    slip speed, Coulomb friction is the smooth one of `simulate`, coulomb qd / sqrt(qd^2 + slip^2): at rest a damping of
    coulomb / slip, usually far above everything else.

    Args:
        robot: Any robot.
        state: A single state, of which x, xd and wrench count; home at rest by default.
        force: (actuators,), numbers or texts with their units, "2 kN"; those that hold the robot still at x by default.
        slip: Speed below which Coulomb friction fades, above 0 [m/s or rad/s], or a text with its unit, "1 mm/s".

    Raises:
        InputError: A slip speed that is none.
        NumericalError: The pose is singular, or the coordinates' own chart is.
    """
    given = State.of(robot, robot.platform.home if state is None else state).without_base("linearise")
    pose, speed = start_state(robot, State(given.x, given.xd))
    n = len(pose)
    outer = np.zeros(6) if given.wrench is None else given.wrench
    if force is None:
        from gough.dynamics import inverse_dynamics

        force = inverse_dynamics(robot, State(pose, wrench=outer)).force
    at = np.asarray(of_actuators(robot, "force", force, "effort"), dtype=float)
    found = linear_program(robot, slip)(x=pose, xd=speed, force=at, wrench=outer)
    if not all(np.isfinite(value).all() for value in found.values()):
        raise NumericalError("linearise: singular here: the pose, or the angles that describe it")
    A = np.block([[np.zeros((n, n)), np.eye(n)], [found["by_x"], found["by_xd"]]])
    B = np.vstack([np.zeros((n, len(at))), found["by_force"]])
    names = robot.coordinate_names
    return Linearisation(robot, names, robot.actuator_names, pose, speed, at, found["xdd"], A, B)
