"""What the lanes found to be wrong: one fixed case each, expected to fail until it is corrected.

A lane leaves the pair out meanwhile (its table KNOWN): when a case here passes, remove both.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import gough
from gough.cli.new import starter
from tests.crossing.known import known
from tests.crossing.test_data import recorded
from tests.crossing.test_names import command, text_of
from tests.support import snapshot_machines
from tests.support.adapter.along import MOTOR, loaded
from tests.support.transformed import reversed_legs, turned


@pytest.fixture
def redundant():
    return gough.loads(snapshot_machines.text("redundant_RRR"))


@known("points of joints are 0, as if all were at the base's origin, where a leg does not reach; forces are NaN")
def test_points_of_joints_are_not_numbers_where_a_leg_does_not_reach():
    robot = gough.load("planar3rrr")
    far = np.array([9.0, 0.0, 0.0])
    found = gough.joint_reactions(robot, gough.State(far[None], 0 * far[None], 0 * far[None]))
    assert np.isnan(found.points).all()


@known("the condition of dependent coordinates is that of the last iteration, 15.8, where no pose is found")
def test_condition_of_dependent_coordinates_is_not_a_number_without_a_pose():
    robot = gough.loads(snapshot_machines.text("dependent_ankle"))
    found = gough.inverse_kinematics(robot, snapshot_machines.states("dependent_ankle", 4)["x"])
    unsolved = np.isnan(found.dependent).any(axis=1)
    if not unsolved.any():
        raise ValueError("no pose is out of reach")
    assert np.isnan(found.dependent_condition[unsolved]).all()


@pytest.mark.parametrize("analysis", ["check", "demand"])
@known("the peak at the start, 1.4432 N m, is taken and that at the end, 1.4759 N m, is missed: friction jumps at rest")
def test_peak_at_the_end_of_a_motion_with_friction_is_found(redundant, analysis):
    states = snapshot_machines.states("redundant_RRR", 4)
    redundant, motion = loaded(redundant, states)
    sampled = np.abs(gough.inverse_dynamics(redundant, motion.sample(2001)).force).max(axis=0)
    if analysis == "check":
        rows = gough.check(redundant, motion, {"force": 600.0}).every
        values = {row.owner: row.value for row in rows if row.kind == "force"}
        found = np.array([values[name] for name in redundant.actuator_names])
    else:
        found = gough.demand(redundant, motion).force
    assert (np.abs(found) >= (1 - 1e-6) * sampled).all()


@known("at rest the torque of a motor is F/gear or 0.9 F/gear: round-off of a zero speed decides which way it loses")
def test_motor_torque_does_not_depend_on_how_the_machine_is_turned():
    robot, states = gough.loads(snapshot_machines.text("planar3rrr")), snapshot_machines.states("planar3rrr", 4)
    motor = gough.motor_of(MOTOR)
    others = [turned(robot, states, np.random.default_rng(seed)) for seed in range(8, 16)]
    cases = [(robot, states), *((other.robot, other.states) for other in others)]
    torques = [[fit.torque for fit in gough.demand(*loaded(r.with_motor(motor), s)).fits] for r, s in cases]
    np.testing.assert_allclose(torques, np.broadcast_to(torques[0], np.shape(torques)), rtol=1e-5)


@known("rms forces differ by 8e-5: near a rest, round-off of speeds decides for how long dry friction counts")
def test_rms_force_does_not_depend_on_the_order_of_legs():
    """The speed of the first actuator grows with the fifth power of time."""
    robot, states = gough.loads(snapshot_machines.text("rps3_loaded")), snapshot_machines.states("rps3_loaded", 4)
    other = reversed_legs(robot, states, np.random.default_rng(0))
    others = [(other.robot, other.states)]
    others += [(one.robot, one.states) for one in (turned(robot, states, np.random.default_rng(k)) for k in range(4))]
    own, reversed_, *rest = (gough.demand(*loaded(r, s)).rms_force for r, s in [(robot, states), *others])
    for force in (reversed_[::-1], *rest):
        np.testing.assert_allclose(force, own, rtol=1e-8)


@known("the charts of a report have no legend entry for a coordinate whose name begins with an underscore")
def test_charts_of_a_report_name_a_coordinate_that_begins_with_an_underscore(tmp_path):
    file = tmp_path / "robot.toml"
    file.write_text(text_of(coordinate="_a", second="_b"))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        command(
            "report", str(file), "--to", "_b=0.37", "--duration", "1s", "--states", "0", "--out", f"{tmp_path}/r.html"
        )
    assert not [line for line in found if "No artists with labels" in str(line.message)]


@known(
    "no physical robot is found for exact forces of stewart with a heavier platform: the search ends before it is done"
)
def test_a_physical_machine_is_found_for_forces_of_one():
    robot, t, motion, force = recorded("stewart", 1.1)
    identified = gough.identify(robot, gough.recorded_forces(robot, t, force, *motion))
    try:
        found = identified.robot
    except gough.NumericalError as error:
        raise AssertionError(str(error)) from None
    assert np.abs(gough.inverse_dynamics(found, gough.State(*motion)).force - force).max() <= 1e-6 * np.abs(force).max()


@known("readings of a slow encoder at the corners of a motion are smoothed as correlated noise, 88 counts from them")
def test_readings_of_an_encoder_come_back_within_one_count_at_corners():
    robot, t = gough.load("delta"), np.arange(10_001) * 0.001
    rows = np.tile(robot.platform.home, (len(t), 1))
    step = 2e-4
    values = 0.4 * np.abs((0.1 * t) % 1.0 - 0.5)
    rows[:, 0] += np.round(values / step) * step
    motion = gough.Motion.from_samples(robot, gough.State(rows, t=t), smooth="auto")
    assert np.abs(motion(t).x[:, 0] - rows[:, 0]).max() <= step


@known("forces that exceed limits least, of a robot without force limits: SciPy's message about A_ub, not one of gough")
def test_forces_that_exceed_no_limit_are_refused_in_the_words_of_gough(redundant):
    states = snapshot_machines.states("redundant_RRR", 4)
    found = gough.inverse_dynamics(redundant, gough.State(states["x"], states["xd"], states["xdd"]))
    message = ""
    try:
        found.least_violating()
    except (gough.InputError, ValueError) as error:
        message = str(error)
    assert "force limit" in message


@pytest.mark.parametrize(
    ("legs", "before", "after"),
    [
        ("cable", "actuator = { stroke", "actuator = { spring = { stiffness = 50 }, stroke"),
        ("UPU", 'type = "UPU"', 'type = "UPU"\nbranch = -1'),
        ("tricept", 'type = "UP"', 'type = "UP"\nbranch = -1'),
    ],
    ids=["winch", "UPU", "UP"],
)
def test_what_a_leg_states_has_an_effect_or_is_refused(legs, before, after):
    text = starter(legs)
    if before not in text:
        raise ValueError(f"no {before} in the file")
    try:
        robot = gough.loads(text.replace(before, after, 1))
    except gough.RobotError:
        return
    assert robot.mechanism != gough.loads(text).mechanism
