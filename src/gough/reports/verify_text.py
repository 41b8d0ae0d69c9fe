"""A certificate as one page of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gough import __version__

if TYPE_CHECKING:
    from gough.reports.identity_checks import Check
    from gough.reports.verify import Agreement, Certificate

_ORDER = ("llvm", "blocks", "floats")


def certificate_text(certificate: Certificate) -> str:
    """One page: what was compared, the worst of each formulation and executor, the checks, the result."""
    c, states = certificate, certificate.states
    cond = c.condition
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
    lines += _rows([check for check in c.checks if check.part == "matrices"])
    lines += [
        "",
        "Dynamics: worst departure of each formulation. Forward: xdd back from the median of the forces, relative to",
        "cond(K) max|xdd|; base: forces on a moving base, as above; energy: gained + dissipated - work of actuators",
        "and wrench in a short simulation, relative to the energy converted.",
        "",
        f"  {'formulation':22} " + "  ".join(f"{title:>8}" for title in PARTS.values()),
    ]
    # every formulation has a row in the moving base's checks, in the order of the table above
    for name in [check.formulation for check in c.checks if check.part == "moving base" and check.formulation]:
        cells = "  ".join(f"{_cell(c, part, name):>8}" for part in PARTS)
        lines.append(f"  {name:22} {cells}")
    lines += ["", *_rows([check for check in c.checks if check.part != "matrices" and not check.formulation])]
    if c.not_run:
        lines += ["", "Not run (-):", *(f"  {line}" for line in not_run_lines(c))]
    lines += ["", *_failed(c), f"{'PASSED' if c.passed else 'FAILED'}: nothing may exceed {c.limit:.0e}."]
    return "\n".join(lines)


PARTS = {"forward dynamics": "forward", "moving base": "base", "energy": "energy"}
"""Parts that are checked formulation by formulation, and the titles of their columns."""


def not_run_lines(c: Certificate) -> list[str]:
    """What was not run and why, a line for each reason."""
    names: dict[tuple[str, str], list[str]] = {}
    for entry in c.not_run:
        what = "simulation" if entry.part == "energy" else entry.part
        names.setdefault((entry.formulation, entry.reason), []).append(what)
    return [f"{name}: {', '.join(parts)}: {reason}" for (name, reason), parts in names.items()]


def _cell(c: Certificate, part: str, name: str) -> str:
    """The worst departure of a formulation in a part; "-" where it was not run, "!" after one that fails."""
    found = [check for check in c.checks if (check.part, check.formulation) == (part, name)]
    return "-" if not found else f"{found[0].worst:.1e}{'' if found[0].passed else '!'}"


def _failed(c: Certificate) -> list[str]:
    """A line for each check of a formulation's dynamics that fails."""
    failed = [check for check in c.checks if check.formulation and not check.passed]
    return [f"FAILS: {check.name}: {check.worst:.1e} (state {check.state})" for check in failed]


def _rows(checks: Sequence[Check]) -> list[str]:
    width = max(len(check.name) for check in checks)
    verdicts = ["ok" if check.passed else f"FAILS (state {check.state})" for check in checks]
    return [f"  {k.name:{width}}  {k.worst:8.1e}  {verdict}" for k, verdict in zip(checks, verdicts, strict=True)]


def _worst(c: Certificate, a: Agreement) -> str:
    names = c.robot.coordinate_names
    pose = ", ".join(f"{n} = {v:.4g}" for n, v in zip(names, np.asarray(c.states.x[a.state]), strict=True))
    return (
        f"{a.worst:.1e}, {a.run.formulation} on {a.run.executor}, actuator {a.actuator}, state {a.state}:\n"
        f"  {pose} (condition {c.condition[a.state]:.3g})"
    )
