"""Papers lane, static part: the catalogue's numbers are those of the companions, and every robot closes at home."""

import json
import math
import tomllib
from pathlib import Path

import pytest

from gough import catalogue, load
from tests.cli.running import ROBOTS
from tests.robot.frames import body_frames, gaps_at_home
from tests.support.robots import build, catalogue_text

PAPERS = Path(__file__).parents[1] / "data" / "papers"
PRINTED = 1e-11
"""The companions print 12 significant digits."""


def paper(name):
    return json.loads((PAPERS / f"{name}.json").read_text())


def close(a, b, tolerance=PRINTED):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b, strict=True))


def test_catalogue_names():
    assert catalogue() == list(ROBOTS)


@pytest.mark.parametrize("name", catalogue())
def test_every_robot_has_notes_and_a_description(name):
    notes = catalogue_text(name, "md")
    assert notes.startswith(f"# {name}: ")
    assert "ssumed" in notes
    assert tomllib.loads(catalogue_text(name))["description"]


@pytest.mark.parametrize("name", catalogue())
def test_every_leg_closes_at_its_start(name):
    assert max(gaps_at_home(load(name))) < 1e-15


@pytest.mark.parametrize("name", catalogue())
def test_as_many_actuators_as_coordinates_or_a_criterion_and_limits(name):
    robot = load(name)
    driven = [joint for leg in robot.legs for joint in leg.joints if joint.actuated]
    assert len(driven) >= len(robot.platform.coordinates)
    assert (len(driven) > len(robot.platform.coordinates)) == (robot.actuation is not None)
    for joint in driven:
        assert joint.limits.speed
        assert joint.limits.force
        low, high = joint.limits.stroke
        assert low < joint.start - joint.zero < high


def test_stewart():
    robot, reference = load("stewart"), paper("stewart")
    for leg, b, p in zip(robot.legs, reference["base_joints"], reference["platform_joints"], strict=True):
        assert close(leg.position, b)
        assert close(leg.end.platform_point, p)
        assert [joint.kind for joint in leg.joints] == ["R", "R", "P"]
        assert [joint.body.name for joint in leg.joints] == ["cross", "cylinder", "piston"]
        assert abs(leg.joints[2].start - 2.28506230601) < PRINTED
        assert leg.end.kind == "spherical"
    p = reference["parameters"]
    cylinder, piston = (joint.body for joint in robot.legs[0].joints[1:])
    assert (cylinder.mass, piston.mass, robot.platform.body.mass) == (p["mC"], p["mS"], p["mP"])
    assert cylinder.com == (p["bC"], 0, 0)
    assert piston.com == (-p["bS"], 0, 0)
    assert cylinder.inertia[:3] == tuple(p["IC"])
    assert robot.platform.body.inertia[:3] == tuple(p["IP"])
    assert robot.gravity == (0, 0, -p["g"])
    assert [(c.name, c.motion) for c in robot.platform.coordinates][3:] == [
        ("psi", "rz"),
        ("theta", "ry"),
        ("phi", "rx"),
    ]


def test_hexapod():
    robot, reference = load("hexapod"), paper("hexapod")
    assert [leg.name for leg in robot.legs] == list(reference["joints"])
    for leg in robot.legs:
        expected = reference["joints"][leg.name]
        guide = [sum(leg.rotation[i][j] * leg.joints[0].axis[j] for j in range(3)) for i in range(3)]
        assert close(guide, expected["guide_dir"])
        assert close(leg.position, expected["slider_home"])
        assert close(leg.end.platform_point, expected["platform_body"])
        assert abs(leg.joints[0].start) < 1e-15
        assert [joint.body.name for joint in leg.joints] == ["slider", "hooke", "leg"]
        assert leg.branch == 1
    rod = robot.legs[0].joints[2].body
    assert close(rod.inertia, [0, 0.047325, 0.047325, 0, 0, 0], 1e-16)
    assert abs(robot.platform.home[2] - reference["geometry"]["h"]) < PRINTED
    assert robot.gravity == (0, 0, 9.81)


def test_spatial3():
    robot, p = load("spatial3"), paper("spatial3")["parameters"]
    h = math.sqrt(p["L"] ** 2 - (p["R"] - p["r"]) ** 2)
    assert close(robot.platform.position, [0, 0, -h], 1e-16)
    m3, arm = p["m3"], 2 * p["r"] / 3
    expected = [0.0269, 0.0501 - m3 * arm**2, 0.0658 - m3 * arm**2, 0, 0, 0]
    assert close(robot.platform.body.inertia, expected, 1e-16)
    assert close(robot.platform.body.com, [-p["r"] / 3, 0, 0], 1e-16)
    a, b, c = robot.legs
    assert [joint.kind for joint in a.joints] == ["P", "R", "R", "R"]
    assert [joint.kind for joint in c.joints] == ["P", "R", "R", "R", "R", "R"]
    assert close(a.joints[1].body.inertia, [0.0006, 0.013188, 0.013188, 0, 0, 0], 1e-15)
    assert a.joints[1].body == b.joints[1].body
    assert (c.joints[3].mimic.joint, c.joints[3].mimic.ratio) == (2, -1)
    assert (c.joints[5].mimic.joint, c.joints[5].mimic.ratio, c.joints[5].parent) == (2, 1, 1)
    total = sum(joint.body.mass for leg in robot.legs for joint in leg.joints) + robot.platform.body.mass
    assert abs(total - 15.0038) < 1e-12
    assert [leg.end.kind for leg in robot.legs] == ["rigid"] * 3


def test_spatial3_parallelogram_swings_as_the_companion_says():
    leg = load("spatial3").legs[2]
    beta = 0.2
    frames = body_frames(leg, [0.1, 0.3, beta, -beta, 0.05, beta])
    psi = math.asin(0.375) - 0.3
    u = (math.sin(psi) * math.cos(beta), math.sin(beta), -math.cos(psi) * math.cos(beta))
    assert close([row[0] for row in frames[2][1]], u, 1e-15)
    assert close([row[0] for row in frames[5][1]], u, 1e-15)
    tip = frames[4][0]
    assert close(tip, [-0.25 + 0.4 * u[0], 0.4 * u[1], 0.1 + 0.4 * u[2]], 1e-15)


def test_sru():
    robot, reference = load("sru"), paper("sru")
    for leg, s, u in zip(robot.legs, reference["S"], reference["U_platform_frame"], strict=True):
        assert close(leg.position, s)
        assert close(leg.end.platform_point, u)
        assert [joint.axis for joint in leg.joints] == [
            (1, 0, 0),
            (0, 1, 0),
            (0, 0, 1),
            (0, 1, 0),
            (0, 1, 0),
            (1, 0, 0),
        ]
        assert [joint.actuated for joint in leg.joints] == [False, False, False, True, False, False]
        assert [joint.body.name for joint in leg.joints] == ["link1", "link2", "link3", "link4", "link5", ""]
        assert leg.joints[3].start < 0
    a = math.radians(15)
    assert close(robot.legs[0].rotation[0], [math.cos(a), -math.sin(a), 0], 1e-15)
    c = math.radians(45)
    assert close(robot.legs[0].end.platform_rotation[0], [math.cos(c), -math.sin(c), 0], 1e-15)


def test_sru_home_is_the_companions_solution():
    first = paper("sru")["samples"][0]
    robot = load("sru")
    psi = math.atan2(first["R"][1][0], first["R"][0][0])
    theta = -math.asin(first["R"][2][0])
    phi = math.atan2(first["R"][2][1], first["R"][2][2])
    moved = robot.replace({"platform.home": [*first["c"], psi, theta, phi]})
    q = [leg.joints[3].start for leg in moved.legs]
    expected = [-1.41426404663, -1.36904693647, -1.32333419557, -1.33268190728, -1.52156827915, -1.54581985838]
    assert close(q, expected, 2e-11)
    assert max(gaps_at_home(moved)) < 1e-15


def test_inertia_about_a_joint_moves_to_the_centre_of_mass():
    stated = {"mass": 2.0, "com": [0.1, 0.2, 0.3], "inertia": [1, 1.1, 1.2, 0.01, 0.02, 0.03]}

    def read(about):
        joint = {"type": "P", "axis": [0, 1, 0], "actuated": True, "body": stated | {"about": about}}
        platform = {"coordinates": {"y": "y"}, "mass": 1.0}
        tables = {"name": "arm", "platform": platform, "leg": [{"joint": [joint], "end": {"type": "rigid"}}]}
        return build(tables).joints[0].body.inertia

    central = read("joint")
    expected = (1 - 2 * 0.13, 1.1 - 2 * 0.10, 1.2 - 2 * 0.05, 0.01 + 2 * 0.02, 0.02 + 2 * 0.03, 0.03 + 2 * 0.06)
    assert close(central, expected, 1e-15)
    assert read([0.1, 0.2, 0.3]) == (1, 1.1, 1.2, 0.01, 0.02, 0.03)
