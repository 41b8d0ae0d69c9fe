"""What actuators do along a path, as functions of its place and of the two numbers that time is free in.

With s the place on the path, u = sdd and z = sd^2: x, xd = x' sd, xdd = x' u + x'' z, so that a force is

    a u + b z + v sqrt(z) + c

with a, b inertia, v viscous friction, c gravity, loads and dry friction: three more evaluations of inverse dynamics.
Each is taken at both ends of each cell of a grid of places, from inside the cell: dry friction has one sign in a cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.platform_rates import platform_program
from gough.dynamics.contract import choose
from gough.dynamics.drives import dry_friction, winches, without_dry_friction, without_winches
from gough.dynamics.force_programs import REACH, Model, inverse_program
from gough.graph import Array
from gough.kinematics.programs import kinematics_program
from gough.motion import Motion
from gough.robot import Actuation, Mechanism
from gough.run import Program
from gough.timing.facets import shares_within_limits
from gough.timing.geometry import Way


@dataclass(frozen=True)
class Terms:
    """Along a grid of N cells; arrays (2, N, ...) are at the beginnings and at the ends of the cells, or elsewhere.

    Attributes:
        robot: The robot.
        way: The path.
        grid: (N + 1,) places.
        x, slope, bend: (2, N, n) coordinates and their derivatives by the place.
        a, b, v, c: (2, N, actuators) of the forces.
        rate: (2, N, actuators) q', of the actuators' displacements by the place.
        shared: Of a, b and c of the forces that are shared: those of cables are minus their tensions.
        jump: (2, N, actuators) what dry friction adds where an actuator turns round or stops, if it has its other
            sign there already: the instant of the turn has either. Zero elsewhere.
    """

    robot: Mechanism
    way: Way
    grid: Array
    x: Array
    slope: Array
    bend: Array
    a: Array
    b: Array
    v: Array
    c: Array
    rate: Array
    jump: Array
    shared: tuple[Array, ...] = field(kw_only=True)

    @cached_property
    def stretches(self) -> list[slice]:
        """Cells between each two stops."""
        places = np.searchsorted(self.grid, np.array(self.way.stops) - 1e-12)
        return [slice(int(a), int(b)) for a, b in pairwise(places)]

    @cached_property
    def jacobian(self) -> Array:
        """(2, N, actuators, n) K."""
        found = kinematics_program(self.robot, 0)(x=self.x.reshape(-1, self.x.shape[-1]))["K"]
        return found.reshape(*self.x.shape[:2], *found.shape[1:])

    @cached_property
    def rate_bend(self) -> Array:
        """(2, N, actuators) q'', second derivative of the actuators' displacements by the place."""
        n = self.x.shape[-1]
        model = Model(without_limits_or_friction(self.robot), choose("auto"), False)
        x, slope, bend = (value.reshape(-1, n) for value in (self.x, self.slope, self.bend))
        found = inverse_program(model, (*REACH, "qdd"))(x=x, xd=slope, xdd=bend)["qdd"]
        return np.asarray(found).reshape(self.rate.shape)

    @cached_property
    def platform(self) -> dict[str, tuple[Array, Array]]:
        """Of velocity (v), angular velocity (w): (2, N, 3) by sd, twice; of accelerations (a, wd): by u and by z."""
        program, n = platform_program(self.robot), self.x.shape[-1]
        x, slope, bend = (value.reshape(-1, n) for value in (self.x, self.slope, self.bend))
        both = program(x=x, xd=slope, xdd=bend)
        first = program(x=x, xd=0.0 * slope, xdd=slope)
        shape = (*self.x.shape[:2], 3)
        found = {name: (both[name].reshape(shape), both[name].reshape(shape)) for name in ("v", "w")}
        return found | {name: (first[name].reshape(shape), both[name].reshape(shape)) for name in ("a", "wd")}

    def forces(self, u: Array, z: Array) -> Array:
        """(2, N, actuators) at u (N,) and z (2, N)."""
        w = z[:, :, None]
        return self.a * u[None, :, None] + self.b * w + self.v * np.sqrt(w) + self.c


def without_limits_or_friction(robot: Mechanism) -> Mechanism:
    """A mechanism whose forces are smooth: no dry friction, and least norm where forces keep to limits."""
    smooth = without_dry_friction(robot)
    return replace(smooth, actuation=Actuation()) if shares_within_limits(robot) else smooth


def smooth_program(robot: Mechanism, loaded: bool) -> Program:
    """Inverse dynamics without dry friction; of actuators that share within limits, the forces of least norm."""
    smooth = without_limits_or_friction(robot)
    also = (*REACH, "shared") if winches(smooth) else REACH
    return inverse_program(Model(smooth, choose("auto"), loaded), also)


def turning_places(robot: Mechanism, way: Way, grid: Array) -> Array:
    """Places at which an actuator with dry friction turns round, found between those of a grid."""
    dry = np.flatnonzero(dry_friction(robot))
    if not len(dry):
        return np.zeros(0)
    program = smooth_program(robot, False)

    def rates(s: Array) -> Array:
        x, slope, _ = way.curve(s)
        return program(x=x, xd=slope, xdd=0.0 * slope)["qd"][:, dry]

    values = rates(grid)
    found = []
    for k in range(len(dry)):
        cell = np.flatnonzero(values[:-1, k] * values[1:, k] < 0.0)
        low, high = grid[cell].copy(), grid[cell + 1].copy()
        sign = np.sign(values[cell, k])
        for _ in range(50 if len(cell) else 0):
            middle = 0.5 * (low + high)
            before = np.sign(rates(middle)[:, k]) == sign
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        found.append(0.5 * (low + high))
    return np.concatenate(found)


def terms_of(robot: Mechanism, way: Way, grid: Array) -> Terms:
    """The terms along a grid of places.

    Raises:
        ReachError: A leg cannot follow the path; its time is the place.
    """
    s = np.stack([grid[:-1], np.nextafter(grid[1:], grid[:-1])])
    inside = 0.5 * (grid[:-1] + grid[1:])
    found = replace(terms_at(robot, way, s, inside), grid=grid)
    coulomb = dry_friction(robot)
    if not coulomb.any():
        return found
    x, slope, _ = way.curve(inside)
    signs = np.sign(smooth_program(robot, False)(x=x, xd=slope, xdd=0.0 * slope)["qd"])
    ends = np.concatenate([[True], (signs[1:] != signs[:-1]).any(axis=1), [True]])
    ends |= np.isin(grid, way.stops)
    turns = np.stack([ends[:-1], ends[1:]])[:, :, None]
    return replace(found, jump=np.where(turns, -2.0 * coulomb * signs, 0.0))


def terms_at(robot: Mechanism, way: Way, s: Array, inside: Array) -> Terms:
    """The terms at places s (r, N), each in a cell with another place `inside` (N,)."""
    flat = s.ravel()
    x, slope, bend = way.curve(flat)
    load = None if way.load is None else way.load(flat)[0]
    program = smooth_program(robot, load is not None)

    def call(xd: Array, xdd: Array) -> dict[str, Any]:
        given: dict[str, Any] = {"x": x, "xd": xd, "xdd": xdd}
        return program(**given if load is None else given | {"wrench": load})

    still = np.zeros_like(x)
    rest = call(still, still)
    Path(robot, _on_place(robot, way)).check_reach(flat, {**rest, "force": np.nan_to_num(rest["force"])})
    forward, back = call(slope, bend), call(-slope, bend)
    pushed = call(still, slope)

    def along(name: str) -> tuple[Array, Array, Array]:
        c = rest[name]
        return pushed[name] - c, 0.5 * (forward[name] + back[name]) - c, c

    a, b, c = along("force")
    shared = along("shared" if "shared" in rest else "force")
    v = 0.5 * (forward["force"] - back["force"])
    rate = forward["qd"]
    coulomb = dry_friction(robot)
    if coulomb.any():
        at, direction, _ = way.curve(inside)
        signs = np.concatenate([np.sign(program(**_middle(at, direction, way, inside))["qd"])] * len(s))
        c = c + coulomb * signs
        shared = (*shared[:2], shared[2] + dry_friction(without_winches(robot)) * signs)
    shape = (*s.shape, -1)
    parts = (x, slope, bend, a, b, v, c, rate, 0.0 * c)
    given = tuple(part.reshape(shape) for part in shared)
    return Terms(robot, way, inside, *(part.reshape(shape) for part in parts), shared=given)


def _middle(x: Array, slope: Array, way: Way, s: Array) -> dict[str, Any]:
    given = {"x": x, "xd": slope, "xdd": 0.0 * slope}
    return given if way.load is None else given | {"wrench": way.load(s)[0]}


def _on_place(robot: Mechanism, way: Way) -> Motion:
    """The path as a motion whose time is its place."""
    return Motion("path", robot.coordinate_names, way.knots[0], way.knots[-1], way.curve, way.load)
