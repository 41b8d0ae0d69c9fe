"""Margins over boxes of poses: what is proved inside, what is proved outside.

Most margins are enclosed as they are. Where that says nothing of det K or of singular values, they are looked at with
an orthogonal basis of the box's own (`gough.workspaces.held_forms`); what actuators give together is shown by a witness
(`gough.workspaces.giving`), distances of legs by a gap between them (`gough.workspaces.apart`). All of these are left
out where a box is outside already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Vector, array
from gough.kinematics.robot_pose import RobotPose
from gough.run.affine_forms import Enclosure, highest, lowest
from gough.workspaces.apart import PairDistances
from gough.workspaces.followed import FollowedEnclosure, enclosure_of
from gough.workspaces.giving import Giving
from gough.workspaces.held_forms import above_forms, side_forms
from gough.workspaces.margins import Limit, MarginEquations


class MarginEnclosure:
    """Forms of all margins over boxes of poses: lower ones and upper ones, not as many of each.

    A box is inside where all lower forms are positive, outside where an upper one is negative. Of a box that is outside
    some forms say nothing.
    """

    def __init__(
        self,
        equations: MarginEquations,
        pose: Callable[[Any], RobotPose],
        coordinates: Callable[[Any], Vector],
        inputs: int,
        wide: Sequence[int],
    ) -> None:
        """Of the pose that so many inputs make, of which those at the places `wide` vary.

        Args:
            equations: The margins.
            pose: Inputs -> the robot, with free rates.
            coordinates: Inputs -> x (n,), asked for where some depend on others.
            inputs: How many.
            wide: Places of those that vary.
        """
        self._equations, self._pose, self._coordinates = equations, pose, coordinates
        self._inputs, self._wide = inputs, tuple(wide)
        self._limits: tuple[Limit, ...] = ()
        own, d = equations, len(self._wide)
        self._distances = PairDistances(own.pairs, own.least_distance, d) if own.pairs else None
        self._giving = Giving(own.force_limits, own.robot.dof) if own.shown_by_witness else None

    def __call__(self, centre: Array, radius: Array) -> tuple[Array, Array]:
        """(d + 2, m, B) lower and upper forms.

        Args:
            centre: (B, inputs) middles of the boxes.
            radius: (B, d) half-widths of the inputs that vary.

        Raises:
            InputError: The robot's equations have an operation without enclosure.
        """
        forms = self._forms
        followed = np.ones(len(centre), dtype=bool)
        if isinstance(forms, FollowedEnclosure):
            found, followed = forms.with_ends(centre, radius)
        else:
            found = forms(centre, radius)
        lower, upper = [found["margins"].copy()], [found["margins"].copy()]
        left = ~_outside(found["margins"])
        if "K" in found:
            self._held(found["K"], lower[0], upper[0], left)
            left = ~_outside(upper[0])
        if self._giving is not None:
            _add(self._giving.forms(found["columns"][..., left]), left, lower, upper)
            left &= ~_outside(upper[-1])
        if self._distances is not None:
            _add(self._distances.forms(found["ends"][..., left]), left, lower, upper)
        for part in lower:
            part[-1][:, ~followed] = np.inf
        return np.concatenate(lower, axis=1), np.concatenate(upper, axis=1)

    @cached_property
    def _forms(self) -> FollowedEnclosure | Enclosure:
        own, robot = self._equations, self._equations.robot

        def margins(pose: RobotPose, v: Vector) -> dict[str, Vector]:
            kept = own(pose, distances=False, shared=self._giving is None)
            self._limits = tuple(limit for limit, _ in kept)
            # A robot without any limit is inside everywhere.
            told = {"margins": array([margin for _, margin in kept] or [1.0 + 0.0 * v[0]])}
            if any(limit.kind in ("side", "singular") for limit in self._limits):
                told["K"] = own.jacobian(pose)
            if self._giving is not None:
                told["columns"] = self._giving.equations(*own.needed(pose))
            if self._distances is not None:
                told["ends"] = self._distances.ends(array(own.points(pose)))
            return told

        return enclosure_of(robot, own.ways, self._pose, self._coordinates, margins, self._inputs, self._wide)

    def _held(self, K: Array, lower: Array, upper: Array, left: NDArray[np.bool_]) -> None:
        """Write forms of det K and of singular values where the enclosed ones do not tell inside from outside."""
        square = K.shape[1] == K.shape[2]
        for row, limit in enumerate(self._limits):
            if limit.kind not in ("side", "singular"):
                continue
            known = (lowest(lower[:, row]) > 0.0) | (highest(upper[:, row]) < 0.0)
            boxes = np.flatnonzero(left & ~known)
            if not len(boxes):
                continue
            if limit.kind == "side" and square:
                low = high = side_forms(K[..., boxes], self._equations.home_side)
            else:
                least = self._equations.least_singular_value(limit.kind)
                low, high = above_forms(K[..., boxes], least)
            _tighter(lower, row, boxes, low)
            _tighter(upper, row, boxes, high)


def _outside(upper: Array) -> NDArray[np.bool_]:
    """(B,) whether one of the forms (d + 2, m, B) is negative."""
    return np.asarray((highest(upper) < 0.0).any(axis=0))


def _tighter(forms: Array, row: int, boxes: NDArray[np.intp], found: Array) -> None:
    """Take new forms of a margin where their rest is less of their size; only their signs have a meaning."""
    with np.errstate(all="ignore"):
        old, new = (part[-1] / np.abs(part[:-1]).sum(axis=0) for part in (forms[:, row, boxes], found))
    taken = np.isfinite(new) & ~(old <= new)
    forms[:, row, boxes[taken]] = found[:, taken]


def _add(found: tuple[Array, Array], left: NDArray[np.bool_], lower: list[Array], upper: list[Array]) -> None:
    """Forms of some boxes among those of all: without bounds elsewhere."""
    for some, every in zip(found, (lower, upper), strict=True):
        whole = np.zeros((*some.shape[:2], len(left)))
        whole[-1] = np.inf
        whole[..., left] = some
        every.append(whole)
