"""Sliders for the platform's coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.robot import Robot
from gough.view.display import Display


def pose_sliders(gui: Any, robot: Robot, display: Display, extent: float, path: Any = None) -> list[Any]:
    """A slider for each coordinate, at home, as far as the machine could ever go.

    Args:
        gui: A viser server's.
        robot: Whose platform.
        display: Units.
        extent: The machine's largest dimension [m].
        path: (N, n) coordinates that must be within, if there are any.
    """
    found = []
    for k, (coordinate, home) in enumerate(zip(robot.platform.coordinates, robot.platform.home, strict=True)):
        turns = coordinate.motion.startswith("r")
        factor, unit = display.travel(turns)
        room = np.pi / 3 if turns else 0.5 * extent
        low, high = home - room, home + room
        if path is not None:
            low, high = min(low, path[:, k].min()), max(high, path[:, k].max())
        low, high, step = _nice(low * factor, high * factor)
        found.append(gui.add_slider(f"{coordinate.name} [{unit}]", low, high, step, home * factor))
    return found


def _nice(low: float, high: float) -> tuple[float, float, float]:
    """Round ends and a round step for a slider that holds the range."""
    step = 10.0 ** np.floor(np.log10((high - low) / 100))
    return float(np.floor(low / step) * step), float(np.ceil(high / step) * step), float(step)
