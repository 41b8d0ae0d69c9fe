"""What a slow command is doing, shown on a terminal while it lasts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """A function to tell the step that begins; nothing is shown where standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return

    def show(step: str) -> None:
        sys.stderr.write(f"\r\x1b[K{step} ...")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
