"""Lists of what a button of the viewer finds: assembly modes and natural modes, one of which is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gough.assembly import AssemblyModes, assembly_modes
from gough.display import number
from gough.graph import Array
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.programs import characteristic_length
from gough.robot import Mechanism
from gough.simulation import Modes, modes


class FoundList:
    """A button that searches, a list to choose one of its results from, and a text; the first entry stands for none.

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


POSED = "as posed"
_ASK_MODES = "Every pose at the present displacements of the actuators."


class ModeChoice(FoundList):
    """A button that finds all modes, a list to choose one from, and what is claimed of them.

    `modes` are those found last, None before; the first of the list is the pose of the sliders.
    """

    def __init__(self, gui: Any, robot: Mechanism) -> None:
        """The controls, in the folder that is open."""
        self.robot = robot
        self.modes: AssemblyModes | None = None
        super().__init__(gui, "Find all modes", "assembly mode", POSED, _ASK_MODES)

    def find(self, q: Array) -> None:
        """All modes at displacements q."""
        self.forget()
        self.modes = assembly_modes(self.robot, q)
        names = [_mode_name(self.modes, k) for k in range(len(self.modes.sample))]
        self.fill(names, self.modes.claim_text)

    def forget(self) -> None:
        """Another pose was chosen: these were the modes of other displacements."""
        if self.modes is not None or self.chosen is not None:
            self.modes = None
            self.clear()


def _mode_name(modes: AssemblyModes, k: int) -> str:
    """Number, working mode and limits."""
    branch = "".join("+" if b > 0 else "-" if b < 0 else "." for b in modes.branch[k])
    limits = "" if modes.within_limits[k] else ", beyond limits"
    return f"{k + 1}: legs {branch}, singular value {number(float(modes.singular_value[k]), 3)}{limits}"


STILL = "none"
SLOW = 0.5
"""Swings per second as shown, whatever the mode's own frequency."""
LARGEST = 0.08
"""Largest displacement as shown at full amplitude, of the machine's extent."""
_ASK_VIBRATIONS = "Small motions of the platform on its actuators, as `gough modes` finds them."


class Vibration(FoundList):
    """A button that finds natural modes, a list to choose one from, and its amplitude as shown.

    `found` are the modes found last, None before.
    """

    def __init__(self, gui: Any, robot: Mechanism, extent: float) -> None:
        """The controls, in the folder that is open."""
        self.robot, self._extent = robot, extent
        self.found: Modes | None = None
        self._phase = 0.0
        super().__init__(gui, "Find natural modes", "natural mode", STILL, _ASK_VIBRATIONS)
        self.amplitude = gui.add_slider("amplitude [%]", 5, 100, 5, 50)

    def find(self, x: Array) -> None:
        """The modes at x (n,), the first of them swinging.

        Raises:
            NumericalError: The pose is singular.
        """
        self.found, self._phase = modes(self.robot, x), 0.0
        names = [_vibration_name(k, f) for k, f in enumerate(self.found.frequency.tolist())]
        least, most = self.found.stiffness.min(), self.found.stiffness.max()
        held = number(least, 3) if most - least <= 1e-9 * most else f"{number(least, 3)} to {number(most, 3)}"
        unit = "N m/rad" if all(joint.turns for joint in self.robot.actuators) else "N/m"
        words = f"Actuators of {held} {unit}; for others `gough modes --stiffness`. Shown slowed down."
        self.fill(names, words, chosen=0)

    def forget(self) -> None:
        """Another pose was chosen: these were the modes of another."""
        if self.found is not None:
            self.found = None
            self.clear()

    def next(self, seconds: float) -> Array | None:
        """(n,) where the platform is so much later in its swing; None where no mode is chosen."""
        k = self.chosen
        if self.found is None or k is None:
            return None
        self._phase += 2.0 * np.pi * SLOW * seconds
        size = LARGEST * self._extent * float(self.amplitude.value) / 100.0
        return swung(self.found, k, size * float(np.sin(self._phase)))


def swung(found: Modes, k: int, size: float) -> Array:
    """(n,) platform coordinates in mode k where its largest entry is `size`, turns times the robot's length [m]."""
    robot = found.robot
    turns = np.array([c.turns for c in robot.platform.coordinates])
    step = size * found.shapes[k] / np.where(turns, characteristic_length(robot), 1.0)
    space, (into, back) = Configuration(robot), charts(robot)
    return np.asarray(back(c=np.asarray(space.moved(into(x=found.x), step), dtype=float)))


def _vibration_name(k: int, frequency: float) -> str:
    return f"{k + 1}: {number(frequency, 4)} Hz" if frequency > 0.0 else f"{k + 1}: grows"
