"""Limits along a path as rows A u + B z + C <= 1, linear in u = sdd and z = sd^2.

Forces with viscous friction hold sqrt(z), power and motors' curves hold forces over speeds: in their place stand
tangents at a z that is near, and the rows are made again with the z that they lead to, until nothing changes. The
tangent of a limit of power lies on the safe side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.limits import actuator_bounds
from gough.analysis.platform_rates import OUTPUT as PLATFORM
from gough.graph import Array
from gough.robot import Motor
from gough.timing.drive_terms import Terms
from gough.timing.facets import Facets, shares_within_limits

SIDES = 64
"""Of the polygon inside the circle that an acceleration stays in: 0.12 % are lost between its corners."""

Force = tuple[Array, Array, Array]
"""Coefficients of u, of z, and the rest."""


@dataclass(frozen=True)
class Rows:
    """Limits of one owner.

    Attributes:
        kind, owner: As in `check`; "motor" for a motor's curve.
        A, B, C: (r, 2, N) at the beginnings and ends of N cells.
    """

    kind: str
    owner: str
    A: Array
    B: Array
    C: Array

    def of(self, cells: slice) -> Rows:
        """Those of some of the cells."""
        return Rows(self.kind, self.owner, self.A[:, :, cells], self.B[:, :, cells], self.C[:, :, cells])


@dataclass(frozen=True)
class Bounds:
    """All limits along a path that depend on time.

    Attributes:
        terms: Terms of the path.
        limits: As stated, in place of the robot's own.
        motor: On every actuator, or None.
        share: Share of forces, speeds and powers that may be used, a number or (N,) for each cell.
    """

    terms: Terms
    limits: Mapping[str, Any]
    motor: Motor | None = None
    share: Any = 1.0

    @property
    def limited(self) -> bool:
        """Whether actuators share forces within limits, so that these are facets of what they can do together."""
        return shares_within_limits(self.terms.robot)

    def rows(self, z: Array) -> list[Rows]:
        """All rows, with tangents at z (2, N)."""
        t = self.terms
        # A tangent at rest would say nothing: it is taken where the place is left.
        near = np.maximum(z, 1e-6 * float(np.max(z)) if np.max(z) > 0.0 else 1e-300)
        found = self._facets() if self.limited else []
        names = t.robot.actuator_names
        root = np.sqrt(near)
        for k, name in enumerate(names):
            b, c = t.b[:, :, k] + t.v[:, :, k] / (2.0 * root), t.c[:, :, k] + 0.5 * t.v[:, :, k] * root
            force = (t.a[:, :, k], b, c)
            speed = np.abs(t.rate[:, :, k])
            limit = self._limit("force", k)
            if limit is not None and not self.limited:
                found.append(_both("force", name, force, np.broadcast_to(limit, c.shape), 0.0))
                if t.jump[:, :, k].any():
                    other = (force[0], b, c + t.jump[:, :, k])
                    found.append(_both("force", name, other, np.broadcast_to(limit, c.shape), 0.0))
            limit = self._limit("speed", k)
            if limit is not None:
                found.append(_square("speed", name, speed / limit))
            limit = self._limit("power", k)
            if limit is not None:
                fast = speed * root
                full = limit / np.maximum(fast, 1e-9 * float(fast.max()))
                found.append(_both("power", name, force, 1.5 * full, -0.5 * full / near))
            if self.motor is not None:
                found += self._motor(k, name, force, near)
        for kind in PLATFORM:
            if kind in self.limits:
                found.append(self._platform(kind, self.limits[kind] * self.share))
        return found

    def used(self, u: Array, z: Array) -> dict[tuple[str, str], Array]:
        """(2, N) share of each limit that is in use, at u (N,) and z (2, N): exact, without tangents."""
        t, root = self.terms, np.sqrt(z)
        force = t.forces(u, z)
        found: dict[tuple[str, str], Array] = {}
        if self.limited:
            for rows in self._facets():
                found[rows.kind, rows.owner] = (rows.A * u + rows.B * z + rows.C).max(axis=0)
        for k, name in enumerate(t.robot.actuator_names):
            speed = np.abs(t.rate[:, :, k]) * root
            values = {"force": np.abs(force[:, :, k]), "speed": speed, "power": np.abs(force[:, :, k]) * speed}
            for kind, value in values.items():
                limit = self._limit(kind, k)
                if limit is not None and not (kind == "force" and self.limited):
                    found[kind, name] = value / limit
            if self.motor is not None:
                felt = self._felt(k, force[:, :, k], u, z)
                share = self.motor.limiting.used(felt / self.motor.ratio, speed * self.motor.ratio)
                found["motor", name] = share / self.share
        for kind, output in PLATFORM.items():
            if kind in self.limits:
                by_u, by_z = t.platform[output]
                fast = kind.endswith("_speed")
                vector = by_z * root[:, :, None] if fast else by_u * u[None, :, None] + by_z * z[:, :, None]
                found[kind, ""] = np.linalg.norm(vector, axis=2) / (self.limits[kind] * self.share)
        return found

    def _motor(self, k: int, name: str, force: Force, near: Array) -> list[Rows]:
        """A motor's curve; with losses, the rows hold where the load takes power and where it gives power back.

        With the actuator moving forward a rotor feels the larger of load / e and e load: both stay below the curve,
        and e load above its negative. Moving back, the other way round. Where the load drives against a motor that
        brakes its own rotor, which feels load / e, the last is on the safe side.
        """
        assert self.motor is not None
        rate = self.terms.rate[:, :, k]
        if self.motor.lossless:
            return _motor(self.motor, name, force, np.abs(rate), near, self.share)
        a, b, c = force
        load = self.motor.load(a, rate), self.motor.load(b, self.terms.rate_bend[:, :, k]), c
        e = self.motor.efficiency
        driven, driving = _plus(force, e - 1.0, load), _plus(force, 1.0 / e - 1.0, load)
        found = _motor(self.motor, name, driven, np.abs(rate), near, self.share)
        more = _motor(self.motor, name, driving, np.abs(rate), near, self.share)[0]
        mask = np.stack([rate >= 0.0, rate <= 0.0])
        return [*found, Rows(more.kind, name, *(np.where(mask, part, 0.0) for part in (more.A, more.B, more.C)))]

    def _felt(self, k: int, force: Array, u: Array, z: Array) -> Array:
        """(2, N) what a rotor feels of forces of its joint, joint-side."""
        assert self.motor is not None
        if self.motor.lossless:
            return force
        rate = self.terms.rate[:, :, k]
        load = self.motor.load(force, rate * u + self.terms.rate_bend[:, :, k] * z)
        return np.asarray(force + (self.motor.losses(load * rate) - 1.0) * load)

    def _limit(self, kind: str, k: int) -> Any:
        _, bound = actuator_bounds(self.terms.robot, kind, self.limits)[k]
        return None if bound is None else bound.high * self.share

    def _platform(self, kind: str, limit: float) -> Rows:
        by_u, by_z = self.terms.platform[PLATFORM[kind]]
        if kind.endswith("_speed"):
            return _square(kind, "", np.linalg.norm(by_z, axis=2) / limit)
        # Both vectors lie in a plane; in it the acceleration is kept within a polygon.
        first = by_u / np.maximum(np.linalg.norm(by_u, axis=2, keepdims=True), 1e-300)
        rest = by_z - (by_z * first).sum(axis=2, keepdims=True) * first
        second = rest / np.maximum(np.linalg.norm(rest, axis=2, keepdims=True), 1e-300)
        angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
        cosine, sine = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
        inner = limit * np.cos(np.pi / SIDES)
        A = cosine * (by_u * first).sum(axis=2) / inner
        B = (cosine * (by_z * first).sum(axis=2) + sine * (by_z * second).sum(axis=2)) / inner
        return Rows(kind, "", A, B, np.zeros_like(A))

    def _facets(self) -> list[Rows]:
        """What the platform needs, K^T force, within each facet of what the actuators can give together."""
        t = self.terms
        facets = Facets.of(t.robot, t.jacobian.reshape(-1, *t.jacobian.shape[2:]))
        share = np.broadcast_to(self.share, t.x.shape[:2])
        a, b, c = t.shared
        flat = (part.reshape(share.size, -1) for part in (a, b, c - facets.middle))
        scaled = [facets.used(part).T.reshape(-1, *share.shape) / share for part in flat]
        A, B, C = (np.concatenate([part, -part]) for part in scaled)
        return [Rows("margin", "", A, B, C)]


def _plus(one: Force, share: float, other: Force) -> Force:
    """A force and a share of another."""
    return one[0] + share * other[0], one[1] + share * other[1], one[2] + share * other[2]


def _both(kind: str, owner: str, force: Force, most: Array, by_z: Array | float) -> Rows:
    """|force| <= most + by_z z."""
    A, B, C = (np.stack([part, -part]) / most for part in force)
    return Rows(kind, owner, A, B - by_z / most, C)


def _square(kind: str, owner: str, speed: Array) -> Rows:
    """speed sqrt(z) <= 1, the speed in shares of its limit."""
    B = speed[None] ** 2
    return Rows(kind, owner, np.zeros_like(B), B, np.zeros_like(B))


def _motor(motor: Motor, name: str, force: Force, speed: Array, z: Array, share: Any) -> list[Rows]:
    """Torque within the curve by its tangent, and speed within its end; of a share of it, both are that share."""
    curve = motor.limiting
    points, values = np.array(curve.speed), np.array(curve.torque)
    # The limit of speed is a row of its own: beyond it the curve continues, so that this row does not exclude it too.
    turn = np.minimum(motor.ratio * speed * np.sqrt(z) / share, points[-1])
    torque = np.interp(turn, points, values) * motor.ratio * share
    piece = np.clip(np.searchsorted(points, turn, side="right") - 1, 0, len(points) - 2)
    fall = np.diff(values)[piece] / np.diff(points)[piece] * motor.ratio * share
    by_z = fall * turn / (2.0 * z)
    most = np.maximum(torque - by_z * z, 1e-12 * values.max() * motor.ratio)
    return [_both("motor", name, force, most, by_z), _square("motor", name, motor.ratio * speed / (points[-1] * share))]


def typical_pace(rows: Sequence[Rows], grid: Array) -> float:
    """A typical rate: what limits allow at a steady pace, or by constant acceleration along the whole stretch."""
    A, B, C = (np.concatenate([getattr(r, name)[:, 0] for r in rows]) for name in "ABC")
    left = np.clip(1.0 - C, 1e-9, None)
    with np.errstate(divide="ignore"):
        steady = np.where(B > 0.0, left / np.where(B > 0.0, B, 1.0), np.inf).min(axis=0)
        push = np.where(A != 0.0, left / np.abs(np.where(A != 0.0, A, 1.0)), np.inf).min(axis=0)
    swift = np.median(push) * (grid[-1] - grid[0])
    return float(np.sqrt(min(np.median(steady), swift)))
