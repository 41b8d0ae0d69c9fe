"""The result of inverse dynamics: forces, powers and what they come from, with names on the axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.base_wrench import base_wrench_program
from gough.dynamics.drives import winches, without_winches
from gough.dynamics.force_programs import Model, force_program, inverse_call
from gough.dynamics.parts import bodies_program, parts_program
from gough.dynamics.sharing.margin import least_excess, margins
from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.inverse import near_singular, pose_conditions
from gough.kinematics.programs import kinematics_program
from gough.kinematics.status import Status, status_texts
from gough.motion.recording import Recording
from gough.robot import Actuation, Mechanism
from gough.table import Result, Table, column, computed
from gough.table.formats import json_file
from gough.table.result import robot_block

LATER = ("power", "q", "qd")
"""What of many samples is computed when it is asked for: to store it takes a fifth of the time of the forces."""


@dataclass(slots=True, eq=False)
class Read:
    """Whether `LATER` was read of a result since the last call of its kind: then the next one computes it at once."""

    lately: bool = False


class InverseDynamics(Result):
    """Actuator forces of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: The robot whose forces they are.
        formulation: Name of the formulation that was used.
        coordinates, actuators: Names on the axes.
        x, xd, xdd: (N, n) motion, as given [m or rad, per s, per s^2].
        wrench: (N, 6) or (6,) external force and moment at the robot's tool, base axes, or None.
        force: (N, actuators) joint-side [N or N m].
        t: (N,) of the samples [s], or None where it was not given.
        motion: Name of the motion; empty for arrays.
        recording: Recording of the motion, where it is one: its rows and how they were smoothed.
        base: (N, 9) or (9,) motion of the base: the gravity it feels, its angular velocity and acceleration, base
            axes; None for one that stands still.
    """

    robot: Mechanism
    formulation: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    x: Array = column("coordinate", "displacement", prefix="")
    xd: Array = column("coordinate", "rate")
    xdd: Array = column("coordinate", "acceleration")
    wrench: Any = column("wrench", "force", prefix="")
    force: Array = column("actuator", "force")
    t: Any = column(quantity="s")
    motion: str
    _model: Model = field(repr=False)
    _found: Mapping[str, Any] = field(repr=False)
    _verdict: Mapping[str, Any] = field(repr=False)
    _read: Read = field(repr=False)
    recording: Recording | None = field(default=None, repr=False)
    base: Any = None

    SHOWN: ClassVar = ("q", "qd", "power", "status")
    COLUMNS = (
        *("t", "x", "xd", "xdd", "dependent", "wrench", "q", "qd", "force", "power", "tension", "base_wrench"),
        "status_text",
    )
    INDEX, DRAWN, LAYOUT = "t", ("force", "power", "q"), "arrays"

    @property
    @computed("actuator", "displacement")
    def q(self) -> Array:
        """(N, actuators) displacements from each actuator's zero [m or rad]."""
        return self._later("q")

    @property
    @computed("actuator", "rate")
    def qd(self) -> Array:
        """(N, actuators) rates [m/s or rad/s]."""
        return self._later("qd")

    @property
    @computed("actuator", "W")
    def power(self) -> Array:
        """(N, actuators) force times qd [W]."""
        return self._later("power")

    def _later(self, name: str) -> Array:
        self._read.lately = True
        return self._of_actuators[name]

    @cached_property
    def _of_actuators(self) -> Mapping[str, Array]:
        """`LATER`, which many samples have only when one of them is asked for."""
        if "q" in self._found:
            return self._found
        found = inverse_call(self._model).program.only(LATER, self._inputs())
        lost = self._verdict["status"] > Status.NEAR_SINGULAR
        for values in found.values() if lost.any() else ():
            values[lost] = np.nan
        return found

    @cached_property
    def status(self) -> Any:
        """(N,) of `Status`; whether the pose is near singular is found out when it is asked for."""
        found = self._verdict["status"]
        near = near_singular(self.robot, np.atleast_2d(self.x))
        near = near[0] if self.x.ndim == 1 else near
        return np.where((found == Status.FINE) & near, Status.NEAR_SINGULAR, found)[()]

    @property
    def leg(self) -> Any:
        """(N,) index of the leg that fails, -1 if none."""
        return self._verdict["leg"]

    @property
    def amount(self) -> Any:
        """(N,) how far it falls short [m]; not converged, its closure error; overflow, the largest number given."""
        return self._verdict["amount"]

    @cached_property
    def condition(self) -> Array:
        """(N,) of K for velocities and angular velocities, see `pose_conditions`."""
        return pose_conditions(self.robot, self.x, self.status)

    @cached_property
    @computed("dependent")
    def dependent(self) -> tuple[Any, Any, Any]:
        """(N, k) platform coordinates that follow the others, their rates and accelerations; NaN where there are none.

        They are in the order of `robot.dependent_names`, and computed when asked for.
        """
        values = dependent_coordinates(self.robot, self.x, self.xd, self.xdd)
        lost = np.asarray(self.status) > Status.NEAR_SINGULAR
        return tuple(np.where(lost[..., None], np.nan, value) for value in values)  # type: ignore[return-value]

    @property
    @computed(name="status")
    def status_text(self) -> NDArray[np.str_]:
        """(N,) "fine", "near singular", "out of reach", ..."""
        return status_texts(self.status)

    @property
    def sharing(self) -> str:
        """One line on how actuators share forces, with the sign they have; empty where nothing is shared."""
        shared = self.robot.actuation
        if shared is None:
            return ""
        pulled = "" if not self.robot.cables else "; cables pull: tension = -force"
        if winches(self.robot):
            pulled += ", less what rotors and friction of the winches take"
        return f"forces shared by {shared.text}: K^T force = Q{pulled}, power = force * qd"

    @property
    @computed("cable", "N")
    def tension(self) -> Array:
        """(N, cables) in the cables, `robot.cables`, as the platform feels it [N].

        Minus the force of the actuator, without what its winch spends on its rotor and friction.
        """
        return -self._found.get("shared", self.force)[..., list(self.robot.cables)]

    @cached_property
    def K(self) -> Array:
        """(N, m, n) actuator rates = K xd."""
        return kinematics_program(self.robot, 0)(x=self.x)["K"]

    @cached_property
    def internal(self) -> Array:
        """(N, m, m - n) orthonormal columns: the forces that give the platform nothing, K^T force = 0."""
        good = np.isfinite(self.K).all(axis=(-2, -1), keepdims=True)
        basis = np.linalg.svd(np.where(good, self.K, 0.0))[0][..., :, self.robot.dof :]
        return np.where(good, basis, np.nan)

    @cached_property
    def generalized_force(self) -> Array:
        """(N, n) Q that the actuators must give, also where no forces within their limits do."""
        return np.einsum("...ij,...i->...j", self.K, self._balancing)

    @cached_property
    def _balancing(self) -> Array:
        """(N, m) forces that give the platform what it needs, whether or not they keep to limits."""
        if self.robot.actuation is None or not self.robot.actuation.limited:
            return self.force
        free = replace(self.robot.mechanism, actuation=Actuation())
        return np.asarray(force_program(replace(self._model, robot=free))(**self._inputs()))

    @cached_property
    def _needed(self) -> Array:
        """(N, m) as `_balancing`, without what winches spend beyond the tension in their cables."""
        bare = without_winches(self.robot)
        if bare is self.robot.mechanism:
            return self._balancing
        free = replace(bare, actuation=Actuation())
        return np.asarray(force_program(replace(self._model, robot=free))(**self._inputs()))

    @cached_property
    def margin(self) -> Array:
        """(N,) distance of what the platform needs to the nearest facet of what the actuators can give [N].

        Below 0 outside. Distances are of forces and of moments about the origin of P over the characteristic length;
        of moments alone where every coordinate turns [N m].

        Raises:
            InputError: An actuator has no force limit.
        """
        x, force = (np.reshape(part, (-1, np.shape(part)[-1])) for part in (self.x, self._needed))
        return margins(self.robot, x, force).reshape(np.shape(self.status))[()]

    def least_violating(self) -> Array:
        """(N, m) forces that give the platform what it needs and exceed their limits by as little as can be.

        The largest excess is the least possible; where there are forces within the limits, it is below zero. Of cables
        it is that of the tension. A linear program per sample.
        """
        needed = np.einsum("...ij,...i->...j", self.K, self._needed)
        K, Q = np.reshape(self.K, (-1, *self.K.shape[-2:])), np.reshape(needed, (-1, self.robot.dof))
        found = least_excess(self.robot, K, Q).reshape(self.force.shape)
        return found if not winches(self.robot) else found + (self._balancing - self._needed)

    @property
    def smoothing(self) -> str:
        """One line on how the motion was smoothed; empty where nothing was asked for."""
        return "" if self.recording is None else self.recording.text(self.coordinates)

    def parts(self, platform_coordinates: bool = False) -> dict[str, Any]:
        """By cause (the sum is the force): inertia, velocity, gravity, spring, friction, rotor, external."""
        return self._masked(parts_program(self._model, platform_coordinates)(**self._inputs()))

    @cached_property
    @computed("wrench", "force", prefix="base_")
    def base_wrench(self) -> Array:
        """(N, 6) force and moment that the robot exerts on its base, at the origin of B in base axes [N, N m].

        Weight and inertia of all bodies and the external wrench; NaN where there is no solution.
        """
        found = base_wrench_program(self._model)(**self._inputs())
        return np.where(np.isfinite(self.force).all(axis=-1, keepdims=True), found, np.nan)

    def by_body(self) -> dict[str, Any]:
        """(N, actuators) by body group: what the motion and weight of each takes."""
        return self._masked(bodies_program(self._model)(**self._inputs()))

    def facts(self) -> dict[str, Any]:
        robot = self.robot
        facts: dict[str, Any] = {"robot": robot.name, "motion": self.motion or None, "formulation": self.formulation}
        if robot.actuation is not None:
            facts |= {"criterion": robot.actuation.criterion, "sharing": self.sharing}
        if self.recording is not None and self.smoothing:
            facts["smoothing"] = self.recording.to_dict(self.coordinates)
        facts |= {"coordinates": list(self.coordinates), "actuators": list(self.actuators)}
        if robot.dependent_names:
            facts["dependent_coordinates"] = list(robot.dependent_names)
        return facts | ({"t": None} if self.t is None else {})

    def _remarks(self) -> tuple[str, ...]:
        return tuple(line for line in (self.smoothing, self.sharing) if line)

    def split_table(self, parts: bool = False, by_body: bool = False) -> Table:
        """The table with the force split by cause (`force_gravity_A`), by body (`force_platform_A`), or both."""
        found, splits = self.table, (self.parts() if parts else {}) | (self.by_body() if by_body else {})
        forces = [robot_block(self.robot, f"force_{name}", v, "actuator", "force") for name, v in splits.items()]
        return replace(found, blocks=(*found.blocks[:-1], *forces, found.blocks[-1]))

    def to_csv(
        self, path: str | Path | None = None, *, units: str | None = None, parts: bool = False, by_body: bool = False
    ) -> str:
        """CSV text; see `Table.to_csv` and `split_table`."""
        return self.split_table(parts, by_body).to_csv(path, units=units)

    def to_dict(self, *, parts: bool = False, by_body: bool = False) -> dict[str, Any]:
        """Plain values, SI units and radians; a row of a sample that has no value is None."""
        found = self.table.to_dict()
        for key, wanted, split in (("parts", parts, self.parts), ("by_body", by_body, self.by_body)):
            if wanted:
                blocks = tuple(robot_block(self.robot, k, v, "actuator", "force") for k, v in split().items())
                found[key] = Table(np.size(self.status), blocks, layout="arrays").to_dict()
        return found

    def to_json(self, path: str | Path | None = None, *, parts: bool = False, by_body: bool = False) -> str:
        """JSON text of `to_dict`, written to `path` too, whole or not at all, if one is given."""
        return json_file(self.to_dict(parts=parts, by_body=by_body), path)

    def to_parquet(self, path: str | Path, *, parts: bool = False, by_body: bool = False) -> None:
        """A Parquet file; see `Table.to_parquet` and `split_table`."""
        self.split_table(parts, by_body).to_parquet(path)

    def _inputs(self) -> dict[str, Any]:
        inputs = {"x": self.x, "xd": self.xd, "xdd": self.xdd}
        more = {"wrench": self.wrench, "base": self.base}
        return inputs | {name: value for name, value in more.items() if value is not None}

    def _masked(self, results: dict[str, Any]) -> dict[str, Any]:
        lost = ~np.isfinite(self.force)
        return {name: np.where(lost, np.nan, value) for name, value in results.items()}
