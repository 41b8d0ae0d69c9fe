"""What an envelope asks beside the limits that the robot states."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from gough import Limits, Motion, load
from gough.design import read_envelope, size
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from tests.cli.running import outcome
from tests.design.envelopes import TEXTS
from tests.support.robots import with_values


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    path = tmp_path_factory.mktemp("envelopes") / "spatial3.toml"
    path.write_text(TEXTS["spatial3"])
    robot = load("spatial3")
    return size(robot, read_envelope(robot, str(path)))


def limited(result, **limits):
    """The result for a robot whose first actuator has other limits, and the others none."""
    legs = []
    for k, leg in enumerate(result.robot.legs):
        stated = Limits(**limits) if k == 0 else Limits()
        joints = tuple(replace(j, limits=stated if j.actuated else j.limits) for j in leg.joints)
        legs.append(replace(leg, joints=joints))
    return replace(result, robot=with_values(result.robot, legs=tuple(legs)))


@pytest.mark.parametrize("kind", ["speed", "force", "power"])
def test_a_limit_just_below_what_is_asked_is_exceeded(found, kind):
    asked = {"speed": found.of("speed"), "force": found.force, "power": found.of("power")}[kind][0]
    (excess,) = limited(found, **{kind: asked * (1 - 1e-9)}).exceeded
    assert (excess.kind, excess.actuator) == (kind, 0)
    assert abs(excess.value) == asked
    assert abs(excess.limit) == asked * (1 - 1e-9)
    assert limited(found, **{kind: asked}).exceeded == ()


def test_strokes_at_the_edges_of_what_is_used(found):
    low, high = found.q_range[0]
    assert limited(found, stroke=(low, high)).exceeded == ()
    (excess,) = limited(found, stroke=(low, high - 1e-6)).exceeded
    assert (excess.kind, excess.value, excess.limit) == ("stroke", high, high - 1e-6)
    (excess,) = limited(found, stroke=(low + 1e-6, high)).exceeded
    assert (excess.kind, excess.value, excess.limit) == ("stroke", low, low + 1e-6)


def test_displacements_are_those_of_a_fine_grid(found):
    ranges = found.envelope.pose
    grid = np.array(list(itertools.product(*[np.linspace(a, b, 41) for a, b in ranges])))
    q = inverse_kinematics(found.robot, grid).q
    np.testing.assert_allclose(found.q_range[:, 0], np.nanmin(q, axis=0), atol=1e-3)
    np.testing.assert_allclose(found.q_range[:, 1], np.nanmax(q, axis=0), atol=1e-3)
    assert (found.q_range[:, 0] <= np.nanmin(q, axis=0) + 1e-12).all()
    assert (found.q_range[:, 1] >= np.nanmax(q, axis=0) - 1e-12).all()


def test_the_command_says_which_limits_are_exceeded(capsys, tmp_path):
    path = tmp_path / "envelope.toml"
    path.write_text("[pose]\nz = [0.1, 0.3]\n[velocity]\nz = 0.1\n")
    command = ("size", "spatial3", "--envelope", str(path))
    code, out, _ = outcome(capsys, *command)
    assert code == 1
    code, text, _ = outcome(capsys, *command, "--json")
    answer = json.loads(text)
    assert answer["limits_stated"] == ["stroke", "speed", "force"]
    assert {(e["kind"], e["limit"]) for e in answer["exceeded"]} == {("stroke", 0.2)}
    assert "EXCEEDED, the robot's own limit of stroke: " in out
    assert "Within the robot's own limits: speed, force." in out


def test_a_motion_is_no_envelope():
    robot = load("stewart")
    with pytest.raises(InputError, match="size: envelope: is of type Motion: must be an Envelope"):
        size(robot, Motion.named(robot))
