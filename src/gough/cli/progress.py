"""What a slow command is doing, shown on a terminal while it lasts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gough.escape import one_line


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """A function to tell the step that begins; nothing is shown where standard error is not a terminal."""
    terminal = getattr(sys.stderr, "raw", sys.stderr)
    if not terminal.isatty():
        yield lambda step: None
        return

    def show(step: str) -> None:
        terminal.write(f"\r\x1b[K{one_line(step, 70)} ...")
        terminal.flush()

    try:
        yield show
    finally:
        terminal.write("\r\x1b[K")
        terminal.flush()
