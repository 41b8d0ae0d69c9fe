"""Draw the machines of the snapshot and their states, once: `python -m tests.support.adapter.draw_machines NAME ...`.

The files in tests/data/snapshot are the machines; this module only says how they were made, and adds one when a new
machine joins the snapshot. It does not write over a stored machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from gough.kinematics.random_states import conditions, moving, reachable_poses, scales
from tests.support import schoenflies
from tests.support.dependent_machines import random_machine
from tests.support.hall import hall
from tests.support.lanes import ROOT
from tests.support.loaded_robots import loaded, rubbing
from tests.support.random_robots import random_robot
from tests.support.redundant_robots import random_redundant
from tests.support.robots import catalogue_text
from tests.support.screw_robots import spindles, star
from tests.support.snapshot_machines import names, store
from tests.support.sprung_robots import with_joint_springs, with_point_springs
from tests.support.states import near_edge

Array = np.ndarray[Any, Any]
NEAR, FAR, EDGE, OUT = 5, 5, 2, 2


def machine_texts() -> dict[str, Callable[[], str]]:
    """Text of each machine's file, by name."""
    texts: dict[str, Callable[[], str]] = {name: partial(catalogue_text, name) for name in gough.catalogue()} | {
        name: (ROOT / "examples" / f"{name}.toml").read_text for name in ("par4", "agile_eye", "balanced3rrr")
    }
    made: dict[str, Callable[[], gough.Robot]] = {
        f"{name}_loaded": lambda name=name: rubbing(loaded(gough.load(name), 3), 3)  # type: ignore[misc]
        for name in ("delta", "rps3", "planar3rrr", "hexapod")
    }
    for kind in ("UPS", "RUS", "SRU", "PRR", "RPa", "RRU"):
        made[f"random_{kind}"] = lambda kind=kind: random_robot(kind, 4)  # type: ignore[misc]
    for kind in ("exechon", "prs", "ankle"):
        made[f"dependent_{kind}"] = lambda kind=kind: random_machine(kind, 0)  # type: ignore[misc]
    made["redundant_RRR"] = lambda: random_redundant("RRR", 1)
    made["sprung"] = lambda: with_joint_springs(gough.load("planar3rrr"), 1)
    made["sprung_bodies"] = lambda: with_point_springs(gough.load("delta"), 2, [("base", "platform")])
    made["puu4"] = schoenflies.typed
    made["hall"] = hall
    made["star"] = star
    made["spindles"] = spindles
    return texts | {name: lambda make=make: make().to_toml() for name, make in made.items()}  # type: ignore[misc]


def draw_states(name: str, robot: gough.Robot) -> dict[str, Array]:
    """States of a machine: home, poses near and far, near the edge of the reach and out of it, with all that moves it.

    Motions of the base and wrenches are stored as physics: orientation, acceleration, w and wd of the base in world
    axes; a wrench in base axes with its point in the platform's frame.
    """
    rng = np.random.default_rng([7, *name.encode()])
    scale, home = scales(robot), np.array(robot.platform.home)
    near = home + 0.05 * scale * rng.uniform(-1, 1, (NEAR, len(home)))
    out = home + 20 * scale * rng.uniform(-1, 1, (OUT, len(home)))
    x = np.concatenate(
        [
            home[None],
            near[:1],
            reachable_poses(robot, FAR, rng),
            out[:1],
            near[1:],
            near_edge(robot, EDGE, rng),
            out[1:],
        ]
    )
    count = len(x)
    drawn = moving(robot, x, rng)
    solved = gough.inverse_kinematics(robot, x)
    q = np.where(np.isfinite(solved.q), solved.q, solved.q[0])
    at_rest = gough.inverse_dynamics(robot, x).force
    weight = 9.81 * sum(body.mass for body in robot.bodies)
    length = float(gough_length(robot))
    at_rest = np.where(np.isfinite(at_rest), at_rest, at_rest[0])
    guess = np.repeat(home[None], count, 0)
    if name == "hall":  # far guesses take minutes
        guess = np.where(np.isfinite(solved.q).all(axis=1)[:, None], x + 1e-3 * scale, home)
    return {
        "x": x,
        "xd": drawn.xd,
        "xdd": drawn.xdd,
        "wrench": drawn.wrench,
        "wrench_point": 0.2 * length * rng.normal(size=3),
        "payload_mass": np.array(0.3 * weight / 9.81 + 0.1),
        "payload_com": 0.2 * length * rng.normal(size=3),
        "base_R": Rotation.from_rotvec(0.4 * rng.normal(size=(count, 3))).as_matrix(),
        "base_acceleration": 3.0 * rng.normal(size=(count, 3)),
        "base_w": 0.8 * rng.normal(size=(count, 3)),
        "base_wd": 2.0 * rng.normal(size=(count, 3)),
        "q": q,
        "guess": guess,
        "force": at_rest * (1.0 + 0.3 * rng.normal(size=at_rest.shape)),
        "from": home,
        "to": home + 0.02 * scale * np.sign(rng.normal(size=len(home))),
        "condition": np.where(np.isfinite(condition := conditions(robot, drawn)), condition, 1.0),
        "length": np.array(length),
        "weight": np.array(weight),
    }


def gough_length(robot: gough.Robot) -> float:
    """Characteristic length of the robot [m]."""
    from gough.kinematics.programs import characteristic_length

    return characteristic_length(robot)


def main(names_only: list[str]) -> None:
    """Draw the named machines, or all that are not stored yet."""
    for name, text in machine_texts().items():
        if name in names() or (names_only and name not in names_only):
            continue
        robot = gough.loads(text())
        states = draw_states(name, robot)
        store(name, text(), states)
        fine = int((states["condition"] != 1.0).sum())
        print(f"{name:20} {robot.dof} {len(robot.legs)} legs, {fine} of {len(states['x'])} poses", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
