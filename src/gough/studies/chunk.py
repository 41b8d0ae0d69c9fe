"""A stretch of leaves computed: what a worker does and what it gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.studies.reductions.contract import Block, packed
from gough.studies.study import Study
from gough.studies.tree import Merger


@dataclass(frozen=True)
class Chunk:
    """Leaves first to last - 1.

    Attributes:
        nodes: For each reduction its nodes of the tree: level, index and packed state.
        columns: Every row, where rows are kept.
        test_block: Digest of the process that computed it, for workers.
    """

    first: int
    last: int
    nodes: dict[str, list[tuple[int, int, bytes]]]
    columns: dict[str, Any] = field(default_factory=dict)
    test_block: str = ""


def compute(
    study: Study,
    first: int,
    last: int,
    on_error: str = "stop",
    measured: Callable[[int, int, str], Block] | None = None,
) -> Chunk:
    """The chunk of leaves first to last - 1; `measured` in place of `Study.block`."""
    mergers: dict[str, Merger[Any]] = {r.name: Merger(r.merge, study.leaves) for r in study.reductions}
    columns: dict[str, list[Any]] = {}
    for leaf in range(first, last):
        begin, end = study.span(leaf, leaf + 1)
        block = (measured or study.block)(begin, end, on_error)
        for reduction in study.reductions:
            mergers[reduction.name].add((0, leaf), reduction.leaf(block))
        if study.keep_rows:
            for name, column in row_columns(study, begin, end, block.values).items():
                columns.setdefault(name, []).append(column)
    nodes = {
        name: [(level, index, packed(state)) for (level, index), state in sorted(merger.nodes.items())]
        for name, merger in mergers.items()
    }
    return Chunk(first, last, nodes, {name: np.concatenate(parts) for name, parts in columns.items()})


def row_columns(study: Study, first: int, last: int, values: dict[str, Any]) -> dict[str, Any]:
    """Number, what varies (or the pose) and measures of every machine."""
    if study.vary:
        names, given = [one.name for one in study.vary], study.drawing.values(first, last)
    else:
        names, given = list(study.robot.coordinate_names), study.poses.rows(first, last)
    return {"machine": np.arange(first, last)} | {n: given[:, k] for k, n in enumerate(names)} | values
