"""Programs are looked up by robot: equal robots have equal hashes, in every process."""

import copy
import os
import pickle
import subprocess
import sys

import pytest

from gough import Leg, load

SCRIPT = """
import pickle, sys
from gough.robot import load
robot = pickle.loads(sys.stdin.buffer.read())
assert robot == load("delta") and hash(robot) == hash(load("delta"))
assert {load("delta"): 1}[robot] == 1
"""


def test_equal_robots_have_equal_hashes():
    robot = load("delta")
    assert hash(robot) == hash(robot) == hash(load("delta")) == hash(copy.deepcopy(robot))


def test_a_changed_robot_has_a_hash_of_its_own():
    robot = load("delta")
    before = hash(robot)
    other = robot.replace({"gravity.2": -1.62})
    assert other != robot
    assert hash(other) != before
    assert hash(robot) == before


def test_the_hash_does_not_travel_to_another_process():
    robot = load("delta")
    hash(robot)
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=pickle.dumps(robot),
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
    )
    assert run.returncode == 0, run.stderr.decode()


def test_equal_robots_are_compared_in_depth_only_once(monkeypatch):
    """Programs are looked up by robot on every call, also by one that was loaded again."""
    first, second = load("delta"), load("delta")
    assert first == second
    monkeypatch.setattr(Leg, "__eq__", lambda *_: pytest.fail("compared again"))
    assert first == second
    assert {first: 1}[second] == 1
    assert first != "delta"
