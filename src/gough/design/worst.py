"""The exact worst force and speed at each pose of an envelope, and where in the envelope they are taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.design.coefficients import coefficients, payloads
from gough.design.envelope import Envelope
from gough.design.velocity_maxima import ball_maximum, box_maximum, corner_maximum, linear_maximum
from gough.dynamics.drives import dry_friction
from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.programs import actuator_places, actuator_zeros, free_jacobian_program, kinematics_program
from gough.kinematics.singularity import gains
from gough.kinematics.status import Status, condition_number, judge
from gough.robot import Mechanism


@dataclass(frozen=True, slots=True)
class Case:
    """The place in an envelope, SI units, at which a force is largest."""

    velocity: Array
    acceleration: Array
    wrench: Array
    payload: Array


@dataclass(frozen=True)
class Worst:
    """Exact inner maxima of a robot over an envelope.

    Attributes:
        robot: Any robot.
        envelope: Its ranges.
    """

    robot: Mechanism
    envelope: Envelope

    @cached_property
    def payloads(self) -> Array:
        """(P, 10) corners of the payload's range."""
        return payloads(self.envelope)

    @cached_property
    def coulomb(self) -> Array:
        """(m,) dry friction, none where nothing moves."""
        return dry_friction(self.robot) * (1.0 if any(self.envelope.velocity) else 0.0)

    @cached_property
    def exact(self) -> bool:
        """Whether dry friction is at its worst together with the rest: not if passive joints have viscous friction."""
        passive = any(joint.is_passive_viscous for joint in self.robot.joints)
        return not (passive and self.coulomb.any())

    def forces(self, x: Array, quick: bool = False) -> Array:
        """Largest forces upwards, then downwards, (N, 2 m) at poses x (N, n); NaN out of reach.

        Upwards: G + |A a| + |W w| + friction + the largest L v + v.Q v, over all corners of the payload's range; the
        second and third are sums of absolute values over a box, norms over a ball. Downwards with all signs turned.
        `quick` looks at the corners of a velocity box only: not above the exact value.
        """
        best: Any = -np.inf
        for payload in self.payloads:
            c = coefficients(self.robot, self.envelope, x, payload)
            N, m, n = c.A.shape
            sides = []
            for sign in (1.0, -1.0):
                rows = (c.G, c.A.reshape(-1, n), c.W.reshape(-1, 6), c.L.reshape(-1, n), c.Q.reshape(-1, n, n))
                sides.append(self._inner(np.full(N * m, sign), np.tile(np.arange(m), N), *rows, quick).reshape(N, m))
            best = np.maximum(best, np.where(c.fine[:, None], np.concatenate(sides, axis=1), np.nan))
        return best

    def columns(self, x: Array, column: NDArray[np.intp]) -> Array:
        """(N,) of the columns (N,) of `forces`, one at each pose; exact."""
        best: Any = -np.inf
        for payload in self.payloads:
            c = coefficients(self.robot, self.envelope, x, payload)
            m = c.G.shape[1]
            k, row = column % m, np.arange(len(x))
            sign = np.where(column < m, 1.0, -1.0)
            value = self._inner(sign, k, c.G[row, k], c.A[row, k], c.W[row, k], c.L[row, k], c.Q[row, k])
            best = np.maximum(best, np.where(c.fine, value, np.nan))
        return best

    def _inner(
        self, sign: Array, k: NDArray[np.intp], G: Array, A: Array, W: Array, L: Array, Q: Array, quick: bool = False
    ) -> Array:
        """(B,) largest sign times force of actuators k, from their coefficients."""
        value = sign * G.ravel() + self.coulomb[k] + np.abs(W).sum(axis=1)
        value = value + linear_maximum(A, self.envelope.acceleration_ball)[0]
        moving = np.array(self.envelope.velocity) > 0.0
        if not moving.any():
            return value
        good = np.isfinite(value) & np.isfinite(Q).all(axis=(1, 2)) & np.isfinite(L).all(axis=1)
        Q = sign[good, None, None] * Q[good][:, moving][:, :, moving]
        L = sign[good, None] * L[good][:, moving]
        corners = quick and not self.envelope.velocity_ball
        value[good] += (corner_maximum if corners else self._quadratic)(Q, L)[0]
        return value

    def _quadratic(self, Q: Array, L: Array) -> tuple[Array, Array]:
        return (ball_maximum if self.envelope.velocity_ball else box_maximum)(Q, L)

    def speeds(self, x: Array) -> Array:
        """(N, m) largest speed of each actuator, |K v| over the box or ball of v; NaN out of reach."""
        c = coefficients(self.robot, self.envelope, x, self.payloads[0], np.zeros_like(x))
        K = c.K * np.array(self.envelope.velocity)
        N, m, n = K.shape
        values = linear_maximum(K.reshape(-1, n), self.envelope.velocity_ball)[0].reshape(N, m)
        return np.where(c.fine[:, None], values, np.nan)

    def displacements(self, x: Array) -> Array:
        """(N, 2 m) displacements of the actuators, then the same with their signs turned; NaN out of reach."""
        raw = kinematics_program(self.robot, 0)(x=x)
        fine = judge(raw["short"], raw["converged"]).status <= Status.NEAR_SINGULAR
        q = raw["joint_q"][:, actuator_places(self.robot)] - actuator_zeros(self.robot)
        return np.where(fine[:, None], np.concatenate([q, -q], axis=1), np.nan)

    def parasitic(self, x: Array) -> Array:
        """(N, 2 k) way of each dependent coordinate from home, then with their signs turned; NaN out of reach."""
        raw = kinematics_program(self.robot, 0)(x=x)
        fine = judge(raw["short"], raw["converged"]).status <= Status.NEAR_SINGULAR
        away = raw["dependent"] - dependent_coordinates(self.robot, self.robot.platform.home)[0]
        return np.where(fine[:, None], np.concatenate([away, -away], axis=1), np.nan)

    def powers(self, x: Array, v: Array) -> Array:
        """(N, m) largest power either way at poses x (N, n) and velocities v (N, n) in units of the envelope.

        |qd| (|G + L v + v.Q v + friction sign(qd)| + |A a| + |W w|) with qd = K v.
        """
        best: Any = 0.0
        for payload in self.payloads:
            c = coefficients(self.robot, self.envelope, x, payload, v)
            N, m, n = c.A.shape
            qd = np.einsum("bmi,bi->bm", c.K * np.array(self.envelope.velocity), v)
            reach = np.abs(c.W).sum(axis=2)
            reach = reach + linear_maximum(c.A.reshape(-1, n), self.envelope.acceleration_ball)[0].reshape(N, m)
            center = c.G + self.coulomb * np.sign(qd)
            best = np.maximum(best, np.where(c.fine[:, None], np.abs(qd) * (np.abs(center) + reach), np.nan))
        return best

    def case(self, x: Array, k: int, sign: float) -> tuple[float, Case]:
        """Largest force of actuator k in one direction at one pose (n,), and where."""
        found: tuple[float, Case] | None = None
        e = self.envelope
        wrench = np.array(e.wrench)
        for payload in self.payloads:
            c = coefficients(self.robot, e, x[None], payload)
            push, a = linear_maximum(sign * c.A[:, k], e.acceleration_ball)
            value = sign * c.G[0, k] + self.coulomb[k] + np.abs(c.W[0, k]).sum() + push[0]
            moving = np.array(e.velocity) > 0.0
            v = np.zeros(len(x))
            if moving.any():
                extra, at = self._quadratic(sign * c.Q[:, k][:, moving][:, :, moving], sign * c.L[:, k][:, moving])
                value, v[moving] = value + extra[0], at[0]
            if sign * (c.K[0, k] * np.array(e.velocity)) @ v < 0.0:
                v = -v  # as fast the other way, where friction adds
            load = wrench.mean(axis=1) + 0.5 * (wrench[:, 1] - wrench[:, 0]) * np.sign(sign * c.W[0, k])
            if found is None or value > found[0]:
                found = float(value), Case(v * e.velocity, a[0] * e.acceleration, load, payload)
        assert found is not None
        return found

    def determinants(self, x: Array) -> Array:
        """(N,) of K, NaN out of reach; more actuators than coordinates: the product of K's singular values."""
        K = self._free_jacobians(x)
        return np.linalg.det(K) if K.shape[1] == K.shape[2] else gains(self.robot, K).prod(axis=1)

    def log_condition(self, x: Array) -> Array:
        """(N,) logarithm to base 10 of the condition of K, infinite where it is singular, NaN out of reach."""
        K = self._free_jacobians(x)
        return np.where(np.isfinite(K).all(axis=(1, 2)), np.log10(condition_number(self.robot, K)), np.nan)

    def _free_jacobians(self, x: Array) -> Array:
        """(N, actuators, n) K on free rates; NaN out of reach."""
        raw = kinematics_program(self.robot, 0)(x=x)
        fine = judge(raw["short"], raw["converged"]).status <= Status.NEAR_SINGULAR
        return np.where(fine[:, None, None], free_jacobian_program(self.robot)(x=x), np.nan)
