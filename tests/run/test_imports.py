"""What an import drags in."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("script", "not_imported"),
    [
        ("import gough", ["numpy", "llvmlite", "concurrent", "gough.graph"]),
        ("from gough.run import Program", ["llvmlite", "concurrent", "mpmath", "scipy"]),
        (
            "from gough.run import Program\nfrom gough.graph import record\n"
            "Program(record(lambda x: x, x=2), 'blocks')(x=[1, 2])",
            ["llvmlite", "concurrent"],
        ),
    ],
)
def test_nothing_needless(script, not_imported):
    script += f"\nimport sys\nprint([name for name in {not_imported} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
