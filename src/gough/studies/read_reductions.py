"""From `[[reduce]]` tables to reductions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gough.problem import Problem
from gough.problem.schema import Wrong
from gough.robot.checks.fault import Fault
from gough.robot.file.units import parse
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, QuantityError, quantity
from gough.studies.reductions import (
    Extremes,
    Failures,
    Histogram,
    Moments,
    Pareto,
    Quantiles,
    Reduction,
    Replicates,
    SobolIndices,
    Top,
    Yield,
)
from gough.studies.schema import ReduceTable
from gough.studies.study import Study

MOST_BINS = 100_000


def reductions_of(
    study: Study, tables: Sequence[ReduceTable], problem: Problem
) -> tuple[tuple[Reduction, ...], list[Fault]]:
    """The reductions that tables state, after the count of machines that failed; and all faults."""
    everything = study.measures
    found: list[Reduction] = [Failures(everything, (*study.reasons, "no value"))]
    faults: list[Fault] = []
    if not tables:
        found += [kind(of) for of in everything for kind in (Moments, Extremes)]
    for k, table in enumerate(tables):
        try:
            found += _of(study, table, problem)
        except Wrong as wrong:
            faults.append(wrong.fault(table, ("reduce", k)))
    unique = {reduction.name: reduction for reduction in found}
    return tuple(unique.values()), faults


def _of(study: Study, table: ReduceTable, problem: Problem) -> Iterator[Reduction]:
    given = list(study.measures) if table.of is None else table.of if isinstance(table.of, list) else [table.of]
    for name in given:
        if name not in study.measures:
            raise Wrong("of", "no such measure of this study", did_you_mean(str(name), study.measures))
    if not 0.0 < table.confidence < 1.0:
        raise Wrong("confidence", "must be between 0 and 1, e.g. 0.95")
    if table.kind == "pareto":
        yield _pareto(table, given)
        return
    if table.kind == "yield":
        yield _yield(study, table, problem, given)
        return
    for name in given:
        yield _one(study, table, problem, name)


def _one(study: Study, table: ReduceTable, problem: Problem, name: str) -> Reduction:
    match table.kind:
        case "extremes":
            return Extremes(name)
        case "moments":
            return Moments(name)
        case "quantiles":
            if not table.at or not all(0.0 <= share <= 1.0 for share in table.at):
                raise Wrong("at", "must be shares from 0 to 1, e.g. [0.05, 0.5, 0.95]")
            return Quantiles(name, tuple(table.at), table.exact)
        case "histogram":
            low, high = (_number(study, problem, name, key, getattr(table, key)) for key in ("low", "high"))
            if not low < high or not 1 <= table.bins <= MOST_BINS:
                raise Wrong("low" if not low < high else "bins", "must be low < high, and 1 to 100 000 bins")
            return Histogram(name, low, high, table.bins)
        case "top":
            if not 1 <= table.count <= 100_000:
                raise Wrong("count", "must be a whole number from 1 to 100 000")
            return Top(name, table.count, table.largest is True)
        case "replicates":
            if study.vary or study.poses.replicates < 2:
                raise Wrong("kind", "needs poses in a box with replicates = 2 or more, and no [[vary]]")
            each = study.poses.count // study.poses.replicates
            return Replicates(name, each, study.poses.replicates, table.confidence)
        case _:
            return _indices(study, name, table.confidence)


def _indices(study: Study, name: str, confidence: float) -> Reduction:
    if not study.vary:
        raise Wrong("kind", "needs [[vary]]: the spread is shared out among what varies")
    first = study.block(0, min(study.drawing.row, study.machines), "count").values[name]
    good = first[np.isfinite(first)]
    origin = float(good[0]) if len(good) else 0.0
    return SobolIndices(name, tuple(one.name for one in study.vary), origin, study.drawing.seed, confidence)


def _pareto(table: ReduceTable, given: list[str]) -> Reduction:
    if len(given) < 2:
        raise Wrong("of", "must name two or more measures")
    large = table.largest if isinstance(table.largest, list) else given if table.largest is True else []
    for name in large:
        if name not in given:
            raise Wrong("largest", f"{name} is not among the objectives")
    return Pareto(tuple(given), tuple(name in large for name in given))


def _yield(study: Study, table: ReduceTable, problem: Problem, given: list[str]) -> Reduction:
    """Limits are one for all, or by measure."""

    def limits(key: str, none: float) -> tuple[float, ...]:
        stated = getattr(table, key)
        if isinstance(stated, dict):
            for name in stated:
                if name not in given:
                    raise Wrong(key, f"{name} is no measure of this entry")
            return tuple(_number(study, problem, name, key, stated[name]) if name in stated else none for name in given)
        return tuple(none if stated is None else _number(study, problem, name, key, stated) for name in given)

    if table.at_most is None and table.at_least is None:
        raise Wrong("kind", "needs at_most or at_least")
    return replace(
        Yield(tuple(given), limits("at_least", -math.inf), limits("at_most", math.inf)), confidence=table.confidence
    )


def _number(study: Study, problem: Problem, measure: str, key: str, value: Any) -> float:
    """SI value of a number of a measure."""
    unit = study.units().get(measure, "")
    known = parse(unit) if unit else None
    what = Measure(known[0], 1.0, (unit,)) if known is not None else Measure()
    try:
        return quantity(value, what.in_units(problem.units))
    except QuantityError as error:
        raise Wrong(key, str(error)) from None
