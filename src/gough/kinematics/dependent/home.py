"""Dependent coordinates at home, and what constrains them, from a robot's plain numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gough.graph import array, jacobian, record
from gough.kinematics.closure.assembly import chosen, leg_size, near_starts, sizes_of
from gough.kinematics.dependent.constraint import Constraint, constrains, equations, normal_joint
from gough.robot import Platform, Robot
from gough.robot.legs.expand import expand
from gough.run import Program

_STEPS = 100
_SHORTEST = 2.0**-20
_SETTLED = 1e-15
_ROUNDS = 5
"""How often short forms that take their axes from home are expanded again."""
FOLLOWS = 1e-6
"""Least singular value of the equations at home, in units of `Constraint.sizes`, at which they tell the unknowns."""
RANK = 1e-9
"""Smallest singular value, as a share of the largest, that counts as one."""


@lru_cache(maxsize=256)
def home_platform(robot: Robot) -> Platform:
    """The platform as if no coordinate were dependent, at home where the legs leave it."""
    return robot.platform.whole(_home_values(robot)) if robot.platform.dependent else robot.platform


def at_home(robot: Robot) -> Robot:
    """The robot with the dependent coordinates at home that its legs leave it, and its short forms expanded there."""
    for _ in range(_ROUNDS if robot.platform.dependent else 0):
        home = home_platform(robot).home
        if np.abs(np.subtract(home, robot.platform.whole().home)).max() <= _SETTLED:
            break
        if robot.document is None:
            return replace(robot, platform=replace(robot.platform, start=_home_values(robot)))
        platform = {**cast(dict[str, Any], robot.document["platform"]), "home": list(home)}
        robot = expand({**robot.document, "platform": platform})
    return robot


@lru_cache(maxsize=256)
def _home_values(robot: Robot) -> tuple[float, ...]:
    """(k,) dependent coordinates at home; where legs do not close from their starts, what comes near."""
    planes, chains = constraining(robot)
    platform = robot.platform.whole()
    joints = [near_starts(robot.legs[k], platform) for k in chains]
    u = np.array([*robot.platform.start, *(value for values in joints for value in values)])
    program = home_program(robot, planes, chains)
    count = len(robot.platform.dependent)
    return tuple(float(v) for v in _closed(program, u)[:count])


def constraining(robot: Robot, off_plane: Collection[int] = ()) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Legs that move in a plane, with a joint that turns about its normal, and the other ones that constrain.

    Those of `off_plane` count among the others.
    """
    legs = [k for k, leg in enumerate(robot.legs) if constrains(leg)]
    normals = {k: None if k in off_plane else normal_joint(robot.legs[k]) for k in legs}
    return (
        tuple((k, joint) for k, joint in normals.items() if joint is not None),
        tuple(k for k, joint in normals.items() if joint is None),
    )


@lru_cache(maxsize=64)
def home_program(robot: Robot, planes: tuple[tuple[int, int], ...], chains: tuple[int, ...]) -> Program:
    """Closure errors r at home and their derivatives J by the unknowns u: dependent coordinates, then joints."""
    home, count = np.array(robot.platform.home), len(robot.platform.dependent)
    sizes = [sum(joint.mimic is None for joint in robot.legs[k].joints) for k in chains]
    ends = count + np.cumsum([0, *sizes])

    def residuals(u: Any) -> dict[str, Any]:
        joints = {k: u[ends[i] : ends[i + 1]] for i, k in enumerate(chains)}
        r = array(equations(robot, planes, joints, home, u[:count]))
        return {"r": r, "J": jacobian(r, u)}

    return Program(record(residuals, u=int(ends[-1])), "blocks")


def _closed(program: Program, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """The unknowns after Newton's method by least squares, each step as long as it makes the errors smaller."""
    now = program(u=u)
    for _ in range(_STEPS):
        size = np.linalg.norm(now["r"])
        if size <= _SETTLED:
            break
        step = -np.linalg.lstsq(now["J"], now["r"], rcond=RANK)[0]
        share = min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
        while share > _SHORTEST:
            trial = program(u=u + share * step)
            if np.linalg.norm(trial["r"]) < size:
                break
            share *= 0.5
        else:
            break
        u, now = u + share * step, trial
    return u


def follows(robot: Robot) -> bool:
    """Whether the legs tell the dependent coordinates from the others at home."""
    c = constraint_of(robot)
    J = home_program(robot, c.planes, c.chains)(u=c.start)["J"] * c.sizes
    return len(J) >= J.shape[1] and bool(np.linalg.svd(J, compute_uv=False)[-1] > FOLLOWS)


def constraint_of(robot: Robot, off_plane: Collection[int] = ()) -> Constraint:
    """What constrains the dependent coordinates of a robot."""
    planes, chains = constraining(robot, off_plane)
    platform = home_platform(robot)
    home = _home_values(robot)
    joints = tuple(chosen(robot.legs[k], platform).values for k in chains)
    size = max(leg_size(leg, platform) for leg in robot.legs)
    sizes = [1.0 if c.motion.startswith("r") else size for c in robot.platform.dependent]
    sizes += [value for k in chains for value in sizes_of(robot.legs[k], platform)]
    u = np.array([*home, *(value for values in joints for value in values)])
    J = home_program(robot, planes, chains)(u=u)["J"] * sizes
    return Constraint(home, planes, chains, joints, tuple(sizes), _independent_rows(J))


def _independent_rows(J: NDArray[np.float64]) -> tuple[int, ...]:
    """As many rows of J as it has columns, the most independent ones, in their order; all where there are no more."""
    from scipy.linalg import qr

    unknowns = J.shape[1]
    if len(J) <= unknowns:
        return tuple(range(len(J)))
    _, _, order = qr(J.T, mode="economic", pivoting=True)
    return tuple(sorted(int(k) for k in order[:unknowns]))
