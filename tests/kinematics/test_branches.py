"""No leg leaves the branch it has at home without a word: held against a tracker that makes many small steps."""

from dataclasses import replace

import numpy as np
import pytest

from gough import Joint, Mimic, load
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.closure.assembly import chosen, own_joints
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.robot_pose import ways_of
from tests.support.dependent_machines import random_machine
from tests.support.lanes import SEED, size
from tests.support.random_robots import odd_robot, random_robot
from tests.support.robots import with_values
from tests.support.tracker import track

STEPS = (400, 4000, 40000)
"""Of the tracker; the closer to a fold a way ends, the more it takes to be there to 1e-6."""
CASES = {
    "arm": (lambda: odd_robot("arm"), 0.5),
    "offset_universal": (lambda: odd_robot("offset_universal"), 1.0),
    "RUS": (lambda: random_robot("RUS", 2), 0.4),
    "PRU": (lambda: random_robot("PRU", 2), 0.4),
    "RPa": (lambda: random_robot("RPa", 2), 0.6),
    "SRU": (lambda: random_robot("SRU", 2), 0.5),
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n == "SRU" else ()) for n in sorted(CASES)])
def test_newton_stays_on_the_branch_it_has_at_home(name):
    """Where the tracker arrives, the same coordinates; where it folds, no status that has values."""
    make, spread = CASES[name]
    robot = make()
    robot = with_values(robot, legs=robot.legs[:1])
    home = np.array(robot.platform.home)
    x = home + spread * np.random.default_rng([SEED, len(name)]).uniform(-1.0, 1.0, (size(400, 24), len(home)))
    found = kinematics_program(robot, 0, newton=True)(x=x)
    leg = robot.legs[0]
    own = own_joints(leg)
    start = chosen(leg, robot.platform).values
    mine = found["joint_q"][:, : len(leg.joints)][:, own]
    closed = found["converged"][:, 0] & (found["short"][:, 0] <= 0.0)
    theirs, arrived = track(robot, 0, start, x, STEPS[0])
    for steps in STEPS[1:]:  # too coarse near a fold: look again
        open_ = np.flatnonzero((closed != arrived) | (closed & (np.abs(mine - theirs).max(axis=1) > 1e-6)))
        if len(open_):
            theirs[open_], arrived[open_] = track(robot, 0, start, x[open_], steps)
    assert (closed == arrived).all()
    np.testing.assert_allclose(mine[closed], theirs[closed], rtol=0, atol=1e-6)
    assert closed.any()


def test_the_way_round_a_fold_is_told():
    """A crank that Newton's method closes: a pose it reaches, but not straight from home."""
    robot = random_robot("RPa", 2)
    home = np.array(robot.platform.home)
    x = home + np.random.default_rng(1).uniform(-0.6, 0.6, (40, len(home)))
    closed = inverse_kinematics(robot, x).status <= Status.NEAR_SINGULAR
    newton = kinematics_program(robot, 0, newton=True)(x=x)
    arrived = newton["converged"].all(axis=1) & (newton["short"] <= 0.0).all(axis=1)
    assert not (arrived & ~closed).any()
    assert (closed & ~arrived).any()


@pytest.mark.parametrize("newton", [False, True])
def test_a_side_joint_that_follows_at_a_broken_ratio_counts_the_turns(newton):
    """The platform turns about the leg's end by more than half a turn: the weight goes on, it does not jump."""
    robot = load("planar3rrr")
    leg = robot.legs[0]
    joints = tuple(replace(joint, start=None) for joint in leg.joints)
    weight = Joint("weight", "R", (0.0, 0.0, 1.0), mimic=Mimic(2, 0.5, 0.1))
    end = replace(leg.end, platform_point=(0.0, 0.0, 0.0))
    odd = with_values(robot, legs=(replace(leg, joints=(*joints, weight), end=end),))
    assert closure_name(odd.legs[0]) == "rod"
    home = np.array(robot.platform.home)
    x = home + np.outer(np.linspace(-9.0, 9.0, 19), [0.0, 0.0, 1.0])
    found = kinematics_program(odd, 0, newton)(x=x)
    assert found["converged"].all()
    np.testing.assert_allclose(np.diff(found["joint_q"][:, 2]), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.diff(found["joint_q"][:, 3]), 0.5, atol=1e-12)


@pytest.mark.parametrize("kind", ["rps", "prs", "rrs"])
def test_no_pose_near_home_is_on_another_branch_of_legs_in_planes(kind):
    robot = random_machine(kind, 101)
    rng = np.random.default_rng(SEED)
    sizes = [1.0 if c.turns else characteristic_length(robot) for c in robot.platform.coordinates]
    x = robot.platform.home + rng.uniform(-0.3, 0.3, (size(40_000, 4000), robot.dof)) * sizes
    found = kinematics_program(robot, 0)(x=x)
    assert found["residual"].max() < 1e-12
    assert found["converged"].all()


def test_legs_with_a_closed_form_are_not_followed_where_no_turns_count():
    robot = random_machine("rps", 101)
    assert all(leg.branch is None for leg in robot.expanded.legs)
    assert [way.home for way in ways_of(robot.expanded).legs] == [()] * 3
