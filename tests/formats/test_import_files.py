"""Small files of the kinds that people bring: what is read of them, and the line for what is not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import gough
from gough import cli
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.random_states import random_states

FOREIGN = Path(__file__).parents[1] / "data" / "foreign"

BODY = '<inertial><origin xyz="0 0 0"/><mass value="{m}"/><inertia ixx="{i}" iyy="{i}" izz="{i}"/></inertial>'


def urdf_link(name, mass=1.0):
    return f'<link name="{name}">{BODY.format(m=mass, i=0.01 * mass) if mass else ""}</link>'


def urdf_joint(name, parent, child, xyz, kind="continuous"):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}"><origin xyz="{xyz}"/>{ends}<axis xyz="0 0 1"/></joint>'


def five_bar(scale=1.0, mass=1.0):
    """A five-bar whose last link is the child of two joints, as engines refuse it and people write it."""

    def at(x, y):
        return f"{x * scale!r} {y * scale!r} 0"

    parts = [urdf_link("ground", 0), *(urdf_link(name, mass) for name in ("a1", "a2", "b1", "b2", "tip"))]
    parts += [
        urdf_joint("a", "ground", "a1", at(-0.1, 0)),
        urdf_joint("a_elbow", "a1", "a2", at(0, 0.2)),
        urdf_joint("a_tip", "a2", "tip", at(0.1, 0.15), "fixed"),
        urdf_joint("b", "ground", "b1", at(0.1, 0)),
        urdf_joint("b_elbow", "b1", "b2", at(0, 0.2)),
        urdf_joint("b_tip", "b2", "tip", at(-0.1, 0.15)),
    ]
    return f'<robot name="five">{"".join(parts)}</robot>'


def test_a_link_with_two_parents_is_a_loop(tmp_path):
    file = tmp_path / "five.urdf"
    file.write_text(five_bar())
    found = gough.import_robot(file, "tip", actuated=["a", "b"])
    robot = found.robot
    assert robot.dof == 2
    assert [c.name for c in robot.platform.all_coordinates] == ["x", "y", "yaw"]
    assert [j.name for j in robot.actuators] == ["a", "b"]
    assert any(line.startswith("not compared with an engine: ") for line in found.remarks)  # Pinocchio refuses it
    assert [body.name for body in robot.bodies if body.mass] == ["tip", "a1", "a2", "b1", "b2"]
    np.testing.assert_allclose(robot.platform.whole().home, [0.0, 0.35, 0.0], atol=1e-12)


MJCF = """<mujoco model="lever"><compiler angle="degree"/>
<default><joint damping="0.5"/><default class="arm"><joint range="-90 90"/></default></default>
<worldbody>
  <body name="crank" pos="-0.1 0 0"><joint name="a" axis="0 0 1" class="arm"/>{inertial}
    <body name="rod" pos="0 0.2 0"><joint name="elbow" axis="0 0 1"/>{inertial}
      <site name="here" pos="0.1 0.15 0"/></body>
  </body>
  <body name="plate" pos="0.1 0 0"><joint name="x" type="slide" axis="1 0 0"/>
    <joint name="y" type="slide" axis="0 1 0"/><joint name="turn" axis="0 0 1"/>{inertial}
    <site name="there" pos="-0.1 0.35 0"/></body>
</worldbody>
<equality><connect site1="here" site2="there"/></equality>
<actuator><motor joint="a" gear="2" ctrlrange="-3 3"/><position joint="x"/><motor joint="turn"/></actuator>
<sensor/></mujoco>""".replace("{inertial}", '<inertial pos="0 0.1 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>')


def test_defaults_classes_gears_and_several_joints_of_a_body(tmp_path):
    file = tmp_path / "lever.xml"
    file.write_text(MJCF)
    found = gough.import_robot(file, "plate")
    robot = found.robot
    assert found.agreement is not None
    assert found.agreement.force < 1e-9
    a, x = robot.actuators[0], robot.actuators[1]
    assert a.limits.stroke == pytest.approx((-np.pi / 2, np.pi / 2))
    assert a.limits.force == 6.0
    assert a.viscous == x.viscous == 0.5
    assert "position x: taken as a motor, its control is left out" in found.remarks
    assert "<sensor>: left out" in found.remarks


def sdf_four_bar(type_="revolute"):
    pose = {"crank": "0 0 0 0 0 0", "coupler": "0 0 1 0 0 0", "rocker": "2 0 0 0 0 0"}
    inertial = "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
    links = "".join(f'<link name="{name}"><pose>{at}</pose>{inertial}</link>' for name, at in pose.items())
    axis = "<axis><xyz expressed_in='__model__'>0 1 0</xyz><limit><effort>{}</effort></limit></axis>"
    joints = [("A", "world", "crank", "", -1), ("B", "crank", "coupler", "", 0), ("D", "world", "rocker", "", 0)]
    joints += [("C", "coupler", "rocker", "<pose relative_to='coupler'>2 0 0.5 0 0 0</pose>", 0)]
    made = "".join(
        f'<joint name="{n}" type="{type_}">{at}<parent>{p}</parent><child>{c}</child>{axis.format(e)}</joint>'
        for n, p, c, at, e in joints
    )
    return f'<sdf version="1.9"><model name="bars">{links}{made}</model></sdf>'


def test_sdf_closes_by_its_own_joints(tmp_path):
    file = tmp_path / "bars.sdf"
    file.write_text(sdf_four_bar())
    robot = gough.import_robot(file, "coupler").robot
    assert robot.dof == 1
    assert robot.actuator_names == ("A",)
    assert robot.gravity == (0.0, 0.0, -9.8)
    assert gough.inverse_dynamics(robot, gough.State(robot.platform.home, [0.0], [0.0])).status == gough.Status.FINE


def said(capsys, *words):
    code = cli.main(["import", *map(str, words)])
    return code, capsys.readouterr().err.strip()


TREE = f'<robot name="arm">{urdf_link("base", 0)}{urdf_link("l1")}{urdf_joint("j1", "base", "l1", "0 0 0")}</robot>'
DEEP = "<robot>" + "<link>" * 300
BAD = [
    ("a.urdf", "hello", [], "a.urdf:1: is not XML (syntax error, column 1)"),
    (
        "a.urdf",
        '<!DOCTYPE r [<!ENTITY a "aaaa">]><robot name="&a;"/>',
        [],
        "a.urdf: has a document type (<!DOCTYPE r>), which is not read; remove it",
    ),
    ("a.urdf", DEEP, [], "a.urdf: elements lie more than 200 deep in each other; this is no robot"),
    ("a.urdf", "<mujoco/>", [], "a.urdf: is not URDF: its first element is <mujoco>, not <robot>"),
    ("a.xml", "<mujoco/>", [], "a.xml: <worldbody> is missing"),
    ("a.stl", "x", [], "a.stl: no such format; endings are .urdf, .xml (MJCF) and .sdf"),
    (
        "a.urdf",
        TREE,
        [],
        "a.urdf: no loop: its joints make a tree, and a parallel robot has loops; if they are left out, name the "
        "frames that meet with --loops FILE.yaml",
    ),
    ("a.urdf", TREE, ["--platform", "l2"], "a.urdf: --platform l2: no such link; known: base, l1"),
    (
        "a.urdf",
        five_bar(),
        [],
        "a.urdf: 4 links could be the platform: a1, a2, b1, b2; name it: --platform b2",
    ),
    (
        "a.urdf",
        five_bar(),
        ["--platform", "tip"],
        "a.urdf: 0 driven joints for 2 motions of the platform; name the driven joints: --actuated A,B,.. (passive are "
        "1.a, 1.a_elbow, 2.b, 2.b_elbow, 2.b_tip)",
    ),
    (
        "a.urdf",
        five_bar(mass=0),
        [],
        "a.urdf: no link has a mass: give the links <inertial> elements, forces need them",
    ),
    (
        "a.urdf",
        five_bar(scale=1000.0),
        ["--platform", "tip"],
        "a.urdf: a_elbow: stands 200 m from its link's frame, at most 100 is plausible: millimetres for metres? scale "
        "the file",
    ),
    (
        "a.urdf",
        five_bar(scale=250.0, mass=0.01),
        ["--platform", "tip"],
        "a.urdf: the machine is 50 m large and weighs 0.05 kg, less than the air in it: millimetres for metres? "
        "multiply its lengths by 0.001",
    ),
    (
        "a.urdf",
        five_bar().replace('ixx="0.01"', 'ixx="10000.0"', 1),
        ["--platform", "tip"],
        "a.urdf: link a1: inertia 1e+04 kg m^2 with 1 kg is that of a ring of 100 m, and the machine has 0.2 m: kg "
        "mm^2 for kg m^2? multiply by 1e-6",
    ),
    (
        "a.urdf",
        five_bar(mass=654498.0),
        ["--platform", "tip"],
        "a.urdf: link a1: mass 654498 kg, at most 100000 is plausible: grams or another density for kg? correct it in "
        "the file",
    ),
    (
        "a.sdf",
        sdf_four_bar("gearbox"),
        [],
        "a.sdf: joint A: type = 'gearbox' is not one that gough has; there are revolute, prismatic, ball, universal, "
        "screw, fixed",
    ),
]


@pytest.mark.parametrize(("name", "text", "more", "line"), BAD, ids=range(len(BAD)))
def test_bad_input_gets_one_line_and_writes_nothing(tmp_path, monkeypatch, capsys, name, text, more, line):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    code, err = said(capsys, name, *more, "--out", "robot.toml")
    assert (code, err) == (2, f"gough: error: {line}")
    assert not Path("robot.toml").exists()


def test_command_writes_a_robot_that_loads(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    gough.export_robot(gough.load("stewart"), "hexapod.xml")
    code, err = said(capsys, "hexapod.xml", "--out", "robot.toml")
    assert code == 0
    assert "agrees on the file itself" in err
    robot = gough.load("robot.toml")
    assert [leg["type"] for leg in robot.spec["leg"]] == ["UPS"] * 6


def test_foreign_files_load_or_say_why_not(tmp_path):
    with pytest.raises(gough.InputError, match="link sphere: mass 654498 kg, at most 100000 is plausible"):
        gough.import_robot(FOREIGN / "gepetto_5bar" / "robot.urdf", "end_rod")
    with pytest.raises(gough.InputError, match="no loop: its joints make a tree"):
        gough.import_robot(FOREIGN / "drake_four_bar" / "four_bar.sdf")
    text = (FOREIGN / "gepetto_5bar" / "robot.urdf").read_text()
    text = text.replace("654498.46949787356425", "0.6").replace("163.62461737446", "0.00000000163624617374")
    (tmp_path / "robot.urdf").write_text(text)
    found = gough.import_robot(
        tmp_path / "robot.urdf", "end_rod", loops=FOREIGN / "gepetto_5bar" / "robot.yaml", compare=True
    )
    assert found.robot.dof == 2
    assert found.agreement.force < 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_get_a_line(tmp_path, seed):
    """Files with characters and numbers changed at random load, or are refused by an error of gough's own."""
    rng = np.random.default_rng(seed)
    for k, text in enumerate([five_bar(), MJCF, sdf_four_bar()]):
        file = tmp_path / ("a.urdf", "a.xml", "a.sdf")[k]
        for _ in range(15):
            letters = list(text)
            for at in rng.integers(0, len(letters), rng.integers(1, 4)):
                letters[at] = rng.choice(list('019.-"<>/ex '))
            file.write_text("".join(letters))
            driven = ["a", "b"] if k == 0 else None
            try:
                found = gough.import_robot(file, ("tip", "plate", "coupler")[k], actuated=driven, compare=False)
            except gough.GoughError:
                continue
            gough.loads(found.to_toml())


ANKLE = """
name = "ankle"
[platform]
body = "foot"
coordinates = {{ pitch = "ry", roll = "rx" }}
home = [0.1, 0.05]
mass = 0.8
com = [0.03, 0, -0.03]
inertia = [6e-4, 3e-3, 3e-3]
[[leg]]
name = "shank"
joint = [
  {{ name = "pitch", type = "R", axis = [0, 1, 0], start = 0.1, body = {{ mass = 0.1 }} }},
  {{ name = "roll", type = "R", axis = [1, 0, 0], start = 0.05 }},
]
end = {{ type = "rigid" }}
[legs]
type = "{kind}"
motor = {{ axis = [0, 1, 0], reference = [-1, 0, 0] }}
crank = {{ length = 0.035, mass = 0.065 }}
rod = {{ length = 0.178, mass = 0.055, com = [0.089, 0, 0], inertia = [1e-5, 2e-4, 2e-4] }}
{axes}
[[leg]]
name = "left"
base = [0, 0.03, 0.185]
platform = [-0.038, 0.026, 0.008]
[[leg]]
name = "right"
base = [0, -0.03, 0.185]
platform = [-0.038, -0.026, 0.008]
"""


@pytest.fixture(scope="module", params=["RSS", "RUS"])
def ankle(request, tmp_path_factory):
    """A foot on a universal joint with two motors whose joints have names of their own, as a robot and as a URDF."""
    file = tmp_path_factory.mktemp("ankle") / "ankle.urdf"
    axes = "" if request.param == "RSS" else "axes = [[1, 0, 0.1]]"
    robot = gough.loads(ANKLE.format(kind=request.param, axes=axes))
    gough.export_robot(robot, file)
    for path in (file, file.with_suffix(".yaml")):
        text = path.read_text()
        for old, new in (("left.R", "motor_l"), ("right.R", "motor_r"), ("shank.pitch", "ankle_pitch")):
            text = re.sub(rf"(['\"]){old}\1", rf"\1{new}\1", text)
        path.write_text(text)
    return request.param, robot, file


def test_names_short_forms_and_coordinates_of_an_ankle(ankle, tmp_path):
    """Actuators are called as their joints, rods are closed in closed form, and yaw, always zero, is no coordinate."""
    kind, robot, file = ankle
    found = gough.import_robot(file, "foot")
    assert found.agreement.force < 1e-12
    (tmp_path / "again.toml").write_text(found.to_toml())
    again = gough.load(tmp_path / "again.toml")
    assert again.actuator_names == ("motor_l", "motor_r")
    assert again.coordinate_names == robot.coordinate_names == ("pitch", "roll")
    assert not again.platform.dependent
    assert [leg.get("type") for leg in again.spec["leg"]] == [None, kind, kind]
    assert [closure_name(leg) for leg in again.legs] == ["wrist", "rod", "rod"]
    assert all(("axes" in leg) == (kind == "RUS") for leg in again.spec["leg"][1:])
    states = random_states(robot, 5, 1)
    expected, force = (
        gough.inverse_dynamics(r, gough.State(states.x, states.xd, states.xdd)).force for r in (robot, again)
    )
    np.testing.assert_allclose(force, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("words", [("pitch", "roll"), ("rx", "ry"), ("roll", "ry")])
def test_independent_motions_by_either_name(ankle, words):
    assert gough.import_robot(ankle[2], "foot", independent=words, compare=False).robot.dof == 2


@pytest.mark.parametrize("words", [("pitch",), ("pitch", "ry"), ("pitch", "yaw")])
def test_independent_motions_that_do_not_do(ankle, words):
    with pytest.raises(gough.GoughError) as refused:
        gough.import_robot(ankle[2], "foot", independent=words, compare=False)
    assert str(refused.value).endswith(
        f"--independent {','.join(words)}: the platform has 2 motions in pitch (or ry), roll (or rx); name 2 of these"
    )


def test_loops_without_a_type_are_rigid_and_say_so(ankle, tmp_path):
    loops = tmp_path / "loops.yaml"
    lines = ankle[2].with_suffix(".yaml").read_text().splitlines()
    loops.write_text("\n".join(line for line in lines if not line.startswith("type")))
    with pytest.raises(gough.GoughError, match=r"taken as rigid \(6d, weld; ball joints are 3d, connect\)"):
        gough.import_robot(ankle[2], "foot", loops=loops)


@pytest.mark.parametrize(("name", "ending"), [("planar3rrr", ".xml"), ("tricept", ".xml"), ("planar3rrr", ".urdf")])
def test_a_platform_that_a_leg_carries_is_found(tmp_path, name, ending):
    """Also where links that are fixed to it have mass; its loops without a type are rigid, which a note says."""
    file = tmp_path / f"robot{ending}"
    gough.export_robot(gough.load(name), file)
    if ending == ".urdf":
        loops = file.with_suffix(".yaml")
        loops.write_text(re.sub("(?m)^type: .*$", "", loops.read_text()))
    found = gough.import_robot(file)
    assert found.robot.platform.body.name == "platform"
    assert found.agreement.force < 1e-9
    noted = any("has no type, so its loops are taken as 6d; ball joints are 3d" in line for line in found.remarks)
    assert noted == (ending == ".urdf")
