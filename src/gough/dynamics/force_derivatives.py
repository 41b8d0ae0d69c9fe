"""Exact derivatives of the forces with respect to the motion and to design parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

from numpy.typing import ArrayLike

from gough.dynamics.contract import Formulation, choose
from gough.dynamics.force_programs import Model, force
from gough.errors import InputError
from gough.graph import jacobian, logical_and, record
from gough.kinematics.check_inputs import check_robot
from gough.kinematics.sampled_call import Call, all_finite, unsound
from gough.robot import Robot
from gough.robot.addresses import value_at

STATE = ("x", "xd", "xdd", "wrench")


@lru_cache(maxsize=32)
def derivative_call(model: Model, wrt: tuple[str, ...]) -> Call:
    """The call of d force / d name for each name.

    Output "dk" belongs to name k: (actuators, n), or (actuators,) for a design parameter. Each parameter is freed by
    itself, for one path may overrule another: `leg.1.joint.3.body.mass` is one of those that `legs.piston.mass` sets.
    """
    parameters = [name for name in wrt if name not in STATE]

    def equations(x: Any, xd: Any, xdd: Any, wrench: Any = None, p: Any = None) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        tau = force(model, motion, wrench)
        state = {"x": x, "xd": xd, "xdd": xdd, "wrench": wrench}
        closures = [leg.closure for leg in motion.pose.legs]
        out = {"sound": reduce(logical_and, (c.reached for c in closures), all_finite(x, xd, xdd, wrench, p))}
        for k, name in enumerate(wrt):
            if name in state:
                out[f"d{k}"] = jacobian(tau, state[name], "forward")
            else:
                value = p[parameters.index(name)]
                freed = replace(model, free=(name,))
                out[f"d{k}"] = jacobian(force(freed, freed.motion(x, xd, xdd, [value]), wrench), value, "forward")
        return out

    return Call(model.robot, record(equations, **replace(model, free=tuple(parameters)).inputs()), unsound)


def force_derivatives(
    robot: Robot,
    x: ArrayLike,
    xd: ArrayLike,
    xdd: ArrayLike,
    wrench: ArrayLike | None = None,
    *,
    wrt: Sequence[str] = ("x", "xd", "xdd"),
    formulation: str | Formulation = "auto",
) -> dict[str, Any]:
    """Derivatives of the actuator forces, by name: (N, actuators, n) or (N, actuators), without N for one sample.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) motion.
        wrench: (6,) or (N, 6) external force and moment, or None.
        wrt: "x", "xd", "xdd", "wrench", or paths of numbers of the robot (`gough.robot.paths`).
        formulation: Whose equations are differentiated; all agree.

    Raises:
        PoseError: A single pose has no solution. Of many samples those without one are NaN.
        PathError: A path that leads nowhere.
        InputError: Wrong shapes or names.
    """
    check_robot(robot)
    names = (wrt,) if isinstance(wrt, str) else tuple(dict.fromkeys(wrt))
    if "wrench" in names and wrench is None:
        raise InputError('wrt "wrench": there is no external wrench; give wrench=')
    values = [value_at(robot, name) for name in names if name not in STATE]
    inputs: dict[str, Any] = {"x": x, "xd": xd, "xdd": xdd}
    if wrench is not None:
        inputs["wrench"] = wrench
    if values:
        inputs["p"] = values
    model = Model(robot, choose(formulation), wrench is not None)
    found = derivative_call(model, names)(inputs).values
    return {name: found[f"d{k}"] for k, name in enumerate(names)}
