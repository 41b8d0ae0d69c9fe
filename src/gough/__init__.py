"""gough: parallel robots described once, their equations recorded once, then counted, differentiated and run.

The public names stand once, in `__init__.pyi`, where type checkers read them. They are imported on first use, so that
`import gough` and the command's help stay quick.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.2.0"


def _homes() -> dict[str, str]:
    """The module that each public name is imported from: lines `from HOME import NAME as NAME` of `__init__.pyi`."""
    with open(f"{__file__}i", encoding="utf-8") as stub:
        words = [line.split() for line in stub if line.startswith("from ")]
    return {name: home for _, home, _, name, _, _ in words}


_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """The public value called `name`, imported now and kept.

    Raises:
        AttributeError: It is no public name; the nearest stand in the message.
    """
    home = _HOMES.get(name)
    if home is None:
        from difflib import get_close_matches

        near = get_close_matches(name, __all__, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "dir(gough) lists the public names"
        raise AttributeError(f"module 'gough' has no attribute {name!r} ({hint})")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
