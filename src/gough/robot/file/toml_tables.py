"""TOML text as tables, with the line of each key."""

from __future__ import annotations

import tomllib
from typing import Any

from gough.robot.checks.fault import Fault, Path, Place
from gough.robot.file.key_lines import key_lines
from gough.robot.file.not_toml import ROBOT, not_toml


def toml_tables(
    text: str, source: str, what: str = "robot", wanted: str = ROBOT, needs: str = ""
) -> tuple[dict[str, Any], dict[Path, int]]:
    """Tables and lines of a text.

    Args:
        text: All of it.
        source: Its name in messages.
        what: It should describe.
        wanted: What such a file is, for hints.
        needs: What it must have at least, for hints.

    Raises:
        RobotError: It is not TOML, nested too deeply, or empty.
    """
    try:
        tables = tomllib.loads(text)
    except ValueError as error:
        raise not_toml(text, source, str(error), wanted) from None
    except RecursionError:
        article = "an" if what[0] in "aeiou" else "a"
        raise Place(source).error([Fault((), f"nested too deeply to be {article} {what}")]) from None
    if not tables:
        raise Place(source).error([Fault((), "is empty", hint=needs)])
    return tables, key_lines(text)
