"""Calls on one sample and on many, public and bound, and Pinocchio's beside them: what is timed, and its check."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import gough
from benchmarks.machines import arms
from benchmarks.peers.pinocchio_loops import Loops
from benchmarks.timing import Variant
from gough.kinematics import Status
from gough.robot import Robot
from gough.run.choose import size_of

SINGLE_GOALS = {
    "inverse_kinematics": 15.0,
    "inverse_dynamics": 15.0,
    "forward_dynamics": 15.0,
    "dynamics_matrices": 15.0,
    "joint_reactions": 30.0,
    "forward_kinematics": 30.0,
}
"""[us] for one sample of stewart."""
BATCH_GOALS = {"inverse_kinematics": 0.25, "joint_reactions": 2.0, "forward_kinematics": 0.3}
"""[us] per sample of many."""
BOUND = ("inverse_kinematics", "inverse_dynamics", "forward_dynamics", "dynamics_matrices")
ROBOTS = ("stewart", "hexapod", "sru", "rotary", "delta", "spatial3", "planar3rrr")
INPUTS = {
    "inverse_kinematics": ("x",),
    "inverse_dynamics": ("x", "xd", "xdd"),
    "forward_dynamics": ("x", "xd", "force"),
    "dynamics_matrices": ("x", "xd"),
    "joint_reactions": ("x", "xd", "xdd"),
    "forward_kinematics": ("displacement",),
}


def states(robot: Robot, rows: int | None = None) -> dict[str, Any]:
    """Inputs by name near home, of one sample or of many."""
    rng = np.random.default_rng(2)
    n, front = len(robot.platform.coordinates), () if rows is None else (rows,)
    found: dict[str, Any] = {name: 0.1 * rng.normal(size=(*front, n)) for name in ("xd", "xdd")}
    found["x"] = np.array(robot.platform.home) + 0.01 * rng.normal(size=(*front, n))
    found["force"] = gough.inverse_dynamics(robot, gough.State(found["x"], found["xd"], found["xdd"])).force
    found["displacement"] = gough.inverse_kinematics(robot, found["x"]).q
    return found


def arguments(name: str, given: dict[str, Any]) -> list[Any]:
    """What a public call takes: a state, and forces; or displacements."""
    own = [given[key] for key in INPUTS[name]]
    if name == "forward_kinematics":
        return own
    if name == "forward_dynamics":
        return [gough.State(*own[:2]), own[2]]
    return [gough.State(*own)]


def public(robot: Robot, name: str, given: dict[str, Any]) -> Callable[[], Any]:
    """A public call, which gives one of its arrays."""
    function, inputs = getattr(gough, name), arguments(name, given)
    output = {
        "inverse_kinematics": "K",
        "dynamics_matrices": "M",
        "forward_dynamics": "free",
        "forward_kinematics": "x",
        "joint_reactions": "joint_force",
    }
    shown = output.get(name, "force")
    return lambda: getattr(function(robot, *inputs), shown)


def bound(robot: Robot, name: str, given: dict[str, Any]) -> tuple[Any, int]:
    """A bound call, filled, and the operations of its program. It must be fine and give the public call's numbers."""
    tick = gough.bind(robot, name)
    for key in tick.inputs:
        tick.inputs[key][...] = given[key]
    if tick() is not Status.FINE:
        raise AssertionError(f"{robot.name} {name}: {tick.sentence()}")
    expected = public(robot, name, given)()
    if not any(np.array_equal(values, expected) for values in tick.outputs.values()):
        raise AssertionError(f"{robot.name} {name}: not the numbers of the public call")
    return tick, size_of(tick.program.graph)


def single_variants(inner: int) -> dict[str, Variant]:
    """Public calls on one sample of stewart."""
    robot = gough.load("stewart")
    given = states(robot)
    return {name: Variant(public(robot, name, given), inner) for name in SINGLE_GOALS}


def batch_variants(samples: int) -> dict[str, Variant]:
    """Public calls on many samples of stewart."""
    robot = gough.load("stewart")
    given = states(robot, samples)
    return {name: Variant(public(robot, name, given)) for name in (*BATCH_GOALS, "inverse_dynamics")}


def bound_variants(inner: int, robots: tuple[str, ...] = ROBOTS) -> tuple[dict[str, Variant], dict[str, int]]:
    """Bound calls by "robot function", and their operations."""
    variants, operations = {}, {}
    for machine in robots:
        robot = gough.load(machine)
        given = states(robot)
        for name in BOUND:
            tick, operations[f"{machine} {name}"] = bound(robot, name, given)
            variants[f"{machine} {name}"] = Variant(tick, inner)
    return variants, operations


def peer_variants(inner: int) -> dict[str, Variant]:
    """Forward dynamics of one sample by "machine, contestant", all with the accelerations of gough's to 1e-5.

    `lcaba` regularises its constraints, which is what the tolerance admits; `constraintDynamics` agrees to 1e-9.
    """
    variants = {}
    for robot in (gough.load("stewart"), gough.load("sru"), arms()):
        given = states(robot)
        x, xd = given["x"], given["xd"]
        loops = Loops(robot)
        q, v, tau = loops.state(x, xd, given["force"])
        contestants = {
            "gough.forward_dynamics": public(robot, "forward_dynamics", given),
            "gough.bind": bound(robot, "forward_dynamics", given)[0],
            "pin.lcaba": loops.lcaba(q, v, tau),
            "pin.constraintDynamics": loops.constraint_dynamics(q, v, tau),
        }
        expected = contestants["gough.forward_dynamics"]()
        for name in ("pin.lcaba", "pin.constraintDynamics"):
            apart = np.abs(loops.of_platform(contestants[name](), x, xd) - expected).max() / np.abs(expected).max()
            if not apart < 1e-5:
                raise AssertionError(f"{robot.name}: {name} is {apart:.1e} off")
        variants |= {f"{robot.name}, {name}": Variant(call, inner) for name, call in contestants.items()}
    return variants


FIRST = """
import time
start = time.process_time()
import numpy as np, gough
from benchmarks.machines import arms
robot = arms()
x = np.array(robot.platform.home) + 0.01
force = gough.inverse_dynamics(robot, x, 0 * x, 0 * x).force
assert np.isfinite(force).all()
print(time.process_time() - start)
"""


def first_use() -> float:
    """Processor seconds from the start of a process to the first forces of six general 6R legs, with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        import os

        environment = os.environ | {"XDG_CACHE_HOME": folder}
        done = subprocess.run(
            [sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True, check=True
        )
    return float(done.stdout)
