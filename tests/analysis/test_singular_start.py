"""Motions that begin, end or stay where actuators do not hold the platform: what is not a number is not left out."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Motion, check, inverse_dynamics, inverse_kinematics, load
from gough.analysis import ReachError
from gough.analysis.extremes import extremes, pieces_of
from gough.design import compare, demand
from gough.kinematics import Status
from gough.timing.fastest_result import InfeasibleError
from tests.cli.running import outcome
from tests.support.robots import with_values

LIMITS = {"force": 1e4, "speed": 1e9, "stroke": (0.1, 9.0)}


@pytest.fixture(scope="module")
def flat():
    """A Stewart platform whose home is in the plane of its base: no leg holds its weight."""
    robot = load("stewart")
    return with_values(robot, platform=replace(robot.platform, home=(0.0,) * 6))


def test_extremes_beside_a_time_without_a_value():
    def function(t, inside):
        return np.stack([np.where(t == 0.0, np.nan, np.maximum(t, 1e-99) ** -0.5), t * (1.0 - t)], axis=1)

    def pole(t, inside):
        with np.errstate(divide="ignore"):
            return np.stack([(t - 0.5) ** -2.0, t * (1.0 - t)], axis=1)

    low, high = extremes(function, pieces_of(function, [0.0, 1.0]))
    assert np.isnan(high[0].value)
    assert high[0].t == low[0].t == 0.0
    assert high[1].value == pytest.approx(0.25, abs=1e-15)
    low, high = extremes(pole, pieces_of(pole, [0.0, 0.5, 1.0]))
    assert (high[0].value, high[0].t) == (np.inf, 0.5)
    assert low[0].value == pytest.approx(4.0, abs=1e-14)


def test_other_poses_of_a_robot_whose_home_is_singular_are_judged_as_any(flat):
    upright = load("stewart").platform.home
    found = inverse_kinematics(flat, [flat.platform.home, upright])
    assert list(found.status) == [Status.NEAR_SINGULAR, Status.FINE]
    assert inverse_dynamics(flat, gough.State(upright, [0.0] * 6, [0.0] * 6)).status == Status.FINE


@pytest.mark.parametrize("height", [0.0, 2.0])
@pytest.mark.parametrize("sampled", [False, True])
def test_check_says_that_forces_have_no_bound(flat, height, sampled):
    motion = Motion.to(flat, {"x": 0.1, "z": height}, 1.0)
    if sampled:
        motion = Motion.from_function(flat, lambda t, law=motion: (law(t).x, law(t).xd, law(t).xdd), 0.0, 1.0)
    found = check(flat, motion, LIMITS)
    assert {"force", "det K"} <= set(found.violated)
    assert found.touched[0] == 0.0
    force = next(f for f in found.findings if f.kind == "force")
    assert force.t == 0.0
    assert not force.fits
    assert found.advice.amplitude is None


def test_check_of_a_motion_that_ends_there(flat):
    motion = Motion.to(flat, {"z": 0.0}, 1.0, start={"z": 2.0})
    found = check(flat, motion, LIMITS)
    assert found.touched[-1] == 1.0
    assert {"force", "det K"} <= set(found.violated)
    assert not found.crossings


def test_demand_and_compare_refuse_it(flat):
    motion = Motion.to(flat, {"z": 2.0}, 1.0)
    for call in (lambda: demand(flat, motion), lambda: compare(flat, flat, motion)):
        with pytest.raises(ReachError, match="t = 0 s: the actuators do not hold the platform there"):
            call()


def test_fastest_names_the_singularity(flat):
    with pytest.raises(InfeasibleError, match="passes through a singularity at 0 % of the path"):
        gough.fastest(flat, Motion.to(flat, {"z": 2.0}, 1.0), limits={"force": 1e4})


def test_the_commands_say_it_in_a_line(capsys, tmp_path):
    path = tmp_path / "flat.toml"
    _, text, _ = outcome(capsys, "new", "--legs", "UPS")
    path.write_text(text.replace("home = [0, 0, 500,", "home = [0, 0, 0,"))
    arguments = [str(path), "--to", "z=300mm", "--duration", "1"]
    code, out, _ = outcome(capsys, "check", *arguments)
    assert code == 1
    assert "K is singular at t = 0" in out
    code, out, err = outcome(capsys, "size", *arguments)
    assert code == 3
    assert out == ""
    assert err.count("\n") == 1
    assert "t = 0 s: the actuators do not hold the platform there, and forces have no bound" in err
