"""docs/papers: every numbered equation is there, every function and test named there exists; see also test_rows_run."""

import re

import pytest

from tests.support.rows import ROOT, cells, found

PAGES = {"stewart": 84, "hexapod": 24, "spatial3": 18, "sru": 0}
"""How many equations each paper numbers; the lecture's are named."""
NUMBERED = [page for page, last in PAGES.items() if last]
LECTURE = """\
M = diag(M_i), W = diag(W_i)
dT/dtheta_d = T^T M t
d/dt(dT/dtheta_d)
I = T^T M T, C = T^T (M Td + W M T)
iota = j - l + 1
(*), (**) balance of the platform
J_J theta_d = t_M
I_J, C_J of a leg
tau_J = f_J e_Jk
theta_d = L_J qd
w_J^C = J_J^-T (...)
t_M = T qd
tdot_M = T qdd + Td qd
(***) and the line after
theta_dd = L_J qdd + Ld_J qd
M(q) qdd + N qd = tau_W + ...
M(q)
N(q, qd)
tau_W = T^T w
I, C, L of all legs
Lambda
phi = Lambda^-1 [...]
rdot = M^-1 [...]
J_J of the example
A_J J_J
u_J
zeta_J, y_J, Z qd = Y t, T = Y^-1 Z
L_J = J_J^-1 T""".splitlines()
"""What the lecture defines, in its order."""


ROWS = [(page, *row[:3]) for page in PAGES for row in cells(page)]


@pytest.mark.parametrize(("page", "equation", "function", "test"), ROWS, ids=lambda value: str(value)[:40])
def test_named_functions_and_tests_exist(page, equation, function, test):
    assert equation
    assert found(function.strip("`")) is not None
    path, _, name = test.strip("`").partition("::")
    text = (ROOT / path).read_text()
    assert not name or re.search(rf"^def {name}\(", text, re.MULTILINE)


def numbers(equation):
    """Numbers of the equations that a row is about: {1, 3, 4, 5} of "(1), (3)-(5)"."""
    ranges = re.findall(r"\((\d+)\)(?:-\((\d+)\))?", equation)
    return {number for first, last in ranges for number in range(int(first), int(last or first) + 1)}


def missing(page, lines):
    """Numbers of the paper's equations that none of these rows lists, and listed ones that the paper does not have."""
    return {number for row in lines for number in numbers(row[0])} ^ set(range(1, PAGES[page] + 1))


@pytest.mark.parametrize("page", NUMBERED)
def test_every_numbered_equation_is_listed(page):
    assert not missing(page, cells(page))


@pytest.mark.parametrize("page", NUMBERED)
def test_an_equation_left_out_would_be_noticed(page):
    for number in range(1, PAGES[page] + 1):
        others = [row for row in cells(page) if number not in numbers(row[0])]
        assert number in missing(page, others)


@pytest.mark.parametrize("name", LECTURE)
def test_every_equation_of_the_lecture_is_listed(name):
    assert name in [row[0] for row in cells("sru")]


def test_every_row_has_a_function_and_a_test():
    for page in PAGES:
        for row in cells(page):
            assert len(row) == 4, row
            assert row[1].startswith("`gough."), row
            assert re.fullmatch(r"`tests/[\w/]+\.py::test_\w+`", row[2]), row
