"""Parasitic motion in sizing: the 3-RPS head's, whose closed form is known."""

import numpy as np

from gough import Motion, demand, envelope_of, load, size
from tests.cli.running import outcome

RADIUS = 0.2


def wandering(pitch, roll):
    """(.., 3) x, y and yaw of a 3-RPS platform: its joints stay in three planes through the z axis, 120 deg apart."""
    yaw = np.arctan2(np.sin(pitch) * np.sin(roll), np.cos(pitch) + np.cos(roll))
    xx = np.cos(yaw) * np.cos(pitch)
    yy = np.sin(yaw) * np.sin(pitch) * np.sin(roll) + np.cos(yaw) * np.cos(roll)
    return np.stack([RADIUS / 2 * (xx - yy), -RADIUS * np.sin(yaw) * np.cos(pitch), yaw], axis=-1)


def test_along_a_motion():
    robot = load("rps3")
    found = demand(robot, Motion.named(robot, "waves"))
    t = np.linspace(0.0, 6.0, 200_001)
    _, pitch, roll = Motion.named(robot, "waves")(t).x.T
    away = wandering(pitch, roll)
    at = np.argmax(np.abs(away), axis=0)
    np.testing.assert_allclose(found.parasitic, away[at, range(3)], rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.parasitic_t, t[at], rtol=0, atol=1e-4)
    assert found.to_dict()["parasitic"]["yaw"]["value"] == found.parasitic[2]
    assert len(demand(load("planar3rrr"), Motion.named(load("planar3rrr"))).parasitic) == 0


def test_over_an_envelope():
    robot = load("rps3")
    pose = {"z": [0.58, 0.62], "pitch": [-0.1, 0.3], "roll": [-0.2, 0.25]}
    envelope = envelope_of(robot, {"pose": pose, "velocity": {"z": 0.1}})
    found = size(robot, envelope, seeds=(1,), power=6)
    grid = np.meshgrid(np.linspace(-0.1, 0.3, 401), np.linspace(-0.2, 0.25, 401))
    away = wandering(*grid).reshape(-1, 3)
    np.testing.assert_allclose(found.parasitic, np.stack([away.min(0), away.max(0)], axis=1), rtol=0, atol=2e-6)
    assert found.to_dict()["parasitic"]["x"] == found.parasitic[0].tolist()


def test_page(capsys):
    code, out, _ = outcome(capsys, "size", "rps3", "--motion", "nod", "--units", "mm,deg")
    assert code == 0
    assert out.splitlines()[-2:] == [
        "Parasitic motion, largest from home: x -0.2321 mm at t = 1 s; y 6.695 mm at t = 1 s; "
        "yaw -1.986 deg at t = 1 s.",
        "Within the robot's own limits: stroke, speed, force.",
    ]
