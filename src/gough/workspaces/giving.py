"""Whether actuators can give what the platform needs all over boxes of poses.

Forces tau within +-h of their middles give the platform K^T tau. What is needed beyond the middles, q, takes forces of
which the largest share |tau_i| / h_i is least. In the middle of a box those at that share s are all but n - 1 of them,
the others F are between; and u, which K_F is orthogonal to, lies across the facet of the zonotope that q is nearest to:

    K_F^T tau_F + s K_A^T (h sign(K_A u)) = q

At other poses the same square system has a solution near by, whose first-order form is enclosed: a witness that q can
be given where s and all of tau_F / h_F are below 1. And u, turned with the pose so that K_F u stays small, shows that q
is outside where |u q| is more than the sum of |K_i u| h_i, whatever u is. Both are exact to the first order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np

from gough.graph import Array, Vector, absolute, array, dot, record, where
from gough.run import Program
from gough.workspaces.available import FLAT, normals
from gough.workspaces.form_matrices import inverses, negated, rates, split


class Giving:
    """Lower and upper forms of what n coordinates need against what m actuators can give."""

    def __init__(self, limits: Sequence[tuple[float, float]], size: int) -> None:
        """Of actuators with these limits, for so many coordinates."""
        low, high = np.array(limits, dtype=float).T
        self._middle, self._half, self._size = 0.5 * (low + high), 0.5 * (high - low), size

    def equations(self, K: Vector, Q: Vector) -> Vector:
        """Recorded: (n, m + 1) columns h_i K_i and, last, q = Q - K^T middle."""
        columns = [row * half for row, half in zip(K, self._half, strict=True)]
        return array([*columns, Q - K.T @ array(self._middle)]).T

    def forms(self, columns: Array) -> tuple[Array, Array]:
        """(d + 2, 2 n, B) lower and (d + 2, 1, B) upper forms; q can be given where all lower ones are positive.

        Args:
            columns: (d + 2, n, m + 1, B) forms of `equations`.
        """
        d, n, boxes = len(columns) - 2, self._size, columns.shape[-1]
        lower, upper = np.zeros((d + 2, 2 * n, boxes)), np.zeros((d + 2, 1, boxes))
        lower[-1], upper[-1] = np.inf, np.inf
        good = np.flatnonzero(np.isfinite(columns).all(axis=(0, 1, 2)))
        if not len(good):
            return lower, upper
        with np.errstate(all="ignore"):
            found = _nearest_facet(len(self._half), n)(columns=np.moveaxis(columns[0][..., good], -1, 0))
            u, facet = found["u"], found["facet"].astype(int)
            lower[..., good], Y, M = self._witness(columns[..., good], u, facet)
            upper[:, 0, good] = _separated(columns[..., good], Y, M)
        return lower, upper

    def _witness(self, columns: Array, u: Array, facet: Array) -> tuple[Array, Array, Array]:
        """Forms (d + 2, 2 n, B) of 1 - z and 1 + z, z the shares; about the inverse (B, n, n) of the system; it."""
        within, others = self._members
        box = np.arange(columns.shape[-1])[:, None]
        # (B, n, ...) columns of F, and the sum of those of A with their signs.
        every = np.moveaxis(columns, -1, 0)
        held = every[box, :, :, within[facet]]
        full = every[box, :, :, others[facet]]
        towards = np.einsum("bn,bn->b", every[:, 0, :, -1], u)
        side = np.sign(np.einsum("bkn,bn->bk", full[:, :, 0], u) * towards[:, None])
        summed = (full * side[:, :, None, None]).sum(axis=1, keepdims=True)
        summed[:, 0, -1] = np.abs(full[:, :, -1]).sum(axis=1) + full.shape[1] * 2.0**-52 * np.abs(full).sum(axis=(1, 2))
        M = np.transpose(np.concatenate([held, summed], axis=1), (2, 3, 1, 0))
        Y = inverses(np.moveaxis(M[0], -1, 0))
        z, slopes, rest = rates(Y, M, negated(columns[:, :, -1:]))
        form = np.concatenate([z[None, ..., 0], np.moveaxis(slopes[:, :, 0], -1, 0), rest[None, ..., 0]])
        form = np.moveaxis(form, 1, -1)
        both = np.concatenate([negated(form), form], axis=1)
        both[0] += 1.0
        both[-1] += 2.0**-52 * (1.0 + np.abs(both[0]))
        return both, Y, M

    @cached_property
    def _members(self) -> tuple[Array, Array]:
        """(facets, n - 1) actuators of each facet, and (facets, m - n + 1) all others."""
        count = len(self._half)
        rows = list(normals(array(np.zeros((count, self._size)))))
        others = [[i for i in range(count) if i not in row] for row in rows]
        return np.array(rows, dtype=int).reshape(len(rows), -1), np.array(others, dtype=int)


@lru_cache(maxsize=8)
def _nearest_facet(count: int, n: int) -> Program:
    """Columns (n, count + 1) in the middle -> the facet that q is nearest to, its number and a vector u across it."""

    def nearest(columns: Vector) -> dict[str, Any]:
        rows, q = columns.T[:count], columns.T[count]
        squares = [dot(row, row) for row in rows]
        best: Any = -1.0
        u, facet = array([0.0 * q[0]] * n), 0.0 * q[0]
        for k, (members, across) in enumerate(normals(array(rows)).items()):
            size = dot(across, across)
            spanned = reduce(lambda a, b: a * b, (squares[i] for i in members), 1.0)
            reach = sum(absolute(dot(across, rows[i])) for i in range(count) if i not in members)
            share = where(size > FLAT * spanned, absolute(dot(across, q)) / reach, -2.0)
            nearer = share > best
            best = where(nearer, share, best)
            facet = where(nearer, float(k), facet)
            u = array([where(nearer, new, old) for new, old in zip(across, u, strict=True)])
        return {"u": u, "facet": facet}

    return Program(record(nearest, columns=(n, count + 1)))


def _separated(columns: Array, Y: Array, M: Array) -> Array:
    """(d + 2, B) forms of sum |K_i u| h_i - |u q|, u turned with the pose."""
    # M^T u is the last unit vector, also to the first order: u is across F, and u q is s in the middle.
    u = Y[:, -1]
    change = np.einsum("dmkb,bm->bdk", M[1:-1], u)
    turns = -(change @ Y)
    centre, slopes, rest, size = split(columns)
    # All columns times u, and q times u.
    c = np.einsum("bnk,bn->bk", centre, u)
    s = np.einsum("bdnk,bn->bdk", slopes, u) + np.einsum("bnk,bdn->bdk", centre, turns)
    whole = np.abs(u) + np.abs(turns).sum(axis=1)
    r = np.einsum("bnk,bn->bk", rest, whole)
    r += np.einsum("bnk,bn->bk", np.abs(slopes).sum(axis=1), np.abs(turns).sum(axis=1))
    r += (2 * centre.shape[1] + 8) * 2.0**-52 * np.einsum("bnk,bn->bk", size, whole)
    r *= 1.0 + 2.0**-48
    # |K_i u| h_i is not more than either side of it where its sign is known, than its size where not.
    reach = np.abs(s).sum(axis=1) + r
    known = np.abs(c) > reach * (1.0 + 2.0**-48)
    signs = np.where(known, np.sign(c), 0.0)
    signs[:, -1] = -np.sign(c[:, -1])
    loose = np.where(known, 0.0, np.abs(c) + reach)
    loose[:, -1] = 0.0
    form_c = (signs * c).sum(axis=1)
    form_s = (signs[:, None] * s).sum(axis=2)
    form_r = (r * np.abs(signs)).sum(axis=1) + loose.sum(axis=1)
    form_r += (centre.shape[2] + 2) * 2.0**-52 * (np.abs(c) + reach).sum(axis=1)
    return np.stack([form_c, *form_s.T, form_r * (1.0 + 2.0**-48)])
