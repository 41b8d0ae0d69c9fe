"""Solutions followed along a path: u(s) of F(u, s) = 0 from s = 0 to s = 1 in guarded steps, as one compound node.

Newton's method alone may land on any solution; here it stays on the one that is connected to the start. Each step goes
along the path's tangent and curvature no farther than the Jacobian changes by a quarter of itself, measured as
|J^-1 dJ| (Frobenius): on the way it stays regular, and within Newton's reach there is no other solution. The step holds
if the Newton correction after it is a small share of it; otherwise it is taken back and halved. At a fold the allowed
steps shrink to nothing, and the path ends there.

Most paths are short: one step reaches the end. That first step is recorded ahead of the loop, where what does not
depend on the sample folds into constants, and so is the correction that confirms it; the loop then has nothing to do.

Every sample goes its own way and is frozen when it stops, so a sample never depends on its neighbours in a batch. What
is found is a start for `root`, which polishes it: it has no derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.graph import ops
from gough.graph.expand import expand
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.functions import array, dot, isfinite, less_equal, maximum, minimum, sqrt, where
from gough.graph.graph import Graph, record
from gough.graph.linear import factor, solve
from gough.graph.operation_count import count
from gough.graph.quadratic_outputs import quadratic_outputs
from gough.graph.root import Inner, Root, computed, extract
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape

CHANGE = 0.25
"""How much the Jacobian may change on a step, as a share of itself."""
CORRECTION = 0.1
"""How large the Newton correction after a step may be, as a share of the step."""
SHORTEST = 2.0**-40
"""Allowed step, as a share of the path, at which the path folds: what is left of it is round-off of its square root."""
_SMALL = 1e-9
"""Correction that is no sign of a bad step, in units of `sizes`."""
_SLOW = 1e-2
"""Length of a path, in units of `sizes`, below which its curvature does not matter."""


class _Slopes(NamedTuple):
    """How a path goes on: Newton correction, tangent and curvature, (n,) each, and |J^-1 dJ|^2 along the tangent."""

    correction: Vector
    tangent: Vector
    curvature: Vector
    change_squared: Scalar


class Followed(NamedTuple):
    """What `follow` returns: where the path ends, whether that is s = 1, and what share of it is left."""

    solution: Vector
    arrived: Scalar
    left: Scalar


@dataclass(frozen=True, eq=False, kw_only=True)
class Path(Inner):
    """The equations F(u, s) and how a step is made.

    The state holds u, s, both before the last step, and the share of the allowed step that is taken. `graph` has the
    inputs `u` (the state) and `p`, and gives what share of the path is left; `equations` has `z` = (u, s), `p` and `r`.
    """

    equations: Graph
    unknowns: int
    sizes: tuple[float, ...]

    implicit = False

    @property
    def idle_where_zero(self) -> int:
        """The share of the allowed step: zero where the path was followed before the loop."""
        return 2 * self.unknowns + 2

    @cached_property
    def digest(self) -> str:
        """Hex digest of what decides its values."""
        return f"{self.equations.digest}:{self.sizes}:{self.max_iter}:follow"

    @cached_property
    def step(self) -> Graph:
        """One step on the state, active, arrived: what a loop repeats."""
        return record(self._step, state=self.size + 2, p=self.parameters)

    @cached_property
    def correction(self) -> Graph:
        """(n,) Newton correction at `z` = (u, s)."""

        def equations(z: Vector, p: Vector) -> Vector:
            from gough.graph.derive import jacobian

            r = array(self.equations(z=z, p=p)["r"])
            return solve(jacobian(r, z)[:, : self.unknowns], r)

        return record(equations, z=self.unknowns + 1, p=self.parameters)

    def at_once(self, start: Vector, p: Vector) -> tuple[Vector, Vector, Scalar]:
        """The state after the first step, (n,) where it is corrected to, and whether that is the end of the path."""
        n, tape = self.unknowns, start[0].tape
        state = array([Expr(tape, number_index(tape, v)) for v in (*start, 0.0, *start, 0.0, 1.0, 1.0, 0.0)])
        state = array(self._moved(state, self._slopes_at_start(state[: n + 1], p))[: self.size])
        correction = array(self.correction(z=state[: n + 1], p=p)["out"])
        off = _size(correction / np.array(self.sizes))
        moved = _size((state[:n] - start) / np.array(self.sizes))
        return state, state[:n] - correction, (state[n] >= 1.0) & isfinite(off) & _holds(off, moved)

    @cached_property
    def slopes(self) -> Graph:
        """What is in `_Slopes` at `z` = (u, s)."""

        def equations(z: Vector, p: Vector) -> dict[str, Vector]:
            from gough.graph.derive import jacobian, jvp

            n, sizes = self.unknowns, np.array(self.sizes)
            r = array(self.equations(z=z, p=p)["r"])
            full = jacobian(r, z)
            f = factor(full[:, :n])
            tangent = -solve(f, full[:, n])
            turning = jvp(full, z, array([*tangent, 1.0]))
            change = array([solve(f, turning[:, k]) / sizes * sizes[k] for k in range(n)]).ravel()
            curvature = -solve(f, turning[:, :n] @ tangent + turning[:, n])
            return _Slopes(solve(f, r), tangent, curvature, dot(change, change))._asdict()

        return record(equations, z=self.unknowns + 1, p=self.parameters)

    def _slopes_at_start(self, z: Vector, p: Vector) -> _Slopes:
        """Slopes at z = (u, s), mostly in far fewer operations where z is constant and the way a multiple of p.

        Then the tangent is a multiple of p too, curvature and change are quadratic forms of it, and their coefficients
        are all that is left of the equations, of what their Jacobian turns by and of its factors.
        """
        n = self.unknowns
        known = [e.tape.value(e.index) for e in z]
        if None in known or not self.parameters:
            return _Slopes(**self.slopes(z=z, p=p))

        def at_start(p: Vector) -> Vector:
            found = _Slopes(**self.slopes(z=known, p=p))
            return array([*found.correction, *found.tangent, *found.curvature, found.change_squared])

        plain = expand(record(at_start, p=self.parameters))
        forms = quadratic_outputs(plain)
        if forms is None or 2 * np.count_nonzero(forms) > count(plain).total:
            return _Slopes(**self.slopes(z=z, p=p))
        found = array([_polynomial(form, p) for form in forms])
        return _Slopes(found[:n], found[n : 2 * n], found[2 * n : 3 * n], maximum(0.0, found[3 * n]))

    def _step(self, state: Vector, p: Vector) -> Vector:
        return self._moved(state, _Slopes(**self.slopes(z=state[: self.unknowns + 1], p=p)))

    def _moved(self, state: Vector, slopes: _Slopes) -> Vector:
        """The state, active and arrived after a step."""
        n = self.unknowns
        sizes = np.array(self.sizes)
        correction, tangent, curvature, change_squared = slopes
        z, before, share = state[: n + 1], state[n + 1 : 2 * n + 2], state[2 * n + 2]
        active, arrived = state[self.size] > 0.5, state[self.size + 1] > 0.5
        u, s = z[:n], z[n]

        rate, speed, bend = sqrt(change_squared), _size(tangent / sizes), _size(curvature / sizes)
        off, moved = _size(correction / sizes), _size((u - before[:n]) / sizes)
        good = active & isfinite(rate) & isfinite(off) & isfinite(bend)
        holds = _holds(off, moved) | less_equal(moved, 0.0)  # taken back: it held
        floor = speed + _SLOW
        # Exactly one where the curvature sets no limit: floor * (1 / floor) may be less.
        by_curvature = where(less_equal(4.0 * bend, floor), 1.0, floor / (4.0 * bend))
        most = minimum(CHANGE / maximum(rate, CHANGE), by_curvature) * share
        step = minimum(most, 1.0 - s)
        there = good & holds & (s >= 1.0)
        goes = good & holds & ~there
        back = good & ~holds
        ahead = [*(u + (tangent + curvature * (0.5 * step)) * step - correction), where(most >= 1.0 - s, 1.0, s + step)]
        polished = [*(u - correction), s]
        result = [where(goes, ahead[k], where(back, before[k], where(there, polished[k], z[k]))) for k in range(n + 1)]
        result += [where(goes, z[k], before[k]) for k in range(n + 1)]
        # The share was doubled as the step was taken: a quarter of it is half of what failed, or less.
        result.append(where(back, 0.25 * share, where(goes, minimum(1.0, 2.0 * share), share)))
        able = where(holds, most, share) > SHORTEST
        result += [where((goes | back) & able, 1.0, 0.0), where(arrived | there, 1.0, 0.0)]
        return result


def _size(values: Vector) -> Scalar:
    return sqrt(dot(values, values))


def _polynomial(triangle: Vector, p: Vector) -> Scalar:
    """Sum of C_ij y_i y_j over an upper triangle of numbers, y = (1, p...)."""
    y = [1.0, *p]
    return sum(triangle[i, j] * (y[i] * y[j]) for i in range(len(y)) for j in range(i, len(y)))


def _holds(correction: Scalar, moved: Scalar) -> Scalar:
    """Whether a step of the size `moved` was a good one, by the correction after it."""
    return less_equal(correction, maximum(CORRECTION * moved, _SMALL))


def follow(residual: Callable[[Vector, Scalar], Vector], start: Vector, sizes: Vector, max_iter: int = 200) -> Followed:
    """End of the path u(s), 0 <= s <= 1, with residual(u, s) = 0, that sets out from `start`.

    Args:
        residual: Equations: (n,) unknowns and s to (n,) residuals. They may use recorded values of the surroundings.
        start: (n,) solution at s = 0.
        sizes: (n,) floats, how large a change of each unknown is: a radian, or the size of the mechanism.
        max_iter: Most steps.

    Returns:
        solution: (n,) where the path ends, near a solution: a start for `root`. It has no derivative.
        arrived: Whether that is at s = 1.
        left: Share of the path that is left, 0 if it arrived.
    """
    start = array(start)
    n = len(start)
    tape = tape_of(start)
    floats = tape is None
    if tape is None:
        probe = tape_of(residual(start, 0.0))
        floats = probe is None
        tape = probe or Tape()
    unknowns = [tape.unknown() for _ in range(n + 1)]
    z = np.empty(n + 1, dtype=object)
    z[:] = [Expr(tape, i) for i in unknowns]
    r = [number_index(tape, v) for v in array(residual(z[:n], z[n])).flat]
    if len(r) != n:
        raise ValueError(f"a path has {n} unknowns but {len(r)} equations")
    equations, parameters = extract(tape, r, unknowns, "z")
    size = 2 * n + 3
    rest = record(lambda u, p: {"r": [1.0 - u[n]]}, u=size, p=len(parameters))
    units = tuple(float(v) for v in sizes)
    path = Path(rest, size, len(parameters), max_iter, equations=equations, unknowns=n, sizes=units)
    first = array([Expr(tape, number_index(tape, v)) for v in start])
    state, end, there = path.at_once(first, array([Expr(tape, i) for i in parameters]))
    state[path.idle_where_zero] = where(there, 0.0, state[path.idle_where_zero])
    args = (*[number_index(tape, v) for v in state], *parameters)
    items = tape.items(tape.bundle(ops.ROOT, tape.inner(path), args), size + 2)
    found = [Expr(tape, i) for i in items]
    solution = [where(there, end[k], found[k]) for k in range(n)]
    result = Root(array(solution), found[size] | there, where(there, 0.0, found[size + 1]))
    return Followed(*(computed(result) if floats else result))
