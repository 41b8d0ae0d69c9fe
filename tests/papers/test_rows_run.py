"""docs/papers, by execution: the test of a row runs its function.

Each test runs in a process of its own in which gough has computed nothing yet, so that no cache hides a call.
"""

from collections import defaultdict

import pytest

from tests.support.fresh import Fresh
from tests.support.rows import rows

pytestmark = pytest.mark.slow

BY_TEST = defaultdict(set)
for row in rows():
    BY_TEST[row.test].add(row.function)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    process = Fresh(tmp_path_factory.mktemp("programs"))
    yield process
    process.close()


@pytest.mark.parametrize("test", BY_TEST)
def test_the_test_of_a_row_runs_its_function(fresh, test):
    answer = fresh.run(test, trace=sorted(BY_TEST[test]))
    assert answer["code"] == 0
    assert sorted(answer["called"]) == sorted(BY_TEST[test])


def test_a_function_that_is_not_called_would_be_noticed(fresh):
    answer = fresh.run("tests/robot/test_catalog.py::test_stewart", trace=["gough.dynamics.lopes.J_B"])
    assert (answer["code"], answer["called"]) == (0, [])
