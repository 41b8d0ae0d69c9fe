"""What to write where the legs leave the platform fewer motions, or others, than its coordinates say."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.pose import PlatformPose
from gough.robot import Coordinate, Platform, Robot

_NAMES = {"x": "x", "y": "y", "z": "z", "rz": "yaw", "ry": "pitch", "rx": "roll"}
_SAME = 1e-6


def dependent_names(robot: Robot, pose: PlatformPose, twists: NDArray[np.float64], length: float) -> list[str]:
    """Names of the coordinates that would follow the others; empty where the coordinates do not make up the motions.

    Those that the motions move most stay independent.

    Args:
        robot: With more coordinates than motions.
        pose: Of its platform.
        twists: (6, motions) the motions as platform twists, lengths in units of `length`.
        length: The robot's [m].
    """
    from scipy.linalg import qr

    motions = twists.shape[1]
    if motions == 0:
        return []
    units = np.array([1.0 if c.turns else length for c in robot.platform.coordinates])
    columns = [np.concatenate([np.asarray(v, dtype=float) / length, w]) for v, w in pose.columns]
    S = np.stack(columns, axis=1) * units
    rates = np.linalg.lstsq(S, twists, rcond=None)[0]
    if not np.abs(S @ rates - twists).max() <= _SAME:
        return []
    _, R, order = qr(rates.T, mode="economic", pivoting=True)
    if abs(R[motions - 1, motions - 1]) <= _SAME:
        return []
    return [c.name for k, c in enumerate(robot.platform.coordinates) if k not in order[:motions]]


def with_other_motions(robot: Robot, wanted: Collection[str] | None = None) -> Robot | None:
    """The robot with all motions that have no coordinate as dependent ones; None where there are none.

    Or with those `wanted` only: "x", "rz" and so on.
    """
    platform = robot.platform
    moved = [c.motion for c in platform.coordinates]
    turns = [m for m in moved if len(m) == 2]
    missing = [m for m in ("x", "y", "z") if m not in moved]
    missing += [m for m in ("rz", "ry", "rx") if m not in turns] if len(set(turns)) == len(turns) else []
    missing = [m for m in missing if wanted is None or m in wanted]
    taken = set(robot.coordinate_names)
    added = tuple(
        Coordinate(_NAMES[m] if _NAMES[m] not in taken else f"{_NAMES[m]}_too", cast(Any, m)) for m in missing
    )
    if not added:
        return None
    order = (*(c.name for c in added), *robot.coordinate_names)
    changed = replace(platform, dependent=added, start=(0.0,) * len(added), order=order)
    return replace(robot, platform=changed, document=None)


def as_written(platform: Platform) -> str:
    """The two lines of a file that state a platform's coordinates: "coordinates = { .. } and dependent = [..]"."""
    pairs = ", ".join(f'{c.name} = "{c.motion}"' for c in platform.all_coordinates)
    return f"coordinates = {{ {pairs} }} and {as_list([c.name for c in platform.dependent])}"


def as_list(names: list[str]) -> str:
    """The line of a file that lists dependent coordinates."""
    return "dependent = [" + ", ".join(f'"{name}"' for name in names) + "]"
