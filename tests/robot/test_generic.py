"""Any number, of the short form too, may be a recorded scalar: the recorded robot has the same numbers."""

import math

import pytest

from gough import load
from gough.errors import InputError
from gough.graph import record
from gough.run import Program
from tests.robot.frames import numbers
from tests.support.catalogue_lanes import TREES
from tests.support.robots import addresses

WHOLE = ("branch", "count")


def free_paths(robot):
    return {path: value for path, value in addresses(robot).items() if path.split(".")[-1] not in WHOLE}


@pytest.mark.parametrize("name", TREES)
def test_all_short_form_numbers_free_at_once(name):
    robot = load(name)
    own = ("legs.", "platform.", "gravity")
    free = {path: float(value) for path, value in free_paths(robot).items() if path.startswith(own)}
    graph = record(lambda p: numbers(robot.replace(dict(zip(free, p, strict=True)))), p=len(free))
    out = Program(graph, executor="floats")(p=list(free.values()))
    expected = numbers(robot)
    assert len(expected) == len(out)
    assert all(math.isfinite(x) for x in out)
    assert max(abs(a - b) for a, b in zip(out, expected, strict=True)) < 1e-14


def test_explicit_number_free():
    robot = load("stewart")
    graph = record(lambda m: numbers(robot.replace({"leg.2.joint.3.body.mass": m})), m=())
    out = list(Program(graph, executor="floats")(m=0.7))
    expected = numbers(robot.replace({"leg.2.joint.3.body.mass": 0.7}))
    assert out == expected


def test_recorded_robot_cannot_be_written():
    lines = []

    def write(m):
        with pytest.raises(InputError) as caught:
            load("stewart").replace({"platform.mass": m}).to_toml()
        lines.append(str(caught.value))
        return m

    record(write, m=())
    assert lines[0].startswith("a number left free cannot be written to a file: ")
