"""A motor against what a motion asks of an actuator: torque and power at the rotor, and what its curves leave.

With F the force of the joint, r the ratio, J the inertia before the losses and e the efficiency, the rotor's torque is

    r J qdd + factor (F - r^2 J qdd) / r

where the factor is 1 / e while the load F - r^2 J qdd takes power from the motor, e while it gives power back, and 1
while the actuator stands still. It jumps where the actuator turns round and has a kink where the load passes zero:
pieces end there, so that extremes and integrals are exact between samples as those of forces are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.check import SAMPLES, edges_of, merged_edges, sample_times
from gough.analysis.extremes import Pieces, Quantities, extremes, extremes_at, farther, pieces_of, sign_changes
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Motor, Robot
from gough.robot.leg_values import ROUND_OFF


@dataclass(frozen=True)
class Fit:
    """A motor against an actuator's demand.

    Attributes:
        fits: Whether peak and continuous curves and the largest speed are kept.
        peak_margin: Least torque left under the peak curve [N m], NaN without one; peak_t when [s].
        rms_torque, rms_speed: At the rotor [N m, rad/s].
        continuous_margin: Torque left under the continuous curve at rms speed and rms torque [N m]; NaN without one.
        speed_margin: Left to the last speed of the curves [rad/s].
        torque, speed: Largest by size, with their signs, at the rotor [N m, rad/s].
        power: Largest by size, with its sign, at the rotor [W].
        energy, regenerated: Work that the rotor delivers, and that it takes back, positive [J].
    """

    fits: bool
    peak_margin: float
    peak_t: float
    rms_torque: float
    rms_speed: float
    continuous_margin: float
    speed_margin: float
    torque: float = np.nan
    speed: float = np.nan
    power: float = np.nan
    energy: float = np.nan
    regenerated: float = np.nan


@dataclass(frozen=True)
class Felt:
    """What all rotors feel along a motion; arrays are (actuators,).

    Attributes:
        torque, rms_torque: At the rotor, the largest by size with its sign [N m].
        power: Largest by size, with its sign [W].
        energy, regenerated: [J].
    """

    torque: Array
    rms_torque: Array
    power: Array
    energy: Array
    regenerated: Array


@dataclass(frozen=True)
class Rotors:
    """The rotors of a motor that is on all actuators of a path.

    Attributes:
        path: The robot along its motion, also with "qdd" where the transmission has losses.
        motor: The robot's.
    """

    path: Path
    motor: Motor

    def torque(self, t: Array, inside: Array) -> Array:
        """(N, actuators) at times, the direction of power that of the times `inside` the same pieces [N m]."""
        factor = 1.0 if self.motor.lossless else self._factor(inside)
        raw = self.path.drive(t, inside)
        if self.motor.lossless:
            return np.asarray(raw["force"] / self.motor.ratio)
        load = self.motor.load(raw["force"], raw["qdd"])
        return np.asarray((raw["force"] - load + factor * load) / self.motor.ratio)

    def _factor(self, inside: Array) -> Array:
        """(N, actuators) of the load, at times of which many are the same."""
        middles, places = np.unique(inside, return_inverse=True)
        raw = self.path.drive(middles, middles)
        moving = np.where(np.abs(raw["qd"]) > self.path.still, raw["qd"], 0.0)
        return np.asarray(self.motor.losses(self.motor.load(raw["force"], raw["qdd"]) * moving)[places])

    @cached_property
    def edges(self) -> list[float]:
        """Times at which the torque of a rotor may jump or have a kink."""
        edges = edges_of(self.path)
        if self.motor.lossless or not self.path.analytic:
            return edges

        def signed(t: Array, inside: Array) -> Array:
            raw = self.path.drive(t, inside)
            return np.concatenate([self.motor.load(raw["force"], raw["qdd"]), raw["qd"]], axis=1)

        m = len(self.path.robot.actuators)
        pieces = pieces_of(signed, edges, kinds=["load"] * m + ["qd"] * m)
        return with_turns(pieces, edges, len(pieces.scale))

    def used(self) -> float:
        """Largest share of the motor's curve that any actuator uses at any time, between samples too."""
        curve, ratio = self.motor.limiting, self.motor.ratio

        def used(t: Array, inside: Array) -> Array:
            t = np.nextafter(t, inside)  # where the motion jumps, that side of the jump whose power decides the losses
            return curve.used(self.torque(t, inside), self.path.drive(t, inside)["qd"] * ratio)

        if self.path.analytic:
            found = extremes(used, pieces_of(used, self.edges))[1]
        else:
            times = sample_times(self.path, SAMPLES)
            found = extremes_at(times, used(times, times))[1]
        return max(one.value for one in found)

    def felt(self) -> Felt:
        """Peaks, rms and energy at the rotors."""
        m = len(self.path.robot.actuators)

        def signed(t: Array, inside: Array) -> Array:
            torque = self.torque(t, inside)
            return np.concatenate([torque, torque * self.path.drive(t, inside)["qd"] * self.motor.ratio], axis=1)

        def integrated(t: Array, inside: Array) -> Array:
            torque, power = np.split(signed(t, inside), 2, axis=1)
            middles, places = np.unique(inside, return_inverse=True)
            driving = signed(middles, middles)[places, m:] > 0.0
            return np.concatenate([torque**2, power, np.where(driving, power, 0.0)], axis=1)

        if self.path.analytic:
            kinds = np.repeat(range(3), m).tolist()
            pieces = pieces_of(signed, self.edges, kinds=kinds[: 2 * m])
            low, high = extremes(signed, pieces)
            integrals = pieces_of(integrated, with_turns(pieces, self.edges, m), kinds=kinds).integral()
        else:
            times = sample_times(self.path, SAMPLES)
            low, high = extremes_at(times, signed(times, times))
            integrals = np.asarray(np.trapezoid(integrated(times, times), times, axis=0))
        torque, power = np.array([farther(a, b).value for a, b in zip(low, high, strict=True)]).reshape(2, m)
        squares, work, driven = integrals.reshape(3, m)
        rms = np.sqrt(np.maximum(squares, 0.0) / self.path.motion.duration)
        return Felt(torque, rms, power, driven, driven - work)

    def fits(self, felt: Felt, speeds: Array, rms_speeds: Array) -> tuple[Fit, ...]:
        """The motor against each actuator, with largest and rms speeds (actuators,) of the joints."""
        return tuple(
            self._fit(k, felt, float(speeds[k] * self.motor.ratio), float(rms_speeds[k] * self.motor.ratio))
            for k in range(len(speeds))
        )

    def _fit(self, k: int, felt: Felt, fastest: float, speed: float) -> Fit:
        motor, torque = self.motor, float(felt.rms_torque[k])
        peak, when = np.nan, np.nan
        if motor.peak is not None:
            curve = motor.peak

            def left(t: Array, inside: Array) -> Array:
                torque = np.abs(self.torque(t, inside)[:, k])
                return np.asarray((curve(self.path.drive(t, inside)["qd"][:, k] * motor.ratio) - torque)[:, None])

            peak, when = self._least(left)
        lasting = float(motor.continuous(speed) - torque) if motor.continuous is not None else np.nan
        curves = [c for c in (motor.peak, motor.continuous) if c is not None]
        spare = float(curves[0].speed[-1] - abs(fastest)) if curves else np.nan
        strongest = max((max(curve.torque) for curve in curves), default=0.0)
        sizes = (strongest, strongest, abs(fastest))
        fits = all(not left < -ROUND_OFF * size for left, size in zip((peak, lasting, spare), sizes, strict=True))
        own = (float(values[k]) for values in (felt.power, felt.energy, felt.regenerated))
        return Fit(fits, peak, when, torque, speed, lasting, spare, float(felt.torque[k]), fastest, *own)

    def _least(self, function: Quantities) -> tuple[float, float]:
        """Smallest value of one quantity, and when."""
        if self.path.analytic:
            low, _ = extremes(function, pieces_of(function, self.edges))
        else:
            times = sample_times(self.path, SAMPLES)
            low, _ = extremes_at(times, function(times, times))
        return low[0].value, low[0].t


def motor_used(robot: Robot, motion: Motion) -> float:
    """Largest share of the curve of a robot's motor that any actuator uses along a motion; 0 without a motor."""
    motor = robot.motor
    if motor is None:
        return 0.0
    return Rotors(Path(robot, motion, also=() if motor.lossless else ("qdd",)), motor).used()


def with_turns(pieces: Pieces, edges: list[float], columns: int) -> list[float]:
    """Edges, and the times at which one of the first columns of pieces passes zero."""
    found = [sign_changes(pieces, k, 1e-12 * float(pieces.scale[k])) for k in range(columns)]
    return merged_edges(np.concatenate([edges, *found]))
