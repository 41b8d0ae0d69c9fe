"""Errors lane of the checks that move a robot: refused by name and amount, in one line each; the catalogue accepted."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from gough import RobotError, catalogue, load, loads
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.newton import closure_error
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.mobility import closure_jacobian
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import robot_pose, ways_of
from tests.support.catalogue_lanes import TREES
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, random_robot
from tests.support.robots import with_values
from tests.support.user_robots import branched


def written(robot, folder, monkeypatch):
    """The one line the robot's file is refused with."""
    monkeypatch.chdir(folder)
    (folder / "bad.toml").write_text(robot.to_toml(), "utf-8")
    with pytest.raises(RobotError) as caught:
        load("bad.toml")
    text = str(caught.value)
    assert "\n" not in text
    return text


def with_joint(leg, k, **changes):
    joints = list(leg.joints)
    joints[k] = replace(joints[k], **changes)
    return replace(leg, joints=tuple(joints))


def with_legs(robot, change):
    return with_values(robot, legs=tuple(change(leg) for leg in robot.legs))


def spherical(leg, joint):
    """The leg ended by a spherical joint at the body of `joint`."""
    point = leg.joints[joint + 1].offset
    end = replace(leg.end, kind="spherical", joint=joint, point=point)
    return replace(leg, joints=leg.joints[: joint + 1], end=end, branch=None)


def single_rod(leg):
    """A parallelogram replaced by one rod with a spherical end."""
    drive, hinge, swing, *_ = leg.joints
    end = replace(leg.end, kind="spherical", joint=2, point=leg.joints[3].offset)
    return replace(leg, joints=(drive, hinge, replace(swing, offset=(0.0, 0.0, 0.0))), end=end, branch=None)


def three_rps():
    """Three legs R P S: z and two rotations, and motion in x, y and about z that depends on them."""
    leg = """
[[leg]]
name = "{name}"
position = [{x}, {y}, 0]
joint = [
  {{ name = "R", type = "R", axis = [{tx}, {ty}, 0] }},
  {{ name = "P", type = "P", axis = [0, 0, 1], actuated = true, start = 0.5, body = {{ mass = 1.0 }} }},
]
end = {{ type = "spherical", platform_point = [{x}, {y}, 0] }}
"""
    text = """name = "3-RPS"
[platform]
coordinates = { z = "z", a = "rx", b = "ry" }
home = [0.5, 0, 0]
mass = 1
inertia = [0.01, 0.01, 0.02]
"""
    for name, angle in zip("ABC", (0.0, 2 * np.pi / 3, 4 * np.pi / 3), strict=True):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        text += leg.format(name=name, x=0.3 * c, y=0.3 * s, tx=-s, ty=c)
    return text


@pytest.mark.parametrize("name", catalogue())
def test_the_catalogue_is_accepted(name):
    robot = load(name)
    assert kinematic_faults(robot) == []
    length = characteristic_length(robot)
    ways = ways_of(robot)
    for x in motion_near_home(robot, 3, 61)[0]:
        values = np.linalg.svd(closure_jacobian(robot_pose(robot, ways, x), length), compute_uv=False)
        nonzero = values[values > 1e-12 * values[0]]
        assert nonzero[-1] > 1e-4 * values[0]  # far above the threshold of the check, 1e-7


@pytest.mark.parametrize("kind", KINDS)
def test_random_machines_are_accepted(kind):
    for seed in range(3):
        assert kinematic_faults(random_robot(kind, seed)) == []


def test_motion_without_coordinates_is_refused(tmp_path, monkeypatch):
    """A 3-RPS moves in x, y and yaw too: these are coordinates that follow the others."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rps.toml").write_text(three_rps(), "utf-8")
    with pytest.raises(RobotError, match=r"near home.* the platform moves otherwise too: .* in platform\.dependent"):
        load("rps.toml")
    text = (
        three_rps().replace('{ z = "z"', '{ x = "x", y = "y", yaw = "rz", z = "z"').replace("[0.5,", "[0, 0, 0, 0.5,")
    )
    (tmp_path / "rps.toml").write_text(text, "utf-8")
    with pytest.raises(RobotError) as caught:
        load("rps.toml")
    assert str(caught.value) == (
        "rps.toml:3: platform.coordinates: the legs leave the machine 3 motions, but the platform has 6 coordinates "
        "(remove a coordinate, add joints, or list those that follow the others in platform.dependent)"
    )
    text = text.replace("home =", 'dependent = ["x", "y", "yaw"]\nhome =')
    (tmp_path / "rps.toml").write_text(text, "utf-8")
    assert load("rps.toml").coordinate_names == ("z", "a", "b")


def test_a_locked_platform(tmp_path, monkeypatch):
    """A 6-UPS whose pistons are fixed to the platform."""
    robot = load("stewart")

    def fixed(leg):
        R_P2 = np.array(leg.rotation)
        rows = tuple(tuple(float(v) for v in row) for row in R_P2)
        return replace(leg, end=replace(leg.end, kind="rigid", platform_rotation=rows))

    assert written(with_legs(robot, fixed), tmp_path, monkeypatch) == (
        "bad.toml:5: platform.coordinates: the legs leave the machine no motions, but the platform has 6 coordinates "
        "(remove a coordinate, add joints, or list those that follow the others in platform.dependent)"
    )


def test_spatial3_with_spherical_ends(tmp_path, monkeypatch):
    robot = load("spatial3")
    A, B, C = robot.legs
    odd = with_values(robot, legs=(spherical(A, 1), spherical(B, 1), single_rod(C)))
    assert written(odd, tmp_path, monkeypatch) == (
        "bad.toml:5: platform.coordinates: the legs leave the machine 4 motions, but the platform has 3 coordinates "
        "(what has no coordinate must be held by the legs: add a coordinate, use rigid ends or fewer joints, "
        "or add a passive leg, e.g. a joint U with a rigid end)"
    )


def test_delta_with_spherical_ends(tmp_path, monkeypatch):
    """Rods with spherical joints instead of parallelograms: the platform turns freely."""
    assert written(with_legs(load("delta"), single_rod), tmp_path, monkeypatch) == (
        "bad.toml:5: platform.coordinates: the legs leave the machine 6 motions, but the platform has 3 coordinates "
        "(what has no coordinate must be held by the legs: add a coordinate, use rigid ends or fewer joints, "
        "or add a passive leg, e.g. a joint U with a rigid end)"
    )


def test_actuators_that_do_not_control(tmp_path, monkeypatch):
    """spatial3 with two actuators in leg A: its swing follows its slider, and theta is left to itself."""
    robot = load("spatial3")
    A, B, C = robot.legs
    odd = with_values(robot, legs=(with_joint(A, 1, actuated=True), B, with_joint(C, 0, actuated=False)))
    assert written(odd, tmp_path, monkeypatch) == (
        "bad.toml:12: leg: the actuated joints do not determine the platform's motion near home "
        "(the machine is singular everywhere: actuate other joints, or place the leg ends otherwise)"
    )


@pytest.mark.parametrize("actuated", [True, False])
def test_too_many_and_too_few_actuators(actuated, tmp_path, monkeypatch):
    robot = load("planar3rrr")
    A, B, C = robot.legs
    changed = with_joint(A, 1, actuated=True) if actuated else with_joint(A, 0, actuated=False)
    odd = with_values(robot, legs=(changed, B, C))
    what = (
        "4 actuators for 3 coordinates: state [actuation] criterion "
        '(e.g. criterion = "least-norm"; actuated: A.R, A.R2, B.R, C.R)'
        if actuated
        else "missing actuators: 3 coordinates need 3 actuated joints, not 2 (actuated: B.R, C.R)"
    )
    assert written(odd, tmp_path, monkeypatch) == f"bad.toml:5: platform.coordinates: {what}"


def test_home_out_of_reach(tmp_path, monkeypatch):
    robot = load("hexapod")
    odd = with_values(robot, platform=replace(robot.platform, home=(0.3, 0.0, 0.6, 0.0, 0.0, 0.0)))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(odd.to_toml(), "utf-8")
    with pytest.raises(RobotError) as caught:
        load("bad.toml")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["leg.A", "leg.B", "leg.E", "leg.F"]
    theta, psi, beta0 = np.radians(5), np.radians(55), 1.0416097350140614
    along = np.array([-np.sin(beta0) * np.cos(theta), -np.sin(beta0) * np.sin(theta), np.cos(beta0)])
    d = np.array([0.3 + 0.3 * np.cos(psi), 0.3 * np.sin(psi), 0.6]) - 0.6 * np.array([np.cos(theta), np.sin(theta), 0])
    short = np.linalg.norm(np.cross(d, along)) - 0.5
    assert lines[0] == (
        f"bad.toml:10: leg.A: does not reach the platform at home: {short:.4g} m short "
        "(check platform.home and the leg's geometry)"
    )


def _least(robot):
    """Least distance of leg 1, two joints of its own, from its place at home, by plain search."""
    leg, pose = robot.legs[0], platform_pose(robot.platform, np.array(robot.platform.home))
    target = end_target(leg, pose)

    def distance(u):
        return np.linalg.norm(np.array(closure_error(leg, [0, 1], *target, u), dtype=float)[:3])

    starts = [(a, b) for a in (-2.0, 0.0, 2.0) for b in (-1.0, 1.0, 3.0)]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000}
    return min(minimize(distance, u, method="Nelder-Mead", options=options).fun for u in starts)


def test_home_that_newton_does_not_reach(tmp_path, monkeypatch):
    robot = load("stewart")
    legs = (with_joint(robot.legs[0], 1, axis=(0.0, 0.6, 0.8), offset=(0.1, 0.0, 0.0)), *robot.legs[1:])
    slid = replace(legs[0], joints=(legs[0].joints[0], legs[0].joints[1]), end=replace(legs[0].end, joint=1))
    odd = with_values(robot, legs=(with_joint(slid, 1, actuated=True), *robot.legs[1:]))
    text = written(odd, tmp_path, monkeypatch)
    assert text.startswith("bad.toml:")
    told = re.search(r": leg\.1: does not reach the platform at home: (\S+) m short \(check platform.home and ", text)
    assert told is not None
    assert float(told[1]) == pytest.approx(_least(odd), rel=1e-3)


def test_home_at_the_edge_of_reach(tmp_path, monkeypatch):
    """Some poses near home are out of reach: that is no parasitic motion."""
    reach = 0.5773502691896258 - 0.2309401076758503 + 1e-4
    robot = load("planar3rrr").replace({"legs.crank.length": 0.3, "legs.rod.length": reach - 0.3})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(robot.to_toml(), "utf-8")
    with pytest.raises(RobotError) as caught:
        load("bad.toml")
    for line in str(caught.value).splitlines():
        assert "does not reach the platform near home: " in line
        assert "(home is at the edge of its reach: move it inside; or " in line


@pytest.mark.parametrize("name", ["delta", "hexapod", "sru", "planar3rrr"])
def test_wrong_branch(name, tmp_path, monkeypatch):
    robot = load(name)
    leg = replace(robot.legs[1], branch=-robot.legs[1].branch)
    odd = with_values(robot, legs=(robot.legs[0], leg, *robot.legs[2:]))
    text = written(odd, tmp_path, monkeypatch)
    assert f": leg.{leg.name}.branch: {leg.branch}: closes " in text
    assert text.endswith(f"(branch = {-leg.branch}, or the starts of the other position)")


def test_wrong_branch_line(tmp_path, monkeypatch):
    robot = load("hexapod")
    leg = replace(robot.legs[1], branch=-1)
    odd = with_values(robot, legs=(robot.legs[0], leg, *robot.legs[2:]))
    assert written(odd, tmp_path, monkeypatch) == (
        "bad.toml:54: leg.B.branch: -1: closes P at 0.6201 m, but its joints start in the position with 0 m "
        "(branch = 1, or the starts of the other position)"
    )


def test_rough_starts_do_not_make_a_branch_wrong():
    robot = load("hexapod")
    rough = with_legs(robot, lambda leg: with_joint(leg, 0, start=0.02))
    assert kinematic_faults(rough) == []


@pytest.mark.parametrize("name", TREES)
def test_side_branches_are_accepted(name):
    """Their joints need no start: they follow a joint of the chain."""
    assert kinematic_faults(branched(name)) == []


def test_a_leg_with_more_joints_than_its_end_can_hold(tmp_path, monkeypatch):
    """S at both ends, written out: the leg's own spin is left."""
    robot = load("stewart")
    leg = robot.legs[0]
    spin = replace(leg.joints[1], name="spin", axis=(1.0, 0.0, 0.0), parent=1)
    slide = replace(leg.joints[2], parent=2)
    end = replace(leg.end, joint=3)
    odd = with_values(robot, legs=(replace(leg, joints=(*leg.joints[:2], spin, slide), end=end), *robot.legs[1:]))
    assert written(odd, tmp_path, monkeypatch) == (
        "bad.toml:10: leg.1: has 4 independent joints: at most 3 with a spherical end "
        "(a leg with spherical joints at both ends: write the first as U and state free_spin = true)"
    )


def test_short_forms_are_checked_too(tmp_path, monkeypatch):
    """The line of a short file: its platform's coordinates, one of which the legs do not leave."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flat.toml").write_text(
        """name = "flat"
[platform]
coordinates = { x = "x", y = "y", z = "z" }
home = [0, 0, 0]
mass = 1
[legs]
type = "RRR"
base = { radius = 0.5 }
platform = { radius = 0.2 }
motor = { axis = [0, 0, 1], reference = [1, 0, 0] }
crank = { length = 0.4 }
rod = { length = 0.4 }
""",
        "utf-8",
    )
    with pytest.raises(RobotError) as caught:
        load("flat.toml")
    lines = str(caught.value).splitlines()
    assert all("platform.dependent" in line or "reach" in line for line in lines)
    with pytest.raises(RobotError):
        loads((tmp_path / "flat.toml").read_text())
