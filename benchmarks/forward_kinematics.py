"""The benchmark of forward kinematics: `python -m benchmarks.forward_kinematics`.

Every catalogue robot, from guesses within 2 mm and 4 mrad of the pose, as in a control loop: many samples in one call,
one sample in the public call, one sample on fixed buffers. Beside it the share of guesses 0.4 lengths or rad off from
which the path arrives, and how many steps it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from benchmarks.timing import Variant, interleaved
from gough.kinematics.programs import characteristic_length
from gough.kinematics.status import Status
from gough.robot import catalogue

NEAR = (2e-3, 4e-3)
"""Largest distance of a guess [m, rad]."""
DISTANCE_LEGS = ("stewart", "hexapod", "rotary", "sru")
"""Six coordinates by six actuators that set distances: cylinders, sliders, cranks, knees."""
FAR = 0.4
"""Of a far guess [lengths, rad]."""


def poses(robot: gough.Robot, count: int, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    """Poses x (N, n) within reach, their displacements, and guesses near and far."""
    rng = np.random.default_rng(seed)
    turns = np.array([c.motion.startswith("r") for c in robot.platform.coordinates])
    size = np.where(turns, 1.0, characteristic_length(robot))
    x = np.empty((0, len(turns)))
    while len(x) < count:
        drawn = np.array(robot.platform.home) + rng.uniform(-0.3, 0.3, (count, len(turns))) * size
        x = np.concatenate([x, drawn[gough.inverse_kinematics(robot, drawn).status == Status.FINE]])[:count]
    directions = [np.where(kind, rng.normal(size=x.shape), 0.0) for kind in (~turns, turns)]
    units = [d / np.maximum(np.linalg.norm(d, axis=1), 1e-300)[:, None] for d in directions]
    near = x + sum(unit * d * rng.uniform(0, 1, (count, 1)) for unit, d in zip(units, NEAR, strict=True))
    near = np.where((gough.inverse_kinematics(robot, near).status == Status.FINE)[:, None], near, x)
    far = rng.normal(size=x.shape)
    far *= FAR * size / np.linalg.norm(far, axis=1)[:, None]
    return x, gough.inverse_kinematics(robot, x).q, near, x + far


def row(name: str, samples: int, rounds: int) -> dict[str, Any]:
    """Figures of one robot, its results checked."""
    robot = gough.load(name)
    x, q, near, far = poses(robot, samples)
    found = gough.forward_kinematics(robot, q, near)
    fine = found.status <= Status.NEAR_SINGULAR
    residual = float(found.residual[fine].max())
    same = float((np.abs(found.x - x).max(axis=1) <= 1e-9).mean())
    bound = gough.bind(robot, "fk")
    bound.inputs["guess"][:], bound.inputs["q"][:] = near[0], q[0]
    one_q, one_near = q[0].copy(), near[0].copy()
    timings = interleaved(
        {
            "batched": Variant(lambda: gough.forward_kinematics(robot, q, near).x),
            "single": Variant(lambda: gough.forward_kinematics(robot, one_q, one_near).x, inner=200),
            "bound": Variant(lambda: (bound(), bound.outputs["x"])[1], inner=1000),
        },
        rounds,
        clock=process_time,
    )
    from_far = gough.forward_kinematics(robot, q, far)
    started = from_far.status != Status.GUESS_OUT_OF_REACH
    arrived = from_far.status <= Status.NEAR_SINGULAR
    return {
        "robot": name,
        "batched": timings["batched"].least / samples * 1e6,
        "single": timings["single"].least * 1e6,
        "single median": timings["single"].median * 1e6,
        "bound": timings["bound"].least * 1e6,
        "one step": float((found.steps == 1).mean()),
        "residual": residual,
        "same pose": same,
        "arrived from far": float(arrived[started].mean()),
        "steps from far": float(np.median(from_far.steps[arrived])),
    }


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures."""
    rows = [row(name, samples, rounds) for name in (("stewart", "planar3rrr") if quick else catalogue())]
    stewart = next(entry for entry in rows if entry["robot"] == "stewart")
    slowest = max(rows, key=lambda entry: entry["batched"])
    goals = [
        Goal("public call, one sample, stewart", stewart["single"], 30, "us"),
        Goal("public call, batched per sample, every robot", slowest["batched"], 1.0, "us", slowest["robot"]),
    ]
    for entry in rows:
        if entry["robot"] in DISTANCE_LEGS:
            name = entry["robot"]
            goals.append(Goal(f"public call, batched per sample, {name}", entry["batched"], 0.2, "us", "distance legs"))
            goals.append(Goal(f"on fixed buffers, one sample, {name}", entry["bound"], 3, "us", "distance legs"))
    figures = {"machine": machine(), "samples": samples, "rows": rows}
    return {**figures, "goals": goal_rows(goals)}


def report(figures: dict[str, Any]) -> str:
    """The tables."""
    lines = [
        f"Forward kinematics from guesses within 2 mm and 4 mrad; N = {figures['samples']}; least of all calls.",
        "",
        f"{'robot':12}{'us/sample':>10}{'single us':>10}{'bound us':>10}{'one step':>10}{'residual':>10}"
        f"{'from 0.4':>10}{'steps':>7}",
    ]
    for entry in figures["rows"]:
        lines.append(
            f"{entry['robot']:12}{entry['batched']:10.3f}{entry['single']:10.1f}{entry['bound']:10.2f}"
            f"{100 * entry['one step']:8.1f} %{entry['residual']:10.1e}{100 * entry['arrived from far']:8.1f} %"
            f"{entry['steps from far']:7.0f}"
        )
    return "\n".join([*lines, "", *goal_lines(figures["goals"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("forward_kinematics", __doc__, 40, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
