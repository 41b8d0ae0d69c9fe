"""Why a text is not TOML, with the likely cause: people know other formats and other keyboards."""

from __future__ import annotations

import re

from gough.robot.checks.fault import Fault, Path, Place

ROBOT = "a robot is a TOML file; `gough new` prints one to start from"
_CAUSES = (
    (r'^\s*[^#"\']*[\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb]', 'typographic quotes? use straight ones, "..."'),
    (r"=\s*[-+]?\d+,\d+\s*(#.*)?$", "a decimal comma? numbers have a point, 2.5"),
    (r"[=\[,]\s*[-+]?\.\d", "a number begins with a digit, 0.5"),
    (r"[=\[,]\s*[-+]?\d+\.(?!\d)", "a number ends with a digit, 5.0"),
    (r"=\s*[-+]?[\d.]+\s*[-+*/]\s*[\d.]", "a value is one number; work it out"),
    (r"=\s*[-+]?[\d.]+(e[-+]?\d+)?\s*[A-Za-z^/*\u00b0\u00b5]", "a value is one number; units go into [units]"),
    (r",\s*\}", "no comma before the closing brace of {..}"),
    (r"\{[^}]*$", "{..} stands on one line; or use a table [legs.base]"),
    (r"=\s*[A-Za-z_][\w-]*\s*(#.*)?$", 'text must be in quotes, "UPS"'),
    (r"=\s*(#.*)?$", "the value is missing"),
    (r"^\s*[\w.-]+\s*:", "key = value, not key: value; {wanted}"),
)


def not_toml(text: str, source: str, message: str, wanted: str = ROBOT) -> Exception:
    """The error of a text that the TOML parser refused with `message`; `wanted` says what it should have been."""
    found = re.search(r" \(at line (\d+), column \d+\)$", message)
    number = int(found.group(1)) if found else text.count("\n") + 1
    digits = re.search(r"\d{4000}", text) if "integer string conversion" in message else None
    if digits is not None:
        number = text.count("\n", 0, digits.start()) + 1
    reason = _reason(re.sub(r" \(at [^)]*\)$", "", message), text, number)
    lines: dict[Path, int] = {("toml",): number}
    return Place(source, lines).error(
        [Fault(("toml",), reason, key="not valid TOML", hint=_hint(text, number, wanted))]
    )


def _reason(reason: str, text: str, number: int) -> str:
    """The parser's words, with what was stated twice."""
    table = re.fullmatch(r"Cannot declare \((.*?),?\) twice", reason)
    if table is not None:
        name = ".".join(part.strip(" '\"") for part in table.group(1).split(","))
        return f"the table [{name}] is stated twice"
    key = re.match(r"\s*([\w.-]+)\s*=", _line(text, number))
    if reason == "Cannot overwrite a value" and key is not None:
        return f"{key.group(1)} is stated twice"
    if "integer string conversion" in reason:
        return "a number with too many digits"
    return f"{reason[:1].lower()}{reason[1:]}"


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _hint(text: str, number: int, wanted: str) -> str:
    start = text.lstrip()
    for first, name in (("{", "JSON"), ("<", "XML"), ("---", "YAML"), ("PK", "a ZIP archive")):
        if start.startswith(first):
            return f"this looks like {name}; {wanted}"
    if "\r" in text and "\n" not in text:
        return "its lines end in a lone carriage return: save it with line ends of today"
    if re.match(r"[\w \[\]/.-]+([,;\t][\w \[\]/.-]+)+\s*\n", start):
        return f"this looks like a table of numbers; {wanted}"
    line = _line(text, number)
    found = next((cause for pattern, cause in _CAUSES if re.search(pattern, line)), "")
    return found.replace("{wanted}", wanted)
