"""Thousands of robots at once: each kind of input as one recorded step of all robots."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.draws.counter import uniforms
from gough.errors import InputError, NumericalError
from gough.graph import Array, Graph, Input, Scalar, Vector, array, record
from gough.run import Program
from gough.simulation.control.controller import Controller, Custom, InputLike
from gough.simulation.control.known_model import load_of
from gough.simulation.control.loop import Loop
from gough.simulation.inputs import Forces, Springs, value_at
from gough.simulation.system import System

Law = Callable[[Any, Any, Any, Any], Any]
"""(c, z, u, p) -> actuator forces (actuators,), recorded: of a robot in state c, z with the step's input u."""


def open_loop(_c: Vector, _z: Vector, u: Vector, _p: Vector) -> Vector:
    """Forces that are the input itself."""
    return u


def runge_kutta(
    system: System,
    c: Vector,
    z: Vector,
    force: Callable[[int, Vector, Vector], Vector],
    wrench: Vector,
    dt: Scalar,
    p: Vector,
    base: Vector = None,
) -> tuple[Vector, Vector]:
    """c and z after one classical fourth-order step; `force` takes the half steps passed (0, 1, 2) and the state.

    base: (3, 9) motion of the base after 0, 1 and 2 half steps, or None.
    """

    def slope(stage: int, c_at: Vector, z_at: Vector) -> tuple[Vector, Vector]:
        carried = None if base is None else base[stage]
        rates = system.rates(c_at, z_at, force(stage, c_at, z_at), wrench, p, carried)
        return rates["cd"], rates["zd"]

    half = dt * 0.5
    k1 = slope(0, c, z)
    k2 = slope(1, c + k1[0] * half, z + k1[1] * half)
    k3 = slope(1, c + k2[0] * half, z + k2[1] * half)
    k4 = slope(2, c + k3[0] * dt, z + k3[1] * dt)
    sixth = dt / 6.0
    c_next = c + (k1[0] + (k2[0] + k3[0]) * 2.0 + k4[0]) * sixth
    z_next = z + (k1[1] + (k2[1] + k3[1]) * 2.0 + k4[1]) * sixth
    return array(system.configuration.normalised(c_next)), array(z_next)


def step_graph(
    system: System,
    law: Law = open_loop,
    inputs: int | None = None,
    *,
    hold: bool = True,
    wrench: bool = False,
    base: bool = False,
) -> Graph:
    """One step of length `dt` (shared input).

    Args:
        system: Of the robots.
        law: Forces from state and input.
        inputs: Entries of the input u, by default one per actuator.
        hold: The forces are worked out at the start of the step and held, u is (inputs,); False takes them anew at
            every stage, u is (3, inputs): at the start, the middle and the end of the step.
        wrench: An external wrench is an input.
        base: The motion of the base (3, 9) is one, shared by all robots: at the start, the middle and the end.
    """
    size, n = system.configuration.size, system.robot.dof

    def equations(
        c: Vector, z: Vector, u: Vector, dt: Scalar, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> dict[str, Vector]:
        outer = np.zeros(6) if wrench is None else wrench
        held = law(c, z, u, p) if hold else None

        def force(stage: int, c_at: Vector, z_at: Vector) -> Vector:
            return held if held is not None else law(c_at, z_at, u[stage], p)

        c, z = runge_kutta(system, c, z, force, outer, dt, p, base)
        return {"c": c, "z": z}

    k = len(system.robot.actuators) if inputs is None else inputs
    specs: dict[str, Any] = {"c": size, "z": n, "u": k if hold else (3, k), "dt": Input((), shared=True)}
    return record(equations, **(specs | ({"wrench": 6} if wrench else {}) | _carried(base) | _free(system)))


def loop_graph(loop: Loop, base: bool = False) -> Graph:
    """One step with a controller's sample at its start, forces held; `base` as of `step_graph`."""
    system = loop.plant
    size, n = system.configuration.size, system.robot.dof

    def equations(
        c: Vector,
        z: Vector,
        u: Vector,
        dt: Scalar,
        draw: Vector = None,
        guess: Vector = None,
        base: Vector = None,
        p: Vector = None,
    ) -> dict[str, Vector]:
        held, found, _ = loop.sample(c, z, u, draw, guess, p)
        _, wrench, _ = loop.split(u)
        outer = np.zeros(6) if wrench is None else wrench
        c, z = runge_kutta(system, c, z, lambda *_: held, outer, dt, p, base)
        return {"c": c, "z": z, "force": held} | ({"guess": array(found)} if loop.estimates else {})

    specs: dict[str, Any] = {"c": size, "z": n, "dt": Input((), shared=True)} | loop.inputs()
    specs["u"] = Input((loop.size,), shared=True)
    return record(equations, **(specs | _carried(base) | _free(system)))


def _carried(base: bool) -> dict[str, Any]:
    return {"base": Input((3, 9), shared=True)} if base else {}


def _free(system: System) -> dict[str, Any]:
    return {"p": len(system.free)} if system.free else {}


@lru_cache(maxsize=16)
def step_program(
    system: System,
    law: Law = open_loop,
    inputs: int | None = None,
    hold: bool = True,
    wrench: bool = False,
    base: bool = False,
) -> Program:
    """The program of `step_graph`."""
    return Program(step_graph(system, law, inputs, hold=hold, wrench=wrench, base=base))


def loop_program(loop: Loop, base: bool = False) -> Program:
    """The program of `loop_graph`, made once for each loop."""
    made: dict[bool, Program] = loop.__dict__.setdefault("_steps", {})
    if base not in made:
        made[base] = Program(loop_graph(loop, base))
    return made[base]


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
        self.guess = c.copy()
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
            c=c, z=z, dt=self.dt, **self._sample(k), **base, **self.extra, threads=self.threads, out=out
        )
        if self.loop.estimates:
            self.guess = found["guess"]
        self.spare = {"c": c, "z": z}
        return out["c"], out["z"]

    def _sample(self, k: int) -> dict[str, Any]:
        """Reference, draws and guesses of the sample taken at the start of step k."""
        given: dict[str, Any] = {"u": self.loop.reference(self.t0 + k * self.dt)[0]}
        noise = self.loop.controller.noise
        if noise is not None:
            given["draw"] = uniforms(noise.seed, self.numbers, k // self.period, self.loop.draws)
        if self.loop.estimates:
            given["guess"] = self.guess
        return given

    def _force_at(self, k: int, c: Array, z: Array) -> Array:
        if k % self.period == 0:
            found = self.loop.program(c=c, z=z, **self._sample(k), **self.extra, threads=self.threads)
            if self.loop.estimates:
                self.guess = found["guess"]
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
        self.largest = Controller.largest(custom, system.robot)  # type: ignore[arg-type]
        self.force: Any = None

    def __call__(self, k: int, c: Array, z: Array) -> tuple[Array, Array]:
        """c and z after step k."""
        if k % self.period == 0:
            t = self.t0 + k * self.dt
            sensed = self.system.program("sensors")(c=c, z=z, **self.extra)
            force = np.asarray(self.custom.function(t, sensed["q"], sensed["qd"]), dtype=float)
            if force.shape != sensed["q"].shape:
                raise InputError(
                    f"controller: returned shape {force.shape} at t = {t:.6g} s, expected {sensed['q'].shape}"
                )
            if not np.isfinite(force[np.isfinite(sensed["q"]).all(axis=1)]).all():
                raise NumericalError(f"controller: a force is not a number at t = {t:.6g} s")
            self.force = force if self.largest is None else np.clip(force, -self.largest, self.largest)
        return self.held(k, c, z, self.force)


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
