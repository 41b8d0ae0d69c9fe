"""Identities: rings, explicit points and joint-by-joint legs give the same robot to round-off."""

import math
import re
import tomllib

import pytest

from gough import SHORT_FORMS, RobotError, catalogue, load, loads
from gough.cli.new import HOLDS, starter
from gough.robot.legs.expand import expand
from gough.robot.legs.rings import leg_entries
from gough.robot.spec import changed
from tests.robot.frames import body_frames, gaps_at_home, numbers
from tests.support.catalogue_lanes import TREES
from tests.support.robots import build, catalogue_text, read

COORDINATES = {"x": "x", "y": "y", "z": "z", "psi": "rz", "theta": "ry", "phi": "rx"}
ROD = {"length": 0.5, "mass": 0.2, "com": [0.25, 0, 0], "inertia": [1e-5, 4e-3, 4e-3]}
PLATFORM = {"coordinates": COORDINATES, "home": [0.02, -0.01, 0.5, 0.1, -0.05, 0.07], "mass": 2.0}
SHORT = {
    "UPS": {"cylinder": {"mass": 0.3, "com": [0.1, 0, 0]}, "piston": {"mass": 0.2}},
    "SPS": {"cylinder": {"mass": 0.3, "com": [0.1, 0, 0]}},
    "PUS": {"guide": {"tilt": 0.3, "offset": 0.1}, "rod": ROD, "slider": {"mass": 0.1}},
    "PSS": {"guide": {"tilt": 0.3}, "rod": ROD},
    "RUS": {"motor": {"yaw": 0.9}, "crank": {"length": 0.1, "mass": 0.05}, "rod": ROD, "branch": -1},
    "RSS": {"motor": {"yaw": 0.9}, "crank": {"length": 0.1}, "rod": ROD},
    "SRU": {"lower": 0.4, "upper": 0.35, "link3": {"mass": 1.0}},
}
RINGS = {"base": {"radius": 0.4, "half_angle": 0.2, "z": 0.01}, "platform": {"radius": 0.25, "half_angle": 0.15}}


def ring_angles(first, half):
    pitch = 2 * math.pi / 3
    if first:
        return [half, pitch - half, pitch + half, 2 * pitch - half, 2 * pitch + half, 3 * pitch - half]
    return [side + pitch * k + pitch / 2 for k in range(3) for side in (-half, half)]


def points_of(kind):
    """The same machine with its points written out."""
    legs = []
    for k, (a, c) in enumerate(zip(ring_angles(True, 0.2), ring_angles(False, 0.15), strict=True)):
        leg = {
            "base": [0.4 * math.cos(a), 0.4 * math.sin(a), 0.01],
            "platform": [0.25 * math.cos(c), 0.25 * math.sin(c), 0.0],
        }
        if kind[0] == "R":
            yaw = a + (0.9 if k % 2 == 0 else -0.9)
            f = [math.cos(yaw), math.sin(yaw), 0.0]
            leg["motor"] = {"axis": [f[1], -f[0], 0.0], "reference": f}
        legs.append(leg)
    shared = {key: value for key, value in SHORT[kind].items() if key != "motor"}
    return {"name": "m", "platform": PLATFORM, "legs": {"type": kind, **shared}, "leg": legs}


def largest_difference(a, b):
    mine, yours = numbers(a), numbers(b)
    assert len(mine) == len(yours)
    assert all(math.isfinite(n) for n in mine)
    return max(abs(x - y) for x, y in zip(mine, yours, strict=True))


@pytest.mark.parametrize("kind", sorted(SHORT))
def test_rings_and_points_give_the_same_robot(kind):
    short = build({"name": "m", "platform": PLATFORM, "legs": {"type": kind, **RINGS, **SHORT[kind]}})
    points = build(points_of(kind))
    assert largest_difference(short, points) < 2e-15
    assert max(gaps_at_home(short)) < 1e-15


@pytest.mark.parametrize("name", TREES)
def test_short_and_joint_by_joint_are_the_same_to_the_bit(name):
    robot = load(name)
    text = robot.explicit().to_toml()
    again = read(text)
    assert again.mechanism == robot.mechanism
    assert again == robot.explicit()
    assert all("joint" in leg for leg in tomllib.loads(text)["leg"])


@pytest.mark.parametrize("name", catalogue())
def test_text_of_a_text_is_the_same_text(name):
    for robot in (load(name), load(name).explicit()):
        text = robot.to_toml()
        assert read(text).to_toml() == text
    assert load(name).to_toml() == catalogue_text(name)


def test_legs_of_a_listed_robot_take_their_defaults_from_legs():
    tables = points_of("UPS")
    tables["leg"][2]["cylinder"] = {"mass": 0.9}
    robot = build(tables)
    assert [leg.joints[1].body.mass for leg in robot.legs] == [0.3, 0.3, 0.9, 0.3, 0.3, 0.3]
    assert robot.legs[2].joints[1].body.com == (0.1, 0, 0)


def test_units_convert_at_the_door():
    metres = build({"name": "m", "platform": PLATFORM, "legs": {"type": "RUS", **RINGS, **SHORT["RUS"]}})
    mm = {
        "name": "m",
        "units": {"length": "mm", "mass": "g", "angle": "deg", "inertia": "kg mm^2"},
        "platform": {
            "coordinates": COORDINATES,
            "home": [20, -10, 500, *[math.degrees(a) for a in (0.1, -0.05, 0.07)]],
            "mass": 2000,
        },
        "legs": {
            "type": "RUS",
            "branch": -1,
            "base": {"radius": 400, "half_angle": math.degrees(0.2), "z": 10},
            "platform": {"radius": 250, "half_angle": math.degrees(0.15)},
            "motor": {"yaw": math.degrees(0.9)},
            "crank": {"length": 100, "mass": 50},
            "rod": {"length": 500, "mass": 200, "com": [250, 0, 0], "inertia": [10, 4000, 4000]},
        },
    }
    assert largest_difference(metres, build(mm)) < 2e-15


@pytest.mark.parametrize("kind", ["PRU", "RRU", "PPa", "RPa", "PRR", "RRR"])
def test_hinged_legs_close_at_home(kind):
    drive = (
        {"guide": {"direction": [0, 0, 1]}, "branch": -1}
        if kind[0] == "P"
        else {"motor": {"axis": [0, 1, 0], "reference": [1, 0, 0]}, "crank": {"length": 0.1}}
    )
    tail = {"hinge": [0, 1, 0]} if kind != "RRR" else {}
    if kind.endswith("RU"):
        tail["platform_hinge"] = [1, 0, 0]
    swings = kind.endswith("Pa")
    leg = {"name": "A", "type": kind, "base": [0.3, 0, 0], "platform": [0.1, 0.05 * swings, 0], "rod": ROD}
    robot = build(
        {
            "name": "m",
            "platform": {"coordinates": {"z": "z"}, "home": [-0.45], "mass": 1.0},
            "leg": [{**leg, **drive, **tail}],
        }
    )
    assert max(gaps_at_home(robot)) < 1e-15
    if swings:
        assert abs(robot.legs[0].joints[2].start) == pytest.approx(math.asin(0.1), abs=1e-15)


def test_stated_axes_of_a_universal_joint_are_kept():
    axes = [[0, 0, 1]]
    robot = build({"name": "m", "platform": PLATFORM, "legs": {"type": "UPS", "axes": axes, **RINGS}})
    for leg in robot.legs:
        first, second = (
            [sum(leg.rotation[i][j] * joint.axis[j] for j in range(3)) for i in range(3)] for joint in leg.joints[:2]
        )
        assert first == pytest.approx([0, 0, 1], abs=1e-15)
        assert second[2] == pytest.approx(0, abs=1e-15)
    assert max(gaps_at_home(robot)) < 1e-15


def test_compound_joints_expand_into_elementary_ones():
    leg = {
        "name": "A",
        "joint": [
            {"name": "C", "type": "C", "axis": [0, 0, 1]},
            {"name": "U", "type": "U", "offset": [0, 0, 1], "body": {"mass": 1.0}},
            {"name": "Pa", "type": "Pa", "axis": [0, 0, 1], "bar": [0.4, 0, 0], "spread": [0, 0.1, 0], "start": 0.3},
            {"name": "S", "type": "S", "starts": [0.1, 0.2, 0.3]},
            {"name": "M", "type": "P", "axis": [1, 0, 0], "actuated": True},
        ],
        "end": {"type": "rigid"},
    }
    robot = build({"name": "m", "platform": {"coordinates": {"x": "x"}, "mass": 1.0}, "leg": [leg]})
    joints = robot.legs[0].joints
    assert [(j.name, j.kind, j.parent, j.group) for j in joints] == [
        ("C1", "R", -1, "C"),
        ("C2", "P", 0, "C"),
        ("U1", "R", 1, "U"),
        ("U2", "R", 2, "U"),
        ("Pa1", "R", 3, "Pa"),
        ("Pa2", "R", 4, "Pa"),
        ("Pa3", "R", 3, "Pa"),
        ("S1", "R", 5, "S"),
        ("S2", "R", 7, "S"),
        ("S3", "R", 8, "S"),
        ("M", "P", 9, ""),
    ]
    assert [j.axis for j in joints[2:4]] == [(0, 1, 0), (0, 0, 1)]
    assert joints[3].body.mass == 1.0
    stated = [j.start for j in robot.expanded.legs[0].joints]
    assert stated == [None] * 4 + [0.3, -0.3, 0.3, 0.1, 0.2, 0.3, None]
    frames = body_frames(robot.legs[0], [start or 0.0 for start in stated])
    assert frames[7][0] == pytest.approx((0.4 * math.cos(0.3), 0.4 * math.sin(0.3), 1.0), abs=1e-15)
    assert robot.legs[0].end.joint == 10


def test_units_of_a_cylindrical_joint_are_an_angle_and_a_length():
    leg = {
        "name": "A",
        "joint": [
            {"name": "C", "type": "C", "axis": [0, 0, 1], "starts": [90, 20]},
            {"name": "M", "type": "P", "axis": [1, 0, 0], "actuated": True, "stroke": [-50, 50], "speed": 100},
        ],
        "end": {"type": "rigid"},
    }
    tables = {"name": "m", "units": {"length": "mm", "angle": "deg", "acceleration": "m/s^2"}, "leg": [leg]}
    robot = build({**tables, "platform": {"coordinates": {"x": "x"}, "mass": 1.0}})
    turn, slide, driven = robot.legs[0].joints
    assert (turn.start, slide.start) == (pytest.approx(math.pi / 2), pytest.approx(0.02))
    assert driven.limits.stroke == (-0.05, 0.05)
    assert driven.limits.speed == pytest.approx(0.1)


def test_axes_and_rotations_to_a_few_digits_are_made_exact():
    root = 0.7071068
    leg = {
        "name": "A",
        "rotation": [[root, -root, 0], [root, root, 0], [0, 0, 1]],
        "joint": [{"name": "M", "type": "P", "axis": [root, root, 0], "actuated": True}],
        "end": {"type": "rigid"},
    }
    robot = build({"name": "m", "platform": {"coordinates": {"x": "x"}, "mass": 1.0}, "leg": [leg]})
    assert math.hypot(*robot.legs[0].joints[0].axis) == pytest.approx(1, abs=1e-15)
    for row in robot.legs[0].rotation:
        assert math.hypot(*row) == pytest.approx(1, abs=1e-15)
    assert read(robot.to_toml()) == robot


def test_byte_order_mark_is_passed_over(tmp_path):
    text = load("sru").to_toml()
    (tmp_path / "robot.toml").write_text(text, encoding="utf-8-sig")
    assert load(tmp_path / "robot.toml") == load("sru")


def test_readme_sized_file():
    text = (
        'name = "mine"\n[units]\nlength = "mm"\nangle = "deg"\nacceleration = "m/s^2"\ninertia = "kg m^2"\n'
        "[platform]\n"
        'coordinates = { x = "x", y = "y", z = "z", psi = "rz", theta = "ry", phi = "rx" }\n'
        "home = [0, 0, 500, 0, 0, 0]\nmass = 5\ninertia = [0.05, 0.05, 0.1]\n"
        '[legs]\ntype = "UPS"\nbase = { radius = 400, half_angle = 10 }\n'
        "platform = { radius = 250, half_angle = 8 }\n"
        "cylinder = { mass = 1, com = [150, 0, 0], inertia = [0, 0.01, 0.01] }\n"
        "piston = { mass = 0.5, com = [-150, 0, 0], inertia = [0, 0.005, 0.005] }\n"
    )
    assert text.count("\n") <= 20
    assert len(read(text).legs) == 6


def test_a_rod_too_short_is_told_in_the_unit_of_the_file():
    """In mm here: by so many mm longer, rounded up, it reaches."""

    def text(length):
        return starter("RUS").replace("rod = { length = 230,", f"rod = {{ length = {length!r},")

    with pytest.raises(RobotError, match=r"is \S+ mm too short to reach the platform at home") as caught:
        read(text(125))
    missing = float(re.search(r"is (\S+) mm", str(caught.value))[1])
    with pytest.raises(RobotError, match=r"is \S+ mm too short"):
        read(text(125 + 0.999 * missing))
    read(text(125 + 1.001 * missing))


@pytest.mark.parametrize("name", sorted(SHORT_FORMS))
def test_a_leg_type_says_which_joint_moves_which_of_its_bodies(name):
    """Each body of a leg, given a mass that no other has, is the body of the joints for which the type has its key."""
    form = SHORT_FORMS[name]
    spec = loads(starter(HOLDS.get(name, name))).spec
    keys = sorted({key for key in form.bodies if key is not None})
    masses = {key: 1.0 + k / 8 for k, key in enumerate(keys)}
    legs = leg_entries(spec)
    k = next(k for k, leg in enumerate(legs) if leg.get("type") == name)
    bodies = {("leg", k, key): {**legs[k].get(key, {}), "mass": mass, "com": [0.0] * 3} for key, mass in masses.items()}
    found = [joint.body.mass for joint in expand(changed(spec, bodies)).legs[k].joints]
    assert found == [0.0 if key is None else masses[key] for key in form.bodies]
