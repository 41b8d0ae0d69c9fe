"""A certificate as one page of text and as plain values for JSON, and all robots on one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough import __version__
from gough.reports.verify import Agreement, Certificate, verify
from gough.robot import catalogue, load

AGREEMENT_HEADER = ["robot", "largest condition", "forces", "power", "matrices", "passed"]
_ORDER = ("llvm", "blocks", "floats")


def certificate_text(certificate: Certificate) -> str:
    """One page: what was compared, the worst of each formulation and executor, the checks, the result."""
    c, states = certificate, certificate.states
    cond = states.condition
    lines = [
        f"Certificate: {c.robot.name}, gough {__version__}",
        "",
        f"{len(states)} random reachable states (seed {c.seed}), with an external wrench; condition of K "
        f"{cond.min():.3g} to {cond.max():.3g}.",
        "",
        "Forces: worst |tau - median of all formulations| / (cond(K) max|tau|), by executor; and the power balance,",
        "worst |tau.qd - dE/dt - friction + wrench.twist| / (cond(K) max|tau| max|qd|).",
        "",
        f"  {'formulation':22} {'operations':>10}  {'LLVM':>8}  {'blocks':>8}  {'floats':>8}  {'power':>8}",
    ]
    for name in dict.fromkeys(a.run.formulation for a in c.agreements):
        mine = {a.run.executor: a for a in c.agreements if a.run.formulation == name}
        cells = "  ".join(f"{mine[e].worst:8.1e}" if e in mine else f"{'-':>8}" for e in _ORDER)
        power = max(a.power for a in mine.values())
        lines.append(f"  {name:22} {mine['blocks'].run.operations:10}  {cells}  {power:8.1e}")
    lines += [
        "  (Lagrange's two forms share one program with their matrices; floats: the first states only;",
        "  - : too large to compile for a check. Operations are all that run, comparisons, selects and the external",
        "  wrench included: more than the flops of gough count.)",
        "",
        f"Worst: {_worst(c, c.worst)}",
        "",
        "Matrices: worst departure, relative to the largest entry, and to cond(K) in actuator coordinates",
        "",
    ]
    width = max(len(check.name) for check in c.checks)
    for check in c.checks:
        verdict = "ok" if check.passed else f"FAILS (state {check.state})"
        lines.append(f"  {check.name:{width}}  {check.worst:8.1e}  {verdict}")
    lines += ["", f"{'PASSED' if c.passed else 'FAILED'}: nothing may exceed {c.limit:.0e}."]
    return "\n".join(lines)


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


def _worst(c: Certificate, a: Agreement) -> str:
    names = c.robot.coordinate_names
    pose = ", ".join(f"{n} = {v:.4g}" for n, v in zip(names, np.asarray(c.states.x[a.state]), strict=True))
    return (
        f"{a.worst:.1e}, {a.run.formulation} on {a.run.executor}, actuator {a.actuator}, state {a.state}:\n"
        f"  {pose} (condition {c.states.condition[a.state]:.3g})"
    )


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
