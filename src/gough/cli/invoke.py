"""Run one command's function with Typer, which reads its options from the function's signature."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer

from gough.cli.groups import flattened
from gough.cli.usage import usage_message
from gough.errors import InputError


def invoke(name: str, module: str, arguments: Sequence[str]) -> int:
    """The exit code of `gough name arguments`, whose function `run` lives in `module`.

    `run` returns nothing (0) or an exit code.

    Raises:
        InputError: an option or argument is unknown, missing or malformed.
    """
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, context_settings={"help_option_names": ["-h", "--help"]})(flattened(import_module(module).run))
    command = typer.main.get_command(app)
    try:
        with command.make_context(f"gough {name}", list(arguments)) as context:
            return command.invoke(context) or 0
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        # Typer's usage errors have no common public class: they are the exceptions that can format themselves.
        if not hasattr(error, "format_message"):
            raise
        raise InputError(f"{name}: {usage_message(error, command, arguments)} (see gough {name} --help)") from error
