"""Results as Parquet files: every number as it was, facts beside them, and one line where pyarrow is missing."""

import json
import sys

import numpy as np
import pytest

import gough
from gough.errors import InputError
from tests.cli.running import outcome
from tests.simulation.cases import pushed, robot, springs

pytest.importorskip("pyarrow")

NAME = "planar3rrr"


def read(path):
    """Columns and facts of a file."""
    from pyarrow import parquet

    table = parquet.read_table(path)
    return {name: np.array(table[name].to_pylist()) for name in table.column_names}, json.loads(
        table.schema.metadata[b"gough"]
    )


def same(found, expected):
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert np.array_equal(found[name], values, equal_nan=np.asarray(values).dtype.kind == "f"), name


def test_forces_come_back_as_they_were(tmp_path):
    machine = robot(NAME)
    s = gough.Motion.named(machine).sample(11)
    x = s.x.copy()
    x[3] = 50.0
    result = gough.inverse_dynamics(machine, gough.State(x, s.xd, s.xdd, t=s.t))
    result.to_parquet(tmp_path / "forces.parquet", parts=True)
    found, facts = read(tmp_path / "forces.parquet")
    names = {"coordinates": list(result.coordinates), "actuators": list(result.actuators)}
    assert facts == {"robot": NAME, "motion": None, "formulation": result.formulation, **names}
    assert list(found) == result.to_csv(parts=True).splitlines()[0].split(",")
    assert np.array_equal(found["t"], s.t)
    assert np.array_equal(found["force_A"], result.force[:, 0], equal_nan=True)
    assert np.isnan(found["force_A"][3])
    assert found["status"][3] == "out of reach"


def test_a_run_comes_back_as_it_was(tmp_path):
    machine = robot(NAME)
    run = gough.simulate(machine, pushed(machine), springs(machine), 0.05, samples=6)
    run.to_parquet(tmp_path / "run.parquet")
    found, facts = read(tmp_path / "run.parquet")
    same(found, run.columns())
    assert facts == run.facts()


def test_an_ensemble_comes_back_as_it_was(tmp_path):
    many = gough.simulate_many(robot(NAME), None, None, 0.01, count=5, vary={"platform.mass": 0.05})
    many.to_parquet(tmp_path / "many.parquet")
    found, facts = read(tmp_path / "many.parquet")
    same(found, many.columns())
    assert facts["complete"] is True
    assert facts["steps"] == 10


def test_the_command_writes_one_beside_the_tables(capsys, tmp_path):
    code, _, err = outcome(
        capsys, "simulate", NAME, "--for", "0.01", "--samples", "3", "--parquet", "--out", str(tmp_path)
    )
    assert (code, err) == (0, "")
    found, facts = read(tmp_path / "run.parquet")
    assert len(found["t"]) == 3
    assert facts["complete"] is True


def test_without_pyarrow_there_is_one_line_before_anything_is_computed(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    line = "parquet: needs the package pyarrow; pip install 'gough[parquet]'"
    run = gough.simulate(robot(NAME), None, None, 0.01, samples=3)
    with pytest.raises(InputError) as caught:
        run.to_parquet(tmp_path / "run.parquet")
    assert str(caught.value) == line
    code, out, err = outcome(capsys, "simulate", NAME, "--for", "0.01", "--parquet", "--out", str(tmp_path / "new"))
    assert (code, out, err) == (2, "", f"gough: error: {line}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_needs_a_folder(capsys):
    code, out, err = outcome(capsys, "simulate", NAME, "--for", "0.01", "--parquet")
    assert (code, out, err) == (2, "", "gough: error: --parquet: needs --out, the folder to write to\n")
