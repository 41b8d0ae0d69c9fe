"""What validation lets expect includes the noise of its own measurements."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.calibration.first_guess import IDENTITY
from gough.calibration.result import Validation
from gough.calibration.solve import predicted
from gough.calibration.uncertainty import workspace_poses
from tests.calibration.simulated import NOISE, measured, model_of, stated


def validated(seed: int) -> Validation:
    """Of a machine with errors of its own, calibrated and validated by measurements with noise."""
    robot = gough.load("stewart")
    model = model_of(robot)
    rng = np.random.default_rng(seed)
    data, g = measured(model, 40, rng, error=1e-4)
    x = workspace_poses(robot, 200, 5)
    exact = predicted(model, x, g, np.stack([IDENTITY, IDENTITY]))
    noisy = exact + rng.normal(size=exact.shape) * [NOISE[kind] for kind in model.sensors.kinds]
    lines = tuple(range(2, len(x) + 2))
    other = gough.Measurements("validation", model.sensors, noisy, np.zeros(noisy.shape, dtype=bool), lines)
    found = gough.calibrate(robot, data, noise=stated(model), validate=other, folds=0).validation
    assert found is not None
    return found


def test_validated_errors_are_as_expected() -> None:
    """On average: what a model is off is one draw for all its poses, so that one machine may be 20 % from it."""
    all_of_them = [validated(seed) for seed in range(12)]
    ratios = []
    for v in all_of_them:
        assert v.measured is not None
        ratios.append(np.array(v.rms(v.after)) / v.measured.rms())
        assert v.measured.rms()[0] > 1.5 * v.expected.rms()[0]
    assert np.mean(ratios, axis=0) == pytest.approx([1.0, 1.0], abs=0.08)
    assert [name for name, _ in all_of_them[0].rows][2:] == [
        "expected, with the noise of these measurements",
        "expected of the model alone",
    ]
