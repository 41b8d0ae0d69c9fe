"""A proof that square equations have one solution near a point, and one only: Krawczyk's test.

The equations and their derivatives are enclosed by Taylor forms, so that all round-off is in the bounds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Graph
from gough.run.enclose import enclose

_WIDTHS = (1e-10, 1e-8, 1e-6)
"""Half-widths of the boxes that are tried, the smallest first."""
_ROUND = 1e-15


def proved_solutions(graph: Graph, v: Array, unknowns: int) -> tuple[NDArray[np.bool_], Array]:
    """(M,) whether there is one solution in a box about each point, and one only; (M,) how far it can be.

    Args:
        graph: v -> r (n,), by_v (n, len v).
        v: (M, n + parameters) points; the first n of each are the unknowns.
        unknowns: n.
    """
    count = len(v)
    proved, far = np.zeros(count, dtype=bool), np.full(count, np.nan)
    at = enclose(graph, v, np.zeros_like(v))
    r, J = at["r"][0].T, np.moveaxis(at["by_v"][0], -1, 0)[:, :, :unknowns]
    slip = at["r"][-1].T
    with np.errstate(all="ignore"):
        good = np.isfinite(J).all(axis=(1, 2)) & (np.linalg.cond(np.where(np.isfinite(J), J, 0.0)) < 1e12)
    if r.shape[1] != unknowns or not good.any():
        return proved, far
    Y = np.zeros_like(J)
    Y[good] = np.linalg.inv(J[good])
    sizes = np.abs(Y)
    beta = np.abs(np.einsum("nij,nj->ni", Y, r)) + np.einsum("nij,nj->ni", sizes, slip + unknowns * _ROUND * np.abs(r))
    for width in _WIDTHS:
        open_rows = np.flatnonzero(good & ~proved)
        if not len(open_rows):
            break
        radius = np.zeros_like(v[open_rows])
        radius[:, :unknowns] = width
        found = np.moveaxis(enclose(graph, v[open_rows], radius)["by_v"], -1, 0)[..., :unknowns]
        centre, spread = found[:, 0], np.abs(found[:, 1:]).sum(axis=1)
        own = Y[open_rows]
        drift = np.abs(np.eye(unknowns) - own @ centre) + np.abs(own) @ (spread + unknowns * _ROUND * np.abs(centre))
        reach = beta[open_rows] + width * drift.sum(axis=2) * (1.0 + 1e-9)
        inside = (reach < width).all(axis=1)
        proved[open_rows[inside]], far[open_rows[inside]] = True, reach[inside].max(axis=1)
    return proved, far
