"""Names of earlier releases: they work for one release more, with a warning.

| old name | new name | goes with |
|---|---|---|
| lecture_terms, LectureTerms | angeles_terms, AngelesTerms | 0.3 |
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module

NEW_NAMES = {"lecture_terms": "angeles_terms", "LectureTerms": "AngelesTerms"}
"""Public names of the release before, and what they are called now."""


def value_of(name: str, public: Sequence[str]) -> object:
    """The value that an old public name stands for.

    Raises:
        AttributeError: It never was a public name; those there are stand in the message.
    """
    new = NEW_NAMES.get(name)
    if new is None:
        raise AttributeError(f"module 'gough' has no attribute {name!r}; public names: {', '.join(public)}")
    warnings.warn(f"gough.{name} is now gough.{new}; the old name goes with 0.3", DeprecationWarning, stacklevel=3)
    return getattr(import_module("gough"), new)
