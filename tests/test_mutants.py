"""Faults put into gough on purpose (tools/mutants.toml): each can still be made, and a test notices it.

A sampled run makes three that take little time; `GOUGH_TESTS=full` makes all that a test has noticed before.
"""

from __future__ import annotations

import pytest

from tests.support.fresh import Fresh
from tests.support.lanes import FULL, sample
from tools import mutants

QUICK = 6.0
"""Processor time of a fault that a sampled run may draw [s]."""
KILLED = [mutant for mutant in mutants.read() if "killed_by" in mutant and (FULL or mutant["seconds"] < QUICK)]
DRAWN = sample(KILLED, 3, lane="faults of packages")


def test_every_fault_can_be_made():
    assert mutants.errors_of(mutants.read()) == []


def test_a_fault_is_one_place_of_a_function():
    function = "gough.kinematics.spatial.point_acceleration"
    for before in ("no_such_name", "w"):
        with pytest.raises(ValueError, match="must be once"):
            mutants.stated(function, before, "0.0")


def test_tests_notice_most_faults():
    """Every fault has a record: 90 of 100 are noticed, and each of the others has a reason."""
    every = mutants.read()
    assert sum("killed_by" in mutant for mutant in every) >= 0.9 * len(every)
    assert all(
        "killed_by" in mutant or mutant.get("survives", mutants.NOT_READ) != mutants.NOT_READ for mutant in every
    )


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    process = Fresh(tmp_path_factory.mktemp("programs"))
    yield process
    process.close()


@pytest.mark.slow
@pytest.mark.parametrize("mutant", DRAWN, ids=[f"{m['package']}, {m['breaks']}".replace("::", ":") for m in DRAWN])
def test_a_fault_is_noticed(fresh, mutant):
    assert fresh.run(mutant["killed_by"])["code"] == 0
    assert fresh.run(mutant["killed_by"], change=mutant)["code"] not in (0, 5)
