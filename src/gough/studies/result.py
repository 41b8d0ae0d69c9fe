"""The result of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.studies.study import Study
from gough.table import Block, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class StudyResult(Result):
    """Results of all reductions.

    Attributes:
        study: The study.
        reductions: Results by the name of the reduction: "moments of peak_force", "quantiles of position_error".
        failures: How many machines failed, and for each reason how many, the first of them and its sample.
        rows: (N,) of every column where rows were kept in memory, else None; `read_rows` has them from a store too.
        store: Folder, or None.
        resumed: Rows that the store had already.
        seconds: Seconds of the run.
    """

    study: Study
    reductions: dict[str, Any]
    failures: dict[str, Any]
    rows: dict[str, Any] | None
    store: str | None
    resumed: int
    seconds: float

    FACTS, DRAWN = ("summary",), ("value",)

    @property
    def failed(self) -> int:
        """Machines that lack the value of a measure: legs that do not reach, no forces, a function that raised."""
        return int(self.failures["failed"])

    @property
    def why_failed(self) -> tuple[str, ...]:
        """For each reason how many machines failed, and where the first did."""
        return tuple(self._reason(entry) for entry in self.failures["reasons"])

    def _reason(self, entry: dict[str, Any]) -> str:
        study, sample = self.study, entry["sample"]
        where = [f"machine {entry['first']}"] if study.vary else []
        if sample is not None:
            x = study.samples()[0][sample] if study.vary else study.poses.rows(entry["first"], entry["first"] + 1)[0]
            number = sample if study.vary else entry["first"]
            named = ", ".join(f"{c} = {v:.5g}" for c, v in zip(study.robot.coordinate_names, x.tolist(), strict=True))
            where.append(f"{'pose' if study.motion is None else 'instant'} {number}: {named}")
        first = f" (first: {', '.join(where)})" if where else ""
        return f"{entry['machines']} {entry['reason']}{first}"

    @property
    def summary(self) -> str:
        """One line."""
        what = "machines" if self.study.vary else "poses"
        reasons = f": {'; '.join(self.why_failed)}" if self.failed else ""
        return f"{self.study.robot.name}: {self.study.machines} {what}, {self.failed} failed{reasons}"

    def _blocks(self) -> list[Block]:
        """One row for each number of each reduction that is a single one."""
        found = [(name, key, value) for name, own in self.reductions.items() for key, value in _scalars(own)]
        return [
            Block("reduction", np.array([name for name, _, _ in found])),
            Block("number", np.array([key for _, key, _ in found])),
            Block("value", np.array([np.nan if value is None else float(value) for _, _, value in found])),
        ]

    def to_dict(self) -> dict[str, Any]:
        """All results in plain values."""
        return {
            "robot": self.study.robot.name,
            "machines": self.study.machines,
            "failed": self.failed,
            "failures": self.failures["reasons"],
            "seed": self.study.drawing.seed,
            "study": self.study.digest,
            "units": self.study.units(),
            "reductions": dict(self.reductions),
        }

    def read_rows(self) -> dict[str, Any]:
        """(N,) of every column of kept rows, in the order of machines.

        Raises:
            InputError: Rows were not kept.
        """
        from gough.errors import InputError

        if self.rows is not None:
            return self.rows
        if self.store is None or not self.study.keep_rows:
            raise InputError('rows: were not kept; state keep = "rows"')
        from gough.studies.chunk_files import ENDINGS, read_file

        folder = Path(self.store)
        counted = {path.name for path in (folder / "chunks").iterdir() if path.suffix in ENDINGS}
        parts = [read_file(folder / "rows" / name) for name in sorted(counted)]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        order = np.argsort(columns["machine"], kind="stable")
        return {name: column[order] for name, column in columns.items()}

    def best(self, count: int) -> list[int]:
        """Numbers of up to `count` machines: spread over the first Pareto front, or the first of the first top list.

        Raises:
            InputError: The study has neither.
        """
        from gough.errors import InputError
        from gough.studies.reductions import Pareto, Top

        for reduction in self.study.reductions:
            if isinstance(reduction, (Pareto, Top)):
                numbers = self.reductions[reduction.name]["machines"]
                if isinstance(reduction, Top) or len(numbers) <= count:
                    return [int(number) for number in numbers[:count]]
                places = np.linspace(0, len(numbers) - 1, count).round().astype(int)
                return [int(numbers[place]) for place in places]
        raise InputError('best: the study has no front and no top list; state a [[reduce]] of kind "pareto" or "top"')

    def figure(self) -> Figure:
        """Histograms, fronts and indices of the study, whichever there are."""
        from gough.studies.study_plots import draw

        return draw(self)


def _scalars(own: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Single numbers of a result, lists of named things by their names."""
    found: list[tuple[str, Any]] = []
    names = own.get("numbers")
    for key, value in own.items():
        if isinstance(value, dict) and key != "front":
            found += _scalars(value, f"{prefix}{key} ")
        elif names is not None and isinstance(value, list) and key != "numbers":
            for name, entry in zip(names, value, strict=True):
                ends = entry if isinstance(entry, list) else [entry]
                marks = [""] if len(ends) == 1 else [" low", " high"]
                found += [(f"{key} {name}{mark}", end) for mark, end in zip(marks, ends, strict=True)]
        elif key == "interval" and isinstance(value, list):
            found += [(f"{prefix}interval low", value[0]), (f"{prefix}interval high", value[1])]
        elif value is None or isinstance(value, (int, float)):
            found.append((f"{prefix}{key}", value))
    return found
