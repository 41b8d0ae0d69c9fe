"""A certificate as one page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough import __version__

if TYPE_CHECKING:
    from gough.reports.verify import Agreement, Certificate

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


def _worst(c: Certificate, a: Agreement) -> str:
    names = c.robot.coordinate_names
    pose = ", ".join(f"{n} = {v:.4g}" for n, v in zip(names, np.asarray(c.states.x[a.state]), strict=True))
    return (
        f"{a.worst:.1e}, {a.run.formulation} on {a.run.executor}, actuator {a.actuator}, state {a.state}:\n"
        f"  {pose} (condition {c.states.condition[a.state]:.3g})"
    )
