"""One Runge-Kutta step of a robot as recorded equations: with forces given, of a law, or of a controller inside."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from gough.graph import Graph, Input, Scalar, Vector, array, record
from gough.run import Program
from gough.simulation.control.loop import Loop
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
        system: System of the robots.
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
    """One step with a controller's sample at its start, forces held; `base` as in `step_graph`."""
    system = loop.plant
    size, n = system.configuration.size, system.robot.dof

    def equations(
        c: Vector, z: Vector, u: Vector, dt: Scalar, base: Vector = None, p: Vector = None, **more: Vector
    ) -> dict[str, Vector]:
        found = loop.sample(c, z, u, p=p, **more)
        _, wrench, _ = loop.split(u)
        outer = np.zeros(6) if wrench is None else wrench
        c, z = runge_kutta(system, c, z, lambda *_: found.force, outer, dt, p, base)
        return {"c": c, "z": z, "force": found.force} | loop.kept(found)

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
