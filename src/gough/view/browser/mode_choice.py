"""Assembly modes in the browser: found on request at the present displacements, one of them shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gough.assembly import AssemblyModes, assembly_modes
from gough.display import number
from gough.graph import Array
from gough.robot import Robot

POSED = "as posed"


class ModeChoice:
    """A button that finds all modes, a list to choose one from, and what is claimed of them.

    `modes` are those found last, None before.
    """

    def __init__(self, gui: Any, robot: Robot) -> None:
        """The controls, in the folder that is open."""
        self.robot = robot
        self.modes: AssemblyModes | None = None
        self.button = gui.add_button("Find all modes")
        self.list = gui.add_dropdown("assembly mode", (POSED,), initial_value=POSED)
        self.words = gui.add_markdown("Every pose at the present displacements of the actuators.")
        self._silent = False

    def listen(self, find: Callable[[Any], None], show: Callable[[Any], None]) -> None:
        """Calls `find` for the button and `show` for a choice by hand."""
        self.button.on_click(find)
        self.list.on_update(lambda event: None if self._silent else show(event))

    @property
    def chosen(self) -> int | None:
        """Number of the mode that is chosen, from 0; None for the pose of the sliders."""
        names = list(self.list.options)
        return names.index(self.list.value) - 1 if self.list.value in names[1:] else None

    def find(self, q: Array) -> None:
        """All modes at displacements q."""
        self.forget()
        self.modes = assembly_modes(self.robot, q)
        self._set([POSED, *(_name(self.modes, k) for k in range(len(self.modes.sample)))])
        self.words.content = f"{self.modes.claim}; complex solutions: {self.modes.complex}"

    def forget(self) -> None:
        """Another pose was chosen: these were the modes of other displacements."""
        if self.modes is not None or self.list.value != POSED:
            self.modes = None
            self._set([POSED])
            self.words.content = "Every pose at the present displacements of the actuators."

    def _set(self, names: list[str]) -> None:
        self._silent = True
        try:
            self.list.options = tuple(names)
            self.list.value = POSED
        finally:
            self._silent = False


def _name(modes: AssemblyModes, k: int) -> str:
    """Number, working mode and limits."""
    branch = "".join("+" if b > 0 else "-" if b < 0 else "." for b in modes.branch[k])
    limits = "" if modes.within_limits[k] else ", beyond limits"
    return f"{k + 1}: legs {branch}, singular value {number(float(modes.singular_value[k]), 3)}{limits}"
