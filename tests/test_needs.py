"""Tests that are skipped where a package is missing are not skipped here: all that they need is installed with them."""

import sys
from importlib.util import find_spec

import pytest

NEEDED = ["casadi", "jax", "mujoco", "numba", "playwright", "pyarrow", "sympy", "viser", "yaml"] + ["pinocchio"] * (
    sys.platform != "win32"
)


@pytest.mark.parametrize("package", NEEDED)
def test_what_the_tests_need_is_installed(package: str) -> None:
    assert find_spec(package) is not None, f"{package} is missing: make setup installs it"
