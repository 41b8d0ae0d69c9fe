"""Any number, of the short form too, may be a recorded scalar: the recorded robot has the same numbers."""

import math

import pytest

from gough import RobotError, load
from gough.errors import InputError
from gough.graph import record
from gough.run import Program
from tests.robot.frames import numbers
from tests.support.catalogue_lanes import TREES
from tests.support.robots import addresses, with_values

WHOLE = ("branch", "count")


def free_paths(robot):
    return {path: value for path, value in addresses(robot).items() if path.split(".")[-1] not in WHOLE}


@pytest.mark.parametrize("name", TREES)
def test_all_short_form_numbers_free_at_once(name):
    robot = load(name)
    own = ("legs.", "platform.", "gravity")
    free = {path: float(value) for path, value in free_paths(robot).items() if path.startswith(own)}
    graph = record(lambda p: numbers(robot.with_numbers(dict(zip(free, p, strict=True)))), p=len(free))
    out = Program(graph, executor="floats")(p=list(free.values()))
    expected = numbers(robot)
    assert len(expected) == len(out)
    assert all(math.isfinite(x) for x in out)
    assert max(abs(a - b) for a, b in zip(out, expected, strict=True)) < 1e-14


@pytest.mark.parametrize("joint_by_joint", [False, True])
def test_a_number_of_one_leg_free(joint_by_joint):
    robot, address = load("stewart"), "leg.2.piston.mass"
    if joint_by_joint:
        robot, address = robot.explicit(), "leg.2.joint.3.body.mass"
    graph = record(lambda m: numbers(robot.with_numbers({address: m})), m=())
    out = list(Program(graph, executor="floats")(m=0.7))
    assert out == numbers(robot.replace({address: 0.7}))


def test_a_robot_of_traced_numbers_is_refused():
    lines = []

    def changes(m):
        robot = load("stewart")
        with pytest.raises(RobotError, match=r"stewart: platform\.mass: .*: must be a number") as caught:
            robot.replace({"platform.mass": m})
        lines.append(str(caught.value))
        with pytest.raises(InputError, match="a number left free cannot be written to a file: ") as caught:
            with_values(robot, platform=robot.with_numbers({"platform.mass": m}).platform).to_toml()
        lines.append(str(caught.value))
        return m

    record(changes, m=())
    assert len(lines) == 2
