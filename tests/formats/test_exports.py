"""Oracle lane: exported files opened by the engines themselves close their loops and take gough's forces."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import gough
from gough import Body
from gough.formats.engines.agreement import compare
from gough.formats.from_robot import carrying_leg, linkage_of
from tests.support.exported import SdfEngine, exported_names, mujoco_engine, pinocchio_engine
from tests.support.robots import with_values

pytestmark = pytest.mark.oracle

CLOSED = 1e-10
AGREE = 1e-9  # the engines' loop equations are differentiated numerically; the worst that was seen is 4e-12
QUICK = ("delta", "rps3", "cable8")
CABLES = ("cable8",)


def lane(names):
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


TREES = [name for name in gough.catalogue() if name not in CABLES]


@cache
def loaded(name):
    return gough.load(name)


def parse(file):
    return ElementTree.parse(file).getroot()


def assert_agrees(robot, engine):
    found = compare(robot, engine, exported_names(robot))
    assert found.closure <= CLOSED
    assert found.force <= AGREE


@pytest.mark.parametrize("name", lane(gough.catalogue()))
def test_mujoco_opens_mjcf(tmp_path, name):
    file = tmp_path / "robot.xml"
    gough.export_robot(loaded(name), file)
    assert_agrees(loaded(name), mujoco_engine(file))


SOFT = (0.9, 0.95)  # MuJoCo's defaults


def sag(file, robot, solimp=None, load=(0.0,) * 6, point=(0.0,) * 3):
    """Distance [m] of a point and angle [rad] that MuJoCo's platform moves in 0.1 s, held by gough against a load."""
    import mujoco

    load, point = np.array(load), np.array(point)
    model = mujoco.MjModel.from_xml_path(str(file))
    if solimp is not None:
        model.eq_solimp[:, :2] = solimp
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("home").id)
    mujoco.mj_forward(model, data)
    body = data.body(robot.platform.body.name)
    position, rotation = body.xpos.copy(), body.xmat.reshape(3, 3).copy()
    data.ctrl[:] = gough.inverse_dynamics(robot, gough.State(robot.platform.home, wrench=load)).force
    for _ in range(100):
        about = load[3:] + np.cross(body.xpos - body.xipos, load[:3])
        data.xfrc_applied[body.id] = [*load[:3], *about]
        mujoco.mj_step(model, data)
    turned = np.linalg.norm(body.xmat.reshape(3, 3) - rotation) / np.sqrt(2)
    went = body.xpos + body.xmat.reshape(3, 3) @ point - position - rotation @ point
    return np.linalg.norm(went), turned


@pytest.mark.parametrize("name", lane(gough.catalogue()))
def test_mujoco_holds_it(tmp_path, name):
    """Loops give way by 2 mm at most as MuJoCo's defaults have them, and by thousands less as the file has them.

    Free fall is 49 mm in this time; a loop that ends in a body of (almost) no mass holds nothing.
    """
    file, robot = tmp_path / "robot.xml", loaded(name)
    gough.export_robot(robot, file)
    soft, stiff = sag(file, robot, SOFT), sag(file, robot)
    assert soft[0] < 2e-3
    assert soft[1] < 0.02
    assert stiff[0] < 1e-5
    assert stiff[1] < 1e-4


def test_mujoco_holds_legs_without_mass(tmp_path):
    """Point masses of the platform at its ball joints: forces stay the same."""
    file, robot = tmp_path / "robot.xml", loaded("stewart")
    legs = [
        dataclasses.replace(
            leg, joints=tuple(dataclasses.replace(j, body=Body(), rotor_inertia=0.0) for j in leg.joints)
        )
        for leg in robot.legs
    ]
    bare = with_values(robot, legs=tuple(legs))
    gough.export_robot(bare, file)
    assert_agrees(bare, mujoco_engine(file))
    assert sag(file, bare, SOFT)[0] < 2e-3
    assert sag(file, bare)[0] < 1e-5


def test_no_load_pulls_a_platform_off_a_rigid_end(tmp_path):
    """The foot is the last body of the shank's joints, under the name that the robot file gives it."""
    robot, file = loaded("ankle"), tmp_path / "robot.xml"
    platform = dataclasses.replace(robot.platform, body=dataclasses.replace(robot.platform.body, name="foot"))
    foot = with_values(robot, platform=platform)
    gough.export_robot(foot, file)
    load, above = np.array([0.0, 0.0, 520.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.017558])
    assert sag(file, foot, SOFT, load, above)[0] < 1e-6  # on the axis of pitch; a little roll is left, a weld gives mm
    assert sag(file, foot, None, load)[1] < 1e-4  # the rods' loops, as the file has them
    assert not {"freejoint", "weld"} & {node.tag for node in parse(file).iter()}


@pytest.mark.parametrize(("name", "welds"), [("tricept", 0), ("planar3rrr", 2), ("stewart", None)])
def test_one_rigid_end_needs_no_weld(tmp_path, name, welds):
    """Of legs that end rigidly one carries the platform, and a platform without such a leg is free."""
    file = tmp_path / "robot.xml"
    gough.export_robot(loaded(name), file)
    tags = [node.tag for node in parse(file).iter()]
    assert tags.count("freejoint") == (welds is None)
    assert tags.count("weld") == (welds or 0)


def test_a_passive_leg_carries_the_platform():
    """Not the first that ends rigidly."""
    robot = loaded("planar3rrr")
    passive = [dataclasses.replace(joint, actuated=False) for joint in robot.legs[2].joints]
    legs = (*robot.legs[:2], dataclasses.replace(robot.legs[2], joints=tuple(passive)))
    assert carrying_leg(robot).name == robot.legs[0].name
    assert carrying_leg(with_values(robot, legs=legs)).name == robot.legs[2].name


def test_a_massless_end_that_stays_is_told(tmp_path):
    """A point of a platform without moments gives nothing to ball joints around it."""
    robot = loaded("rps3")
    body = dataclasses.replace(robot.platform.body, inertia=(0.0,) * 6)
    legs = [
        dataclasses.replace(leg, joints=tuple(dataclasses.replace(j, body=Body()) for j in leg.joints))
        for leg in robot.legs
    ]
    platform = dataclasses.replace(robot.platform, body=body)
    bare = with_values(robot, platform=platform, legs=tuple(legs))
    remarks = gough.export_robot(bare, tmp_path / "robot.xml").remarks
    assert any("a loop ends in this massless link: MuJoCo does not hold it" in line for line in remarks)


def test_a_flat_platform_beside_its_joints_gives_no_mass_and_falls(tmp_path, monkeypatch):
    """As the remark says; free fall is 49 mm."""
    monkeypatch.chdir(tmp_path)  # MuJoCo logs its warnings where it runs
    file, robot = tmp_path / "robot.xml", loaded("rps3")
    legs = [
        dataclasses.replace(leg, joints=tuple(dataclasses.replace(j, body=Body()) for j in leg.joints))
        for leg in robot.legs
    ]
    bare = with_values(robot, legs=tuple(legs))
    remarks = gough.export_robot(bare, file).remarks
    assert sum("a loop ends in this massless link" in line for line in remarks) == 3
    assert sag(file, bare)[0] > 0.04


def test_links_of_sdf_without_mass_are_told(tmp_path):
    file = tmp_path / "robot.sdf"
    remarks = gough.export_robot(loaded("stewart"), file).remarks
    told = [line for line in remarks if line.endswith("state its mass in the robot's file")]
    assert [line.split(": ")[0] for line in told] == [f"{k}.cross" for k in range(1, 7)]
    assert told[0] in file.read_text()
    assert not any("state its mass" in line for line in gough.export_robot(loaded("rps3"), file).remarks)


@pytest.mark.parametrize("name", lane(TREES))
def test_pinocchio_opens_urdf_and_its_loops(tmp_path, name):
    file = tmp_path / "robot.urdf"
    gough.export_robot(loaded(name), file)
    assert_agrees(loaded(name), pinocchio_engine(file))


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The program that prints what libsdformat reads."""
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "sdformat12"], capture_output=True, text=True, check=False
    )
    if found.returncode or shutil.which("g++") is None:
        pytest.skip("libsdformat-dev, pkg-config or g++ is missing: what libsdformat reads of SDF files is not checked")
    program = tmp_path_factory.mktemp("sdf") / "reader"
    source = Path(__file__).with_name("sdf_reader.cc")
    subprocess.run(["g++", "-std=c++17", str(source), "-o", str(program), *found.stdout.split()], check=True)
    return program


@pytest.mark.slow  # the compiler takes its time
@pytest.mark.parametrize("name", TREES)
def test_libsdformat_opens_sdf(tmp_path, reader, name):
    file, robot = tmp_path / "robot.sdf", loaded(name)
    gough.export_robot(robot, file)
    homes = {c.name: c.home for c in linkage_of(robot).connections}
    assert_agrees(robot, SdfEngine(reader, file, homes))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('mass="0.525"', 'mass="0.526"'),
        ('armature="0.6261749999999999"', 'armature="0.627"'),
        ("1.055 -0.09 0", "1.056 -0.09 0"),
        ('polycoef="0 -1 0 0 0"', 'polycoef="0 -1.001 0 0 0"'),
    ],
)
def test_a_changed_number_is_seen(tmp_path, old, new):
    """The comparison fails where a mass, a rotor, a length or a ratio of one leg is another."""
    file, robot = tmp_path / "robot.xml", loaded("delta")
    gough.export_robot(robot, file)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    found = compare(robot, mujoco_engine(file), exported_names(robot), poses=3, states=2)
    assert found.closure > 100 * CLOSED or found.force > 100 * AGREE
