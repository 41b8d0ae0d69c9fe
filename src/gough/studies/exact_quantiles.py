"""Quantiles to the last bit: two further passes over the machines, each over fewer of the bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gough.studies.reductions import Quantiles
from gough.studies.reductions.contract import State
from gough.studies.reductions.frequencies import rank_of, value_of_bits
from gough.studies.study import Study

SHIFTS = (16, 0)
"""Bits left out in the further passes, after the 40 of the first."""


def with_exact_quantiles(
    study: Study,
    states: dict[str, Any],
    results: dict[str, Any],
    again: Callable[[Study, str], dict[str, Any]],
) -> dict[str, Any]:
    """The results with exact quantiles where they were asked for; `again` runs a study in a folder of this name."""
    wanted = [r for r in study.reductions if isinstance(r, Quantiles) and r.exact]
    wanted = [r for r in wanted if states[r.name]["counts"].sum()]
    if not wanted:
        return results
    ranks = {r.name: [rank_of(share, int(states[r.name]["counts"].sum())) for share in r.at] for r in wanted}
    keys: dict[str, list[int]] = {}
    for r in wanted:
        keys[r.name], ranks[r.name] = _descend(states[r.name], ranks[r.name], [None] * len(r.at), 0)
    above = wanted[0].shift
    for number, shift in enumerate(SHIFTS, 1):
        finer = [replace(r, shift=shift, above=above, prefixes=tuple(sorted(set(keys[r.name])))) for r in wanted]
        found = again(replace(study, reductions=tuple(finer), keep_rows=False), f"exact-{number}")
        for r, refined in zip(wanted, finer, strict=True):
            old: list[int | None] = list(keys[r.name])
            keys[r.name], ranks[r.name] = _descend(found[refined.name], ranks[r.name], old, above - shift)
        above = shift
    changed = dict(results)
    for r in wanted:
        values = value_of_bits(np.array(keys[r.name], dtype=np.uint64)).tolist()
        changed[r.name] = {
            "quantiles": {str(share): value for share, value in zip(r.at, values, strict=True)},
            "relative_error": 0.0,
        }
    return changed


def _descend(state: State, ranks: list[int], prefixes: list[int | None], bits: int) -> tuple[list[int], list[int]]:
    """The key in which each rank lies among those with its prefix, and its rank within that key."""
    found, left = [], []
    for rank, prefix in zip(ranks, prefixes, strict=True):
        own = np.ones(len(state["keys"]), dtype=bool)
        if prefix is not None:
            own = (state["keys"] >> np.uint64(bits)) == np.uint64(prefix)
        keys, sums = state["keys"][own], np.cumsum(state["counts"][own])
        place = int(np.searchsorted(sums, rank))
        found.append(int(keys[place]))
        left.append(rank - (int(sums[place - 1]) if place else 0))
    return found, left
