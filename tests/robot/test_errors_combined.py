"""Errors lane: faults of different places of one file are all told in one run, each as if it were alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gough import RobotError, loads
from tests.robot.test_errors_table import BASES, CASES

PAIRS, TRIPLES = 400, 200

TIED = {
    *("unit-length", "unit-angle", "unit-number", "gravity-mm-units", "half-angle-degrees", "home-degrees"),  # sizes
    *("inertia-g-mm2", "inertia-kg-mm2", "inertia-about-joint", "stroke-mm", "spin-inertia", "spin-com"),
    *("leg-type-missing", "leg-without-type", "joint-type", "joints-empty", "joint-name-base", "end-joint"),  # kinds
    *("hinge-skew", "platform-hinge-skew", "spread-negative", "leg-not-list", "legs-singular", "unknown-key-top"),
    *("ring-angles-count", "ring-angles-differ", "ring-odd", "actuators-missing", "actuators-redundant"),  # counts
    *("actuators-none", "coulomb-passive", "coordinate-motion", "coordinate-name", "coordinates-twice"),
    *(f"actuation-{what}" for what in ("nothing-to-share", "criterion", "key", "reference-few", "reference-words")),
    *(f"actuation-weights-{what}" for what in ("few", "zero", "word", "without-limits")),
    *(f"cable-{what}" for what in ("too-few", "centre-with-reference", "reference-of-few", "reference-beyond")),
    *(f"cable-{what}" for what in ("without-tension", "tension-order", "tension-negative", "tension-one-number")),
    *(f"screw-{what}" for what in ("without-lead", "without-axis", "lead-zero", "lead-text", "lead-in-mm")),  # a joint
    *("screw-coordinate", "screw-stroke", "screw-that-mimics", "lead-of-a-passive-cylinder"),
    *("driven-cylinder-without-lead", "driven-cylinder-lead-zero"),
    *("joints-with-type",),  # the names of a leg's bodies
    *("reach-sru", "reach-crank", "reach-crank-long", "reach-slider"),  # the leg's and the platform's other numbers
}
"""Cases whose lines hang on, or change, what another case of the same file is about: their combinations are written
out in `tests/cli/test_several_faults`, as far as they can be."""


def combined(cases):
    """The base file with the edits of all cases, or None where they meet."""
    base = BASES[cases[0]["base"]]
    edits = [(base.find(old), old, new) for case in cases for old, new in case["edits"]]
    if any(at < 0 for at, _, _ in edits):
        return None
    edits.sort()
    text, done = "", 0
    for at, old, new in edits:
        if at < done:
            return None
        text, done = text + base[done:at] + new, at + len(old)
    return text + base[done:]


def combinations(size, count):
    """So many sets of `size` cases that one file can have together, the same at every run."""
    free = [case for case in CASES if case["id"] not in TIED]
    groups = [[case for case in free if case["base"] == base] for base in BASES]
    rng, found = random.Random(size), {}
    while len(found) < count:
        group = rng.choice([group for group in groups if len(group) > size])
        chosen = sorted(rng.sample(range(len(group)), size))
        cases = [group[k] for k in chosen]
        if combined(cases):
            found[tuple(case["id"] for case in cases)] = cases
    return list(found.values())


def told(text):
    """(line numbers, lines without them) of a text's faults."""
    with pytest.raises(RobotError) as caught:
        loads(text, "robot.toml")
    lines = str(caught.value).split("\n")
    return [int(line.split(":")[1]) for line in lines], Counter(line.split(": ", 1)[1] for line in lines)


@pytest.mark.parametrize(("size", "count"), [(2, PAIRS), (3, TRIPLES)])
def test_combined_faults_are_told_together_and_nothing_else(size, count):
    for chosen in combinations(size, count):
        numbers, lines = told(combined(chosen))
        alone = Counter(line.split(": ", 1)[1] for case in chosen for line in case["lines"])
        assert lines == alone, [case["id"] for case in chosen]
        assert numbers == sorted(numbers)


def test_all_faults_that_fit_into_one_file():
    """As many as the base file has room for, of every kind: more than ten at once."""
    rng = random.Random(5)
    free = [case for case in CASES if case["id"] not in TIED and case["base"] == "ups"]
    for _ in range(20):
        rng.shuffle(free)
        chosen = []
        for case in free:
            if combined([*chosen, case]):
                chosen.append(case)
        assert len(chosen) > 10
        _, lines = told(combined(chosen))
        assert set(lines) == {line.split(": ", 1)[1] for case in chosen for line in case["lines"]}
