"""The controller's sample, recorded: from the robot's state to the forces on it, through sensors and estimation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.dynamics.distribution import Demand, allocate
from gough.dynamics.drives import rates, winches
from gough.dynamics.generalized_forces import wrench_force
from gough.dynamics.moving_base import BaseRates
from gough.graph import Array, Vector, array, maximum, minimum, record
from gough.kinematics.tool import wrench_at_origin
from gough.motion import MovingBase
from gough.run import Program
from gough.simulation.control.controller import Controller, same_geometry
from gough.simulation.control.known_model import base_force, estimate, load_of
from gough.simulation.control.noise import normals, rounded
from gough.simulation.system import System, system_of


class Sample(NamedTuple):
    """What a controller's sample gives.

    Attributes:
        force: (actuators,).
        guess: Estimated configuration, from which the next estimate starts.
        missing: (actuators,) what the estimate misses of the displacements read.
        reading: (actuators,) the displacements read.
    """

    force: Any
    guess: Any
    missing: Any
    reading: Any


@dataclass(frozen=True)
class Loop:
    """A controller closed around a plant.

    Attributes:
        controller: As given.
        plant: The simulated robot.
    """

    controller: Controller
    plant: System

    @cached_property
    def model(self) -> System:
        """The controller's own robot."""
        known = self.controller.robot
        if known is None or known == self.plant.robot:
            return System(self.plant.robot, self.plant.formulation, (), self.plant.slip)
        return system_of(known)

    @cached_property
    def estimates(self) -> bool:
        """Whether the state has to be found from the sensors: noise, encoders, or another geometry."""
        if self.step is not None:
            return True
        if self.deviations is not None and any(np.any(deviation) for deviation in self.deviations):
            return True
        return not same_geometry(self.model.robot, self.plant.robot) or self._varied_geometry()

    @cached_property
    def deviations(self) -> tuple[Any, Any] | None:
        """Standard deviations of the sensed q and qd, or None."""
        noise = self.controller.noise
        return None if noise is None else noise.deviations(self.plant.robot)

    @cached_property
    def step(self) -> Any:
        """Step of the encoders, one for all or (actuators,), or None."""
        noise = self.controller.noise
        return None if noise is None else noise.steps(self.plant.robot)

    def _varied_geometry(self) -> bool:
        from gough.robot.addresses import value_at

        robot = self.plant.robot
        for path in self.plant.free:
            value = value_at(robot, path)
            if not same_geometry(robot, robot.replace({path: value * 1.0001 if value else 1e-4})):
                return True
        return False

    @cached_property
    def largest(self) -> Array | None:
        """(actuators,) bounds of the forces, or None."""
        return self.controller.largest(self.plant.robot)

    def reference(self, t: float | Array) -> Array:
        """(T, k) what the law follows at times t (T,)."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        blocks = [self.controller.law.reference(self.model, self.controller.motion, times)]
        if self.loaded:
            blocks.append(load_of(self.controller.motion, times))
        if self.base is not None:
            blocks.append(self.base.state(times).felt(self.model.robot.gravity))
        return np.hstack(blocks)

    def split(self, u: Vector) -> tuple[Any, Any, Any]:
        """Of a reference: what the law follows, the external wrench (6,) and the motion of the base (9,), or None."""
        base = wrench = None
        if self.base is not None:
            u, base = u[:-9], u[-9:]
        if self.loaded:
            u, wrench = u[:-6], u[-6:]
        return u, wrench, base

    @property
    def loaded(self) -> bool:
        """Whether the motion has an external wrench, which is then part of the reference."""
        return self.controller.motion.load is not None

    @property
    def base(self) -> MovingBase | None:
        """How the controller takes the base to move, which is then the last part of the reference."""
        return self.controller.motion.base

    @cached_property
    def size(self) -> int:
        """k: entries of the reference."""
        return int(self.reference(np.array([self.controller.motion.start])).shape[1])

    @property
    def draws(self) -> int:
        """Uniform numbers a sample takes."""
        return 2 * len(self.plant.robot.actuators) if self.controller.noise is not None else 0

    def sample(
        self,
        c: Vector,
        z: Vector,
        u: Vector,
        draw: Vector = None,
        guess: Vector = None,
        reading: Vector = None,
        p: Vector = None,
    ) -> Sample:
        """What a sample gives in a state, for a reference u, draws, and a guess and a reading of the sample before."""
        m = len(self.plant.robot.actuators)
        sensed = self.plant.sensors(c, z, p)
        q, qd = sensed["q"], sensed["qd"]
        if self.deviations is not None:
            errors, (position, rate) = normals(draw), self.deviations
            q, qd = q + errors[:m] * position, qd + errors[m:] * rate
        if self.step is not None:
            q = rounded(q, self.step)
            qd = (q - reading) / self.controller.sample_time
        missing: Any = np.zeros(m)
        if self.estimates:
            c, z, missing = estimate(self.model, guess, q, qd)
        followed, wrench, base = self.split(u)
        force = array(self.controller.law.force(self.model, c, z, q, qd, followed))
        shared = self.model.robot.actuation
        if wrench is not None or base is not None or (shared is not None and shared.limited):
            motion = self.model.motion(c, z)
            pose = motion.pose
            more: Any = np.zeros(self.model.robot.dof)
            if wrench is not None:
                more = more - wrench_force(pose, wrench_at_origin(pose, wrench))
            if base is not None:
                more = more + base_force(self.model, c, z, BaseRates.of(base))
            asked = Demand(pose.jacobian(), more, force)
            if winches(self.model.robot):
                # Friction is known of the rates; a rotor's acceleration is not, and counts with the tension.
                rubbing = self.model.friction(pose.robot.actuators, rates(motion)[0])
                asked = replace(asked, own=force - rubbing).with_drives(self.model.robot, rubbing)
            force = allocate(asked, self.model.robot)
        if self.largest is not None:
            force = array(
                [
                    value if np.isinf(top) else minimum(float(top), maximum(-float(top), value))
                    for value, top in zip(force, self.largest, strict=True)
                ]
            )
        return Sample(force, c, missing, q)

    def inputs(self) -> dict[str, Any]:
        """Inputs of the recorded sample beside the state."""
        shapes: dict[str, Any] = {"u": self.size}
        if self.draws:
            shapes["draw"] = self.draws
        if self.estimates:
            shapes["guess"] = self.plant.configuration.size
        if self.step is not None:
            shapes["reading"] = len(self.plant.robot.actuators)
        return shapes

    def kept(self, found: Sample) -> dict[str, Any]:
        """What the next sample takes of this one."""
        guess = {"guess": array(found.guess)} if self.estimates else {}
        return guess | ({"reading": array(found.reading)} if self.step is not None else {})

    @cached_property
    def program(self) -> Program:
        """From c, z and `inputs` to force, guess and missing."""

        def equations(c: Vector, z: Vector, u: Vector, **more: Vector) -> dict[str, Any]:
            found = self.sample(c, z, u, **more)
            return {"force": found.force} | self.kept(found) | ({"missing": found.missing} if self.estimates else {})

        n, size = self.plant.robot.dof, self.plant.configuration.size
        extra = {"p": len(self.plant.free)} if self.plant.free else {}
        return Program(record(equations, **({"c": size, "z": n} | self.inputs() | extra)))
