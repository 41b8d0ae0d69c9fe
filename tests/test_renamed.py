"""Names of the release before: they give the values of the new ones, with a warning that names them."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.renamed import NEW_ATTRIBUTES, NEW_NAMES


@pytest.fixture(scope="module")
def results():
    robot = gough.load("stewart")
    motion = gough.choose_motion(robot)
    s = motion.sampled(5)
    sized = object.__new__(gough.SizeResult)  # its search takes seconds
    object.__setattr__(sized, "q_range", np.zeros((6, 2)))
    return {
        "Kinematics": gough.inverse_kinematics(robot, s.x, s.xd, s.xdd),
        "InverseDynamics": gough.inverse_dynamics_along(robot, motion, 5),
        "JointReactions": gough.joint_reactions(robot, s.x, s.xd, s.xdd),
        "Finding": gough.check(robot, motion, limits={"condition": 5.0}).findings[0],
        "ReachError": gough.ReachError("m", gough.Status.OUT_OF_REACH, "1", 0.1, 0.5),
        "Demand": gough.demand(robot, motion),
        "Fit": gough.Fit(True, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0),
        "SizeResult": sized,
        "Proof": gough.Proof(*np.ones((4, 6)), 0.0, 0.0, 1, 0.0, 0.0),
    }


@pytest.mark.parametrize(("owner", "old"), [(o, old) for o, table in NEW_ATTRIBUTES.items() for old in table])
def test_old_attributes_give_the_new_ones(results, owner, old):
    value, new = results[owner], NEW_ATTRIBUTES[owner][old]
    line = rf"^{owner}\.{old} is now {new}; the old name is removed in 0\.3$"
    with pytest.warns(DeprecationWarning, match=line) as told:
        assert getattr(value, old) is getattr(value, new)
    assert told[0].filename == __file__
    assert old not in dir(value)


def test_no_result_has_an_attribute_that_is_an_old_name(results):
    for owner, value in results.items():
        if dataclasses.is_dataclass(value):
            assert not {f.name for f in dataclasses.fields(value)} & set(NEW_ATTRIBUTES[owner])


def test_what_never_was_an_attribute_is_refused(results):
    with pytest.raises(AttributeError, match="'Kinematics' object has no attribute 'displacements'"):
        _ = results["Kinematics"].displacements


@pytest.mark.parametrize("old", NEW_NAMES)
def test_old_public_names(old):
    with pytest.warns(DeprecationWarning, match=f"^gough.{old} is now gough.{NEW_NAMES[old]}; "):
        assert getattr(gough, old) is getattr(gough, NEW_NAMES[old])


def test_old_arguments_and_arrays_of_bound_calls():
    robot = gough.load("delta")
    x = np.array(robot.platform.home)
    with pytest.warns(DeprecationWarning, match="^time of inverse_dynamics is now t; "):
        assert gough.inverse_dynamics(robot, x, 0 * x, 0 * x, time=2.0).t == 2.0
    own = np.empty(3)
    with pytest.warns(DeprecationWarning, match="^displacement of inverse_kinematics is now q; "):
        tick = gough.bind(robot, "ik", displacement=own)
    tick.inputs["x"][:] = x
    assert tick() == gough.Status.FINE
    np.testing.assert_array_equal(own, gough.inverse_kinematics(robot, x).q)
    with pytest.warns(DeprecationWarning, match="^position of inverse_kinematics is now joint_q; "):
        assert tick.outputs["position"] is tick.outputs["joint_q"]
    with pytest.raises(KeyError):
        tick.outputs["nothing"]


@pytest.mark.parametrize(("old", "new"), [("x_d", "xd_x"), ("z_dd", "xdd_z"), ("xdot", "xd_x"), ("yddot", "xdd_y")])
def test_other_names_of_rates_get_those_that_are_written(tmp_path, old, new):
    robot = gough.load("delta")
    text = gough.choose_motion(robot).sampled(40).to_csv()
    assert text.splitlines()[0] == "t,x,y,z,xd_x,xd_y,xd_z,xdd_x,xdd_y,xdd_z"
    (tmp_path / "old.csv").write_text(text.replace(new, old, 1))
    with pytest.raises(gough.MotionError, match=rf'old\.csv:1: "{old}": no such column \(did you mean {new}\?\)$'):
        gough.read_csv(robot, tmp_path / "old.csv")
