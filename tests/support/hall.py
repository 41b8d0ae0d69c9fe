"""A cable robot with two planes of symmetry, in whatever coordinates and base frame."""

from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

from gough import Robot
from tests.support.robots import build

ANGLES = {"yaw": "rz", "pitch": "ry", "roll": "rx"}


def hall_tables(order: tuple[str, ...] = ("yaw", "pitch", "roll"), turn: tuple[float, ...] = (0.0, 0.0, 0.0)) -> dict:
    """Eight crossed cables in a hall of 10 m x 8 m x 5 m; `turn`, a rotation vector, turns the base frame."""
    R = Rotation.from_rotvec(turn).as_matrix()
    legs = []
    for x, y in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
        for name, z, a in (("u", 5.0, (0.4 * x, 0.4 * y, -0.3)), ("l", 0.0, (-0.4 * x, 0.4 * y, 0.3))):
            base = R @ [5.0 * x, 4.0 * y, z]
            legs.append({"name": f"{name}{len(legs)}", "type": "cable", "base": base.tolist(), "platform": list(a)})
    return {
        "name": "hall",
        "gravity": (R @ [0.0, 0.0, -9.81]).tolist(),
        "platform": {
            "coordinates": {"x": "x", "y": "y", "z": "z", **{name: ANGLES[name] for name in order}},
            "home": [*(R @ [0.0, 0.0, 2.5]), 0.0, 0.0, 0.0],
            "mass": 60.0,
            "com": [0.0, 0.0, 0.05],
            "inertia": [4.0, 5.0, 6.0],
        },
        "legs": {"tension": [50.0, 2500.0]},
        "leg": legs,
    }


@cache
def hall(order: tuple[str, ...] = ("yaw", "pitch", "roll"), turn: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Robot:
    """The robot of `hall_tables`."""
    return build(hall_tables(order, turn))


def coordinates(order: tuple[str, ...], p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """(6,) x of a pose."""
    letters = "".join(ANGLES[name][-1] for name in order).upper()
    return np.array([*p, *Rotation.from_matrix(R).as_euler(letters)])
