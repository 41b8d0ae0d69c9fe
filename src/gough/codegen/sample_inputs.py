"""Inputs that exported functions are tested with: from all over the workspace, and from beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.programs import characteristic_length
from gough.kinematics.random_states import GRAVITY, moving, reachable_poses, scales
from gough.kinematics.status import Status
from gough.motion import State
from gough.robot import Robot

_WIDE = 3.0
_TRIED = 2000
_BANDWIDTH = 2.0 * np.pi * 5.0
_CALM = 0.03
"""Share of usual rates, accelerations and loads at which actuators with limited forces, such as cables, hold them."""

Inputs = dict[str, Any]


def ordinary_inputs(robot: Robot, count: int, seed: int = 0) -> Inputs:
    """(count, k) inputs by name at poses that every leg reaches, from near home to far."""
    rng = np.random.default_rng(seed)
    return _inputs(robot, reachable_poses(robot, count, rng), rng)


def sample_inputs(robot: Robot, count: int, seed: int = 0) -> Inputs:
    """As `ordinary_inputs`, and behind them: whole turns added, near singular, out of reach, not finite, too large."""
    rng = np.random.default_rng(seed)
    home, scale = np.array(robot.platform.home), scales(robot)
    x = np.vstack([home, reachable_poses(robot, count - 1, rng)])
    turns = np.array([c.turns for c in robot.platform.coordinates])
    wound = x[: min(4, count)] + 2.0 * np.pi * turns * rng.integers(-300, 300, size=(min(4, count), 1))
    direction = rng.normal(size=(3, len(home)))
    beyond = home + np.array([[2.0], [10.0], [1e3]]) * scale * direction
    given = _inputs(robot, np.vstack([x, wound, _near_singular(robot, rng), beyond]), rng)
    strange = _inputs(robot, np.tile(home, (5, 1)), rng)
    for row, value in enumerate((np.nan, np.inf, 1e200, -(2.0**31))):
        for name in ("x", "guess"):
            strange[name][row, row % len(home)] = value
    strange["q"][4, 0] = np.nan
    strange["wrench"][4, 2] = np.nan
    strange["xd"][4, 0] = 1e300
    return {name: np.vstack([given[name], strange[name]]) for name in given}


def _near_singular(robot: Robot, rng: np.random.Generator) -> Array:
    """(4, n) those of many poses with the largest conditions that still have results."""
    home = np.array(robot.platform.home)
    x = home + _WIDE * scales(robot) * rng.uniform(-1, 1, (_TRIED, len(home)))
    found = inverse_kinematics(robot, x)
    good = np.flatnonzero(found.status <= Status.NEAR_SINGULAR)
    if not len(good):
        return np.tile(home, (4, 1))
    return x[good[np.argsort(found.condition[good])[-4:]]]


def _inputs(robot: Robot, x: Array, rng: np.random.Generator) -> Inputs:
    """Inputs of all functions at the poses x (N, n)."""
    states = moving(robot, x, rng)
    count, n, m = len(x), robot.dof, len(robot.actuators)
    mass = sum(body.mass for body in robot.bodies)
    units = np.array([characteristic_length(robot) if joint.turns else 1.0 for joint in robot.actuators])
    calm = np.ones((count, 1))
    if robot.actuation is not None and robot.actuation.limited:
        calm[::2] = _CALM
    xd, xdd, wrench = (calm * values for values in (states.xd, states.xdd, states.wrench))
    found = inverse_kinematics(robot, State(x, xd))
    stretch = 10.0 * characteristic_length(robot) * rng.normal(size=(count, m))
    away = np.where(np.arange(count) % 3 == 0, 0.1, 0.003)[:, None] * scales(robot) * rng.normal(size=(count, n))
    return {
        "x": x.copy(),
        "xd": xd,
        "xdd": xdd,
        "wrench": wrench,
        "force": mass * GRAVITY * units * rng.normal(size=(count, m)),
        "q": np.where(np.isfinite(found.q), found.q, stretch),
        "qd": np.nan_to_num(np.asarray(found.qd), nan=0.0),
        "guess": x + away,
        "kp": np.full((count, n), _BANDWIDTH**2),
        "kd": np.full((count, n), 2.0 * _BANDWIDTH),
    }
