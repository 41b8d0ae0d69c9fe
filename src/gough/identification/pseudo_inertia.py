"""Bodies that are physical by construction: log-Cholesky coordinates about a body that one has.

The pseudo-inertia J = [[S, h], [h^T, m]], S = tr(I)/2 - I about the frame's origin, is positive definite exactly for
masses spread over space. J = U0 U U^T U0^T with upper triangular U, whose diagonal is exp(a), is one for any numbers;
all zero is the body that J0 = U0 U0^T belongs to. A rod is the same with two rows, [[I, h], [h, m]], a point with one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gough.graph import Array

INTERIOR = 1e-3
"""Share of its size by which a body on the boundary (a lamina, a thin rod, a point) is made thick first."""
_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class Family:
    """All bodies of one shape by coordinates z; z = 0 is the one it is about.

    Attributes:
        root: (k, k) U0.
        places: (k (k + 1) / 2, 2) entries of U that z are: the diagonal first.
        values: (parameters, k, k) what the parameters of the body are of J.
    """

    root: Array
    places: tuple[tuple[int, int], ...]
    values: Array

    @property
    def size(self) -> int:
        """How many numbers z has."""
        return len(self.places)

    def __call__(self, z: Array) -> tuple[Array, Array]:
        """Parameters of the body at z, and their derivatives (parameters, size)."""
        k = len(self.root)
        U, slope = np.zeros((k, k)), np.ones(self.size)
        for number, (i, j) in enumerate(self.places):
            U[i, j] = math.exp(z[number]) if i == j else z[number]
            slope[number] = U[i, j] if i == j else 1.0
        half = self.root @ U
        found = np.einsum("pij,ij->p", self.values, half @ half.T)
        derivative = np.empty((len(self.values), self.size))
        for number, (i, j) in enumerate(self.places):
            change = slope[number] * np.outer(self.root[:, i], half[:, j])
            derivative[:, number] = np.einsum("pij,ij->p", self.values, change + change.T)
        return found, derivative


def family(values: Array, shape: str, size: float) -> Family:
    """The bodies of a shape about one with these parameters.

    Args:
        values: (10,), (3,) or (1,) of a full body, of a rod or of a point.
        shape: "full", "rod" or "point".
        size: Length by which a body without any extent is made thick [m].
    """
    if shape == "full":
        moment = np.array(
            [[values[4], values[7], values[8]], [values[7], values[5], values[9]], [values[8], values[9], values[6]]]
        )
        spread = 0.5 * np.trace(moment) * np.eye(3) - moment
        J = np.block([[spread, values[1:4, None]], [values[None, 1:4], values[:1, None]]])
    elif shape == "rod":
        J = np.array([[values[2], values[1]], [values[1], values[0]]])
    else:
        J = np.array([[values[0]]])
    return Family(_upper(_interior(J, size)), _places(len(J)), _linear(shape))


def _interior(J: Array, size: float) -> Array:
    """J made definite: more extent about its centre of mass."""
    k = len(J) - 1
    mass = max(float(J[k, k]), 1e-9)
    h = J[:k, k]
    central = J[:k, :k] - np.outer(h, h) / mass
    extent = float(np.trace(central)) / max(k, 1) if k else 0.0
    least = INTERIOR * max(extent, INTERIOR * mass * size**2)
    if k:
        moments, axes = np.linalg.eigh(central)
        central = (axes * np.maximum(moments, least)) @ axes.T
    out = np.empty_like(J)
    out[:k, :k] = central + np.outer(h, h) / mass
    out[:k, k] = out[k, :k] = h
    out[k, k] = mass
    return out


def _upper(J: Array) -> Array:
    """Upper triangular U with U U^T = J."""
    return np.asarray(np.linalg.cholesky(J[::-1, ::-1])[::-1, ::-1])


def _places(k: int) -> tuple[tuple[int, int], ...]:
    return (*((i, i) for i in range(k)), *((i, j) for i in range(k) for j in range(i + 1, k)))


def _linear(shape: str) -> Array:
    """(parameters, k, k) with parameter = sum of entries of J times these."""
    k = {"full": 4, "rod": 2, "point": 1}[shape]
    unit = np.zeros((k, k, k, k))
    for i in range(k):
        for j in range(k):
            unit[i, j, i, j] = 1.0
    mass = unit[k - 1, k - 1]
    if shape == "point":
        return np.array([mass])
    if shape == "rod":
        return np.array([mass, unit[0, 1], unit[0, 0]])
    trace = unit[0, 0] + unit[1, 1] + unit[2, 2]
    moments = [(trace if i == j else 0.0) - unit[i, j] for i, j in _ENTRIES]
    return np.array([mass, unit[0, 3], unit[1, 3], unit[2, 3], *moments])
