"""Differential evolution, for designs without useful gradients: numbers of a list, and objectives without derivatives.

Differential evolution over all free numbers; of those of a list, their place in it. A design that misses a limit is
worse than any that keeps all. Where the objective has gradients, what was found is then improved by them, with the
numbers of lists held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gough.graph import Array
from gough.optimisation.measured import Measured
from gough.optimisation.minimax import FITS, Optimum, minimise, optimum_at
from gough.optimisation.read import Wanted
from gough.optimisation.rows import BY_SHORT, Judged, sign_of

MISSED = 1e9
"""Added to a design that misses a limit."""
CROWD = 6
"""Designs of a generation, per free number."""


def from_anywhere(
    wanted: Wanted, judged: Judged, measured_of: Callable[[Wanted], Measured], told: Callable[[int], None]
) -> list[Optimum]:
    """The best design and those of the last generation, the best first."""
    from scipy.optimize import differential_evolution

    vary = wanted.variables.all
    levels = [np.array(v.levels) if getattr(v, "kind", "") == "levels" else None for v in vary]
    ends = [(v.low, v.high) if own is None else (0, len(own) - 1) for v, own in zip(vary, levels, strict=True)]
    seen: list[tuple[float, Array]] = []
    numeric = wanted.numeric.get(judged.objective)

    def plain(z: Array) -> Array:
        return np.array([v if own is None else own[round(v)] for v, own in zip(z, levels, strict=True)])

    def merit(z: Array) -> float:
        p = plain(z)
        missed = _missed(judged, wanted, p)
        value = missed + MISSED
        if missed <= FITS:
            value = sign_of(judged.objective) * _value(judged, wanted, p, numeric)
        seen.append((value, p))
        told(len(seen))
        return value

    generations = max(wanted.budget // (CROWD * len(vary)) - 1, 1)
    try:
        differential_evolution(
            merit,
            ends,
            seed=wanted.seed,
            popsize=CROWD,
            maxiter=generations,
            integrality=[own is not None for own in levels],
            init="sobol",
            polish=False,
            tol=1e-6,
        )
    except KeyboardInterrupt:
        if not seen:
            raise
    best = min(seen, key=lambda entry: entry[0])[1]
    found = optimum_at(judged, wanted.states, best, steps=len(seen), value=_value(judged, wanted, best, numeric))
    return [found if numeric is not None else _improved(wanted, found, levels, measured_of)]


def _improved(
    wanted: Wanted, found: Optimum, levels: list[Array | None], measured_of: Callable[[Wanted], Measured]
) -> Optimum:
    """The best design near one, its numbers of lists held."""
    from gough.optimisation.optimise import judged_of

    held = {
        v.name: float(value)
        for v, value, own in zip(wanted.variables.all, found.p, levels, strict=True)
        if own is not None
    }
    if len(held) == len(wanted.variables):
        return found
    variables = replace(wanted.variables, vary=tuple(v for v in wanted.variables.vary if v.name not in held))
    changes: dict[str, Any] = {}
    for v in wanted.variables.vary:
        if v.name in held:
            changes |= v.changes(held[v.name])
    part = replace(wanted, robot=wanted.robot.replace(changes) if changes else wanted.robot, variables=variables)
    judged = judged_of(part, measured_of(part), wanted.objectives[0])
    free = np.array([own is None for own in levels])
    better = minimise(judged, part.states, found.p[free])
    if not better.feasible or sign_of(judged.objective) * better.value >= sign_of(judged.objective) * found.value:
        return found
    p = found.p.copy()
    p[free] = better.p
    return replace(better, p=p)


def _missed(judged: Judged, wanted: Wanted, p: Array) -> float:
    """Largest miss of a limit."""
    y = np.append(p, [0.0, 1.0])
    if BY_SHORT & set(judged.limits):
        y[-1] = float(judged.measured.at(wanted.states, p)["stroke"][0].min())
    parts = [judged.rows(wanted.states, np.arange(len(wanted.states)), y), judged.alone(y)]
    own = [v for rows in parts for v, name in zip(rows.values, rows.names, strict=True) if name != judged.objective]
    return max(float(np.max(own)) if own else 0.0, 0.0)


def _value(judged: Judged, wanted: Wanted, p: Array, numeric: Callable[[Any], float] | None) -> float:
    if numeric is None:
        return judged.value(wanted.states, p)
    return float(numeric(wanted.robot.replace(wanted.variables.changes([float(v) for v in p]))))
