"""Exact derivatives of the forces with respect to the motion and to design parameters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from gough.dynamics.default import formulation_for
from gough.dynamics.model import Model, force
from gough.errors import InputError
from gough.graph import array, jacobian, record
from gough.robot import Robot
from gough.robot.addresses import value_at
from gough.run import Program

STATE = ("x", "xd", "xdd", "wrench")


@lru_cache(maxsize=32)
def derivative_program(model: Model, wrt: tuple[str, ...]) -> Program:
    """The program of d force / d name for each name: (actuators, n), or (actuators,) for a design parameter."""

    def equations(x: Any, xd: Any, xdd: Any, wrench: Any = None, p: Any = None) -> dict[str, Any]:
        tau = force(model, model.motion(x, xd, xdd, p), wrench)
        given = {"x": x, "xd": xd, "xdd": xdd, "wrench": wrench}
        return {
            f"d{k}": jacobian(tau, given[name] if name in given else p[model.free.index(name)], "forward")
            for k, name in enumerate(wrt)
        }

    return Program(record(equations, **model.inputs()))


def force_derivatives(
    robot: Robot,
    x: Any,
    xd: Any,
    xdd: Any,
    wrench: Any = None,
    *,
    wrt: Sequence[str] = ("x", "xd", "xdd"),
    formulation: str = "auto",
) -> dict[str, Any]:
    """Derivatives of the actuator forces, by name: (N, actuators, n) or (N, actuators), without N for one sample.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) motion.
        wrench: (6,) or (N, 6) external force and moment, or None.
        wrt: "x", "xd", "xdd", "wrench", or paths of numbers of the robot (`gough.robot.paths`).
        formulation: Whose equations are differentiated; all agree.
    """
    if "wrench" in wrt and wrench is None:
        raise InputError('wrt "wrench": there is no external wrench; give wrench=')
    free = tuple(name for name in wrt if name not in STATE)
    model = Model(robot, formulation_for(robot, formulation), wrench is not None, free)
    inputs: dict[str, Any] = {"x": x, "xd": xd, "xdd": xdd}
    if wrench is not None:
        inputs["wrench"] = wrench
    if free:
        inputs["p"] = array([value_at(robot, path) for path in free])
    results = derivative_program(model, tuple(wrt))(**inputs)
    return {name: results[f"d{k}"] for k, name in enumerate(wrt)}
