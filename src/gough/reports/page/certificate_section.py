"""The agreement of independent formulations, as a table."""

from __future__ import annotations

from gough.reports.identity_checks import motion_agreement
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, paragraph, section, subtitle, table
from gough.reports.verify_text import not_run_lines

_ORDER = ("llvm", "blocks", "floats")


def certificate_section(case: Case) -> Markup:
    """What was compared, the worst of each formulation, the checks, the verdict."""
    c = case.certificate
    if c is None:
        return section(
            "Agreement certificate",
            *_on_this_motion(case),
            paragraph(f"On random states, with power balance and matrices: gough verify {case.called}.", "note"),
        )
    condition = c.condition
    rows = []
    for name in dict.fromkeys(a.run.formulation for a in c.agreements):
        mine = {a.run.executor: a for a in c.agreements if a.run.formulation == name}
        cells = [f"{mine[e].worst:.1e}" if e in mine else "-" for e in _ORDER]
        power = max(a.power for a in mine.values())
        rows.append([name.replace("_", " "), str(mine["blocks"].run.operations), *cells, f"{power:.1e}"])
    checks, dynamics = (
        [
            [k.name, f"{k.worst:.1e}", "ok" if k.passed else f"fails in state {k.state}"]
            for k in c.checks
            if (k.part == "matrices") == of_matrices
        ]
        for of_matrices in (True, False)
    )
    left_out = [paragraph(f"Not run: {line}.", "note") for line in not_run_lines(c)]
    verdict = f"{'Passed' if c.passed else 'Failed'}: nothing may exceed {c.limit:.0e}."
    return section(
        "Agreement certificate",
        paragraph(
            f"The same robot by formulations derived independently of one another, on {len(c.states)} random reachable "
            f"states (seed {c.seed}) with an external wrench; condition {condition.min():.3g} to "
            f"{condition.max():.3g}."
        ),
        paragraph(verdict, "verdict" if c.passed else "verdict bad"),
        table(["formulation", "operations", "LLVM", "NumPy", "Python", "power balance"], rows),
        paragraph(
            "Worst difference from the median of all formulations, relative to the largest force and the condition "
            "number, by what ran the program; and the worst failure of the power balance, likewise.",
            "note",
        ),
        subtitle("Matrices of the model"),
        table(["must hold", "worst", ""], checks),
        subtitle("Forward dynamics, moving base, joint rates, energy"),
        table(["must hold", "worst", ""], dynamics),
        *left_out,
        subtitle("On this motion"),
        *_on_this_motion(case),
    )


def _on_this_motion(case: Case) -> list[Markup]:
    """The forces of this report by other formulations."""
    found, samples = motion_agreement(case.result)
    if not samples:
        return [paragraph("No sample has forces.", "note")]
    rows = [[entry.formulation.replace("_", " "), str(entry.operations), f"{entry.worst:.1e}"] for entry in found]
    return [
        table(["formulation", "operations", "difference"], rows),
        paragraph(
            f"The forces of this report, at {samples} of its samples, beside those of formulations derived "
            "independently of one another: worst difference, relative to the largest force and the condition number.",
            "note",
        ),
    ]
