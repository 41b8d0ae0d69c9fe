"""Names of coordinates, actuators and legs that are those of columns of results."""

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest

import gough
from gough.codegen.export_fmu import _inverse_variables, _plant_variables
from gough.robot.checks.column_names import other_columns
from gough.table import Result
from gough.table.result import AXES, Column, dependent_blocks

ROBOTS = ("stewart", "rps3", "cable8")


def clashing(robot):
    """Names of columns that a coordinate of a robot must not have."""
    coordinates = [c.name for c in robot.platform.all_coordinates]
    bodies = {body.name for body in robot.bodies}
    return other_columns(coordinates, robot.actuator_names, [leg.name for leg in robot.legs], sorted(bodies))


def columns_with_coordinates(tables, robot):
    """Columns of those tables that have a coordinate as a column, without the coordinates; joints have a point."""
    own = {c.name for c in robot.platform.all_coordinates}
    names = [set(table) for table in tables if own & set(table)]
    return {name for name in set().union(*names) - own if "." not in name}


def declared_tables(robot):
    """Names of the declared columns of all results, where their labels do not depend on the result."""
    for module in walk_packages(gough.__path__, "gough."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for cls in Result.__subclasses__():
        yield [name for key, own in cls.declared().items() for name in names_of(own, key, robot)]


def names_of(own: Column, key, robot):
    """Names of the columns of a declaration."""
    axes = [axis.replace("coordinate:coordinates", "coordinate") for axis in own.axes]
    if own.units is not None or any(axis not in AXES for axis in axes):
        return []
    labels = [AXES[axis].labels(robot) for axis in axes]
    if key == "dependent" and own.quantity == "":
        blocks = dependent_blocks(robot, [np.zeros((1, len(robot.dependent_names)))] * 3)
        return [name for block in blocks for name in block.names]
    return gough.table.Block(own.name or key, None, "", {str(k): v for k, v in enumerate(labels)}, own.prefix).names


def computed_tables():
    """Robots and names of the columns of tables that are not declared."""
    robot = gough.load("delta")
    home = np.array(robot.platform.home)
    yield robot, gough.inverse_dynamics(robot, home).split_table(True, True).columns()
    yield robot, gough.plan_poses(robot, 8).columns()
    yield robot, gough.Motion.named(robot).sample(3).table.columns()
    envelope = gough.envelope_of(robot, "pose = {x = [0, 0.01], y = 0, z = -0.7}\n")
    yield robot, gough.size(robot, envelope).cases_table.columns()
    robot = gough.load("planar3rrr")
    yield robot, gough.singularities(robot, only=["reach"]).columns()


@pytest.mark.parametrize("name", ROBOTS)
def test_declared_columns_next_to_coordinates_are_refused_as_their_names(name):
    robot = gough.load(name)
    tables = list(declared_tables(robot))
    assert len(tables) > 30
    assert columns_with_coordinates(tables, robot) - clashing(robot) == set()


def test_computed_columns_next_to_coordinates_are_refused_as_their_names():
    for robot, names in computed_tables():
        assert columns_with_coordinates([names], robot) - clashing(robot) == set()


@pytest.mark.parametrize("name", ROBOTS)
def test_variables_of_functional_mock_up_units_are_refused_as_names_of_coordinates(name):
    robot = gough.load(name)
    for variables in (_plant_variables(robot), _inverse_variables(robot)):
        assert columns_with_coordinates([[v.name for v in variables]], robot) - clashing(robot) == set()


def five_bar(coordinate="x", leg="A"):
    """The text of the catalogue's five-bar with other names."""
    path = Path(gough.__file__).parent / "robot" / "catalog" / "fivebar.toml"
    text = path.read_text().replace("{ x =", f"{{ {coordinate} =")
    return text.replace('name = "A"', f'name = "{leg}"')


@pytest.mark.parametrize("name", ["t", "time", "status", "q_A", "force_A", "force_gravity_A", "xd_y", "y_d", "base_fx"])
def test_coordinate_named_like_a_column_is_refused_in_one_line(name):
    line = rf"^robot:13: platform.coordinates: .*: must not be called {name}, as a column .* \(try {name}-1\)$"
    with pytest.raises(gough.RobotError, match=line):
        gough.loads(five_bar(name))


@pytest.mark.parametrize("name", ["t", "status", "gravity_B"])
def test_leg_named_like_a_column_is_refused_in_one_line(name):
    with pytest.raises(gough.RobotError, match=rf'leg.{name}.name: "{name}": must not be called {name}, as a column'):
        gough.loads(five_bar(leg=name))


@pytest.mark.parametrize("name", ["surge", "q_C", "x_t", "force", "Status"])
def test_name_of_no_column_is_accepted(name):
    assert name in gough.loads(five_bar(name)).coordinate_names


def test_imported_legs_named_like_a_column_are_renamed(tmp_path):
    path = tmp_path / "fivebar.xml"
    gough.export_robot(gough.load("fivebar"), path)
    path.write_text(path.read_text().replace('"A.', '"status.'))
    robot = gough.import_robot(path).robot
    assert [leg.name for leg in robot.legs] == ["status_2", "B"]
    gough.loads(robot.to_toml())
