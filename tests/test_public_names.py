"""`import gough`: cheap, and honest about the names it offers."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest

import gough


def test_version_is_the_packages():
    assert metadata.version("gough") == gough.__version__


def test_importing_gough_imports_nothing_heavy():
    heavy = ["numpy", "scipy", "matplotlib", "llvmlite", "pydantic"]
    script = f"import sys, gough; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_unknown_name_lists_the_known():
    with pytest.raises(AttributeError, match=r"public names: .*Graph"):
        _ = gough.grahp


def test_dir_holds_the_public_names():
    assert {"Graph", "Program", "__version__"} <= set(dir(gough))
