"""Ends of paths improved, placed on Study's quadric and certified, all in one program; of few paths the steps too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import certificate, on_quadric, unit
from gough.assembly.complex_numbers import Complex, as_parts, chosen, paired, parts, size2
from gough.assembly.separate import across
from gough.assembly.study_quadrics import LEGS, UNKNOWNS, Place, correction, still
from gough.assembly.tracker import ACCEPT, FIRST_CAP, FIRST_TURN, TOL, after_steps
from gough.graph import (
    Array,
    Input,
    Step,
    Vector,
    absolute,
    array,
    iterate,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    record,
    where,
)
from gough.run import Program

NEARLY_REAL = 1e-3
"""Imaginary parts below this are looked at as if they were round-off."""
_STRAIGHT = 64
"""Steps of few paths at most; those that take more are left to `track`."""
_STEPS = 8
_SMALL = 1e-14
"""Newton's steps below this are round-off."""
_NEAR = 1e-6
"""Squares of Newton's steps above this need not shrink yet."""


@dataclass(frozen=True, slots=True)
class PathEnds:
    """N ends of paths, each with what is proved of it.

    Attributes:
        x: (N, 8) complex points of length one on Study's quadric.
        imaginary: (N,) largest imaginary part of x.
        best: (N, 8) x, or its real part where it is nearly real, after it was improved again.
        proved, radius: (N,) see `Certified`, of best.
        near: (N,) whether no other solution than the one that best is near is as near to x.
    """

    x: NDArray[np.complex128]
    imaginary: Array
    best: NDArray[np.complex128]
    proved: NDArray[np.bool_]
    radius: Array
    near: NDArray[np.bool_]


def path_ends(z: NDArray[np.complex128], k: NDArray[np.inexact], points: Array, sizes: Array) -> PathEnds:
    """What is proved near the ends z (N, 7) of paths; the other arguments are those of `certify`."""
    return _told(_program()(z=as_parts(z), k=as_parts(k), points=np.ascontiguousarray(points), sizes=sizes))


def few_path_ends(
    z: NDArray[np.complex128],
    k0: NDArray[np.complex128],
    k1: NDArray[np.inexact],
    start: Array,
    end: Array | None,
    sizes: Array,
) -> tuple[PathEnds, NDArray[np.bool_]]:
    """What is proved near the ends of paths, and whether these arrived (N,) within the first steps.

    The same numbers as from `track` and `path_ends`, in one call. The arguments are those of these.
    """
    given: dict[str, Any] = {} if end is None else {"end": np.ascontiguousarray(end)}
    found = _few(end is not None)(z=as_parts(z), k0=as_parts(k0), k1=as_parts(k1), start=start, sizes=sizes, **given)
    return _told(found), found["arrived"]


def _told(found: dict[str, Any]) -> PathEnds:
    x, best = (found[name].view(complex) for name in ("x", "best"))
    return PathEnds(x, found["imaginary"], best, found["proved"], found["radius"], found["near"])


def polished(z: NDArray[np.complex128], k: NDArray[np.inexact], points: Array) -> NDArray[np.complex128]:
    """Solutions (N, 7) after Newton's method has done what it can.

    Args:
        z: (N, 7) complex points near them.
        k: (N, 6) complex k_1 .. k_5 and m.
        points: (N, 30) or (30,) coordinates of a_1 .. a_5 and b_1 .. b_5.
    """
    found = _polish()(z=as_parts(z), k=as_parts(k), points=np.ascontiguousarray(points, dtype=float))
    return np.ascontiguousarray(found["z"]).view(complex)


@cache
def _polish() -> Program:
    def equations(z: Vector, k: Vector, points: Vector) -> dict[str, Vector]:
        return {"z": _improved(z, still(points, k))}

    return Program(record(equations, z=2 * UNKNOWNS, k=2 * (LEGS + 1), points=2 * LEGS * 3))


@cache
def _program() -> Program:
    def equations(z: Vector, k: Vector, points: Vector, sizes: Vector) -> dict[str, Any]:
        return _ends(z, still(points, k), sizes)

    sizes = {"z": 2 * UNKNOWNS, "k": 2 * (LEGS + 1), "points": 2 * LEGS * 3, "sizes": LEGS + 1}
    return Program(record(equations, **sizes))


@cache
def _few(moving: bool) -> Program:
    def equations(
        z: Vector, k0: Vector, k1: Vector, start: Vector, sizes: Vector, end: Vector = None
    ) -> dict[str, Any]:
        state = array([*z, *z, 0.0, 0.0, FIRST_CAP, FIRST_TURN, 0.0])
        path = after_steps(state, k0, k1, start, array([TOL, ACCEPT]), end, _STRAIGHT)
        ends = _ends(path.state[:14], still(start if end is None else end, k1), sizes)
        return ends | {"arrived": path.found}

    k, size = 2 * (LEGS + 1), 2 * LEGS * 3
    shared = {"start": Input((size,), shared=True)}
    ends = {"end": size} if moving else {}
    return Program(record(equations, z=2 * UNKNOWNS, k0=k, k1=k, **shared, sizes=LEGS + 1, **ends))


def _ends(z: Vector, at: Place, sizes: Vector) -> dict[str, Any]:
    """What `PathEnds` holds of an end z (14,)."""
    x = on_quadric(paired(_improved(z, at)))
    imaginary = reduce(maximum, [absolute(value.im) for value in x])
    flat = unit([Complex(value.re, 0.0) for value in x])
    found = certificate(chosen(imaginary < NEARLY_REAL, flat, x), at, sizes)
    near = logical_not(across(found["x"], x) > 0.5 * found["alone"] * (1.0 + 1e-8) + 1e-14)
    proved, radius = found["proved"], found["radius"]
    told = {"proved": proved, "radius": radius, "near": near, "imaginary": imaginary}
    return {"x": parts(x), "best": parts(found["x"])} | told


def _improved(z: Vector, at: Place) -> Vector:
    """(14,) parts of a solution near z (14,)."""

    def stepped(u: Vector) -> Step:
        here = paired(u[:14])
        dz, *_ = correction(at, here)
        change = size2(dz)
        small = change <= _SMALL * _SMALL
        better = logical_or(change <= 0.25 * u[14], u[14] > _NEAR)
        after = chosen(better, [x + d for x, d in zip(here, dz, strict=True)], here)
        return Step([*parts(after), where(better, change, u[14])], logical_and(better, logical_not(small)), small)

    return iterate(stepped, array([*z, 1e300]), _STEPS).state[:14]
