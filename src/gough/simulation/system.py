"""A robot as a dynamic system: rates of its state, its sensors and its energy, as recorded programs.

State: c (size,) configuration and z (n,) free rates (see `Configuration`). Input: actuator forces, external wrench.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gough.dynamics.acceleration import free_acceleration, from_free_rates
from gough.dynamics.contract import DEFAULT, Formulation, check_accounted_for
from gough.dynamics.drives import displacements, rates, winches
from gough.dynamics.forward import with_forward_dynamics
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import stored_energy
from gough.errors import InputError
from gough.graph import Graph, Scalar, Vector, array, dot, is_value, minimum, record, solve, sqrt
from gough.kinematics.bodies import body_poses, body_velocities, potential_energy
from gough.kinematics.configuration import Configuration
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.kinematics.tool import wrench_at_origin
from gough.robot import Joint, Mechanism, Robot, content
from gough.robot.actuator_quantities import of_actuators
from gough.run import Program
from gough.run.choose import size_of
from gough.simulation.joint_angles import Cone, cones_of, cosines
from gough.simulation.slack import pulled_by_winches

LARGE = 20_000
"""Operations from which the energy, asked for once per run, is not compiled: that takes longer than a run of NumPy."""


@dataclass(frozen=True)
class System:
    """Equations of motion of a robot.

    Attributes:
        robot: A mechanism, or a robot where numbers stay free.
        formulation: One with forward dynamics.
        free: Paths of numbers that are inputs "p" of the programs, for robots that differ.
        slip: Speed below which Coulomb friction fades [m/s or rad/s], one for each actuator.
    """

    robot: Robot
    formulation: Formulation
    free: tuple[str, ...]
    slip: tuple[float, ...]

    @cached_property
    def configuration(self) -> Configuration:
        """Of the robot in plain numbers."""
        return Configuration(self.robot)

    @cached_property
    def ways(self) -> Ways:
        """How its legs are closed."""
        return ways_of(self.robot, free=self.free)

    def motion(self, c: Vector, z: Vector, p: Vector = None) -> RobotMotion:
        """The robot's motion in free rates, without accelerations, with the free numbers p in their places."""
        robot = self.robot if p is None else self.robot.with_numbers(dict(zip(self.free, p, strict=True)))
        pose = Configuration(robot).pose(self.ways, c)
        return RobotMotion(pose, z, np.zeros(self.robot.dof))

    def rates(
        self, c: Vector, z: Vector, force: Vector, wrench: Vector, p: Vector = None, base: Vector = None
    ) -> dict[str, Any]:
        """Rates of the state, and the powers its audit integrates: work done on the robot, and what friction takes.

        On a base that moves (base: see `BaseRates`) its energies are those that are seen from the base, with weight as
        on a base that stands still; what the base's motion adds is work done on the robot.

        Of cables whose winches have rotors or friction also: "pull" and "acting", the pull and force of `Pulled`.
        """
        check_accounted_for(self.formulation, self.robot, base is not None)
        motion = self.motion(c, z, p)
        qd, _ = rates(motion)
        rubbing = self.friction(motion.pose.robot.actuators, qd)
        carried = None if base is None else BaseRates.of(base)
        outer = wrench_at_origin(motion.pose, wrench)

        def accelerated(pose: RobotPose, effort: Vector) -> Vector:
            return self._acceleration(pose, c, z, effort, outer, carried)

        told: dict[str, Any] = {}
        if winches(motion.pose.robot):
            zd, pull, force = pulled_by_winches(motion, force, rubbing, accelerated)
            told = {"pull": pull, "acting": force}
        else:
            force = self.pulled(force)
            zd = accelerated(motion.pose, force - rubbing)
        work = dot(force, qd) + dot(outer[0], motion.twist.v) + dot(outer[1], motion.twist.w)
        if carried is not None:
            still = DEFAULT.bias(motion, motion.gravity, None)
            work = work + dot(z, still - DEFAULT.bias(replace(motion, base=carried), carried.gravity, None))
        lost = dot(rubbing, qd) + passive_loss(motion)
        return {"cd": self.configuration.rate(c, z), "zd": zd, "work": work, "lost": lost} | told

    def pulled(self, force: Vector) -> Vector:
        """(..., actuators) forces that act, without winches: a cable that would have to push is slack, and has none."""
        cables = set(self.robot.cables)
        if not cables:
            return force
        columns = [minimum(force[..., k], 0.0) if k in cables else force[..., k] for k in range(force.shape[-1])]
        return np.stack(columns, axis=-1)

    def carried_rates(
        self, c: Vector, z: Vector, force: Vector, wrench: Vector, base: Vector, p: Vector = None
    ) -> dict[str, Any]:
        """The rates on a base that moves."""
        return self.rates(c, z, force, wrench, p, base)

    def _acceleration(
        self,
        pose: RobotPose,
        c: Vector,
        z: Vector,
        effort: Vector,
        wrench: tuple[Any, Any],
        base: BaseRates | None = None,
    ) -> Vector:
        """(n,) zd. Formulations that need the rates of coordinates inherit the singularities of their chart."""
        gravity = array(pose.robot.gravity) if base is None else base.gravity
        if self.formulation.solved_for is not SolvedFor.COORDINATES:
            return from_free_rates(self.formulation, pose, z, effort, gravity, wrench, base)
        there = robot_pose(pose.robot, self.ways, Configuration(pose.robot).coordinates(c))
        xd = solve(there.platform.chart(), z)
        return free_acceleration(self.formulation, there, xd, effort, gravity, wrench, base)

    def sensors(self, c: Vector, z: Vector, p: Vector = None) -> dict[str, Any]:
        """Actuator displacements and rates."""
        motion = self.motion(c, z, p)
        return {"q": displacements(motion), "qd": rates(motion)[0]}

    def watch(self, c: Vector, z: Vector, p: Vector = None) -> dict[str, Any]:
        """What events and audits look at: legs' shortfall and closure, K, joints with a stroke, cosines of cones."""
        pose = self.motion(c, z, p).pose
        return {
            "short": array([leg.closure.short for leg in pose.legs]),
            "residual": array([leg.residual(pose.platform) for leg in pose.legs]),
            "K": pose.jacobian(),
            "limited": array([0.0, *[self._reading(pose, leg, k) for leg, k, _ in self.limited]]),
            "cosines": array([1.0, *cosines(self.cones, pose)]),
        }

    @cached_property
    def cones(self) -> tuple[Cone, ...]:
        """Universal joints and spherical ends with a stated largest angle."""
        return cones_of(self.robot, robot_pose(self.robot, self.ways, np.array(self.robot.platform.home)))

    @cached_property
    def limited(self) -> tuple[tuple[int, int, Joint], ...]:
        """Leg and place of each joint with a stated stroke."""
        return tuple(
            (number, k, joint)
            for number, leg in enumerate(self.robot.legs)
            for k, joint in enumerate(leg.joints)
            if joint.limits.stroke is not None
        )

    def _reading(self, pose: RobotPose, leg: int, k: int) -> Scalar:
        joint = pose.legs[leg].leg.joints[k]
        return pose.legs[leg].coordinates[k].value(joint.start) - joint.zero

    def energy(self, c: Vector, z: Vector, p: Vector = None) -> dict[str, Any]:
        """Kinetic (rotors included) and potential energy (springs included) [J]."""
        motion = self.motion(c, z, p)
        counted = body_poses(motion.pose)
        moving = body_velocities(motion.pose, counted, motion.twist.v, motion.twist.w)
        kinetic: Any = 0.0
        for b, (v, w) in zip(counted, moving, strict=True):
            kinetic = kinetic + (dot(v, v) * b.body.mass + dot(w, b.spin_momentum(w))) * 0.5
        qd, _ = rates(motion)
        for joint, rate in zip(motion.pose.robot.actuators, qd, strict=True):
            kinetic = kinetic + rate * rate * (0.5 * joint.rotor_inertia * joint.gear * joint.gear)
        potential = potential_energy(counted, motion.pose.robot.gravity) + stored_energy(motion.pose)
        return {"kinetic": kinetic, "potential": potential}

    def friction(self, joints: tuple[Joint, ...], qd: Vector) -> Vector:
        """(actuators,) friction of the actuators, Coulomb's faded in below the slip speed: v / sqrt(v^2 + slip^2)."""
        efforts = []
        for joint, rate, slip in zip(joints, qd, self.slip, strict=True):
            effort = rate * joint.viscous
            if not is_value(joint.coulomb, 0.0):
                effort = effort + rate / sqrt(rate * rate + slip * slip) * joint.coulomb
            efforts.append(effort)
        return array(efforts)

    def program(self, name: str) -> Program:
        """The program of `rates`, `carried_rates`, `sensors`, `watch` or `energy`, made once."""
        made: dict[str, Program] = self.__dict__.setdefault("_programs", {})
        if name not in made:
            graph = self.graph(name)
            made[name] = Program(graph, "blocks" if name == "energy" and size_of(graph) > LARGE else "auto")
        return made[name]

    def graph(self, name: str) -> Graph:
        """The graph of `rates`, `carried_rates`, `sensors`, `watch` or `energy`."""
        n = self.robot.dof
        inputs: dict[str, Any] = {"c": self.configuration.size, "z": n}
        if name in ("rates", "carried_rates"):
            inputs |= {"force": len(self.robot.actuators), "wrench": 6}
        if name == "carried_rates":
            inputs["base"] = 9
        if self.free:
            inputs["p"] = len(self.free)
        return record(getattr(self, name), **inputs)


def passive_loss(motion: RobotMotion) -> Scalar:
    """Power that viscous friction takes in the passive joints [W]."""
    total: Any = 0.0
    for number, leg in enumerate(motion.pose.legs):
        for k, joint in enumerate(leg.leg.joints):
            if joint.is_passive_viscous:
                rate = motion.leg_rates[number][k]
                total = total + rate * rate * joint.viscous
    return total


def system_of(
    robot: Mechanism,
    formulation: str | Formulation = "auto",
    free: tuple[str, ...] = (),
    slip: float | str | None = None,
) -> System:
    """The system of a robot.

    Args:
        robot: Any robot.
        formulation: "auto", a name, or a formulation; it must have forward dynamics.
        free: Paths of numbers that may differ from robot to robot.
        slip: Speed below which Coulomb friction fades; by default 1e-3 of each actuator's speed limit, or 1e-3 per s.

    Raises:
        InputError: A slip speed that is not above 0; a formulation without forward dynamics.
    """
    return _system(content(robot, free), formulation, free, slip)


@lru_cache(maxsize=32)
def _system(robot: Robot, formulation: str | Formulation, free: tuple[str, ...], slip: float | str | None) -> System:
    chosen = with_forward_dynamics(formulation)
    joints = robot.actuators
    speeds = tuple(1e-3 * (joint.limits.speed or 1.0) for joint in joints)
    if slip is not None:
        speeds = tuple(np.broadcast_to(of_actuators(robot, "slip", slip, "speed"), len(joints)).tolist())
        if not all(0.0 < speed < np.inf for speed in speeds):
            raise InputError(f"slip: {slip} given, must be a speed above 0")
    return System(robot, chosen, free, speeds)
