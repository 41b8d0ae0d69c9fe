"""Running commands in this process."""

from __future__ import annotations

import pytest

from gough import cli

ROBOTS = ("delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `gough arguments`."""
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err
