"""Compliance and pose errors of the platform from the Jacobian alone, with exact derivatives.

Actuators that are elastic by their stiffness k hold the platform by S = K^T k K; its compliance is S^-1. Displacements
that err by variances v make the platform err by (K^T v^-1 K)^-1: the same form. A point of a leg that is off by d makes
its displacement err by f . d, f the force on the platform per effort of the actuator, which is its row of K.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array


@dataclass(frozen=True)
class Errors:
    """What is inexact and elastic, of machines whose legs have one actuator each.

    Attributes:
        actuator: Variance of each displacement [m^2 or rad^2].
        point: Variance of each coordinate of a leg's points, base and platform together [m^2].
        stiffness: Stiffness of each actuator [N/m or N m/rad]; 0 if not stated.
    """

    actuator: float = 0.0
    point: float = 0.0
    stiffness: float = 0.0


NOTHING = Errors()
FREE = 1e9
"""In place of the pose error of a platform that nothing holds [m]."""


def stiffnesses(K: Array, slope: Array, n: int, k: float, places: NDArray[np.intp]) -> tuple[Array, Array]:
    """(N,) least stiffness of the platform along any direction of some columns [N/m], and (N, p) its derivatives.

    0 where the pose is singular: nothing holds the platform.

    Args:
        K, slope: (N, m n) and (N, m n, p).
        n: Columns of K.
        k: Stiffness of each actuator.
        places: Columns that count: those of translations.
    """
    C, dC, held = _inverse(*_shaped(K, slope, n), np.full((len(K), K.shape[1] // n), k), 0.0)
    value, vector = np.linalg.eigh(C[:, places[:, None], places])
    v = vector[:, :, -1]
    by = np.einsum("ai,aijp,aj->ap", v, dC[:, places[:, None], places], v)
    return np.where(held, 1.0 / value[:, -1], 0.0), np.where(held[:, None], -by / value[:, -1:] ** 2, 0.0)


def pose_errors(K: Array, slope: Array, n: int, errors: Errors) -> tuple[Array, Array]:
    """(N,) root mean square of the reference point's displacement [m], and (N, p) its derivatives; six motions.

    `FREE` where the pose is singular.
    """
    M, dM = _shaped(K, slope, n)
    push = M[:, :, :3]
    variance = errors.actuator + errors.point * (push**2).sum(axis=2)
    by_variance = 2.0 * errors.point * np.einsum("aij,aijp->aip", push, dM[:, :, :3])
    C, dC, held = _inverse(M, dM, 1.0 / variance, -by_variance / variance[:, :, None] ** 2)
    value = np.sqrt(np.einsum("aii->a", C[:, :3, :3]))
    slopes = np.einsum("aiip->ap", dC[:, :3, :3]) / (2.0 * value[:, None])
    return np.where(held, value, FREE), np.where(held[:, None], slopes, 0.0)


def _shaped(K: Array, slope: Array, n: int) -> tuple[Array, Array]:
    return K.reshape(len(K), -1, n), slope.reshape(len(K), -1, n, slope.shape[-1])


def _inverse(M: Array, dM: Array, weight: Array, by_weight: Array | float) -> tuple[Array, Array, NDArray[np.bool_]]:
    """(N, n, n) (M^T w M)^-1, (N, n, n, p) its derivatives, and (N,) where it exists; elsewhere it is the identity."""
    S = np.einsum("aij,ai,aik->ajk", M, weight, M)
    half = np.einsum("aijp,ai,aik->ajkp", dM, weight, M)
    dS = half + np.swapaxes(half, 1, 2)
    if not np.isscalar(by_weight):
        dS = dS + np.einsum("aij,aip,aik->ajkp", M, np.asarray(by_weight), M)
    held = _positive(S)
    C = np.linalg.inv(np.where(held[:, None, None], S, np.eye(S.shape[1])))
    return C, -np.einsum("aij,ajkp,akl->ailp", C, dS, C), held


def _positive(S: Array) -> NDArray[np.bool_]:
    """(N,) which of the symmetric matrices (N, n, n) are positive beyond round-off, whatever the size of each row."""
    diagonal = np.einsum("aii->ai", S)
    with np.errstate(all="ignore"):
        by = 1.0 / np.sqrt(diagonal)
        scaled = S * by[:, :, None] * by[:, None, :]
    finite = np.isfinite(scaled).all(axis=(1, 2))
    least = np.linalg.eigvalsh(np.where(finite[:, None, None], scaled, np.eye(S.shape[1])))[:, 0]
    return finite & (least > S.shape[1] * np.finfo(float).eps)
