"""Starts and branch decide which assembly a leg has at home; what they leave open is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gough import RobotError, State, catalogue, load
from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from gough.kinematics.closure.assembly import assemblies, branch_of, chosen
from gough.kinematics.closure.closed_forms import closed_form, closure_name
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.programs import kinematics_graph
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.dependent_machines import random_machine
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.robots import with_values


def four_bar(crank="", leg=""):
    """Three 4 m links on pivots 2 m apart; the platform is the rocker."""
    home = math.pi - math.acos(0.25)
    return f"""name = "four-bar"
gravity = [0, -9.80665, 0]
[platform]
coordinates = {{ phi = "rz" }}
home = [{home!r}]
mass = 30
com = [2, 0, 0]
inertia = [1, 40, 40]
[[leg]]
name = "rocker"
joint = [{{ name = "pivot", type = "R", axis = [0, 0, 1] }}]
end = {{ type = "rigid" }}
[[leg]]
name = "crank"
position = [2, 0, 0]
{leg}
joint = [
  {{ name = "crank", type = "R", axis = [0, 0, 1], actuated = true, body = {{ mass = 30, com = [2, 0, 0] }}{crank} }},
  {{ name = "b", type = "R", axis = [0, 0, 1], offset = [4, 0, 0], body = {{ mass = 60, com = [2, 0, 0] }} }},
  {{ name = "c", type = "R", axis = [0, 0, 1], offset = [4, 0, 0] }},
]
end = {{ type = "rigid", platform_point = [4, 0, 0] }}
"""


def legged(hip=0.0, joints=("", "", ""), leg=""):
    """A body on six legs R R P S that stand on the floor, their second axis `hip` away from the first."""
    text = """name = "walker"
[platform]
coordinates = { x = "x", y = "y", z = "z", a = "rz", b = "ry", c = "rx" }
home = [0, 0, 0.8, 0, 0, 0]
mass = 20
inertia = [1, 1, 2]
"""
    body = "{ mass = 2, com = [0.1, 0.0, 0.05], inertia = [0.02, 0.03, 0.01] }"
    for k in range(6):
        angle = math.radians((20, 100, 140, 220, 260, 340)[k])
        foot = math.radians((50, 70, 170, 190, 290, 310)[k])
        text += f"""[[leg]]
position = [{0.5 * math.cos(angle)!r}, {0.5 * math.sin(angle)!r}, 0]
{leg}
joint = [
  {{ name = "yaw", type = "R", axis = [0, 0, 1]{joints[0]} }},
  {{ name = "pitch", type = "R", axis = [0, 1, 0], offset = [{hip}, 0, 0], body = {body}{joints[1]} }},
  {{ name = "slide", type = "P", axis = [1, 0, 0], actuated = true, body = {{ mass = 1 }}{joints[2]} }},
]
end = {{ type = "spherical", platform_point = [{0.3 * math.cos(foot)!r}, {0.3 * math.sin(foot)!r}, 0] }}
"""
    return text


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "robot.toml"
        path.write_text(text, "utf-8")
        return load(path)

    return read


def refused(read, text):
    with pytest.raises(RobotError) as caught:
        read(text)
    return str(caught.value).replace(caught.value.source, "robot.toml")


def torque(robot):
    return inverse_dynamics(robot, State(robot.platform.home, [0.0], [0.0])).force[0]


def test_a_start_decides_how_a_four_bar_is_folded(read):
    robot = read(four_bar(", start = 1.318"))
    assert closure_name(robot.legs[1]) == "rod"
    found = inverse_kinematics(robot, robot.platform.home)
    assert math.degrees(found.q[0]) == pytest.approx(75.52248781407008, abs=1e-10)
    assert abs(torque(robot)) < 1e-9
    folded = read(four_bar(", start = 3.1"))
    assert inverse_kinematics(folded, folded.platform.home).q[0] == pytest.approx(math.pi, abs=1e-10)
    assert abs(torque(folded)) > 1000.0


def test_without_starts_the_branch_decides_and_else_it_is_one(read):
    angles = []
    for leg in ("", "branch = 1", "branch = -1"):
        robot = read(four_bar(leg=leg))
        angles.append(math.degrees(inverse_kinematics(robot, robot.platform.home).q[0]))
    np.testing.assert_allclose(angles, [180.0, 180.0, 75.52248781407008], atol=1e-9)


NAMED = "branch 1 (crank 3.142 rad, b -1.823 rad, c 0.5054 rad), branch -1 (crank 1.318 rad, b 1.823 rad, c -1.318 rad)"


def test_what_the_file_leaves_open_is_refused_with_the_assemblies(read):
    assert refused(read, four_bar(", start = 2.0")) == (
        "robot.toml:18: leg.crank.joint.1.start: 2.0: must be within 0.2 rad of an assembly at home; there are: "
        f"{NAMED} (correct the start, or state branch instead)"
    )
    middle = 0.5 * (math.pi + math.acos(0.25))
    assert "must be within 0.2 rad" in refused(read, four_bar(f", start = {middle}"))
    assert refused(read, four_bar(leg="branch = 2")) == (
        f"robot.toml:16: leg.crank.branch: 2: is none of the leg's assemblies at home: {NAMED}"
    )
    assert refused(read, four_bar(", start = 1.318", "branch = 1")) == (
        "robot.toml:16: leg.crank.branch: 1: closes crank at 3.142 rad, but its joints start in the position with "
        "1.318 rad (branch = -1, or the starts of the other position)"
    )
    assert refused(read, four_bar(leg="branch = 0")) == (
        "robot.toml:16: leg.crank.branch: 0: must be 1 or -1, or a further assembly: 2, -2, .."
    )


def test_two_equally_near_are_refused_unless_a_branch_tells(read):
    """The length of a leg between two points says nothing of how its universal joint stands."""
    robot = read(legged())
    joints = ("", "", f", start = {chosen(robot.legs[0], robot.platform).values[2]!r}")
    lines = refused(read, legged(joints=joints)).splitlines()
    assert len(lines) == 6
    assert all("leaves the leg 2 assemblies at home that are equally near: branch 1 (yaw" in line for line in lines)
    for branch in (1, -1):
        told = read(legged(joints=joints, leg=f"branch = {branch}"))
        assert [leg.branch for leg in told.legs] == [branch] * 6


def test_a_branch_means_the_same_in_all_legs_of_a_ring(read):
    robot = read(legged(0.05))
    postures = [[a.values[1:] for a in assemblies(leg, robot.platform)] for leg in robot.legs]
    np.testing.assert_allclose(postures, [postures[0]] * 6, atol=1e-9)


@pytest.mark.parametrize("hip", [0.0, 0.05])
def test_every_branch_of_a_leg_r_r_p_s_is_another_posture(read, hip):
    """In closed form (no hip offset) and by Newton's method."""
    plain = read(legged(hip))
    assert {closure_name(leg) for leg in plain.legs} == {"newton" if hip else "ups"}
    found = assemblies(plain.legs[0], plain.platform)
    assert [a.branch for a in found] == [1, -1, 2, -2]
    for assembly in found:
        robot = read(legged(hip, leg=f"branch = {assembly.branch}"))
        pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
        values = np.array(pose.legs[0].values(), dtype=float)
        np.testing.assert_allclose(np.exp(1j * (values[:2] - assembly.values[:2])), 1.0, atol=1e-9)
        assert values[2] == pytest.approx(assembly.values[2], abs=1e-9)
        assert pose.legs[0].residual(pose.platform) < 1e-12


def test_a_leg_turned_over_needs_other_forces(read):
    """The bodies lie elsewhere."""
    x = np.array([0.0, 0.0, 0.8, 0.0, 0.0, 0.0])
    one, other = (inverse_dynamics(read(legged(leg=f"branch = {k}")), x).force for k in (1, -1))
    assert np.abs(one - other).max() > 0.01 * np.abs(one).max()


@pytest.mark.parametrize("hip", [0.0, 0.05])
def test_starts_choose_among_all_of_them(read, hip):
    plain = read(legged(hip))
    for assembly in assemblies(plain.legs[0], plain.platform):
        off = np.array(assembly.values) + [0.05, -0.06, 0.01]
        joints = tuple(replace(j, start=float(v)) for j, v in zip(plain.legs[0].joints, off, strict=True))
        leg = replace(plain.legs[0], joints=joints, branch=None)
        assert branch_of(leg, plain.platform) == assembly.branch


@pytest.mark.parametrize(
    "text", [four_bar(", start = 1.318"), legged(0.0, leg="branch = -1"), legged(0.05, leg="branch = -1"), legged(0.05)]
)
def test_a_robot_that_is_written_states_its_assembly(read, text):
    robot = read(text)
    again = read(robot.explicit().to_toml())
    x = np.array(robot.platform.home)
    one, other = inverse_kinematics(robot, x), inverse_kinematics(again, x)
    np.testing.assert_allclose(one.joint_q, other.joint_q, rtol=0, atol=1e-9)
    assert [branch_of(leg, robot.platform) for leg in robot.legs] == [
        branch_of(leg, again.platform) for leg in again.legs
    ]
    assert again.mechanism == robot.mechanism
    assert read(again.to_toml()) == again


@pytest.mark.parametrize("name", catalogue())
def test_catalogue_robots_are_written_with_their_branch(name, read):
    robot = load(name)
    several = [leg for leg in robot.legs if closure_name(leg) in ("ups", "rod", "sru", "swing")]
    text = robot.explicit().to_toml()
    assert text.count("\nbranch = ") == len(several)
    assert read(text) == robot.explicit()
    assert read(text).mechanism == robot.mechanism
    assert read(robot.to_toml()) == robot


@pytest.mark.parametrize("kind", KINDS)
def test_every_branch_of_a_closed_form_closes_as_newton_does(kind):
    robot = random_robot(kind, 1)
    leg = robot.legs[0]
    bare = replace(leg, joints=tuple(replace(joint, start=None) for joint in leg.joints), branch=None)
    found = assemblies(bare, robot.platform)
    postures = {"ups": 2, "sru": 4}
    assert len(found) == 2 * (postures.get(closure_name(leg)) or len(closed_form(leg).turning))
    assert len({tuple(np.round(np.exp(1j * np.array(a.values)), 6)) for a in found}) == len(found)
    motion = dict(zip(("x", "xd", "xdd"), motion_near_home(robot, 4, 3), strict=True))
    for assembly in found:
        other = with_values(robot, legs=(replace(bare, branch=assembly.branch),))
        closed, newton = (
            Program(kinematics_graph(other, 2, way), executor="blocks")(**motion) for way in (False, True)
        )
        assert closed["residual"].max() < 2e-14
        for name in ("joint_qd", "joint_qdd"):
            assert np.abs(closed[name] - newton[name]).max() <= 1e-11 * max(1.0, np.abs(closed[name]).max())


def test_six_axes_have_many_assemblies_and_each_is_found_again():
    robot = odd_robot("arm")
    leg = robot.legs[0]
    found = assemblies(leg, robot.platform)
    assert len(found) == 8
    for assembly in found:
        starts = tuple(replace(j, start=v + 0.01) for j, v in zip(leg.joints, assembly.values, strict=True))
        assert branch_of(replace(leg, joints=starts), robot.platform) == assembly.branch


def kneed(height):
    """A body on six legs R R R S with an offset hip, which stretch towards a height of 0.973 m."""
    slide = '{ name = "slide", type = "P", axis = [1, 0, 0], actuated = true, body = { mass = 1 } }'
    knee = '{ name = "knee", type = "R", axis = [0, 1, 0], offset = [0.5, 0, 0], actuated = true }'
    text = legged(0.05).replace(slide, knee).replace("platform_point", "point = [0.5, 0, 0], platform_point")
    return text.replace("home = [0, 0, 0.8,", f"home = [0, 0, {height},")


def test_a_leg_near_its_fold_at_home_is_told_as_that(read):
    """It is no motion that the platform's coordinates leave out."""
    assert {closure_name(leg) for leg in read(kneed(0.9)).legs} == {"newton"}
    lines = refused(read, kneed(0.97)).splitlines()
    assert lines
    for line in lines:
        assert ": folds near home: it would have to go on to another assembly (home is at the edge of its reach" in line


def test_a_leg_held_more_than_it_needs_finds_all_its_assemblies():
    """S P R with a rigid end: five joints, six equations. Two sets of angles of S, times the slide's two ways."""
    robot = random_machine("exechon", 2)
    found = assemblies(robot.legs[2], home_platform(robot))
    first = [sorted({round(abs(a.values[0]), 6), round(abs(a.values[2]), 6)}) for a in found]
    assert len(found) == 4
    assert first == [[0.0], [3.141593], [0.0], [3.141593]]
    assert [a.values[3] > 0.0 for a in found] == [True, True, False, False]
    assert chosen(robot.legs[2], home_platform(robot)).doubt == ""


def test_angles_without_starts_are_within_half_a_turn(read):
    """Newton's method winds hinges up on its way from zero to the home pose: their whole turns are taken off."""
    knee = 'name = "knee", type = "R", axis = [0, 1, 0], offset = [0.5, 0, 0.1]'
    text = legged(0.1).replace('name = "slide", type = "P", axis = [1, 0, 0]', knee)
    robot = read(text.replace('type = "spherical"', 'type = "spherical", point = [0.6, 0.1, 0.05]'))
    answer = inverse_kinematics(robot, np.array(robot.platform.home))
    assert answer.status == 0
    assert np.abs(answer.joint_q).max() <= math.pi
