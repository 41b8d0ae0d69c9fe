"""Which limits bound a workspace: the robot's own or stated ones, and what the platform must do there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gough.analysis.leg_distances import cones_of
from gough.analysis.limits import STATED, LimitsLike, actuator_bounds, check_limits, in_si
from gough.dynamics.sharing.shares import force_limits
from gough.errors import InputError
from gough.robot import Mechanism
from gough.robot.names import did_you_mean
from gough.workspaces.coordinate_box import Box, Range, box_of

KINDS = (
    *("reach", "stroke", "joint", "angle", "distance", "side", "singular", "condition", "constraint"),
    *("force", "margin", "speed", "box"),
)
"""What can end a workspace, in the order in which limits are listed."""
MEANING = {
    "reach": "legs that are stretched or folded as far as they go",
    "stroke": "displacement of an actuator",
    "joint": "stroke of a passive joint",
    "angle": "of a universal or spherical joint from straight",
    "distance": "between the surfaces of two legs",
    "side": "det K = 0: home's side of the singularities",
    "singular": "least singular value of K, turns divided by the characteristic length",
    "condition": "condition number of K, turns divided by the characteristic length",
    "constraint": "singularities of the legs that constrain the platform: they leave a dependent coordinate loose",
    "force": "of an actuator at rest, with gravity, payload and wrench",
    "margin": "what the platform needs at rest, with payload and wrench, within all that the actuators can give",
    "speed": "of an actuator at the given twist of the platform",
    "box": "a range of the robot's own coordinates",
}


_RANK = "singularities: K has full rank, so that the actuators hold the platform"


def redundant(robot: Mechanism) -> bool:
    """Whether there are more actuators than coordinates: K has no determinant, and what counts is its rank."""
    return len(robot.actuators) > robot.dof


def meaning(kind: str, robot: Mechanism) -> str:
    """What a kind of limit means for a robot."""
    return _RANK if kind == "side" and redundant(robot) else MEANING[kind]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What must hold at every pose of a workspace.

    Attributes:
        kinds: Of `KINDS`, those looked at.
        stated: Limits in place of the robot's own, SI units, as pairs of kind and value.
        wrench: (6,) force and moment on the platform at rest, at the robot's tool; None where forces are not asked for.
        twist: (6,) velocity of the platform's origin and angular velocity; None where speeds are not asked for.
        box: Coordinates with their least and largest values [m or rad].
    """

    kinds: tuple[str, ...]
    stated: tuple[tuple[str, Any], ...] = ()
    wrench: tuple[float, ...] | None = None
    twist: tuple[float, ...] | None = None
    box: tuple[Range, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """The stated limits by kind."""
        return dict(self.stated)


def conditions_of(
    robot: Mechanism,
    limits: LimitsLike | None = None,
    only: Sequence[str] | None = None,
    wrench: Sequence[float] | None = None,
    twist: Sequence[float] | None = None,
    box: Box | None = None,
) -> Conditions:
    """The conditions of a workspace.

    Args:
        robot: Whose own limits hold where none are stated.
        limits: As of `gough.check`: stroke, angle, distance, singular, condition, force, margin, speed.
        only: Kinds to look at; by default all that have a limit, forces and speeds only where they are asked for. Of
            cables forces always count, and of all actuators that share within their limits the margin stands for them.
        wrench: (6,) on the platform at the robot's tool [N, N m]; forces at rest count.
        twist: (6,) of the platform [m/s, rad/s]; speeds count.
        box: Least and largest value of coordinates by name, None where there is none; it holds whatever else does.

    Raises:
        InputError: A kind that bounds no workspace, a limit that is missing, vectors that are not of six numbers, a
            box of no coordinates.
    """
    stated = check_limits(in_si(robot, limits))
    foreign = [kind for kind in stated if kind not in KINDS]
    if foreign:
        known = ", ".join(kind for kind in KINDS if kind in STATED)
        raise InputError(f"limit {foreign[0]}: is of motions, not of poses; a workspace takes {known}")
    for kind in only or ():
        if kind not in KINDS:
            raise InputError(f"only {kind}: no such limit ({did_you_mean(kind, KINDS)})")
    forced = wrench is not None or "force" in stated or "force" in (only or ())
    if ("speed" in stated or "speed" in (only or ())) and twist is None:
        raise InputError("limit speed: needs a twist of the platform; give twist vx,vy,vz,wx,wy,wz")
    shared = robot.actuation is not None and robot.actuation.limited
    margin = "margin" in stated or "margin" in (only or ()) or (shared and (forced or (only is None and robot.cables)))
    asked = {"force": forced and not shared, "margin": bool(margin), "speed": twist is not None}
    ranges = box_of(robot, box)
    if "box" in (only or ()) and not ranges:
        raise InputError("only box: there is none; give one, e.g. box z=0:3")
    asked["box"] = bool(ranges)
    if only is not None:
        only = [*only, *(kind for kind in ("margin", "box") if asked[kind])]
    found = []
    for kind in KINDS if only is None else [kind for kind in KINDS if kind in only]:
        if asked.get(kind, True) and _has_limit(robot, kind, stated, only is not None or kind in asked):
            found.append(kind)
    ordered = tuple(sorted(stated.items()))
    forces = {"force", "margin"} & set(found)
    load = _six("wrench", wrench) if wrench is not None else (0.0,) * 6 if forces else None
    return Conditions(tuple(found), ordered, load, None if twist is None else _six("twist", twist), ranges)


def of_poses(limits: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a motion's limits that poses have too: without the actuators' speed, which needs a twist."""
    return {kind: value for kind, value in limits.items() if kind in KINDS and kind != "speed"}


def _six(name: str, values: Sequence[float]) -> tuple[float, ...]:
    found = tuple(float(v) for v in values)
    if len(found) != 6:
        raise InputError(f"{name}: must be six numbers, not {len(found)}")
    return found


def _has_limit(robot: Mechanism, kind: str, stated: Mapping[str, Any], asked: bool) -> bool:
    """Whether there is a limit of this kind; one that is asked for must be.

    Raises:
        InputError: There is none.
    """
    if kind == "constraint":
        if asked and not robot.platform.dependent:
            raise InputError(f"only constraint: {robot.name} has no dependent coordinates; take side")
        return bool(robot.platform.dependent)
    if kind in ("reach", "side", "box") or (kind in stated and kind != "margin"):
        return True
    if kind in ("stroke", "force", "speed"):
        has = any(bound is not None for _, bound in actuator_bounds(robot, kind, stated))
    elif kind == "margin":
        most = stated.get("force", math.inf)
        has = all(low > -math.inf and high < math.inf for low, high in known_limits(robot, most))
    elif kind == "joint":
        has = any(not joint.actuated and joint.limits.stroke is not None for joint in robot.joints)
    elif kind == "angle":
        has = any(cone is not None for _, _, cone in cones_of(robot))
    elif kind == "distance":
        has = sum(leg.radius is not None for leg in robot.legs) > 1
    else:
        has = False
    if asked and not has:
        raise InputError(f"limit {kind}: {robot.name} states none; give one, e.g. {_EXAMPLES.get(kind, kind)}")
    return has


def known_limits(robot: Mechanism, most: float) -> list[tuple[float, float]]:
    """Least and largest force of each actuator; `most` where it states none."""
    return [(-most if low is None else low, most if high is None else high) for low, high in force_limits(robot)]


_EXAMPLES = {
    "stroke": "stroke=0.1,0.4",
    "joint": "a stroke of the joint in its file",
    "angle": "angle=45deg",
    "distance": "distance=10mm",
    "singular": "singular=0.1",
    "condition": "condition=20",
    "force": "force=100",
    "margin": "force=100",
    "speed": "speed=0.5",
}
