"""Run one command's function with Typer, which reads its options from the function's signature.

Options come in groups too: a command takes a group as one parameter, the user sees each of its options.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, fields
from functools import wraps
from importlib import import_module
from typing import Any, get_type_hints

import typer

from gough.cli import suggestion
from gough.errors import InputError, NumericalError


class OptionGroup:
    """Base of frozen dataclasses whose fields are options, annotated as parameters of a command are."""

    def stated(self) -> dict[str, Any]:
        """Values that are not their defaults, by the names of their options."""
        found = {}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value != field.default:
                found[f"--{field.name.rstrip('_').replace('_', '-')}"] = value
        return found


def flattened(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the fields of its groups as parameters of its own."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    flat = []
    for parameter in inspect.signature(command).parameters.values():
        kind = hints[parameter.name]
        if not (isinstance(kind, type) and issubclass(kind, OptionGroup)):
            flat.append(parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        groups[parameter.name] = kind
        own = get_type_hints(kind, include_extras=True)
        for field in fields(kind):  # type: ignore[arg-type]
            assert field.default is not MISSING
            flat.append(
                inspect.Parameter(
                    field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=own[field.name]
                )
            )

    added = _other_spelling({parameter.name for parameter in flat})
    default = next((parameter.default for parameter in flat if parameter.name == "format"), "table")
    flat += added

    @wraps(command)
    def run(**given: Any) -> object:
        for parameter in added:
            _as_one(given, parameter.name, default)
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return command(**given)

    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    del run.__wrapped__
    return run


def _other_spelling(names: Collection[str]) -> list[inspect.Parameter]:
    """--format of a command that has --json alone, hidden --json of one that has --format; nothing of others."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    if "json" in names and "format" not in names:
        from gough.cli.options import TableOrJsonOption

        return [inspect.Parameter("format", keyword, default="table", annotation=TableOrJsonOption)]
    if "format" in names and "json" not in names:
        from gough.cli.options import JsonOption

        return [inspect.Parameter("json", keyword, default=False, annotation=JsonOption)]
    return []


def _as_one(given: dict[str, Any], other: str, default: str | None) -> None:
    """Make what --format and --json say the value of the one that the command has, and drop the `other`.

    Raises:
        InputError: They say different things, or --format is no format.
    """
    from gough.cli.options import choice

    form, json = given["format"], given["json"]
    if json and form != default and str(form).lower() != "json":
        raise InputError(f"--json: cannot go with --format {form}; give one of them")
    if other == "json":
        given["format"] = "json" if json else form
    else:
        given["json"] = json or choice("--format", form, ("table", "json")) == "json"
    del given[other]


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
        hint = (
            _instead(error.option_name, options)
            or suggestion(error.option_name, [*options, "--help"])
            or _of_the_file(error.option_name, command.name)
        )
        return f"no such option {error.option_name}{hint}"
    parameter = getattr(error, "param", None)
    kind, message = type(error).__name__, str(error.format_message()).rstrip(".")
    if kind == "MissingParameter" and parameter is not None:
        about = f": {_lower(parameter.help)}" if getattr(parameter, "help", None) else ""
        option = f"{parameter.opts[0]} " if parameter.opts[0].startswith("--") else ""
        return f"{option}{parameter.metavar or parameter.name} is missing{about}"
    if kind == "BadOptionUsage" and "requires an argument" in message:
        return _without_value(error.option_name, command)
    if "unexpected extra argument" in message:
        extra = re.findall(r" \(([^()]*)\)$", message)
        return f"unexpected argument {extra[0] if extra else ''}".strip()
    if kind == "BadParameter" and parameter is not None and parameter.opts[0].startswith("--"):
        return f"{_stated(parameter.opts, arguments)}: {_rule(str(error.message))}"
    return _lower(message)


_INSTEAD = (
    ("--csv", "--format", "--format csv"),
    ("--motion", "--poses", "--poses FILE.csv for a list of poses"),
    ("--waypoints", "--poses", "--poses FILE.csv for a list of poses"),
    ("--poses", "--displacements", "--displacements FILE.csv for a list of displacements"),
    ("--displacements", "--poses", "--poses FILE.csv for a list of poses"),
)
"""An option that other commands have, what a command has instead of it, and how that is written."""


def _instead(option: str, options: Sequence[str]) -> str:
    """A hint where a command does by another option what an unknown one does elsewhere, or nothing."""
    found = (written for other, own, written in _INSTEAD if option == other and own in options)
    return next((f"; say {written}" for written in found), "")


def _of_the_file(option: str, command: str) -> str:
    """A hint where an unknown option is a key of the file that the command reads, or nothing."""
    from gough.optimisation.schema import OptimiseTable
    from gough.studies.schema import StudyTable

    keys = {"study": StudyTable.keys(), "optimise": OptimiseTable.keys()}
    name = option.removeprefix("--").replace("-", "_")
    return f"; {name} is a key of the file" if name in keys.get(command, ()) else ""


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


def command_of(name: str, module: str) -> Any:
    """The command `gough name` as Typer sees it, with its parameters, whose function `run` lives in `module`."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, context_settings={"help_option_names": ["-h", "--help"]})(flattened(import_module(module).run))
    return typer.main.get_command(app)


def _in_units(command: Any, context: Any) -> int:
    """The exit code; what fails is told in the units of `--units`."""
    try:
        return command.invoke(context) or 0
    except NumericalError as error:
        if context.params.get("units"):
            from gough.display import display_units

            error.args = (error.told(display_units(context.params["units"]).length),)
        raise


def refuse_repeated(name: str, command: Any, arguments: Sequence[str]) -> None:
    """Refuse an option with a value that is given twice but taken once: the first would be lost silently.

    Raises:
        InputError: There is one.
    """
    taking = [p for p in command.params if p.param_type_name == "option" and not p.is_flag and not p.count]
    once = {option for p in taking if not p.multiple for option in p.opts}
    several = {option for p in taking for option in p.opts} - once
    seen: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--":
            return
        if option not in once | several:
            continue
        value = value if equals else next(words, "")
        if option in seen and option in once:
            raise InputError(f"{name}: {option} is given twice, {seen[option]} and {value}; give it once")
        seen[option] = value


def invoke(name: str, module: str, arguments: Sequence[str]) -> int:
    """The exit code of `gough name arguments`, whose function `run` lives in `module`.

    `run` returns nothing (0) or an exit code.

    Raises:
        InputError: an option or argument is unknown, missing or malformed.
    """
    command = command_of(name, module)
    refuse_repeated(name, command, arguments)
    try:
        with command.make_context(f"gough {name}", list(arguments)) as context:
            return _in_units(command, context)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        # Typer's usage errors have no common public class: they are the exceptions that can format themselves.
        if not hasattr(error, "format_message"):
            raise
        raise InputError(f"{name}: {usage_message(error, command, arguments)} (see gough {name} --help)") from error
