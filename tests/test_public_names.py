"""`import gough`: cheap, typed, and honest about the names it offers."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import gough

ROOT = Path(__file__).parents[1]


def test_version_is_the_packages():
    assert metadata.version("gough") == gough.__version__


def test_importing_gough_imports_nothing_heavy():
    heavy = ["numpy", "scipy", "matplotlib", "llvmlite"]
    script = f"import sys, gough; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_unknown_name_tells_the_nearest():
    with pytest.raises(AttributeError) as caught:
        _ = gough.Grahp
    assert str(caught.value) == "module 'gough' has no attribute 'Grahp' (did you mean Graph?)"
    with pytest.raises(AttributeError, match=r"'qqqq' \(dir\(gough\) lists the public names\)"):
        _ = gough.qqqq


def test_dir_holds_the_public_names():
    assert {"Graph", "Program", "__version__"} <= set(dir(gough))
    assert set(dir(gough)) == {*gough.__all__, "__version__"}


def test_every_public_name_is_there():
    for name in gough.__all__:
        assert getattr(gough, name) is not None
    assert callable(gough.simulate)
    assert isinstance(gough.simulate, type(gough.load))


def test_python_m_gough_is_the_command():
    done = subprocess.run([sys.executable, "-m", "gough", "robots"], capture_output=True, text=True, check=True)
    assert "stewart" in done.stdout


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What `mypy --strict` says of a script with every public name and of the examples, with gough as installed."""
    script = tmp_path_factory.mktemp("script") / "user.py"
    script.write_text("import gough\n" + "".join(f"reveal_type(gough.{name})\n" for name in gough.__all__))
    files = [script, *sorted((ROOT / "examples").glob("*.py"))]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "--no-incremental", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.stdout.splitlines()


def test_type_checkers_see_real_signatures(checked):
    revealed = [line.split('Revealed type is "')[1] for line in checked if "Revealed type is" in line]
    assert len(revealed) == len(gough.__all__), checked
    assert not [text for text in revealed if text.startswith(("Any", "builtins.object"))]
    assert "def (robot: gough.robot.robot.Robot" in next(t for t in revealed if "CheckResult" in t and "motion" in t)


def test_examples_pass_mypy_strict(checked):
    assert checked[-1].startswith("Success"), checked
    assert not [line for line in checked if line.startswith("examples/")]
