"""How far each slider goes from a pose: travel of the platform's coordinates and of the actuators, and what ends it.

A coordinate is followed with all others still, by the rays of the workspace: 64 steps, then the root of the least
margin. An actuator is followed with all others locked, the platform by Newton's method on K from pose to pose, so it
stays in its assembly mode; steps are halved where a limit or a fold is met. Both take one compiled program of margins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.robot import Mechanism
from gough.workspaces.conditions import conditions_of
from gough.workspaces.margins import Limit
from gough.workspaces.rays import RayTracer, ray_tracer
from gough.workspaces.travel import margins_at, travels, violated

COARSE = 12
"""Steps of an actuator over its stroke; `FINE` halvings follow where one is too long."""
FINE = 8
NEWTON = 20
CLOSE = 1e-9
"""Steps of Newton's method, and the last of them at which a pose is found [m or rad]."""
ROUND_OFF = 1e-9
"""A stroke that is passed by less, of a meter or radian, is its end."""
FOLD = "fold"
"""What ends the way of an actuator that the platform cannot follow further."""


@dataclass(frozen=True, slots=True)
class Room:
    """Of one slider.

    Attributes:
        low, high: From where to where [m or rad].
        low_end, high_end: What ends it, in words; empty where nothing does within what is looked at.
    """

    low: float
    high: float
    low_end: str = ""
    high_end: str = ""


class Reach:
    """Limits and travel of a robot, told from any pose; what they take is compiled when it is first asked for."""

    def __init__(self, robot: Mechanism, extent: float) -> None:
        """Of the limits that bound the robot's workspace; a slider that none ends goes as far as the extent [m]."""
        self.robot, self._extent = robot.without_tool, extent  # sliders move the platform's own coordinates
        self._conditions = conditions_of(robot)

    @cached_property
    def _tracer(self) -> RayTracer:
        return ray_tracer(self.robot, self._conditions)

    def violated(self, x: Array) -> tuple[Limit, ...]:
        """The limits that the pose x (n,), which all legs reach, does not keep."""
        return violated(self._tracer, x)

    def of_platform(self, x: Array) -> list[Room] | None:
        """Of each coordinate with all others as at x (n,); None where x is not within the limits."""
        try:
            found = travels(self.robot, self._conditions, x)
        except InputError:
            return None
        rooms = []
        for row in found:
            most = np.pi if row.turns else self._extent
            down, up = row.at - row.low <= most, row.high - row.at <= most
            low, high = row.low if down else row.at - most, row.high if up else row.at + most
            ends = _words(row.low_limits) if down else "", _words(row.high_limits) if up else ""
            rooms.append(Room(float(low), float(high), *ends))
        return rooms

    def of_actuators(self, x: Array) -> list[Room] | None:
        """Of each actuator with all others locked as at x (n,); None where x is not within the limits."""
        if self.violated(x):
            return None
        q = inverse_kinematics(self.robot, x).q
        m = len(q)
        low, high = self._ends(q)
        own = np.repeat(np.arange(m), 2)
        ends = np.column_stack([low, high]).ravel()
        step = (ends - q[own]) / COARSE
        shortest = np.abs(step) / 2.0**FINE
        at, poses, why = np.tile(q, (2 * m, 1)), np.tile(x, (2 * m, 1)), [""] * (2 * m)
        left = np.flatnonzero(step)
        for _ in range(COARSE + 2 * FINE):
            if not len(left):
                break
            asked = at[left].copy()
            asked[np.arange(len(left)), own[left]] += step[left]
            asked = np.clip(asked, low, high)
            moved, found = self._followed(poses[left], asked)
            stops = self._stops(moved, found)
            good = np.array([not stop for stop in stops])
            at[left[good]], poses[left[good]] = asked[good], moved[good]
            for k, stop in zip(left, stops, strict=True):
                why[k] = stop or why[k]
            step[left[~good]] /= 2.0
            ended = at[left, own[left]] == ends[left]
            left = left[~ended & (np.abs(step[left]) >= shortest[left])]
        reached = inverse_kinematics(self.robot, poses).q[np.arange(2 * m), own]
        strokes = [joint.limits.stroke is not None for joint in self.robot.actuators]
        texts = [why[k] if at[k, own[k]] != ends[k] else "its stroke" if strokes[own[k]] else "" for k in range(2 * m)]
        return [Room(*sorted(reached[2 * k : 2 * k + 2].tolist()), *texts[2 * k : 2 * k + 2]) for k in range(m)]

    def _ends(self, q: Array) -> tuple[Array, Array]:
        """(actuators,) least and largest displacement: strokes, or a half turn or the machine's size either way."""
        room = [np.pi if joint.turns else self._extent for joint in self.robot.actuators]
        strokes = [joint.limits.stroke for joint in self.robot.actuators]
        ends = [stroke or (at - most, at + most) for stroke, at, most in zip(strokes, q.tolist(), room, strict=True)]
        low, high = np.array(ends, dtype=float).T
        return np.minimum(low, q), np.maximum(high, q)

    def _followed(self, x: Array, q: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Poses (N, n) at displacements q (N, actuators), from poses x near them, and whether each was found."""
        x = x.copy()
        for _ in range(NEWTON):
            here = inverse_kinematics(self.robot, x)
            known = np.isfinite(here.K).all(axis=(1, 2)) & np.isfinite(here.q).all(axis=1)
            step = np.zeros_like(x)
            gap = np.where(self._turning, np.remainder(q - here.q + np.pi, 2.0 * np.pi) - np.pi, q - here.q)
            step[known] = (np.linalg.pinv(here.K[known]) @ gap[known, :, None])[..., 0]
            x += step
            size = np.where(known, np.abs(step).max(axis=1), np.inf)
            found = size < CLOSE
            if (found | ~known).all():
                break
        return x, found

    @cached_property
    def _turning(self) -> NDArray[np.bool_]:
        return np.array([joint.turns for joint in self.robot.actuators])

    def _stops(self, x: Array, fine: NDArray[np.bool_]) -> list[str]:
        """For each pose (N, n) what is not kept there, empty where it can be; those not fine were not found."""
        stops = [FOLD] * len(x)
        if fine.any():
            margins = margins_at(self._tracer, x[fine])
            slack = np.array([ROUND_OFF if limit.kind == "stroke" else 0.0 for limit in self._tracer.limits])
            for k, row in zip(np.flatnonzero(fine).tolist(), margins + slack, strict=True):
                met = [limit for limit, margin in zip(self._tracer.limits, row, strict=True) if not margin > 0.0]
                stops[k] = _words(tuple(met))
        return stops


def _words(limits: tuple[Limit, ...]) -> str:
    return "; ".join(dict.fromkeys(limit.text for limit in limits[:2])) + (" ..." if len(limits) > 2 else "")
