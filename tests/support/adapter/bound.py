"""Bound calls of control loops: arrays of the caller, inputs that are wrong, limits that are exceeded, refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import gough
from tests.support.adapter import each, leg_names, status_words, verdict
from tests.support.adapter.files import _refused
from tests.support.adapter.policies import SOLVED
from tests.support.questions import Answer, Question, States


def _limited(robot: gough.Robot, states: States) -> gough.Robot:
    """The robot with a force limit that half of the stored forces exceed."""
    limit = float(np.median(np.abs(states["force"]))) or 1.0
    driven = [(leg.name, k + 1) for leg in robot.legs for k, joint in enumerate(leg.joints) if joint.actuated]
    changes = {f"leg.{leg}.joint.{k}.force": limit for leg, k in driven}
    try:
        return robot.explicit().replace(changes)
    except gough.GoughError:
        return robot


def bound(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Statuses, outputs and exceeded limits of single samples and of rows, some of them wrong."""
    limited = _limited(robot, states)
    n, far = robot.dof, states["x"][1] + 40.0
    poses = {"fine": states["x"][1], "far": far, "not finite": np.full(n, np.nan), "again": states["x"][1]}

    def inverse(name: str, function: str, **options: Any) -> dict[str, Answer]:
        single, block = gough.bind(limited, function, **options), gough.bind(limited, function, len(poses), **options)
        fields: dict[str, Answer] = {}
        found = []
        for k, x in enumerate(poses.values()):
            for call, row in ((single, ...), (block, k)):
                for key, array in call.inputs.items():
                    array[row] = x if key == "x" else states[key][1]
            status = int(single())
            found.append(status)
            fields[f"{name}.exceeded.{k}"] = verdict(
                [f"{e.quantity} {e.actuator} {e.low:.9g} {e.high:.9g}" for e in single.exceeded()]
            )
            values = np.array([e.value for e in single.exceeded()], dtype=float)
            fields[f"{name}.values.{k}"] = Answer(values[:, None], "actuator", SOLVED, 1e-3)
            fields[f"{name}.told.{k}"] = verdict([bool(single.sentence()), bool(repr(single)), str(status)])
        rows = block()
        fields[f"{name}.single"] = status_words(found)
        fields[f"{name}.rows"] = status_words(rows)
        fields[f"{name}.leg"] = leg_names(robot, block.leg)
        fields[f"{name}.told"] = verdict([bool(block.sentence()), sum(bool(str(e)) for e in block.exceeded())])
        for key, values in block.outputs.items():
            fields[f"{name}.{key}"] = Answer(np.array(values), "invariant", SOLVED, 1e-3)
        return fields

    def own_arrays() -> dict[str, Answer]:
        x, force = np.array(states["x"][1]), np.zeros(len(robot.actuators))
        call = gough.bind(robot, "inverse_dynamics", x=x, force=force)
        call.inputs["xd"][...], call.inputs["xdd"][...] = states["xd"][1], states["xdd"][1]
        status = call()
        return {
            "own arrays": Answer(force.copy(), "actuator", SOLVED, 1e-3),
            "own status": status_words([int(status)]),
            "operations": verdict(len(call.program.graph.inputs)),
        }

    calls: dict[str, Callable[[], Any]] = {
        "kinematics": partial(inverse, "kinematics", "ik", order=2),
        "dynamics": partial(inverse, "dynamics", "inverse_dynamics", wrench=True),
        "by Newton and Euler": partial(inverse, "by Newton and Euler", "inverse_dynamics", formulation="newton_euler"),
        "own arrays": own_arrays,
    }
    wrong: dict[str, Callable[[], Any]] = {
        "function": lambda: gough.bind(robot, "inverse_kinematic"),
        "no name": lambda: gough.bind(robot, 5),  # type: ignore[arg-type]
        "order": lambda: gough.bind(robot, "ik", order=3),
        "array": lambda: gough.bind(robot, "ik", nosuch=np.zeros(n)),
        "shape": lambda: gough.bind(robot, "ik", x=np.zeros(n + 1)),
        "type": lambda: gough.bind(robot, "ik", x=np.zeros(n, dtype=np.float32)),
        "rows": lambda: gough.bind(robot, "ik", 0),
        "formulation": lambda: gough.bind(robot, "inverse_dynamics", formulation="nosuch"),
        "coordinates": lambda: gough.bind(robot, "dynamics_matrices", coordinates="nosuch"),
        "reactions": lambda: gough.bind(robot, "joint_reactions"),
    }
    return each(calls) | {"refused": verdict([f"{name}: {_refused(call)}" for name, call in wrong.items()])}


TABLE = {
    "bound calls": Question(
        "bound calls", "runs", ("stewart", "rps3", "cable8", "fivebar"), frozenset({"limits"}), "bound:bound", 60.0
    )
}
