"""Content of the papers' figures: each line is what the library computes for the legs its label names."""

import csv
import io
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gough import Motion, load
from gough.dynamics import VirtualWork, inverse_dynamics
from gough.kinematics import inverse_kinematics
from gough.reports.papers import FORMATS, PAPERS
from gough.reports.papers.sru import direct_dynamics
from tests.support.lanes import slow_if

drawn_paper = cache(lambda name: PAPERS[name]())


@cache
def computed(robot_name, motion_name, formulation="newton_euler"):
    """Times and results of inverse dynamics by another method than the figures'."""
    robot = load(robot_name)
    motion = Motion.named(robot, motion_name)
    t = np.linspace(motion.start, motion.end, 301 if robot_name == "hexapod" else 401)
    return t, inverse_dynamics(robot, motion(t), formulation=formulation), motion(t)


def hexapod(kind, what):
    t, result, _ = computed("hexapod", kind)
    return t, result.actuators, [(f"{what} $", "W" if what == "power" else "N", getattr(result, what))]


def stewart_motions():
    t, result, motion = computed("stewart", "trig3")
    found = inverse_kinematics(load("stewart"), motion)
    panels = [("length", "m", found.q), ("velocity", "m/s", found.qd)]
    return t, result.actuators, [*panels, ("acceleration", "m/s²", found.qdd)]


def stewart_forces():
    t, result, _ = computed("stewart", "trig3")
    return t, result.actuators, [("force", "N", result.force)]


def stewart_parts():
    t, result, _ = computed("stewart", "trig3", "orthogonal_complement")
    parts = result.by_body()
    names = (("platform", "platform"), ("cylinders", "cylinder"), ("pistons", "piston"))
    return t, result.actuators, [(f"of {name}", "N", parts[body]) for name, body in names]


def spatial3(k):
    t, result, _ = computed("spatial3", "paper")
    leg = result.actuators[k]
    return t, [leg], [(f"force $f_{leg}$", "N", result.force[:, [k]])]


def sru_joints():
    t, result, _ = computed("sru", "lecture")
    panels = [("knee angle", "rad", result.q), ("knee rate", "rad/s", result.qd)]
    return t, result.actuators, panels


def sru_torques():
    t, result, _ = computed("sru", "lecture")
    return t, result.actuators, [("torque", "N m", result.force)]


def sru_terms():
    t, result, _ = computed("sru", "lecture")
    parts = result.parts()
    labels = ((r"M \ddot{q}", "inertia"), (r"N \dot{q}", "velocity"), (r"-\tau_G", "gravity"), (r"-\tau_W", "external"))
    return t, result.actuators, [(label, "N m", parts[name]) for label, name in labels]


def sru_direct():
    """The given motion itself: direct dynamics must come back to it."""
    t, result, motion = computed("sru", "lecture")
    found = inverse_kinematics(load("sru"), motion)
    panels = [("knee angle", "rad", found.q), ("knee rate", "rad/s", found.qd)]
    panels += [("acceleration", "rad/s²", found.qdd), ("given", "rad", 0.0 * found.q)]
    return t, result.actuators, panels


EXPECTED = {
    ("stewart", "fig4_actuator_motions"): stewart_motions,
    ("stewart", "fig5_forces"): stewart_forces,
    ("stewart", "fig6_contributions"): stewart_parts,
    **{
        ("hexapod", f"fig{3 + 2 * k + j}_{what}s_{kind}"): lambda kind=kind, what=what: hexapod(kind, what)
        for k, kind in enumerate(("vertical", "horizontal", "rotation"))
        for j, what in enumerate(("force", "power"))
    },
    **{("spatial3", f"fig{3 + k}_force_{leg}"): lambda k=k: spatial3(k) for k, leg in enumerate("ABC")},
    ("sru", "joint_motions"): sru_joints,
    ("sru", "torques"): sru_torques,
    ("sru", "terms"): sru_terms,
    ("sru", "direct_dynamics"): sru_direct,
}
CASES = [
    pytest.param(*case, id=" ".join(case), marks=slow_if(case == ("sru", "direct_dynamics")))
    for case in sorted(EXPECTED)
]
"""Paper and figure; the largest simulation is for the slow lane."""
SLACK = {"direct_dynamics": 1e-7}
"""Round-off of two methods else; here the integration's error, which grows without control."""


def figure_of(paper, name):
    return next(figure for figure in drawn_paper(paper).figures if figure.name == name)


def legs_of(label, names):
    """Names of the legs in a label of the legend: "leg A", "legs A, C", "all legs"."""
    if label == "all legs":
        return list(names)
    return label.removeprefix("legs ").removeprefix("leg ").split(", ")


@pytest.mark.slow
def test_every_figure_is_listed():
    found = {(paper, figure.name) for paper in PAPERS for figure in drawn_paper(paper).figures}
    assert found == set(EXPECTED)


@pytest.mark.parametrize(("paper", "name"), CASES)
def test_lines_axes_and_names(paper, name):
    t, names, panels = EXPECTED[paper, name]()
    fig = figure_of(paper, name).draw()
    axes = fig.axes
    assert len(axes) == len(panels)
    for ax, (label, unit, values) in zip(axes, panels, strict=True):
        assert label in ax.get_ylabel()
        assert ax.get_ylabel().endswith(f" [{unit}]")
        seen = []
        for line in ax.get_lines():
            assert np.array_equal(line.get_xdata(), t)
            for leg in legs_of(line.get_label(), names):
                seen.append(leg)
                expected = values[:, list(names).index(leg)]
                slack = SLACK.get(name, 1e-11) * max(np.abs(values).max(), 1.0)
                assert np.abs(line.get_ydata() - expected).max() <= slack, (leg, line.get_label())
        assert sorted(seen) == sorted(names)
    assert axes[-1].get_xlabel() == "time $t$ [s]"
    title = axes[0].get_title(loc="left")
    number = name.partition("_")[0].removeprefix("fig")
    assert not number.isdigit() or f"Fig. {number}:" in title
    if len(names) > 1:
        entries = [text.get_text() for text in fig.legends[0].get_texts()]
        assert entries == [line.get_label() for line in axes[0].get_lines()]
    assert_tables(paper, name, t, names, panels)


def assert_tables(paper, name, t, names, panels):
    """Where the paper's tables have a column of the figure, its times ascend and its numbers are the figure's."""
    symbols = [panel.symbol for panel in figure_of(paper, name).panels]
    for title, text in drawn_paper(paper).tables.items():
        if title == "table1_operations.txt" or (paper == "hexapod" and not name.endswith(title.removesuffix(".txt"))):
            continue
        header, *rows = text.splitlines()[2:]
        columns = re.findall(r"(\S+(?: \S+)?) \[[^]]*\]", header)
        numbers = np.array([row.split() for row in rows], dtype=float)
        assert (np.diff(numbers[:, 0]) > 0).all()
        at = np.abs(numbers[:, :1] - t).argmin(axis=1)
        assert np.abs(numbers[:, 0] - t[at]).max() < 1e-12
        for symbol, (_, _, values) in zip(symbols, panels, strict=True):
            for k, leg in enumerate(names):
                if f"{symbol} {leg}" in columns:
                    found = numbers[:, columns.index(f"{symbol} {leg}")]
                    assert found == pytest.approx(values[at, k], rel=1e-8, abs=1e-9)


@pytest.mark.parametrize(("paper", "name"), CASES)
def test_csv_holds_the_drawn_numbers(paper, name):
    figure = figure_of(paper, name)
    header, *rows = csv.reader(io.StringIO(figure.to_csv()))
    expected = [f"{panel.symbol} {leg} [{panel.unit}]" for panel in figure.panels for leg in figure.names]
    assert header == ["t [s]", *expected]
    assert len(set(header)) == len(header)
    values = np.array(rows, dtype=float)
    assert np.array_equal(values, np.column_stack([figure.t, *[panel.values for panel in figure.panels]]))


def test_files_of_every_format():
    one = replace(drawn_paper("spatial3"), figures=drawn_paper("spatial3").figures[:1])
    files = one.files(FORMATS)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"t [s],f A [N]\n"}
    for kind, start in starts.items():
        assert files[f"fig3_force_A.{kind}"].startswith(start)
    assert set(files) == {*[f"fig3_force_A.{kind}" for kind in FORMATS], "results.txt"}
    assert files == one.files(FORMATS)


def test_the_hexapods_figures_are_by_the_papers_recursion():
    """To the last bit, which the short cut does not give."""
    robot = load("hexapod")
    motion = Motion.named(robot, "horizontal")
    t = np.linspace(motion.start, motion.end, 301)
    full, short = (inverse_dynamics(robot, motion(t), formulation=VirtualWork(way)).force for way in ("full", "auto"))
    drawn = figure_of("hexapod", "fig5_forces_horizontal").panels[0].values
    assert np.array_equal(drawn, full)
    assert not np.array_equal(drawn, short)
    paper = drawn_paper("hexapod")
    assert paper.method == "forces by virtual_work_full: recursion (21), (22) over the links of legs A, B, C, D, E, F"
    assert all(paper.method in text.splitlines()[0] for text in paper.tables.values())


def test_terms_add_up_to_the_torques():
    terms = sum(panel.values for panel in figure_of("sru", "terms").panels)
    torques = figure_of("sru", "torques").panels[0].values
    assert np.abs(terms - torques).max() < 1e-12


def test_direct_dynamics_comes_back_to_the_motion():
    robot = load("sru")
    motion = Motion.named(robot, "lecture")
    t = np.linspace(0.0, 0.1, 5)
    given = inverse_kinematics(robot, motion(t))
    found = direct_dynamics(robot, motion, t)
    for ours, expected in ((found.q, "q"), (found.qd, "qd"), (found.qdd, "qdd")):
        expected = getattr(given, expected)
        assert np.abs(ours - expected).max() <= 1e-10 * np.abs(expected).max()
