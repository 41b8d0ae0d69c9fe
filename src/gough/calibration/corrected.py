"""The robot with corrected parameters, in the form of its own file where that can have them.

Joint points and zeros become a table for each leg. Leg types take the axes of their joints from these points, which no
calibration of points has measured: such a robot is the corrected one if its actuators read the same at all poses.
Otherwise, and for parameters that the legs' types do not state, legs are written joint by joint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from gough.calibration.geometric_parameters import Parameter, moved
from gough.errors import GoughError
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.random_states import reachable_poses
from gough.robot import Leg, Mechanism, Robot
from gough.robot.error_sources import FORMS
from gough.robot.file.write import leg_table
from gough.robot.spec import Spec, motor_drive

_SAME = 1e-12
_POSES = 20


def corrected(robot: Robot, parameters: Sequence[Parameter], by: Sequence[float]) -> Robot:
    """The robot with its parameters changed by some amounts [m or rad]; tolerances of what was measured go.

    Raises:
        RobotError: The changed numbers are not allowed.
    """
    own = robot.with_spec(_without_tolerances(robot.spec, {p.role for p in parameters}))
    given = list(zip(parameters, by, strict=True))
    legs = {p.leg for p in parameters if p.leg >= 0}
    others = {p.path: p.nominal + step for p, step in given if p.role == "other"}
    if not legs:
        return own.replace(others)
    mechanism = moved(robot, parameters, by)
    if all(p.role != "turn" for p in parameters):
        found = _accepted(own, {p.path: p.nominal + step for p, step in given}, mechanism)
        if found is not None:
            return found
    spec = own.replace(others).spec
    listed = spec.get("leg") or [{} for _ in robot.legs]
    drive = motor_drive(spec)
    tables = [leg_table(leg, drive=drive) if k in legs else dict(listed[k]) for k, leg in enumerate(mechanism.legs)]
    kept = {key: value for key, value in spec.items() if key != "legs" or len(legs) < len(listed)}
    return robot.with_spec({**kept, "leg": tables})


def _accepted(robot: Robot, changes: Mapping[str, float], wanted: Mechanism) -> Robot | None:
    """The robot with numbers changed at their addresses, if it is the one wanted but for axes and reads the same."""
    try:
        found = robot.replace(changes)
        x = reachable_poses(found, _POSES, np.random.default_rng(3))
        q, same = (inverse_kinematics(one, x).q for one in (found, wanted))
    except GoughError:
        return None
    alike = all(_alike(a, b) for a, b in zip(found.legs, wanted.legs, strict=True))
    close = np.isfinite(q) & (np.abs(q - same) <= _SAME * max(1.0, float(np.nanmax(np.abs(q)))))
    return found if alike and close.all() else None


def _alike(one: Leg, other: Leg) -> bool:
    """Whether two legs have the same numbers but for axes, frames and starts."""
    ours, theirs = (
        [leg.position, leg.end.point, leg.end.platform_point]
        + [(j.offset, j.zero, j.gear, j.rotor_inertia, j.viscous, j.coulomb, astuple(j.limits)) for j in leg.joints]
        + [(j.body.mass, j.body.com, j.body.inertia) for j in leg.joints]
        for leg in (one, other)
    )
    return all(_close(a, b) for a, b in zip(ours, theirs, strict=True))


def _close(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_close, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME)
    return bool(a == b)


def _without_tolerances(spec: Spec, roles: set[str]) -> dict[str, Any]:
    """The spec without tolerances of what has been measured."""
    stated = spec.get("tolerances", {})
    kept = {key: value for key, value in stated.items() if key not in FORMS or key not in roles}
    rest = {key: value for key, value in spec.items() if key != "tolerances"}
    return rest | ({"tolerances": kept} if kept else {})
