"""`gough info`: what this installation is made of and how it will run programs."""

from __future__ import annotations

import platform
from importlib import metadata

from gough import __version__
from gough.cli.options import JsonOption
from gough.run import info


def run(json: JsonOption = False) -> None:
    """Show versions, processor, executor and cache.

    \b
    Examples:
      gough info
      gough info --format json
    """
    values = collect()
    if json:
        from json import dumps

        print(dumps(values, indent=2))
        return
    width = max(map(len, values))
    for name, value in values.items():
        print(f"{name:{width}}  {value}")


def collect() -> dict[str, str]:
    """The facts shown, by name: versions first, then what `gough.run` says of itself."""
    return {
        "gough": __version__,
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        **info(),
    }
