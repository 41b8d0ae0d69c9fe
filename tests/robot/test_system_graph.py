"""The graph of bodies and joints: loops by the lecture's count and by what a spanning tree leaves over."""

import json
from dataclasses import replace

import pytest

import gough
from gough import catalogue, load, system_graph
from gough.reports.graph_drawing import graph_figure
from tests.cli.running import outcome
from tests.support.dynamic_cases import CASES, case
from tests.support.robots import with_values

LOOPS = {
    "stewart": (24, 20, 5),
    "hexapod": (24, 20, 5),
    "sru": (36, 32, 5),
    "spatial3": (14, 13, 2),
    "delta": (18, 17, 2),
}
"""Joints, bodies, loops; 36, 32 and 5 are the lecture's."""


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name):
    """iota = j - l + 1."""
    robot = load(name)
    plate = replace(robot.platform, body=replace(robot.platform.body, name="plate"))
    graph = system_graph(with_values(robot, platform=plate))
    assert (len(graph.joints), len(graph.bodies), graph.loops) == LOOPS[name]
    bodies = {body.name: body.body for body in graph.bodies}
    assert len(bodies) == len(graph.bodies)
    assert (bodies["base"], bodies["platform"]) == ("base", "plate")
    assert len({joint.name for joint in graph.joints}) == len(graph.joints)
    ends = 0
    for joint in graph.joints:
        assert {joint.carrier, joint.carried} <= set(bodies)
        assert joint.kind in ("R", "P", "S")
        ends += joint.carried == "platform"
    assert ends == len(robot.legs)


@pytest.mark.parametrize("name", sorted(CASES))
def test_loops_are_the_joints_beyond_a_spanning_tree(name):
    """Joints that join what is joined already; every leg but the first closes one."""
    graph = system_graph(case(name))
    tree = {body.name: body.name for body in graph.bodies}

    def root(body):
        return body if tree[body] == body else root(tree[body])

    closing = []
    for joint in graph.joints:
        ends = root(joint.carrier), root(joint.carried)
        if ends[0] == ends[1]:
            closing.append(joint)
        tree[ends[0]] = ends[1]
    assert len({root(body) for body in tree}) == 1
    assert len(closing) == graph.loops == len(case(name).legs) - 1


def test_bodies_and_joints():
    graph = gough.system_graph(load("spatial3"))
    joints = {joint.name: joint for joint in graph.joints}
    assert (joints["A.P"].carrier, joints["A.P"].carried, joints["A.P"].actuated) == ("base", "A.P", True)
    assert joints["A.U2"].carried == "platform"
    assert (joints["C.Pa3"].carrier, joints["C.Pa3"].mimic) == ("C.R2", "C.Pa1")
    assert {body.name: body.body for body in graph.bodies}["C.Pa3"] == "bar"
    ends = {joint.name: joint for joint in system_graph(load("stewart")).joints}
    assert (ends["3.end"].kind, ends["3.end"].carrier, ends["3.end"].carried) == ("S", "3.P", "platform")


def test_dot():
    """Every joint once; names are quoted."""
    graph = system_graph(load("hexapod"))
    lines = graph.to_dot().splitlines()
    assert (lines[0], lines[-1]) == ("graph {", "}")
    assert sum(" -- " in line for line in lines) == len(graph.joints)
    assert '  "base" -- "A.P" [label="A.P", penwidth=3];' in lines
    assert '  "A.U2" [label="leg"];' in lines
    robot = load("hexapod")
    leg = robot.legs[0]
    odd = replace(leg.joints[0], body=replace(leg.joints[0].body, name='a "b" \\ c'))
    legs = (replace(leg, joints=(odd, *leg.joints[1:])), *robot.legs[1:])
    assert r'"A.P" [label="a \"b\" \\ c"];' in system_graph(with_values(robot, legs=legs)).to_dot()


@pytest.mark.parametrize("name", catalogue())
def test_drawing_shows_every_joint_and_body(name):
    graph = system_graph(load(name))
    texts = [text.get_text() for text in graph_figure(graph, name).axes[0].texts]
    for joint in graph.joints:
        own = "S" if joint.kind == "S" else joint.name.removeprefix(f"{joint.leg}.")
        assert texts.count(own) >= sum(other.name.endswith(f".{own}") for other in graph.joints)
    for body in graph.bodies:
        assert body.body in texts
    assert any(f"{graph.loops} independent loop" in text for text in texts)
    lines = graph_figure(graph, name).axes[0].lines
    driven = [line for line in lines if line.get_linewidth() > 2.0]
    assert len(driven) == sum(joint.actuated for joint in graph.joints)


def test_show_prints_loops_and_graph(capsys):
    code, out, _ = outcome(capsys, "show", "spatial3")
    assert code == 0
    assert "loops        2 independent (14 joints - 13 bodies + 1), besides 1 in joints that follow another" in out
    assert "  A, B  base -P*- slider -R2- leg -U1- o -U2- platform\n" in out
    assert "  C     base -P*- slider -R2- o -Pa1- bar -Pa2~- o -R3- platform\n        beside: o -Pa3~- bar\n" in out
    code, out, _ = outcome(capsys, "show", "sru", "--json")
    graph = json.loads(out)["graph"]
    assert (len(graph["joints"]), len(graph["bodies"]), graph["loops"]) == (36, 32, 5)


@pytest.mark.parametrize(
    ("ending", "start"), [("dot", b"graph {"), ("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_graph_files(capsys, tmp_path, ending, start):
    path = tmp_path / f"graph.{ending}"
    code, _, err = outcome(capsys, "show", "planar3rrr", "--graph", str(path))
    assert (code, err) == (0, "")
    assert path.read_bytes().startswith(start)


def test_another_ending_is_refused(capsys, tmp_path):
    code, out, err = outcome(capsys, "show", "planar3rrr", "--graph", str(tmp_path / "graph.txt"))
    assert (code, out) == (2, "")
    assert "must end in .dot, .svg, .png or .pdf" in err
    assert not list(tmp_path.iterdir())
