"""What the matrices of a model must be: symmetric, definite, alike by all formulations, and skew where promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.dynamics.force_programs import Model
from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.matrices import Matrices
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.graph import array, jvp, record
from gough.kinematics import inverse_kinematics
from gough.reports.random_states import States
from gough.robot import Robot
from gough.run import Program


@dataclass(frozen=True)
class Check:
    """One property: the worst departure from it, relative to the scale named, and in which state.

    Attributes:
        name: What must hold.
        worst: Largest departure of all states, in units in which `limit` is allowed.
        state: Index of the state where.
        limit: What is allowed.
    """

    name: str
    worst: float
    state: int
    limit: float

    @property
    def passed(self) -> bool:
        """Whether the worst is within the limit; what is not a number is not."""
        return bool(self.worst <= self.limit)


def worst_of(name: str, departures: Any, limit: float) -> Check:
    """The check of departures (N, ...): the largest of them; what is not a number is worst."""
    flat = np.asarray(departures, dtype=float).reshape(len(departures), -1)
    by_state = np.where(np.isnan(flat), np.inf, flat).max(axis=1)
    k = int(np.argmax(by_state))
    return Check(name, float(by_state[k]), k, limit)


def matrix_checks(robot: Robot, states: States, lagrange: dict[str, Matrices], limit: float) -> list[Check]:
    """All of them; departures in actuator coordinates are divided by the condition of K."""
    momentum = _with_rates(robot, GeneralizedMomentum(), states)
    complement = _with_rates(robot, OrthogonalComplement(), states)
    yardstick, christoffel = lagrange["lagrange"], lagrange["koditschek"]
    cond = states.condition
    M, M_q = momentum["M"], complement["M"]
    xd = states.xd[:, :, None]
    moving = [(m @ xd)[..., 0] for m in (momentum["C"], yardstick.C, christoffel.C)]
    skew = momentum["Md"] - 2.0 * christoffel.C
    skew_q = complement["Md"] - 2.0 * complement["C"]
    return [
        worst_of("M symmetric (generalized_momentum)", _apart(M, _turned(M)), limit),
        worst_of("M symmetric (orthogonal_complement, actuator coordinates)", _apart(M_q, _turned(M_q)), limit),
        worst_of("M positive definite (smallest eigenvalue below 0, unit diagonal)", _indefinite(M), 0.0),
        worst_of("M alike: generalized_momentum, lagrange", _apart(M, yardstick.M), limit),
        worst_of("M alike: orthogonal_complement, lagrange", _apart(_platform(states, M_q, robot), M) / cond, limit),
        worst_of("C xd alike: generalized_momentum, lagrange, koditschek", _spread(moving), limit),
        worst_of("G alike: generalized_momentum, lagrange", _apart(momentum["G"], yardstick.G), limit),
        worst_of("Md - 2 V skew (koditschek)", _apart(skew, -_turned(skew), momentum["Md"]), limit),
        worst_of("Md - 2 N skew (orthogonal_complement)", _apart(skew_q, -_turned(skew_q), M_q) / cond, limit),
    ]


def _with_rates(robot: Robot, formulation: Any, states: States) -> dict[str, Any]:
    """M, C, G and Md = dM/dt, exactly differentiated."""
    n = robot.dof
    model = Model(robot, formulation)

    def equations(x: Any, xd: Any) -> dict[str, Any]:
        found = formulation.matrices(model.motion(x, xd, np.zeros(n)), array(robot.gravity))
        return {"M": found.M, "C": found.C, "G": found.G, "Md": jvp(found.M, x, xd)}

    results: dict[str, Any] = Program(record(equations, x=n, xd=n), "blocks")(x=states.x, xd=states.xd)
    return results


def _platform(states: States, M_q: Any, robot: Robot) -> Any:
    K = inverse_kinematics(robot, states.x).K
    return _turned(K) @ M_q @ K


def _turned(matrices: Any) -> Any:
    return np.swapaxes(matrices, 1, 2)


def _apart(a: Any, b: Any, scale: Any = None) -> Any:
    """(N,) largest difference over the largest entry."""
    size = np.abs(a if scale is None else scale).reshape(len(a), -1).max(axis=1)
    return np.abs(a - b).reshape(len(a), -1).max(axis=1) / np.where(size == 0.0, 1.0, size)


def _spread(values: list[Any]) -> Any:
    low, high = np.min(values, axis=0), np.max(values, axis=0)
    size = np.abs(values).max(axis=(0, 2))
    return (high - low).max(axis=1) / np.where(size == 0.0, 1.0, size)


def _indefinite(M: Any) -> Any:
    root = np.sqrt(np.diagonal(M, axis1=1, axis2=2))
    unit = M / root[:, :, None] / root[:, None, :]
    smallest = np.linalg.eigvalsh((unit + _turned(unit)) / 2.0)[:, 0]
    return np.where(smallest > 0.0, 0.0, np.maximum(-smallest, 1e-300))
