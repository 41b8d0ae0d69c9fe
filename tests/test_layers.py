"""The order of the packages is the same wherever it is written down."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def packages() -> list[str]:
    """Packages from the lowest up, as the contract in pyproject.toml has them."""
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    return [name for name in reversed(contract["layers"]) if (ROOT / "src" / "gough" / name).is_dir()]


def test_the_contract_names_every_package() -> None:
    folders = {path.parent.name for path in (ROOT / "src" / "gough").glob("*/__init__.py")}
    assert set(packages()) == folders


def test_readme_and_contributing_agree_with_it() -> None:
    tree = re.findall(r"^\| `src/gough/(\w+)/`", (ROOT / "README.md").read_text(), re.MULTILINE)
    listed = re.search(r"^    (graph, .*)$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert listed is not None
    assert tree == listed[1].split(", ") == packages()
