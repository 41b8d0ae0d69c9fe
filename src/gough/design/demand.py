"""What a motion requires of each actuator: peaks, rms, power and energy, and whether a motor can provide it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from gough.analysis.along_motion import Path, ReachError
from gough.analysis.check import SAMPLES, edges_of, sample_times
from gough.analysis.checked_quantities import parasitic_floor
from gough.analysis.extremes import extremes, extremes_at, farther, first_largest, pieces_of
from gough.design.motor_fit import Felt, Fit, Rotors, with_turns
from gough.design.size_result import Excess, exceeded
from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.status import Status
from gough.motion import Motion
from gough.robot import Robot
from gough.table import Result, column, computed

MOVING = 0.01
"""An actuator moves where it is faster than this share of its own peak speed: that is its duty."""
DRAWN = 1201


class Demand(Result):
    """What a motion requires of the actuators; arrays are (actuators,), joint-side, SI units.

    Attributes:
        robot, motion: The question.
        actuators: Their names.
        force, force_t: Largest by size, with its sign [N or N m], and when [s].
        rms_force: [N or N m].
        qd, qd_t, rms_qd: Largest speed, when [s], and rms [m/s or rad/s].
        power, power_t: Largest by size, with its sign [W].
        q_range, force_range: (actuators, 2) smallest and largest displacement [m or rad] and force [N or N m].
        mean_power: Over the whole motion [W].
        energy: Work delivered [J].
        regenerated: Work taken back, positive [J].
        duty: Share of the time in which it moves.
        fits: One per actuator where there is a motor, else empty.
        sampled: Number of samples of a user's function; 0 where extremes and integrals are exact between samples.
        curve: (N, actuators) speed and force for drawing, and their times; with a motor what it gives, joint-side.
        parasitic, parasitic_t: (dependent coordinates,) largest way from home by size [m or rad], and when [s].
    """

    robot: Robot
    motion: Motion
    actuators: tuple[str, ...] = column(name="actuator")
    force: Array = column(quantity="force")
    force_t: Array = column(quantity="s")
    rms_force: Array = column(quantity="force")
    qd: Array = column(quantity="rate")
    qd_t: Array = column(quantity="s")
    rms_qd: Array = column(quantity="rate")
    power: Array = column(quantity="W")
    power_t: Array = column(quantity="s")
    mean_power: Array = column(quantity="W")
    energy: Array = column(quantity="J")
    regenerated: Array = column(quantity="J")
    duty: Array = column()
    fits: tuple[Fit, ...]
    sampled: int
    curve: tuple[Any, Any, Any]
    parasitic: Array
    parasitic_t: Array
    q_range: Array
    force_range: Array

    INDEX, DRAWN, UNDER = "actuator", ("force", "qd", "power"), ""

    def strongest(self, quantity: str = "force") -> int:
        """The actuator with the largest "force", "qd" or "power"; of those equal to it the first in time."""
        return first_largest(np.abs(getattr(self, quantity)), getattr(self, f"{quantity}_t"))

    @property
    def exceeded(self) -> tuple[Excess, ...]:
        """The robot's own limits of stroke, speed, force and power that the motion goes beyond."""
        speed, power = (np.stack([-np.abs(v), np.abs(v)], axis=1) for v in (self.qd, self.power))
        ranges = {"stroke": self.q_range, "speed": speed, "force": self.force_range, "power": power}
        return exceeded(self.robot, ranges)

    @property
    @computed(quantity="displacement", name="q")
    def _ends(self) -> dict[str, Array]:
        return {"low": self.q_range[:, 0], "high": self.q_range[:, 1]}

    def facts(self) -> dict[str, Any]:
        """Facts that go with the table: the motion, dependent coordinates, the motor, limits that are exceeded."""
        facts: dict[str, Any] = {"robot": self.robot.name, "motion": self.motion.name}
        facts |= {"duration": self.motion.duration, "actuators": list(self.actuators), "sampled": self.sampled}
        if self.motion.base is not None:
            facts["base"] = self.motion.base.name
        if self.motion.smoothing and self.motion.recording is not None:
            facts["smoothing"] = self.motion.recording.to_dict(self.motion.coordinates)
        if len(self.parasitic):
            ways = zip(self.robot.dependent_names, self.parasitic.tolist(), self.parasitic_t.tolist(), strict=True)
            facts["parasitic"] = {name: {"value": value, "t": t} for name, value, t in ways}
        if (motor := self.robot.motor) is not None:
            facts["motor"] = {"name": motor.name, "ratio": motor.ratio, "efficiency": motor.efficiency}
            facts["fits"] = [vars(fit) for fit in self.fits]
        facts["exceeded"] = [asdict(e) | {"actuator": self.actuators[e.actuator]} for e in self.exceeded]
        return facts


def demand(
    robot: Robot,
    motion: Motion,
) -> Demand:
    """What a motion requires of each actuator.

    Args:
        robot: Any; with its motor, if it has one.
        motion: Its motion, with wrench and base.

    Raises:
        ReachError: A leg cannot follow, or forces have no bound.
    """
    motor = robot.motor
    moved = Motion.of(robot, motion)
    also = () if motor is None or motor.lossless else ("qdd",)
    path = Path(robot, moved, also=also)
    times = sample_times(path, DRAWN)
    m = len(robot.actuators)

    def signed(t: Array, inside: Array) -> Array:
        raw = path.drive(t, inside)
        return np.concatenate([raw["force"], raw["qd"], raw["power"], raw["q"]], axis=1)

    def squared(t: Array, inside: Array) -> Array:
        force, speed, power, _ = np.split(signed(t, inside), 4, axis=1)
        driving = np.split(signed(inside, inside), 4, axis=1)[2] > 0.0
        return np.concatenate([force**2, speed**2, power, np.where(driving, power, 0.0)], axis=1)

    if path.analytic:
        edges = edges_of(path)
        kinds = np.repeat(range(4), m).tolist()
        pieces = pieces_of(signed, edges, kinds=kinds)
        low, high = extremes(signed, pieces)
        edges = with_turns(pieces, edges, 2 * m)
        integrals = pieces_of(squared, edges, kinds=kinds).integral()
    else:
        times = sample_times(path, SAMPLES)
        low, high = extremes_at(times, signed(times, times))
        integrals = np.asarray(np.trapezoid(squared(times, times), times, axis=0))
    larger = [farther(a, b) for a, b in zip(low, high, strict=True)]
    values = np.array([e.value for e in larger]).reshape(4, m)
    if not np.isfinite(values).all():
        first = min(e.t for e in larger if not np.isfinite(e.value))
        raise ReachError(moved.name, Status.NEAR_SINGULAR, "", np.inf, first)
    when = np.array([e.t for e in larger]).reshape(4, m)
    ranges = np.array([[a.value, b.value] for a, b in zip(low, high, strict=True)]).reshape(4, m, 2)
    f2, v2, work, driven = integrals.reshape(4, m)
    raw = path.drive(times, times)
    rms = np.sqrt(np.maximum([f2, v2], 0.0) / moved.duration)
    duty = (np.abs(raw["qd"]) > MOVING * np.abs(values[1])).mean(axis=0)
    fits: tuple[Fit, ...] = ()
    given = raw["force"]
    if motor is not None:
        rotors = Rotors(path, motor)
        if motor.lossless:
            felt = Felt(values[0] / motor.ratio, rms[0] / motor.ratio, values[2], driven, driven - work)
        else:
            felt, given = rotors.felt(), rotors.torque(times, times) * motor.ratio
        fits = rotors.fits(felt, values[1], rms[1])
    return Demand(
        robot, moved, robot.actuator_names, values[0], when[0], rms[0], values[1], when[1], rms[1],
        values[2], when[2], work / moved.duration, driven, driven - work, duty, fits,
        0 if path.analytic else SAMPLES, (times, raw["qd"], given), *_parasitic(path), ranges[3], ranges[0],
    )  # fmt: skip


def _parasitic(path: Path) -> tuple[Array, Array]:
    """Largest way from home of each dependent coordinate, and when."""
    if not path.robot.platform.dependent:
        return np.zeros(0), np.zeros(0)
    home = dependent_coordinates(path.robot, path.robot.platform.home)[0]

    def away(t: Array, _inside: Array) -> Array:
        return np.asarray(dependent_coordinates(path.robot, path.state(t)["x"])[0] - home)

    if path.analytic:
        ends = extremes(away, pieces_of(away, edges_of(path), floor=parasitic_floor(path.robot)))
    else:
        times = sample_times(path, SAMPLES)
        ends = extremes_at(times, away(times, times))
    larger = [farther(a, b) for a, b in zip(*ends, strict=True)]
    return np.array([e.value for e in larger]), np.array([e.t for e in larger])
