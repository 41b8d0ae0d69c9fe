"""The benchmark of assembly modes: `python -m benchmarks.assembly_modes`.

All modes of a general 6-UPS (40 solutions) and of stewart (16), many poses in one call and one alone; poses each of a
new geometry, straight from the shipped start system. Following paths and certifying solutions are timed apart. Beside
it elimination and an eigenproblem of size 40 in NumPy (`peers/study_elimination.py`), on the same poses, its solutions
compared. Processor time: a machine shared with others does not change it much.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from benchmarks.peers.study_elimination import modes_by_elimination
from benchmarks.timing import Variant, interleaved
from gough.assembly.certificate import certify, study_point
from gough.assembly.followed import Targets, followed
from gough.assembly.path_ends import polished
from gough.assembly.six_legs import SixLegs, six_legs
from gough.assembly.start_systems import shipped
from gough.assembly.tracker import track
from gough.robot import build

MOST = 500
"""Poses of a call at most."""


def general(seed: int = 1) -> tuple[gough.Robot, Any, Any]:
    """A 6-UPS without symmetry, and its points (6, 3) in base and platform."""
    base, platform = np.random.default_rng(seed).normal(size=(2, 6, 3))
    legs = [
        {"name": name, "type": "UPS", "base": a.tolist(), "platform": b.tolist()}
        for name, a, b in zip("ABCDEF", base, platform, strict=True)
    ]
    coordinates = {"x": "x", "y": "y", "z": "z", "psi": "rz", "theta": "ry", "phi": "rx"}
    body = {"coordinates": coordinates, "home": [0.1, -0.2, 1.7, 0.1, 0.2, 0.3], "mass": 1, "inertia": [1, 1, 1]}
    return build({"name": "general", "platform": body, "leg": legs}), base, platform


def displacements(robot: gough.Robot, count: int, wide: float) -> Any:
    """(N, 6) displacements of poses about home."""
    rng = np.random.default_rng(2)
    x = np.empty((0, 6))
    while len(x) < count:
        drawn = np.array(robot.platform.home) + wide * rng.uniform(-1.0, 1.0, (count, 6))
        x = np.concatenate([x, drawn[gough.inverse_kinematics(robot, drawn).status == 0]])[:count]
    return gough.inverse_kinematics(robot, x).q


def row(robot: gough.Robot, q: Any, rounds: int) -> dict[str, Any]:
    """Figures of one robot, its claims checked."""
    solver = six_legs(robot)
    assert solver is not None
    count, start, targets = len(q), solver.starts.systems[0], solver.targets(q)
    n = len(start.z)
    k, points, sizes = targets.repeated(n)
    begin = np.tile(start.z, (count, 1))
    ends = track(begin, start.k, k, start.points)
    x = study_point(polished(ends.z, k, points))
    found = solver.solve(q, 1)
    timings = interleaved(
        {
            "paths": Variant(lambda: polished(track(begin, start.k, k, start.points).z, k, points).real),
            "certify": Variant(lambda: certify(x, k, points, sizes).radius),
            "solve": Variant(lambda: solver.solve(q, 1).p),
            "three": Variant(lambda: solver.solve(q, 3).p),
            "public": Variant(lambda: gough.assembly_modes(robot, q, starts=1).x),
            "one": Variant(lambda: solver.solve(q[:1], 1).p),
            "one public": Variant(lambda: gough.assembly_modes(robot, q[0]).x),
        },
        rounds,
        clock=process_time,
    )
    figures = {name: timing.least / (1 if "one" in name else count) * 1e3 for name, timing in timings.items()}
    return {
        "robot": robot.name,
        "solutions": n,
        "steps": float(ends.steps.mean()),
        "steps 99 %": float(np.percentile(ends.steps, 99)),
        "complete": float(found.complete.mean()),
        "retried": float(found.retried.mean()),
        **figures,
    }


def against_elimination(solver: SixLegs, q: Any, rounds: int) -> dict[str, Any]:
    """Time of elimination per pose [ms], and how far its solutions are from those of paths."""
    targets = solver.targets(q)
    a, b = targets.points.reshape(2, 5, 3)
    timings = interleaved(
        {"elimination": Variant(lambda: modes_by_elimination(a, b, targets.k[0, :5], targets.k[0, 5]).real)},
        rounds,
        clock=process_time,
    )
    worst = []
    found = followed(solver.starts.systems[0], targets, moves=False)
    for x, k in zip(found.x, targets.k, strict=True):
        other = modes_by_elimination(a, b, k[:5], k[5])
        along = other @ np.conj(x).T
        worst.append(float(np.linalg.norm(other[:, None] - along[:, :, None] * x, axis=2).min(axis=0).max()))
    return {"ms": timings["elimination"].least * 1e3, "apart": float(np.median(worst)), "worst": float(np.max(worst))}


def new_geometries(count: int, rounds: int) -> dict[str, Any]:
    """Time per pose, each of a machine of its own [ms], and the share that is complete at once."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(count, 30)) / np.sqrt(3.0)
    a, b = points.reshape(count, 2, 5, 3).transpose(1, 0, 2, 3)
    e = rng.normal(size=(count, 4))
    e /= np.linalg.norm(e, axis=1)[:, None]
    w, u = e[:, 0, None, None], e[:, None, 1:]
    turned = b + 2.0 * np.cross(u, np.cross(u, b) + w * b)
    p = rng.normal(size=(count, 1, 3))
    squares, m = ((p + turned - a) ** 2).sum(axis=2), (p**2).sum(axis=2)
    own = (a**2).sum(axis=2) + (b**2).sum(axis=2)
    k = np.concatenate([0.5 * (own - squares + m), m], axis=1)
    targets = Targets(k, np.concatenate([0.5 * (own + squares + m), m], axis=1), points, np.zeros((count, 3)))
    whole = followed(shipped(), targets, moves=True).whole
    timings = interleaved(
        {"new": Variant(lambda: followed(shipped(), targets, moves=True).radius)}, rounds, clock=process_time
    )
    return {"ms": timings["new"].least / count * 1e3, "complete": float(whole.mean())}


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures."""
    count = min(samples, MOST)
    robot, *_ = general()
    stewart = gough.load("stewart")
    q = displacements(robot, count, 0.5)
    rows = [row(robot, q, rounds), row(stewart, displacements(stewart, count, 0.2), rounds)]
    solver = six_legs(robot)
    assert solver is not None
    peer = against_elimination(solver, q[: 1 if quick else 20], rounds)
    new = new_geometries(5 if quick else 100, rounds)
    goals = [
        Goal("40 modes, batched, per pose", rows[0]["paths"], 0.4, "ms"),
        Goal("stewart's 16, batched, per pose", rows[1]["paths"], 0.15, "ms"),
        Goal("40 modes, one pose, certified", rows[0]["one"], 1.0, "ms"),
        Goal("40 modes, one pose, public call", rows[0]["one public"], 1.0, "ms"),
        Goal("stewart's 16 from three starts, one pose, public call", rows[1]["one public"], 1.0, "ms"),
        Goal("40 modes, a new geometry per pose", new["ms"], 2.0, "ms"),
        Goal("elimination against batched, certified", peer["ms"] / rows[0]["solve"], 20.0, "x"),
    ]
    return {
        "machine": machine(),
        "samples": count,
        "rows": rows,
        "elimination": peer,
        "new": new,
        "goals": goal_rows(goals),
    }


def report(figures: dict[str, Any]) -> str:
    """The tables."""
    lines = [
        f"All assembly modes; N = {figures['samples']} poses; ms per pose, least of all calls.",
        "",
        f"{'robot':10}{'solutions':>10}{'paths':>8}{'certify':>9}{'solve':>8}{'3 starts':>10}{'public':>8}"
        f"{'one pose':>10}{'public':>8}{'steps':>7}{'99 %':>6}{'complete':>10}{'retried':>9}",
    ]
    for entry in figures["rows"]:
        lines.append(
            f"{entry['robot']:10}{entry['solutions']:10d}{entry['paths']:8.3f}{entry['certify']:9.3f}{entry['solve']:8.3f}"
            f"{entry['three']:10.3f}{entry['public']:8.3f}{entry['one']:10.3f}{entry['one public']:8.3f}"
            f"{entry['steps']:7.1f}{entry['steps 99 %']:6.0f}"
            f"{100 * entry['complete']:8.1f} %{100 * entry['retried']:7.1f} %"
        )
    new, peer = figures["new"], figures["elimination"]
    lines += [
        "",
        f"A new geometry for each pose: {new['ms']:.3f} ms, {100 * new['complete']:.1f} % complete at once.",
        f"Elimination and eigenproblem: {peer['ms']:.1f} ms, "
        f"solutions {peer['apart']:.0e} off (worst {peer['worst']:.0e}).",
    ]
    return "\n".join([*lines, "", *goal_lines(figures["goals"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("assembly_modes", __doc__, 10, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
