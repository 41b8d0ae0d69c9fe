"""Natural modes in the browser: found on request at the present pose, one of them swinging slowly."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.display import number
from gough.graph import Array
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot
from gough.simulation import Modes, modes
from gough.view.browser.found_list import FoundList

STILL = "none"
SLOW = 0.5
"""Swings per second as shown, whatever the mode's own frequency."""
LARGEST = 0.08
"""Largest displacement as shown at full amplitude, of the machine's extent."""
_ASK = "Small motions of the platform on its actuators, as `gough modes` finds them."


class Vibration(FoundList):
    """A button that finds natural modes, a list to choose one from, and its amplitude as shown.

    `found` are the modes found last, None before.
    """

    def __init__(self, gui: Any, robot: Robot, extent: float) -> None:
        """The controls, in the folder that is open."""
        self.robot, self._extent = robot, extent
        self.found: Modes | None = None
        self._phase = 0.0
        super().__init__(gui, "Find natural modes", "natural mode", STILL, _ASK)
        self.amplitude = gui.add_slider("amplitude [%]", 5, 100, 5, 50)

    def find(self, x: Array) -> None:
        """The modes at x (n,), the first of them swinging.

        Raises:
            NumericalError: The pose is singular.
        """
        self.found, self._phase = modes(self.robot, x), 0.0
        names = [_name(k, f) for k, f in enumerate(self.found.frequency.tolist())]
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


def _name(k: int, frequency: float) -> str:
    return f"{k + 1}: {number(frequency, 4)} Hz" if frequency > 0.0 else f"{k + 1}: grows"
