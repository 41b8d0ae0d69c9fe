"""Singularities against singular values by SVD, against other searches, and proofs against samples."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import gough
from gough import load
from gough.cli import main
from gough.graph import record
from gough.kinematics import Status, inverse_kinematics
from gough.run.affine_forms import Enclosure
from gough.singular.around import _around, around
from gough.singular.charts import Chart, twist_axis
from gough.singular.coordinates import coordinates_of
from gough.singular.nearest import nearest, proved_distance
from gough.singular.regular import regular
from gough.workspaces.conditions import conditions_of
from tests.support.lanes import size
from tests.support.user_robots import ankle_on_a_cross

L = 0.75


@pytest.fixture(scope="module")
def stewart():
    return load("stewart")


@pytest.fixture(scope="module")
def found(stewart):
    return gough.singularities(stewart, only=["stroke"])


@pytest.fixture(scope="module")
def chart(stewart):
    return Chart(stewart, conditions_of(stewart, only=["stroke"]), np.array(stewart.platform.home))


def legs(robot, p, R):
    """(N, 6) lengths and (N, 6, 6) rows [n, r x n / L] of legs between points, at poses (N, 3), (N, 3, 3)."""
    a = np.array([leg.position for leg in robot.legs])
    r = np.einsum("nij,kj->nki", R, np.array([leg.end.platform_point for leg in robot.legs]))
    way = p[:, None] + r - a
    length = np.linalg.norm(way, axis=2)
    n = way / length[..., None]
    return length, np.concatenate([n, np.cross(r, n) / L], axis=2)


def test_the_nearest_is_singular_within_the_strokes_and_where_another_search_finds_it(stewart, found):
    near = found.nearest
    length, S = legs(stewart, near.p[None], near.R[None])
    assert np.linalg.svd(S[0], compute_uv=False)[-1] <= 1e-12
    assert ((length > 1.8) & (length < 3.3)).all()
    apart = np.sqrt(
        np.sum((near.p - [0, 0, 2]) ** 2) + (L * np.linalg.norm(Rotation.from_matrix(near.R).as_rotvec())) ** 2
    )
    assert apart == pytest.approx(near.distance, abs=1e-12)
    assert near.distance == pytest.approx(0.77102, abs=2e-5)

    def pose(y):
        return np.array([[0, 0, 2]]) + y[:3], Rotation.from_rotvec(y[3:] / L).as_matrix()[None]

    best = np.inf
    for seed in range(size(40, 4)):
        y = np.random.default_rng(seed).normal(size=6)
        y = np.concatenate([near.p - [0, 0, 2], L * near.turn]) if seed == 0 else 0.8 * y / np.linalg.norm(y)
        constraints = [
            {"type": "eq", "fun": lambda y: np.linalg.det(legs(stewart, *pose(y))[1][0])},
            {"type": "ineq", "fun": lambda y: 0.75 - np.abs(legs(stewart, *pose(y))[0][0] - 2.55)},
        ]
        other = minimize(lambda y: y @ y, y, constraints=constraints, method="SLSQP", options={"maxiter": 200})
        if other.success:
            best = min(best, np.sqrt(other.fun))
    assert best == pytest.approx(near.distance, rel=1e-5)


def test_the_twist_there_moves_no_actuator(stewart, found):
    _, S = legs(stewart, found.nearest.p[None], found.nearest.R[None])
    v, w = found.twist[:3], found.twist[3:]
    assert np.abs(S[0] @ np.concatenate([v, L * w])).max() <= 1e-12
    axis = twist_axis(found.twist)
    on_axis = v + np.cross(w, axis["point"])
    assert np.cross(on_axis, axis["direction"]) == pytest.approx(np.zeros(3), abs=1e-12)
    assert on_axis @ axis["direction"] == pytest.approx(axis["pitch"] * np.linalg.norm(w), abs=1e-9)


def test_no_sample_is_singular_below_the_proved_distance(stewart, chart):
    proof = proved_distance(chart, 0.771, 0.5, 60_000)
    assert proof.reached >= 0.5 * 0.771
    count = size(10**6, 30_000)
    rng = np.random.default_rng(3)
    y = rng.normal(size=(count, 6))
    y *= (proof.reached * rng.uniform(size=count) ** (1 / 6) / np.linalg.norm(y, axis=1))[:, None]
    length, S = legs(stewart, y[:, :3] + [0, 0, 2], Rotation.from_rotvec(y[:, 3:] / L).as_matrix())
    signs = np.sign(np.linalg.det(S))[((length > 1.8) & (length < 3.3)).all(axis=1)]
    assert len(signs) > count // 10
    assert np.unique(signs).size == 1


def test_boxes_are_proved_regular_only_where_all_their_matrices_are():
    rng = np.random.default_rng(0)
    graph = record(lambda u: {"S": [[2.0 + u[0], u[1]], [u[1] * 0.5, u[0] * u[0] - 0.3]]}, u=2)
    centre, radius = rng.uniform(-1.5, 1.5, size=(4000, 2)), 10.0 ** rng.uniform(-3, -0.3, size=(4000, 1)) * np.ones(2)
    proved = regular(Enclosure(graph, (0, 1))(centre, radius)["S"])
    t = rng.uniform(-1, 1, size=(4000, 300, 2))
    u = centre[:, None] + t * radius[:, None]
    dets = (2.0 + u[..., 0]) * (u[..., 0] ** 2 - 0.3) - 0.5 * u[..., 1] ** 2
    mixed = (dets > 0.0).any(axis=1) & (dets < 0.0).any(axis=1)
    assert not (proved & mixed).any()
    assert proved.mean() > 0.4


def test_a_box_and_a_way(stewart):
    known = coordinates_of(stewart, conditions_of(stewart, only=["stroke"]))
    home, a = np.array(stewart.platform.home), np.radians(20)
    free = known.box({"x": (-0.4, 0.4), "z": (1.6, 2.4), "theta": (-a, a), "phi": (-a, a)}, home)
    assert free.left is None
    low, high = [-0.4, 0.0, 1.6, 0.0, -a, -a], [0.4, 0.0, 2.4, 0.0, a, a]
    x = np.random.default_rng(3).uniform(low, high, (size(1_000_000, 20_000), 6))
    assert np.unique(np.sign(np.linalg.det(inverse_kinematics(stewart, x).K))).size == 1
    assert known.box({"theta": (-1.3, 0.0), "x": (0.0, 0.1)}, home, most=2000).left is not None
    way = known.crossing(home, [0, 0, 2, 0, np.radians(-70), 0])
    K = inverse_kinematics(stewart, way.x).K
    assert np.linalg.svd(K, compute_uv=False)[-1] <= 1e-12
    assert way.proved == pytest.approx(way.share, rel=1e-8)
    shares = np.linspace(0.0, way.proved, 3000)[:, None]
    signs = np.sign(np.linalg.det(inverse_kinematics(stewart, home + shares * (way.x - home) / way.share).K))
    assert np.unique(signs).size == 1
    clear = known.crossing(home, [0.2, 0, 2.2, 0, 0.3, 0])
    assert (clear.share, clear.proved) == (None, 1.0)


def test_det_is_a_cubic_of_the_position(found, stewart):
    cubic = found.cubic
    assert len(cubic["coefficients"]) == 20
    assert cubic["misfit"] <= 1e-13
    way = np.array([0.3, -0.2, 0.4])
    value = sum(
        c * np.prod([way["xyz".index(f[0])] ** int(f[2:]) for f in name.split("*") if f != "1"])
        for name, c in zip(cubic["monomials"], cubic["coefficients"], strict=True)
    )
    length, S = legs(stewart, np.array([[0, 0, 2]]) + way, np.eye(3)[None])
    assert value == pytest.approx(np.linalg.det(S[0]) * np.prod(length), rel=1e-11)


def test_the_planar_robot_is_loose_where_its_rods_meet():
    """Bonev, Zlatanov and Gosselin (2003): a 3-RRR is singular where the lines of its distal rods meet in a point."""
    robot = load("planar3rrr")
    near = gough.singularities(robot, only=["reach"]).nearest
    x = np.array([near.p[0], near.p[1], near.turn[2]])
    points = [np.array(robot.legs[k].position) for k in range(3)]
    q = inverse_kinematics(robot, x).joint_q.reshape(3, -1)
    lines = []
    for k, leg in enumerate(robot.legs):
        b = near.R @ np.array(leg.end.platform_point) + near.p
        crank = points[k] + 0.4 * np.array([np.cos(q[k, 0]), np.sin(q[k, 0]), 0.0])
        n = (b - crank) / np.linalg.norm(b - crank)
        assert np.linalg.norm(b - crank) == pytest.approx(0.6, abs=1e-9)
        lines.append([n[0], n[1], b[0] * n[1] - b[1] * n[0]])
    assert abs(np.linalg.det(lines)) <= 1e-9


def _apart(p, R, p0, R0, length):
    """Distance of poses, by scipy's rotation vectors."""
    return np.sqrt(np.sum((p - p0) ** 2) + (length * np.linalg.norm(Rotation.from_matrix(R @ R0.T).as_rotvec())) ** 2)


@pytest.mark.slow
def test_dependent_coordinates_singularities_are_where_K_is_and_no_nearer_sample_is():
    robot = load("rps3")
    rays = around(robot, conditions_of(robot, only=["stroke"]), np.array(robot.platform.home))
    near = nearest(rays, "type 2")
    K = inverse_kinematics(robot, near.x).K / [1.0, 0.2, 0.2]
    assert np.linalg.svd(K, compute_uv=False)[-1] <= 1e-7
    home = np.array(robot.platform.home)
    count = size(200_000, 4000)
    x = home + np.random.default_rng(4).uniform(-1, 1, size=(count, 3)) * [0.2, 1.0, 1.0]
    found = inverse_kinematics(robot, x)
    # Platform coordinates in the order of the file: x, y, z, yaw, pitch, roll.
    p = np.column_stack([found.dependent[:, :2], x[:, 0]])
    R = Rotation.from_euler("ZYX", np.column_stack([found.dependent[:, 2], x[:, 1:]])).as_matrix()
    apart = np.array([_apart(a, b, [0.0, 0.0, home[0]], np.eye(3), 0.2) for a, b in zip(p, R, strict=True)])
    signs = np.sign(np.linalg.det(found.K))[(apart < 0.999 * near.distance) & (found.status == 0)]
    assert len(signs) > count // 20
    assert np.unique(signs).size == 1
    # The motion that gets loose: legs' ends move across their legs.
    twist = near.twist
    for leg in robot.legs:
        r = near.R @ np.array(leg.end.platform_point)
        along = near.p + r - np.array(leg.position)
        assert abs((twist[:3] + np.cross(twist[3:], r)) @ along) <= 1e-6 * np.linalg.norm(along)


@pytest.mark.slow
def test_a_platform_upside_down_is_a_constraint_singularity_of_three_legs_in_planes():
    """J. Schadlbauer, M. Husty, S. Caro & P. Wenger, Self-motions of 3-RPS manipulators, Front. Mech. Eng. 8 (2013).

    Its workspace has two operation modes. With the platform's quaternion (x0, x1, x2, x3), legs in three planes 120 deg
    apart ask for x0 x3 = 0: the modes x3 = 0 and x0 = 0 meet at half turns about level axes.
    """
    robot = load("rps3")
    rays = around(robot, conditions_of(robot, only=["reach"]), np.array(robot.platform.home))
    found = nearest(rays, "constraint")
    assert np.linalg.norm(found.turn) == pytest.approx(np.pi, abs=1e-4)
    assert abs(found.turn[2]) <= 1e-3
    assert found.singular_value <= 1e-5


@pytest.mark.parametrize("name", ["planar3rrr", "fivebar"])
def test_legs_are_stretched_or_folded_at_the_nearest_of_type_1(name):
    """Gosselin and Angeles (1990): the first kind, where both links of a leg are in one line."""
    robot = load(name)
    found = nearest(around(robot, conditions_of(robot, only=["reach"]), np.array(robot.platform.home)), "type 1")
    ends = [found.R @ np.array(leg.end.platform_point) + found.p - np.array(leg.position) for leg in robot.legs]
    reach = {"planar3rrr": (0.2, 1.0), "fivebar": (0.08, 0.52)}[name]
    lengths = np.array([np.linalg.norm(end) for end in ends])
    assert np.abs(lengths[:, None] - reach).min() <= 1e-7
    # What is lost is along the leg.
    k = np.abs(lengths[:, None] - reach).min(axis=1).argmin()
    r = found.R @ np.array(robot.legs[k].end.platform_point)
    v = found.twist[:3] + np.cross(found.twist[3:], r)
    assert np.linalg.norm(np.cross(v, ends[k])) <= 1e-6 * np.linalg.norm(v) * lengths[k]


def test_with_a_spare_leg_all_four_lines_of_rods_meet():
    robot = load("planar4rrr")
    near = gough.singularities(robot, only=["reach"]).nearest
    K = inverse_kinematics(robot, near.x).K / [1.0, 1.0, 0.15]
    assert np.linalg.svd(K, compute_uv=False)[-1] <= 1e-8
    rng = np.random.default_rng(0)
    y = rng.normal(size=(size(300_000, 20_000), 3))
    y *= (0.98 * near.distance * rng.uniform(size=len(y)) ** (1 / 3) / np.linalg.norm(y, axis=1))[:, None]
    found = inverse_kinematics(robot, np.array(robot.platform.home) + y / [1.0, 1.0, 0.15])
    values = np.linalg.svd(found.K[found.status == 0] / [1.0, 1.0, 0.15], compute_uv=False)[:, -1]
    assert values.min() > 1e-3


def test_cables_lose_rank_where_newton_finds_it():
    robot = load("cable8")
    found = gough.singularities(robot, only=["stroke"]).nearest
    K = inverse_kinematics(robot, found.x).K
    assert np.linalg.svd(K, compute_uv=False)[-1] <= 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ankle", "tricept"])
def test_passive_legs_hold_the_platform_and_the_others_let_go_of_it(name):
    robot = load(name)
    found = gough.singularities(robot, only=["reach"])
    assert found.of_kind("constraint") is None
    K = inverse_kinematics(robot, found.nearest.x).K
    values = np.linalg.svd(K, compute_uv=False)
    assert values[-1] <= 1e-6 * values[0]
    assert found.unproved == ""


@pytest.mark.slow
def test_a_sparing_search_says_so_and_finds_about_the_same(monkeypatch, capsys):
    """Machines whose poses take very many operations get fewer ways; here the measure of many is lowered instead."""
    robot = load("fivebar")
    usual = gough.singularities(robot)
    assert usual.sparing == 1
    monkeypatch.setattr("gough.singular.around.LARGE", 15)
    monkeypatch.setattr("gough.singular.around._around", _around.__wrapped__)
    spared = gough.singularities(robot)
    assert spared.sparing > 3
    assert spared.to_dict()["rays_spared"] == spared.sparing
    assert usual.nearest.distance * (1 - 1e-9) <= spared.nearest.distance <= 1.05 * usual.nearest.distance
    assert main(["singularities", "fivebar"]) == 0
    told = capsys.readouterr().out
    assert f"the search looked along {spared.sparing} times fewer ways than usual, and there may be nearer ones" in told


def test_the_nearest_stretched_legs_of_an_ankle_are_where_its_reach_ends():
    robot = ankle_on_a_cross()
    azimuth = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)
    ways = np.stack([np.cos(azimuth), np.sin(azimuth)], axis=1)
    low, high = np.zeros(len(ways)), np.full(len(ways), 1.5)
    for _ in range(45):
        middle = 0.5 * (low + high)
        within = inverse_kinematics(robot, middle[:, None] * ways).status <= Status.NEAR_SINGULAR
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    apart = Rotation.from_euler("YX", low[:, None] * ways).magnitude()
    found = gough.singularities(robot, only=("reach",)).found
    stretched = next(one for one in found if one.kind == "type 1")
    turned = np.linalg.norm(stretched.turn)
    assert apart.min() * (1.0 - 1e-4) <= turned <= apart.min() * (1.0 + 1e-9)


def test_a_stretched_leg_is_no_loss_of_hold():
    robot = gough.load("delta")
    loose = next(one for one in gough.singularities(robot, only=("reach",)).found if one.kind == "type 2")
    assert np.isfinite(loose.distance)
    K = inverse_kinematics(robot, np.stack([loose.x, loose.x + 1e-7 * loose.twist[:3]])).K
    assert np.linalg.svd(K, compute_uv=False)[:, -1].max() <= 1e-5, "K is small around the pose, not only in round-off"
