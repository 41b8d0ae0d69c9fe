"""The engine's benchmark: `python -m benchmarks.engine` prints how fast the recorded model runs, and what it costs.

Everything timed is checked: against the reference forces of the model, or against its own differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from benchmarks import costs, throughput
from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from benchmarks.stewart_equations import GENERAL, record_inverse_dynamics
from benchmarks.throughput import BLOCKS, LLVM, NUMBA, NUMPY
from gough.graph import count


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures: a table of throughputs and a list of goals."""
    timings, errors, numba_compile = throughput.measure(samples, rounds)
    table = [
        {
            "variant": name,
            "us_least": timing.least / samples * 1e6,
            "us_median": timing.median / samples * 1e6,
            "times_numpy": timings[NUMPY].least / timing.least,
            "calls": timing.samples,
            "error": errors[name],
        }
        for name, timing in sorted(timings.items(), key=lambda item: -item[1].least)
    ]

    def ratio(slow: str, fast: str) -> float:
        return timings[slow].least / timings[fast].least

    record = costs.recording(rounds)
    cold, warm = costs.compiling(max(2, rounds // 4))
    bound = costs.bound_call(rounds, inner=20 if quick else 2000)
    large = costs.large_graph(second=not quick)
    import_bare, import_full = costs.import_times(1 if quick else 7)
    first_cold, first_warm = costs.first_use(1 if quick else 5)
    goals = [Goal("llvm against NumPy by hand", ratio(NUMPY, LLVM), 50, "x")]
    if NUMBA in timings:
        goals.append(Goal("llvm against numba", ratio(NUMBA, LLVM), 5, "x"))
    goals += [
        Goal("blocks against NumPy by hand", ratio(NUMPY, BLOCKS), 4, "x"),
        Goal("recording", record.least * 1e3, 10, "ms"),
        Goal("compiling, no cache", cold.least * 1e3, 150, "ms", f"numba {numba_compile * 1e3:.0f} ms"),
        Goal("from the object cache", warm.least * 1e3, 5, "ms"),
        Goal("bound call, one sample", bound.least * 1e6, 2, "us"),
        Goal(f"compiling {large['operations']} operations", large["compile"], 15, "s"),
        Goal("import gough, beyond NumPy's", import_bare * 1e3, 150, "ms", f"with Program {import_full * 1e3:.0f} ms"),
    ]
    return {
        "machine": machine(),
        "samples": samples,
        "operations": asdict(count(record_inverse_dynamics())),
        "operations_without_coincidences": asdict(count(record_inverse_dynamics(GENERAL))),
        "throughput": table,
        "goals": goal_rows(goals),
        "medians": {
            "recording_s": record.median,
            "cold_s": cold.median,
            "cache_s": warm.median,
            "bound_s": bound.median,
        },
        "large_graph": large,
        "fresh_process_s": {"no_cache": first_cold, "cached": first_warm},
    }


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    operations = figures["operations"]
    flops = sum(operations[k] for k in ("add", "mul", "div", "sqrt"))
    lines = [
        f"6-UPS inverse dynamics tau(x, xd, xdd): {sum(operations.values())} operations, {flops} of them flops",
        f"N = {figures['samples']}, one core, {figures['machine']['processor']}; least of many interleaved calls",
        "",
        f"{'':42}{'us/sample':>10}{'median':>10}{'x NumPy':>9}{'error':>10}",
    ]
    for row in figures["throughput"]:
        numbers = f"{row['us_least']:>10.4f}{row['us_median']:>10.4f}{row['times_numpy']:>9.1f}{row['error']:>10.0e}"
        lines.append(f"{row['variant']:42}{numbers}")
    lines += ["", *goal_lines(figures["goals"])]
    fresh = figures["fresh_process_s"]
    lines += [
        "",
        f"A fresh process, from its first import to its first forces: {fresh['no_cache']:.2f} s; "
        f"cached {fresh['cached']:.2f} s.",
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    return run("engine", __doc__, 60, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
