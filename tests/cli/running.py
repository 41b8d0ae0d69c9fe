"""Running commands in this process."""

from __future__ import annotations

import pytest

from gough import cli

ROBOTS = (
    *("ankle", "cable8", "delta", "fivebar", "hexapod", "planar3rrr", "planar4rrr"),
    *("rotary", "rps3", "spatial3", "sru", "stewart", "tricept"),
)


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `gough arguments`."""
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err
