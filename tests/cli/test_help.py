"""Every command's help shows an example that names the command."""

from __future__ import annotations

import pytest

from gough.cli import COMMANDS
from tests.cli.running import outcome


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples(capsys, name):
    code, out, _ = outcome(capsys, name, "--help")
    assert code == 0
    examples = out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert examples[0].strip().startswith(f"gough {name}")
    assert all(line.strip().startswith("gough ") for line in examples)
