"""The benchmark of design optimisation: `python -m benchmarks.optimise`.

A Stewart platform (platform half angle 0.1 rad) for 200 states: 64 corners and random points of a box of +-(0.3, 0.3,
0.25 m, 0.3, 0.3, 0.3 rad), accelerations within +-(5, 5, 5, 8, 8, 8), wrenches normal with 20 N and 3 N m. Radii and
half angles of both rings, height and yaw of the task are free; the longest leg over the shortest is at most 1.7,
joints are 0.15 m apart. Least peak force from the machine's own numbers, for ten draws of the states (accelerations
even within their ranges, and ten more with normal ones); differential evolution on the same functions, as a peer
without gradients, for the first draw. Times are of the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from time import process_time
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from gough.optimisation.evolution import from_anywhere
from gough.optimisation.measured import Measured
from gough.optimisation.optimise import judged_of
from gough.optimisation.read import wanted_of

BOX = np.array([0.3, 0.3, 0.25, 0.3, 0.3, 0.3])
ENDS = {
    "legs.base.radius": [0.8, 2.2],
    "legs.base.half_angle": [0.08, 0.5],
    "legs.platform.radius": [0.35, 1.1],
    "legs.platform.half_angle": [0.08, 0.5],
}


def task(seed: int, even: bool) -> tuple[dict[str, Any], gough.State]:
    """The problem and one draw of its states."""
    robot = gough.load("stewart").replace({"legs.platform.half_angle": 0.1})
    rng = np.random.default_rng(seed)
    x = np.concatenate([np.array(list(product(*zip(-BOX, BOX, strict=True)))), rng.uniform(-1, 1, (136, 6)) * BOX])
    drawn = rng.uniform(-1, 1, (200, 6)) if even else rng.normal(size=(200, 6))
    wrench = rng.normal(size=(200, 6)) * [20, 20, 20, 3, 3, 3]
    problem = {
        "robot": robot,
        "minimise": "peak force",
        "starts": 1,
        "vary": [{"number": name, "bounds": ends} for name, ends in ENDS.items()],
        "task": {"shift": {"z": [-0.8, 0.8], "psi": [-0.6, 0.6]}},
        "limits": {"ratio": 1.7, "base_gap": 0.15, "platform_gap": 0.15},
    }
    states = gough.State(np.array(robot.platform.home) + x, 0.0 * x, drawn * [5, 5, 5, 8, 8, 8], wrench=wrench)
    return problem, states


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All figures, against the goals."""
    gains: dict[str, list[float]] = {"even": [], "normal": []}
    times = []
    draws = 1 if quick else 10
    for name, even in (("even", True),) if quick else (("even", True), ("normal", False)):
        for seed in range(draws):
            problem, states = task(seed, even)
            start = process_time()
            found = gough.optimise(problem, states=states)
            times.append(process_time() - start)
            gains[name].append(found.gain)
            assert found.best.feasible
    problem, states = task(0, True)
    many = gough.optimise(problem | {"starts": 2 if quick else 20}, states=states)
    wanted = wanted_of(problem | {"budget": 60 if quick else 6000}, {}, states)
    measured = Measured(wanted.robot, wanted.variables, wanted.needs, {})
    start = process_time()
    peer = from_anywhere(wanted, judged_of(wanted, measured, "peak force"), lambda w: measured, lambda k: None)[0]
    slow = process_time() - start
    best = min(gains["even"] + gains["normal"])
    goals = [
        Goal("whole call, recorded and compiled anew", min(times), 1.0, "s", f"at most {max(times):.2f} s"),
        Goal("largest gain of a draw", 100.0 * best, -27.0, "%", "the draw decides: see values"),
        Goal("starts that agree", many.agreeing / len(many.found), 0.9, "x", f"{len(many.found)} starts"),
        Goal(
            "beyond differential evolution",
            100.0 * (many.value / peer.value - 1.0),
            0.01,
            "%",
            f"which took {slow:.1f} s",
        ),
    ]
    rows = goal_rows(goals)
    return {"machine": machine(), "values": gains, "goals": rows}


def report(figures: Figures) -> str:
    """The goals, and the gains of all draws."""
    lines = goal_lines(figures["goals"])
    for name, gains in figures["values"].items():
        lines.append(f"gains, accelerations {name} [%]: " + ", ".join(f"{100.0 * gain:.1f}" for gain in gains))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("optimise", __doc__, 1, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
