"""Text from files, made safe to show: control characters as \\x1b, what is too long cut."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

# C0 and C1 controls, line separators, marks that turn the direction of writing, halves of surrogate pairs.
_CONTROL = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
)
_IN_TEXT = re.compile(f"[{_CONTROL}]")
_IN_LINE = re.compile(f"[{_CONTROL}\\t\\n]")


def one_line(text: str, most: int = 2000) -> str:
    """The text on one line without control characters, cut in its middle to at most `most` characters."""
    if len(text) > 2 * most:  # what is cut anyway is not worth escaping
        text = text[:most] + text[-most:]
    text = _IN_LINE.sub(_code, text)
    if len(text) <= most:
        return text
    tail = min((most - 3) // 3, 60)
    return f"{text[: most - 3 - tail]}...{text[len(text) - tail :]}"


def lines(text: str, most: int = 2000) -> str:
    """The lines of a text, each as `one_line`."""
    return "\n".join(one_line(line, most) for line in text.split("\n"))


@contextmanager
def safe_streams() -> Iterator[None]:
    """Standard output and error through which no control character passes but newline and tab.

    A stream that is closed becomes one that takes everything and shows nothing.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_Safe(_Nowhere() if stream is None else stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _Safe:
    """A text stream that escapes what is written to it. `raw` is the stream itself, for a program's own controls."""

    def __init__(self, raw: TextIO | _Nowhere) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        safe = _IN_TEXT.sub(_code, text)
        try:
            self.raw.write(safe)
        except UnicodeEncodeError:  # a terminal of ASCII
            self.raw.write(safe.encode(self.raw.encoding, "backslashreplace").decode(self.raw.encoding))
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


class _Nowhere:
    """In place of a stream that is closed."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


def _code(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
