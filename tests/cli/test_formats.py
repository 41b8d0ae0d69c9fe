"""`--format` is the one spelling of forms that a user sees; `--json` works wherever JSON does."""

from __future__ import annotations

import json

import pytest

from gough.cli import COMMANDS, GROUPS
from gough.cli.completions import completions
from gough.cli.invoke import command_of
from tests.cli.running import outcome

ALONE = ("robots", "show", "check", "size", "compare", "verify", "count", "stack", "info")
"""Commands whose functions take json, a truth value."""
SEVERAL = ("ik", "fk", "inverse", "fastest", "move", "workspace", "singularities", "calibrate", "optimise", "study")
SEVERAL += ("modes", "accuracy", "identify")


def options_of(name):
    return {option: parameter for parameter in command_of(name, COMMANDS[name][0]).params for option in parameter.opts}


def test_every_command_has_both_spellings_or_neither():
    found = set()
    for name in COMMANDS:
        if name in GROUPS:
            continue
        options = options_of(name)
        assert ("--format" in options) == ("--json" in options), name
        if "--format" in options:
            found.add(name)
            assert options["--json"].hidden
            assert not options["--format"].hidden
            assert ("csv" in options["--format"].help) == (name in SEVERAL and name != "singularities"), name
    assert found == {*ALONE, *SEVERAL}


@pytest.mark.parametrize(
    "words", [("robots",), ("show", "delta"), ("ik", "delta"), ("inverse", "delta", "--samples", "3")]
)
def test_both_say_the_same(capsys, words):
    code, out, err = outcome(capsys, *words, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)
    for other in (("--json",), ("--json", "--format", "JSON")):
        assert outcome(capsys, *words, *other) == (0, out, "")
    assert outcome(capsys, *words)[1] != out
    assert outcome(capsys, *words, "--format", "table")[1] == outcome(capsys, *words)[1]


def test_what_cannot_be_is_told(capsys):
    line = "gough: error: --json: cannot go with --format csv; give one of them\n"
    assert outcome(capsys, "ik", "delta", "--json", "--format", "csv") == (2, "", line)
    line = "gough: error: --format csv: must be table or json\n"
    assert outcome(capsys, "show", "delta", "--format", "csv") == (2, "", line)


def test_completion_knows_the_forms_of_a_command():
    assert completions(["show", "delta", "--format", ""]) == ["table", "json"]
    assert completions(["ik", "delta", "--format", ""]) == ["table", "csv", "json"]
    assert completions(["show", "delta", "--js"]) == []
