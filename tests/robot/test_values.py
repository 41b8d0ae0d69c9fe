"""Robots put together in Python from the values themselves."""

from dataclasses import FrozenInstanceError, replace
from functools import cache

import numpy as np
import pytest

from gough import Body, Coordinate, End, Joint, Leg, Limits, Mimic, Platform, Robot, RobotError, catalogue, load, loads
from gough.graph import record
from tests.support.robots import build, validate, with_values

RAIL = Joint("rail", "P", (0.0, 1.0, 0.0), actuated=True, body=Body("car", 0.5))
PLATFORM = Platform(Body("platform", 1.0), (Coordinate("y", "y"),), (0.0,))


@cache
def arm():
    return Robot("arm", PLATFORM, (Leg("A", (RAIL,), End("rigid", 0)),))


def with_joint(**changes):
    leg = replace(arm().legs[0], joints=(replace(RAIL, **changes),))
    return with_values(arm(), legs=(leg,))


def with_second(joint):
    leg = replace(arm().legs[0], joints=(RAIL, joint), end=End("rigid", 1))
    return with_values(arm(), legs=(leg,))


def test_values_dict_and_text_are_the_same_robot():
    tables = {
        "name": "arm",
        "platform": {"coordinates": {"y": "y"}, "mass": 1.0},
        "leg": [
            {
                "name": "A",
                "joint": [
                    {
                        "name": "rail",
                        "type": "P",
                        "axis": (0, 1, 0),
                        "actuated": True,
                        "body": {"name": "car", "mass": 0.5},
                    }
                ],
                "end": {"type": "rigid"},
            }
        ],
    }
    validate(arm())
    assert build(tables).mechanism == arm().mechanism
    assert loads(arm().to_toml()) == arm()


@pytest.mark.parametrize("name", catalogue())
def test_robots_are_frozen_and_hashable(name):
    robot = load(name)
    assert hash(robot) == hash(load(name))
    with pytest.raises(FrozenInstanceError):
        robot.name = "other"
    validate(with_values(robot))


@cache
def spinning():
    return with_values(
        build(
            {
                "name": "m",
                "platform": {
                    "coordinates": {"x": "x", "y": "y", "z": "z", "a": "rz", "b": "ry", "c": "rx"},
                    "home": [0, 0, 0.5, 0, 0, 0],
                    "mass": 2.0,
                },
                "legs": {
                    "type": "SPS",
                    "base": {"radius": 0.4, "half_angle": 0.2},
                    "platform": {"radius": 0.2, "half_angle": 0.2},
                },
            }
        ),
    )


SIX = (0.1, 0.1, 0.3, 0.0, 0.0, 0.0)
SKEW = ((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TURN = Joint("turn", "R", (0.0, 0.0, 1.0), parent=0)
BAD = {
    "parent": (
        lambda: with_second(replace(TURN, parent=1)),
        'leg.A.joint.2.parent: "turn": must be the name of a joint before it (known: base, rail)',
    ),
    "mimic": (
        lambda: with_second(replace(TURN, mimic=Mimic(1))),
        'leg.A.joint.2.mimic.joint: "turn": must be the name of a joint before it (known: rail)',
    ),
    "names": (lambda: with_second(replace(TURN, name="rail")), 'leg.A.joint.2.name: "rail": must be unique in its leg'),
    "end": (
        lambda: with_values(arm(), legs=(replace(arm().legs[0], end=End("rigid", 3)),)),
        'leg.A.end.joint: "3": must be the name of a joint of its leg (known: rail)',
    ),
    "no-joint": (
        lambda: with_values(arm(), legs=(*arm().legs, Leg("B", (), End("rigid", 0)))),
        "leg.B.joint: must have at least one joint",
    ),
    "branch": (
        lambda: with_values(arm(), legs=(replace(arm().legs[0], branch=0),)),
        "leg.A.branch: 0: must be 1 or -1, or a further assembly: 2, -2, ..",
    ),
    "stroke": (
        lambda: with_joint(limits=Limits(stroke=(1.0, -1.0))),
        "leg.A.joint.1.stroke: [1.0, -1.0]: must be [least, greatest], the least first",
    ),
    "body": (
        lambda: with_joint(body=Body("car", 0.5, inertia=SIX)),
        "leg.A.joint.1.body.inertia: [0.1, 0.1, 0.3, 0.0, 0.0, 0.0]: not physical: the largest principal moment exceeds"
        " the sum of the others, 0.3 > 0.1 + 0.1 kg m^2 (check [units] inertia, about, and the order xx, yy, zz,"
        " xy, xz, yz)",
    ),
    "rotation": (
        lambda: with_values(arm(), legs=(replace(arm().legs[0], rotation=SKEW),)),
        "leg.A.rotation: [[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]: must be a rotation: rows of unit length,"
        " perpendicular",
    ),
    "nan": (lambda: with_joint(zero=float("nan")), "leg.A.joint.1.zero: nan: must be a finite number"),
    "gravity-nan": (
        lambda: with_values(arm(), gravity=(0.0, 0.0, float("inf"))),
        "gravity: [0.0, 0.0, inf]: must be three numbers [x, y, z] (nan and inf are not allowed)",
    ),
    "leg-names": (lambda: with_values(arm(), legs=arm().legs * 2), 'leg.A.name: "A": must be unique in the robot'),
    "coordinate-names": (
        lambda: with_values(arm(), platform=replace(PLATFORM, coordinates=PLATFORM.coordinates * 2, home=(0.0, 0.0))),
        'platform.coordinates: ["y", "y"]: must have unique names',
    ),
    "home": (
        lambda: with_values(arm(), platform=replace(PLATFORM, home=())),
        "platform.home: []: must be 1 numbers, one per coordinate",
    ),
    "robot-name": (
        lambda: with_values(arm(), name="my arm"),
        'name: "my arm": must be a name of letters a-z, digits, - and _ (try my-arm)',
    ),
    "joint-name": (
        lambda: with_joint(name="a.b"),
        'leg.A.joint.1.name: "a.b": must be a name of letters a-z, digits, - and _ (try a-b)',
    ),
    "spherical": (
        lambda: with_values(
            spinning(),
            legs=tuple(
                replace(leg, joints=(replace(leg.joints[0], body=Body("", 1.0, (0.0, 0.1, 0.0))), *leg.joints[1:]))
                for leg in spinning().legs
            ),
        ),
        "leg.6.joint.1.body: leg 6: inside a spherical joint there can only be a point mass at its centre",
    ),
    "no-legs": (lambda: with_values(arm(), legs=()), "has no legs (add [legs] for all at once, or [[leg]] one by one)"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_values(name):
    make, line = BAD[name]
    with pytest.raises(RobotError) as caught:
        validate(make())
    assert line in [text.partition(": ")[2] for text in str(caught.value).split("\n")]


def test_a_robot_lists_its_coordinates_joints_and_actuators():
    """Two drives on leg A, one on leg B: three actuators of a robot with one coordinate."""
    tilt = Joint("tilt", "R", (1.0, 0.0, 0.0), parent=0, actuated=True, body=Body("arm", 0.25))
    two = Leg("A", (RAIL, tilt, Joint("roll", "R", (0.0, 1.0, 0.0), parent=1)), End("rigid", 2))
    robot = with_values(arm(), legs=(two, Leg("B", (RAIL,), End("rigid", 0))))
    assert robot.dof == 1
    assert robot.coordinate_names == ("y",)
    assert robot.joint_names == ("A.rail", "A.tilt", "A.roll", "B.rail")
    assert [joint.name for joint in robot.joints] == ["rail", "tilt", "roll", "rail"]
    assert robot.expanded.actuators == (RAIL, tilt, RAIL)
    assert [joint.turns for joint in robot.actuators] == [False, True, False]
    assert robot.actuator_names == ("A.rail", "A.tilt", "B")
    assert robot.actuator_legs == (0, 0, 1)
    assert [body.name for body in robot.bodies] == ["platform", "car", "arm", "", "car"]
    assert [Coordinate("c", motion).turns for motion in ("x", "y", "z", "rx", "ry", "rz")] == [False] * 3 + [True] * 3


def test_what_a_robot_lists_follows_its_copy():
    """A changed copy does not keep the lists of the original."""
    assert arm().expanded.actuators == (RAIL,)
    assert with_second(replace(RAIL, name="other", parent=0)).actuator_names == ("A.rail", "A.other")


def test_a_body_states_its_tensor_and_whether_it_weighs_anything():
    """Against sums over point masses, about their centre and about the origin."""
    masses, points = np.array([0.3, 0.5, 0.2, 0.7]), np.random.default_rng(3).normal(size=(4, 3))
    com = masses @ points / masses.sum()

    def about(origin):
        arms = points - origin
        return sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, arms, strict=True))

    own = about(com)
    body = Body("cloud", masses.sum(), tuple(com), (*np.diag(own), own[0, 1], own[0, 2], own[1, 2]))
    assert body.tensor == pytest.approx(own, rel=1e-15)
    moved = body.mass * (com @ com * np.eye(3) - np.outer(com, com))
    assert body.tensor + moved == pytest.approx(about(np.zeros(3)), rel=1e-14)
    assert not body.is_massless
    assert not Body("point", 1.0).has_inertia
    assert Body("nothing").is_massless
    assert not Body("gyro", 0.0, inertia=(0.0, 0.0, 1e-300, 0.0, 0.0, 0.0)).is_massless
    rod = Body("rod", 1.0, inertia=(2.0, 2.0, 0.5, 0.0, 0.0, 0.0))
    assert rod.inertia_across((0.0, 0.0, 1.0)) == 2.0


def test_a_recorded_number_may_be_anything():
    def equations(p):
        body = Body("free", p[0])
        assert not body.is_massless
        assert not Body("free", 0.0, inertia=(0.0, 0.0, p[0], 0.0, 0.0, 0.0)).is_massless
        assert replace(RAIL, actuated=False, viscous=p[0]).is_passive_viscous
        return body.mass

    record(equations, p=1)
    assert not RAIL.is_passive_viscous
    assert not replace(RAIL, viscous=2.0).is_passive_viscous
    assert replace(RAIL, actuated=False, viscous=2.0).is_passive_viscous
    assert not replace(RAIL, actuated=False).is_passive_viscous
