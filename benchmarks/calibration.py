"""The benchmark of calibration: `python -m benchmarks.calibration`.

The stewart with 42 parameters, 100 measured poses with noise in poses and encoders, one thread, programs compiled
already: the fit alone, the whole call with outliers, held-out parts and the map of the pose's uncertainty, a fit of
positions alone, thirty poses chosen of a thousand, and pose errors over 1000 poses. Goals are in processor time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from benchmarks.timing import least_time
from gough.calibration.first_guess import IDENTITY
from gough.calibration.model import Model
from gough.calibration.noise import START
from gough.calibration.plan import columns_of
from gough.calibration.selection import to_find
from gough.calibration.sensors import Sensors
from gough.calibration.solve import Data, predicted, solve
from gough.calibration.uncertainty import workspace_poses


def simulated(model: Model, count: int) -> tuple[gough.Measurements, Data]:
    """Measurements of a machine whose parameters are off by a thousandth of its size, and the same to fit."""
    rng = np.random.default_rng(0)
    g = 1e-3 * rng.normal(size=len(model.names)) * model.scales
    x = workspace_poses(model.robot, count, seed=5)
    frames = np.stack([IDENTITY, IDENTITY])
    sigma = np.tile([START[kind] for kind in model.sensors.kinds], (len(x), 1))
    m = predicted(model, x, g, frames) + rng.normal(size=sigma.shape) * sigma
    lines = tuple(range(2, len(x) + 2))
    given = gough.Measurements("simulated", model.sensors, m, np.zeros(m.shape, dtype=bool), lines)
    return given, Data(m, sigma, frames, np.ones(len(x)))


def whole(robot: gough.Robot, given: gough.Measurements, noise: dict[str, float]) -> tuple[gough.Calibration, Any]:
    """A calibration, and the corrected robot."""
    found = gough.calibrate(robot, given, noise=noise)
    return found, found.corrected


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All figures, against the goals."""
    robot = gough.load("stewart")
    count = 60 if quick else 100
    goals: list[Goal] = []
    values: dict[str, Any] = {}
    for what, goal in (("pose", 0.1), ("position", 0.15)):
        model = Model(robot, to_find(robot).kept, Sensors(robot, columns_of(robot, what)))
        given, data = simulated(model, count)
        noise = {kind: START[kind] for kind in set(model.sensors.kinds)}
        if what == "pose":
            time, found = least_time(lambda m=model, d=data: solve(m, d, d.m[:, 6:]), rounds)
            values["steps"] = found.steps
            goals.append(Goal(f"fit of {count} poses", 1e3 * time, 30.0, "ms"))
        time, (found, _) = least_time(lambda g=given, n=noise: whole(robot, g, n), rounds)
        values[what] = found.uncertainty.rms()[0]
        goals.append(Goal(f"calibrate, {count} measured {what}s", time, goal, "s"))
    time, plan = least_time(lambda: gough.plan_poses(robot, 30), min(rounds, 3))
    goals.append(Goal("30 poses of 1000 chosen", time, 1.0, "s"))
    values["plan over random"] = plan.expected.rms()[0] / plan.random.rms()[0]
    exact = robot.with_errors({"tolerances": {"base": 1e-4, "platform": 1e-4, "zero": 1e-5}})
    x = workspace_poses(robot, 1000, seed=1)
    time, _ = least_time(lambda: gough.pose_errors(exact, x).sd, rounds)
    goals.append(Goal("pose errors at 1000 poses, 42 dimensions", 1e3 * time, 30.0, "ms"))
    return {"machine": machine(), "values": values, "goals": goal_rows(goals)}


def report(figures: Figures) -> str:
    """The goals."""
    return "\n".join(goal_lines(figures["goals"]))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("calibration", __doc__, 10, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
