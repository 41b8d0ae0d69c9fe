"""What the benchmarks share: their goals, the machine they ran on, and their command line."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from llvmlite.binding import get_host_cpu_name

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure and its bound; ratios are to be at least so large, times at most so long."""

    name: str
    figure: float
    bound: float
    unit: str
    note: str = ""

    @property
    def reached(self) -> bool:
        """Whether the figure keeps its bound."""
        return self.figure >= self.bound if self.unit == "x" else self.figure <= self.bound


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    versions = {name: metadata.version(name) for name in ("numpy", "llvmlite", "numba") if find_spec(name)}
    return {
        "processor": get_host_cpu_name(),
        "system": platform.platform(),
        "python": platform.python_version(),
    } | versions


def goal_rows(goals: Sequence[Goal]) -> list[Figures]:
    """Goals as figures: their fields, and whether they were reached."""
    return [asdict(goal) | {"reached": goal.reached} for goal in goals]


def goal_lines(goals: Sequence[Figures]) -> list[str]:
    """A line per goal: its figure, its bound, whether it was reached."""
    lines = [f"{'':46}{'figure':>13}{'goal':>13}"]
    for goal in goals:
        figure = f"{goal['figure']:.3g} {goal['unit']}"
        bound = f"{'>=' if goal['unit'] == 'x' else '<='} {goal['bound']:g} {goal['unit']}"
        verdict = "reached" if goal["reached"] else "NOT REACHED"
        lines.append(f"{goal['name']:46}{figure:>13}{bound:>13}  {verdict:12} {goal['note']}".rstrip())
    return lines


def run(
    name: str,
    about: str | None,
    rounds: int,
    measure: Callable[[int, int, bool], Figures],
    report: Callable[[Figures], str],
    arguments: Sequence[str] | None,
) -> int:
    """The command `python -m benchmarks.NAME`: measures, prints the report, writes the figures.

    Args:
        name: Of the benchmark.
        about: For its help.
        rounds: Turns of each contestant by default.
        measure: (samples, rounds, quick) to figures.
        report: Figures to text.
        arguments: Of the command; those of the process by default.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=about)
    parser.add_argument("--samples", type=int, default=10_000, help="samples per call (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=rounds, help="turns of each contestant (default %(default)s)")
    parser.add_argument("--json", type=Path, default=Path(f"build/bench/{name}.json"), help="default %(default)s")
    parser.add_argument("--quick", action="store_true", help="a smoke run: few samples, few rounds, no honest timing")
    given = parser.parse_args(arguments)
    samples, turns = (50, 2) if given.quick else (given.samples, given.rounds)
    figures = measure(samples, turns, given.quick)
    print(report(figures))
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0
