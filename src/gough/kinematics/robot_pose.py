"""A whole robot at a pose of its platform: platform and legs closed, from which formulations are written.

A leg is closed in a `Way`, a closed form or Newton's method, chosen once per robot in plain numbers (`ways_of`). Then
`robot_pose` closes all legs at platform coordinates x, in floats or recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gough.graph import Vector, array, cross, dot, label, logical_and
from gough.kinematics.closure.assembly import way_of
from gough.kinematics.closure.close import Way, chain_at, close_leg
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.dependent.constraint import Constraint, constraint_of, home_platform, normal_joint
from gough.kinematics.dependent.follow import Position, constrained, dependent_position
from gough.kinematics.leg import LegPose, by_joints
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.robot import Mechanism, Platform, as_robot
from gough.robot.addresses import value_at


@dataclass(frozen=True, slots=True)
class RobotPose:
    """The platform and all legs at platform coordinates x (n,)."""

    robot: Mechanism
    platform: PlatformPose
    legs: tuple[LegPose, ...]
    x: Vector

    def free(self) -> RobotPose:
        """The same pose on the platform's free rates (base axes) in place of the rates of its coordinates."""
        return RobotPose(self.robot, self.platform.free(), self.legs, self.x)

    def jacobian(self) -> Vector:
        """(actuators, n) K(x): actuator rates = K xd."""
        rows = []
        for leg in self.legs:
            for k, joint in enumerate(leg.leg.joints):
                if joint.actuated:
                    with label(leg.owner):
                        f, m = leg.closure.spread({i: float(i == k) for i in leg.closure.coordinates})
                        m = m + cross(leg.r_end, f)
                        rows.append([dot(f, v) + dot(m, w) for v, w in self.platform.columns])
        return array(rows)

    def free_jacobian(self) -> Vector:
        """(actuators, n) K on the free rates, which no choice of angles changes: what singular poses are told by."""
        return self.free().jacobian()


@dataclass(frozen=True, slots=True)
class Ways:
    """How each leg is closed, and the constraint that gives dependent coordinates; None if there are none."""

    legs: tuple[Way, ...]
    constraint: Constraint | None = None


def ways_of(robot: Mechanism, newton: bool = False, free: Sequence[str] = ()) -> Ways:
    """How each leg is closed, and how dependent coordinates are found.

    Args:
        robot: In plain numbers.
        newton: Use Newton's method for every leg, no closed forms.
        free: Paths of the numbers that will be recorded in `robot_pose`. A closed form that would not fit its leg with
            other values of them is not used.
    """
    return ways_near(robot, _nudged(robot, free) if free and not newton else robot, newton)


def ways_near(robot: Mechanism, nudged: Mechanism, newton: bool = False) -> Ways:
    """How each leg is closed in a way that holds for another robot too.

    Args:
        robot: In plain numbers.
        nudged: The robot with the numbers that will be recorded changed a little; not checked.
        newton: Use Newton's method for every leg, no closed forms.
    """
    platform = home_platform(robot)
    ways, off_plane = [], []
    for k, leg in enumerate(robot.legs):
        fits = nudged is robot or closed_form(nudged.legs[k]) == closed_form(leg)
        flat = nudged is robot or normal_joint(nudged.legs[k]) == normal_joint(leg)
        ways.append(way_of(leg, platform, newton or not fits))
        off_plane += [k] if newton or not flat else []
    return Ways(tuple(ways), constraint_of(robot, off_plane) if robot.platform.dependent else None)


def _nudged(robot: Mechanism, free: Sequence[str]) -> Mechanism:
    """The mechanism with the numbers at these addresses changed a little."""
    return robot.with_numbers(nudged({path: value_at(as_robot(robot), path) for path in free}))


def nudged(values: Mapping[str, float]) -> dict[str, float]:
    """Numbers by address changed a little, each by its own share."""
    return {
        path: value + 1e-4 * (1.0 + 0.37 * k) * max(abs(value), 0.1) for k, (path, value) in enumerate(values.items())
    }


def robot_pose(robot: Mechanism, ways: Ways, x: Vector) -> RobotPose:
    """The robot at platform coordinates x (n,).

    Args:
        robot: Its numbers may be recorded.
        ways: From `ways_of` of the same robot in plain numbers, where `free` names those that are recorded.
        x: Floats or recorded.
    Returns:
        Legs that do not reach say so in their closure; nothing is raised.
    """
    if ways.constraint is not None:
        return _constrained(robot, ways, ways.constraint, x)
    with label("platform"):
        pose = platform_pose(robot.platform, x)
    return assembled(robot, ways, x, pose)


def is_pulled(robot: Mechanism, leg: LegPose) -> bool:
    """Whether springs between bodies pull at links of a leg other than its rod's carrier: then it needs frames."""
    carrier = -1 if leg.closure.rod is None else leg.closure.rod.carrier
    links = {f"{leg.leg.name}.{joint.name}" for k, joint in enumerate(leg.leg.joints) if k != carrier}
    return any(anchor.body in links for spring in robot.springs for anchor in (spring.first, spring.second))


def assembled(robot: Mechanism, ways: Ways, x: Vector, pose: PlatformPose) -> RobotPose:
    """The robot with all legs closed at a pose of its platform, that at x; for robots without dependent coordinates."""
    legs = [_closed(robot, k, way, robot.platform, x, pose) for k, way in enumerate(ways.legs)]
    return RobotPose(robot, pose, tuple(legs), x)


def _closed(robot: Mechanism, k: int, way: Way, platform: Platform, x: Vector, pose: PlatformPose) -> LegPose:
    """Leg k closed at a pose of the platform; by joints, not by its direction alone, where springs pull at it."""
    leg = robot.legs[k]
    with label(f"leg {leg.name}"), np.errstate(divide="ignore", invalid="ignore"):
        found = close_leg(leg, way, platform, x, pose)
        return by_joints(found) if is_pulled(robot, found) else found


def _constrained(robot: Mechanism, ways: Ways, constraint: Constraint, x: Vector) -> RobotPose:
    """The robot at x, dependent coordinates solved for; if they are not found, the legs that constrain them say so."""
    with label("platform"), np.errstate(divide="ignore", invalid="ignore"):
        found = dependent_position(robot, constraint, x)
    return _around_platform(robot, ways, constraint, x, found)


def stated_pose(robot: Mechanism, ways: Ways, x: Vector, u: Vector, D: Vector) -> RobotPose:
    """The robot at x with its dependent coordinates given, so that nothing is iterated for them.

    Args:
        robot, ways: As in `robot_pose`.
        x: (n,) independent coordinates.
        u: (m,) the unknowns of the constraint, dependent coordinates first, that solve its equations at x.
        D: (k, n) rates of the k dependent coordinates per rate of the independent ones.
    """
    assert ways.constraint is not None
    position = Position(u[: len(ways.constraint.home)], ways.constraint.by_leg(u), True)
    found = _around_platform(robot, ways, ways.constraint, x, position, D)
    planes = [k for k, _ in ways.constraint.planes]
    legs = [
        _known_to_close(leg, k in planes) if k in (*planes, *position.joints) else leg
        for k, leg in enumerate(found.legs)
    ]
    return RobotPose(robot, found.platform, tuple(legs), x)


def _known_to_close(leg: LegPose, in_plane: bool) -> LegPose:
    """The leg with a closure that counts as converged, as its equations are solved; its reach is still judged."""
    closure = leg.closure
    known = closure.short if closure.short_in_plane is None else closure.short_in_plane
    short = known if in_plane else 0.0
    return replace(leg, closure=replace(closure, short=short, converged=True))


def _around_platform(
    robot: Mechanism, ways: Ways, constraint: Constraint, x: Vector, found: Position, D: Vector | None = None
) -> RobotPose:
    """The robot whose dependent coordinates are `found`; `D` as in `stated_pose`, computed if left out."""
    with label("platform"):
        platform = robot.platform.whole(constraint.home)
        values = array(robot.platform.in_order(x, found.values))
        whole = platform_pose(platform, values)
    legs = []
    for k, way in enumerate(ways.legs):
        if k in found.joints:
            leg = robot.legs[k]
            with label(f"leg {leg.name}"), np.errstate(divide="ignore", invalid="ignore"):
                legs.append(chain_at(leg, found.joints[k], whole, found.converged))
        else:
            legs.append(_closed(robot, k, way, platform, values, whole))
    for k, _ in constraint.planes:
        closure = legs[k].closure
        closure = replace(closure, converged=logical_and(closure.converged, found.converged))
        legs[k] = replace(legs[k], closure=closure)
    holding = {k: legs[k] for k in (*(k for k, _ in constraint.planes), *constraint.chains)}
    with np.errstate(divide="ignore", invalid="ignore"):
        pose = constrained(robot.platform, constraint, whole, holding, found.values, D)
    return RobotPose(robot, pose, tuple(legs), x)
