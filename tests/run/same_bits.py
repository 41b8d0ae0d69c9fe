"""Comparing results bit by bit, and the inputs to compare them on."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from tests.support.random_graphs import ordinary_values, special_values

EXECUTORS: list[dict[str, Any]] = [
    {"executor": "floats"},
    {"executor": "blocks"},
    {"executor": "llvm"},
]
"""Each executor as it comes."""

COMPILERS: list[dict[str, Any]] = [
    {"executor": "llvm", "width": width, "opt": opt} for width in (2, 4, 8) for opt in (0, 1, 2, 3)
]
"""LLVM at every width and level."""


def bits(values: Any) -> Any:
    """Bit patterns; all NaNs are one."""
    floats = np.ascontiguousarray(values, dtype=float)
    return np.where(np.isnan(floats), np.int64(-1), floats.view(np.int64))


def assert_same(found: Any, expected: Any, what: object = "") -> None:
    """Fails where any bit of an array, or of a dict of arrays, differs."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name in expected:
            assert_same(found[name], expected[name], (name, what))
        return
    assert np.shape(found) == np.shape(expected), what
    different = np.argwhere(bits(found) != bits(expected))
    assert different.size == 0, f"{what}: {len(different)} differ, first at {different[0]}"


def inputs(rng: Random, rows: int, special: float = 0.4, x: int = 4, p: int = 2) -> dict[str, Any]:
    """Inputs of a random graph, a share of them at the edges."""
    edges = special_values()

    def drawn(count: int) -> Any:
        plain = ordinary_values(rng, count)
        return np.array([rng.choice(edges) if rng.random() < special else v for v in plain])

    return {"x": drawn(rows * x).reshape(rows, x), "p": drawn(p)}
