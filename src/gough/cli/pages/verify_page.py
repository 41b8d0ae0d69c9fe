"""A certificate as plain values for JSON, and all robots on one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gough import __version__
from gough.reports.verify import Certificate, verify
from gough.robot import catalogue, load

AGREEMENT_HEADER = ["robot", "largest condition", "forces", "power", "matrices", "passed"]


def certificate_values(certificate: Certificate) -> dict[str, Any]:
    """The same as plain values, with the state of the worst disagreement in full."""
    c = certificate
    return {
        "robot": c.robot.name,
        "version": __version__,
        "passed": c.passed,
        "limit": c.limit,
        "states": len(c.states),
        "seed": c.seed,
        "condition": [float(c.states.condition.min()), float(c.states.condition.max())],
        "forces": [
            {
                "formulation": a.run.formulation,
                "executor": a.run.executor,
                "operations": a.run.operations,
                "states": len(a.run.forces),
                "worst": a.worst,
                "state": a.state,
                "actuator": a.actuator,
                "power": a.power,
            }
            for a in c.agreements
        ],
        "worst": {
            "formulation": c.worst.run.formulation,
            "executor": c.worst.run.executor,
            "value": c.worst.worst,
            "actuator": c.worst.actuator,
            **{name: values[c.worst.state] for name, values in c.states.inputs().items()},
            "condition": c.states.condition[c.worst.state],
        },
        "checks": [
            {"name": k.name, "worst": k.worst, "state": k.state, "limit": k.limit, "passed": k.passed} for k in c.checks
        ],
    }


def agreement_rows(
    states: int, seed: int, progress: Callable[[str], None]
) -> tuple[list[list[str]], list[Certificate]]:
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
