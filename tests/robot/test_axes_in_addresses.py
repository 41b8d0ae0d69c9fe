"""`.x .y .z` stand for the entries of points wherever an address is taken, `leg.*` for all legs where several are."""

import numpy as np
import pytest

import gough
from gough import PathError
from tests.cli.running import outcome
from tests.support.robots import value_at


@pytest.mark.parametrize(("name", "place"), [("x", 0), ("y", 1), ("z", 2)])
def test_an_axis_is_the_entry_of_its_number(name, place):
    robot = gough.load("cable8")
    leg = robot.legs[0].name
    moved = robot.replace({f"leg.{leg}.base.{name}": 0.125})
    assert moved.legs[0].position[place] == 0.125
    assert moved == robot.replace({f"leg.{leg}.base.{place}": 0.125})
    assert robot.replace({f"gravity.{name}": 9.0}).gravity[place] == 9.0


def test_points_on_rings_have_axes_too():
    moved = gough.load("stewart").replace({"leg.1.base.y": 0.5})
    assert moved.legs[0].position[1] == 0.5


def test_an_axis_of_home_is_the_coordinate_of_that_name():
    robot = gough.load("rps3")
    assert robot.coordinate_names[0] == "z"
    moved = robot.replace({"platform.home.z": 0.7})
    assert moved.platform.home == (0.7, *robot.platform.home[1:])
    planar = gough.load("planar3rrr")
    with pytest.raises(PathError):
        planar.replace({"platform.home.z": 0.0})


def test_forces_are_derived_by_axes_and_by_all_legs():
    robot = gough.load("stewart")
    x = np.array(robot.platform.home)
    found = gough.force_derivatives(robot, x, wrt=["leg.1.base.x", "leg.*.base.z"])
    assert list(found) == ["leg.1.base.x", *(f"leg.{leg.name}.base.z" for leg in robot.legs)]
    same = gough.force_derivatives(robot, x, wrt=["leg.1.base.0"])["leg.1.base.0"]
    assert (found["leg.1.base.x"] == same).all()


def test_the_height_of_a_ring_may_vary():
    """`z` is a key of a ring, not an axis of a vector, and is 0 where it is left out."""
    robot = gough.load("stewart")
    assert value_at(robot, "legs.base.z") == 0.0
    one = robot.explicit([0])
    assert one.replace({"leg.1.position.z": 0.01}) == one.replace({"leg.1.base.z": 0.01}) != one
    problem = {"robot": robot, "starts": 1, "vary": [{"number": "legs.base.z", "bounds": ["-20 mm", "20 mm"]}]}
    found = gough.optimise(problem)
    assert {leg.position[2] for leg in found.robot.legs} == {found.best.p[0]}


def test_the_command_takes_axes(capsys):
    code, axis, told = outcome(capsys, "ik", "cable8", "--set", "leg.1.base.x=-4.5m", "--format", "json")
    assert (code, told) == (0, "")
    assert axis == outcome(capsys, "ik", "cable8", "--set", "leg.1.base.0=-4.5m", "--format", "json")[1]
    assert axis != outcome(capsys, "ik", "cable8", "--format", "json")[1]
    assert outcome(capsys, "show", "cable8", "--set", "leg.1.base.w=1")[0] != 0


def test_tolerances_and_calibrations_take_axes():
    from gough.calibration.geometric_parameters import chosen

    robot = gough.load("stewart")
    by_axis = chosen(robot, ["leg.*.base.x"])
    assert [p.path for p in by_axis] == [p.path for p in chosen(robot, ["leg.*.base.0"])]
    assert len(by_axis) == 6
