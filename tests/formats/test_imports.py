"""Robots that were written for other programs and read again are the robots they were."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gough
from gough import Actuation
from gough.kinematics.random_states import conditions, random_states
from tests.support.robots import with_values
from tests.support.same_motion import in_coordinates_of

SAME = 1e-12
QUICK = {"delta", "rps3", "fivebar", "cable8"}
ENDINGS = (".urdf", ".xml", ".sdf")
CABLES = ("cable8",)


@cache
def loaded(name):
    return gough.load(name)


def cases():
    for name in gough.catalogue():
        for ending in ENDINGS:
            if name not in CABLES or ending == ".xml":
                yield pytest.param(name, ending, marks=() if name in QUICK else pytest.mark.slow)


def at_home(robot):
    """(m,) displacements at home."""
    return np.asarray(gough.inverse_kinematics(robot, robot.platform.home).q).reshape(-1)


@pytest.mark.parametrize(("name", "ending"), list(cases()))
def test_out_and_in_keeps_forces(tmp_path, name, ending):
    robot, file = loaded(name), tmp_path / f"robot{ending}"
    gough.export_robot(robot, file)
    found = gough.import_robot(file, "platform", compare=False)
    (tmp_path / "again.toml").write_text(found.to_toml())
    again = gough.load(tmp_path / "again.toml")
    assert again.dof == robot.dof
    assert [leg.name for leg in again.legs] == [leg.name for leg in robot.legs]
    assert again.actuator_names == robot.actuator_names
    home = at_home(again)
    for k, (own, other) in enumerate(zip(again.actuators, robot.actuators, strict=True)):
        assert own.limits.force == other.limits.force
        if other.limits.stroke is not None:  # coordinates may count from elsewhere
            margins = [np.subtract(r.limits.stroke, q[k]) for r, q in ((own, home), (other, at_home(robot)))]
            np.testing.assert_allclose(*margins, rtol=0, atol=1e-12)
    shared = None if robot.actuation is None else Actuation()  # no file says how forces are shared
    again = with_values(again, actuation=shared)
    states = random_states(robot, 20, 3)
    x, xd, xdd = in_coordinates_of(again, robot, states.x, states.xd, states.xdd)
    springs = {"springs": ()} if ending != ".xml" else {}
    bare = with_values(robot, actuation=shared, **springs)
    expected = gough.inverse_dynamics(bare, gough.State(states.x, states.xd, states.xdd)).force
    force = gough.inverse_dynamics(again, gough.State(x, xd, xdd)).force
    condition = np.maximum(conditions(robot, states), 1.0)[:, None]
    assert (np.abs(force - expected) <= SAME * condition * np.abs(expected).max()).all()
    travel = gough.inverse_kinematics(again, x).q - home
    assert np.abs(travel - (gough.inverse_kinematics(robot, states.x).q - at_home(robot))).max() <= 1e-11
