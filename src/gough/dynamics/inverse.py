"""Platform motion in, exact actuator forces out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gough.dynamics.contract import Formulation
from gough.dynamics.default import formulation_for
from gough.dynamics.model import Model, inverse_program
from gough.dynamics.parts import bodies_program, parts_program
from gough.kinematics.model import actuator_names, kinematics_program
from gough.kinematics.status import PoseError, Status, condition_number, judge
from gough.robot import Robot


@dataclass(frozen=True)
class InverseDynamics:
    """Actuator forces of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: Whose forces.
        formulation: Name of the formulation that was used.
        coordinates, actuators: Names on the axes.
        x, xd, xdd: (N, n) motion, as given [m or rad, per s, per s^2].
        wrench: (N, 6) or (6,) external force and moment, or None.
        displacement, velocity: (N, actuators) from each actuator's zero [m or rad, per s].
        force: (N, actuators) joint-side [N or N m].
        power: (N, actuators) force times velocity [W].
        status: (N,) of `Status`.
        leg: (N,) index of the leg that fails, -1 if none.
        amount: (N,) how far it falls short [m].
    """

    robot: Robot
    formulation: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    x: Any
    xd: Any
    xdd: Any
    wrench: Any
    displacement: Any
    velocity: Any
    force: Any
    power: Any
    status: Any
    leg: Any
    amount: Any
    _model: Model = field(repr=False)

    @cached_property
    def condition(self) -> Any:
        """(N,) condition of K, with turning columns divided by the characteristic length."""
        K = kinematics_program(self.robot, 0)(x=self.x)["K"]
        condition = condition_number(self.robot, K.reshape(-1, *K.shape[-2:]))
        return np.where(np.atleast_1d(self.status) > Status.NEAR_SINGULAR, np.nan, condition).reshape(K.shape[:-2])

    def parts(self, platform_coordinates: bool = False) -> dict[str, Any]:
        """(N, actuators) by cause: inertia, velocity, gravity, friction, rotor, external; they sum to the force."""
        return self._masked(parts_program(self._model, platform_coordinates)(**self._inputs()))

    def by_body(self) -> dict[str, Any]:
        """(N, actuators) by body group: what the motion and weight of each takes."""
        return self._masked(bodies_program(self._model)(**self._inputs()))

    def _inputs(self) -> dict[str, Any]:
        inputs = {"x": self.x, "xd": self.xd, "xdd": self.xdd}
        return inputs if self.wrench is None else inputs | {"wrench": self.wrench}

    def _masked(self, results: dict[str, Any]) -> dict[str, Any]:
        lost = ~np.isfinite(self.force)
        return {name: np.where(lost, np.nan, value) for name, value in results.items()}


def inverse_dynamics(
    robot: Robot, x: Any, xd: Any, xdd: Any, wrench: Any = None, formulation: str | Formulation = "auto"
) -> InverseDynamics:
    """Actuator forces for a platform motion, for any legs with inertia.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) platform coordinates, their rates and accelerations [m or rad, per s, per s^2].
        wrench: (6,) or (N, 6) external force [N] and moment [N m] on the platform, base axes, at the origin of P.
        formulation: "auto", a name, or a formulation.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes or names.
    """
    model = Model(robot, formulation_for(robot, formulation), wrench is not None)
    inputs = {"x": x, "xd": xd, "xdd": xdd} | ({} if wrench is None else {"wrench": wrench})
    raw = inverse_program(model)(**inputs)
    single = raw["force"].ndim == 1
    short, converged = np.atleast_2d(raw["short"]), np.atleast_2d(raw["converged"])
    verdict = judge(short, converged)
    verdict.status[~np.isfinite(np.atleast_2d(raw["force"])).all(axis=1) & (verdict.status == 0)] = Status.NEAR_SINGULAR
    lost = verdict.status > Status.NEAR_SINGULAR
    if single and lost[0]:
        raise PoseError(Status(verdict.status[0]), robot.legs[verdict.leg[0]].name, float(verdict.amount[0]))
    if lost.any():
        for name in ("force", "power", "displacement", "velocity"):
            raw[name][lost] = np.nan
    verdicts: dict[str, Any] = {"status": verdict.status, "leg": verdict.leg, "amount": verdict.amount}
    return InverseDynamics(
        robot,
        model.formulation.name,
        tuple(c.name for c in robot.platform.coordinates),
        actuator_names(robot),
        x=np.asarray(x, dtype=float),
        xd=np.asarray(xd, dtype=float),
        xdd=np.asarray(xdd, dtype=float),
        wrench=None if wrench is None else np.asarray(wrench, dtype=float),
        **{name: raw[name] for name in ("displacement", "velocity", "force", "power")},
        **{name: value[0] if single else value for name, value in verdicts.items()},
        _model=model,
    )
