"""Machines with dependent motion and their motions, computed independently: 60-digit Lagrange, checked by Pinocchio."""

from functools import lru_cache

import numpy as np

from gough import Robot
from tests.support.mechanisms import reference
from tests.support.robots import build

NAMES = ("3rps", "3prs", "tricept")


def document(name: str) -> dict:
    """The machine as a robot file's tables, leg by leg in joints."""
    data = reference(name)
    x0, start = data["motion"]["x0"], dict.fromkeys(data["dependent"], 0.0)
    own = iter(x0)
    home = [start[key] if key in start else next(own) for key in data["coordinates"]]
    legs = []
    for chain in data["chains"]:
        joints = [{key: value for key, value in joint.items() if value is not None} for joint in chain["joints"]]
        keys = ("name", "position", "rotation")
        legs.append({key: chain[key] for key in keys} | {"joint": joints, "end": chain["end"]})
    return {
        "name": name.replace("3", "three-"),
        "gravity": data["gravity"],
        "platform": {
            "coordinates": data["coordinates"],
            "dependent": data["dependent"],
            "home": home,
            **data["platform"],
        },
        "leg": legs,
    }


@lru_cache
def machine(name: str) -> Robot:
    """The machine."""
    return build(document(name))


def samples(name: str, key: str) -> np.ndarray:
    """One quantity of all instants; dependent values in the order of the file's list of coordinates."""
    rows = reference(name)["samples"]
    if key == "dependent":
        names = [c for c in reference(name)["coordinates"] if c in reference(name)["dependent"]]
        return np.array([[row[key][name] for name in names] for row in rows])
    return np.array([row[key] for row in rows])
