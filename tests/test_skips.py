"""Skipped tests fail where CI=true, expected failures do not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = {
    "test_called": "import pytest\ndef test_called():\n    pytest.skip('no compiler')\n",
    "test_marked": "import pytest\n@pytest.mark.skipif(True, reason='no compiler')\ndef test_marked():\n    pass\n",
    "test_module": "import pytest\npytest.importorskip('no_such_package', reason='no compiler')\n",
    "test_expected": "import pytest\n@pytest.mark.xfail(reason='wrong')\ndef test_expected():\n    assert False\n",
    "test_passed": "def test_passed():\n    pass\n",
}


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("ci", ["", "true"])
def test_a_skip_is_an_error_in_ci(tmp_path, name, ci):
    (tmp_path / f"{name}.py").write_text(TESTS[name])
    options = ["-c", os.devnull, "-p", "tests.support.skips", "-p", "no:cacheprovider", "-rs", f"--rootdir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    skips = name in ("test_called", "test_marked", "test_module")
    collected = 5 if name == "test_module" else 0  # pytest's code for no tests
    failed = 2 if name == "test_module" else 1  # for an error of collection
    assert done.returncode == ((failed if ci else collected) if skips else 0), done.stdout
    assert ("no compiler" in done.stdout) == skips
