"""Small studies for the lanes of bits, stores and kills."""

from __future__ import annotations

from pathlib import Path

import gough

TEXT = """
robot = "stewart"
machines = {machines}
seed = 5
measure = ["position_error", "condition"]
keep = "{keep}"
[[vary]]
number = ["leg.1.base.*", "leg.4.platform.*"]
normal = "0.5 mm"
[[vary]]
number = "leg.2.actuator.zero"
uniform = "0.3 mm"
[[reduce]]
kind = "moments"
[[reduce]]
kind = "extremes"
[[reduce]]
kind = "quantiles"
of = "position_error"
at = [0.1, 0.5, 0.99]
[[reduce]]
kind = "histogram"
of = "position_error"
low = 0
high = "2 mm"
[[reduce]]
kind = "yield"
of = ["position_error", "condition"]
at_most = {{ position_error = "0.8 mm" }}
[[reduce]]
kind = "top"
count = 5
[[reduce]]
kind = "pareto"
"""
LEAVES = 23


def study_file(folder: Path, machines: int = 22 * 4096 + 1001, keep: str = "rows") -> Path:
    """A file of a study of 23 leaves."""
    path = folder / "study.toml"
    path.write_text(TEXT.format(machines=machines, keep=keep))
    return path


def small(folder: Path, **options: object) -> gough.Study:
    """Its study."""
    return gough.Study.read(study_file(folder, **options))  # type: ignore[arg-type]
