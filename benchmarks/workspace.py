"""The benchmark of workspaces: `python -m benchmarks.workspace`.

The stewart at home, one thread: poses a second of the least margin, rays and proved rays, the boundary at a grid of 48
cells, the proved bounds of the volume, and the table of travel; all with programs that are compiled already. Processor
time, of all threads: a machine shared with others does not change it much.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

import gough
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from benchmarks.timing import least_time
from gough.workspaces.bracket import bracket_of
from gough.workspaces.conditions import conditions_of
from gough.workspaces.rays import ray_tracer, sliding
from gough.workspaces.region import grid_of, region_of
from gough.workspaces.surface import surface_of


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All figures, against the goals."""
    robot = gough.load("stewart")
    home = np.array(robot.platform.home)
    rng = np.random.default_rng(0)
    poses = home[:3] + rng.uniform(-1.0, 1.0, size=(20_000 if quick else 1_000_000, 3))
    goals, values = [], {}
    for name, only, goal in (("all geometric limits", None, 10.0), ("stroke and det K", ["stroke", "side"], 40.0)):
        region = region_of(robot, conditions_of(robot, only=only), home)
        time, found = least_time(lambda region=region: region.least(u=poses, threads=1), rounds)
        values[name] = float((np.asarray(found) > 0.0).mean())
        goals.append(Goal(f"Mposes/s, {name}", len(poses) / time / 1e6, goal, "x"))
    tracer = ray_tracer(robot, conditions_of(robot, only=["stroke", "side"]))
    d = rng.normal(size=(100 if quick else 2562, 3))
    rays = sliding(home[:3], np.eye(3), d / np.linalg.norm(d, axis=1, keepdims=True), 4.0)
    time, ended = least_time(lambda: tracer.trace(rays), rounds)
    goals.append(Goal("a ray", 1e6 * time / len(rays), 15.0, "us"))
    values["rays"] = ended.t.tolist()[:10]
    time, _ = least_time(lambda: tracer.first_exits(rays), rounds)
    goals.append(Goal("a proved ray", 1e6 * time / len(rays), 300.0, "us"))
    time, surface = least_time(lambda: surface_of(region, grid_of(region, 12 if quick else 48)), rounds)
    goals.append(Goal("boundary, 48 cells", time, 0.3, "s"))
    grid = grid_of(region, 12 if quick else 48)
    time, bracket = least_time(lambda: bracket_of(region, grid, 0.05 if quick else 2e-3), min(rounds, 3))
    goals.append(Goal("volume, proved to 0.2 %", time, 2.0, "s", f"{bracket.low:.5g} to {bracket.high:.5g} m^3"))
    time, _ = least_time(lambda: gough.workspace(robot, travel_only=True), rounds)
    goals.append(Goal("table of travel", time, 0.1, "s"))
    values |= {"volume": surface.measure, "bracket": [bracket.low, bracket.high]}
    return {"machine": machine(), "values": values, "goals": goal_rows(goals)}


def report(figures: Figures) -> str:
    """The goals."""
    return "\n".join(goal_lines(figures["goals"]))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("workspace", __doc__, 5, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
