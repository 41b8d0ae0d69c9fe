"""Steppers, which advance thousands of robots together by one step: one for each kind of input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.draws.counter import uniforms
from gough.errors import InputError, NumericalError
from gough.graph import Array, Vector
from gough.simulation.control.controller import Controller, Custom, InputLike
from gough.simulation.control.known_model import load_of
from gough.simulation.control.loop import Loop
from gough.simulation.ensemble.recorded_steps import loop_program, step_program
from gough.simulation.inputs import Forces, Springs, value_at
from gough.simulation.own_function import call_own
from gough.simulation.system import System


class Stepper:
    """One step of all robots under forces of time, held over the step.

    Attributes:
        text: What drives them.
        carried: (k) -> {"base": (3, 9)}: how the base moves in step k; {} where it stands still.
    """

    carried: Callable[[int], dict[str, Any]] = staticmethod(lambda _k: {})

    def __init__(
        self, system: System, text: str, dt: float, p: Vector, threads: int | None, forces: Callable[[int], Any]
    ) -> None:
        """`forces` is called with the number of the step."""
        self.system, self.text, self.dt, self.threads, self.forces = system, text, dt, threads, forces
        self.extra = {} if p is None else {"p": p}
        self.spare: dict[str, Array] = {}

    def __call__(self, k: int, c: Array, z: Array) -> tuple[Array, Array]:
        """c and z after step k."""
        return self.held(k, c, z, self.forces(k))

    def held(self, k: int, c: Array, z: Array, force: Vector, wrench: Vector = None) -> tuple[Array, Array]:
        """c and z after step k under these forces, and this external wrench (6,)."""
        out = self._out(c, z)
        base = self.carried(k)
        program = step_program(self.system, wrench=wrench is not None, base=bool(base))
        outer = base | ({} if wrench is None else {"wrench": wrench})
        program(c=c, z=z, u=force, dt=self.dt, **outer, **self.extra, threads=self.threads, out=out)
        self.spare = {"c": c, "z": z}
        return out["c"], out["z"]

    def _out(self, c: Array, z: Array) -> dict[str, Array]:
        """Arrays to write the next state into: those of the state before the present one."""
        if not self.spare:
            return {"c": np.empty_like(c), "z": np.empty_like(z)}
        return dict(self.spare)


class SpringStepper(Stepper):
    """Springs at every stage of the step."""

    def __init__(self, springs: Springs, system: System, x: Array, dt: float, p: Vector, threads: int | None) -> None:
        """Springs that rest where the first robot needs them."""
        m = len(system.robot.actuators)
        super().__init__(system, "springs", dt, p, threads, lambda _k: np.zeros(m))
        self.law = _SpringLaw(system, *(tuple(v.tolist()) for v in springs.ready(system.robot, x[0])))

    def __call__(self, k: int, c: Array, z: Array) -> tuple[Array, Array]:
        """c and z after step k."""
        out = self._out(c, z)
        base = self.carried(k)
        program = step_program(self.system, self.law, 1, False, base=bool(base))
        program(c=c, z=z, u=np.zeros((3, 1)), dt=self.dt, **base, **self.extra, threads=self.threads, out=out)
        self.spare = {"c": c, "z": z}
        return out["c"], out["z"]


class _SpringLaw:
    """Recorded springs; equal ones are one program."""

    def __init__(self, system: System, k: tuple[float, ...], d: tuple[float, ...], rest: tuple[float, ...]) -> None:
        self.system, self.numbers = system, (k, d, rest)

    def __call__(self, c: Vector, z: Vector, _u: Vector, p: Vector) -> Vector:
        k, d, rest = (np.array(v) for v in self.numbers)
        sensed = self.system.sensors(c, z, p)
        return -((sensed["q"] - rest) * k + sensed["qd"] * d)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SpringLaw) and (self.system, self.numbers) == (other.system, other.numbers)

    def __hash__(self) -> int:
        return hash((self.system, self.numbers))


class LoopStepper(Stepper):
    """A controller inside the step, or beside it where it acts more rarely or late."""

    def __init__(
        self, loop: Loop, c: Array, numbers: NDArray[np.int_], t0: float, dt: float, p: Vector, threads: int | None
    ) -> None:
        """For robots of these numbers."""
        m = len(loop.plant.robot.actuators)
        super().__init__(loop.plant, loop.controller.text, dt, p, threads, lambda _k: np.zeros(m))
        self.loop, self.numbers, self.t0 = loop, numbers, t0
        self.kept = {"guess": c.copy()} if loop.estimates else {}
        period = loop.controller.sample_time or dt
        self.period, self.late = _multiple("sample time", period, dt), _multiple("delay", loop.controller.delay, dt, 0)
        self.waiting: list[tuple[int, Array]] = []
        self.force: Array | None = None

    def __call__(self, k: int, c: Array, z: Array) -> tuple[Array, Array]:
        """c and z after step k."""
        inside = self.period == 1 and self.late == 0
        if not inside:
            now = np.array([self.t0 + k * self.dt])
            outer = load_of(self.loop.controller.motion, now)[0] if self.loop.loaded else None
            return self.held(k, c, z, self._force_at(k, c, z), outer)
        out = self._out(c, z)
        base = self.carried(k)
        found = loop_program(self.loop, bool(base))(
            c=c, z=z, dt=self.dt, **self._sample(k, c, z), **base, **self.extra, threads=self.threads, out=out
        )
        self._keep(found)
        self.spare = {"c": c, "z": z}
        return out["c"], out["z"]

    def _sample(self, k: int, c: Array, z: Array) -> dict[str, Any]:
        """Reference, draws, and what is kept of the sample before the one taken at the start of step k."""
        given: dict[str, Any] = {"u": self.loop.reference(self.t0 + k * self.dt)[0]}
        noise = self.loop.controller.noise
        if noise is not None:
            given["draw"] = uniforms(noise.seed, self.numbers, k // self.period, self.loop.draws)
        if self.loop.step is not None and "reading" not in self.kept:  # nothing was read before: at rest
            none = np.zeros((len(c), len(self.system.robot.actuators)))
            first = self.loop.program(c=c, z=z, **given, **self.kept, reading=none, **self.extra, threads=self.threads)
            self.kept["reading"] = first["reading"]
        return given | self.kept

    def _keep(self, found: Any) -> None:
        """What the next sample takes."""
        if self.kept:
            self.kept = {name: found[name] for name in self.kept}

    def _force_at(self, k: int, c: Array, z: Array) -> Array:
        if k % self.period == 0:
            found = self.loop.program(c=c, z=z, **self._sample(k, c, z), **self.extra, threads=self.threads)
            self._keep(found)
            force = found["force"] if isinstance(found, dict) else found
            self.waiting.append((k + self.late, force))
        while self.waiting and (self.force is None or self.waiting[0][0] <= k):
            self.force = self.waiting.pop(0)[1]
        assert self.force is not None
        return self.force


class CustomStepper(Stepper):
    """A user's function of t, q, qd for all robots at once."""

    def __init__(self, custom: Custom, system: System, t0: float, dt: float, p: Vector, threads: int | None) -> None:
        """Called every step, or every sample time."""
        super().__init__(system, "function", dt, p, threads, lambda _k: None)
        self.custom, self.t0 = custom, t0
        self.period = _multiple("sample time", custom.sample_time or dt, dt)
        self.late = _multiple("delay", custom.delay, dt, 0)
        self.waiting: list[tuple[int, Array]] = []
        self.largest = Controller.largest(custom, system.robot)  # type: ignore[arg-type]
        self.force: Any = None

    def __call__(self, k: int, c: Array, z: Array) -> tuple[Array, Array]:
        """c and z after step k."""
        if k % self.period == 0:
            t = self.t0 + k * self.dt
            sensed = self.system.program("sensors")(c=c, z=z, **self.extra)
            force = np.asarray(
                call_own("controller", t, self.custom.function, t, sensed["q"], sensed["qd"]), dtype=float
            )
            if force.shape != sensed["q"].shape:
                raise InputError(
                    f"controller: returned shape {force.shape} at t = {t:.6g} s, expected {sensed['q'].shape}"
                )
            if not np.isfinite(force[np.isfinite(sensed["q"]).all(axis=1)]).all():
                raise NumericalError(f"controller: a force is not a number at t = {t:.6g} s")
            force = force if self.largest is None else np.clip(force, -self.largest, self.largest)
            self.waiting.append((k + self.late, force))
        while self.waiting and (self.force is None or self.waiting[0][0] <= k):
            self.force = self.waiting.pop(0)[1]
        motion, now = self.custom.motion, np.array([self.t0 + k * self.dt])
        outer = load_of(motion, now)[0] if motion is not None and motion.load is not None else None
        return self.held(k, c, z, self.force, outer)


def _multiple(what: str, value: float, dt: float, least: int = 1) -> int:
    """How many steps a time is."""
    number = round(value / dt)
    if number < least or abs(number * dt - value) > 1e-9 * dt * max(1, number):
        raise InputError(f"controller: {what} {value:g} s must be a multiple of the step, {dt:g} s")
    return number


def stepper_of(
    given: InputLike,
    system: System,
    x: Array,
    c: Array,
    numbers: NDArray[np.int_],
    t0: float,
    dt: float,
    p: Vector,
    threads: int | None,
) -> Stepper:
    """The stepper of an input."""
    m = len(system.robot.actuators)
    if given is None or (isinstance(given, (int, float)) and given == 0):
        return Stepper(system, "no forces", dt, p, threads, lambda _k: np.zeros(m))
    if isinstance(given, Springs):
        return SpringStepper(given, system, x, dt, p, threads)
    if isinstance(given, tuple) and len(given) == 2:
        given = Forces(*given)
    if isinstance(given, Forces):
        times, forces = given.ready(m)
        return Stepper(
            system, "force history", dt, p, threads, lambda k: value_at(times, forces, given.hold, t0 + k * dt)
        )
    if isinstance(given, Controller):
        return LoopStepper(Loop(given, system), c, numbers, t0, dt, p, threads)
    if isinstance(given, Custom):
        return CustomStepper(given, system, t0, dt, p, threads)
    if callable(given):
        return CustomStepper(Custom(given), system, t0, dt, p, threads)
    raise InputError(f"input: {type(given).__name__} given, expected None, Springs, Forces, a function or a controller")
