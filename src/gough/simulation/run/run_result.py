"""The result of a simulation: the motion, its forces, and the energy audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.display import Display
from gough.graph import Array
from gough.kinematics.configuration import charts, coordinate_rates
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.programs import characteristic_length
from gough.kinematics.random_states import GRAVITY
from gough.robot import Mechanism
from gough.simulation.control.known_model import targets
from gough.simulation.events import Occurrence
from gough.simulation.run.running import Running
from gough.table import Result, column, computed


class Simulation(Result):
    """A run of one robot at T times.

    Attributes:
        robot: The robot.
        input: Name of the input.
        coordinates, actuators: Names on the axes.
        t: (T,) [s].
        x, xd: (T, n) platform coordinates and rates; rates are NaN where the coordinates' own chart is singular.
        q, qd: (T, actuators) from each actuator's zero.
        force: (T, actuators) [N or N m]; NaN where a controller failed.
        reference: (T, n) coordinates of the motion that was followed, or None.
        kinetic, potential: (T,) energies [J].
        work: (T,) done by actuators and external wrench since the start [J].
        dissipated: (T,) dissipated by friction since the start [J].
        balance: (T,) energy gained - work + dissipated: the error of the integration [J].
        allowed_balance: Largest |balance| that the integration's tolerances explain: see `allowed_balance` [J].
        closure: (T,) largest closure error of a leg [m].
        events: Events that occurred.
        complete: Whether the end was reached.
        why: What ended it early; "" if nothing did.
        method, steps, evaluations: Of the integration.
        smoothing: One line on how the recording that was followed was smoothed; "" where nothing was asked for.
    """

    robot: Mechanism
    input: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    t: Array = column(quantity="s")
    x: Array = column("coordinate", "displacement", prefix="")
    xd: Array = column("coordinate", "rate")
    q: Array = column("actuator", "displacement")
    qd: Array = column("actuator", "rate")
    force: Array = column("actuator", "force")
    reference: Array | None = column("coordinate", "displacement")
    kinetic: Array = column(quantity="J")
    potential: Array = column(quantity="J")
    work: Array = column(quantity="J")
    dissipated: Array = column(quantity="J")
    balance: Array = column(quantity="J")
    allowed_balance: float
    closure: Array = column(quantity="m")
    events: tuple[Occurrence, ...]
    complete: bool
    why: str
    method: str
    steps: int
    evaluations: int
    smoothing: str
    _dense: Callable[[Any], Any] = field(repr=False, compare=False)

    COLUMNS = (
        *("t", "x", "xd", "dependent", "reference", "q", "qd", "force", "power"),
        *("kinetic", "potential", "work", "dissipated", "balance", "closure"),
    )
    FACTS = ("robot", "input", "complete", "why", "method", "steps", "evaluations", "events", "summary", "smoothing")
    INDEX, DRAWN = "t", ("x", "force", "power", "balance")

    def at(self, t: ArrayLike) -> Simulation:
        """The same run at other times (T,), from the integrator's dense output."""
        found: Simulation = self._dense(np.atleast_1d(np.asarray(t, dtype=float)))
        return found

    @cached_property
    @computed("dependent")
    def dependent(self) -> tuple[Array, Array]:
        """(T, k) platform coordinates that follow the others, in the order of `robot.dependent_names`, and rates."""
        values, rates = dependent_coordinates(self.robot, self.x, self.xd)
        return values, rates

    @property
    def error(self) -> Array | None:
        """(T, n) reference - x, angles within half a turn; None if nothing was followed."""
        if self.reference is None:
            return None
        return within_half_a_turn(self.robot, self.reference - self.x)

    @property
    def summary(self) -> str:
        """One line: how far it came, the energies and what their balance leaves, closure, tracking; SI and radians."""
        return self.summary_in(Display(angle=(1.0, "rad")))

    @property
    def converted(self) -> float:
        """Energy that was converted: peak kinetic energy, range of the potential energy, work and dissipation [J]."""
        return converted(self.kinetic, self.potential, self.work, self.dissipated)

    @property
    def balanced(self) -> bool:
        """Whether the energy balance is within what the integration's tolerances explain at all T times."""
        return bool(np.abs(self.balance).max() <= self.allowed_balance)

    @property
    def imbalance(self) -> str:
        """One line on an energy balance that is off; "" if it is not."""
        if self.balanced:
            return ""
        off, end = np.abs(self.balance), f"{self.allowed_balance:.1e} J allowed"
        return (
            f"energy balance off by {off.max():.1e} J of {self.converted:.1e} J converted, {end}: the motion is wrong; "
            f"try a smaller rtol, a larger slip, or gough verify {self.robot.name}"
        )

    def summary_in(self, display: Display) -> str:
        """The summary in the units shown."""
        peak = float(np.max(self.kinetic))
        left = float(np.max(np.abs(self.balance)))
        share = f" ({left / peak:.1e} of peak kinetic)" if peak > 10.0 * left else ""
        (length, unit), (pace, clock) = display.length, display.time
        parts = [
            f"{self.robot.name}, {self.input}: {(self.t[-1] - self.t[0]) * pace:.6g} {clock} in {self.steps} steps",
            f"work {self.work[-1]:.4g} J, dissipated {self.dissipated[-1]:.4g} J, balance {left:.1e} J{share}",
            f"closure {float(np.max(self.closure)) * length:.1e} {unit}",
        ]
        if self.error is not None:
            parts.append(f"largest error {errors_text(self.robot, np.abs(self.error).max(axis=0), display)}")
        if not self.complete:
            why = next((event.clause(display) for event in self.events if event.text == self.why), self.why)
            parts.append(f"complete: false ({why})")
        return "; ".join(parts)

    @property
    @computed("actuator", "W")
    def power(self) -> Array:
        """(T, actuators) force times qd [W]."""
        return self.force * self.qd

    def _remarks(self) -> tuple[str, ...]:
        return tuple(filter(None, (*remarks_on(self.why, self.smoothing), self.imbalance)))

    def facts(self) -> dict[str, Any]:
        """Facts stated beside the table."""
        return super().facts() | {"events": [str(event) for event in self.events]}


def remarks_on(why: str, smoothing: str) -> tuple[str, ...]:
    """What a file says before its table: why the run ended early, how its motion was smoothed."""
    return tuple(line for line in (why and f"complete: false ({why})", smoothing) if line)


def within_half_a_turn(robot: Mechanism, apart: Array) -> Array:
    """Differences (..., n) of coordinates, of angles without whole turns."""
    turns = np.array([c.turns for c in robot.platform.coordinates])
    return np.where(turns, (apart + np.pi) % (2.0 * np.pi) - np.pi, apart)


def errors_text(robot: Mechanism, error: Array, display: Display) -> str:
    """The largest of slides and of turns as text, of errors (n,) of the coordinates."""
    turns = np.array([c.turns for c in robot.platform.coordinates])
    parts = []
    for turning in (False, True):
        if (turns == turning).any():
            factor, unit = display.travel(turning)
            parts.append(f"{error[turns == turning].max() * factor:.3g} {unit}")
    return ", ".join(parts)


BALANCE = 1e-6
"""Largest |balance| that is always allowed, relative to the energy converted: some 1e3 times that of default runs."""


def converted(kinetic: Array, potential: Array, work: Array, dissipated: Array) -> float:
    """Peak kinetic energy, range of the potential energy, largest work and dissipation, each (T,), added [J]."""
    return float(np.max(kinetic) + np.ptp(potential) + np.abs(work).max() + np.abs(dissipated).max())


def allowed_balance(robot: Mechanism, energy: float, potential: Array, steps: int, tolerance: float) -> float:
    """Largest |balance| that is no sign of a wrong motion [J].

    Each step of the integrator may be off by its tolerance, relative to all energy there is: that converted, the level
    of the potential energy, and the robot's weight times its length, below which energies are round-off. Ten times the
    sum is allowed, but no more than a hundredth, however coarse the tolerance.

    Args:
        robot: The robot.
        energy: Energy converted [J].
        potential: (T,) [J].
        steps: Of the integrator.
        tolerance: rtol + atol.
    """
    mass = sum(body.mass for body in robot.bodies)
    whole = energy + float(np.abs(potential).max()) + mass * GRAVITY * characteristic_length(robot)
    return max(BALANCE * energy, min(10.0 * steps * tolerance, 0.01) * whole)


def run_result(
    run: Running, times: Array, happened: tuple[Occurrence, ...], why: str, method: str, tolerance: float
) -> Simulation:
    """The run at those of the times that it reached, and at its end if it ended early."""
    end = run.pieces.end
    kept = times[times <= end]
    if why and (not len(kept) or kept[-1] < end):
        kept = np.append(kept, end)
    return result_at(run, kept, happened, why, method, tolerance)


def result_at(
    run: Running, t: Array, happened: tuple[Occurrence, ...], why: str, method: str, tolerance: float
) -> Simulation:
    """The run at times t."""
    system, robot, motion = run.system, run.robot, run.drive.motion
    y = run.pieces(t)
    c, z = (np.ascontiguousarray(part) for part in run.split(y))
    sensed = system.program("sensors")(c=c, z=z)
    energy = system.program("energy")(c=c, z=z)
    c_start, z_start = (part.copy() for part in run.split(run.pieces.start))
    start = system.program("energy")(c=c_start, z=z_start)
    gained = energy["kinetic"] + energy["potential"] - (start["kinetic"] + start["potential"])
    x = np.atleast_2d(charts(robot)[1](c=c))
    work, dissipated, steps = y[:, -2], y[:, -1], len(run.pieces.solutions)
    energy_converted = converted(energy["kinetic"], energy["potential"], work, dissipated)
    with np.errstate(all="ignore"):
        force = run.pulls(t, c, z, run.commanded(t, c, z, sensed["q"], sensed["qd"]))["acting"]
    return Simulation(
        robot,
        run.drive.text,
        robot.coordinate_names,
        robot.actuator_names,
        t=t,
        x=x,
        xd=coordinate_rates(robot, x, z),
        q=sensed["q"],
        qd=sensed["qd"],
        force=force,
        reference=None if motion is None else targets(motion, t)[0],
        kinetic=energy["kinetic"],
        potential=energy["potential"],
        work=work,
        dissipated=dissipated,
        balance=gained - work + dissipated,
        allowed_balance=allowed_balance(robot, energy_converted, energy["potential"], steps, tolerance),
        closure=system.program("watch")(c=c, z=z)["residual"].max(axis=1),
        events=happened,
        complete=why == "",
        why=why,
        method=method,
        steps=steps,
        evaluations=run.evaluations,
        smoothing="" if motion is None else motion.smoothing,
        _dense=lambda other: result_at(run, other, happened, why, method, tolerance),
    )
