"""The benchmark of simulation: `python -m benchmarks.simulation`, against Pinocchio and MuJoCo on the Stewart platform.

Forward dynamics: N samples against Pinocchio's constraintDynamics called from Python with the joint motion given to it.
Ensembles: see `simulation_race`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from benchmarks.peers.pinocchio_constrained import Constrained
from benchmarks.simulation_race import STEP, ensemble_race, growth
from benchmarks.timing import Variant, interleaved
from gough.dynamics.forward import acceleration_program
from gough.dynamics.newton_euler import NewtonEuler
from gough.graph import record
from gough.kinematics.pose import platform_pose
from gough.run import Program


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
        "forward_dynamics": Variant(lambda: gough.forward_dynamics(robot, gough.State(x, xd), force).xdd),
        "pinocchio": Variant(lambda: peer(prepared), every=4),
    }
    timings = interleaved(variants, rounds, clock=process_time)
    figures = {name: timing.least / samples * 1e6 for name, timing in timings.items()}
    ratios = {name: figures["pinocchio"] / figures[name] for name in ("gough", "forward_dynamics")}
    return {"us": figures, "ratios": ratios, "apart": float(apart)}


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures; `samples` are those of forward dynamics."""
    count, steps, peers = (20, 20, 4) if quick else (10_000, 1_000, 400)
    forward = forward_race(samples, 2 if quick else 40)
    rows = ensemble_race(count, steps, peers, 1 if quick else rounds, 2)
    flat = growth((16, 32) if quick else (1_000, 10_000, 100_000), 5 if quick else 50, 1 if quick else 5)
    own = {row["variant"]: row["ns_own"] for row in rows}
    open_loop, controlled = own["gough, open loop"], own["gough, computed torque"]
    sizes = list(flat.values())
    goals = [
        Goal("forward dynamics against Pinocchio", forward["ratios"]["gough"], 100, "x"),
        Goal("the public call against Pinocchio", forward["ratios"]["forward_dynamics"], 100, "x"),
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
        "goals": goal_rows(goals),
    }


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    forward = figures["forward"]
    lines = [
        f"forward dynamics of stewart, us/sample, one core: accelerations alone {forward['us']['gough']:.3f}, "
        f"gough.forward_dynamics with statuses {forward['us']['forward_dynamics']:.3f}, "
        f"Pinocchio from Python {forward['us']['pinocchio']:.2f}; apart {forward['apart']:.0e}",
        "",
        f"{figures['steps']} steps of {STEP:g} s, two threads",
        f"{'':26}{'robots':>8}{'ns/robot-step':>15}{'on the wall':>13}{'robot-steps/s':>15}{'error':>10}",
    ]
    for row in figures["ensemble"]:
        lines.append(
            f"{row['variant']:26}{row['robots']:>8}{row['ns_own']:>15.0f}{row['ns_wall']:>13.0f}{row['per_second']:>15.3g}{row['error']:>10.1e}"
        )
    lines += [
        "",
        "ns/robot-step, one thread: " + ", ".join(f"N = {k}: {v:.0f}" for k, v in figures["growth_ns"].items()),
        "",
    ]
    lines += goal_lines(figures["goals"])
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    return run("simulation", __doc__, 5, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
