"""`gough count`: tables, JSON, the chart, and paper 002's table."""

from __future__ import annotations

import json

import pytest

from gough import catalogue, load
from gough.dynamics import FORMULATIONS
from gough.dynamics.contract import DEFAULT
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.virtual_work import VirtualWork
from gough.graph import count
from gough.reports.counts import count_chart, operation_counts
from tests.cli.running import outcome
from tests.support.catalogue_lanes import CABLES

QUICK = [f for f in FORMULATIONS if not f.yardstick]
NAMES = [f.name for f in FORMULATIONS]


def test_table(capsys):
    code, out, err = outcome(capsys, "count", "planar3rrr")
    assert (code, err) == (0, "")
    header, *lines = out.splitlines()
    assert header.split()[:3] == ["formulation", "add", "mul"]
    assert [line.split()[0] for line in lines] == NAMES
    for line, formulation in zip(lines, FORMULATIONS, strict=True):
        assert int(line.split()[-2]) == count(force_graph(Model(load("planar3rrr"), formulation))).flops


def test_by_body(capsys):
    code, out, _ = outcome(capsys, "count", "planar3rrr", "--by", "body")
    header, *lines = out.splitlines()
    assert code == 0
    assert header.split() == ["flops", "platform", "leg", "A", "leg", "B", "leg", "C", "whole", "total"]
    for line in lines:
        *parts, total = map(int, line.split()[1:])
        assert sum(parts) == total


def shares(robot, formulations):
    """By formulation: flops of the bodies over their total, which must be that of the whole graph."""
    found = {}
    for counts in operation_counts(robot, formulations):
        formulation = next(f for f in formulations if f.name == counts.formulation)
        total = count(force_graph(Model(robot, formulation)))
        assert counts.total == total
        found[counts.formulation] = {name: part.flops / total.flops for name, part in counts.by_body.items()}
    return found


@pytest.mark.parametrize("name", catalogue())
def test_operations_belong_to_bodies(name):
    """What belongs to no body is the solution for the actuators: at most a fifth, also where most is derivatives.

    Where coordinates depend on others, closing the legs together is the platform's; where forces keep to limits,
    sharing them is most of the work.
    """
    robot = load(name)
    small = len(robot.legs) == 3 and not robot.platform.dependent
    formulations = FORMULATIONS if small or name == "stewart" else QUICK
    found = shares(robot, formulations)
    assert set(found) == {f.name for f in formulations}
    for part in found.values():
        assert part["whole"] < (0.9 if name in CABLES else 0.2)
        legs = sum(part.get(f"leg {leg.name}", 0.0) for leg in robot.legs)
        assert legs > (0.03 if name in CABLES else 0.25 if robot.platform.dependent else 0.45)


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
def test_legs_alike_cost_alike(formulation):
    """Six legs of one kind: alike but for the few products that mirrored legs share, which count for the first."""
    (part,) = shares(load("sru"), [formulation]).values()
    legs = [share for name, share in part.items() if name.startswith("leg")]
    assert len(legs) == 6
    assert max(legs) / min(legs) < 1.08


def test_json_and_chart(capsys, tmp_path):
    chart = tmp_path / "counts.png"
    code, out, _ = outcome(capsys, "count", "planar3rrr", "--by", "body", "--json", "--plot", str(chart))
    values = json.loads(out)
    assert code == 0
    assert [entry["formulation"] for entry in values["counts"]] == NAMES
    for entry in values["counts"]:
        assert entry["flops"] == entry["add"] + entry["mul"] + entry["div"] + entry["sqrt"]
        assert sum(body["flops"] for body in entry["bodies"].values()) == entry["flops"]
    assert chart.read_bytes().startswith(b"\x89PNG")


def test_the_chart_by_body_is_split():
    counts = operation_counts(load("planar3rrr"), QUICK)
    bodies = ["platform", "leg A", "leg B", "leg C", "whole"]
    whole, split = (count_chart("planar3rrr", counts, by).axes[0] for by in (False, True))
    assert [*whole.lines[0].get_xdata()] == [c.total.flops for c in counts]
    assert [bars.get_label() for bars in split.containers] == bodies
    for k, c in enumerate(counts):
        shares = [bars[k].get_width() for bars in split.containers]
        assert shares == pytest.approx(
            [100 * c.by_body[b].flops / c.total.flops if b in c.by_body else 0 for b in bodies]
        )


def test_the_papers_recursion_is_told_where_legs_are_thin(capsys):
    out = outcome(capsys, "count", "hexapod")[1]
    full = count(force_graph(Model(load("hexapod"), VirtualWork("full")))).flops
    assert out.endswith(f"the papers' recursion over all links, virtual_work_full: {full} flops\n")


def test_stewart_is_within_the_bound():
    """The complete inverse dynamics by the default formulation, below the 963 of a careful hand for a planar 6-6."""
    assert count(force_graph(Model(load("stewart"), DEFAULT))).flops < 963


def test_papers_table(capsys):
    code, out, _ = outcome(capsys, "count", "stewart", "--table", "lopes")
    assert code == 0
    assert "101483/177095/180" in out
    assert "10.4" in out
    code, out, _ = outcome(capsys, "count", "stewart", "--table", "lopes", "--json")
    assert {row["method"] for row in json.loads(out)} == {"L", "K", "GM"}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("count", "hexapod", "--table", "lopes"), "stewart"),
        (("count", "stewart", "--by", "leg"), "body"),
        (("count", "stewart", "--plot", "no/such/chart.png"), "no such folder"),
    ],
)
def test_bad_calls(capsys, arguments, line):
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert line in err


@pytest.mark.parametrize("name", catalogue())
def test_the_catalogues_default_is_the_fewest(name):
    flops = {f: count(force_graph(Model(load(name), f))).flops for f in FORMULATIONS if not f.yardstick}
    assert min(flops, key=flops.get) == DEFAULT
