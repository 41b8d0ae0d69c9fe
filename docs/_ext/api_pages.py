"""The public names of gough, one page per subject, from signatures and docstrings: `generated/api/SUBJECT.md`."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import Any

from pages import write_page
from sphinx.application import Sphinx

import gough

SUBJECTS = {
    "robot": "Robots and their parts",
    "motion": "Motions",
    "kinematics": "Kinematics",
    "assembly": "Assembly modes",
    "dynamics": "Dynamics",
    "simulation": "Simulation and control",
    "calls": "Bound calls",
    "analysis": "Checks",
    "design": "Sizing",
    "workspaces": "Workspaces",
    "singular": "Singularities",
    "calibration": "Calibration",
    "identification": "Identification",
    "accuracy": "Accuracy",
    "timing": "Fastest motions",
    "optimisation": "Best machines",
    "problem": "Poses and varied numbers",
    "studies": "Studies",
    "codegen": "C code and FMUs",
    "bridges": "CasADi, JAX and Python text",
    "table": "Tables",
    "view": "Drawings",
    "reports": "Certificates and counts",
    "formats": "Other programs' formats",
    "graph": "Recorded equations",
    "run": "Programs",
    "errors": "Errors",
}
"""Titles by package; a package without one here has its name for a title."""

SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes|Examples?):\n", re.MULTILINE)
TITLES = {"Args": "Arguments", "Example": "Example"}


def markdown(docstring: str | None) -> list[str]:
    """A docstring as Markdown: its text, then its sections as lists."""
    pieces = SECTION.split(inspect.cleandoc(docstring or ""))
    lines = [escaped(pieces[0].strip()), ""]
    for title, text in zip(pieces[1::2], pieces[2::2], strict=True):
        lines += [f"*{TITLES.get(title, title)}*", ""]
        listed, *after = re.split(r"^(?=\S)", text, maxsplit=1, flags=re.MULTILINE)
        entries = re.split(r"\n(?=\S)", textwrap.dedent(listed).strip())
        for entry in entries:
            name, colon, about = entry.partition(":")
            plain = re.fullmatch(r"[\w*, ]+", name)
            item = f"`{name}`: {escaped(about.strip())}" if colon and plain else escaped(entry)
            lines.append("- " + " ".join(item.split()))
        lines += ["", *(escaped(paragraph.strip()) for paragraph in after), ""]
    return lines


def escaped(text: str) -> str:
    """Text with what Markdown would take for marks outside of code kept as it stands."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<|$\[\]])", r"\\\1", part) for part in parts)


def signature(value: Callable[..., Any]) -> str:
    """A signature as its source states it, defaults that are not plain values as dots."""
    try:
        stated = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    plain = (int, float, str, bool, type(None), tuple)
    parameters = []
    for parameter in stated.parameters.values():
        if parameter.name == "self":
            continue
        default = parameter.default
        if default is not inspect.Parameter.empty and not (isinstance(default, plain) and "<" not in repr(default)):
            parameter = parameter.replace(default=Ellipsis)
        parameters.append(parameter)
    text = str(stated.replace(parameters=parameters)).replace("Ellipsis", "...")
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)


def members(cls: type) -> list[str]:
    """Members of an enumeration, public methods and properties of a class, its own first, then those of its bases."""
    lines = [f"- `{one.name}` = {one.value}" for one in cls] + [""] if issubclass(cls, Enum) else []
    listed: dict[str, Any] = {}
    for base in cls.__mro__:
        if base.__module__.startswith("gough"):
            listed |= {name: value for name, value in vars(base).items() if name not in listed}
    for name, value in listed.items():
        if name.startswith("_"):
            continue
        kind = None
        if isinstance(value, property) and value.fget is not None:
            kind, head, text = "py:property", name, value.fget.__doc__
        elif isinstance(value, cached_property):
            kind, head, text = "py:property", name, value.func.__doc__
        elif inspect.isfunction(value):
            kind, head, text = "py:method", name + signature(value), value.__doc__
        elif isinstance(value, (classmethod, staticmethod)):
            kind, head, text = "py:method", name + signature(value.__func__), value.__func__.__doc__
        if kind:
            lines += [f":::{{{kind}}} {head}", "", *markdown(text), ":::", ""]
    return lines


def entry(name: str) -> list[str]:
    """The entry of one public name."""
    value = getattr(gough, name)
    if inspect.isclass(value):
        head = name if dataclasses.is_dataclass(value) and len(str(signature(value))) > 400 else name + signature(value)
        head = head.split(" -> ")[0]
        body = [*markdown(value.__doc__), *members(value)]
        return [f"::::{{py:class}} {head}", ":module: gough", "", *body, "::::", ""]
    if inspect.isroutine(value):
        return [
            f"::::{{py:function}} {name}{signature(value)}",
            ":module: gough",
            "",
            *markdown(value.__doc__),
            "::::",
            "",
        ]
    return [f"::::{{py:data}} {name}", ":module: gough", "", f"`{type(value).__name__}`", "::::", ""]


def write_pages(app: Sphinx) -> None:
    """A page per package, and their index."""
    homes: dict[str, list[str]] = {}
    for name in gough.__all__:
        homes.setdefault(gough._HOMES[name].split(".")[1], []).append(name)
    order = [*(home for home in SUBJECTS if home in homes), *sorted(set(homes) - set(SUBJECTS))]
    rows = []
    for home in order:
        title = SUBJECTS.get(home, home.replace("_", " ").capitalize())
        names = sorted(homes[home], key=lambda name: (name[0].isupper(), name))
        lines = [f"# {title}", "", "Arrays are (k,) for one sample or (N, k) for many; SI units and radians.", ""]
        for name in names:
            lines += entry(name)
        write_page(app, f"api/{home}", lines)
        rows.append(f"| [{title}]({home}.md) | {', '.join(f'`{name}`' for name in names)} |")
    tree = ["```{toctree}", ":hidden:", *order, "```"]
    head = ["# Python", "", "Everything below is `gough.NAME`.", "", "| subject | names |", "|---|---|"]
    write_page(app, "api/index", [*head, *rows, "", *tree])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
