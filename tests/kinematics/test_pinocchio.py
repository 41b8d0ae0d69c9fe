"""Oracle lane: closure, rates and accelerations by Pinocchio on the cut tree; only the angles come from gough."""

import numpy as np
import pytest

from gough import State, catalogue, load
from gough.kinematics import inverse_kinematics
from tests.support.catalogue_lanes import HELD, TREES
from tests.support.motions import motion_near_home
from tests.support.pinocchio_dependent import in_all_coordinates
from tests.support.pinocchio_tree import build_tree, platform_rates
from tests.support.random_robots import odd_robot, random_robot

pytestmark = pytest.mark.oracle

RANDOM = ("SPS", "RSS", "RUS", "SRU", "PRR", "RPa", "RRU")
AGREE = 1e-10


def robot_of(name):
    if name in catalogue():
        return load(name)
    return random_robot(name, 4) if name in RANDOM else odd_robot(name)


def least_squares(C, known, known_places, rhs):
    """Rates of the other joints from C v = rhs with some rates known, and how badly that fits."""
    others = [k for k in range(C.shape[1]) if k not in known_places]
    target = rhs - C[:, known_places] @ known
    found, *_ = np.linalg.lstsq(C[:, others], target, rcond=1e-11)
    rank = np.linalg.matrix_rank(C[:, others], tol=1e-9)
    assert rank == len(others), "the constraints must determine every joint"
    full = np.zeros(C.shape[1])
    full[known_places], full[others] = known, found
    return full, float(np.abs(C @ full - rhs).max())


@pytest.mark.parametrize("name", [*TREES, *RANDOM, "offset_universal", pytest.param("arm", marks=pytest.mark.slow)])
def test_closure_rates_and_accelerations(name):
    robot = robot_of(name)
    xs, xds, xdds = motion_near_home(robot, 6, 21)
    ours = inverse_kinematics(robot, State(xs, xds, xdds))
    robot, xs, xds, xdds = in_all_coordinates(robot, xs, xds, xdds)
    tree = build_tree(robot)
    places, free = tree.places(), tree.platform_places()
    for k, (x, xd, xdd) in enumerate(zip(xs, xds, xdds, strict=True)):
        q = tree.configuration(ours.joint_q[k], x)
        assert tree.gaps(q).max() < 1e-13
        rates, second = platform_rates(robot, x, xd, xdd)
        C, _ = tree.constraint(q, np.zeros(tree.model.nv))
        v, misfit = least_squares(C, rates, free, np.zeros(len(C)))
        assert misfit < AGREE
        scale = max(1.0, np.abs(v).max())
        np.testing.assert_allclose(ours.joint_qd[k], v[places], rtol=0, atol=AGREE * scale)
        C, bias = tree.constraint(q, v)
        a, misfit = least_squares(C, second, free, -bias)
        assert misfit < AGREE * max(1.0, np.abs(bias).max())
        np.testing.assert_allclose(ours.joint_qdd[k], a[places], rtol=0, atol=AGREE * max(1.0, np.abs(a).max()))


@pytest.mark.parametrize("name", TREES)
def test_actuator_jacobian(name):
    robot = load(name)
    xs, _, _ = motion_near_home(robot, 3, 22)
    ours = inverse_kinematics(robot, xs)
    units = [in_all_coordinates(robot, xs, np.tile(unit, (len(xs), 1)))[2] for unit in np.eye(xs.shape[1])]
    robot, xs = in_all_coordinates(robot, xs)
    tree = build_tree(robot)
    places = np.array(tree.places())[[joint.actuated for leg in robot.legs for joint in leg.joints]]
    zero = np.zeros(xs.shape[1])
    for k, x in enumerate(xs):
        C, _ = tree.constraint(tree.configuration(ours.joint_q[k], x), np.zeros(tree.model.nv))
        columns = []
        for unit in units:
            rates, _ = platform_rates(robot, x, unit[k], zero)
            columns.append(least_squares(C, rates, tree.platform_places(), np.zeros(len(C)))[0][places])
        np.testing.assert_allclose(ours.K[k], np.stack(columns, axis=1), rtol=0, atol=AGREE * np.abs(ours.K[k]).max())


@pytest.mark.parametrize("name", [*HELD, "planar4rrr", "rps3", "tricept"])
def test_mobility_of_the_cut_tree(name):
    """Nullity of the constraint rows is the number of independent platform coordinates."""
    robot = load(name)
    xs = motion_near_home(robot, 1, 23)[0]
    wide, full = in_all_coordinates(robot, xs)
    tree = build_tree(wide)
    q = tree.configuration(inverse_kinematics(robot, xs[0]).joint_q, full[0])
    C, _ = tree.constraint(q, np.zeros(tree.model.nv))
    values = np.linalg.svd(C, compute_uv=False)
    rank = int(np.sum(values > 1e-9 * values[0]))
    assert tree.model.nv - rank == len(robot.platform.coordinates)


def test_the_tree_is_depth_first_and_has_all_mass():
    robot = load("spatial3")
    tree = build_tree(robot)
    parents = list(tree.model.parents)
    for joint in range(1, tree.model.njoints):
        branch, at = [], joint - 1
        while at > 0:
            branch.append(at)
            at = parents[at]
        assert parents[joint] in (0, *branch)
    total = sum(joint.body.mass for leg in robot.legs for joint in leg.joints) + robot.platform.body.mass
    assert sum(y.mass for y in tree.model.inertias) == pytest.approx(total, rel=1e-15)
    assert total == pytest.approx(15.0038, abs=1e-12)
