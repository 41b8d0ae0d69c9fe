"""A seeded mutator of text files: structure, numbers, units, bytes. The same seed gives the same mutant."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![\w.#\"'-])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.\"'])")
UNITS = ["mm", "m", "cm", "in", "deg", "rad", "g", "kg", "t", "ms", "s", "kN", "N mm", "kg mm^2", "furlong", "", "M"]
EXTREME = ["0", "-1", "1e300", "-1e300", "1e-300", "nan", "inf", "-inf", "1e12", "9" * 30, "0x10", "1_000", "-0.0"]
OTHER = ['"x"', "true", "[]", "{}", "[1, 2]", "[[1, 2], [3, 4]]", "{ a = 1 }", '""', "1979-05-27", "'''a\nb'''"]
ODD = ["zzz", '"a\\nb"', '"\\u001b[31m"', f'"{"k" * 10_000}"', "'q\"q'", '"a.b"']
INSERTED = [
    "\0",
    "\x1b[2J",
    "\ufeff",
    "\u2028",
    "\u202e",
    "\r",
    "é",
    "🤖",
    '"',
    "[",
    "}",
    "=",
    ",",
    "#",
    "\\",
    "\ud800",
]


@dataclass(frozen=True)
class Mutant:
    """A changed text.

    Attributes:
        data: As bytes, for a file.
        kinds: What was done.
        line: Where a single change made a value that no file can have; None where the change may be fine, or several.
    """

    data: bytes
    kinds: tuple[str, ...]
    line: int | None = None


def mutant(text: str, rng: random.Random) -> Mutant:
    """One to four changes; most are mild, so that much of what lies behind the parser is reached."""
    count = rng.choice((1, 1, 1, 2, 4))
    kinds: list[str] = []
    line = None
    for _ in range(count):
        kind = rng.choice(("mild", "mild", "mild", "number", "number", "unit", "value", "lines", "key"))
        text, line = CHANGES[kind](text, rng)
        kinds.append(kind)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.12:
        data, line = damaged(data, rng), None
        kinds.append("bytes")
    return Mutant(data, tuple(kinds), line if len(kinds) == 1 else None)


def mild(text: str, rng: random.Random) -> tuple[str, int | None]:
    """A number a little larger or smaller."""

    def near(old: str) -> str:
        return repr(float(old) * rng.choice((1.0, 0.999, 1.01, 0.9, 1.1, 1.0 + 1e-12)))

    return _at_number(text, rng, near)[0], None


def number(text: str, rng: random.Random) -> tuple[str, int | None]:
    """A number of another sign or size, or none at all."""
    far = [lambda old: repr(float(old) * 10.0 ** rng.randint(-6, 6)), lambda old: repr(-float(old))]
    changed, line, new = _at_number(text, rng, rng.choice([*far, lambda _: rng.choice(EXTREME)]))
    return changed, line if new in ("nan", "inf", "-inf", "1e300", "-1e300", "9" * 30) else None


def unit(text: str, rng: random.Random) -> tuple[str, int | None]:
    """Another unit, or a table of them."""
    names = [found for found in re.finditer(r'"([^"\n]*)"', text) if found[1] in UNITS]
    if names and rng.random() < 0.7:
        found = rng.choice(names)
        new = rng.choice(UNITS)
        changed = f'{text[: found.start()]}"{new}"{text[found.end() :]}'
        return changed, _line(text, found.start()) if new in ("furlong", "") else None
    quantity = rng.choice(("length", "angle", "mass", "time", "inertia", "force", "speed"))
    return f'{text}\n[units]\n{quantity} = "{rng.choice(UNITS)}"\n', None


def value(text: str, rng: random.Random) -> tuple[str, int | None]:
    """A value of another kind."""
    found = _pick(rng, list(re.finditer(r"(?m)^[ \t]*[\w.]+[ \t]*=[ \t]*(.+)$", text)))
    if found is None:
        return text + rng.choice(OTHER), None
    return text[: found.start(1)] + rng.choice(OTHER) + text[found.end(1) :], None


def lines(text: str, rng: random.Random) -> tuple[str, int | None]:
    """Lines lost, doubled, exchanged, or torn apart."""
    rows = text.split("\n")
    k, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    what = rng.randrange(5)
    if what == 0:
        del rows[k]
    elif what == 1:
        rows.insert(j, rows[k])
    elif what == 2:
        rows[k], rows[j] = rows[j], rows[k]
    elif what == 3:
        at = rng.randrange(len(rows[k]) + 1)
        rows[k : k + 1] = [rows[k][:at], rows[k][at:]]
    else:
        return "\n".join(rows[:k]), None
    return "\n".join(rows), None


def key(text: str, rng: random.Random) -> tuple[str, int | None]:
    """A key that no file has, or one misspelt."""
    found = _pick(rng, list(re.finditer(r"(?m)^[ \t]*([A-Za-z_]\w*)[ \t]*=", text)))
    if found is None:
        return text, None
    if rng.random() < 0.5:
        odd = rng.choice(ODD)
        return f"{text[: found.start()]}{odd} = 1\n{text[found.start() :]}", _line(text, found.start())
    at = rng.randrange(len(found[1]))
    misspelt = found[1][:at] + rng.choice(("", "x", found[1][at] * 2)) + found[1][at + 1 :]
    return text[: found.start(1)] + misspelt + text[found.end(1) :], None


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Bytes changed, lost or put in."""
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(6)
        if what == 0:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif what == 1:
            data = data[:at] + data[at + rng.randrange(1, 20) :]
        elif what == 2:
            data = data[:at] + rng.choice(INSERTED).encode("utf-8", "surrogatepass") + data[at:]
        elif what == 3:
            data = data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n")))
        elif what == 4:
            data = data[:at]
        else:
            data = rng.choice((b"\xff\xfe", b"\xef\xbb\xbf", b"PK\x03\x04", b"\x1f\x8b")) + data
    return data


CHANGES = {"mild": mild, "number": number, "unit": unit, "value": value, "lines": lines, "key": key}


def _at_number(text, rng, change):
    found = _pick(rng, list(NUMBER.finditer(text)))
    if found is None:
        return text, None, ""
    new = change(found[0])
    return text[: found.start()] + new + text[found.end() :], _line(text, found.start()), new


def _pick(rng, entries):
    return rng.choice(entries) if entries else None


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
