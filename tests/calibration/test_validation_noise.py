"""What validation lets expect includes the noise of its own measurements."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.calibration.first_guess import IDENTITY
from gough.calibration.solve import predicted
from gough.calibration.uncertainty import workspace_poses
from tests.calibration.simulated import NOISE, measured, model_of, stated


def test_validated_errors_are_as_expected() -> None:
    robot = gough.load("stewart")
    model = model_of(robot)
    rng = np.random.default_rng(3)
    data, g = measured(model, 40, rng, error=1e-4)
    x = workspace_poses(robot, 200, 5)
    exact = predicted(model, x, g, np.stack([IDENTITY, IDENTITY]))
    noisy = exact + rng.normal(size=exact.shape) * [NOISE[kind] for kind in model.sensors.kinds]
    lines = tuple(range(2, len(x) + 2))
    other = gough.Measurements("validation", model.sensors, noisy, np.zeros(noisy.shape, dtype=bool), lines)
    found = gough.calibrate(robot, data, noise=stated(model), validate=other, folds=0)
    v = found.validation
    assert v is not None
    assert v.measured is not None
    # 600 and 1200 numbers: the rms is known to 3 %.
    assert v.rms(v.after) == pytest.approx(v.measured.rms(), rel=0.1)
    assert v.measured.rms()[0] > 1.5 * v.expected.rms()[0]
    assert [name for name, _ in v.rows][2:] == [
        "expected, with the noise of these measurements",
        "expected of the model alone",
    ]
