"""Studies in one process: bits, resuming, stores that are damaged or not to be written."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from gough import cli
from gough.studies import store as store_module
from gough.studies.run import Interrupted, stretches
from tests.studies.cases import LEAVES, small, study_file
from tests.support.lanes import size


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[gough.Study, Any]:
    study = small(tmp_path_factory.mktemp("study"))
    return study, study.run()


def same(result: Any, other: Any) -> None:
    assert json.dumps(result.reductions, sort_keys=True) == json.dumps(other.reductions, sort_keys=True)


def interrupted_after(study: gough.Study, chunks: int, out: Path, chunk: int) -> None:
    done = []

    def progress(reached: int, _: int) -> None:
        done.append(reached)
        if len(done) > chunks:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"rows are done; gough study .* --out .* --resume"):
        study.run(out=out, chunk=chunk, progress=progress)


@pytest.mark.parametrize(("chunk", "after", "then"), [(50, 7, 50), (50, 2, 64), (700, 5, None), (4095, 1, 50)])
def test_chunks_below_a_leaf_are_kept_and_have_the_same_bits(
    tmp_path: Path, chunk: int, after: int, then: int | None
) -> None:
    study, out = small(tmp_path, machines=4096 + 200), tmp_path / "out"
    interrupted_after(study, after, out, chunk)
    kept = sorted((out / "pieces").iterdir())
    assert len(kept) == after
    first = kept[0].read_bytes()
    kept[0].write_bytes(first[:-1] + bytes([first[-1] ^ 1]))
    resumed = study.run(out=out, chunk=then, resume=True)
    assert resumed.resumed == (after - 1) * chunk
    same(resumed, plain := study.run())
    rows = resumed.read_rows()
    for name, column in plain.read_rows().items():
        assert np.array_equal(rows[name], column, equal_nan=True), name
    assert not list((out / "pieces").iterdir())


@pytest.mark.parametrize("function", [True, False])
def test_pieces_of_index_studies_and_of_functions(function: bool) -> None:
    """Rows of Sobol indices stay whole; functions see the machines they would see."""
    vary = [{"number": "leg.1.base.*", "uniform": "1 mm"}, {"number": "platform.mass", "uniform": "5 %"}]
    measure: list[Any] = ["condition", *([lambda machine: machine.numbers["platform.mass"]] if function else [])]
    kind = [] if function else [{"kind": "sobol"}]
    study = gough.Study.of(robot="stewart", vary=vary, machines=600, seed=1, measure=measure, reduce=kind)
    done: list[int] = []
    pieces = study.run(chunk=101, progress=lambda reached, _: done.append(reached))
    same(pieces, study.run())
    row = study.drawing.row
    size = -(-101 // row) * row
    assert done == [0, *range(size, 600, size), 600]


@pytest.mark.parametrize(("chunk", "after", "then"), [(4096, 10, 3 * 4096), (3 * 4096, 1, 4096), (7 * 4096, 2, 50_000)])
def test_same_bits_for_any_chunk_and_restart(
    undisturbed: tuple[gough.Study, Any], tmp_path: Path, chunk: int, after: int, then: int
) -> None:
    study, plain = undisturbed
    out = tmp_path / "out"
    interrupted_after(study, after, out, chunk)
    resumed = study.run(out=out, chunk=then, resume=True)
    assert resumed.resumed == after * chunk
    same(resumed, plain)
    rows, own = resumed.read_rows(), plain.read_rows()
    assert list(rows) == list(own)
    for name, column in own.items():
        assert np.array_equal(rows[name], column, equal_nan=True), name
    assert np.array_equal(rows["machine"], np.arange(study.machines))


def test_reductions_agree_with_numpy_on_the_rows(undisturbed: tuple[gough.Study, Any]) -> None:
    _, plain = undisturbed
    error = plain.rows["position_error"]
    found = plain.reductions
    assert found["moments of position_error"]["mean"] == pytest.approx(error.mean(), rel=1e-13)
    assert found["moments of position_error"]["variance"] == pytest.approx(error.var(ddof=1), rel=1e-12)
    assert found["extremes of condition"]["max_machine"] == plain.rows["condition"].argmax()
    exact = np.quantile(error, 0.99, method="inverted_cdf")
    assert found["quantiles of position_error"]["quantiles"]["0.99"] == pytest.approx(exact, rel=2.0**-12)
    assert plain.failed == 0


def test_exact_quantiles_take_further_passes(tmp_path: Path) -> None:
    tables: dict[str, Any] = {
        "robot": "stewart", "machines": 9000, "measure": ["condition"], "keep": "rows",
        "vary": [{"number": "leg.1.base.x", "uniform": "1 mm"}],
        "reduce": [{"kind": "quantiles", "at": [0.0, 0.3, 0.5, 1.0], "exact": True}],
    }  # fmt: skip
    for out in (None, tmp_path / "out"):
        result = gough.Study.of(**tables).run(out=out)
        values = np.quantile(result.read_rows()["condition"], [0.0, 0.3, 0.5, 1.0], method="inverted_cdf")
        assert list(result.reductions["quantiles of condition"]["quantiles"].values()) == values.tolist()


def test_another_studys_store_is_refused_with_what_differs(tmp_path: Path) -> None:
    path = study_file(tmp_path, machines=4096)
    gough.Study.read(path).run(out=tmp_path / "out")
    path.write_text(path.read_text().replace("seed = 5", "seed = 6"))
    with pytest.raises(gough.InputError, match=r"out: holds another study: seed is 5 there, 6 here"):
        gough.Study.read(path).run(out=tmp_path / "out", resume=True)
    path.write_text(path.read_text().replace("seed = 6", "seed = 5").replace("0.3 mm", "0.4 mm"))
    with pytest.raises(gough.InputError, match=r"holds another study: vary\.7\.low is -0\.0003 there, -0\.0004 here"):
        gough.Study.read(path).run(out=tmp_path / "out", resume=True)


def test_a_chunk_of_another_study_is_computed_again(tmp_path: Path) -> None:
    path, stores = study_file(tmp_path, machines=60), (tmp_path / "own", tmp_path / "other")
    study = gough.Study.read(path)
    plain = study.run(out=stores[0])
    path.write_text(path.read_text().replace("seed = 5", "seed = 6"))
    gough.Study.read(path).run(out=stores[1])
    for part in ("chunks", "rows"):
        shutil.rmtree(stores[0] / part)
        shutil.copytree(stores[1] / part, stores[0] / part)
    lines: list[str] = []
    again = study.run(out=stores[0], resume=True, tell=lines.append)
    assert [line.partition(": ")[2] for line in lines] == ["damaged (it belongs to another study); computed again"]
    assert again.resumed == 0
    same(again, plain)


def test_a_store_is_not_overwritten_or_taken_for_one(tmp_path: Path) -> None:
    study = small(tmp_path, machines=4096)
    study.run(out=tmp_path / "out")
    with pytest.raises(gough.InputError, match=r"out: holds this study already; --resume takes what is there"):
        study.run(out=tmp_path / "out")
    with pytest.raises(gough.InputError, match="holds other files; choose an empty folder"):
        study.run(out=tmp_path)


def test_a_store_without_pyarrow_has_the_same_bits_and_is_taken_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = small(tmp_path, machines=4096 + 60)
    plain = study.run()
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        without.setitem(sys.modules, "pyarrow.parquet", None)
        interrupted_after(study, 1, tmp_path / "out", 4096)
        assert {path.suffix for path in (tmp_path / "out").glob("*/*")} == {".npz"}
        assert study.run(out=tmp_path / "out", resume=True).resumed == 4096
        content = (path := next((tmp_path / "out" / "chunks").iterdir())).read_bytes()
        path.write_bytes(content[: len(content) // 2])
        lines: list[str] = []
        alone = study.run(out=tmp_path / "out", resume=True, tell=lines.append)
        assert len(lines) == 1
        assert "damaged" in lines[0]
    both = study.run(out=tmp_path / "out", resume=True)
    assert both.resumed == study.machines
    for result in (alone, both):
        same(result, plain)
        rows = result.read_rows()
        assert all(np.array_equal(rows[name], column) for name, column in plain.rows.items())
    study.run(out=tmp_path / "other")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(gough.InputError, match=r"parquet: needs the package pyarrow; pip install 'gough\[parquet\]'"):
        study.run(out=tmp_path / "other", resume=True)


def damaged_copies(content: bytes) -> list[bytes]:
    """Cut at every 64th byte, and with one bit flipped at places all over."""
    cut = [content[:end] for end in range(0, len(content), 64)]
    rng = np.random.default_rng(1)
    for place in np.unique(np.linspace(0, len(content) - 1, 200).astype(int)):
        flipped = bytearray(content)
        flipped[place] ^= 1 << int(rng.integers(8))
        cut.append(bytes(flipped))
    return cut


@pytest.mark.parametrize("kind", ["chunks", "rows"])
def test_damaged_chunks_are_found_and_computed_again(tmp_path: Path, kind: str) -> None:
    study = small(tmp_path, machines=60)
    out = tmp_path / "out"
    plain = study.run(out=out)
    [path] = (out / kind).iterdir()
    [commit] = (out / "chunks").iterdir()
    content, committed = path.read_bytes(), commit.read_bytes()
    copies = damaged_copies(content)
    step = max(1, len(copies) // size(len(copies), 60))
    for k, damaged in enumerate(copies[::step]):
        commit.write_bytes(committed)
        path.write_bytes(damaged)
        lines: list[str] = []
        again = study.run(out=out, resume=True, tell=lines.append)
        same(again, plain)
        if lines:
            assert len(lines) == 1
            assert "damaged" in lines[0]
            assert "computed again" in lines[0]
        else:
            assert k * step >= len(range(0, len(content), 64)), "a cut file is always found"
        assert np.array_equal(again.read_rows()["condition"], plain.read_rows()["condition"])


def test_a_full_disk_is_one_line_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: tuple[gough.Study, Any]
) -> None:
    """The disk is full from the third chunk on."""
    study, plain = undisturbed
    written = []
    real = store_module.write_whole

    def filled(path: Path, content: bytes, *rest: Any) -> None:
        if path.parent.name == "chunks":
            written.append(path)
            if len(written) > 2:
                raise OSError(28, "No space left on device", str(path))
        real(path, content, *rest)

    monkeypatch.setattr(store_module, "write_whole", filled)
    with pytest.raises(gough.GoughError, match="no space left on device; nothing is lost: make room, then gough") as e:
        study.run(out=tmp_path / "out", chunk=4096)
    assert e.value.exit_code == 4
    monkeypatch.undo()
    resumed = study.run(out=tmp_path / "out", resume=True)
    assert resumed.resumed == 2 * 4096
    same(resumed, plain)


def test_a_store_that_does_not_fit_is_refused_before_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 1000})()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(gough.GoughError, match=r"the store needs about .* 1e\+03 B is free|the store needs about") as e:
        small(tmp_path).run(out=tmp_path / "out")
    assert e.value.exit_code == 4
    assert not (tmp_path / "out").exists()


def test_a_store_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["study", str(study_file(tmp_path, machines=100)), "--out", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err == f"gough: error: {tmp_path}/file: is a file; --out names a folder\n"

    def refused(path: Path, *_: Any) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(store_module, "write_whole", refused)
    path, out = tmp_path / "study.toml", tmp_path / "out"
    assert cli.main(["study", str(path), "--out", str(out)]) == 2
    again = f"nothing is lost: make it writable, then gough study {path} --out {out} --resume"
    assert capsys.readouterr().err == f"gough: error: {out}: read-only file system; {again}\n"


def test_two_clients_on_one_store(tmp_path: Path) -> None:
    study = small(tmp_path, machines=9000)
    held = store_module.Store(tmp_path / "out", study, False, print)
    with pytest.raises(gough.InputError, match=r"out: another process is at work in it; wait for it, or choose"):
        study.run(out=tmp_path / "out", resume=True)
    held.close()
    study.run(out=tmp_path / "out", resume=True)


def test_stretches_are_what_is_not_done() -> None:
    assert stretches(LEAVES, [(5, 7), (0, 2)], 4) == [(2, 5), (7, 11), (11, 15), (15, 19), (19, 23)]
    assert stretches(3, [(0, 3)], 4) == []


def test_a_function_that_raises_names_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(
        "def width(machine):\n    value = machine.numbers['leg.1.base.x']\n"
        "    if machine.number == 7:\n        raise ValueError('too wide')\n"
        "    return machine.robot.legs[0].position[0] - value\n"
    )
    path = tmp_path / "s.toml"
    path.write_text(
        'robot = "stewart"\nmachines = 20\nmeasure = ["mine:width"]\n'
        '[[vary]]\nnumber = "leg.1.base.x"\nuniform = 0.001\n'
    )
    assert cli.main(["study", str(path)]) == 2
    line = capsys.readouterr().err
    assert line.startswith("gough: error: mine:width: machine 7: ValueError: too wide (leg.1.base.x = 1.44")
    assert cli.main(["study", str(path), "--on-error", "count", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == 1
    assert found["reductions"]["moments of mine:width"]["mean"] == 0.0


FAULTS = """
measure = ["peek_force"]
s.toml:2: measure.1: "peek_force": no such measure (did you mean peak_force?; or a function, "module:function")

measure = ["peak_speed"]
s.toml:2: measure.1: "peak_speed": needs a motion (e.g. motion = "hold")

measure = ["condition"]
s.toml:1: machines: must be a whole number from 1 to 281474976710656 (e.g. machines = 100000)

measure = ["condition"];machines = 10;[[reduce]];kind = "yield"
s.toml:5: reduce.1.kind: "yield": needs at_most or at_least

measure = ["condition"];machines = 10;[[reduce]];kind = "top";of = "stroke"
s.toml:6: reduce.1.of: "stroke": no such measure of this study (known: condition)

measure = ["stroke"];machines = 10;[[reduce]];kind = "yield";at_most = "3 kg"
s.toml:6: reduce.1.at_most: "3 kg": its unit must be m, not kg

measure = ["none:here"];machines = 10
s.toml:2: measure.1: "none:here": cannot be imported: ModuleNotFoundError: No module named 'none'

measure = ["condition"];machines = 9;[[reduce]];kind = "sobol";[[correlation]];numbers = ["leg.1.base.x"];matrix = [[1]]
s.toml:6: correlation.0: cannot go with Sobol indices: they share out variance among independent numbers
"""
VARY = '\n[[vary]]\nnumber = ["leg.1.base.x", "leg.1.base.y"]\nuniform = 0.001\n'


@pytest.mark.parametrize(("text", "line"), [tuple(case.splitlines()) for case in FAULTS.strip().split("\n\n")])
def test_faults_are_one_line(text: str, line: str) -> None:
    from gough.studies.read import study_of

    with pytest.raises(gough.InputError) as caught:
        study_of('robot = "stewart"\n' + text.replace(";", "\n") + VARY, "s.toml")
    assert str(caught.value).splitlines()[0] == line


def test_correlations_come_out_as_stated() -> None:
    study = gough.Study.of(
        robot="stewart", machines=40_000, measure=["condition"],
        vary=[{"number": ["leg.1.base.x", "leg.2.base.x"], "normal": "1 mm", "within": 8}],
        correlation=[{"numbers": ["leg.1.base.x", "leg.2.base.x"], "matrix": [[1, 0.6], [0.6, 1]]}],
    )  # fmt: skip
    values = study.drawing.values(0, 40_000)
    assert np.corrcoef(values.T)[0, 1] == pytest.approx(0.6, abs=0.012)
    assert np.std(values, axis=0) == pytest.approx(1e-3, rel=0.02)


def test_lists_and_grids_are_gone_through() -> None:
    study = gough.Study.of(
        robot="stewart", measure=["condition"],
        vary=[
            {"number": "legs.base.radius", "grid": [1.2, 1.6, 3]},
            {"number": "legs.platform.radius", "list": [0.6, 0.8]},
        ],
    )  # fmt: skip
    assert study.machines == 6
    assert sorted(map(tuple, study.drawing.values(0, 6).tolist())) == [
        (a, b) for a in (1.2, 1.4, 1.6) for b in (0.6, 0.8)
    ]


def test_the_command_prints_a_page_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = study_file(tmp_path, machines=3000, keep="reductions")
    picture = tmp_path / "p.png"
    assert cli.main(["study", str(path), "--out", str(tmp_path / "out"), "--plot", str(picture)]) == 0
    text = capsys.readouterr().out
    assert "stewart: 3000 machines, 0 failed" in text
    assert "quantiles of position_error" in text
    assert picture.read_bytes()[:4] == b"\x89PNG"
    stored = json.loads((tmp_path / "out" / "result.json").read_text())
    assert cli.main(["study", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == stored
    assert cli.main(["study", str(path), "--units", "um"]) == 0
    median = 1e6 * next(iter(stored["reductions"]["quantiles of position_error"]["quantiles"].values()))
    assert f"{median:.6g} um\n" in capsys.readouterr().out
    assert cli.main(["study", str(path), "--resume"]) == 2
