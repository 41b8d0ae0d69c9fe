"""The page on studies runs as printed; the worked studies are read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gough
from gough import cli
from gough.cli.pages.study_page import study_page
from gough.display import display_units
from gough.studies.measures import MEASURES

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "studies.md").read_text()
    blocks = re.findall(r"^```(toml|sh|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert {kind for kind, _ in blocks} == {"toml", "sh", "python"}
    for kind, content in blocks:
        if kind == "toml":
            Path("first.toml").write_text(content)
        elif kind == "sh":
            for line in content.splitlines():
                assert cli.main(line.split()[1:]) == 0, line
        else:
            exec(compile(content, "studies.md", "exec"), {})


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "studies").glob("*.toml")), ids=lambda p: p.stem)
def test_worked_studies_have_values(path: Path) -> None:
    study = gough.Study.read(path)
    assert study.machines >= 100_000
    last = 8 if "tracking_error" in study.measures else study.drawing.row * 50
    values = study.block(0, last).values
    assert all((column == column).any() for column in values.values())


def test_every_measure_is_described_by_how_its_samples_are_gathered() -> None:
    text = (ROOT / "docs" / "studies.md").read_text().split("## Measures")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    told = {name: meaning for names, meaning in rows for name in re.findall(r"`(\w+)`", names)}
    assert set(told) == {*MEASURES, "tracking_error"}
    words = {"max": "largest", "min": "least", "sum": "root mean square|share of the poses"}
    for name, measure in MEASURES.items():
        assert re.search(words[measure.gather], told[name]), name


def test_a_variance_is_in_the_square_of_the_unit() -> None:
    study = gough.Study.of(
        robot="stewart", vary=[{"number": "legs.base.radius", "uniform": "50 mm"}], machines=20,
        measure=["stroke", "position error", "peak force"], reduce=[{"kind": "moments"}],
        poses={"grid": {"x": [0.1, 0.1, 1], "z": [1.9, 2.1, 3]}},
    )  # fmt: skip
    assert study.measures == ("stroke", "position_error", "peak_force")
    assert study.poses.count == 3
    result = study.run()
    text = study_page(result, display_units("mm,deg"))
    variance, deviation = (
        re.search(rf"moments of stroke\n(?:.*\n)*?  {key} +(\S+) (\S+)\n", text) for key in ("variance", "deviation")
    )
    assert variance is not None
    assert deviation is not None
    assert (variance[2], deviation[2]) == ("mm^2", "mm")
    assert float(variance[1]) == pytest.approx(float(deviation[1]) ** 2, rel=1e-4)
