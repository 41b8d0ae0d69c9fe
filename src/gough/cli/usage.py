"""What is wrong with a command line, as a phrase a newcomer can act on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gough.cli import suggestion

_RULES = (
    (r"valid integer", "must be a whole number"),
    (r"valid number", "must be a number"),
    (r"greater than or equal to (\S+)", "must be at least {}"),
    (r"less than or equal to (\S+)", "must be at most {}"),
)


def usage_message(error: Any, command: Any, arguments: Sequence[str]) -> str:
    """The phrase for one of Typer's usage errors; the nearest known option for an unknown one."""
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
    if hasattr(error, "possibilities"):
        return f"no such option {error.option_name}{suggestion(error.option_name, [*options, '--help'])}"
    parameter = getattr(error, "param", None)
    kind, message = type(error).__name__, str(error.format_message()).rstrip(".")
    if kind == "MissingParameter" and parameter is not None:
        about = f": {_lower(parameter.help)}" if getattr(parameter, "help", None) else ""
        return f"{parameter.metavar or parameter.name} is missing{about}"
    if kind == "BadOptionUsage" and "requires an argument" in message:
        return _without_value(error.option_name, command)
    if "unexpected extra argument" in message:
        extra = re.findall(r" \(([^()]*)\)$", message)
        return f"unexpected argument {extra[0] if extra else ''}".strip()
    if kind == "BadParameter" and parameter is not None and parameter.opts[0].startswith("--"):
        return f"{_stated(parameter.opts, arguments)}: {_rule(str(error.message))}"
    return _lower(message)


def _without_value(option: str, command: Any) -> str:
    for parameter in command.params:
        if option in parameter.opts:
            about = f"; {_lower(parameter.help)}" if getattr(parameter, "help", None) else ""
            return f"{option} {parameter.metavar or 'VALUE'}: the value is missing{about}"
    return f"{option}: the value is missing"


def _stated(options: Sequence[str], arguments: Sequence[str]) -> str:
    """The option with the value that the command line gives it."""
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name in options:
            given = [value] if equals else arguments[place + 1 : place + 2]
            return " ".join([name, *given])
    return options[0]


def _rule(message: str) -> str:
    for pattern, phrase in _RULES:
        found = re.search(pattern, message)
        if found:
            return phrase.format(*found.groups()).rstrip(".")
    return _lower(message.rstrip("."))


def _lower(text: str) -> str:
    """Without capital, full stop and the default in brackets."""
    text = re.sub(r" \[.*\]$", "", text).rstrip(".")
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
