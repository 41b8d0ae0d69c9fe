"""Machines that differ from their files, and what would be measured of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import gough
from gough.calibration.first_guess import IDENTITY
from gough.calibration.geometric_parameters import chosen
from gough.calibration.model import Model
from gough.calibration.plan import columns_of
from gough.calibration.selection import selected
from gough.calibration.sensors import Sensors
from gough.calibration.solve import predicted
from gough.calibration.uncertainty import workspace_poses
from gough.graph import Array

NOISE = {"position": 2e-5, "rotation": 2e-5, "encoder": 5e-6, "joint": 1e-5, "distance": 2e-6}


def model_of(robot: gough.Robot, what: str = "pose", parameters: Sequence[str] = ()) -> Model:
    """The parameters that can be found, with sensors of "pose", "position", ..."""
    return Model(robot, selected(robot, tuple(chosen(robot, parameters))).kept, Sensors(robot, columns_of(robot, what)))


def measured(
    model: Model, count: int, rng: np.random.Generator, error: float = 1e-3, noise: float = 1.0
) -> tuple[gough.Measurements, Array]:
    """Measurements of a machine whose parameters are off by normal errors, and those errors (g,) [m or rad]."""
    g = rng.normal(size=len(model.names)) * model.scales * error
    x = workspace_poses(model.robot, count, int(rng.integers(1 << 30)))
    x = x[model.pose_program(x=x, g=g[: len(model.parameters)])["sound"]]
    values = predicted(model, x, g, np.stack([IDENTITY, IDENTITY]))
    values = values + noise * rng.normal(size=values.shape) * [NOISE[kind] for kind in model.sensors.kinds]
    lines = tuple(range(2, len(values) + 2))
    return gough.Measurements("simulated", model.sensors, values, np.zeros(values.shape, dtype=bool), lines), g


def stated(model: Model) -> dict[str, float]:
    """The noise of `measured`, by the kinds that there are."""
    return {kind: NOISE[kind] for kind in dict.fromkeys(model.sensors.kinds)}
