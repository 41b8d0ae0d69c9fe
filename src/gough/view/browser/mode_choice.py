"""Assembly modes in the browser: found on request at the present displacements, one of them shown."""

from __future__ import annotations

from typing import Any

from gough.assembly import AssemblyModes, assembly_modes
from gough.display import number
from gough.graph import Array
from gough.robot import Robot
from gough.view.browser.found_list import FoundList

POSED = "as posed"
_ASK = "Every pose at the present displacements of the actuators."


class ModeChoice(FoundList):
    """A button that finds all modes, a list to choose one from, and what is claimed of them.

    `modes` are those found last, None before; the first of the list is the pose of the sliders.
    """

    def __init__(self, gui: Any, robot: Robot) -> None:
        """The controls, in the folder that is open."""
        self.robot = robot
        self.modes: AssemblyModes | None = None
        super().__init__(gui, "Find all modes", "assembly mode", POSED, _ASK)

    def find(self, q: Array) -> None:
        """All modes at displacements q."""
        self.forget()
        self.modes = assembly_modes(self.robot, q)
        names = [_name(self.modes, k) for k in range(len(self.modes.sample))]
        self.fill(names, f"{self.modes.claim}; complex solutions: {self.modes.complex}")

    def forget(self) -> None:
        """Another pose was chosen: these were the modes of other displacements."""
        if self.modes is not None or self.chosen is not None:
            self.modes = None
            self.clear()


def _name(modes: AssemblyModes, k: int) -> str:
    """Number, working mode and limits."""
    branch = "".join("+" if b > 0 else "-" if b < 0 else "." for b in modes.branch[k])
    limits = "" if modes.within_limits[k] else ", beyond limits"
    return f"{k + 1}: legs {branch}, singular value {number(float(modes.singular_value[k]), 3)}{limits}"
