"""Ensembles of Stewart platforms: gough's recorded step, open loop and with computed torque, against `mujoco.rollout`.

Robots start from home at rest under forces of their own, held over steps of 1 ms. The clock counts the process's own
time on all threads, so that other work on the machine favours no one; errors of final poses are against the adaptive
solution under the same held forces, or the same controller sampled at the same times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter, process_time
from typing import Any

import numpy as np

import gough
from benchmarks.peers.mujoco_machine import Rollout
from gough.kinematics.configuration import charts
from gough.simulation.control.loop import Loop
from gough.simulation.ensemble.recorded_steps import loop_program, step_program
from gough.simulation.system import system_of

STEP = 1e-3


class Case:
    """Robots from home at rest under forces of their own."""

    def __init__(self, count: int, steps: int) -> None:
        self.robot = gough.load("stewart")
        self.steps = steps
        rng = np.random.default_rng(1)
        home = np.array(self.robot.platform.home)
        holding = gough.inverse_dynamics(self.robot, home).force
        t = STEP * np.arange(steps)
        self.common = holding + 0.3 * np.sin(2 * np.pi * (t[:, None] + np.arange(6) / 6))
        self.own = 0.05 * rng.normal(size=(count, 6))
        self.system = system_of(self.robot)
        self.c = np.tile(charts(self.robot)[0](x=home), (count, 1))
        self.z = np.zeros((count, 6))
        motion = gough.Motion.named(self.robot)
        self.loop = Loop(gough.Controller(gough.ComputedTorque(), motion), self.system)
        self.reference = self.loop.reference(t)

    def forces(self, robots: int) -> Any:
        """(robots, steps, 6)."""
        return np.ascontiguousarray(self.common[None] + self.own[:robots, None])

    def open_loop(self, threads: int, count: int | None = None) -> Any:
        """(N, 7) final configurations."""
        own, c, z = self.own[:count], self.c[:count].copy(), self.z[:count].copy()
        program, spare, u = step_program(self.system), (np.empty_like(c), np.empty_like(z)), np.empty_like(own)
        for k in range(self.steps):
            np.add(own, self.common[k], out=u)
            program(c=c, z=z, u=u, dt=STEP, threads=threads, out={"c": spare[0], "z": spare[1]})
            (c, z), spare = spare, (c, z)
        return c

    def controlled(self, threads: int) -> Any:
        """(N, 7) final configurations with computed torque inside the step."""
        c, z = self.c.copy(), self.z.copy()
        program, spare = loop_program(self.loop), (np.empty_like(c), np.empty_like(z))
        force = np.empty_like(self.own)
        for k in range(self.steps):
            out = {"c": spare[0], "z": spare[1], "force": force}
            program(c=c, z=z, u=self.reference[k], dt=STEP, threads=threads, out=out)
            (c, z), spare = spare, (c, z)
        return c

    def exact(self, robots: int) -> Any:
        """(robots, 7) final configurations by the adaptive method, the forces held as for the others."""
        t = STEP * np.arange(self.steps)
        return np.array([self._adaptive(gough.Forces(t, self.common + own, hold=True)) for own in self.own[:robots]])

    def exact_controlled(self) -> Any:
        """(1, 7) final configuration by the adaptive method, computed torque taken every step and held: one for all."""
        given = self.loop.controller
        return self._adaptive(gough.Controller(given.law, given.motion, sample_time=STEP))[None]

    def _adaptive(self, given: Any) -> Any:
        """(7,) final configuration from home at rest."""
        home = np.array(self.robot.platform.home)
        run = gough.simulate(
            self.robot, home, given, STEP * self.steps, samples=2, rtol=1e-12, atol=1e-14, on_limit="continue"
        )
        return charts(self.robot)[0](x=run.x[-1])


def ensemble_race(count: int, steps: int, peers: int, rounds: int, threads: int) -> list[dict[str, Any]]:
    """Rows: robots, nanoseconds per robot-step of the process's own time and on the wall, errors of final poses.

    The peers, slower by far, take part in every second round.
    """
    case = Case(count, steps)
    checked = min(3, count, peers)
    exact, exact_controlled = case.exact(checked), case.exact_controlled()
    euler, rk4 = (Rollout(case.robot, STEP, name, threads) for name in ("Euler", "RK4"))
    forces = case.forces(peers)
    runs: dict[str, tuple[Callable[[], Any], int, int, Any]] = {
        "gough, open loop": (lambda: case.open_loop(threads), count, 1, exact),
        "gough, computed torque": (lambda: case.controlled(threads), count, 1, exact_controlled),
        "mujoco.rollout Euler": (lambda: euler(forces), peers, 2, exact),
        "mujoco.rollout RK4": (lambda: rk4(forces), peers, 2, exact),
    }
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    errors = {name: _apart(call()[: len(target)], target) for name, (call, _, _, target) in runs.items()}
    for k in range(rounds):
        for name, (call, robots, every, _) in runs.items():
            if k % every == 0:
                own, wall = process_time(), perf_counter()
                call()
                each = 1e9 / (robots * steps)
                spent[name].append(((process_time() - own) * each, (perf_counter() - wall) * each))
    rows = []
    for name, (_, robots, _, _) in runs.items():
        ns_own, ns_wall = (min(times) for times in zip(*spent[name], strict=True))
        rows.append(
            {
                "variant": name,
                "robots": robots,
                "ns_own": ns_own,
                "ns_wall": ns_wall,
                "per_second": 1e9 / ns_wall,
                "error": errors[name],
            }
        )
    return rows


def _apart(found: Any, exact: Any) -> float:
    """Largest distance of positions [m] and quaternions, whose sign is free."""
    sign = np.sign((found[:, 3:] * exact[:, 3:]).sum(axis=1))[:, None]
    return float(max(np.abs(found[:, :3] - exact[:, :3]).max(), np.abs(found[:, 3:] * sign - exact[:, 3:]).max()))


def growth(sizes: Sequence[int], steps: int, rounds: int) -> dict[str, float]:
    """Nanoseconds per robot-step as the number of robots grows."""
    found = {}
    for size in sizes:
        case = Case(size, steps)
        case.open_loop(1)
        times = []
        for _ in range(rounds):
            start = process_time()
            case.open_loop(1)
            times.append((process_time() - start) / (size * steps))
        found[str(size)] = min(times) * 1e9
    return found
