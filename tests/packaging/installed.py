"""gough installed from its wheel in a virtual environment of its own, and the README's commands run there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.cli.test_readme_agreement import BLOCKS, COMMANDS, ENVELOPE, LONG
from tests.design.test_demand import MOTOR

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DIRECT = PROJECT["dependencies"]
"""What the wheel asks for, each with its lowest version."""


def run(*command: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """A program in a folder without the repository's modules in reach."""
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)


def done(*command: object, folder: Path) -> str:
    """What a program prints, which must succeed."""
    result = run(*command, folder=folder)
    assert result.returncode == 0, f"{command}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}"
    return result.stdout


def built(folder: Path) -> tuple[Path, Path]:
    """The source archive, and the wheel made from it."""
    done(sys.executable, "-m", "build", "--outdir", folder, ROOT, folder=folder)
    (source,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return source, wheel


def environment(folder: Path, wheel: Path, lowest: bool = False, python: str = sys.executable) -> Path:
    """The folder of programs of a new environment that holds the wheel and what it needs, in new or lowest versions."""
    programs = folder / "environment" / "bin"
    done(python, "-m", "venv", programs.parent, folder=folder)
    needs = [str(wheel)]
    if lowest:
        needs += [line.replace(">=", "==") for line in DIRECT]
    done(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *needs, folder=folder)
    return programs


def run_readme(programs: Path, folder: Path) -> int:
    """Run the README's quick commands and its Python; how many there were."""
    robot = next(text for language, text in BLOCKS if language == "toml")
    for name, text in (("mine.toml", robot), ("servo.toml", MOTOR), ("envelope.toml", ENVELOPE)):
        (folder / name).write_text(text)
    quick = [line for line in COMMANDS if not any(word in line for word in LONG)]
    for line in quick:
        result = run(programs / "gough", *shlex.split(line, comments=True)[1:], folder=folder)
        stated = re.search(r"# exit (\d)", line)
        assert result.returncode == (int(stated[1]) if stated else 0), f"{line}\n{result.stderr}"
        assert result.stdout, line
    scripts = [text for language, text in BLOCKS if language == "python" and not OWN_EXTRAS.search(text)]
    for text in scripts:
        done(programs / "python", "-c", text, folder=folder)
    return len(quick) + len(scripts)


OWN_EXTRAS = re.compile(r"to_pandas|to_xarray|to_parquet|gough\.simulation|casadi|jax")
"""Scripts that need more than the README's first lines install, or take longer than some seconds."""


def versions(programs: Path, folder: Path) -> dict[str, str]:
    """Installed packages by name."""
    lines = done(programs / "python", "-m", "pip", "freeze", folder=folder)
    return dict(line.lower().split("==") for line in lines.splitlines() if "==" in line)
