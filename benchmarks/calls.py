"""Time of calls: one sample and many, public and bound, beside Pinocchio; first use of legs closed by iteration."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from time import process_time

from benchmarks.calls_race import (
    BATCH_GOALS,
    ROBOTS,
    SINGLE_GOALS,
    batch_variants,
    bound_variants,
    first_use,
    peer_variants,
    single_variants,
)
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from benchmarks.timing import Timing, interleaved

OVERHEAD, PER_OPERATION, STEWART = 1.0, 0.35e-3, 3.0
"""[us] of a bound call: what every one may take, per operation, and on stewart."""


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All figures."""
    inner = 2 if quick else 20
    turn = 0.0 if quick else 0.01
    single = interleaved(single_variants(inner), rounds, turn, process_time)
    batch = interleaved(batch_variants(samples), rounds, turn, process_time)
    variants, operations = bound_variants(inner, ROBOTS[:1] if quick else ROBOTS)
    bound = interleaved(variants, rounds, turn, process_time)
    peers = interleaved(peer_variants(inner), rounds, turn, process_time)
    goals = [Goal(f"{name}, one sample", 1e6 * single[name].median, most, "us") for name, most in SINGLE_GOALS.items()]
    goals += [
        Goal(f"{name}, per sample of {samples}", 1e6 * batch[name].median / samples, most, "us")
        for name, most in BATCH_GOALS.items()
    ]
    for name, timing in bound.items():
        most = OVERHEAD + PER_OPERATION * operations[name]
        most = max(STEWART, most) if name.startswith("stewart") else most
        goals.append(Goal(f"bound: {name}", 1e6 * timing.median, most, "us", f"{operations[name]} operations"))
    goals += _ahead(peers)
    if not quick:
        goals.append(Goal("first use of six 6R legs, empty cache", first_use(), 10.0, "s"))
    return {
        "machine": machine(),
        "samples": samples,
        "times": {name: asdict(t) for part in (single, batch, bound, peers) for name, t in part.items()},
        "goals": goal_rows(goals),
    }


def _ahead(peers: dict[str, Timing]) -> list[Goal]:
    """How many times quicker gough is, by machine, contestant and peer."""
    goals = []
    for name, timing in peers.items():
        robot, contestant = name.split(", ")
        if contestant.startswith("gough"):
            for peer in ("pin.lcaba", "pin.constraintDynamics"):
                ratio = peers[f"{robot}, {peer}"].median / timing.median
                goals.append(Goal(f"{robot}: {contestant} against {peer}", ratio, 1.0, "x"))
    return goals


def report(figures: Figures) -> str:
    """The figures as text."""
    lines = [f"{'':52}{'least us':>10}{'median us':>11}"]
    for name, times in figures["times"].items():
        lines.append(f"{name:52}{1e6 * times['least']:10.3g}{1e6 * times['median']:11.3g}")
    return "\n".join([*lines, "", *goal_lines(figures["goals"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("calls", __doc__, 60, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
