"""Statuses come from a compiled bound, and are exactly what the singular values say."""

from __future__ import annotations

import numpy as np
import pytest

from gough import load
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.programs import free_jacobian_program
from gough.kinematics.singularity import SINGULAR, stretched
from gough.kinematics.status import condition_number
from tests.support.lanes import size

NAMES = ["delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart"]


def near_singular_poses(robot, rng, count):
    """Poses whose condition is spread over 1e2 to 1e10: on lines to where the sign of det K changes."""
    home, n = np.array(robot.platform.home), len(robot.platform.coordinates)
    found = []
    for _ in range(40):
        step = rng.normal(size=n)
        along = np.linspace(0.0, 3.0, 400)[:, None] * step
        k = inverse_kinematics(robot, home + along)
        with np.errstate(invalid="ignore"):
            sign = np.sign(np.linalg.det(np.nan_to_num(k.K)))
        turn = np.flatnonzero((sign[1:] * sign[:-1] < 0) & (k.status[1:] <= 1) & (k.status[:-1] <= 1))
        for i in turn[:1]:
            low, high = along[i], along[i + 1]
            for _ in range(60):
                middle = 0.5 * (low + high)
                same = np.sign(np.linalg.det(inverse_kinematics(robot, (home + middle)[None]).K[0])) == sign[i]
                low, high = (middle, high) if same else (low, middle)
            away = 10.0 ** rng.uniform(-10, -2, count)[:, None] * rng.choice([-1.0, 1.0], count)[:, None]
            found.append(home + low + away * step)
        if len(found) == 4:
            break
    return np.concatenate(found) if found else np.empty((0, n))


@pytest.mark.parametrize("name", NAMES)
def test_near_the_threshold_the_singular_values_decide(name):
    robot, rng = load(name), np.random.default_rng(17)
    n = len(robot.platform.coordinates)
    near = near_singular_poses(robot, rng, size(4000, 400))
    usual = np.array(robot.platform.home) + rng.normal(size=(size(20000, 2000), n)) * 0.1
    x = np.concatenate([near, usual])
    found = inverse_kinematics(robot, x)
    reached = found.status <= Status.NEAR_SINGULAR
    K = free_jacobian_program(robot)(x=x[reached])
    condition = condition_number(robot, K)
    expected = ~(condition <= SINGULAR) | stretched(robot, K)
    assert np.array_equal(found.status[reached] == Status.NEAR_SINGULAR, expected)
    assert np.array_equal(found.condition[reached], condition)
    assert np.isnan(found.condition[~reached]).all()
    if name in ("stewart", "hexapod", "sru"):
        assert expected.any()
        assert ((condition > 0.3 * SINGULAR) & ~expected).any()


def test_the_condition_is_computed_only_when_asked_for(monkeypatch):
    robot = load("stewart")
    x = np.array(robot.platform.home) + np.zeros((50, 1))

    def never(*_args, **_kwargs):
        raise AssertionError("singular values of a fine pose")

    with monkeypatch.context() as patched:
        patched.setattr(np.linalg, "svd", never)
        found = inverse_kinematics(robot, x)
        single = inverse_kinematics(robot, x[0])
    assert single.condition == found.condition[3] > 1.0
    assert single.condition.shape == ()
