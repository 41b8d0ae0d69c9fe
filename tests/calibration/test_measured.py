"""Measurements of a machine with known errors: what a correct solver reaches, determines and refuses to believe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from tests.calibration.conftest import DATA, NOISE

VALIDATION = DATA / "validation.csv"


@pytest.fixture(scope="module")
def full(stewart: gough.Robot) -> gough.Calibration:
    return gough.calibrate(stewart, DATA / "full.csv", noise=NOISE, validate=VALIDATION)


def test_full_poses_reach_the_expected_accuracy(full: gough.Calibration) -> None:
    v = full.validation
    assert v is not None
    position, rotation = v.rms(v.after)
    assert position == pytest.approx(10.4e-6, abs=0.05e-6)
    assert rotation == pytest.approx(15e-6, abs=0.1e-6)
    assert position <= 1.05 * v.expected.rms()[0]
    assert v.expected.rms()[0] == pytest.approx(13.2e-6, abs=0.05e-6)
    assert v.rms(v.before)[0] > 4e-3


def test_rotation_noise_is_called_understated(full: gough.Calibration) -> None:
    assert full.noise.freedom == 318
    assert full.noise.squares == pytest.approx(380, abs=0.5)
    assert full.noise.p == pytest.approx(0.01, abs=0.001)
    assert "rotation noise is understated" in full.noise.text
    assert not full.agrees


def test_parameters_are_within_their_deviations(full: gough.Calibration, truth: dict[str, Any]) -> None:
    legs = range(6)
    true = {f"leg.{k + 1}.base.{i}": truth["base"][k][i] for k in legs for i in range(3)}
    true |= {f"leg.{k + 1}.platform.{i}": truth["platform"][k][i] for k in legs for i in range(3)}
    true |= {f"leg.{k + 1}.actuator.zero": truth["offset"][k] for k in legs}
    assert set(true) == {p.path for p in full.parameters}
    value = np.array([p.nominal for p in full.parameters]) + full.changes
    z = (value - np.array([true[p.path] for p in full.parameters])) / full.deviation
    # 42 correlated values, of noise that is 1.1 times the stated: their rms may be 0.6 to 1.6.
    assert 0.6 < np.sqrt((z**2).mean()) < 1.6


def test_held_out_poses_fit_as_well(full: gough.Calibration) -> None:
    assert full.held_out is not None
    # sqrt(380 / 318) of the noise as it was drawn, and what 42 parameters of 48 other poses add.
    assert 1.0 < full.held_out.ratio < 1.3


def test_corrected_file_is_the_measured_machine(full: gough.Calibration, tmp_path: Path, truth: dict[str, Any]) -> None:
    full.write(tmp_path / "corrected.toml")
    corrected = gough.load(tmp_path / "corrected.toml")
    given = gough.read_measurements(corrected, VALIDATION)
    q = gough.inverse_kinematics(corrected, given.m[:, 6:]).q
    # Readings of poses known to 13 um are known to about that.
    assert np.abs(q - given.m[:, :6]).max() < 50e-6
    nominal = gough.inverse_kinematics(full.robot, given.m[:, 6:]).q
    assert np.abs(nominal - given.m[:, :6]).max() > 5e-3


def test_outliers_are_found_exactly(stewart: gough.Robot, truth: dict[str, Any]) -> None:
    for noise in (NOISE, None):
        found = gough.calibrate(stewart, DATA / "outliers.csv", noise=noise, validate=VALIDATION)
        assert found.outliers == truth["outlier_rows"]
        v = found.validation
        assert v is not None
        assert v.rms(v.after)[0] <= 1.05 * v.expected.rms()[0]


def test_noise_is_estimated(stewart: gough.Robot) -> None:
    found = gough.calibrate(stewart, DATA / "full.csv")
    assert found.agrees
    # Estimates from 318 degrees of freedom, the encoders' from 20: one or two standard deviations.
    assert found.deviations["position"] == pytest.approx(20e-6, rel=0.15)
    assert found.deviations["rotation"] == pytest.approx(23e-6, rel=0.15)
    assert found.deviations["encoder"] == pytest.approx(5e-6, rel=0.7)


THREE_POINTS = [gough.Point("A", (0.3, 0, 0)), gough.Point("B", (-0.1, 0.3, 0)), gough.Point("C", (0, -0.2, 0.2))]


@pytest.mark.parametrize(
    ("file", "columns", "options", "rank", "count", "words"),
    [
        ("full.csv", None, {}, 42, 42, ()),
        ("position.csv", None, {}, 39, 42, ("platform may turn about x, y and z",)),
        (
            "orientation.csv",
            None,
            {},
            36,
            42,
            ("base may shift along x, y and z", "platform may shift along x, y and z"),
        ),
        (
            "orientation.csv",
            ("theta", "phi"),
            {},
            35,
            42,
            ("base may turn about z", "base may shift along x, y and z", "platform may shift along x, y and z"),
        ),
        (
            "frames.csv",
            None,
            {"tracker": True, "target": True},
            42,
            54,
            (
                "base and the tracker's frame may turn together about x, y and z",
                "base and the tracker's frame may shift together along x, y and z",
                "platform and the target may turn together about x, y and z",
                "platform and the target may shift together along x, y and z",
            ),
        ),
        ("distance.csv", None, {"bars": 3}, 42, 42, ()),
        ("distance.csv", ("d1", "d2"), {"bars": 2}, 40, 42, None),
        ("distance.csv", ("d1",), {"bars": 1}, 36, 42, None),
        ("distance.csv", ("d1",), {"bars": "free"}, 37, 49, None),
    ],
)
def test_rank_and_words(
    stewart: gough.Robot,
    bars: list[gough.Bar],
    file: str,
    columns: tuple[str, ...] | None,
    options: dict[str, Any],
    rank: int,
    count: int,
    words: tuple[str, ...] | None,
    tmp_path: Path,
) -> None:
    used = options.pop("bars", 0) if "bars" in options else 0
    own = [replace(bars[0], free=True)] if used == "free" else bars[:used]
    path = DATA / file if columns is None else _some(DATA / file, columns, tmp_path)
    found = gough.calibrate(stewart, path, noise=NOISE, bars=own, folds=0, **options)
    assert (found.determined.rank, found.determined.count) == (rank, count)
    assert found.determined.gap > 1e6
    assert found.agrees or file == "full.csv"
    if words is not None:
        assert found.determined.words == words
    elif count == 42:
        assert all("may turn about" in line for line in found.determined.words)
    else:
        moves = ("turn about", "shift along")
        assert found.determined.words == tuple(f"{b} may {m} x, y and z" for b in ("base", "platform") for m in moves)


def _some(path: Path, columns: tuple[str, ...], folder: Path) -> Path:
    """A file of some columns and the encoders."""
    header, *rows = [line.split(",") for line in path.read_text().split()]
    kept = [k for k, name in enumerate(header) if name in columns or name.startswith("q")]
    out = folder / "some.csv"
    out.write_text("\n".join(",".join(row[k] for k in kept) for row in (header, *rows)) + "\n")
    return out


@pytest.mark.parametrize(
    ("measure", "points", "rank"),
    [("encoders", THREE_POINTS, 42), ("incline,z", [], 39), ("incline", [], 35), ("1.U1,1.U2", [], 33)],
)
def test_rank_of_what_could_be_measured(
    stewart: gough.Robot, measure: str, points: list[gough.Point], rank: int
) -> None:
    found = gough.plan_poses(stewart, 60, measure, points=points)
    assert (found.determined.rank, found.determined.count) == (rank, 42)


def test_encoders_alone_say_nothing(stewart: gough.Robot, tmp_path: Path) -> None:
    with pytest.raises(gough.InputError, match="nothing is measured beside the encoders"):
        gough.calibrate(stewart, _some(DATA / "full.csv", (), tmp_path))


def _changed(file: str, folder: Path, columns: tuple[str, ...], factor: float, swapped: bool) -> Path:
    """A file with columns in another unit, or the first two exchanged."""
    header, *rows = [line.split(",") for line in (DATA / file).read_text().split()]
    for row in rows:
        places = [header.index(name) for name in columns]
        if swapped:
            row[places[0]], row[places[1]] = row[places[1]], row[places[0]]
        for k in places:
            row[k] = repr(float(row[k]) * factor)
    out = folder / "bad.csv"
    out.write_text("\n".join(",".join(row) for row in (header, *rows)) + "\n")
    return out


MILLIMETRES = "is about 1000 times what the encoders say (millimetres? write d2 [mm], or say --units mm)"


@pytest.mark.parametrize(
    ("file", "columns", "factor", "line"),
    [
        ("distance.csv", ("d2",), 1e3, f"d2: {MILLIMETRES}"),
        ("distance.csv", ("d1", "d2"), 1.0, "d1: varies as d2 of the robot's file should (d1 and d2 swapped?)"),
        ("position.csv", ("x", "y"), 1.0, "x: varies as y of the robot's file should (x and y swapped?)"),
        (
            "orientation.csv",
            ("psi", "phi"),
            1.0,
            "psi: varies as phi of the robot's file should (psi and phi swapped?)",
        ),
        (
            "frames.csv",
            ("x", "y", "z"),
            1e3,
            "x: varies about 1000 times as it should (millimetres? write x [mm], or say --units mm)",
        ),
        ("frames.csv", ("x", "z"), 1.0, "x: fits no place of the tracker (x and z swapped?)"),
    ],
)
def test_units_and_order_of_what_is_measured_beside_the_encoders(
    stewart: gough.Robot,
    bars: list[gough.Bar],
    tmp_path: Path,
    file: str,
    columns: tuple[str, ...],
    factor: float,
    line: str,
) -> None:
    path = _changed(file, tmp_path, columns, factor, factor == 1.0)
    with pytest.raises(gough.InputError) as error:
        gough.calibrate(
            stewart,
            path,
            bars=bars if file == "distance.csv" else (),
            tracker=file == "frames.csv",
            target=file == "frames.csv",
        )
    assert str(error.value) == f"{path}: {line}"


def test_values_that_are_missing_are_zero(tmp_path):
    robot = gough.load("planar3rrr")
    x = np.array([robot.platform.home, np.add(robot.platform.home, (0.01, 0.02, 0.1))])
    rows = np.hstack([gough.inverse_kinematics(robot, x).q, x]).tolist()
    text = ["q1,q2,q3,x,y,phi", *(",".join(map(repr, row)) for row in rows)]
    text[2] = text[2][: text[2].rindex(",") + 1]
    (tmp_path / "poses.csv").write_text("\n".join(text))
    found = gough.read_measurements(robot, tmp_path / "poses.csv")
    assert found.missing.tolist() == [[False] * 6, [False] * 5 + [True]]
    assert found.m[1, 5] == 0.0
