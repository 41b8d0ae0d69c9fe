"""A file without its table of units: one unit for all inertias, and few lines."""

from __future__ import annotations

import pytest

import gough
from tests.support.robots import build
from tests.support.schoenflies import typed_document


def _scaled(value, length, key=""):
    """A document in another unit of length and in kg mm^2, without a word on it."""
    if isinstance(value, dict):
        return {k: _scaled(entry, length, k) for k, entry in value.items()}
    if isinstance(value, list) and key not in ("axes", "direction"):
        return [_scaled(entry, length, key) for entry in value]
    factor = {"inertia": 1e6, "mass": 1.0, "force": 1.0, "speed": 1.0}.get(key, length)
    kept = ("axes", "direction", "branch")
    return value * factor if isinstance(value, (int, float)) and key not in kept else value


def test_one_unit_of_inertia_and_one_line_for_all_lengths():
    with pytest.raises(gough.GoughError) as refused:
        build(_scaled(typed_document(-1), 1e3))
    lengths = [line for line in str(refused.value).splitlines() if 'length = "mm"' in line]
    assert len(lengths) == 2
    assert " more: the same (mm for m?" in lengths[1]
    with pytest.raises(gough.GoughError) as refused:
        build(_scaled(typed_document(-1), 1.0))
    lines = str(refused.value).splitlines()
    inertias = [line for line in lines if "check [units] inertia" in line]
    assert len(inertias) == 2
    assert " more: the same (check [units] inertia" in inertias[1]
    assert len(refused.value.faults) > len(lines)


def test_poses_in_python_are_told_how_to_state_their_unit():
    with pytest.raises(gough.GoughError, match='millimetres\\? write "x=5000mm"'):
        gough.singularities(gough.load("delta"), "x=5000")
