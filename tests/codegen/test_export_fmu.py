"""Files of functional mock-up units: what their variables say, and what is refused."""

from __future__ import annotations

import pytest

import gough
from gough.cli import main
from tests.codegen.compiled import tool


def test_every_variable_says_what_it_is(tmp_path):
    fmpy = pytest.importorskip("fmpy")
    tool("cc")
    for kind in ("plant", "inverse"):
        file = gough.export_fmu(gough.load("fivebar"), tmp_path / "f.fmu", kind)
        variables = fmpy.read_model_description(str(file)).modelVariables
        assert all(v.description for v in variables if v.name != "time")


def test_what_is_refused(tmp_path, capsys, monkeypatch):
    file = tmp_path / "f.fmu"
    assert main(["export", "fmu", "delta", "--kind", "plan", "--out", str(file)]) == 2
    assert "kind 'plan': choose plant or inverse" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", "fmu", "fivebar", "--out", str(file)]) == 4
    assert "no C compiler" in capsys.readouterr().err
    assert not file.exists()
