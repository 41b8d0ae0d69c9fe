"""The benchmark of inverse dynamics: `python -m benchmarks.dynamics` races gough against Pinocchio and MuJoCo.

Everything from the platform's motion x, xd, xdd to the forces of the actuators is inside every contestant's clock, all
run on one core, and all must give the same forces before and after. The clock counts the process's own time, so that
other work on the machine does not lengthen long calls more than short ones.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from benchmarks import dynamics_race as lanes
from benchmarks.dynamics_race import AGREEMENT, GOUGH, MACHINES, PEERS, PUBLIC, ROBOTS
from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from gough.dynamics import FORMULATIONS
from gough.kinematics import load

SIZES = (10_000, 100_000, 1_000_000)
RATIOS = (("stewart", GOUGH, 100), ("stewart", PUBLIC, 100), ("hexapod", GOUGH, 100), ("sru", GOUGH, 40))
"""(robot, call, how many times as fast as the fastest peer)."""


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures."""
    load_before = load_average()
    races = {name: race(name, samples, rounds, quick) for name in ROBOTS}
    sizes = (50, 100, 200) if quick else SIZES
    growth = lanes.growth(load("stewart"), sizes, max(2, rounds // 2))
    costs = {name: formulations(name, samples, rounds, quick) for name in ROBOTS}
    per_sample = {size: timing.least / size * 1e6 for size, timing in growth.items()}
    grown = per_sample[sizes[-1]] / per_sample[sizes[0]]
    others = {
        name: {who: timing.least / samples * 1e6 for who, timing in timings.items()}
        for name, timings in lanes.machines(samples, rounds, ("rps3",) if quick else tuple(MACHINES)).items()
    }
    goals = [
        *(ratio(races[name], name, who, bound) for name, who, bound in RATIOS),
        *(Goal(f"{name}: into a given array", row[GOUGH], MACHINES[name], "us") for name, row in others.items()),
        Goal(f"cost per sample, N = {sizes[-1]:.0e} to {sizes[0]:.0e}", grown, 1.1, ""),
    ]
    return {
        "machine": machine() | {name: metadata.version(name) for name in ("pin", "mujoco")},
        "load_average": {"before": load_before, "after": load_average()},
        "samples": samples,
        "agreement": AGREEMENT,
        "race": races,
        "machines": others,
        "growth_us": {str(size): value for size, value in per_sample.items()},
        "formulations": costs,
        "goals": goal_rows(goals),
    }


def ratio(rows: list[dict[str, Any]], name: str, who: str, bound: float) -> Goal:
    """How many times as long the fastest peer takes as one of gough's calls."""
    best = {row["contestant"]: row["us_least"] for row in rows}
    fastest = min(PEERS, key=lambda peer: best[peer])
    call = "public call" if who == PUBLIC else "given array"
    return Goal(f"{name}, {call}: against the fastest peer", best[fastest] / best[who], bound, "x", fastest)


def race(name: str, samples: int, rounds: int, quick: bool) -> list[dict[str, Any]]:
    """Rows of the race on one robot, the slowest first."""
    timings, errors = lanes.race(load(name), samples, rounds, 20 if quick else 500)
    best = timings[GOUGH][0].least / timings[GOUGH][1]
    rows = [
        {
            "contestant": who,
            "us_least": timing.least / number * 1e6,
            "us_median": timing.median / number * 1e6,
            "times_gough": timing.least / number / best,
            "samples": number,
            "calls": timing.samples,
            "error": errors[who],
        }
        for who, (timing, number) in timings.items()
    ]
    return sorted(rows, key=lambda row: -row["us_least"])


def formulations(name: str, samples: int, rounds: int, quick: bool) -> list[dict[str, Any]]:
    """Rows of operations and cost per sample by formulation."""
    options: dict[str, Any] = {"executor": "blocks", "which": FORMULATIONS[:4]} if quick else {}
    rows = []
    for who, (cost, timing, executor) in lanes.formulations(load(name), samples, rounds, **options).items():
        rows.append(
            {
                "formulation": who,
                "operations": cost.total - cost.select,
                "selects": cost.select,
                "us_least": timing.least / samples * 1e6,
                "us_median": timing.median / samples * 1e6,
                "ps_per_operation": timing.least / samples / cost.total * 1e12,
                "executor": executor,
            }
        )
    return rows


def load_average() -> float | None:
    """How busy the machine was in the last minute; the benchmark itself makes up 1."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    about = figures["machine"]
    busy = figures["load_average"]
    lines = [
        f"Inverse dynamics, x, xd, xdd to actuator forces, N = {figures['samples']}, one core, {about['processor']}",
        f"Pinocchio {about['pin']}, MuJoCo {about['mujoco']}, NumPy {about['numpy']}; least of interleaved calls; "
        f"all agree to {figures['agreement']:.0e}",
        *([f"load average {busy['before']:.1f} to {busy['after']:.1f}"] if busy["before"] is not None else []),
    ]
    for name, rows in figures["race"].items():
        lines += ["", f"{name:52}{'us/sample':>11}{'median':>10}{'x gough':>10}{'error':>9}"]
        for row in rows:
            numbers = (
                f"{row['us_least']:>11.4f}{row['us_median']:>10.4f}{row['times_gough']:>10.1f}{row['error']:>9.0e}"
            )
            lines.append(f"{row['contestant']:52}{numbers}")
    lines += ["", f"{'other machines, us/sample':52}{'given array':>11}{'public':>10}"]
    lines += [f"{name:52}{row[GOUGH]:>11.4f}{row[PUBLIC]:>10.4f}" for name, row in figures["machines"].items()]
    lines += ["", "Cost per sample as N grows, stewart, one core:"]
    lines += [f"  N = {int(size):>9,}{value:>10.4f} us" for size, value in figures["growth_us"].items()]
    for name, rows in figures["formulations"].items():
        lines += ["", f"{name:24}{'operations':>11}{'selects':>9}{'us/sample':>11}{'median':>10}{'ps/op':>7}"]
        lines += [_cost_line(row) for row in rows]
    lines += ["", *goal_lines(figures["goals"])]
    return "\n".join(lines)


def _cost_line(row: dict[str, Any]) -> str:
    counted = f"{row['formulation']:24}{row['operations']:>11}{row['selects']:>9}"
    numbers = f"{row['us_least']:>11.4f}{row['us_median']:>10.4f}{row['ps_per_operation']:>7.0f}"
    return f"{counted}{numbers}{'' if row['executor'] == 'llvm' else '  ' + row['executor']}"


def main(arguments: Sequence[str] | None = None) -> int:
    return run("dynamics", __doc__, 30, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
