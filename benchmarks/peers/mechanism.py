"""What every batched peer needs around its engine: joint motion before it, forces of the actuators after it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.peers import platform
from benchmarks.peers.legs import LegMotion, kind_of, pus, sru, ups
from benchmarks.peers.platform import PlatformMotion, platform_motion, platform_wrench
from benchmarks.peers.vectors import Array, cross, turned, turned_back
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class Motion:
    """The whole machine at n samples: platform, arms r (3, legs, n) from P to the leg ends in base axes, legs."""

    platform: PlatformMotion
    r: Array
    legs: LegMotion


@dataclass(frozen=True)
class Mechanism:
    """A robot with six UPS, PUS or SRU legs, made ready for arrays (component, leg, sample)."""

    robot: Robot

    @cached_property
    def kind(self) -> str:
        platform.check(self.robot)
        return kind_of(self.robot)

    @cached_property
    def joints(self) -> int:
        """Joints of a leg that move something: SRU legs end in a massless joint."""
        return {"UPS": 3, "PUS": 3, "SRU": 5}[self.kind]

    @cached_property
    def R_B0(self) -> Array:
        """(3, 3, legs, 1) leg frames."""
        return np.stack([np.array(leg.rotation) for leg in self.robot.legs], axis=-1)[..., None]

    @cached_property
    def feet(self) -> Array:
        """(3, legs, 1) origins of the leg frames."""
        return _columns([leg.position for leg in self.robot.legs])

    @cached_property
    def ends(self) -> Array:
        """(3, legs, 1) leg ends in P."""
        return _columns([leg.end.platform_point for leg in self.robot.legs])

    @cached_property
    def numbers(self) -> dict[str, Array]:
        """Lengths, directions and branches of the legs."""
        legs = self.robot.legs
        branch = np.array([[float(leg.branch)] for leg in legs])
        if self.kind == "PUS":
            rods = np.array([[leg.end.point[0]] for leg in legs])
            return {"u": _columns([leg.joints[0].axis for leg in legs]), "L": rods, "branch": branch}
        if self.kind == "SRU":
            lower, upper = (np.array([[leg.joints[k].offset[2]] for leg in legs]) for k in (3, 4))
            return {"lower": lower, "upper": upper, "branch": branch}
        return {}

    @cached_property
    def last_axes(self) -> Array:
        """(3, legs, 1) last axes of SRU legs in P."""
        return _columns([np.array(leg.end.platform_rotation)[:, 0] for leg in self.robot.legs])

    def motion(self, x: Array, xd: Array, xdd: Array) -> Motion:
        """The machine's motion at x, xd, xdd (6, n)."""
        body = platform_motion(self.robot, x, xd, xdd)
        p, R, v, w, a, wd = (values[..., None, :] for values in (body.p, body.R, body.v, body.w, body.a, body.wd))
        r = turned(R, self.ends)
        spin = cross(w, r)
        d = turned_back(self.R_B0, p + r - self.feet)
        v = turned_back(self.R_B0, v + spin)
        a = turned_back(self.R_B0, a + cross(wd, r) + cross(w, spin))
        if self.kind == "UPS":
            return Motion(body, r, ups(d, v, a))
        if self.kind == "PUS":
            return Motion(body, r, pus(**self.numbers, d=d, v=v, a=a))
        e6 = turned_back(self.R_B0, turned(R, self.last_axes))
        w, wd = turned_back(self.R_B0, w), turned_back(self.R_B0, wd)
        return Motion(body, r, sru(**self.numbers, d=d, e6=e6, v=v, w=w, a=a, wd=wd))

    def forces(self, motion: Motion, efforts: list[Array]) -> Array:
        """(n, actuators) from the efforts of each leg joint (legs, n) as the engine gives them for the cut legs.

        The passive joints' efforts are carried to the leg ends, added to the platform's own wrench, and balanced by the
        actuators: one 6 x 6 system per sample.
        """
        F, M = platform_wrench(self.robot, motion.platform)
        force, moment = motion.legs.load(efforts)
        force = turned(self.R_B0, force)
        turning = cross(motion.r, force)
        if moment is not None:
            turning = turning + turned(self.R_B0, moment)
        n = F.shape[1]
        wrench = np.empty((n, 6, 1))
        wrench[:, :3, 0] = (F + force.sum(axis=1)).T
        wrench[:, 3:, 0] = (M + turning.sum(axis=1)).T
        row = turned(self.R_B0, motion.legs.row)
        K = np.empty((n, 6, row.shape[1]))
        K[:, :3] = row.transpose(2, 0, 1)
        K[:, 3:] = cross(motion.r, row).transpose(2, 0, 1)
        tau = np.linalg.solve(K, wrench)[..., 0]
        tau += efforts[motion.legs.actuator].T
        return tau


def _columns(vectors: list) -> Array:
    return np.array(vectors, dtype=float).T[..., None].copy()
