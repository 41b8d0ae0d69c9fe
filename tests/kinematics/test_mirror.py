"""A mirrored leg is closed as its twin is; a leg that spins freely needs no axes, wherever it stands."""

from dataclasses import replace

import numpy as np
import pytest

from gough.graph.triples import matrix, vector
from gough.kinematics.closure.closed_forms import closed_form, closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, random_robot
from tests.support.robots import build, with_values

pytestmark = pytest.mark.slow

MIRROR = np.diag([1.0, -1.0, 1.0])


def point(p):
    return vector([float(v) for v in MIRROR @ np.array(p)])


def frame(R):
    return matrix([[float(v) for v in row] for row in MIRROR @ np.array(R) @ MIRROR])


def mirrored(leg, reverse):
    """The leg's image in the plane y = 0; turns about the image of an axis go the other way round unless reversed."""
    joints = []
    for joint in leg.joints:
        axis = MIRROR @ np.array(joint.axis)
        axis = vector([float(v) for v in (axis if joint.kind == "P" or reverse else -axis)])
        joints.append(replace(joint, axis=axis, offset=point(joint.offset), rotation=frame(joint.rotation), start=None))
    end = replace(
        leg.end,
        point=point(leg.end.point),
        rotation=frame(leg.end.rotation),
        platform_point=point(leg.end.platform_point),
        platform_rotation=frame(leg.end.platform_rotation),
    )
    return replace(
        leg, joints=tuple(joints), end=end, position=point(leg.position), rotation=frame(leg.rotation), branch=None
    )


def mirrored_motion(robot, motion):
    """Coordinates of the mirrored platform: slides along y and turns about x and z change their sign."""
    signs = [-1.0 if c.motion in ("y", "rx", "rz") else 1.0 for c in robot.platform.coordinates]
    return [part * signs for part in motion]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_a_mirrored_leg_has_the_closed_form_of_its_twin(kind, reverse):
    robot = random_robot(kind, 1)
    twin = robot.legs[0]
    image = mirrored(twin, reverse)
    assert closure_name(image) == closure_name(twin)
    mirrored_platform = replace(
        robot.platform,
        home=tuple(float(v) for v in mirrored_motion(robot, [np.array(robot.platform.home)])[0]),
        position=point(robot.platform.position),
        rotation=frame(robot.platform.rotation),
    )
    motion = motion_near_home(robot, 5, 3)
    names = ("x", "xd", "xdd")
    one = with_values(robot, legs=(twin,))
    closed = Program(kinematics_graph(one, 2), executor="blocks")(**dict(zip(names, motion, strict=True)))
    found = []
    for branch in (1, -1, 2, -2, 3, -3, 4, -4):
        other = with_values(robot, platform=mirrored_platform, legs=(replace(image, branch=branch),))
        moved = dict(zip(names, mirrored_motion(robot, motion), strict=True))
        graphs = (kinematics_graph(other, 2), kinematics_graph(other, 2, True))
        result, newton = (Program(graph, executor="blocks")(**moved) for graph in graphs)
        assert result["residual"].max() < 2e-14
        for name in ("joint_qd", "joint_qdd"):
            assert np.abs(result[name] - newton[name]).max() <= 1e-11 * max(1.0, np.abs(result[name]).max())
        found.append(np.abs(np.abs(result["joint_qd"]) - np.abs(closed["joint_qd"])).max())
        if branch < 0 and -branch == closed_form(image).postures:
            break
    assert min(found) <= 1e-12 * max(1.0, np.abs(closed["joint_qd"]).max())  # one branch moves as the twin does


def test_a_leg_that_spins_freely_may_stand_on_the_z_axis():
    """No tangent there: any axis across the leg will do, and nothing depends on which."""
    legs = [{"base": b, "platform": p} for b, p in zip(BASE, PLATFORM, strict=True)]
    platform = {"coordinates": COORDINATES, "home": [0.1, 0.05, 0.8, 0.02, 0.03, -0.01], "mass": 2.0}
    robot = build({"name": "spins", "platform": platform, "legs": {"type": "SPS"}, "leg": legs})
    assert kinematic_faults(robot) == []
    assert closure_name(robot.legs[0]) == "ups"
    stated = [{**legs[0], "axes": [[0.3, 0.7, 0.1]]}, *legs[1:]]
    other = build({"name": "spins", "platform": platform, "legs": {"type": "SPS"}, "leg": stated})
    motion = dict(zip(("x", "xd", "xdd"), motion_near_home(robot, 4, 1), strict=True))
    one, two = (Program(kinematics_graph(r, 2), executor="blocks")(**motion)["K"] for r in (robot, other))
    np.testing.assert_allclose(one, two, rtol=0, atol=1e-14)


COORDINATES = {"x": "x", "y": "y", "z": "z", "a": "rz", "b": "ry", "c": "rx"}
BASE = [[0, 0, 0], [0.5, 0.1, 0], [0.4, 0.5, 0], [-0.3, 0.4, 0], [-0.5, -0.2, 0], [0.2, -0.5, 0.1]]
PLATFORM = [[0.05, 0.02, 0], [0.2, 0.25, 0], [0.1, 0.3, 0], [-0.3, -0.1, 0], [-0.1, -0.3, 0], [0.3, -0.1, 0]]
