"""Robots that were written for other programs and read again are the robots they were."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

import gough
from gough.kinematics.random_states import random_states
from tests.support.same_motion import in_coordinates_of

SAME = 1e-12
QUICK = {"delta", "rps3", "fivebar", "cable8"}
ENDINGS = (".urdf",)
CABLES = ("cable8",)


@cache
def loaded(name):
    return gough.load(name)


def cases():
    for name in gough.catalogue():
        for ending in ENDINGS:
            if name not in CABLES or ending == ".xml":
                yield pytest.param(name, ending, marks=() if name in QUICK else pytest.mark.slow)


@pytest.mark.parametrize(("name", "ending"), list(cases()))
def test_out_and_in_keeps_forces(tmp_path, name, ending):
    robot, file = loaded(name), tmp_path / f"robot{ending}"
    gough.export_robot(robot, file)
    found = gough.import_robot(file, compare=False)
    (tmp_path / "again.toml").write_text(found.to_toml())
    again = gough.load(tmp_path / "again.toml")
    assert again.dof == robot.dof
    assert [leg.name for leg in again.legs] == [leg.name for leg in robot.legs]
    assert again.actuator_names == robot.actuator_names
    for own, other in zip(again.actuators, robot.actuators, strict=True):
        assert own.limits.force == other.limits.force
        if other.limits.stroke is not None:
            np.testing.assert_allclose(
                np.add(own.limits.stroke, own.zero), np.add(other.limits.stroke, other.zero), rtol=0, atol=1e-12
            )
    again = dataclasses.replace(again, actuation=robot.actuation)  # no file says how forces are shared
    states = random_states(robot, 20, 3)
    x, xd, xdd = in_coordinates_of(again, robot, states.x, states.xd, states.xdd)
    springs = {"springs": ()} if ending != ".xml" else {}
    bare = dataclasses.replace(robot, document=None, **springs)
    expected = gough.inverse_dynamics(bare, states.x, states.xd, states.xdd).force
    force = gough.inverse_dynamics(again, x, xd, xdd).force
    condition = np.maximum(states.condition, 1.0)[:, None]
    assert (np.abs(force - expected) <= SAME * condition * np.abs(expected).max()).all()
    q = gough.inverse_kinematics(again, x).q + [j.zero for j in again.actuators]
    assert np.abs(q - gough.inverse_kinematics(robot, states.x).q - [j.zero for j in robot.actuators]).max() <= 1e-11
