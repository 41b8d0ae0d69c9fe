"""The measurements behind docs/decisions compute what they say, and the records name commands that exist."""

from __future__ import annotations

import math
import re
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import costs, decisions, hidden_surfaces, result_memory, stewart_numpy
from benchmarks.peers import translated
from benchmarks.stewart_equations import record_inverse_dynamics
from benchmarks.stewart_states import states, worst_error
from gough.graph import cos, sin
from gough.run import Program, arrays
from gough.run.llvm import jit, kernel

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(path.name for path in FOLDER.glob("*.md") if path.name != "README.md")
HEADINGS = ["Context", "Decision", "Measurement", "Consequences", "When to reconsider"]


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory):
    with costs.cache_folder(str(tmp_path_factory.mktemp("cache"))):
        yield


def test_a_translated_graph_has_the_bits_of_the_graph():
    graph, motion = record_inverse_dynamics(), states(30)
    functions = SimpleNamespace(sqrt=math.sqrt, fabs=math.fabs, sin=sin, cos=cos)
    inputs = np.concatenate(motion, axis=1).tolist()
    tau = [translated.translate(graph, row, functions, lambda c, a, b: a if c else b) for row in inputs]
    x, xd, xdd = motion
    np.testing.assert_array_equal(tau, Program(graph, executor="floats")(x=x, xd=xd, xdd=xdd))


@pytest.mark.oracle
@pytest.mark.parametrize("peer", [decisions.MACHINE, decisions.COMPILED, decisions.JAX])
def test_a_peer_computes_the_forces(peer: str):
    if not decisions.available(peer):
        pytest.skip(f"{peer} is not installed")
    graph, motion = record_inverse_dynamics(), states(20)
    if peer == decisions.JAX:
        call = translated.jax_call(graph, motion)
    else:
        call = translated.casadi_call(graph, motion, np.empty((20, 6)), compiler=peer == decisions.COMPILED)
    assert worst_error(call(), stewart_numpy.inverse_dynamics(*motion)) <= 1e-12


def test_a_wrong_contestant_is_caught():
    tau = stewart_numpy.inverse_dynamics(*states(20))
    with pytest.raises(ArithmeticError, match=r"peer is off by 1\.0e-09"):
        decisions.checked("peer", lambda: tau * (1 + 1e-9), tau)


def test_only_contraction_changes_bits():
    if not re.search(r"\+(fma|neon|fp-armv8)\b", jit.describe()[2]):
        pytest.skip("this processor has no fused multiply-add")
    plain = kernel.write_kernel
    rows = {row["name"]: row for row in decisions.contraction(60, 1)}
    assert kernel.write_kernel is plain
    assert rows["no contraction"]["rows_changed"] == 0.0
    assert rows["contraction"]["rows_changed"] > 0.5
    assert 0.0 < rows["contraction"]["change"] < 1e-13


def test_thin_legs_give_the_forces_of_the_chain_with_fewer_operations():
    rows = {row["name"]: row["flops"] for row in decisions.thin_legs(40, 1)}
    assert 2 * rows["thin legs"] < rows["general chain"]


def test_both_orders_of_operations_are_timed():
    rows = decisions.order(40, 1)
    assert {row["name"] for row in rows} == {decisions.KEPT, decisions.ITS_OWN}
    assert len(jit.WITH_OPTIONS) > 0


@pytest.mark.parametrize("name", [result_memory.POOLED, result_memory.FRESH])
def test_results_come_from_the_pool_or_not_at_all(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(arrays, "_SMALLEST", arrays._SMALLEST)  # put back afterwards
    asked: list[int] = []
    block = arrays._block
    monkeypatch.setattr(arrays, "_block", lambda size: asked.append(size) or block(size))
    row = result_memory.measure(name, False, 4000, 1)
    assert row["us"] > 0.0
    assert bool(asked) == (name == result_memory.POOLED)


def test_both_pictures_show_the_same_scene():
    both = hidden_surfaces.drawings("stewart", 385, 320)
    ours, theirs = both.wrong
    assert both.covered > 5000
    assert ours == 0.0
    assert theirs < 0.05
    assert both.ours().shape == both.theirs().shape == (320, 385, 4)


def test_the_index_lists_every_record():
    assert re.findall(r"\]\((\w+\.md)\)", (FOLDER / "README.md").read_text()) == RECORDS
    assert len(RECORDS) == 9
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "](docs/decisions/README.md)" in (ROOT / page).read_text()


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_has_its_parts_and_its_commands_exist(record: str):
    text = (FOLDER / record).read_text()
    assert re.findall(r"^## (.+)$", text, re.M) == HEADINGS
    measured = text.split("## Measurement\n")[1].split("\n## ")[0]
    assert "Xeon" in measured or "EPYC" in measured
    modules = re.findall(r"python -m (benchmarks\.\w+)", measured)
    assert modules or "gough count" in measured
    for module in modules:
        assert find_spec(module) is not None
    for path in re.findall(r"`((?:src|benchmarks|tests)/[\w/.]+)`", text):
        assert (ROOT / path).exists(), path
