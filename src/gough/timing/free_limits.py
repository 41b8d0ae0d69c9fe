"""Every limit of a robot as a smooth quantity of its state between two bounds, with exact derivatives.

What `check` looks at along a given motion is here a function of x, xd and xdd, so that the motion itself can change.
Dry friction jumps: forces keep clear of their limits by it whatever its sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.analysis.leg_distances import ends_of, pair_squared, pairs_of, points_and_cosines, shape_of
from gough.analysis.limits import actuator_bounds
from gough.analysis.platform_rates import OUTPUT as PLATFORM
from gough.dynamics.contract import choose
from gough.dynamics.distribution import share_out
from gough.dynamics.drives import displacements, dry_friction, rates, winches
from gough.dynamics.force_programs import Model, shared_force, whole_demand
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Vector, array, dot, jacobian, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program
from gough.timing.drive_terms import without_limits_or_friction
from gough.timing.facets import Facets, directions, shares_within_limits

BEYOND = 1e3
"""In place of what a leg that does not reach has, in widths of its limit."""


@dataclass(frozen=True)
class Quantity:
    """One number that has a limit.

    Attributes:
        kind, owner: As in `check`; "reach" for a leg.
        part, place: Which output of the program, and which entry of it.
        low, high: Bounds of the smooth quantity, not finite where there is none.
    """

    kind: str
    owner: str
    part: str
    place: int
    low: float = -np.inf
    high: float = np.inf

    @property
    def width(self) -> float:
        """What misses are measured by."""
        ends = [abs(end) for end in (self.low, self.high) if np.isfinite(end)]
        return max(ends) or 1.0

    def shown(self, value: float) -> float:
        """As people read it: angles and distances of axes, not their cosines and squares."""
        if self.kind == "angle":
            return float(np.arccos(np.clip(value, -1.0, 1.0)))
        return float(np.sqrt(max(value, 0.0))) if self.kind == "distance" or self.kind in PLATFORM else float(value)


def quantities_of(robot: Mechanism, limits: Mapping[str, Any]) -> list[Quantity]:
    """All that has a limit, apart from condition and singular values."""
    found: list[Quantity] = []
    coulomb, shared = dry_friction(robot), shares_within_limits(robot)
    if shared:
        found += [Quantity("margin", "", "margin", k, -1.0, 1.0) for k in range(len(directions(robot)))]
    for kind in ("speed", "power", "stroke") if shared else ("force", "speed", "power", "stroke"):
        for k, (name, bound) in enumerate(actuator_bounds(robot, kind, limits)):
            if bound is not None:
                room = coulomb[k] if kind == "force" else 0.0
                found.append(Quantity(kind, name, kind, k, bound.low + room, bound.high - room))
    for kind in PLATFORM:
        if kind in limits:
            found.append(Quantity(kind, "", kind, 0, high=limits[kind] ** 2))
    joints = [(leg.name, joint) for leg in robot.legs for joint in leg.joints]
    for k, (leg, joint) in enumerate(joints):
        if not joint.actuated and joint.limits.stroke is not None:
            low, high = (end + joint.zero for end in joint.limits.stroke)
            found.append(Quantity("joint", f"{leg}.{joint.name}", "joint", k, low, high))
    for k, (leg_index, name, cone) in enumerate(shape_of(robot).cones):
        limit = limits.get("angle", cone)
        if limit is not None:
            owner = f"{robot.legs[leg_index].name}.{name}"
            found.append(Quantity("angle", owner, "angle", k, low=float(np.cos(limit))))
    thick = [leg.radius is not None for leg in robot.legs]
    for k, pair in enumerate(pairs_of(robot) if "distance" in limits or sum(thick) > 1 else ()):
        a, b = pair.first.leg, pair.second.leg
        if "distance" in limits or (thick[a] and thick[b]):
            least = limits.get("distance", 0.0) + pair.radii
            found.append(Quantity("distance", f"{robot.legs[a].name}-{robot.legs[b].name}", "distance", k, least**2))
    found += [Quantity("reach", leg.name, "reach", k, high=0.0) for k, leg in enumerate(robot.legs)]
    return found


@by_mechanism(16)
def state_program(robot: Mechanism, parts: tuple[str, ...], loaded: bool) -> Program:
    """From a state (3 n,), x then xd then xdd, to each part (k,) and its derivatives `d_part` (k, 3 n)."""
    smooth, n = without_limits_or_friction(robot), robot.dof
    ways, model = ways_of(smooth), Model(smooth, choose("auto"), loaded)
    ends = ends_of(smooth, ways) if {"angle", "distance"} & set(parts) else None
    pairs = pairs_of(robot) if "distance" in parts else ()

    def equations(state: Vector, wrench: Vector = None) -> dict[str, Any]:
        pose = robot_pose(smooth, ways, state[:n])
        motion = RobotMotion(pose, state[n : 2 * n], state[2 * n :])
        values: dict[str, Any] = {}
        if {"force", "power"} & set(parts):
            values["force"] = shared_force(model, motion, wrench).force
            values["power"] = values["force"] * rates(motion)[0]
        if "shared" in parts:
            values["shared"] = share_out(whole_demand(model, motion, wrench), smooth).force
        if "jacobian" in parts:
            values["jacobian"] = array([entry for row in pose.jacobian() for entry in row])
        if "speed" in parts:
            values["speed"] = rates(motion)[0]
        if "stroke" in parts:
            values["stroke"] = displacements(motion)
        twist, rate = motion.twist, motion.twist_rate
        vectors = {"v": twist.v, "w": twist.w, "a": rate.a, "wd": rate.wd}
        values |= {kind: array([dot(vectors[name], vectors[name])]) for kind, name in PLATFORM.items() if kind in parts}
        if "joint" in parts:
            both = [(c, j) for leg in pose.legs for c, j in zip(leg.coordinates, leg.leg.joints, strict=True)]
            values["joint"] = array([coordinate.value(joint.start) for coordinate, joint in both])
        if ends is not None:
            points, cosines = points_and_cosines(pose, ends)
            values["angle"] = array(cosines or [1.0])
            values["distance"] = array([pair_squared(pair, points) for pair in pairs] or [1.0])
        values["reach"] = array([leg.closure.short for leg in pose.legs])
        out: dict[str, Any] = {}
        for part in parts:
            out[part], out[f"d_{part}"] = values[part], jacobian(values[part], state, "forward")
        return out

    shapes = {"state": 3 * n} | ({"wrench": 6} if loaded else {})
    return Program(record(equations, **shapes))


@dataclass(frozen=True)
class FreeLimits:
    """The limits of a robot at any states.

    Attributes:
        robot: The robot.
        quantities: All that has a limit.
        wrench: (6,) load on the platform, or None.
        more: Parts that are wanted besides, such as "power".
    """

    robot: Mechanism
    quantities: tuple[Quantity, ...]
    wrench: Array | None = None
    more: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """Outputs that are needed."""
        together = ("force", *(("shared",) if winches(self.robot) else ()), "jacobian")
        own = [part for q in self.quantities for part in (together if q.part == "margin" else (q.part,))]
        return tuple(dict.fromkeys([*own, *self.more]))

    def at(self, state: Array) -> dict[str, tuple[Array, Array]]:
        """By part: values (N, k) and derivatives (N, k, 3 n) at states (N, 3 n)."""
        program = state_program(self.robot, self.parts, self.wrench is not None)
        given: dict[str, Any] = {"state": state}
        if self.wrench is not None:
            given["wrench"] = np.broadcast_to(self.wrench, (len(state), 6))
        raw = program(**given)
        found = {part: (raw[part], raw[f"d_{part}"]) for part in self.parts}
        if any(q.part == "margin" for q in self.quantities):
            found["margin"] = self._facets(*found.get("shared", found["force"]), *found["jacobian"])
        return found

    def _facets(self, force: Array, dforce: Array, K: Array, dK: Array) -> tuple[Array, Array]:
        """Shares (N, F) of what the actuators can give together, and slopes (N, F, 3 n); NaN where a leg is short."""
        m, n, count = len(self.robot.actuators), self.robot.dof, len(directions(self.robot))
        values, slopes = np.full((len(K), count), np.nan), np.full((len(K), count, 3 * n), np.nan)
        good = np.isfinite(K).all(axis=1) & np.isfinite(force).all(axis=1)
        facets = Facets.of(self.robot, K[good].reshape(-1, m, n), clear_of_friction=True)
        off = force[good] - facets.middle
        values[good] = facets.used(off)
        slopes[good] = facets.slopes(values[good], off, dK[good].reshape(-1, m, n, 3 * n), dforce[good])
        return values, slopes

    def without_constant_reach(self, state: Array) -> FreeLimits:
        """Without the reach of legs that only become longer, known from states (N, 3 n)."""
        moves = np.abs(self.at(state)["reach"][1]).max(axis=(0, 2)) > 0.0
        kept = tuple(q for q in self.quantities if q.kind != "reach" or moves[q.place])
        return replace(self, quantities=kept)

    def rows(self, found: Mapping[str, tuple[Array, Array]], share: float = 1.0) -> tuple[Array, Array]:
        """(N, r) that must be at most 0, in widths of the limits, and (N, r, 3 n) derivatives; limits times `share`."""
        values, slopes = [], []
        for q in self.quantities:
            value, slope = (part[:, q.place] for part in found[q.part])
            good = np.isfinite(value) & np.isfinite(slope).all(axis=1)
            slope = np.where(good[:, None], slope, 0.0) / q.width
            spare = (1.0 - share) * (q.width if not np.isfinite(q.low + q.high) else 0.5 * (q.high - q.low))
            spare = 0.0 if q.kind == "reach" else spare
            for end, sign in ((q.high, 1.0), (q.low, -1.0)):
                if np.isfinite(end):
                    values.append(np.where(good, (sign * (value - end) + spare) / q.width, BEYOND))
                    slopes.append(sign * slope)
        return np.stack(values, axis=1), np.stack(slopes, axis=1)
