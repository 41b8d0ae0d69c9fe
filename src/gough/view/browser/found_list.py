"""A button that looks for something, a list to choose one of what it found from, and words about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class FoundList:
    """The controls; the first of the list stands for none.

    Attributes:
        button, list, words: Handles of the page.
    """

    def __init__(self, gui: Any, button: str, label: str, none: str, ask: str) -> None:
        """In the folder that is open; `ask` says what the button is for."""
        self._none, self._ask, self._silent = none, ask, False
        self.button = gui.add_button(button)
        self.list = gui.add_dropdown(label, (none,), initial_value=none)
        self.words = gui.add_markdown(ask)

    def listen(self, find: Callable[[Any], None], show: Callable[[Any], None]) -> None:
        """Calls `find` for the button and `show` for a choice by hand."""
        self.button.on_click(find)
        self.list.on_update(lambda event: None if self._silent else show(event))

    @property
    def chosen(self) -> int | None:
        """Number of what is chosen, from 0; None for none."""
        names = list(self.list.options)
        return names.index(self.list.value) - 1 if self.list.value in names[1:] else None

    def fill(self, names: Sequence[str], words: str, chosen: int | None = None) -> None:
        """Offers what was found, and chooses one without a call of `show`."""
        self._silent = True
        try:
            self.list.options = (self._none, *names)
            self.list.value = self._none if chosen is None else names[chosen]
        finally:
            self._silent = False
        self.words.content = words

    def clear(self) -> None:
        """Nothing is found."""
        self.fill((), self._ask)
