"""`gough identify`: pages, files, and the line for each bad recording."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import gough
from tests.cli.running import outcome

DATA = Path(__file__).parents[1] / "data" / "identification"
MOTION, ENCODERS = DATA / "motion.csv", DATA / "encoders.csv"


def _rows(path):
    with path.open() as file:
        header, *rows = csv.reader(file)
    return header, np.array(rows, dtype=float)


@pytest.fixture
def spoiled(tmp_path):
    """Writes a changed copy of a recording and gives its name."""

    def write(source, change, rows=None):
        header, values = _rows(source)
        values = values[:rows]
        header, values = change(list(header), values) or (header, values)
        path = tmp_path / "bad.csv"
        path.write_text("\n".join([",".join(header), *(",".join(map(repr, map(float, row))) for row in values)]) + "\n")
        return str(path)

    return write


def test_a_page_and_a_robot(capsys, tmp_path):
    out = tmp_path / "identified.toml"
    code, text, err = outcome(capsys, "identify", "stewart", str(MOTION), "--legs", "own", "--out", str(out))
    assert (code, err) == (0, "")
    assert "46 base parameters" in text
    assert "not told from zero" in text
    assert "physical" in text
    assert gough.load(out).actuators[0].viscous == pytest.approx(3.746, rel=0.02)


def test_drives_that_share_parameters_are_named_as_legs(capsys):
    code, text, _ = outcome(capsys, "identify", "stewart", str(MOTION))
    assert code in (0, 1)
    rows = {line.split()[0]: line for line in text.splitlines() if line.split()}
    assert {"legs.P.viscous", "legs.P.coulomb"} <= set(rows)
    assert "N s/m" in rows["legs.P.viscous"]
    assert "1.viscous" not in rows


def test_json_has_everything(capsys):
    code, text, _ = outcome(capsys, "identify", "stewart", str(MOTION), "--legs", "own", "--format", "json")
    found = json.loads(text)
    assert code == 0
    assert len(found["parameters"]) == 46
    assert found["residual"] == pytest.approx(0.01, rel=0.05)


def test_currents_with_their_constants(capsys, spoiled):
    def currents(header, values):
        k = header.index("f1")
        values[:, k:] /= 2.5
        header[k:] = [f"i_{n} [A]" for n in range(1, 7)]
        return header, values

    path = spoiled(MOTION, currents, 300)
    code, _, err = outcome(capsys, "identify", "stewart", path)
    assert code == 2
    assert "has motor currents and nothing says what force they give" in err
    code, text, _ = outcome(
        capsys, "identify", "stewart", path, "--legs", "own", "--constant", "2.5", "--format", "json"
    )
    mass = next(row for row in json.loads(text)["parameters"] if row["parameter"] == "platform.mass")
    assert mass["value"] == pytest.approx(3.93, rel=0.01)


def _swap(header, values, one, other):
    a, b = header.index(one), header.index(other)
    values[:, [a, b]] = values[:, [b, a]]


def _set(header, values, column, value):
    values[:, header.index(column)] = value


def _scale(header, values, columns, factor):
    for name in columns:
        values[:, header.index(name)] *= factor


FORCES, READINGS = [f"f{k}" for k in range(1, 7)], [f"q{k}" for k in range(1, 7)]


@pytest.mark.parametrize(
    ("source", "change", "line"),
    [
        (
            ENCODERS,
            lambda h, v: _scale(h, v, READINGS, 1e3),
            "q_1: 2385.09515: is more than 50 times the robot's size (millimetres? say --units",
        ),
        (MOTION, lambda h, v: _scale(h, v, FORCES, 1e-3), "(kN? call the columns force_1 [kN])"),
        (MOTION, lambda h, v: _scale(h, v, FORCES, -1.0), "forces are the opposite of what the robot's file expects"),
        (MOTION, lambda h, v: _scale(h, v, ["f3"], -1.0), "(column force_3 has the wrong sign?)"),
        (MOTION, lambda h, v: _swap(h, v, "f2", "f5"), "(columns force_2 and force_5 exchanged?)"),
        (ENCODERS, lambda h, v: _swap(h, v, "q2", "q5"), "(columns q_2 and q_5 exchanged?)"),
        (MOTION, lambda h, v: _set(h, v, "f3", 7.0), "force_3: 7: is the same in every row (sensor not connected"),
        (ENCODERS, lambda h, v: _set(h, v, "q4", 2.5), "q_4: 2.5: is the same in every row (sensor not connected"),
        (MOTION, lambda h, v: (h, v[:12]), "has 12 rows: a recording needs at least 20"),
        (
            MOTION,
            lambda h, v: (h, np.delete(v, slice(100, 140), 0)),
            "(the clock jumped, or rows were lost: cut the recording there)",
        ),
        (
            MOTION,
            lambda h, v: (h, np.concatenate([v[:90], v[:90]])),
            "(the clock jumped back, or two recordings are in one file",
        ),
        (ENCODERS, lambda h, v: _scale(h, v, ["t"], 1e3), "(milliseconds? say --units ms"),
        (MOTION, lambda h, v: (h[:-1], v[:, :-1]), "force_6: is missing"),
        (
            MOTION,
            lambda h, v: _scale(h, v, ["psi", "theta", "phi"], 180 / np.pi),
            "is more than a turn from home (degrees? say --units deg)",
        ),
    ],
)
def test_bad_recordings_get_one_line_with_the_likely_cause(capsys, spoiled, source, change, line):
    code, text, err = outcome(capsys, "identify", "stewart", spoiled(source, change), "--legs", "own")
    assert (code, text) == (2, "")
    assert line in err
    assert err.count("\n") == 1


def test_too_short_for_its_parameters(capsys, spoiled):
    path = spoiled(MOTION, lambda h, v: None, 20)
    code, _, err = outcome(capsys, "identify", "stewart", path, "--legs", "own", "--bodies", "full")
    assert code == 2
    assert "20 samples of 6 forces are too few for 106 parameters; record longer" in err


def test_exchanged_readings_of_a_symmetric_machine_may_be_exchanged_forces(capsys, tmp_path):
    """Readings and forces of a delta that do not belong together fit its mirror image either way."""
    robot, t = gough.load("delta"), np.linspace(0.0, 2.0, 400)
    swing = np.sin(np.outer(t, [5.0, 7.0, 4.0]) * np.pi) * 0.1
    x = np.array(robot.platform.home) + swing * np.minimum(1.0, 4.0 * t)[:, None]
    motion = gough.Motion.from_samples(robot, gough.State(x, t=t)).sample(t)
    found = gough.inverse_dynamics(robot, gough.State(motion.x, motion.xd, motion.xdd))
    path = tmp_path / "log.csv"
    header = "t,q_A,q_C,q_B,force_A,force_B,force_C"
    np.savetxt(path, np.column_stack([t, found.q, found.force]), delimiter=",", header=header, comments="")
    code, _, err = outcome(capsys, "identify", "delta", str(path), "--smooth", "none")
    assert code == 2
    assert "(columns force_B and force_C exchanged, or q_B and q_C?)" in err


def test_a_plan_is_a_motion_that_check_accepts(capsys, tmp_path):
    path = tmp_path / "exciting.csv"
    code, text, _ = outcome(
        capsys, "identify", "stewart", "--plan", str(path), "--duration", "3s", "--limit", "speed=1"
    )
    assert code == 0
    assert "It fits every limit" in text
    assert path.read_text().startswith("t [s],x [m],")
    units = ("--units", "mm,deg")  # every unit is in the header
    assert outcome(capsys, "check", "stewart", "--motion", str(path), "--limit", "speed=1m/s", *units)[0] == 0


def test_nothing_to_do(capsys):
    code, _, err = outcome(capsys, "identify", "stewart")
    assert code == 2
    assert "give a recording, or --plan FILE.csv" in err
