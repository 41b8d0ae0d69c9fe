"""Pinocchio as an expert batches it from Python.

Joint motion and projection in NumPy over all samples, in pieces of some megabytes; for the legs' recursive
Newton-Euler, Pinocchio on a tree in which several machines stand side by side, so that one call serves several samples.
`rneaInParallel` with one thread, which takes all samples in one call, is the other way to drive it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.peers.batches import PIECE, actuator_forces, by_sample, in_pieces
from benchmarks.peers.mechanism import Mechanism
from benchmarks.peers.pinocchio_model import legs_model
from benchmarks.peers.vectors import Array
from gough.robot import Robot

COPIES = 4
"""More gain little, and Pinocchio's data holds tensors of size nv^3."""


@dataclass(frozen=True)
class PinocchioBatched:
    """Inverse dynamics of one robot; `parallel` chooses rneaInParallel."""

    robot: Robot
    parallel: bool = False
    copies: int = COPIES
    piece: int = PIECE

    @cached_property
    def mechanism(self) -> Mechanism:
        return Mechanism(self.robot)

    @cached_property
    def rnea(self) -> Callable[[Array, Array, Array], Array]:
        """Efforts (n, nv) of the legs from q, v, a, one row a sample."""
        copies = 1 if self.parallel else self.copies
        model = legs_model(self.robot, self.mechanism.joints, circles=True, copies=copies)
        if self.parallel:
            pool = pin.ModelPool(model, 1)

            def at_once(q: Array, v: Array, a: Array) -> Array:
                tau = np.empty_like(v)
                pin.rneaInParallel(1, pool, q.T, v.T, a.T, tau.T)
                return tau

            return at_once
        data, rnea = model.createData(), pin.rnea

        def in_groups(q: Array, v: Array, a: Array) -> Array:
            n = len(v)
            groups = -(-n // copies)
            q, v, a = (_grouped(values, groups, copies) for values in (q, v, a))
            tau = np.empty_like(v)
            for k in range(groups):
                tau[k] = rnea(model, data, q[k], v[k], a[k])
            return tau.reshape(groups * copies, -1)[:n]

        return in_groups

    def __call__(self, x: Array, xd: Array, xdd: Array) -> Array:
        """(N, 6) forces."""
        return in_pieces(self._piece, self.piece, x, xd, xdd)

    def _piece(self, x: Array, xd: Array, xdd: Array) -> Array:
        motion = self.mechanism.motion(x, xd, xdd)
        legs = motion.legs
        efforts = self.rnea(configuration(legs.angles), by_sample(legs.rates), by_sample(legs.accelerations))
        return actuator_forces(self.mechanism, motion, efforts)


def configuration(angles: list[Any]) -> Array:
    """Configurations with (cos, sin) for turns."""
    flat: list[Array] = []
    for angle in angles:
        flat += angle if isinstance(angle, tuple) else (angle,)
    return by_sample(flat)


def _grouped(values: Array, groups: int, copies: int) -> Array:
    """(groups, copies * k); the last group is filled up with the last sample."""
    missing = groups * copies - len(values)
    if missing:
        values = np.concatenate([values, np.repeat(values[-1:], missing, axis=0)])
    return values.reshape(groups, -1)
