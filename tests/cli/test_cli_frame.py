"""The command's frame: help, version, exit codes, and the one line a user sees when something is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import types

import pytest

import gough
from gough import cli
from gough.errors import InputError, NumericalError


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `gough arguments`."""
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch):
    """Registers a function as the command `probe`."""

    def register(run):
        module = types.ModuleType("gough_probe")
        module.run = run
        monkeypatch.setitem(sys.modules, "gough_probe", module)
        monkeypatch.setitem(cli.COMMANDS, "probe", ("gough_probe", "A probe."))

    return register


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)])
def test_help_lists_every_command(capsys, arguments):
    code, out, err = outcome(capsys, *arguments)
    assert code == 0
    assert err == ""
    for name, (_, line) in cli.COMMANDS.items():
        assert any(row.split(maxsplit=1) == [name, line] for row in out.splitlines())


def test_version(capsys):
    assert outcome(capsys, "--version") == (0, f"gough {gough.__version__}\n", "")


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_each_command_has_its_own_help(capsys, name):
    code, out, err = outcome(capsys, name, "--help")
    assert code == 0
    assert err == ""
    assert out.startswith(f"Usage: gough {name}")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["inof"], "no such command 'inof'; did you mean info? (see gough --help)"),
        (["zzz"], "no such command 'zzz' (see gough --help)"),
        (["--verison"], "no such option --verison; did you mean --version? (see gough --help)"),
        (["info", "--jsn"], "info: no such option --jsn; did you mean --json? (see gough info --help)"),
        (["info", "-q"], "info: no such option -q (see gough info --help)"),
        (["simulate", "delta", "--quantise"], "simulate: no such option --quantise (see gough simulate --help)"),
        (
            ["study", "a.toml", "--machines", "9"],
            "study: no such option --machines; machines is a key of the file (see gough study --help)",
        ),
    ],
)
def test_bad_command_lines_get_one_line(capsys, arguments, line):
    assert outcome(capsys, *arguments) == (2, "", f"gough: error: {line}\n")


def test_surplus_and_malformed_arguments_are_bad_input(capsys, command):
    def run(count: int) -> None:
        pass

    command(run)
    for arguments in (["1", "2"], ["many"], []):
        code, out, err = outcome(capsys, "probe", *arguments)
        assert (code, out) == (2, "")
        assert err.startswith("gough: error: probe: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("robot.toml:3: mass: -1"), 2, "gough: error: robot.toml:3: mass: -1\n"),
        (NumericalError("leg 2:\nnot converged"), 3, "gough: error: leg 2: not converged\n"),
        (FileNotFoundError(2, "No such file", "a.toml"), 2, "gough: error: a.toml: No such file\n"),
        (KeyboardInterrupt(), 130, "gough: interrupted\n"),
    ],
)
def test_foreseen_failures_get_one_line_and_their_code(capsys, command, error, code, line):
    def run() -> None:
        raise error

    command(run)
    assert outcome(capsys, "probe") == (code, "", line)


def test_a_bug_is_not_hidden(command):
    def run() -> None:
        raise ZeroDivisionError

    command(run)
    with pytest.raises(ZeroDivisionError):
        cli.main(["probe"])


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1)])
def test_what_a_command_returns_is_the_exit_code(capsys, command, returned, code):
    def run():
        return returned

    command(run)
    assert outcome(capsys, "probe") == (code, "", "")


def test_info_shows_versions(capsys):
    code, out, err = outcome(capsys, "info")
    assert (code, err) == (0, "")
    shown = dict(re.split("  +", row, maxsplit=1) for row in out.splitlines())
    assert shown["gough"] == gough.__version__
    assert {"python", "numpy", "llvmlite"} <= shown.keys()


def test_info_as_json_holds_the_same_names(capsys):
    _, out, _ = outcome(capsys, "info", "--json")
    assert json.loads(out)["gough"] == gough.__version__


def test_a_reader_that_leaves_early_sees_no_traceback():
    script = "import sys; from gough.cli import main; sys.exit(main(['info']))"
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 141


def test_help_imports_nothing_heavy():
    heavy = ["numpy", "scipy", "matplotlib", "llvmlite", "typer", "rich"]
    script = (
        f"import sys; from gough.cli import main; main(['--help']); print([m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
