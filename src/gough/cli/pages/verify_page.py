"""A certificate as plain values for JSON, and all robots on one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gough import __version__
from gough.reports.verify import Certificate, verify
from gough.reports.verify_text import not_run_lines
from gough.robot import catalogue, load

_PARTS = {
    "matrices": "matrices",
    "forward dynamics": "forward",
    "moving base": "base",
    "joint rates": "joints",
    "energy": "energy",
}
AGREEMENT_HEADER = ["robot", "largest condition", "forces", "power", *_PARTS.values(), "passed"]


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
        "condition": [float(c.condition.min()), float(c.condition.max())],
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
            **{name: values[c.worst.state] for name, values in c.states.inputs(c.robot).items()},
            "condition": c.condition[c.worst.state],
        },
        "checks": [
            {
                "name": k.name,
                "part": k.part,
                "formulation": k.formulation,
                "worst": k.worst,
                "state": k.state,
                "limit": k.limit,
                "passed": k.passed,
            }
            for k in c.checks
        ],
        "not_run": [{"part": n.part, "formulation": n.formulation, "reason": n.reason} for n in c.not_run],
    }


def agreement_rows(
    states: int, seed: int, progress: Callable[[str], None]
) -> tuple[list[list[str]], list[Certificate]]:
    """A row per robot (name, largest condition, worst force, power and figure of each part), and the certificates."""
    rows, certificates = [], []
    for name in catalogue():
        found = verify(load(name), states, seed, progress=lambda step, name=name: progress(f"{name}: {step}"))  # type: ignore[misc]
        power = max(a.power for a in found.agreements)
        parts = [max(check.worst for check in found.checks if check.part == part) for part in _PARTS]
        figures = [f"{value:.1e}" for value in (found.worst.worst, power, *parts)]
        rows.append([name, f"{found.condition.max():.3g}", *figures, "yes" if found.passed else "NO"])
        certificates.append(found)
    return rows, certificates


def not_run_page(certificates: Sequence[Certificate]) -> str:
    """What was not run, robots with the same line together; "" if nothing was left out."""
    robots: dict[str, list[str]] = {}
    for found in certificates:
        for line in not_run_lines(found):
            robots.setdefault(line, []).append(found.robot.name)
    everywhere = len(certificates)
    lines = [f"  {'all' if len(names) == everywhere else ', '.join(names)}: {k}" for k, names in robots.items()]
    return "\n".join(["Not run:", *lines]) if lines else ""
