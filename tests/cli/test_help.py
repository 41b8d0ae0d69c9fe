"""Help of every command: an example that names it, no colour codes in a pipe; and lists that it must not miss."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gough.analysis.limits import STATED
from gough.cli import COMMANDS, GROUPS
from tests.cli.running import outcome


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples(capsys, name):
    code, out, _ = outcome(capsys, name, "--help")
    assert code == 0
    examples = out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert examples[0].strip().startswith(f"gough {name}")
    assert all(line.strip().startswith("gough ") for line in examples)


def test_help_names_pages_of_the_documentation_by_their_titles(capsys):
    docs = Path(__file__).parents[2] / "docs"
    titles = {
        line[2:] for page in docs.rglob("*.md") for line in page.read_text("utf-8").splitlines() if line[:2] == "# "
    }
    named = set()
    for command in [[name] for name in COMMANDS] + [[group, name] for group in GROUPS for name in GROUPS[group]]:
        text = " ".join(outcome(capsys, *command, "--help")[1].split())
        assert ".md" not in text.replace("README.md", ""), command
        named |= set(re.findall(r'"([^"]+)" in the documentation', text))
    assert len(named) == 9
    assert named <= titles


def test_help_lists_every_limit(capsys):
    page = " ".join(outcome(capsys, "check", "--help")[1].split()).partition("--limit KIND=VALUE")[2]
    listed = page.partition("repeatable")[0].replace(";", ",").replace("=LOW,HIGH", "").partition("own:")[2]
    assert sorted(name.strip() for name in listed.split(",") if name.strip()) == sorted(STATED)


def test_inverse_lists_its_formulations(capsys):
    from gough.dynamics.contract import NAMES

    shown = " ".join(outcome(capsys, "inverse", "--help")[1].split())
    assert f": auto, {', '.join(NAMES)}." in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_colour_codes_in_a_pipe(capsys, name):
    assert "\x1b" not in outcome(capsys, name, "--help")[1]
