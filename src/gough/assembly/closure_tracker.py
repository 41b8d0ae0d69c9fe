"""Solutions of a robot's closure at complex displacements, followed as these change along a line.

A step is one of the classical Runge-Kutta method and two of Newton's: six evaluations, one in each turn of a compiled
loop, whose state knows which of them is next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.assembly.closure_system import ClosureSystem
from gough.assembly.complex_graph import complex_outputs
from gough.assembly.complex_numbers import (
    Complex,
    Complexes,
    chosen,
    factored,
    paired,
    parts,
    product,
    scaled_sum,
    size2,
)
from gough.graph import (
    Array,
    Scalar,
    Step,
    Vector,
    iterate,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    record,
    where,
)
from gough.run import Program

MOST_UNKNOWNS = 12
"""Systems of more are not solved this way: their programs get too large."""
_MOST_TURNS = 2400
_FIRST, _LONGEST, _SHORTEST = 0.03, 0.25, 1e-9
_ACCEPTED, _EASY = 1e-4, 1e-6
"""Newton's first correction after a step: the largest that is accepted, and below which the next step is longer."""
_SOLVED = 1e-10
_SEED = 1763

Numbers = NDArray[np.complex128]


@dataclass(frozen=True, slots=True, eq=False)
class ClosurePaths:
    """What follows solutions of a system.

    Attributes:
        system: Whose.
        program: start (2 n), q0, q1 (2 a) -> z (2 n), t: the end of a path and the share that was followed.
        places: v (2 (n + a)) -> p, R, spares, complex numbers as pairs.
    """

    system: ClosureSystem
    program: Program
    places: Program

    def at(self, z: Numbers, q: Numbers) -> dict[str, Numbers]:
        """Poses, and what spare legs miss, at solutions z (N, n) of displacements q (N, a)."""
        found = self.places(v=_real(np.concatenate([z, q], axis=1)))
        return {name: np.ascontiguousarray(values).view(complex) for name, values in found.items()}

    def follow(self, z: Numbers, q0: Numbers, q1: Numbers) -> tuple[Numbers, Array]:
        """Ends (N, n) of paths from solutions z (N, n) at q0 (N, a) to q1, and the share of each that was followed.

        Each path is followed by itself.
        """
        found = self.program(start=_real(z), q0=_real(q0), q1=_real(q1))
        return np.ascontiguousarray(found["z"]).view(complex), found["t"]


def _real(values: Numbers) -> Array:
    return np.ascontiguousarray(values, dtype=complex).view(float)


@dataclass(frozen=True, slots=True)
class _Path:
    """Where a path is.

    Attributes:
        z: Solution at t.
        y: Where the equations are evaluated next.
        slope: Sum of the tangents of this step.
        t: Share of the way.
        h: Length of the step.
        stage: Which evaluation of the step is next, from 0.
        off: Newton's first correction.
    """

    z: Complexes
    y: Complexes
    slope: Complexes
    t: Scalar
    h: Scalar
    stage: Scalar
    off: Scalar

    @classmethod
    def of(cls, state: Vector, n: int) -> _Path:
        numbers = paired(state[: 6 * n])
        return cls(numbers[:n], numbers[n : 2 * n], numbers[2 * n :], *state[6 * n :])

    @property
    def state(self) -> list[Scalar]:
        return [*parts([*self.z, *self.y, *self.slope]), self.t, self.h, self.stage, self.off]

    @property
    def ahead(self) -> Scalar:
        """Share of the way at which the equations are evaluated next."""
        whole = where(self.t + self.h >= 1.0, 1.0, self.t + self.h)
        return where(self.stage <= 0.0, self.t, where(self.stage <= 2.0, self.t + 0.5 * self.h, whole))

    def after(self, newton: Complexes, tangent: Complexes) -> Step:
        """The path after an evaluation; found when its end is reached."""
        first, last = self.stage <= 0.0, self.stage >= 5.0
        weight = where(logical_or(first, self.stage >= 3.0), 1.0, 2.0)
        slope = [
            k.times(weight) + Complex(where(first, 0.0, s.re), where(first, 0.0, s.im))
            for k, s in zip(tangent, self.slope, strict=True)
        ]
        reach = where(self.stage <= 1.0, 0.5, 1.0) * self.h
        onward = [z + k.times(reach) for z, k in zip(self.z, tangent, strict=True)]
        predicted = [z + s.times(self.h * (1.0 / 6.0)) for z, s in zip(self.z, slope, strict=True)]
        corrected = [y + d for y, d in zip(self.y, newton, strict=True)]
        change = size2(newton)
        off = where(self.stage <= 4.0, change, self.off)
        small = change <= _SOLVED**2 * (1.0 + size2(corrected))
        good = logical_and(last, logical_and(small, off <= _ACCEPTED**2))
        z = chosen(good, corrected, self.z)
        t = where(good, self.ahead, self.t)
        longer = where(off < _EASY**2, minimum(2.0 * self.h, _LONGEST), self.h)
        h = where(last, where(good, longer, 0.3 * self.h), self.h)
        left = where(last, maximum(1.0 - t, 0.0), 1.0)
        y = chosen(self.stage <= 2.0, onward, chosen(self.stage <= 3.0, predicted, chosen(last, z, corrected)))
        arrived = t >= 1.0
        stuck = logical_not(h > _SHORTEST)
        path = _Path(z, y, slope, t, minimum(h, left), where(last, 0.0, self.stage + 1.0), off)
        return Step(path.state, logical_not(logical_or(arrived, stuck)), arrived)


@lru_cache(maxsize=32)
def closure_paths(system: ClosureSystem) -> ClosurePaths | None:
    """What follows the solutions of a system; None where it has too many unknowns or too few equations.

    Raises:
        InputError: It has equations that complex numbers cannot be put into.
    """
    n, equations = len(system.unknowns), system.graph.outputs[0].nodes
    if n > MOST_UNKNOWNS or len(equations) < n:
        return None
    mix = None if len(equations) == n else np.random.default_rng(_SEED).normal(size=(n, len(equations)))

    def followed(start: Vector, q0: Vector, q1: Vector) -> dict[str, Vector]:
        begin = paired(q0)
        way = [b - a for a, b in zip(begin, paired(q1), strict=True)]

        def stepped(state: Vector) -> Step:
            path = _Path.of(state, n)
            q = [a + d.times(path.ahead) for a, d in zip(begin, way, strict=True)]
            at = complex_outputs(system.graph, [*path.y, *q], ("r", "by_v"))
            width = n + len(way)
            rows = [at["by_v"][k : k + width] for k in range(0, len(at["by_v"]), width)]
            square = _mixed([[*row[:n], r, product(row[n:], way)] for row, r in zip(rows, at["r"], strict=True)], mix)
            factor = factored([row[:n] for row in square])
            newton, tangent = (factor.solve([-row[k] for row in square]) for k in (n, n + 1))
            return path.after(newton, tangent)

        z = paired(start)
        found = iterate(stepped, np.array(_Path(z, z, z, 0.0, _FIRST, 0.0, 0.0).state), _MOST_TURNS)
        return {"z": found.state[: 2 * n], "t": found.state[6 * n]}

    def places(v: Vector) -> dict[str, Vector]:
        at = complex_outputs(system.graph, paired(v), ("p", "R", "spares"))
        return {name: parts(values) for name, values in at.items()}

    size = 2 * len(system.robot.actuators)
    program = Program(record(followed, start=2 * n, q0=size, q1=size))
    return ClosurePaths(system, program, Program(record(places, v=2 * n + size)))


def _mixed(rows: list[Complexes], mix: Array | None) -> list[Complexes]:
    """As many rows as unknowns: sums of all with random factors, which have the same solutions where these began."""
    if mix is None:
        return rows
    return [[scaled_sum(own, column) for column in zip(*rows, strict=True)] for own in mix.tolist()]
