"""Thousands of robots at once: a fixed-step Runge-Kutta step, recorded whole and run on vectors of robots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.graph import Graph, Input, array, record
from gough.run import Program
from gough.simulate.system import System

Law = Callable[[Any, Any, Any], Any]
"""(c, z, u) -> actuator forces (actuators,), recorded: the forces of a robot in state c, z with the step's input u."""


def open_loop(_c: Any, _z: Any, u: Any) -> Any:
    """Forces that are the input itself."""
    return u


def step_graph(system: System, law: Law = open_loop, inputs: int | None = None, *, hold: bool = True) -> Graph:
    """One classical fourth-order Runge-Kutta step of length `dt` (shared input).

    Args:
        system: Of the robots.
        law: Forces from state and input.
        inputs: Entries of the input u, by default one per actuator.
        hold: The forces are worked out once at the start of the step and held; False takes them anew at every stage.
    """
    m, n = system.configuration.size, len(system.robot.platform.coordinates)

    def equations(c: Any, z: Any, u: Any, wrench: Any, dt: Any, p: Any = None) -> dict[str, Any]:
        held = law(c, z, u) if hold else None

        def slope(c_at: Any, z_at: Any) -> tuple[Any, Any]:
            force = held if held is not None else law(c_at, z_at, u)
            rates = system.rates(c_at, z_at, force, wrench, p)
            return rates["cd"], rates["zd"]

        half = dt * 0.5
        k1 = slope(c, z)
        k2 = slope(c + k1[0] * half, z + k1[1] * half)
        k3 = slope(c + k2[0] * half, z + k2[1] * half)
        k4 = slope(c + k3[0] * dt, z + k3[1] * dt)
        sixth = dt / 6.0
        c_next = c + (k1[0] + (k2[0] + k3[0]) * 2.0 + k4[0]) * sixth
        z_next = z + (k1[1] + (k2[1] + k3[1]) * 2.0 + k4[1]) * sixth
        return {"c": array(system.configuration.normalised(c_next)), "z": array(z_next)}

    specs: dict[str, Any] = {"c": m, "z": n, "u": n if inputs is None else inputs, "wrench": 6}
    specs["dt"] = Input((), shared=True)
    if system.free:
        specs["p"] = len(system.free)
    return record(equations, **specs)


class Ensemble:
    """Many robots stepped together."""

    def __init__(self, system: System, law: Law = open_loop, inputs: int | None = None, *, hold: bool = True) -> None:
        """Record and compile the step of `system` under `law`."""
        self.system = system
        self.program = Program(step_graph(system, law, inputs, hold=hold))

    def run(
        self,
        c: Any,
        z: Any,
        u: Callable[[int], Any] | Any,
        dt: float,
        steps: int,
        *,
        wrench: Any = None,
        p: Any = None,
        every: int = 0,
        threads: int | None = None,
        each: Callable[[int], None] | None = None,
    ) -> dict[str, Any]:
        """Final states of N robots, and every `every`-th on the way.

        Args:
            c, z: (N, m), (N, n) start.
            u: (N, k) or (k,) input held throughout, or a function of the step's number.
            dt: Step [s].
            steps: How many.
            wrench: (N, 6) or (6,) held external wrench; none by default.
            p: (N, free) free numbers of each robot.
            every: Keep the state after each so many steps; 0 keeps none.
            threads: As for a program.
            each: Called with the number of each finished step, to show progress or to stop by raising.
        """
        c, z = np.array(c, dtype=float), np.array(z, dtype=float)
        spare_c, spare_z = np.empty_like(c), np.empty_like(z)
        outer = np.zeros(6) if wrench is None else wrench
        given = {} if p is None else {"p": p}
        kept: list[tuple[Any, Any]] = []
        for k in range(steps):
            now = u(k) if callable(u) else u
            self.program(
                c=c, z=z, u=now, wrench=outer, dt=dt, **given, threads=threads, out={"c": spare_c, "z": spare_z}
            )
            c, spare_c, z, spare_z = spare_c, c, spare_z, z
            if every and (k + 1) % every == 0:
                kept.append((c.copy(), z.copy()))
            if each is not None:
                each(k + 1)
        if not every:
            return {"c": c, "z": z}
        return {
            "c": c,
            "z": z,
            "c_history": np.array([a for a, _ in kept]),
            "z_history": np.array([b for _, b in kept]),
        }
