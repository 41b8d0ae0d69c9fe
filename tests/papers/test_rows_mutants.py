"""docs/papers, by execution: the test of a row fails when its function is wrong.

The mutants are seeded: five a row in a full run (all where a function has fewer), thirty in all in a sampled one. A
mutant that survives is listed in `survivors.toml` with the reason why no test need notice it.
"""

import tomllib
from pathlib import Path

import pytest

from tests.support.fresh import Fresh
from tests.support.lanes import SEED, sample
from tests.support.mutants import LOAD, changes, drawn, run_by, told
from tests.support.rows import rows

pytestmark = pytest.mark.slow

A_ROW = 5
IN_ALL = 30
DATA = 4
"""Rows on the numbers of a robot's file that a sampled run looks at."""
ROWS = rows()
SURVIVORS = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text())["survivor"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    process = Fresh(tmp_path_factory.mktemp("programs"))
    yield process
    process.close()


COMPUTED = {str(row): row for row in ROWS if row.function != LOAD}
MUTANTS = sample([(row, k) for row in COMPUTED.values() for k in range(A_ROW)], IN_ALL, lane="mutants")
RUN = {}
"""Lines that the test of a row runs, by function and test."""
CODES = {}
"""How a test ended with a mutant, by test and mutant: a function with fewer than five has some of them twice."""
DATA_ROWS = sample([row for row in ROWS if row.function == LOAD], DATA, lane="data rows")


def mutants_of(fresh, row):
    """Some mutants of a row's function, on lines that its test runs."""
    everything = changes(row.function, row.page)
    if (row.function, row.test) not in RUN:
        names = sorted({change["function"] for change in everything})
        RUN[row.function, row.test] = fresh.run(row.test, lines=names)["lines"]
    lines = RUN[row.function, row.test]
    return drawn([change for change in everything if run_by(change, lines)], A_ROW, f"{SEED} {row}")


def excused(row, words):
    """Whether a mutant in words may survive the test of this row: of its function, beginning as a survivor does."""
    return any(str(row) in survivor["rows"] and begins(words, survivor["change"]) for survivor in SURVIVORS)


def begins(words, change):
    """Whether a mutant is that of a survivor: `module.function: code`, whatever package the module is in."""
    function, _, code = words.partition(": ")
    named, _, begun = change.partition(": ")
    return f".{function}".endswith(f".{named}") and code.startswith(begun)


@pytest.mark.parametrize(("row", "k"), MUTANTS, ids=[f"{row}-{k}" for row, k in MUTANTS])
def test_the_test_of_a_row_notices_a_wrong_function(fresh, row, k):
    found = mutants_of(fresh, row)
    assert found
    change = found[k % len(found)]
    words = told(change)
    if (row.test, str(change)) not in CODES:
        CODES[row.test, str(change)] = fresh.run(row.test, change=change)["code"]
    code = CODES[row.test, str(change)]
    assert code not in (4, 5), "no test was run"
    survives = code == 0
    assert excused(row, words) or not survives, f"{words}: {row.test} passes all the same"


@pytest.mark.parametrize("row", DATA_ROWS, ids=str)
def test_the_test_of_a_row_on_data_notices_some_wrong_number(fresh, row):
    """A row on data is about some of the robot's numbers, of which one that is 3 % off must be noticed."""
    tried = drawn(changes(LOAD, row.page), 1000, f"{SEED} {row}")
    assert any(fresh.run(row.test, change=change)["code"] != 0 for change in tried)


def test_survivors_are_mutants_and_have_reasons():
    by_name = {str(row): row for row in ROWS}
    for survivor in SURVIVORS:
        assert len(survivor["reason"]) > 20
        assert survivor["rows"]
        for name in survivor["rows"]:
            own = [told(change) for change in changes(by_name[name].function, "")]
            assert any(begins(words, survivor["change"]) for words in own), (name, survivor["change"])


def test_an_excuse_is_for_its_row_alone():
    rows_by_name = {str(row): row for row in ROWS}
    words = "gough.kinematics.chain.chain_twists: links[k].p - link.p  ->  link.p - links[k].p"
    assert excused(rows_by_name["hexapod (12)"], words)
    assert not excused(rows_by_name["spatial3 (8), (9)"], words)
    assert not excused(rows_by_name["hexapod (12)"], words.replace("chain_twists", "other_chain_twists"))
    assert not excused(
        rows_by_name["hexapod (12)"], words.replace("links[k].p - link.p  ->", "2 * links[k].p - link.p  ->")
    )
