"""Paper 002's Table 1 beside ours: operations of the velocity matrices V alone, by body and method.

All parameters are symbols (free inputs), the joints of base and platform lie in planes, time derivatives are taken at
the leaves, and what is structurally equal is counted once.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np

from gough.dynamics.lopes import LopesParameters, T, leg_bodies, platform_inertia
from gough.graph import Count, Vector, array, count, dot, jacobian, jvp, record


def entry_ratio(body: str) -> float:
    """Operations of Koditschek's V over those of Lagrange's, every entry counted by itself."""

    def equations(x: Vector, xd: Vector, p: Vector) -> dict[str, Any]:
        Md, U = momentum_matrices(body, x, xd, p)
        full = {f"L {i} {j}": array([Md[i, j] - U[i, j] * 0.5]) for i in range(6) for j in range(6)}
        even = {f"K {i} {j}": array([Md[i, j]]) for i in range(6) for j in range(i + 1)}
        skew = {f"K {j} {i} -": array([U[j, i] - U[i, j]]) for i in range(6) for j in range(i)}
        return full | even | skew

    graph = record(equations, x=6, xd=6, p=PARAMETERS)
    totals = {"L": 0, "K": 0}
    for output in graph.outputs:
        c = count(graph, output.name)
        totals[output.name[0]] += c.add + c.mul + c.div
    return totals["K"] / totals["L"]


METHODS = ("L", "K", "GM")
PAPER: dict[str, dict[str, tuple[int, int, int]]] = {
    "platform": {"L": (485, 719, 0), "K": (474, 735, 0), "GM": (182, 326, 0)},
    "C_tra": {"L": (2982, 5483, 7), "K": (2389, 4283, 7), "GM": (238, 533, 4)},
    "C_rot": {"L": (5433, 9215, 8), "K": (3908, 6765, 8), "GM": (471, 942, 8)},
    "S_tra": {"L": (2985, 5483, 7), "K": (2392, 4283, 7), "GM": (241, 533, 4)},
    "S_rot": {"L": (5433, 9215, 8), "K": (3908, 6765, 8), "GM": (471, 942, 8)},
}
"""As printed; the total of Lagrange's divisions is printed 80, but the rows add up to 180."""
NAMES = {
    "platform": "platform",
    "C_tra": "translating cylinder",
    "C_rot": "rotating cylinder",
    "S_tra": "translating piston",
    "S_rot": "rotating piston",
    "total": "machine (platform and six of each)",
}
PARAMETERS = 4 + 3 + 9 + 2
ORDER_NOTE = (
    "L and K stand in the other order than in the paper. Both are made of the same matrices Md and U: counted once, K "
    "is L with 36 additions more (9 for the platform). The paper's order comes out if every entry is counted by itself "
    "and K as a symmetric and a skew part: K : L is then 0.74 for translating and 0.75 for rotating bodies, 0.79 and "
    "0.73 in the paper (platform 0.72, there 1.00)."
)
"""What `lopes_order` counts."""


@dataclass(frozen=True)
class Row:
    """Additions, multiplications and divisions of one body's V by one method: the paper's and ours."""

    body: str
    method: str
    paper: tuple[int, int, int]
    ours: tuple[int, int, int]

    def values(self) -> dict[str, Any]:
        """For JSON."""
        return {"body": self.body, "method": self.method, "paper": list(self.paper), "ours": list(self.ours)}


def lopes_table() -> list[Row]:
    """All rows, the machine's totals last."""
    rows = []
    for body, printed in PAPER.items():
        for method in METHODS:
            c = count_V(body, method)
            rows.append(Row(body, method, printed[method], (c.add, c.mul, c.div)))
    for method in METHODS:
        rows.append(Row("total", method, _total(rows, method, "paper"), _total(rows, method, "ours")))
    return rows


def _total(rows: list[Row], method: str, which: str) -> tuple[int, int, int]:
    total = np.zeros(3, dtype=int)
    for row in rows:
        if row.method == method:
            total += np.array(getattr(row, which)) * (1 if row.body == "platform" else 6)
    return int(total[0]), int(total[1]), int(total[2])


def count_V(body: str, method: str) -> Count:
    """Operations of the V of one body: Lagrange's Md - U/2, Koditschek's, or the generalised momentum's."""

    def equations(x: Vector, xd: Vector, p: Vector) -> Vector:
        if method == "GM":
            J, inertia = _body(body, _symbolic(p), x)
            return J.T @ jvp(inertia @ (J @ T(x)), x, xd)
        Md, U = momentum_matrices(body, x, xd, p)
        return (Md + U.T - U) * 0.5 if method == "K" else Md - U * 0.5

    return count(record(equations, x=6, xd=6, p=PARAMETERS))


def momentum_matrices(body: str, x: Vector, xd: Vector, p: Vector) -> tuple[Vector, Vector]:
    """(6, 6) Md, the rate of a body's mass matrix, and U_ij = sum_k xd_k dM_kj/dx_i."""
    J, inertia = _body(body, _symbolic(p), x)
    M = (J @ T(x)).T @ (inertia @ (J @ T(x)))
    for i in range(6):
        for j in range(i):
            M[j, i] = M[i, j]
    slopes = jacobian(M, x, "forward")
    return jvp(M, x, xd), array([[dot(array(xd), slopes[:, j, i]) for j in range(6)] for i in range(6)])


def _body(body: str, parameters: LopesParameters, x: Vector) -> tuple[Vector, Vector]:
    """A body's Jacobian and inertia matrix."""
    if body == "platform":
        return array(np.eye(6)), platform_inertia(parameters, x)
    return next((j, i) for name, j, i in leg_bodies(parameters, x, 0) if name == body)


def _symbolic(p: Vector) -> LopesParameters:
    """The machine of one leg with all parameters recorded; the joints' heights are zero."""
    joint_b, joint_p = [p[0], p[1], 0.0], [p[2], p[3], 0.0]
    m_P, m_C, m_S = p[4:7]
    return LopesParameters([array(joint_b)], [array(joint_p)], m_P, m_C, m_S, p[7:10], p[10:13], p[13:16], p[16], p[17])


def lopes_text(rows: list[Row]) -> str:
    """The table, and under it the ratios between the methods."""
    head = f"{'':36} {'paper':>26}  {'ours':>26}  ours/paper"
    lines = ["Operations of the velocity matrices V (add/mul/div), symbolic parameters", "", head]
    for row in rows:
        name = f"{NAMES[row.body]}, {row.method}"
        ratio = sum(row.ours) / sum(row.paper)
        lines.append(f"{name:36} {_slashed(row.paper):>26}  {_slashed(row.ours):>26}  {ratio:10.2f}")
    totals = {row.method: row for row in rows if row.body == "total"}
    lines += ["", f"{'ratio of totals':36} {'paper':>26}  {'ours':>26}"]
    for method in ("L", "K"):
        paper = sum(totals[method].paper) / sum(totals["GM"].paper)
        ours = sum(totals[method].ours) / sum(totals["GM"].ours)
        lines.append(f"{f'{method} : GM':36} {f'{paper:.1f}':>26}  {f'{ours:.1f}':>26}")
    lines += [
        "",
        "L: V = Md - U/2, from the Lagrangian. K: Koditschek's V = (Md + U^T - U)/2. GM: generalised momentum.",
        "Derivatives are taken at the leaves, equal subexpressions counted once; the paper does not state its rules.",
        *wrap(ORDER_NOTE, 108),
    ]
    return "\n".join(lines)


def _slashed(values: tuple[int, int, int]) -> str:
    return "/".join(map(str, values))
