"""How well the corrected model knows the platform's pose: what the parameters' uncertainty leaves of it, and where.

At fixed readings a change dg of the parameters moves the platform by G dg, G = Sg - S K^+ Kg: twists in base axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gough.brief import brief
from gough.calibration.model import Model
from gough.graph import Array
from gough.kinematics.random_states import reachable_poses
from gough.robot import Mechanism, by_mechanism
from gough.workspaces.slices import within

POSES = 300
_TRIES = 10
_WORSE = 4.0
"""Condition of K in those of home beyond which a pose is no place to work at."""


@dataclass(frozen=True)
class PoseUncertainty:
    """Standard deviations of the platform's pose, at poses about home that are no more than 4 times worse conditioned.

    Attributes:
        x: (M, n) poses, home first.
        position: (M,) of its origin, all three directions together [m].
        rotation: (M,) of its orientation, about all three axes together [rad]; zero where it does not turn.
    """

    __repr__ = brief

    x: Array
    position: Array
    rotation: Array

    def where(self, robot: Mechanism) -> str:
        """How many poses there are, and from where to where each coordinate of them goes."""
        parts = []
        for coordinate, low, high in zip(
            robot.platform.coordinates, self.x.min(axis=0), self.x.max(axis=0), strict=True
        ):
            scale, unit = (np.degrees(1.0), "deg") if coordinate.turns else (1e3, "mm")
            parts.append(f"{coordinate.name} {low * scale:.4g} to {high * scale:.4g} {unit}")
        return f"{len(self.x)} about home: {', '.join(parts)}"

    def rms(self) -> tuple[float, float]:
        """Over all poses: position [m] and rotation [rad]."""
        return float(np.sqrt((self.position**2).mean())), float(np.sqrt((self.rotation**2).mean()))


def gains(model: Model, x: Array, g: Array) -> Array:
    """(M, 6, parameters) twist of the platform per change of each parameter at fixed readings."""
    out = model.pose_program(x=x, g=g[: len(model.parameters)])
    return np.asarray(out["Sg"] - out["S"] @ np.linalg.pinv(out["K"]) @ out["Kg"])


def pose_uncertainty(model: Model, x: Array, g: Array, C: Array) -> PoseUncertainty:
    """Of poses x (M, n) with parameters of covariance C."""
    count = len(model.parameters)
    G = gains(model, x, g)
    spread = np.maximum(np.einsum("mig,gh,mih->mi", G, C[:count, :count], G), 0.0)
    return PoseUncertainty(x, np.sqrt(spread[:, :3].sum(axis=1)), np.sqrt(spread[:, 3:].sum(axis=1)))


def with_noise(model: Model, known: PoseUncertainty, g: Array, noise: Mapping[str, float]) -> PoseUncertainty | None:
    """What measured poses and readings leave on top of a pose's uncertainty: errors to expect when it is validated.

    Args:
        model, g: The corrected robot.
        known: What the parameters' uncertainty leaves at the poses measured.
        noise: Standard deviations of "position", "rotation" and "encoder" [m or rad].

    Returns:
        None where the noise of one of them is not known.
    """
    coordinates = model.robot.platform.coordinates
    turns = np.array([c.turns for c in coordinates], dtype=bool)
    kinds = {"encoder", *(("rotation" if c.turns else "position") for c in coordinates)}
    if not kinds <= noise.keys():
        return None
    out = model.pose_program(x=known.x, g=g[: len(model.parameters)])
    S, moved = out["S"], out["S"] @ np.linalg.pinv(out["K"])
    each = np.where(turns, noise.get("rotation", 0.0), noise.get("position", 0.0))
    if turns.sum() == 3:  # three measured turns are one rotation, whose noise is that about each axis
        each = np.where(turns, 0.0, each)
    readings = np.array([noise["encoder"]] * moved.shape[2])
    spread = ((S * each) ** 2).sum(axis=2) + ((moved * readings) ** 2).sum(axis=2)
    if turns.sum() == 3:
        spread[:, 3:] += noise["rotation"] ** 2
    position, rotation = spread[:, :3].sum(axis=1), spread[:, 3:].sum(axis=1)
    return PoseUncertainty(known.x, np.sqrt(known.position**2 + position), np.sqrt(known.rotation**2 + rotation))


def pose_errors(model: Model, x: Array, g: Array, q: Array) -> Array:
    """(M, 6) twist from measured poses x to those that the model gives at the readings q."""
    out = model.pose_program(x=x, g=g[: len(model.parameters)])
    dx = np.linalg.pinv(out["K"]) @ (q - out["q"])[..., None]
    return np.asarray((out["S"] @ dx)[..., 0])


def workspace_poses(robot: Mechanism, count: int = POSES, seed: int = 0) -> Array:
    """(count, n) home and random poses within all limits and not near singular, as far apart as they come.

    Where next to none are within limits, fewer come back.
    """
    return _workspace_poses(robot, count, seed).copy()


@by_mechanism(32)
def _workspace_poses(robot: Mechanism, count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    home = np.array(robot.platform.home)
    found = [home]
    for _ in range(_TRIES):
        x = reachable_poses(robot, 2 * count, rng)
        x = np.concatenate([home + (x - home) * rng.uniform(1.0, 3.0, (len(x), 1)), x])
        found += list(x[within(robot, x, _WORSE)])
        if len(found) >= 3 * count:
            break
    return _spread(np.array(found), count)


def _spread(x: Array, count: int) -> Array:
    """The first and then always the pose farthest from all chosen before, each coordinate in units of its range."""
    if len(x) <= count:
        return x
    scaled = x / np.maximum(np.ptp(x, axis=0), 1e-12)
    chosen, distance = [0], np.linalg.norm(scaled - scaled[0], axis=1)
    while len(chosen) < count:
        k = int(np.argmax(distance))
        chosen.append(k)
        distance = np.minimum(distance, np.linalg.norm(scaled - scaled[k], axis=1))
    return x[chosen]
