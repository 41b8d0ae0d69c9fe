"""Tolerances that are too tight are blamed before the noise of the measurements is."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.cli.pages.calibrate_page import page
from gough.display import Display
from tests.calibration.simulated import NOISE, measured, model_of, stated


@pytest.fixture(scope="module")
def machine() -> tuple[gough.Robot, gough.Measurements, dict[str, float]]:
    """A machine that is off by 0.1 thousandths of its size (some tenths of a millimetre), measured at 30 poses."""
    robot = gough.load("stewart")
    model = model_of(robot)
    return robot, measured(model, 30, np.random.default_rng(4), error=1e-4)[0], stated(model)


TIGHT = {"base": 2e-5, "platform": 2e-5, "zero": 2e-5}
WIDE = {"base": 1e-3, "platform": 1e-3, "zero": 1e-3}


def test_tight_tolerances_are_not_called_noise(machine) -> None:
    robot, data, noise = machine
    tight = gough.calibrate(robot, data, noise=noise, tolerances=TIGHT, folds=0)
    assert not tight.agrees
    assert tight.prior.too_tight
    assert tight.prior.stated == 42
    assert tight.noise.text.endswith("without the tolerances: the tolerances do not fit, the noise does")
    none = gough.calibrate(robot, data, noise=noise, folds=0)
    assert tight.prior.free_squares == pytest.approx(none.noise.squares, rel=1e-6)
    assert (none.prior.stated, none.prior.beyond) == (0, [])
    worst = tight.prior.worst
    assert abs(tight.prior.ratios[worst]) == pytest.approx(abs(tight.changes[worst]) / 2e-5)
    text = page(tight, Display(), "[tolerances] of mine.toml")
    assert f"[tolerances] of mine.toml; {len(tight.prior.beyond)} of 42 parameters beyond it" in text
    assert "only if the tolerances are right" in text.split("\n\n")[1]
    wide = gough.calibrate(robot, data, noise=noise, tolerances=WIDE, folds=0)
    assert wide.agrees
    assert "only if" not in page(wide, Display())


def test_noise_is_still_called_understated(machine) -> None:
    robot, data, noise = machine
    found = gough.calibrate(robot, data, noise=noise | {"position": 5e-6}, tolerances=WIDE, folds=0)
    assert not found.prior.too_tight
    assert "position noise is understated" in found.noise.text


def test_noise_is_estimated_without_the_tolerances(machine) -> None:
    robot, data, _ = machine
    found = gough.calibrate(robot, data, tolerances=TIGHT, folds=0)
    assert found.deviations["position"] == pytest.approx(NOISE["position"], rel=0.3)
    assert found.prior.too_tight
    assert not found.agrees
