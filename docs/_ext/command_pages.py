"""One page per command, from its options: `generated/commands/NAME.md` and their index."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

from pages import cell, write_page
from sphinx.application import Sphinx

from gough.cli import COMMANDS, GROUPS
from gough.cli.invoke import command_of


def command_page(name: str, module: str, line: str) -> list[str]:
    """The page of one command."""
    command = command_of(name, module)
    text = inspect.cleandoc(command.help or line).replace("\b", "")
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
    lines = [f"# gough {name}", "", line, ""]
    for part in parts:
        listed = re.match(r"(\w[\w ]*):\n", part)
        lines += (
            [f"**{listed[1]}**", "", "```text", inspect.cleandoc(part[listed.end() :]), "```", ""]
            if listed
            else [part, ""]
        )
    for title, kind in (("Arguments", "argument"), ("Options", "option")):
        seen = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
        rows = [row(parameter) for parameter in seen if parameter.param_type_name == kind]
        if rows:
            lines += [f"## {title}", "", f"| {title[:-1].lower()} | meaning |", "|---|---|", *rows, ""]
    return [linked(text) for text in lines]


def linked(text: str) -> str:
    """Text in which the title of a page, as in `"Accuracy" in the documentation`, is a link to that page."""

    def link(found: re.Match[str]) -> str:
        title = " ".join(found[1].split())
        return f"[{title}](../../{page_of(title)})"

    return re.sub(r'"([^"]+)"\s+in\s+the\s+documentation', link, text)


@cache
def page_of(title: str) -> str:
    """The page with this title, as a path in docs."""
    docs = Path(__file__).parents[1]
    for page in sorted(docs.rglob("*.md")):
        if f"\n# {title}\n" in f"\n{page.read_text(encoding='utf-8')}":
            return page.relative_to(docs).as_posix()
    raise LookupError(f"no page of the documentation has the title {title!r}")


def row(parameter: Any) -> str:
    """A row of the table of options."""
    names = ", ".join(f"`{name}`" for name in parameter.opts) if parameter.param_type_name == "option" else ""
    value = f"`{cell(parameter.metavar or parameter.name.upper())}`" if not getattr(parameter, "is_flag", False) else ""
    needed = " (needed)" if parameter.required else ""
    return f"| {names} {value} | {cell(parameter.help or '')}{needed} |"


def write_pages(app: Sphinx) -> None:
    """All pages of commands."""
    names = []
    for name, (module, line) in COMMANDS.items():
        if name in GROUPS:
            members = {f"{name} {target}": entry for target, entry in GROUPS[name].items()}
        else:
            members = {name: (module, line)}
        for full, (home, about) in members.items():
            page = full.replace(" ", "-")
            names.append((page, full, about))
            write_page(app, f"commands/{page}", command_page(full, home, about))
    rows = [f"| [gough {full}]({page}.md) | {cell(about)} |" for page, full, about in names]
    tree = ["```{toctree}", ":hidden:", *(page for page, _, _ in names), "```"]
    head = ["# Commands", "", "Each has `--help`. Those that print tables take `--units`, most take `--format`.", ""]
    write_page(app, "commands/index", [*head, "| command | what it does |", "|---|---|", *rows, "", *tree])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
