"""Which parameters can be distinguished at all: those that keep the mobility, have an effect, and no twin.

An overconstrained machine moves because its dimensions fit. Its closure errors F(d, u, p) of dependent coordinates d
and passive joints u are more than the unknowns; where y^T dF/d(d, u) = 0 but y^T dF/dp is not zero, a changed p leaves
no pose at which all legs close.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.geometric_parameters import Parameter, chosen, moved, with_errors, with_tolerances
from gough.calibration.model import pose_program
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.newton import closure_error
from gough.kinematics.dependent.constraint import constrains, own_joints
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.pose import platform_pose
from gough.kinematics.random_states import reachable_poses
from gough.robot import Robot, by_spec
from gough.robot.mechanism import size
from gough.run import Program

_RANK = 1e-9
_BREAKS = 1e-7
_POSES = 40


@dataclass(frozen=True)
class Selection:
    """Parameters to find, and those left out with the reason.

    Attributes:
        kept: To find.
        locking: A change of one of them leaves the machine no way to move: it is overconstrained.
        idle: No reading and no pose depends on them.
        twins: What another one, already kept, does too.
    """

    kept: tuple[Parameter, ...]
    locking: tuple[Parameter, ...]
    idle: tuple[Parameter, ...]
    twins: tuple[Parameter, ...]


@by_spec(32)
def selected(robot: Robot, parameters: tuple[Parameter, ...]) -> Selection:
    """What can be found of some parameters if the whole pose is measured without noise anywhere."""
    poses = reachable_poses(robot, _POSES, np.random.default_rng(7))
    locks = _locking(robot, parameters, poses[:6])
    free = tuple(p for p, lock in zip(parameters, locks, strict=True) if not lock)
    out = pose_program(robot, free)(x=poses, g=np.zeros(len(free)))
    good = out["sound"] & np.isfinite(out["Kg"]).all(axis=(1, 2)) & np.isfinite(out["Sg"]).all(axis=(1, 2))
    scales = np.where([p.turns for p in free], 1.0, size(robot) or 1.0)
    columns = np.concatenate([out["Kg"], out["Sg"]], axis=1)[good].reshape(-1, len(free)) * scales
    lengths = np.linalg.norm(columns, axis=0)
    idle = lengths <= _RANK * max(float(lengths.max(initial=0.0)), 1e-300)
    kept = _independent(columns / np.where(idle, 1.0, lengths), ~idle)
    return Selection(
        tuple(p for k, p in enumerate(free) if k in kept),
        tuple(p for p, lock in zip(parameters, locks, strict=True) if lock),
        tuple(p for k, p in enumerate(free) if idle[k]),
        tuple(p for k, p in enumerate(free) if k not in kept and not idle[k]),
    )


def to_find(
    robot: Robot,
    parameters: Sequence[str] = (),
    tolerances: Mapping[str, float] | None = None,
) -> Selection:
    """The parameters that paths, patterns or roles name and that can be found, with what is known of them beforehand.

    Args:
        robot: The robot as its file states it, tolerances of dimensions included.
        parameters: Names; all by default.
        tolerances: Standard deviations by name, above all else [m or rad].

    Raises:
        CalibrationError: A name of nothing, or nothing that changes a pose or a reading.
    """
    known = with_errors(chosen(robot, parameters), robot.errors)
    found = selected(robot, tuple(with_tolerances(robot, known, tolerances or {})))
    if not found.kept:
        raise CalibrationError("--parameters", "", None, "none of them changes a pose or a reading")
    return found


def _independent(columns: Array, some: Array) -> set[int]:
    """Indices of those columns of length one that the ones before them do not give, orthogonalised twice."""
    basis: Any = np.empty((columns.shape[0], 0))
    kept: set[int] = set()
    for k in np.flatnonzero(some).tolist():
        rest = columns[:, k]
        for _ in range(2):
            rest = rest - basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > _RANK and len(kept) < columns.shape[0]:
            basis = np.column_stack([basis, rest / length])
            kept.add(k)
    return kept


def _locking(robot: Robot, parameters: Sequence[Parameter], poses: Array) -> list[bool]:
    """Whether a change of each parameter leaves the constraining legs no way to close."""
    legs = [k for k, leg in enumerate(robot.legs) if constrains(leg)]
    if not legs:
        return [False] * len(parameters)
    program = _closure_program(robot, tuple(parameters), tuple(legs))
    found = inverse_kinematics(robot, poses)
    starts = np.cumsum([0, *(len(leg.joints) for leg in robot.legs)])
    places = [int(starts[k]) + j for k in legs for j in own_joints(robot.legs[k])]
    dependent = np.empty((len(poses), 0)) if found.dependent is None else found.dependent
    u = np.concatenate([dependent, found.joint_q[:, places]], axis=1)
    out = program(x=poses, u=u, g=np.zeros(len(parameters)))
    unit = size(robot) or 1.0
    locks = np.zeros(len(parameters), dtype=bool)
    scales = np.where([p.turns for p in parameters], 1.0, unit)
    for A, B in zip(out["A"], out["B"], strict=True):
        U, s, _ = np.linalg.svd(A)
        loose = U[:, int(np.sum(s > _BREAKS * s[0])) :]
        locks |= np.linalg.norm(loose.T @ (B * scales), axis=0) > _BREAKS * unit
    return [bool(lock) for lock in locks]


@by_spec(16)
def _closure_program(robot: Robot, parameters: tuple[Parameter, ...], legs: tuple[int, ...]) -> Program:
    """From x and u, dependent coordinates and then joints, to derivatives A by u and B by parameters of the errors."""
    own = [own_joints(robot.legs[k]) for k in legs]
    count = len(robot.platform.dependent)
    ends = count + np.cumsum([0, *map(len, own)])

    def equations(x: Vector, u: Vector, g: Vector) -> dict[str, Any]:
        changed = moved(robot, parameters, list(g))
        pose = platform_pose(robot.platform.whole(), robot.platform.in_order(x, u[:count]))
        found: list[Any] = []
        for i, k in enumerate(legs):
            leg = changed.legs[k]
            found += [*closure_error(leg, own[i], *end_target(leg, pose), u[ends[i] : ends[i + 1]])]
        F = array(found)
        return {"A": jacobian(F, u), "B": jacobian(F, g)}

    return Program(record(equations, x=robot.dof, u=int(ends[-1]), g=len(parameters)), "blocks")
