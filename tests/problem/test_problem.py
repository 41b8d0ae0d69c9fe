"""Robot, poses and numbers that vary, from a file or a dict."""

from __future__ import annotations

import math
import re
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import gough
from gough.draws.counter import uniforms
from tests.support.robots import value_at

MEASURED = 'machines = 8\nmeasure = ["condition"]\n'


def of(text: str, folder: Path | None = None) -> gough.Study:
    """The study of a file with these lines, behind two of its own."""
    with tempfile.TemporaryDirectory() as own, chdir(folder or own):
        own = MEASURED if "[[vary]]" in text else MEASURED.replace("machines", "# machines")
        Path("p.toml").write_text(own + text)
        return gough.Study.read("p.toml")


@pytest.mark.parametrize(
    ("robot", "name", "found"),
    [
        ("stewart", "leg.3.base.x", "leg.3.base.0"),
        ("stewart", "leg.3.base.0", "leg.3.base.0"),
        ("stewart", "leg.3.platform.z", "leg.3.platform.2"),
        ("stewart", "leg.3.actuator.zero", "leg.3.actuator.zero"),
        ("stewart", "platform.com.y", "platform.com.1"),
        ("hexapod", "leg.2.base.y", "leg.B.base.1"),
        ("hexapod", "leg.2.actuator.viscous", "leg.B.actuator.viscous"),
        ("delta", "legs.base.radius", "legs.base.radius"),
    ],
)
def test_readable_names_lead_to_addresses(robot: str, name: str, found: str) -> None:
    (one,) = of(f'robot = "{robot}"\n[[vary]]\nnumber = "{name}"\nuniform = 1e-3\n').vary
    assert one.address == found
    assert one.nominal == value_at(gough.load(robot), name)


@pytest.mark.parametrize(
    ("robot", "name", "same"),
    [
        ("stewart", "leg.3.base.x", "leg.3.position.0"),
        ("stewart", "leg.3.platform.z", "leg.3.end.platform_point.2"),
        ("stewart", "platform.com.y", "platform.com.1"),
        ("hexapod", "leg.2.base.y", "leg.B.position.1"),
        ("stewart", "leg.3.actuator.zero", "leg.3.joint.3.zero"),
        ("hexapod", "leg.B.actuator.viscous", "leg.B.joint.1.viscous"),
    ],
)
def test_names_of_any_leg_lead_into_legs_written_joint_by_joint(robot: str, name: str, same: str) -> None:
    machine = gough.load(robot).explicit()
    value = value_at(machine, same) + 0.001
    found = machine.replace({name: value})
    assert found == machine.replace({same: value}) != machine


def test_the_base_point_is_where_the_leg_stands() -> None:
    robot = gough.load("stewart")
    moved = robot.replace({"leg.3.base.x": 1.25, "leg.3.platform.z": 0.125})
    assert moved.legs[2].position[0] == 1.25
    assert moved.legs[2].end.platform_point[2] == 0.125


def test_stars_stand_for_every_leg_and_axis() -> None:
    def varied(number: str) -> list[str]:
        return [one.name for one in of(f'robot = "hexapod"\n[[vary]]\nnumber = "{number}"\nuniform = "1 mm"\n').vary]

    assert varied("leg.*.base.z") == [f"leg.{name}.base.z" for name in "ABCDEF"]
    assert len(varied("leg.*.platform.*")) == 18
    with pytest.raises(gough.InputError, match=r"leg\.\*\.bace\.x\": no such number"):
        varied("leg.*.bace.x")
    with pytest.raises(gough.InputError, match=r"did you mean leg\.\*\.base\.\*\?"):
        varied("legs.*.base.*")


def test_spreads_in_units_and_shares() -> None:
    problem = of(
        """
robot = "stewart"
[units]
length = "mm"
[[vary]]
number = "leg.1.base.x"
uniform = 0.1
[[vary]]
number = "platform.mass"
normal = "5 %"
within = 2
[[vary]]
number = "legs.platform.radius"
bounds = ["0.6 m", 900]
[[vary]]
number = "leg.2.actuator.zero"
list = [0, "1 um"]
[[vary]]
number = "legs.cylinder.mass"
grid = [0.2, 0.4, 5]
"""
    )
    x, mass, radius, zero, cylinder = problem.vary
    assert (x.low, x.high) == (x.nominal - 1e-4, x.nominal + 1e-4)
    assert x.unit == "m"
    assert (mass.deviation, mass.low, mass.unit) == (pytest.approx(0.0715), pytest.approx(1.43 - 0.143), "kg")
    assert (radius.low, radius.high) == (0.6, 0.9)
    assert zero.levels == (0.0, 1e-6)
    assert cylinder.levels == pytest.approx((0.2, 0.25, 0.3, 0.35, 0.4))
    u = uniforms(1, np.arange(20_000), 0, 1)[:, 0]
    assert stats.kstest(mass.drawn(u), stats.truncnorm(-2, 2, 1.43, 0.0715).cdf).pvalue > 1e-3
    assert stats.kstest(radius.drawn(u), stats.uniform(0.6, 0.3).cdf).pvalue > 1e-3
    counts = np.unique(cylinder.drawn(u), return_counts=True)[1]
    assert np.all(np.abs(counts - 4000) < 300)


def test_ties_move_along_by_their_factor() -> None:
    one = of(
        """
robot = "stewart"
[[vary]]
number = "leg.1.base.y"
uniform = "20 mm"
ties = { "leg.6.base.y" = -1 }
"""
    ).vary[0]
    robot = gough.load("stewart")
    moved = robot.replace(one.changes(one.nominal + 0.01))
    assert moved.legs[0].position[1] == pytest.approx(robot.legs[0].position[1] + 0.01)
    assert moved.legs[5].position[1] == pytest.approx(robot.legs[5].position[1] - 0.01)


def test_grids_boxes_and_stretches_of_them(tmp_path: Path) -> None:
    grid = of('robot = "stewart"\n[poses]\ngrid = { x = [-0.1, 0.1, 3], psi = ["-5 deg", "5 deg", 2] }').poses
    assert grid is not None
    assert grid.count == 6
    rows = grid.rows(0, 6)
    assert rows[0] == pytest.approx([-0.1, 0, 2, -np.pi / 36, 0, 0])
    assert rows[5] == pytest.approx([0.1, 0, 2, np.pi / 36, 0, 0])
    for by in ("sobol", "random"):
        text = f'robot = "stewart"\n[poses]\nbox = {{ x = [-0.1, 0.1], z = [1.9, 2.1] }}\npoints = 64\nby = "{by}"'
        box = of(text + "\nreplicates = 4").poses
        assert box is not None
        all_rows = box.rows(0, 64)
        assert np.array_equal(all_rows[13:41], box.rows(13, 41))
        assert all_rows[:, 0].min() >= -0.1
        assert np.ptp(all_rows[:, 1]) == 0.0
        assert len(np.unique(all_rows, axis=0)) == 64
    (tmp_path / "p.csv").write_text("x [mm],theta [deg]\n1,2\n3,4\n")
    found = of('robot = "stewart"\n[poses]\nfile = "p.csv"', tmp_path).poses
    assert found is not None
    assert found.rows(1, 2)[0] == pytest.approx([0.003, 0, 2, 0, np.deg2rad(4), 0])


def test_poses_of_a_parquet_file(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table({"z [mm]": [1900.0, 2000.0], "x": [0.1, 0.2]}), tmp_path / "p.parquet")
    found = of('robot = "stewart"\n[poses]\nfile = "p.parquet"', tmp_path).poses
    assert found is not None
    assert found.rows(0, 2)[:, [0, 2]] == pytest.approx(np.array([[0.1, 1.9], [0.2, 2.0]]))
    for table, line in (({"x": [0.0, math.nan]}, "pose 2: x: nan: must be a finite number"), ({}, "has no poses")):
        parquet.write_table(pa.table(table), tmp_path / "p.parquet")
        with pytest.raises(gough.InputError, match=rf"p\.parquet: {line}"):
            of('robot = "stewart"\n[poses]\nfile = "p.parquet"', tmp_path)


HEAD = 'robot = "stewart";[[vary]]'


FAULTS = """
robot = "stewrat"
p.toml:1: robot: "stewrat": no such robot in the catalogue, nor a file (did you mean stewart?)

HEAD;number = "leg.3.bose.x";uniform = 1
p.toml:3: vary.1.number: "leg.3.bose.x": no such number of stewart (did you mean leg.3.base.x?)

HEAD;number = "platform.mass"
p.toml:3: vary.1.number: "platform.mass": must have one of uniform, normal, bounds, list, grid

HEAD;number = "platform.mass";uniform = "1 mm"
p.toml:4: vary.1.uniform: "1 mm": its unit must be g, kg or lb, not mm

HEAD;number = "platform.mass";bounds = [2, 1]
p.toml:4: vary.1.bounds: [2, 1]: must be [least, greatest], the least first

HEAD;number = "leg.1.base.z";uniform = "5 %"
p.toml:4: vary.1.uniform: "5 %": is a share of leg.1.base.z, which is 0 (state it with its unit)

HEAD;number = "platform.mass";uniforn = 1
p.toml:4: vary.1.uniforn: unknown key (did you mean uniform?)

HEAD;number = "platform.mass";uniform = 1;[[vary]];number = "platform.mass";uniform = 1
p.toml:6: vary.2.number: "platform.mass": varies already, as platform.mass (each number varies once)

robot = "stewart";[poses];grid = { q = [1, 2, 3] }
p.toml:3: poses.grid.q: no such coordinate (known: x, y, z, psi, theta, phi)

robot = "stewart";[poses];box = { x = [0, 1] }
p.toml:2: poses.points: must be a whole number from 1 on (e.g. points = 1024)

robot = "stewart";[poses];box = { x = [0, 1] };points = 100;replicates = 4
p.toml:4: poses.points: 100: must be a power of two for each replicate (e.g. 128)

robot = "stewart";[poses];box = { x = [-500, 500] };points = 4
p.toml:3: poses.box.x: [-500, 500]: is more than 50 times the robot's size from home (millimetres? write e.g. "50 mm")

robot = "stewart";[poses];grid = { psi = [-10, 10, 3] }
p.toml:3: poses.grid.psi: [-10, 10, 3]: is more than a turn from home (degrees? write e.g. "30 deg")

HEAD;number = "leg.1.base.x";bounds = [80, 900]
p.toml:4: vary.1.bounds: [80, 900]: goes to 900 m, more than 50 times the robot's size (millimetres? write e.g. "50 mm")

HEAD;number = "leg.1.base.x";normal = 10
p.toml:4: vary.1.normal: 10: spreads over 60 m, beyond the robot's size either way (millimetres? write e.g. "50 mm")

robot = "rotary";[[vary]];number = "platform.home.3";uniform = [-20, 20]
p.toml:4: vary.1.uniform: [-20, 20]: goes to 20 rad, more than a turn (degrees? write e.g. "30 deg")

robot = "stewart";[poses];by = "halton";box = { x = [0, 1] }
p.toml:3: poses.by: "halton": must be "sobol" or "random"
"""


@pytest.mark.parametrize(("text", "line"), [tuple(case.splitlines()) for case in FAULTS.strip().split("\n\n")])
def test_faults_are_one_line_with_file_and_line(text: str, line: str) -> None:
    with pytest.raises(gough.InputError) as caught:
        of(text.replace("HEAD", HEAD).replace(";", "\n"))
    own = MEASURED.count("\n")
    wanted = re.sub(r":(\d+):", lambda found: f":{int(found[1]) + own}:", line, count=1)
    assert str(caught.value).splitlines()[0] == wanted


def test_a_missing_column_or_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("x,q\n1,2\n")
    with pytest.raises(gough.InputError, match=r'p\.csv:1: "q": no such column \(known: x, y, z'):
        of('robot = "stewart"\n[poses]\nfile = "p.csv"', tmp_path)
    (tmp_path / "p.csv").write_text("x,X\n1,2\n")
    with pytest.raises(gough.InputError, match=r"p\.csv:1: x: is there twice"):
        of('robot = "stewart"\n[poses]\nfile = "p.csv"', tmp_path)
    with pytest.raises(gough.InputError, match=r"none\.csv: no such file"):
        of('robot = "stewart"\n[poses]\nfile = "none.csv"', tmp_path)


def test_files_and_dicts_give_the_same(tmp_path: Path) -> None:
    robot: Any = gough.load("rotary")
    (tmp_path / "own.toml").write_text(robot.to_toml())
    text = 'robot = "own.toml"\n[[vary]]\nnumber = "leg.*.base.*"\nuniform = "0.1 mm"\n'
    read = of(text, tmp_path)
    vary = [{"number": "leg.*.base.*", "uniform": "0.1 mm"}]
    made = gough.Study.of(robot=read.robot, vary=vary, machines=8, measure=["condition"])
    assert read.vary == made.vary
    assert [value_at(robot, one.address) for one in read.vary] == [one.nominal for one in made.vary]
