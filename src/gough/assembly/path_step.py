"""One step along a path of solutions: one evaluation, one elimination, as many substitutions as the series is long.

The series of order K predicts the next point, its last term summed as a geometric series of ratio rho h: the nearest
singularity of the path, seen from here. The step is refused where Newton's correction after it is not small against
the length on which the path turns; then it is taken again from where it began, a quarter as long. The end of the path
is never where a series begins: a singular one would spoil it.
"""

from __future__ import annotations

from dataclasses import dataclass

from gough.assembly.complex_numbers import Complex, Complexes, chosen, paired, parts, size2
from gough.assembly.study_quadrics import Place, correction, series
from gough.graph import Scalar, Step, Vector, logical_and, logical_not, logical_or, maximum, minimum, sqrt, where

ORDER = 8
_RATIO = 0.6
"""Largest share of the way to the nearest singularity that a step goes."""
_LEAST = 1e-6
"""Least length on which a path is said to turn."""
_NOISE = 2e-7
"""Newton's corrections below this may be round-off, where solutions are about to fall together."""
_STUCK = 1e-13
"""Steps below this lead nowhere."""
STATE = 33
"""Numbers of a path's state."""
BASE_T, CAP, TURN, STEPS = 29, 30, 31, 32
"""Places of some of them."""


@dataclass(frozen=True, slots=True)
class Path:
    """Where a path is.

    Attributes:
        z: (7,) predicted at t.
        base: (7,) corrected at t_base, where the last series began.
        t, t_base: Shares of the path.
        cap: Longest step that may follow; 0 where none does.
        turn: Length on which the path turns at its base.
        steps: How many were made.
    """

    z: Complexes
    base: Complexes
    t: Scalar
    t_base: Scalar
    cap: Scalar
    turn: Scalar
    steps: Scalar

    @classmethod
    def of(cls, state: Vector) -> Path:
        """The path of a state of `STATE` numbers."""
        return cls(paired(state[:14]), paired(state[14:28]), *state[28:33])

    @property
    def state(self) -> list[Scalar]:
        """Its numbers in a row."""
        return [*parts(self.z), *parts(self.base), self.t, self.t_base, self.cap, self.turn, self.steps]


def step(path: Path, at: Place, tol: Scalar, accept: Scalar) -> Step:
    """One step; found when the end of the path is reached and corrected.

    Args:
        path: Where it is.
        at: The equations at path.t.
        tol: Error of a prediction that is aimed at, in lengths on which the path turns.
        accept: Correction after it that is accepted, in the same.
    """
    dz, factor, here = correction(at, path.z)
    allowed = maximum(path.turn * accept, _NOISE)
    good = size2(dz) <= allowed * allowed
    arrived = logical_and(good, path.t >= 1.0)
    corrected = [z + d for z, d in zip(path.z, dz, strict=True)]
    terms = series(at, factor, here, ORDER)
    h, rho, turn = _length(terms, tol)
    left = 1.0 - path.t
    h = minimum(h, path.cap)
    t = where(h >= left, 1.0, path.t + h)
    h = minimum(h, left)
    predicted = [z + d for z, d in zip(corrected, _change(terms, rho, h), strict=True)]
    onward = logical_and(good, logical_not(arrived))
    back = path.t <= path.t_base
    kept = logical_or(good, back)
    shorter = where(back, path.cap, (path.t - path.t_base) * 0.25)
    stuck = logical_not(where(good, h, shorter) > _STUCK)
    after = Path(
        z=chosen(onward, predicted, chosen(kept, corrected, path.base)),
        base=chosen(kept, corrected, path.base),
        t=where(good, where(arrived, 1.0, t), path.t_base),
        t_base=where(good, path.t, path.t_base),
        cap=where(stuck, 0.0, where(good, 2.0, shorter)),
        turn=where(onward, turn, path.turn),
        steps=path.steps + 1.0,
    )
    return Step(after.state, logical_not(logical_or(arrived, stuck)), arrived)


def _length(terms: list[Complexes], tol: Scalar) -> tuple[Scalar, Complex, Scalar]:
    """Length of the step, ratio of the last two terms, and length on which the path turns."""
    last, before = terms[-1], terms[-2]
    scale = 1.0 / maximum(size2(before), 1e-300)
    re = im = None
    for x, y in zip(last, before, strict=True):
        r, i = x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im
        re, im = (r, i) if re is None else (re + r, im + i)
    rho = Complex(re * scale, im * scale)
    rest = [x - rho * y for x, y in zip(last, before, strict=True)]
    ratio2 = maximum(rho.size2(), 1e-30)
    turn = maximum(minimum(1.0, sqrt(size2(terms[0]) / ratio2)), _LEAST)
    aim = turn * tol
    h = aim * aim / maximum(size2(rest), 1e-300)
    for _ in range(4):
        h = sqrt(h)
    return minimum(h, _RATIO / sqrt(ratio2)), rho, turn


def _change(terms: list[Complexes], rho: Complex, h: Scalar) -> Complexes:
    """Sum of the series at h."""
    tail = Complex(1.0 - rho.re * h, -(rho.im * h)).reciprocal()
    found = [value * tail for value in terms[-1]]
    for term in reversed(terms[:-1]):
        found = [Complex(a.re + b.re * h, a.im + b.im * h) for a, b in zip(term, found, strict=True)]
    return [value.times(h) for value in found]
