"""`make demo`: forces of the Stewart platform of Lopes (2009) beside reference values, their cost, figure, report."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import gough
from gough.cli import main

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "benchmarks" / "data" / "stewart.json"
FIGURE = ROOT / "build" / "demo" / "stewart_forces.png"
REPORT = FIGURE.with_name("report.html")


def table(robot: gough.Robot) -> list[str]:
    """Forces at the times that have reference values, 12 digits each, and how far apart they are."""
    samples = json.loads(REFERENCE.read_text())["trig3"]["samples"]
    reference = np.array([sample["tau"] for sample in samples])
    result = gough.inverse_dynamics(
        robot, gough.Motion.named(robot, "trig3").sample([sample["t"] for sample in samples])
    )
    lines = [f"{'t [s]':6}{'':10}" + "".join(f"{f'leg {name} [N]':>15}" for name in result.actuators) + "  difference"]
    for t, ours, theirs in zip(result.t, result.force, reference, strict=True):
        lines.append(f"{t:<6g}{'gough':10}{numbers(ours)}{np.abs(ours - theirs).max():12.1e}")
        lines.append(f"{'':6}{'reference':10}{numbers(theirs)}")
    return lines


def numbers(values: np.ndarray) -> str:
    return "".join(f"{value:15.11f}" for value in values)


def cost(robot: gough.Robot, samples: int = 10_000, rounds: int = 30) -> str:
    """What forces cost, all of a call's checks and outputs included."""
    s = gough.Motion.named(robot, "trig3").sample(samples)
    least = np.inf
    for _ in range(rounds):
        start = perf_counter()
        gough.inverse_dynamics(robot, s)
        least = min(least, perf_counter() - start)
    return f"{samples} samples in {least * 1e3:.2f} ms: {least / samples * 1e9:.0f} ns per sample, one core."


def demo(figure: Path = FIGURE) -> str:
    """The text of the demonstration; the figure is written on the way."""
    robot = gough.load("stewart")
    lines = [
        "The 6-UPS Stewart platform of Lopes (2009) on its motion of 4 s: actuator forces, and reference values, which",
        "were computed by other programs (Lagrange's equations and Pinocchio): the paper shows figures only.",
        "",
        *table(robot),
        "",
        cost(robot),
    ]
    figure.parent.mkdir(parents=True, exist_ok=True)
    result = gough.inverse_dynamics(robot, gough.Motion.named(robot, "trig3").sample(401))
    peak = np.abs(result.force).max()
    figure.write_bytes(gough.plot_forces(result))
    lines += [
        f"Largest force {peak:.2f} N. Forces, powers and displacements over time: {shown(figure)}",
        "",
        "The same by command: .venv/bin/gough inverse stewart     How it works: .venv/bin/python -m benchmarks.tour",
    ]
    return "\n".join(lines)


def shown(path: Path) -> Path:
    """The path as seen from here, where it is below this folder."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


if __name__ == "__main__":
    print(demo())
    # As a command it would be a process of its own, which starts for longer than the report takes to draw.
    sys.exit(main(["report", "stewart", "--states", "0", "--no-animation", "--out", str(shown(REPORT))]))
