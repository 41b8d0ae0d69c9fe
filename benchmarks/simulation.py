"""The benchmark of simulation: `python -m benchmarks.simulation`, against Pinocchio and MuJoCo on the Stewart platform.

Forward dynamics: N samples against Pinocchio's constraintDynamics called from Python with the joint motion given to it.
Ensembles: robots from home at rest under forces held over steps of 1 ms, and with computed torque inside the step,
against `mujoco.rollout` of the same machine under the same forces on as many threads. The clock counts the process's
own time on all threads, so that other work on the machine favours no one; errors are against the adaptive solution.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import gough
from benchmarks.engine import Goal, machine
from benchmarks.peers.mujoco_machine import Rollout
from benchmarks.peers.pinocchio_constrained import Constrained
from benchmarks.timing import Variant, interleaved
from gough.dynamics.forward_dynamics import acceleration_program
from gough.dynamics.newton_euler import NewtonEuler
from gough.graph import record
from gough.kinematics.pose import platform_pose
from gough.run import Program
from gough.simulate.control.loop import Loop
from gough.simulate.ensemble import loop_program, step_program
from gough.simulate.forward_kinematics import charts
from gough.simulate.system import system_of

STEP = 1e-3


def forward_race(samples: int, rounds: int) -> dict[str, Any]:
    """Microseconds per sample of both, and the largest difference of their accelerations."""
    robot = gough.load("stewart")
    rng = np.random.default_rng(0)
    n = 6
    x = np.array(robot.platform.home) + 0.1 * rng.uniform(-1, 1, (samples, n))
    xd, force = rng.normal(size=(samples, n)), 8.0 + rng.normal(size=(samples, n))

    def frame(x: Any, xd: Any, xdd: Any) -> dict[str, Any]:
        pose = platform_pose(robot.platform, x)
        a, wd = pose.twist_rate(xd, xdd)
        return {"R": pose.R_BP, "w": pose.twist(xd)[1], "a": a, "wd": wd}

    frames = Program(record(frame, x=n, xd=n, xdd=n))
    program = acceleration_program(robot, NewtonEuler())
    ours = program(x=x, xd=xd, force=force)
    out = np.empty_like(ours)
    at = frames(x=x, xd=xd, xdd=ours)
    peer = Constrained(robot)
    prepared = peer.prepared(x, xd, at["R"], at["w"], force)
    theirs = peer(prepared)
    v = xd[:, :3]
    linear = np.einsum("kji,kj->ki", at["R"], at["a"] - np.cross(at["w"], v))
    angular = np.einsum("kji,kj->ki", at["R"], at["wd"])
    apart = np.abs(np.hstack([linear, angular]) - theirs).max() / np.abs(theirs).max()
    variants = {
        "gough": Variant(lambda: program(x=x, xd=xd, force=force, out=out)),
        "pinocchio": Variant(lambda: peer(prepared), every=4),
    }
    timings = interleaved(variants, rounds, clock=process_time)
    figures = {name: timing.least / samples * 1e6 for name, timing in timings.items()}
    return {"us": figures, "ratio": figures["pinocchio"] / figures["gough"], "apart": float(apart)}


class Case:
    """Robots from home at rest under forces of their own."""

    def __init__(self, count: int, steps: int) -> None:
        self.robot = gough.load("stewart")
        self.steps = steps
        rng = np.random.default_rng(1)
        home = np.array(self.robot.platform.home)
        holding = gough.inverse_dynamics(self.robot, home, np.zeros(6), np.zeros(6)).force
        t = STEP * np.arange(steps)
        self.common = holding + 0.3 * np.sin(2 * np.pi * (t[:, None] + np.arange(6) / 6))
        self.own = 0.05 * rng.normal(size=(count, 6))
        self.system = system_of(self.robot)
        self.c = np.tile(charts(self.robot)[0](x=home), (count, 1))
        self.z = np.zeros((count, 6))
        motion = gough.choose_motion(self.robot)
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
        found = []
        t = STEP * np.arange(self.steps)
        for k in range(robots):
            history = gough.Forces(t, self.common + self.own[k], hold=True)
            run = gough.simulate(
                self.robot, None, history, STEP * self.steps, samples=2, rtol=1e-11, on_limit="continue"
            )
            found.append(charts(self.robot)[0](x=run.x[-1]))
        return np.array(found)


def ensemble_race(count: int, steps: int, peers: int, rounds: int, threads: int) -> list[dict[str, Any]]:
    """Rows: robot-steps per second of the process's own time and of the clock on the wall, and errors."""
    case = Case(count, steps)
    checked = min(3, count, peers)
    exact = case.exact(checked)
    euler, rk4 = (Rollout(case.robot, STEP, name, threads) for name in ("Euler", "RK4"))
    forces = case.forces(peers)
    runs: dict[str, tuple[Any, int]] = {
        "gough, open loop": (lambda: case.open_loop(threads), count),
        "gough, computed torque": (lambda: case.controlled(threads), count),
        "mujoco.rollout Euler": (lambda: euler(forces), peers),
        "mujoco.rollout RK4": (lambda: rk4(forces), peers),
    }
    for call, _ in runs.values():
        call()
    rows = []
    best: dict[str, tuple[float, float]] = {}
    for _ in range(rounds):
        for name, (call, robots) in runs.items():
            own, wall = process_time(), perf_counter()
            result = call()
            spent = (process_time() - own) / (robots * steps), (perf_counter() - wall) / (robots * steps)
            best[name] = tuple(min(a, b) for a, b in zip(best.get(name, spent), spent, strict=True))  # type: ignore[assignment]
            if name == "gough, computed torque":
                t = STEP * steps
                target = charts(case.robot)[0](x=case.loop.controller.motion(min(t, 4.0))[0])
                error = _apart(result[:checked], np.tile(target, (checked, 1)))
            else:
                error = _apart(result[:checked], exact)
            best_error = {name: error}
            rows = [row for row in rows if row["variant"] != name]
            rows.append(
                {
                    "variant": name,
                    "ns_own": best[name][0] * 1e9,
                    "ns_wall": best[name][1] * 1e9,
                    "per_second": 1.0 / best[name][1],
                    "error": best_error[name],
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


def measure(quick: bool, rounds: int) -> dict[str, Any]:
    """All figures."""
    count, steps, peers = (20, 20, 4) if quick else (10_000, 1_000, 40)
    forward = forward_race(50 if quick else 10_000, 2 if quick else 40)
    rows = ensemble_race(count, steps, peers, 1 if quick else rounds, 2)
    flat = growth((16, 32) if quick else (1_000, 10_000, 100_000), 5 if quick else 50, 1 if quick else 5)
    own = {row["variant"]: row["ns_own"] for row in rows}
    open_loop, controlled = own["gough, open loop"], own["gough, computed torque"]
    sizes = list(flat.values())
    goals = [
        Goal("forward dynamics against Pinocchio", forward["ratio"], 100, "x"),
        Goal("open loop against MuJoCo's Euler", own["mujoco.rollout Euler"] / open_loop, 20, "x"),
        Goal("open loop against MuJoCo's RK4", own["mujoco.rollout RK4"] / open_loop, 75, "x"),
        Goal("computed torque against MuJoCo's Euler", own["mujoco.rollout Euler"] / controlled, 20, "x"),
        Goal("computed torque against MuJoCo's RK4", own["mujoco.rollout RK4"] / controlled, 75, "x"),
        Goal("cost per step, most to fewest robots", sizes[-1] / sizes[0], 1.2, ""),
    ]
    return {
        "machine": machine(),
        "robots": count,
        "steps": steps,
        "forward": forward,
        "ensemble": rows,
        "growth_ns": flat,
        "goals": [asdict(goal) | {"reached": goal.reached} for goal in goals],
    }


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    forward = figures["forward"]
    lines = [
        f"forward dynamics of stewart, us/sample, one core: gough {forward['us']['gough']:.3f}, "
        f"Pinocchio from Python {forward['us']['pinocchio']:.2f}; apart {forward['apart']:.0e}",
        "",
        f"{figures['robots']} robots x {figures['steps']} steps of {STEP:g} s, two threads",
        f"{'':28}{'ns/robot-step':>14}{'on the wall':>13}{'robot-steps/s':>15}{'error':>10}",
    ]
    for row in figures["ensemble"]:
        lines.append(
            f"{row['variant']:28}{row['ns_own']:>14.0f}{row['ns_wall']:>13.0f}{row['per_second']:>15.3g}{row['error']:>10.1e}"
        )
    lines += [
        "",
        "ns/robot-step, one thread: " + ", ".join(f"N = {k}: {v:.0f}" for k, v in figures["growth_ns"].items()),
        "",
    ]
    for goal in figures["goals"]:
        verdict = "reached" if goal["reached"] else "NOT REACHED"
        sign = ">=" if goal["unit"] == "x" else "<="
        lines.append(f"{goal['name']:44}{goal['figure']:>10.3g} {goal['unit']:2}{sign:>4} {goal['bound']:g}  {verdict}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each variant (default %(default)s)")
    parser.add_argument("--json", type=Path, default=Path("build/bench/simulation.json"), help="default %(default)s")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few robots and steps, no honest timing")
    given = parser.parse_args(arguments)
    figures = measure(given.quick, given.rounds)
    print(report(figures))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
