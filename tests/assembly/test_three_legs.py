"""All assembly modes of robots with three legs."""

from functools import cache

import numpy as np
import pytest

import gough
from gough.assembly.real_roots import most_real_angles
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.pose import platform_pose
from tests.support.dependent_references import machine, samples
from tests.support.robots import build

KINDS = {"delta": 2, "planar3rrr": 6, "orthoglide": 2, "planar3rpr": 6, "wrist": 8, "3rps": 16, "3prs": 16}


def _turn(axis, angle):
    u = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def _wrist():
    """A spherical 3-RRR of no symmetry: each leg turns about three axes through the origin."""
    rng = np.random.default_rng(3)
    legs = []
    for name in "ABC":
        frame, second, third = (_turn(rng.normal(size=3), angle) for angle in rng.uniform(1.0, 1.6, 3))
        joints = [
            {"name": "motor", "type": "R", "axis": [0, 0, 1], "actuated": True, "start": 0.0},
            {"name": "elbow", "type": "R", "axis": [0, 0, 1], "rotation": second.tolist(), "start": 0.0},
            {"name": "wrist", "type": "R", "axis": [0, 0, 1], "rotation": third.tolist(), "start": 0.0},
        ]
        end = {"type": "rigid", "platform_rotation": (frame @ second @ third).tolist()}
        legs.append({"name": name, "rotation": frame.tolist(), "joint": joints, "end": end})
    body = {"coordinates": {"a": "rz", "b": "ry", "c": "rx"}, "home": [0, 0, 0], "mass": 1, "inertia": [1, 1, 1]}
    return build({"name": "wrist", "platform": body, "leg": legs})


def _orthoglide():
    """Three sliders at right angles, rods by parallelograms."""
    legs = []
    for name, guide, hinge in (("A", [1, 0, 0], [0, 0, 1]), ("B", [0, 1, 0], [1, 0, 0]), ("C", [0, 0, 1], [0, 1, 0])):
        at = (-1.0 * np.array(guide) + 0.02 * np.array(hinge)).tolist()
        legs.append(
            {
                "name": name,
                "type": "PPa",
                "base": at,
                "platform": (0.03 * np.array(hinge)).tolist(),
                "guide": {"direction": guide},
                "hinge": hinge,
                "rod": {"length": 0.8, "mass": 1.0, "com": [0.4, 0, 0]},
                "spread": 0.05,
                "branch": 1,
            }
        )
    body = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [0, 0, 0], "mass": 1, "inertia": [1, 1, 1]}
    return build({"name": "orthoglide", "platform": body, "leg": legs})


def _planar3rpr():
    legs = []
    for name, base, end in zip(
        "ABC", ([0, 0], [2, 0.1], [0.9, 1.8]), ([-0.3, -0.2], [0.5, -0.1], [0.1, 0.4]), strict=True
    ):
        joints = [
            {"name": "hinge", "type": "R", "axis": [0, 0, 1]},
            {"name": "slide", "type": "P", "axis": [1, 0, 0], "actuated": True, "start": 0.8},
            {"name": "pin", "type": "R", "axis": [0, 0, 1]},
        ]
        tip = {"type": "rigid", "platform_point": [*end, 0.0]}
        legs.append({"name": name, "position": [*base, 0.0], "joint": joints, "end": tip})
    body = {"coordinates": {"x": "x", "y": "y", "phi": "rz"}, "home": [0.9, 0.7, 0.2], "mass": 1, "inertia": [1, 1, 1]}
    return build({"name": "planar3rpr", "platform": body, "leg": legs})


@cache
def robot_of(kind):
    made = {"wrist": _wrist, "orthoglide": _orthoglide, "planar3rpr": _planar3rpr}
    if kind in made:
        return made[kind]()
    return machine(kind) if kind[0] == "3" else gough.load(kind)


SLOW = pytest.mark.slow


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=SLOW) if kind == "wrist" else kind for kind in KINDS])
def test_known_poses_are_among_all(kind):
    robot = robot_of(kind)
    if kind[0] == "3":
        x = samples(kind, "x")
    else:
        x = np.array(robot.platform.home) + np.random.default_rng(4).uniform(-0.05, 0.05, (8, robot.dof))
    at = gough.inverse_kinematics(robot, x)
    x, q = x[at.status == 0], at.q[at.status == 0]
    assert len(q) > 4
    found = gough.assembly_modes(robot, q)
    assert found.complete.all()
    assert found.certified.all()
    assert set(found.claim) == {f"{KINDS[kind]} of {KINDS[kind]} certified: none is missing"}
    assert (found.count + found.complex == KINDS[kind]).all()
    for k in range(len(q)):
        assert np.abs(found.x[found.sample == k] - x[k]).max(axis=1).min() < 1e-12
    _check_coordinates(robot, found)


def _check_coordinates(robot, found):
    """Coordinates and poses are the same."""
    platform = home_platform(robot)
    for k in np.linspace(0, len(found.sample) - 1, 4).astype(int):
        pose = platform_pose(platform, np.array(robot.platform.in_order(found.x[k], found.dependent[k])))
        assert np.abs(np.array(pose.p_BP, float) - found.p[k]).max() < 1e-12
        assert np.abs(np.array(pose.R_BP, float) - found.R[k]).max() < 1e-12


@pytest.mark.parametrize("kind", ["delta", "planar3rrr", "3rps", "3prs"])
def test_singular_values_are_those_of_inverse_kinematics(kind):
    robot = robot_of(kind)
    x = samples(kind, "x")[2] if kind[0] == "3" else np.array(robot.platform.home) + 0.02
    at = gough.inverse_kinematics(robot, x)
    found = gough.assembly_modes(robot, at.q)
    mine = np.abs(found.x - x).max(axis=1).argmin()
    turning = np.array([c.turns for c in robot.platform.coordinates])
    length = np.sqrt(((_ends(robot) - _ends(robot).mean(axis=0)) ** 2).sum(axis=1).mean())
    K = at.K / np.where(turning & ~turning.all(), length, 1.0)
    assert found.singular_value[mine] == pytest.approx(np.linalg.svd(K, compute_uv=False)[-1], rel=1e-10)
    assert found.branch[mine].tolist() == [leg.branch or 1 for leg in robot.legs]
    assert found.within_limits[mine]


def _ends(robot):
    return np.array([leg.end.platform_point for leg in robot.legs])


def test_out_of_reach_leaves_complex_ones():
    robot = robot_of("planar3rpr")
    found = gough.assembly_modes(robot, [0.1, 0.1, 0.1])
    assert (found.count, found.complex, found.complete) == (0, 6, True)
    assert gough.assembly_modes(robot_of("delta"), [2.5, -2.5, 0.0]).complete


def test_symmetric_positions_at_home():
    """Solutions that share an angle are told apart; complex ones that are infinite leave the real ones proved."""
    for kind, count, claim in (
        ("rps3", 16, "16 of 16 certified: none is missing"),
        ("planar3rrr", 2, "2 certified, and no other real root: none is missing"),
    ):
        robot = gough.load(kind)
        found = gough.assembly_modes(robot, gough.inverse_kinematics(robot, robot.platform.home).q)
        assert (found.count, found.complete, found.claim) == (count, True, claim)
        assert np.abs(found.x[0] - robot.platform.home).max() < 1e-12
        assert found.certified.all()


def test_most_real_angles():
    """Of cos s = a and sin s = cos t: four, none, and double ones, of which nothing is said."""
    for a, most in ((0.3, 4), (1.001, 0), (1.0, None), (0.0, None)):
        T = np.zeros((2, 3, 3))
        T[0, 0, 2], T[0, 2, 2], T[1, 1, 2], T[1, 2, 0] = 1.0, -a, 1.0, -1.0
        assert most_real_angles(T) == most


def test_cables_are_refused():
    from tests.support.mechanisms import cable8

    robot = cable8()
    with pytest.raises(gough.InputError) as caught:
        gough.assembly_modes(robot, np.ones(8))
    assert str(caught.value) == (
        f"assembly modes: {robot.name} has cables, which hold no pose by themselves; try gough fk"
    )
