"""Errors lane: faults of different places of one file are reported as if alone, all those of a stage at once."""

from __future__ import annotations

import random
import tomllib
from collections import Counter

import pytest

from gough import RobotError, loads
from gough.robot.checks.legs import leg_faults, ring_faults
from gough.robot.file.reader import Reader, file_units
from gough.robot.file.schema import RobotTable
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
"""Cases whose lines hang on, or change, what another case of the same file is about."""


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


def stage_of(case):
    """Number of the stage of checks at which a file with one fault is refused."""
    tables = tomllib.loads(combined([case]))
    reader = Reader(file_units(tables))
    spec = reader.table(RobotTable, tables)
    if reader.faults or reader.implausible:
        return 0 if reader.faults else 1
    return 2 if [*ring_faults(spec)] else 3 if leg_faults(spec) else 4


@pytest.mark.parametrize(("size", "count"), [(2, PAIRS), (3, TRIPLES)])
def test_all_faults_of_the_first_stage_are_reported_together_and_nothing_else(size, count):
    together = 0
    for chosen in combinations(size, count):
        numbers, lines = told(combined(chosen))
        stages = [stage_of(case) for case in chosen]
        first = [case for case, stage in zip(chosen, stages, strict=True) if stage == min(stages)]
        together += len(first) == size
        alone = Counter(line.split(": ", 1)[1] for case in first for line in case["lines"])
        assert lines == alone, [case["id"] for case in chosen]
        assert numbers == sorted(numbers)
    assert together > count // 10


def test_all_faults_that_fit_into_one_file():
    """As many faults of form as the base file has room for: more than ten at once."""
    rng = random.Random(5)
    free = [c for c in CASES if c["id"] not in TIED and c["base"] == "ups" and combined([c]) and stage_of(c) == 0]
    for _ in range(20):
        rng.shuffle(free)
        chosen = []
        for case in free:
            if combined([*chosen, case]):
                chosen.append(case)
        assert len(chosen) > 10
        _, lines = told(combined(chosen))
        assert set(lines) == {line.split(": ", 1)[1] for case in chosen for line in case["lines"]}
