"""What formulations share beyond the kinematics is what docs/explanation/formulations.md says, and no more."""

import ast
from pathlib import Path

import pytest

import gough.dynamics

FOLDER = Path(gough.dynamics.__file__).parent
OWN = {
    "newton_euler": {"leg_loads", "loads", "lumped_masses", "springs"},
    "virtual_work": {"link_recursion", "springs"},
    "generalized_momentum": {"generalized_forces"},
    "orthogonal_complement": {"springs"},
    "lagrange": {"generalized_forces"},
}
"""Modules of gough.dynamics with mechanics that each formulation imports."""
SHAPES = {"distribution", "matrices", "moving_base", "record_coordinates", "robot_motion"}
"""Modules without mechanics: the motion, also of the base, the shape of results, the recorder."""


def imported(name):
    """Modules of gough.dynamics that a module imports, and the names it takes from each."""
    found = {}
    for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gough.dynamics."):
            found[node.module.removeprefix("gough.dynamics.")] = {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("name", OWN)
def test_a_formulation_imports_what_is_listed(name):
    assert set(imported(name)) - SHAPES == OWN[name]
    assert imported(name)["distribution"] == {"Demand"}


def test_only_lagrange_and_the_momentum_share_mechanics():
    for first, second in [(a, b) for a in OWN for b in OWN if a < b]:
        both = OWN[first] & OWN[second]
        if {first, second} == {"generalized_momentum", "lagrange"}:
            assert both == {"generalized_forces"}
        elif not {first, second} & {"generalized_momentum", "lagrange"}:
            assert both == {"springs"}
        else:
            assert not both
    assert set(imported("leg_loads")) - SHAPES == {"loads", "lumped_masses"}
    assert not imported("lumped_masses")
    assert "loads" not in imported("link_recursion")
