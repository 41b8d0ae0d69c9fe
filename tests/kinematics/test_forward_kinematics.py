"""Forward kinematics: the end of the straight path in displacements from the guess, or a status that says otherwise."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import gough
from gough import catalogue, load
from gough.errors import InputError, NumericalError
from gough.graph.triples import matrix, vector
from gough.kinematics import PoseError, Status, forward_kinematics, inverse_kinematics
from gough.kinematics.forward.solver import Solver, solver_of
from tests.support import fine_tracker, lanes
from tests.support.catalogue_lanes import NOT_SHARED
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.robots import with_values
from tests.support.user_robots import ankle_on_a_cross

OFF = (0.05, 0.4)
"""How far guesses are from the pose, in lengths or rad."""
LOST = (Status.OUT_OF_REACH, Status.NOT_CONVERGED, Status.PATH_FOLDS, Status.GUESS_OUT_OF_REACH)


def workspace(robot, count, seed):
    """Poses x (count, n) all over what the legs reach, displacements there, and guesses at a distance."""
    rng = np.random.default_rng([seed, 11])
    n = len(robot.platform.coordinates)
    x = np.empty((0, n))
    while len(x) < count:
        box = rng.uniform(-1, 1, (count, n)) * rng.uniform(0, 1, (count, 1)) * fine_tracker.sizes(robot)
        poses = np.array(robot.platform.home) + box
        x = np.concatenate([x, poses[fine_tracker.read(robot, poses)[2]]])[:count]
    direction = rng.normal(size=x.shape)
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    guess = x + direction * rng.uniform(*OFF, (count, 1)) * fine_tracker.sizes(robot)
    return x, fine_tracker.read(robot, x)[0], guess


def compared(robot, q, guess):
    """What forward kinematics finds, after a comparison with the fine tracker: never silently elsewhere."""
    found = forward_kinematics(robot, q, guess)
    ends = fine_tracker.path_ends(robot, guess, q)
    arrived = found.status <= Status.NEAR_SINGULAR
    assert np.isin(found.status[~arrived], LOST).all()
    assert np.isnan(found.x[~arrived]).all()
    assert np.isfinite(ends[arrived]).all(), "a pose where the path folds"
    error = np.abs(found.x[arrived] - ends[arrived]).max(axis=1)
    assert (error <= 1e-13 * (1.0 + inverse_kinematics(robot, ends[arrived]).condition)).all()
    assert (found.residual[arrived] <= 1e-13).all()
    assert ((found.share == 1.0) == arrived).all()
    within = fine_tracker.read(robot, guess)[2]
    assert ((found.status == Status.GUESS_OUT_OF_REACH) == ~within).all()
    return found, ends


@pytest.mark.parametrize("name", NOT_SHARED)
def test_the_pose_is_the_end_of_the_path_of_a_fine_tracker_or_a_status_says_otherwise(name):
    robot = load(name)
    _, q, guess = workspace(robot, lanes.size(2000, 60), lanes.SEED)
    found, ends = compared(robot, q, guess)
    started = found.status != Status.GUESS_OUT_OF_REACH
    arrived = found.status <= Status.NEAR_SINGULAR
    assert started.sum() > 0.5 * len(q)
    assert (arrived == np.isfinite(ends[:, 0])).mean() >= 0.98, "paths that do not fold, given up"
    assert arrived[started].mean() >= 0.93


@pytest.mark.parametrize("kind", lanes.sample(KINDS, 3, lane="forward kinematics"))
def test_robots_without_coincidences_are_solved_alike(kind):
    robot = random_robot(kind, 3)
    assert solver_of(robot).certified is not None
    _, q, guess = workspace(robot, lanes.size(300, 12), 3)
    compared(robot, q, guess)


@pytest.mark.parametrize("name", ["skew", pytest.param("arm", marks=pytest.mark.slow)])
def test_robots_whose_legs_are_closed_by_iteration_are_followed_in_checked_steps(name):
    robot = odd_robot(name)
    assert solver_of(robot).certified is None
    x = np.array(robot.platform.home) + 0.05 * np.random.default_rng(4).uniform(-1, 1, (6, 6))
    q = inverse_kinematics(robot, x).q
    found = forward_kinematics(robot, q)
    assert (found.status == Status.FINE).all()
    assert np.abs(found.x - x).max() <= 1e-12


@pytest.mark.parametrize("name", ["stewart", "planar3rrr", "sru"])
def test_checked_steps_lead_where_certified_ones_do(name):
    robot = load(name)
    _, q, guess = workspace(robot, lanes.size(500, 40), 5)
    certain = forward_kinematics(robot, q, guess)
    checked = Solver(robot)
    checked.certified = None
    path, residual = checked.follow(guess, q)
    both = (path.status <= Status.NEAR_SINGULAR) & (certain.status <= Status.NEAR_SINGULAR)
    assert both.sum() >= 0.9 * (certain.status <= Status.NEAR_SINGULAR).sum()
    assert not ((path.status <= Status.NEAR_SINGULAR) & ~both).any()
    assert np.abs(checked.coordinates(path.c)[both] - certain.x[both]).max() <= 1e-11
    assert (residual[both] <= 1e-12).all()


@pytest.mark.parametrize("name", catalogue())
def test_from_a_near_pose_the_compiled_step_finds_the_pose(name):
    robot = load(name)
    rng = np.random.default_rng(lanes.SEED)
    turns = np.array([c.turns for c in robot.platform.coordinates])
    x = np.array(robot.platform.home) + 0.02 * rng.uniform(-1, 1, (40, robot.dof)) * fine_tracker.sizes(robot)
    guess = x + rng.uniform(-1, 1, x.shape) * np.where(turns, 2e-3, 1e-3)
    q = fine_tracker.read(robot, x)[0]
    found = solver_of(robot).quick(guess=guess, q=q)
    assert found["sound"].mean() >= 0.9
    sound = found["sound"]
    assert np.abs(found["x"] - x)[sound].max() <= 1e-13 * (1.0 + inverse_kinematics(robot, x).condition.max())
    assert found["residual"][sound].max() <= 1e-13


@pytest.mark.parametrize("name", catalogue())
def test_from_the_pose_itself_every_pose_is_found(name):
    robot = load(name)
    x, q, _ = workspace(robot, lanes.size(10000, 1000), 17)
    found = forward_kinematics(robot, q, x)
    assert (found.status <= Status.NEAR_SINGULAR).all()
    assert (np.abs(found.x - x).max(axis=1) <= 1e-13 * (1.0 + inverse_kinematics(robot, x).condition)).all()


def test_a_foot_on_a_passive_leg_is_found_from_the_pose_itself_and_from_elsewhere():
    robot = ankle_on_a_cross()
    rng = np.random.default_rng(lanes.SEED)
    x = rng.uniform([-0.8, -0.4], [0.6, 0.4], (1000, 2))
    x, q = x[(k := inverse_kinematics(robot, x)).status == Status.FINE], k.q[k.status == Status.FINE]
    assert len(x) > 900
    there = forward_kinematics(robot, q, x)
    assert (there.status == Status.FINE).all()
    assert np.abs(there.x - x).max() <= 1e-12
    compared(robot, q, x + rng.uniform(-0.3, 0.3, x.shape))
    assert solver_of(robot).quick(guess=x + 0.01, q=q)["sound"].mean() >= 0.9


@pytest.mark.parametrize("name", ["rps3", "planar4rrr", "cable8"])
def test_the_compiled_step_leads_where_checked_steps_do(name):
    robot = load(name)
    _, q, guess = workspace(robot, lanes.size(500, 40), 9)
    solver = solver_of(robot)
    quick = solver.quick(guess=guess, q=q)
    path, _ = solver.follow(guess, q)
    sound = quick["sound"]
    assert sound.mean() >= 0.5
    assert (path.status[sound] <= Status.NEAR_SINGULAR).all()
    assert np.abs(quick["x"] - solver.coordinates(path.c))[sound].max() <= 1e-11


def test_displacements_that_do_not_fit_are_fitted_by_least_squares_in_the_compiled_step():
    robot = load("planar4rrr")
    q = inverse_kinematics(robot, robot.platform.home).q + np.array([1e-3, -2e-3, 1.5e-3, 1e-3])
    found = solver_of(robot).quick(guess=np.array([robot.platform.home]), q=q[None])
    assert found["sound"].all()
    assert found["residual"][0] > 1e-4
    fit = least_squares(
        lambda x: inverse_kinematics(robot, x).q - q, robot.platform.home, xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    assert np.abs(found["x"][0] - fit.x).max() <= 1e-8, "as near as a search over squares gets"


@pytest.mark.parametrize("name", ["hexapod", "rps3", "cable8"])
def test_the_result_of_a_sample_does_not_depend_on_its_neighbours(name):
    robot = load(name)
    _, q, guess = workspace(robot, 50, 7)
    together = forward_kinematics(robot, q, guess)
    turned = forward_kinematics(robot, q[::-1], guess[::-1])
    assert together.x.tobytes() == turned.x[::-1].tobytes()
    for k in range(len(q)):
        if together.status[k] <= Status.NEAR_SINGULAR:
            alone = forward_kinematics(robot, q[k], guess[k])
            assert alone.x.tobytes() == together.x[k].tobytes()
            assert (alone.status, alone.steps) == (together.status[k], together.steps[k])
        else:
            with pytest.raises(PoseError):
                forward_kinematics(robot, q[k], guess[k])


def with_a_fourth_leg(robot, angle):
    """A planar robot with a leg like its first at another place on the ring: one actuator more than coordinates."""
    R = Rotation.from_euler("z", angle).as_matrix()
    leg = robot.legs[0]

    def turned(value):
        values = (R @ np.array(value)).tolist()
        return vector(values) if np.ndim(value) == 1 else matrix(values)

    end = replace(
        leg.end,
        platform_point=turned(leg.end.platform_point),
        platform_rotation=turned(leg.end.platform_rotation),
    )
    extra = replace(leg, name="D", position=turned(leg.position), rotation=turned(leg.rotation), end=end)
    return with_values(robot, legs=(*robot.legs, extra))


def test_with_more_actuators_than_coordinates_the_pose_fits_by_least_squares():
    robot = with_a_fourth_leg(load("planar3rrr"), 1.0)
    x = np.array([0.03, 0.02, 0.1])
    q = inverse_kinematics(robot, x).q
    consistent = forward_kinematics(robot, q)
    assert np.abs(consistent.x - x).max() <= 1e-13
    q = q + [0.05, 0.0, 0.01, -0.02]
    found = forward_kinematics(robot, q)
    here = inverse_kinematics(robot, found.x)
    assert np.abs(here.K.T @ (q - here.q)).max() <= 1e-14
    best = least_squares(lambda y: inverse_kinematics(robot, y).q - q, x, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.abs(found.x - best.x).max() <= 1e-7
    assert found.residual == pytest.approx(np.abs(best.fun).max(), abs=1e-7)


def test_a_turning_actuator_takes_the_shorter_way_and_whole_turns_do_not_count():
    robot = load("planar3rrr")
    x = np.array([0.05, -0.03, 0.2])
    q = inverse_kinematics(robot, x).q
    found = forward_kinematics(robot, q + 2.0 * np.pi * np.array([1, 0, -2]))
    assert np.abs(found.x - x).max() <= 1e-13
    assert found.residual <= 1e-14


def test_forward_kinematics_finds_the_pose_from_the_last_one():
    machine = load("stewart")
    x = np.array(machine.platform.home) + [0.1, -0.05, 0.1, 0.2, 0.1, -0.1]
    q = inverse_kinematics(machine, x).q
    found = gough.forward_kinematics(machine, q, machine.platform.home)
    assert np.abs(found.x - x).max() <= 1e-13
    near = gough.forward_kinematics(machine, q, x + 1e-3)
    assert (near.steps, near.status, near.share) == (1, Status.FINE, 1.0)
    many = gough.forward_kinematics(machine, np.stack([q, np.full(6, 0.1)]))
    assert many.status.tolist() == [Status.FINE, Status.PATH_FOLDS]
    assert np.isnan(many.x[1]).all()
    assert 0.0 < many.share[1] < 1.0
    several = gough.forward_kinematics(machine, q, np.stack([x + 1e-3, x]))
    assert np.abs(several.x - x).max() <= 1e-13


def test_a_path_that_folds_is_told_with_the_place_where_it_does():
    machine = load("stewart")
    with pytest.raises(
        NumericalError, match=r"forward kinematics: the platform is singular at [\d.]+ % of the way"
    ) as e:
        gough.forward_kinematics(machine, np.full(6, 0.1))
    assert e.value.status == Status.PATH_FOLDS
    assert "give a guess nearer the pose" in str(e.value)
    for amount in (1e6, 1e30):
        with pytest.raises(PoseError) as e:
            gough.forward_kinematics(machine, np.full(6, 2.5) + amount * np.eye(6)[0])
        assert "e+" not in str(e.value)


def test_a_leg_that_is_stretched_on_the_way_is_named():
    robot = load("delta")
    q = np.array([1.1, 1.4, 1.4])
    with pytest.raises(PoseError, match=r"leg \w+ is stretched or folded beyond [\d.]+ % of the way") as e:
        gough.forward_kinematics(robot, q)
    assert e.value.status == Status.PATH_FOLDS
    assert e.value.leg in [leg.name for leg in robot.legs]


def test_a_guess_out_of_reach_has_a_status_of_its_own():
    robot = load("hexapod")
    far = np.array(robot.platform.home) + [2.0, 0, 0, 0, 0, 0]
    with pytest.raises(PoseError, match=r"the guess is out of reach: leg \w+ by [\d.]+ m") as e:
        gough.forward_kinematics(robot, np.zeros(6), far)
    assert e.value.status == Status.GUESS_OUT_OF_REACH
    many = gough.forward_kinematics(robot, np.zeros(6), np.stack([far, robot.platform.home]))
    assert many.status.tolist() == [Status.GUESS_OUT_OF_REACH, Status.FINE]


def test_bad_input_is_told():
    machine = load("stewart")
    q = np.full(6, 2.5)
    with pytest.raises(InputError, match="q: sample 1: actuator 3 is nan: must be finite"):
        gough.forward_kinematics(machine, np.stack([q, np.where(np.arange(6) == 2, np.nan, q)]))
    with pytest.raises(InputError, match="guess: psi is inf: must be finite"):
        gough.forward_kinematics(machine, q, [0, 0, 2, np.inf, 0, 0])
    with pytest.raises(InputError, match=r"q: shape \(5,\) given, expected \(6,\) or \(N, 6\)"):
        gough.forward_kinematics(machine, q[:5])
    with pytest.raises(InputError, match="guess: 3 samples given, but q has 2"):
        gough.forward_kinematics(machine, np.tile(q, (2, 1)), np.tile(machine.platform.home, (3, 1)))
