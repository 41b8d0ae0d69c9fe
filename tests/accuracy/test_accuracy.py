"""Pose errors against random machines and plain differences; stiffness against springs assembled independently."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough.accuracy.pose_errors import _longest
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.reports.accuracy_plots import errors_plot
from tests.support.lanes import size
from tests.support.robots import addresses, value_at
from tests.support.spindle_heads import head_file


@cache
def stewart():
    return gough.load("stewart")


POSE = np.array([0.1, -0.15, 2.1, 0.2, 0.1, -0.15])
TOLERANCES = {
    "tolerances": {"base": "0.1 mm", "platform": "50 um", "zero": "20 um", "encoder": "10 um", "backlash": "5 um"}
}


def test_first_order_is_what_random_machines_scatter():
    """The standard deviation of N draws scatters by 1/sqrt(2 N) for normal errors, a little less for uniform ones."""
    count = size(100_000, 20_000)
    for shape in ("uniform", "normal"):
        machine = stewart().with_errors({"tolerances": {**TOLERANCES["tolerances"], "distribution": shape}})
        first = gough.pose_errors(machine, POSE)
        drawn = gough.monte_carlo(machine, POSE, count, seed=4)
        ratio = drawn.std(axis=0) / first.sd[0]
        assert np.abs(ratio - 1.0).max() < 4.0 / np.sqrt(2.0 * count)
        assert (np.abs(drawn) <= first.worst[0] * (1.0 + 1e-3)).all() or shape == "normal"
        assert np.abs(np.cov(drawn.T) - first.covariance[0]).max() < 0.05 * np.abs(first.covariance[0]).max()


def test_the_map_is_the_derivative_of_the_pose():
    """A dimension changed by 1 um moves the pose by the map's column; the rest is of second order, 1e-12."""
    path = "leg.3.base.0"
    machine = stewart().with_errors({"tolerances": {path: 1e-6}})
    found = gough.pose_errors(machine, POSE)
    q = gough.inverse_kinematics(stewart(), POSE).q
    changed = stewart().replace({path: value_at(stewart(), path) + 1e-6})
    moved = gough.forward_kinematics(changed, q, POSE).x - POSE
    assert np.abs(moved[:3] - 1e-6 * found.map[0, :3, 0]).max() < 1e-11
    assert found.worst[0, 0] == pytest.approx(abs(moved[0]), rel=1e-4)


@pytest.mark.parametrize("path", ["leg.A.base.1", "leg.B.platform.0"])
def test_a_dimension_moves_dependent_coordinates_too(path):
    """The whole pose of a 3-RPS head whose point is 1 um off, at the same displacements."""
    robot = gough.load("rps3")
    x = np.array(robot.platform.home) + [0.02, 0.2, -0.1]
    found = gough.pose_errors(robot.with_errors({"tolerances": {path: 1e-6}}), x)
    q = gough.inverse_kinematics(robot, x).q
    changed = robot.explicit().replace({path: value_at(robot, path) + 1e-6})  # no axis turns with its point
    places = []
    for machine, there in ((robot, x), (changed, gough.forward_kinematics(changed, q, x).x)):
        values = dict(zip(machine.coordinate_names, there, strict=True))
        values |= dict(zip(machine.dependent_names, gough.inverse_kinematics(machine, there).dependent, strict=True))
        turn = Rotation.from_euler("ZYX", [values["yaw"], values["pitch"], values["roll"]])
        places.append((np.array([values["x"], values["y"], values["z"]]), turn))
    (p0, R0), (p1, R1) = places
    moved = np.concatenate([p1 - p0, (R1 * R0.inv()).as_rotvec()])
    assert np.abs(moved - 1e-6 * found.map[0, :, 0]).max() < 2e-11
    assert np.abs(moved[[0, 1, 5]]).max() > 1e-7


def test_the_worst_case_is_the_largest_corner():
    rows = np.random.default_rng(0).normal(size=(3, 9))
    corners = np.array(np.meshgrid(*[[-1, 1]] * 9)).reshape(9, -1)
    assert _longest(rows) == pytest.approx(np.linalg.norm(rows @ corners, axis=0).max(), rel=1e-12)


def test_contributions_say_what_to_pay_for():
    machine = stewart().with_errors({"tolerances": {"leg.1.base.2": "1 mm", "leg.2.base.2": "0.1 mm"}})
    found = gough.pose_errors(machine)
    assert found.contributions.sum(axis=0) == pytest.approx([1.0, 1.0])
    assert (found.contributions[0] > 0.9).all()


def test_heat_of_a_machine_whose_encoders_stay():
    """A platform on six legs whose frames grow by 1e-4 while lengths are held: as the pose of the grown machine."""
    machine = stewart().with_errors({"heat": {"temperature": 10, "expansion": 1e-5}})
    found = gough.pose_errors(machine, POSE)
    q = gough.inverse_kinematics(stewart(), POSE).q
    changes = {}
    for leg in stewart().legs:
        for key, point in (("base", leg.position), ("platform", leg.end.platform_point)):
            changes |= {f"leg.{leg.name}.{key}.{i}": v * (1 + 1e-4) for i, v in enumerate(point)}
    moved = gough.forward_kinematics(stewart().replace(changes), q, POSE).x - POSE
    assert np.abs(moved[:3] - 10.0 * found.map[0, :3, 0]).max() < 1e-3 * np.abs(moved[:3]).max(), "second order"


def test_heat_moves_dependent_coordinates_too(tmp_path):
    """A spindle head on three legs, all its dimensions grown while lengths are held: the whole pose, x, y and yaw."""
    head = gough.load(head_file(tmp_path)).explicit()
    x = np.array(head.platform.home) + [0.02, 0.05, -0.03]
    machine = head.with_errors({"heat": {"temperature": 1, "expansion": 1.0}})
    twist = gough.pose_errors(machine, x).map[0, :, 0]
    q, numbers = gough.inverse_kinematics(head, x).q, addresses(head)
    sizes = ("base", "platform", "offset", "point")
    lengths = {k: v for k, v in numbers.items() if k.startswith("leg.") and k.split(".")[-2] in sizes}

    def pose(growth):
        grown = head.replace({path: value * (1.0 + growth) for path, value in lengths.items()})
        at = robot_pose(grown, ways_of(grown), gough.forward_kinematics(grown, q, x).x).platform
        return np.array(at.p_BP, dtype=float), np.array(at.R_BP, dtype=float)

    (p, R), (p_less, R_less) = pose(1e-5), pose(-1e-5)
    turn = (R - R_less) @ (R + R_less).T / 4e-5
    numeric = [*(p - p_less) / 2e-5, turn[2, 1], turn[0, 2], turn[1, 0]]
    assert np.abs(twist[[0, 1, 5]]).min() > 1e-6
    np.testing.assert_allclose(twist, numeric, atol=1e-8 * np.abs(twist).max())


def test_heat_of_a_machine_whose_screws_are_its_scales():
    """Screws that grow as the machine does leave it similar to itself; those that grow less are in between."""
    heat = {"temperature": 10, "expansion": 1e-5}
    own, same, less = (
        gough.pose_errors(stewart().with_errors({"heat": heat | more}), POSE).map[0, :, 0]
        for more in ({}, {"scale_expansion": "1e-5 1/K"}, {"scale_expansion": 8e-6})
    )
    np.testing.assert_allclose(same, [*(1e-5 * POSE[:3]), 0.0, 0.0, 0.0], atol=1e-18)
    np.testing.assert_allclose(less, 0.2 * own + 0.8 * same, rtol=1e-12, atol=1e-18)
    alone = stewart().with_errors({"heat": {"temperature": 10, "scale_expansion": 1e-5}})
    found = gough.pose_errors(alone, POSE).map[0, :, 0]
    np.testing.assert_allclose(found, same - own, rtol=1e-9, atol=1e-15)


def _by_hand(robot, x, actuator, joint, link):
    """Compliance of a 6-UPS by its struts alone: springs in series along each leg, assembled from points."""
    p, R = x[:3], None
    psi, theta, phi = x[3:]
    c, s = np.cos, np.sin
    Rz = np.array([[c(psi), -s(psi), 0], [s(psi), c(psi), 0], [0, 0, 1]])
    Ry = np.array([[c(theta), 0, s(theta)], [0, 1, 0], [-s(theta), 0, c(theta)]])
    Rx = np.array([[1, 0, 0], [0, c(phi), -s(phi)], [0, s(phi), c(phi)]])
    R = Rz @ Ry @ Rx
    K = np.zeros((6, 6))
    for leg in robot.legs:
        arm = R @ np.array(leg.end.platform_point)
        n = p + arm - np.array(leg.position)
        n /= np.linalg.norm(n)
        line = np.concatenate([n, np.cross(arm, n)])
        K += np.outer(line, line) / (1 / actuator + 2 / joint + 1 / link)
    return np.linalg.inv(K)


def test_struts_with_springs_in_all_joints():
    machine = stewart().with_errors({"stiffness": {"actuator": 1e7, "joint": "80 N/um", "link": 5e7}})
    found = gough.elasticity(machine, POSE)
    expected = _by_hand(stewart(), POSE, 1e7, 8e7, 5e7)
    assert np.abs(found.compliance - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.abs(found.stiffness @ expected - np.eye(6)).max() < 1e-9


def test_an_arm_on_cranks_bends_in_its_joints_too():
    """planar3rrr in its plane: each leg is two links with bearings; point compliances assembled from the geometry."""
    robot = gough.load("planar3rrr")
    ka, kj, kl = 200.0, 1e6, 3e6
    machine = robot.with_errors({"stiffness": {"actuator": ka, "joint": kj, "link": kl}})
    x = np.array(robot.platform.home)
    found = gough.elasticity(machine, x)
    pose = gough.body_motion(robot, x)
    assert pose is not None
    total = np.zeros((3, 3))
    for leg, (base, knee, end) in zip(robot.legs, _arms(robot, x), strict=True):
        crank, rod = knee - base, end - knee
        u, a = rod / np.linalg.norm(rod), crank / np.linalg.norm(crank)
        lever = crank[0] * u[1] - crank[1] * u[0]
        soft = lever**2 / ka + 3 / kj + (u @ a) ** 2 / kl + 1 / kl
        arm = end - x[:2]
        line = np.array([*u, arm[0] * u[1] - arm[1] * u[0]])
        total += np.outer(line, line) / soft
        assert leg.name
    plane = found.compliance[np.ix_([0, 1, 5], [0, 1, 5])]
    assert np.abs(plane @ total - np.eye(3)).max() < 1e-9


def _arms(robot, x):
    """Base, knee and end of each leg of planar3rrr in its plane."""
    from gough.kinematics.robot_pose import robot_pose, ways_of

    pose = robot_pose(robot, ways_of(robot), x)
    for leg in pose.legs:
        points = [np.asarray(link.p, dtype=float) for link in leg.links]
        distinct = [points[0]]
        for point in points[1:]:
            if np.linalg.norm(point - distinct[-1]) > 1e-9:
                distinct.append(point)
        end = np.asarray(pose.platform.p_BP + pose.platform.R_BP @ np.array(leg.leg.end.platform_point), dtype=float)
        yield [p[:2] for p in (distinct[0], distinct[1], end)]


@pytest.mark.parametrize(
    "name",
    ["hexapod", "cable8", pytest.param("sru", marks=pytest.mark.slow), pytest.param("rotary", marks=pytest.mark.slow)],
)
def test_actuators_alone_are_the_springs_of_modes(name):
    robot = gough.load(name)
    stated = {} if robot.cables else {"stiffness": {"actuator": 1e5}}
    machine = robot.with_errors(stated)
    springs = gough.modes(robot) if robot.cables else gough.modes(robot, None, 1e5)
    again = gough.modes(robot, None, 1e5, structure=gough.structure(machine))
    assert again.frequency == pytest.approx(springs.frequency, rel=1e-8)


def test_joints_that_give_way_lower_the_frequencies():
    stiff = stewart().with_errors({"stiffness": {"actuator": 1e7}})
    soft = stewart().with_errors({"stiffness": {"actuator": 1e7, "joint": 2e7}})
    ends = [gough.modes(stewart(), None, 1e7, structure=gough.structure(e)).frequency for e in (stiff, soft)]
    assert (ends[1] < 0.8 * ends[0]).all()


def test_deflection_along_a_motion_is_that_of_the_forces():
    """With elastic actuators alone and legs without mass the actuators' forces over their stiffness say the same."""
    massless = {
        f"legs.{part}.{key}": value
        for part in ("cylinder", "piston")
        for key, value in (("mass", 0.0), ("inertia", [0, 0, 0]))
    }
    robot = stewart().replace(massless).with_payload(3.0, (0.1, 0.05, 0.2))
    motion = gough.Motion.named(robot, "trig3").with_wrench([5.0, 1.0, -20.0, 0.5, 0.2, 0.1])
    machine = robot.with_errors({"stiffness": {"actuator": 1e6}, **TOLERANCES})
    found = gough.deflection_along(machine, motion, 9)
    s = motion.sample(9)
    forces = gough.inverse_dynamics(robot, gough.State(s.x, s.xd, s.xdd, wrench=s.wrench)).force
    maps = gough.pose_errors(robot.with_errors({"tolerances": {"zero": 1e-3}}), s.x).map
    assert np.abs(found.deflection + np.einsum("nij,nj->ni", maps, forces) / 1e6).max() < 1e-12
    assert found.errors.sd.shape == (9, 6)


def test_bad_tables_get_one_line():
    cases = {
        "errors: tolerances: 3: must be a table": {"tolerances": 3},
        "errors: tolerence: unknown key (did you mean tolerances?)": {"tolerence": {}},
        'errors: tolerances.base: "5 kg": its unit must be um, mm, cm, m or in, not kg': {
            "tolerances": {"base": "5 kg"}
        },
        "errors: tolerances.zero: -1: must not be negative": {"tolerances": {"zero": -1}},
        "errors: tolerances.legs.base.radus: no such number in the robot (did you mean legs.base.radius?)": {
            "tolerances": {"legs.base.radus": 1e-3}
        },
        'errors: tolerances.distribution: "flat": must be "uniform" or "normal"': {
            "tolerances": {"distribution": "flat"}
        },
        "errors: stiffness.joints: unknown key (did you mean joint?)": {"stiffness": {"joints": 1e6}},
        "errors: stiffness.link: 0: must be positive; leave it out for what is rigid": {"stiffness": {"link": 0}},
        "errors: heat: needs both temperature [K] and expansion [1/K]": {"heat": {"temperature": 4}},
    }
    for line, given in cases.items():
        with pytest.raises(gough.InputError) as error:
            stewart().with_errors(given)
        assert str(error.value) == line
    with pytest.raises(gough.InputError, match="no tolerance"):
        gough.pose_errors(stewart().with_errors({}))
    with pytest.raises(gough.NumericalError, match="is rigid in some direction"):
        _ = gough.elasticity(gough.load("delta").with_errors({"stiffness": {"actuator": 1e3}})).stiffness


def test_a_picture_of_one_pose_says_so():
    machine = stewart().with_errors(TOLERANCES)
    home = np.array(stewart().platform.home)
    for x, where in ((home, "at home"), (POSE, "at the pose given"), (np.array([home, home]), "over 2 poses")):
        title = errors_plot(gough.pose_errors(machine, x))._suptitle.get_text()
        assert title == f"stewart: pose errors {where}, first order"


def test_the_legend_of_shares_covers_no_bar():
    fig = errors_plot(gough.pose_errors(stewart().with_errors(TOLERANCES), POSE))
    fig.draw_without_rendering()
    ax = next(ax for ax in fig.axes if ax.get_xlabel().startswith("share of the variance"))
    assert ax.get_legend().get_window_extent().y0 >= max(bar.get_window_extent().y1 for bar in ax.patches)
