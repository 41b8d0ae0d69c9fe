"""Poses of points on Study's quadric."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.complex_numbers import as_parts, paired, parts
from gough.assembly.study_quadrics import forms
from gough.graph import Array, Input, Vector, array, record
from gough.run import Program


def study_poses(
    x: NDArray[np.complex128], origin: Array, size: float, b: Array
) -> tuple[NDArray[np.complex128], NDArray[np.complex128], Array]:
    """Positions (N, 3) [m], unit quaternions (N, 4) and, of real points, rotations (N, 3, 3) of the platform.

    Args:
        x: (N, 8) points; see `study_quadrics`.
        origin: (N, 3) where leg 0 begins in the base [m].
        size: What lengths were divided by [m].
        b: (3,) where leg 0 ends in the platform [m].
    """
    found = _program()(x=as_parts(x), origin=origin, size=np.array([size]), b=b)
    return found["p"].view(complex), found["e"].view(complex), found["R"]


@cache
def _program() -> Program:
    def equations(x: Vector, origin: Vector, size: Vector, b: Vector) -> dict[str, Any]:
        point = paired(x)
        form = forms([], point)
        back = form.n.reciprocal()
        R = [[value * back for value in row] for row in form.nR]
        p = []
        for along, across, row, first in zip(form.D, form.X, R, origin, strict=True):
            value = ((across - along) * back).times(size[0])
            for entry, arm in zip(row, b, strict=True):
                value = value - entry.times(arm)
            value.re = value.re + first
            p.append(value)
        unit = form.n.root().reciprocal()
        e = [value * unit for value in point[:4]]
        return {"p": parts(p), "e": parts(e), "R": array([[value.re for value in row] for row in R])}

    shared = {"size": Input((1,), shared=True), "b": Input((3,), shared=True)}
    return Program(record(equations, x=16, origin=3, **shared))
