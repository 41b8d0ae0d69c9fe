"""`gough calibrate` and `gough new --measurements`: what they print, write and refuse."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import gough
from tests.calibration.conftest import DATA
from tests.cli.running import outcome
from tests.support.spindle_heads import head_file

NOISE = "position=20um,rotation=20urad,encoder=5um"
FULL = DATA / "full.csv"


def test_page_says_the_pose_first_and_writes_the_robot(capsys, tmp_path: Path) -> None:
    corrected = tmp_path / "corrected.toml"
    code, out, err = outcome(
        capsys, "calibrate", "stewart", str(FULL), "--noise", NOISE, "--out", str(corrected),
        "--validate", str(DATA / "validation.csv"), "--plot", str(tmp_path / "c.png"),
        "--report", str(tmp_path / "c.html"),
    )  # fmt: skip
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[2].split() == ["pose", "known", "to", "(1", "sigma)", "position", "rotation"]
    assert "determined  42 of 42 unknowns" in out
    assert "rotation noise is understated" in out
    assert any(line.split() == ["after", "10.4", "um", "15", "urad"] for line in lines)
    assert gough.load(corrected).legs[3].position[0] == pytest.approx(-1.0690, abs=3e-4)
    assert (tmp_path / "c.png").read_bytes()[:4] == b"\x89PNG"
    page = (tmp_path / "c.html").read_text()
    assert page.count("<figure>") == 3
    assert "10.4 um" in page
    assert "http" not in page.replace("http-equiv", "").replace('lang="en"', "").split("<style>")[0]


def test_json_and_csv(capsys) -> None:
    code, out, _ = outcome(capsys, "calibrate", "stewart", str(FULL), "--folds", "0", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert (found["determined"], len(found["parameters"])) == (42, 42)
    assert found["noise"]["verdict"] == "not stated: estimated from the residuals"
    code, out, _ = outcome(capsys, "calibrate", "stewart", str(FULL), "--folds", "0", "--format", "csv")
    rows = list(csv.DictReader(out.splitlines()))
    assert rows[0]["parameter"] == "leg.1.base.0"
    assert float(rows[0]["corrected"]) == pytest.approx(float(rows[0]["nominal"]) + float(rows[0]["change"]))


def test_units_and_names_of_columns(capsys, tmp_path: Path) -> None:
    """The same measurements in millimetres and degrees, named by header or by --units, encoders by their leg."""
    header, *rows = csv.reader(FULL.read_text().splitlines())
    factor = [1e3] * 3 + [57.29577951308232] * 3 + [1e3] * 6
    names = [f"{n} [{'deg' if f < 100 else 'mm'}]" for n, f in zip(header, factor, strict=True)]
    scaled = [[repr(float(v) * f) for v, f in zip(row, factor, strict=True)] for row in rows]
    text = "\n".join(",".join(row) for row in (["comment", *names], *([f"p{k}", *row] for k, row in enumerate(scaled))))
    (tmp_path / "mm.csv").write_text("# by hand\n" + text)
    bare = [n.replace("q", "q_") for n in header]
    (tmp_path / "bare.csv").write_text("\n".join(",".join(row) for row in (bare, *scaled)))
    pages = [
        outcome(capsys, "calibrate", "stewart", str(path), "--noise", NOISE, "--folds", "0", *more)[1]
        for path, more in ((FULL, ()), (tmp_path / "mm.csv", ()), (tmp_path / "bare.csv", ("--units", "mm,deg")))
    ]
    assert pages[0].split("\n")[2:] == pages[1].split("\n")[2:]
    parameters = [page[page.index("parameter ") :] for page in pages]
    assert parameters[0] == parameters[2]
    (um, urad), (same, deg) = (
        re.search(rf"at home +(\S+) {length} +(\S+) {angle}", page).groups()
        for page, length, angle in ((pages[0], "um", "urad"), (pages[2], "um", "deg"))
    )
    assert same == um
    assert float(deg) == pytest.approx(57.3e-6 * float(urad), rel=1e-2)


def test_the_frame_of_the_pose_is_told_where_a_tracker_is_anywhere(capsys) -> None:
    given = ("calibrate", "stewart", str(DATA / "frames.csv"), "--folds", "0", "--tracker", "--target")
    out = outcome(capsys, *given)[1]
    assert "pose of the robot's own platform in its base frame, as the file places them; the tracker's and" in out


def test_cells_that_were_not_measured(capsys, tmp_path: Path) -> None:
    """Rows of positions and rows of whole poses in one file."""
    header, *rows = csv.reader(FULL.read_text().splitlines())
    some = [row if k % 2 else [*row[:3], "", "", "", *row[6:]] for k, row in enumerate(rows)]
    (tmp_path / "some.csv").write_text("\n".join(",".join(row) for row in (header, *some)))
    _, out, _ = outcome(capsys, "calibrate", "stewart", str(tmp_path / "some.csv"), "--noise", NOISE)
    assert "42 of 42" in out
    assert "for 228 degrees" in out


def test_plan(capsys, tmp_path: Path) -> None:
    path = tmp_path / "poses.csv"
    code, out, _ = outcome(capsys, "calibrate", "stewart", "--plan", "20", "--measure", "position", "--out", str(path))
    assert (code, out.splitlines()[-2:]) == (0, [f"{path} is in SI units.", f"wrote {path}"])
    rows = list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))
    assert len(rows) == 20
    low, high = gough.load("stewart").actuators[0].limits.stroke
    assert all(low <= float(row["q_1"]) <= high for row in rows)
    code, out, _ = outcome(capsys, "calibrate", "stewart", "--plan", "20", "--measure", "position")
    assert "39 of 42 unknowns" in out
    assert "platform may turn about x, y and z" in out


def test_a_plan_in_a_file_tells_what_to_expect(capsys, tmp_path: Path) -> None:
    head, path = head_file(tmp_path), tmp_path / "poses.csv"
    asked = ("calibrate", head, "--plan", "6", "--units", "mm,deg", "--out", str(path))
    code, out, _ = outcome(capsys, *asked)
    assert code == 0
    lines = out.splitlines()
    assert lines[2].split() == "pose will be known to (1 sigma) position rotation".split()
    assert lines[-2:] == [f"{path} is in SI units; --csv-units writes mm,deg.", f"wrote {path}"]
    # All coordinates of the platform stand in it, those that follow too.
    names = path.read_text("utf-8").split("\n", 1)[0].split(",")
    assert names[:7] == ["pose", "z", "pitch", "roll", "x", "y", "yaw"]
    lines = outcome(capsys, *asked, "--csv-units")[1].splitlines()
    assert lines[-2] == f"{path} is in mm,deg."
    assert path.read_text("utf-8").split(",")[1:3] == ["z [mm]", "pitch [deg]"]


def test_plan_is_better_than_random() -> None:
    """What to expect of few well chosen poses: a third of random ones' error at ten poses, less gain at forty."""
    for count, gain in ((10, 0.5), (40, 0.85)):
        found = gough.plan_poses(gough.load("stewart"), count, noise=NOISE)
        assert found.expected.rms()[0] < gain * found.random.rms()[0]


def test_template_is_read_back(capsys, tmp_path: Path) -> None:
    for robot in ("stewart", "delta", "rps3"):
        code, out, _ = outcome(capsys, "new", "--measurements", "--robot", robot)
        assert code == 0
        path = tmp_path / f"{robot}.csv"
        path.write_text(out.replace("# at home: ", ""))
        found = gough.read_measurements(gough.load(robot), path)
        assert len(found.m) == 1
        machine = gough.load(robot)
        home = gough.inverse_kinematics(machine, machine.platform.home)
        assert found.m[0, : len(home.q)] == pytest.approx(home.q, abs=1e-6)


def _edited(edit: Callable[[list[str], list[list[str]]], None], folder: Path) -> str:
    header, *rows = csv.reader(FULL.read_text().splitlines())
    edit(header, rows)
    path = folder / "bad.csv"
    path.write_text("\n".join(",".join(row) for row in (header, *rows)))
    return str(path)


def _times(columns: slice, factor: float) -> Callable[[list[str], list[list[str]]], None]:
    def edit(_header: list[str], rows: list[list[str]]) -> None:
        for row in rows:
            row[columns] = [repr(float(v) * factor) for v in row[columns]]

    return edit


def _swapped(a: int, b: int) -> Callable[[list[str], list[list[str]]], None]:
    def edit(header: list[str], rows: list[list[str]]) -> None:
        for row in rows:
            row[a], row[b] = row[b], row[a]

    return edit


def _constant(header: list[str], rows: list[list[str]]) -> None:
    for row in rows:
        row[7] = "2.4"


def _few(header: list[str], rows: list[list[str]]) -> None:
    del rows[6:]


def _alike(header: list[str], rows: list[list[str]]) -> None:
    first = [float(v) for v in rows[0]]
    for k, row in enumerate(rows):
        row[:] = [repr(v + 1e-5 * ((k * 7 + j * 3) % 5)) for j, v in enumerate(first)]


def _same(header: list[str], rows: list[list[str]]) -> None:
    for row in rows:
        row[:] = rows[0]


def _gaps(header: list[str], rows: list[list[str]]) -> None:
    rows[1][0] = rows[4][0] = rows[4][7] = ""


def _far_after_a_gap(header: list[str], rows: list[list[str]]) -> None:
    rows[1][0], rows[5][0] = "", "900"


def _unknown(header: list[str], rows: list[list[str]]) -> None:
    header[5] = "fi"


def _no_encoder(header: list[str], rows: list[list[str]]) -> None:
    for row in (header, *rows):
        del row[8]


def _distance(header: list[str], rows: list[list[str]]) -> None:
    header[0] = "d1"


def _point(header: list[str], rows: list[list[str]]) -> None:
    header[0] = "A.x"


def _unit(header: list[str], rows: list[list[str]]) -> None:
    header[0] = "x [deg]"


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (_times(slice(0, 3), 1e3), "is more than 50 times the robot's size from home (millimetres? say --units mm)"),
        (_gaps, "bad.csv:6: needs all encoder readings or a whole pose"),
        (_far_after_a_gap, "bad.csv:7: x: 900: is more than 50 times the robot's size from home"),
        (_times(slice(3, 6), 57.3), "is more than a turn from home (degrees? say --units deg)"),
        (_times(slice(6, 12), 1e3), "(millimetres? write q1 [mm], or say --units mm)"),
        (_swapped(6, 7), "q1: varies as q2 of the robot's file should (q1 and q2 swapped?)"),
        (_swapped(0, 1), "x: varies as y of the robot's file should (x and y swapped?)"),
        (_constant, "bad.csv: q2: 2.4: is the same in all rows (a sensor that was not read?)"),
        (
            _few,
            "bad.csv: 6 poses are too few: they give 36 equations for 42 parameters "
            "(measure at least 7, better 14; or name fewer --parameters)",
        ),
        (_alike, "all 60 poses are alike: they differ by"),
        (_same, "bad.csv: all rows are the same (measure different poses)"),
        (_unknown, 'bad.csv:1: "fi": no such column (known: q1, q2'),
        (_no_encoder, "bad.csv:1: q3: is missing (there are 6 encoders)"),
        (_distance, "no such column (a distance: say where, --bar d1=X,Y,Z:X,Y,Z)"),
        (_point, "no such column (a point of the platform: say where, --point A=X,Y,Z)"),
        (_unit, "bad.csv:1: x [deg]: its unit must be mm, cm, m or in"),
    ],
)  # fmt: skip
def test_bad_measurements(capsys, tmp_path: Path, edit, line: str) -> None:
    out_file = tmp_path / "corrected.toml"
    code, out, err = outcome(
        capsys, "calibrate", "stewart", _edited(edit, tmp_path), "--noise", NOISE, "--out", str(out_file)
    )
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    for part in line.split("{}"):
        assert part in err
    assert not out_file.exists()


def test_a_gap_in_a_validation_is_refused(capsys, tmp_path: Path) -> None:
    gap = _edited(_gaps, tmp_path)
    given = ("--noise", NOISE, "--folds", "0", "--validate", gap)
    code, _, err = outcome(capsys, "calibrate", "stewart", str(FULL), *given)
    assert code == 2
    assert err.endswith("bad.csv:3: x: is empty (validation needs whole poses and readings)\n")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--noise", "positon=20um"), "--noise: positon: no such kind (did you mean position?)"),
        (("--noise", "position=20deg"), "--noise: position=20deg: its unit must be mm, cm, m or in, not deg"),
        (
            ("--noise", "position=10"),
            "--noise: position=10: is 10 m, too much to calibrate with; numbers without a unit are in m",
        ),
        (("--noise", "position=0"), "--noise: position=0: must be more than zero"),
        (("--noise", "20um"), "must be KIND=VALUE, e.g. position=20um,encoder=5um"),
        (("--parameters", "leg.*.positoin.0"), "is no geometric number of the robot"),
        (("--parameters", "platform.mass"), "is no geometric number of the robot"),
        (("--bar", "d1=1,2,3"), "must be NAME=X,Y,Z:X,Y,Z"),
        (("--bar", "d1=1,2,3:0,0,0"), "--bar: d1: is no column of"),
        (("--point", "A=1,2"), "must be three numbers x,y,z, not 2"),
        (("--tolerance", "bse=1mm"), "--tolerance: bse: matches no parameter"),
        (("--plan", "9"), "needs MEASUREMENTS.csv, or --plan N"),
        (("--out", "corrected.xyz"), "must end in"),
    ],
)
def test_bad_options(capsys, options: tuple[str, ...], line: str) -> None:
    code, out, err = outcome(capsys, "calibrate", "stewart", str(FULL), *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert line in err


def test_bad_plans(capsys) -> None:
    code, _, err = outcome(capsys, "calibrate", "stewart", "--plan", "3")
    assert code == 2
    assert "--plan: 3: too few for 42 parameters with 6 equations a pose (at least 7)" in err.replace('"3"', "3")
    code, _, err = outcome(capsys, "calibrate", "stewart", "--plan", "30", "--measure", "posture")
    assert code == 2
    assert "--measure: posture: is nothing that can be measured" in err


def test_readings_of_another_machine(capsys, tmp_path: Path) -> None:
    """Encoder readings that belong to other poses: no fit is made up."""
    header, *rows = csv.reader(FULL.read_text().splitlines())
    moved = [[*row[:6], *other[6:]] for row, other in zip(rows, [*rows[7:], *rows[:7]], strict=True)]
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join(",".join(row) for row in (header, *moved)))
    code, out, _ = outcome(capsys, "calibrate", "stewart", str(path), "--noise", NOISE)
    assert code in (1, 2, 3)
    assert "as stated" not in out
