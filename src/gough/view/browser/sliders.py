"""Sliders for the platform's coordinates and for the actuators, which go as far as the machine does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.display import Display
from gough.graph import Array
from gough.robot import Mechanism
from gough.view.browser.reach import Room

_STEPS = 500
"""Steps a slider has over the machine's size, at least."""
_ROUND_OFF = 1e-6
"""Share of a step."""


class Sliders:
    """One slider each for values that slide or turn."""

    def __init__(
        self, gui: Any, names: Sequence[str], turns: Sequence[bool], start: Array, display: Display, extent: float,
        strokes: Sequence[tuple[float, float] | None] = (),
    ) -> None:  # fmt: skip
        """At `start` (k,) [m or rad], along their strokes, or half the machine's extent or sixty degrees either way.

        `wide` is both together.
        """
        self._units = [display.travel(turning) for turning in turns]
        self._silent = False
        sizes = np.where(turns, np.pi / 3, 0.5 * extent).tolist()
        ways = [(at - size, at + size) for at, size in zip(start.tolist(), sizes, strict=True)]
        own = [stroke or way for stroke, way in zip(strokes or ways, ways, strict=True)]
        first = [Room(min(low, at), max(high, at)) for (low, high), at in zip(own, start.tolist(), strict=True)]
        self.wide = [
            Room(min(room.low, low), max(room.high, high)) for room, (low, high) in zip(first, ways, strict=True)
        ]
        self._set, self._shown = np.array(start, dtype=float), list[float]()
        self.handles = []
        for name, turning, room, at, (factor, unit) in zip(
            names, turns, first, start.tolist(), self._units, strict=True
        ):
            size = (np.pi if turning else extent) * factor
            step = float(10.0 ** np.floor(np.log10(size / _STEPS)))
            low, high = (float(np.round(value * factor / step) * step) for value in (room.low, room.high))
            shown = _rounded(float(at * factor), step)
            self._shown.append(shown)
            self.handles.append(gui.add_slider(f"{name} [{unit}]", low, high, step, shown))

    @property
    def values(self) -> Array:
        """(k,) [m or rad]: of those that no user has moved since just as they were set, whatever is shown of them.

        A number that was typed beyond a slider's end counts as that end.
        """
        found = self._set.copy()
        for k, (handle, (factor, _)) in enumerate(zip(self.handles, self._units, strict=True)):
            if float(handle.value) != self._shown[k]:
                found[k] = min(max(float(handle.value), handle.min), handle.max) / factor
        return found

    @property
    def silent(self) -> bool:
        """Whether they are being set, so that what they say is not from a user."""
        return self._silent

    def set(self, values: Array, rooms: Sequence[Room] | None = None) -> None:
        """Show values (k,), and go from where to where if that is said; a value outside has its slider made longer."""
        self._silent = True
        try:
            for k, (handle, (factor, _)) in enumerate(zip(self.handles, self._units, strict=True)):
                if not np.isfinite(values[k]):
                    continue
                self._set[k] = values[k]
                value = self._shown[k] = _rounded(float(values[k] * factor), handle.step)
                low, high = handle.min, handle.max
                if rooms is not None:
                    low, high = _within(rooms[k].low * factor, rooms[k].high * factor, handle.step)
                low, high = min(low, value), max(high, value)
                if abs(low - handle.min) > 1e-6 * handle.step:
                    handle.min = low
                if abs(high - handle.max) > 1e-6 * handle.step:
                    handle.max = high
                if handle.value != value:
                    handle.value = value
        finally:
            self._silent = False


def pose_sliders(gui: Any, robot: Mechanism, display: Display, extent: float, path: Array | None = None) -> Sliders:
    """For each coordinate of a platform, at home; poses (N, n) of a path are within."""
    coordinates, home = robot.platform.coordinates, np.array(robot.platform.home, dtype=float)
    found = Sliders(gui, [c.name for c in coordinates], [c.turns for c in coordinates], home, display, extent)
    if path is not None:
        for x in (np.nanmin(path, axis=0), np.nanmax(path, axis=0), home):
            found.set(x)
    return found


def joint_sliders(gui: Any, robot: Mechanism, q: Array, display: Display, extent: float) -> Sliders:
    """For each actuator, at displacements q (actuators,)."""
    joints = robot.actuators
    strokes = [joint.limits.stroke for joint in joints]
    return Sliders(gui, robot.actuator_names, [joint.turns for joint in joints], q, display, extent, strokes)


def _rounded(value: float, step: float) -> float:
    """To a tenth of a step."""
    return round(value, 1 - round(np.log10(step))) + 0.0


def _within(low: float, high: float, step: float) -> tuple[float, float]:
    """Ends on whole steps, inside the range where it is longer than two of them; round-off does not take one away."""
    inner = float(np.ceil(low / step - _ROUND_OFF) * step), float(np.floor(high / step + _ROUND_OFF) * step)
    return inner if inner[1] - inner[0] >= 2.0 * step else (low, high)
