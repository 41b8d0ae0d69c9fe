"""Natural modes in the browser: found on request at the present pose, one of them swinging slowly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.display import number
from gough.graph import Array
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot
from gough.simulation import Modes, modes

STILL = "none"
SLOW = 0.5
"""Swings per second as shown, whatever the mode's own frequency."""
LARGEST = 0.08
"""Largest displacement as shown at full amplitude, of the machine's extent."""
_ASK = "Small motions of the platform on its actuators, as `gough modes` finds them."


class Vibration:
    """A button that finds natural modes, a list to choose one from, and its amplitude as shown.

    `found` are the modes found last, None before.
    """

    def __init__(self, gui: Any, robot: Robot, extent: float) -> None:
        """The controls, in the folder that is open."""
        self.robot, self._extent = robot, extent
        self.found: Modes | None = None
        self.button = gui.add_button("Find natural modes")
        self.list = gui.add_dropdown("natural mode", (STILL,), initial_value=STILL)
        self.amplitude = gui.add_slider("amplitude [%]", 5, 100, 5, 50)
        self.words = gui.add_markdown(_ASK)
        self._phase, self._silent = 0.0, False

    def listen(self, find: Callable[[Any], None], show: Callable[[Any], None]) -> None:
        """Calls `find` for the button and `show` for a choice by hand."""
        self.button.on_click(find)
        self.list.on_update(lambda event: None if self._silent else show(event))

    @property
    def chosen(self) -> int | None:
        """Number of the mode that swings, from 0; None for none."""
        names = list(self.list.options)
        return names.index(self.list.value) - 1 if self.list.value in names[1:] else None

    def find(self, x: Array) -> None:
        """The modes at x (n,), the first of them swinging.

        Raises:
            NumericalError: The pose is singular.
        """
        self.found, self._phase = modes(self.robot, x), 0.0
        names = [_name(k, f) for k, f in enumerate(self.found.frequency.tolist())]
        self._set([STILL, *names], names[0])
        least, most = self.found.stiffness.min(), self.found.stiffness.max()
        held = number(least, 3) if most - least <= 1e-9 * most else f"{number(least, 3)} to {number(most, 3)}"
        unit = "N m/rad" if all(joint.turns for joint in self.robot.actuators) else "N/m"
        self.words.content = f"Actuators of {held} {unit}; for others `gough modes --stiffness`. Shown slowed down."

    def forget(self) -> None:
        """Another pose was chosen: these were the modes of another."""
        if self.found is not None:
            self.found = None
            self._set([STILL], STILL)
            self.words.content = _ASK

    def next(self, seconds: float) -> Array | None:
        """(n,) where the platform is so much later in its swing; None where no mode is chosen."""
        k = self.chosen
        if self.found is None or k is None:
            return None
        self._phase += 2.0 * np.pi * SLOW * seconds
        size = LARGEST * self._extent * float(self.amplitude.value) / 100.0
        return swung(self.found, k, size * float(np.sin(self._phase)))

    def _set(self, names: list[str], value: str) -> None:
        self._silent = True
        try:
            self.list.options = tuple(names)
            self.list.value = value
        finally:
            self._silent = False


def swung(found: Modes, k: int, size: float) -> Array:
    """(n,) platform coordinates in mode k where its largest entry is `size`, turns times the robot's length [m]."""
    robot = found.robot
    turns = np.array([c.turns for c in robot.platform.coordinates])
    step = size * found.shapes[k] / np.where(turns, characteristic_length(robot), 1.0)
    space, (into, back) = Configuration(robot), charts(robot)
    return np.asarray(back(c=np.asarray(space.moved(into(x=found.x), step), dtype=float)))


def _name(k: int, frequency: float) -> str:
    return f"{k + 1}: {number(frequency, 4)} Hz" if frequency > 0.0 else f"{k + 1}: grows"
