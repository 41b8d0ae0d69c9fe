"""Platform motion in, exact actuator forces out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.contract import Formulation, choose
from gough.dynamics.force_programs import Model, inverse_call
from gough.dynamics.result import LATER, InverseDynamics, Read
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.sampled_call import Call, check_robot
from gough.motion import Motion, State, StateLike
from gough.robot import Mechanism


def inverse_dynamics(robot: Mechanism, state: StateLike, *, formulation: str | Formulation = "auto") -> InverseDynamics:
    """Actuator forces that a state requires, for any legs with inertia.

    Args:
        robot: Any robot.
        state: A `State`, as `Motion.sample` gives N of them along a motion; or x (n,) or (N, n) at rest.
        formulation: "auto", a name, or a formulation.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes or names, numbers that are not finite.
    """
    check_robot(robot)
    at = State.of(robot, state)
    if at.t is not None and not np.isfinite(at.t).all():
        raise InputError("t: must be finite")
    return solved(robot, at.inputs(robot), formulation, None if at.t is None else np.array(at.t), at.motion)


def solved(
    robot: Mechanism,
    inputs: dict[str, Any],
    formulation: str | Formulation,
    t: Array | None,
    motion: Motion | None = None,
) -> InverseDynamics:
    """Actuator forces from the inputs of programs: x, xd, xdd, and where there are any wrench and base (9,)."""
    model, call, read = _prepared(robot.mechanism, formulation, "wrench" in inputs, "base" in inputs)
    (found, verdict), own = call.with_inputs(inputs, () if read.lately else LATER)
    read.lately = False
    return InverseDynamics(
        robot,
        model.formulation.name,
        robot.coordinate_names,
        robot.actuator_names,
        own["x"],
        own["xd"],
        own["xdd"],
        own.get("wrench"),
        found["force"],
        t,
        "" if motion is None else motion.name,
        model,
        found,
        verdict,
        read,
        recording=None if motion is None else motion.recording,
        base=own.get("base"),
    )


@lru_cache(maxsize=64)
def _prepared(robot: Mechanism, formulation: str | Formulation, wrench: bool, base: bool) -> tuple[Model, Call, Read]:
    """The model and its call, and what is read of its results."""
    model = Model(robot, choose(formulation), wrench, base=base)
    return model, inverse_call(model), Read()
