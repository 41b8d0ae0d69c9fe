"""One margin everywhere: what ends a workspace is the distance that inverse dynamics tells."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough import Actuation, load
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.wrench_rates import wrench_program
from tests.support.hall import coordinates, hall, hall_tables
from tests.support.robots import with_values

ORDERS = (("yaw", "pitch", "roll"), ("pitch", "roll", "yaw"), ("roll", "yaw", "pitch"))


def by_facets(p, R, low=50.0, high=2500.0):
    """Margin of the hall's robot at rest by forces and moments in base axes, and a facet for each five."""
    robot = hall()
    ends = np.array([leg.end.platform_point for leg in robot.legs])
    starts = np.array([leg["base"] for leg in hall_tables()["leg"]])
    length = np.sqrt(((ends - ends.mean(axis=0)) ** 2).sum(axis=1).mean())
    arms = ends @ R.T
    pull = starts - p - arms
    pull /= np.linalg.norm(pull, axis=1)[:, None]
    W = np.hstack([pull, np.cross(arms, pull) / length])
    body = robot.platform.body
    weight = -body.mass * np.array(robot.gravity)
    need = np.concatenate([weight, np.cross(R @ np.array(body.com), weight) / length])
    least = np.inf
    for rows in combinations(range(len(W)), 5):
        _, sizes, V = np.linalg.svd(W[list(rows)])
        if sizes[-1] > 1e-9:
            along = W @ V[-1]
            reach = [np.where(along > 0.0, along * a, along * b).sum() for a, b in ((high, low), (low, high))]
            least = min(least, reach[0] - V[-1] @ need, V[-1] @ need - reach[1])
    return least


def ends_of(robot, pose, limit, wrench=None):
    """Axes of travel with a margin of `limit`, each with its two ends and the poses there."""
    found = gough.workspace(robot, pose, limits={"margin": limit}, wrench=wrench, travel_only=True)
    for row in found.travel:
        k = robot.coordinate_names.index(row.axis)
        for end, limits in ((row.low, row.low_limits), (row.high, row.high_limits)):
            x = np.array(found.x)
            x[k] = end
            yield row.axis, end, x, [one.kind for one in limits]


@pytest.mark.parametrize(
    ("name", "pose", "limit"),
    [
        ("cable8", "home", 20.0),
        ("cable8", "pitch=0.2,yaw=0.3", 20.0),
        ("hall", "z=2.5", 100.0),
        ("hall", "pitch=1.0", 200.0),
        ("planar", "home", 110.0),
    ],
)
def test_the_margin_is_what_was_asked_for_at_every_end(name, pose, limit):
    if name == "planar":
        robot, load_on = (
            with_values(load("planar4rrr"), actuation=Actuation("bounded")),
            [100.0, 30.0, 0, 0, 0, 5.0],
        )
    else:
        robot, load_on = hall() if name == "hall" else load(name), None
    seen = 0
    for axis, _, x, kinds in ends_of(robot, pose, limit, load_on):
        # About a carried axis the coordinate of its name is not the only one that turns.
        if kinds == ["margin"] and (axis in "xyz" or pose == "home"):
            margin = gough.inverse_dynamics(
                robot, gough.State(x, wrench=None if load_on is None else np.array(load_on))
            ).margin
            assert margin == pytest.approx(limit, abs=1e-8)
            seen += 1
    assert seen >= 3


def test_a_mirrored_robot_has_mirrored_travel():
    ends = {}
    for axis, end, _, kinds in ends_of(hall(), "home", 100.0):
        ends.setdefault(axis, []).append((end, kinds))
    for axis in ("x", "y", "yaw", "pitch", "roll"):
        (low, low_kinds), (high, high_kinds) = ends[axis]
        assert low == pytest.approx(-high, abs=1e-9)
        assert low_kinds == high_kinds
    assert ends["x"][1][0] == pytest.approx(2.868185, abs=1e-6)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.4, -0.7, 0.2)])
def test_the_margin_does_not_depend_on_angles_or_the_base_frame(turn):
    T = Rotation.from_rotvec(turn).as_matrix()
    rng = np.random.default_rng(2)
    poses = [(np.array([0.0, 0.0, 2.5]), Rotation.from_euler("Y", 1.3).as_matrix())]
    poses += [(rng.uniform([-3, -2, 1], [3, 2, 4]), Rotation.from_rotvec(0.5 * rng.normal(size=3)).as_matrix())
              for _ in range(4)]  # fmt: skip
    for p, R in poses:
        expected = by_facets(p, R)
        for order in ORDERS:
            robot = hall(order, turn)
            x = coordinates(order, T @ p, T @ R)
            found = gough.inverse_dynamics(robot, x[None])
            assert found.margin[0] == pytest.approx(expected, abs=1e-8)
    assert by_facets(*poses[0]) == pytest.approx(237.3986, abs=1e-4)


def test_a_check_takes_the_margin_of_its_poses():
    values = []
    for order in ORDERS[:2]:
        robot = hall(order)
        motion = gough.Motion.to(robot, {"pitch": 1.0}, 60.0)
        [found] = [f for f in gough.check(robot, motion, {"margin": 100.0}).findings if f.kind == "margin"]
        values.append(found.value)
        at = motion(np.array([found.t]))
        x, xd, xdd = at.x, at.xd, at.xdd
        assert found.value == pytest.approx(gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).margin[0], abs=1e-8)
    assert values[0] == pytest.approx(values[1], abs=1e-8)


@pytest.mark.parametrize("name", ["tricept", "rps3", "planar4rrr", "delta", "rotary"])
def test_wrenches_of_fewer_motions_are_the_smallest_that_do_the_same(name):
    robot = load(name)
    x = np.array(robot.platform.home) + 0.01
    G = wrench_program(robot)(x=x[None])[0]
    platform = (pose := robot_pose(robot, ways_of(robot), x)).platform
    K = np.array(pose.jacobian(), dtype=float)
    S = np.array([[*v, *w] for v, w in platform.columns], dtype=float).T
    length = gough.kinematics.programs.characteristic_length(robot)
    weights = np.array([1.0] * 3 + [length] * 3) / (length if all(platform.turns) else 1.0)
    force = np.random.default_rng(0).normal(size=len(K))
    # The least |w| with S^T w = K^T force, moments over the length.
    least = np.linalg.lstsq((S * weights[:, None]).T, K.T @ force, rcond=None)[0]
    assert np.linalg.norm(G.T @ force) == pytest.approx(np.linalg.norm(least), rel=1e-12)


def test_a_proof_brackets_the_same_margin():
    robot, load_on = with_values(load("planar4rrr"), actuation=Actuation("bounded")), [100.0, 30, 0, 0, 0, 5]
    found = gough.workspace(robot, limits={"margin": 110.0}, wrench=load_on, travel_only=True, prove=True)
    beyond = 0
    for k, row in enumerate(found.travel):
        assert row.proved
        x = np.tile(found.x, (402, 1))
        x[:, k] = [row.low - 1e-6, *np.linspace(row.proved_low, row.proved_high, 400), row.high + 1e-6]
        margin = gough.inverse_dynamics(robot, gough.State(x, wrench=np.tile(load_on, (402, 1)))).margin
        assert (margin[1:-1] > 110.0 - 1e-5).all()
        for end, limits in ((0, row.low_limits), (-1, row.high_limits)):
            if [limit.kind for limit in limits] == ["margin"]:
                assert margin[end] < 110.0
                beyond += 1
    assert beyond >= 3
