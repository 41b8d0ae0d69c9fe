"""All robots of the catalogue on one table: how well formulations agree, and what each costs."""

from __future__ import annotations

from collections.abc import Callable

from gough.dynamics.contract import FORMULATIONS
from gough.reports.counts import operation_counts
from gough.reports.verify import Certificate, verify
from gough.robot import catalogue, load

Progress = Callable[[str], None]


def agreement_rows(states: int, seed: int, progress: Progress) -> tuple[list[list[str]], list[Certificate]]:
    """A row per robot (name, largest condition, worst force, power and matrix figure), and the certificates."""
    rows, certificates = [], []
    for name in catalogue():
        found = verify(load(name), states, seed, progress=lambda step, name=name: progress(f"{name}: {step}"))  # type: ignore[misc]
        power = max(a.power for a in found.agreements)
        matrices = max(check.worst for check in found.checks)
        figures = [f"{value:.1e}" for value in (found.worst.worst, power, matrices)]
        rows.append([name, f"{found.states.condition.max():.3g}", *figures, "yes" if found.passed else "NO"])
        certificates.append(found)
    return rows, certificates


AGREEMENT_HEADER = ["robot", "largest condition", "forces", "power", "matrices", "passed"]
COUNT_HEADER = ["flops", *(f.name for f in FORMULATIONS)]


def count_rows(progress: Progress) -> list[list[str]]:
    """A row per robot: its name and the flops of each formulation."""
    rows = []
    for name in catalogue():
        counts = operation_counts(load(name), progress=lambda step, name=name: progress(f"{name}: {step}"))  # type: ignore[misc]
        rows.append([name, *[str(c.total.flops) for c in counts]])
    return rows
