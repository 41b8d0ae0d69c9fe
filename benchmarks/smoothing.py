"""Smoothing of recordings: `python -m benchmarks.smoothing` prints how long it takes, and how near it is.

The recording: cosines of 0.2 m and 0.3 Hz at 100 Hz with white noise of 0.02 mm, whose accelerations are not zero at
the ends. The peer is SciPy's smoothing spline (cubic, generalised cross-validation), on one column of 2000 rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from time import process_time
from typing import Any

import numpy as np

from benchmarks.frame import Goal, goal_lines, goal_rows, machine, run
from benchmarks.timing import Variant, interleaved
from gough.motion.smooth import smooth_auto

ROWS, COLUMNS, PEER_ROWS = 20_000, 6, 2000
GOUGH, PEER = "gough, smooth_auto", "SciPy, make_smoothing_spline"
NOISE, AMPLITUDE, FREQUENCY = 2e-5, 0.2, 2.0 * math.pi * 0.3
ALLOWED = 0.05
"""Of the error of the acceleration, ends included, relative to its peak."""


def recording(rows: int, columns: int) -> tuple[Any, Any, Any]:
    """Times (N,), noisy values (N, columns) and exact accelerations (N, columns)."""
    t = np.arange(rows) / 100.0
    values = AMPLITUDE * np.cos(FREQUENCY * t[:, None] + np.arange(columns))
    noisy = values + NOISE * np.random.default_rng(0).standard_normal(values.shape)
    return t, noisy, -(FREQUENCY**2) * values


def error(found: Any, exact: Any) -> float:
    """Largest error of accelerations, relative to the peak."""
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def smoothed(t: Any, values: Any) -> Any:
    """Accelerations (N, n) of gough's smoothing at the rows."""
    return smooth_auto(t, values)[0](t)[2]


def peer(t: Any, values: Any) -> Any:
    """Accelerations (N, 1) of SciPy's smoothing at the rows, of the first column."""
    from scipy.interpolate import make_smoothing_spline

    return make_smoothing_spline(t, values[:, 0])(t, nu=2)[:, None]


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """Times and errors; `samples` is not used but for a quick run."""
    rows, peer_rows = (samples * 10, samples * 4) if quick else (ROWS, PEER_ROWS)
    whole, part = recording(rows, COLUMNS), recording(peer_rows, 1)
    errors = {GOUGH: error(smoothed(*whole[:2]), whole[2]), PEER: error(peer(*part[:2]), part[2])}
    if not errors[GOUGH] < ALLOWED:
        raise ArithmeticError(f"{GOUGH}: accelerations are off by {errors[GOUGH]:.1%} of their peak")
    timed = interleaved(
        {GOUGH: Variant(lambda: smoothed(*whole[:2])), PEER: Variant(lambda: peer(*part[:2]))},
        rounds,
        clock=process_time,
    )
    goals = [
        Goal(f"smoothing {rows} x {COLUMNS}", timed[GOUGH].least, 1.0, "s"),
        Goal("error of its accelerations, ends included", 100.0 * errors[GOUGH], 100.0 * ALLOWED, "%"),
    ]
    return {
        "machine": machine(),
        "rows": {GOUGH: [rows, COLUMNS], PEER: [peer_rows, 1]},
        "seconds": {name: asdict(timing) for name, timing in timed.items()},
        "errors": errors,
        "goals": goal_rows(goals),
    }


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    lines = [f"{'':32}{'rows':>12}{'s':>10}{'median':>10}{'us/number':>12}{'error':>10}"]
    for name, timing in figures["seconds"].items():
        rows, columns = figures["rows"][name]
        each = timing["least"] / (rows * columns) * 1e6
        size = f"{rows} x {columns}"
        lines.append(
            f"{name:32}{size:>12}{timing['least']:>10.3f}{timing['median']:>10.3f}{each:>12.2f}"
            f"{figures['errors'][name]:>10.1%}"
        )
    return "\n".join([*lines, "", *goal_lines(figures["goals"])])


def main(arguments: Sequence[str] | None = None) -> int:
    return run("smoothing", __doc__, 5, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
