"""Forces that keep to limits, over an envelope: the least margin, and the largest forces that are met.

Forces of a criterion that keeps to limits are not the sum of what causes them, and no closed form tells their largest:
they are searched over poses, velocities, accelerations, wrenches and payloads at once. The margin is known exactly at
each pose. It is the least distance h(u) - u.(Q - c) of what the platform needs, Q, to the facets u of what the
actuators can give (`gough.dynamics.sharing.margin`), and Q is a polynomial of the envelope whose largest component
along each u is found as that of a force is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gough.design.coefficients import Coefficients, coefficients, size_program
from gough.design.envelope import Envelope
from gough.design.search import Optimum, polished, scan_points
from gough.design.velocity_maxima import ball_maximum, bound, box_maximum, corner_maximum, linear_maximum
from gough.design.worst import Case, Worst
from gough.dynamics.drives import winches, without_winches
from gough.dynamics.sharing.margin import normals
from gough.dynamics.sharing.shares import force_limits
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.kinematics.status import Status, judge
from gough.kinematics.wrench_rates import wrench_program
from gough.robot import Actuation, Mechanism

_POSES = 64
"""Poses whose facets are looked at together."""


def keeps_to_limits(robot: Mechanism) -> bool:
    """Whether the robot's forces are shared by a criterion that keeps to limits."""
    return robot.actuation is not None and robot.actuation.limited


def check_linear(robot: Mechanism, what: str) -> None:
    """Refuse a robot whose forces keep to limits, in one line that begins with `what`.

    Raises:
        InputError: The criterion is not linear.
    """
    if robot.actuation is not None and robot.actuation.limited:
        raise InputError(
            f"{what}: forces shared by criterion {robot.actuation.criterion!r} keep to limits and are not the sum of "
            "what causes them: their bounds over an envelope cannot be proved; size without a proof gives the least "
            'margin and the largest forces found, or state [actuation] criterion = "least-norm"'
        )


def freely_shared(robot: Mechanism) -> Mechanism:
    """The mechanism with forces of least norm: linear in what causes them, and K^T force is what the platform needs."""
    own = robot.mechanism
    return replace(own, actuation=Actuation("least-norm")) if keeps_to_limits(robot) else own


@dataclass(frozen=True)
class WithinLimits:
    """Forces of a robot over an envelope, and their margin.

    Attributes:
        robot: With a criterion that keeps to limits.
        envelope: Its ranges.
        worst: `Worst` of the same robot with forces of least norm.
    """

    robot: Mechanism
    envelope: Envelope
    worst: Worst

    @cached_property
    def bounded(self) -> bool:
        """Whether every actuator has both limits: only then is there a margin."""
        return all(low is not None and high is not None for low, high in force_limits(self.robot))

    @cached_property
    def _coulomb(self) -> Array:
        """(m,) dry friction that takes of what has limits: tensions of cables do not feel that of their winches."""
        return np.where(np.isin(np.arange(len(self.worst.coulomb)), winches(self.robot)), 0.0, self.worst.coulomb)

    @cached_property
    def _ranges(self) -> tuple[Array, Array, tuple[int, ...]]:
        """Low and high of what varies, concatenated: pose, velocity, acceleration, wrench, payload; and the sizes."""
        e = self.envelope
        pairs = [*e.pose, *((-v, v) for v in e.velocity), *((-a, a) for a in e.acceleration), *e.wrench, *e.payload]
        low, high = np.array(pairs, dtype=float).T
        return low, high, (len(e.pose), len(e.velocity), len(e.acceleration), 6, 10)

    @cached_property
    def _varied(self) -> NDArray[np.intp]:
        low, high, _ = self._ranges
        return np.flatnonzero(high > low)

    def states(self, u: Array) -> list[Array]:
        """x, v, a, wrench, payload (N, ..) at points u (N, d) of the unit cube, poses first."""
        low, high, sizes = self._ranges
        share = np.zeros((len(u), len(low)))
        share[:, self._varied] = u
        parts = np.split(low + share * (high - low), np.cumsum(sizes)[:-1], axis=1)
        for k, ball, limits in (
            (1, self.envelope.velocity_ball, self.envelope.velocity),
            (2, self.envelope.acceleration_ball, self.envelope.acceleration),
        ):
            if ball:
                size = np.linalg.norm(parts[k] / np.where(np.array(limits) > 0.0, limits, 1.0), axis=1)
                parts[k] = parts[k] / np.maximum(size, 1.0)[:, None]
        return parts

    def values(self, u: Array) -> Array:
        """(N, 3 m) forces, the same with their signs turned, and powers by size; NaN where there are none."""
        x, v, a, wrench, payload = self.states(u)
        raw = size_program(self.robot, self.envelope.twist)(x=x, v=v, a=a, wrench=wrench, payload=payload)
        fine = judge(raw["short"], raw["converged"]).status <= Status.NEAR_SINGULAR
        force = np.where(fine[:, None], raw["force"], np.nan)
        speed = np.einsum("bmi,bi->bm", raw["K"], v)
        return np.concatenate([force, -force, np.abs(force * speed)], axis=1)

    def search(self, seed: int, power: int) -> tuple[list[list[Optimum]], list[list[Optimum]], float]:
        """Local maxima of forces each way (2 m) and of powers (m), and the share of states without forces.

        Raises:
            NumericalError: No state has any.
        """
        d = len(self._varied)
        u = scan_points(d, seed, power)
        corners = np.random.default_rng(seed).integers(0, 2, (2**power if d else 0, d))
        u = np.concatenate([u, corners.astype(float)])
        values = self.values(u)
        poses = self.states(u)[0]
        reached = np.isfinite(self.worst.displacements(poses)).all(axis=1)
        without = reached & ~np.isfinite(values).all(axis=1)
        share = float(without.sum() / max(1, reached.sum()))
        if without.sum() == reached.sum():
            raise NumericalError(
                f"size: no examined state of the envelope has forces within the limits of {self.robot.name}; "
                "make the envelope smaller, or the limits wider"
            )
        optima = polished(lambda p, k: self.values(p)[np.arange(len(p)), k], u, values, seed)
        m = values.shape[1] // 3
        return optima[: 2 * m], optima[2 * m :], share

    def case(self, u: Array) -> Case:
        """The state at a point (d,) of the unit cube."""
        _, v, a, wrench, payload = self.states(u[None])
        return Case(v[0], a[0], wrench[0], payload[0])

    def margins(self, x: Array) -> Array:
        """(N,) least margin over velocities, accelerations, wrenches and payloads at poses x (N, n) [N]; NaN unreached.

        Moments count over the robot's length. Dry friction is taken at its worst in every actuator at once, but for
        winches: limits of cables are of the tension.
        """
        least = np.full(len(x), np.inf)
        pulled = without_winches(self.worst.robot)
        for payload in self.worst.payloads:
            for start in range(0, len(x), _POSES):
                at = slice(start, start + _POSES)
                c = coefficients(pulled, self.envelope, x[at], payload)
                least[at] = np.minimum(least[at], np.where(c.fine, self._margins(c, x[at]), np.nan))
        return least

    def _margins(self, c: Coefficients, x: Array) -> Array:
        """(N,) least margin at poses x (N, n) with these coefficients."""
        n = c.K.shape[2]
        K = np.asarray(wrench_program(self.robot)(x=x))
        low, high = np.array(force_limits(self.robot), dtype=float).T
        u = normals(K, np.array(list(combinations(range(len(low)), n - 1)), dtype=int))
        along = u @ K.transpose(0, 2, 1)
        both = np.concatenate([along, -along], axis=1)
        room = np.abs(both) @ (0.5 * (high - low)) + both @ (0.5 * (high + low)) - np.abs(both) @ self._coulomb
        room -= np.einsum("bfm,bm->bf", both, c.G)
        room -= np.abs(np.einsum("bfm,bmw->bfw", both, c.W)).sum(axis=2)
        push = np.einsum("bfm,bmi->bfi", both, c.A)
        room -= linear_maximum(push.reshape(-1, n), self.envelope.acceleration_ball)[0].reshape(room.shape)
        moving = np.array(self.envelope.velocity) > 0.0
        if not moving.any():
            return np.asarray(room.min(axis=1))
        L = np.einsum("bfm,bmi->bfi", both, c.L[:, :, moving])
        Q = np.einsum("bfm,bmij->bfij", both, c.Q[:, :, moving][:, :, :, moving])
        return self._with_velocities(room, Q, L)

    def _with_velocities(self, room: Array, Q: Array, L: Array) -> Array:
        """(N,) least of room (N, F) less the largest v.Q v + L.v, which is found where it may decide."""
        N, F = room.shape
        k = L.shape[2]
        Q, L = Q.reshape(-1, k, k), L.reshape(-1, k)
        ball = self.envelope.velocity_ball
        some = np.zeros(N * F) if ball else corner_maximum(Q, L)[0]
        about = (room.ravel() - some).reshape(N, F).min(axis=1)
        close = np.flatnonzero(room.ravel() - bound(Q, L) < np.repeat(about, F))
        most = some.copy()
        most[close] = (ball_maximum if ball else box_maximum)(Q[close], L[close])[0]
        return np.asarray((room.ravel() - most).reshape(N, F).min(axis=1))
