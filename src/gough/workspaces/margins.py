"""How far a pose is within each limit, as recorded equations: smooth numbers that are positive inside.

Angles are stated by their cosines and sines, distances by their squares, the least singular value by a pivot, so that
nothing but + - * / and square roots is left, and all of it can be enclosed. Only the sign of a margin has a meaning of
its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from gough.analysis.leg_distances import Ends, Pair, cones_of, ends_of, pair_squared, pairs_of, points_and_cosines
from gough.analysis.limits import Bound, actuator_bounds
from gough.dynamics.contract import DEFAULT, choose
from gough.dynamics.drives import without_dry_friction
from gough.dynamics.force_programs import Model, force
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Scalar, Vector, array, is_plain, is_value, logical_and, minimum, where
from gough.kinematics.chain import Coordinate, Slide
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.kinematics.singularity import SINGULAR, scaled, usual_gain
from gough.kinematics.small_matrices import determinant, eigenvalue_range, least_pivot
from gough.kinematics.tool import wrench_at_origin
from gough.kinematics.wrench_rates import WrenchRates, wrench_jacobian
from gough.robot import Joint, Mechanism, by_mechanism
from gough.workspaces.available import available
from gough.workspaces.conditions import Conditions, known_limits
from gough.workspaces.coordinate_box import slide_value, turn_of


@dataclass(frozen=True, slots=True)
class Limit:
    """What a margin is of.

    Attributes:
        kind: Of `KINDS`.
        owner: The leg, actuator, joint, pair of legs or coordinate; empty for the whole machine.
        end: "low" or "high" where a limit has two.
        legs: Indices of the legs it concerns.
    """

    kind: str
    owner: str = ""
    end: str = ""
    legs: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """For people: "stroke A, high"."""
        return f"{self.kind} {self.owner}".strip() + (f", {self.end}" if self.end else "")


def texts(limits: Sequence[Limit]) -> str:
    """Limits one after the other."""
    return "; ".join(dict.fromkeys(limit.text for limit in limits))


Named = tuple[Limit, Any]


def least_of(margins: Vector) -> Scalar:
    """Recorded: the least of margins, a negative number where one of them is not a number; 1 where there are none."""
    if not len(margins):
        return 1.0
    least = reduce(minimum, margins)
    return where(least > 0.0, least, where(least <= 0.0, least, -1.0))


@dataclass(frozen=True)
class MarginEquations:
    """The margins of a robot at a pose, all of them or those that its conditions name.

    Attributes:
        robot, conditions: Whose, and which.
        ways: How its legs are closed.
        pairs: Parts of legs whose distances count.
        home_side: With the sign of det K at home; 1 where it has none.
    """

    robot: Mechanism
    conditions: Conditions
    ways: Ways
    pairs: tuple[Pair, ...]
    home_side: float
    _ends: Ends

    def __call__(self, pose: RobotPose, distances: bool = True, shared: bool = True) -> list[Named]:
        """Each limit with its margin at a pose with free rates.

        Args:
            pose: Where.
            distances: Whether those of legs are told too; they come last.
            shared: Whether the margin of actuators that share forces is told too.
        """
        parts: dict[str, Callable[[RobotPose], Iterator[Named]]] = {
            "reach": _reach,
            "stroke": self._strokes,
            "joint": self._joints,
            "angle": self._angles,
            "side": self._side,
            "singular": self._singular,
            "condition": self._condition,
            "constraint": self._constraint,
            "force": self._forces,
            "margin": self._margin,
            "speed": self._speeds,
            "box": self._box,
        }
        kinds = [kind for kind in self.conditions.kinds if shared or kind != "margin"]
        found = [named for kind, part in parts.items() if kind in kinds for named in part(pose)]
        return [*found, *self._distances(pose)] if distances and self.pairs else found

    @property
    def least_distance(self) -> float:
        """Between the surfaces of legs [m]."""
        return float(self.conditions.values.get("distance", 0.0))

    def points(self, pose: RobotPose) -> list[Any]:
        """Points (3,) of all legs in B."""
        return points_and_cosines(pose, self._ends)[0]

    def jacobian(self, pose: RobotPose) -> Vector:
        """(actuators, n) K of a pose with free rates, turns divided by the robot's length where others slide."""
        return scaled(self.robot, pose.jacobian())

    def _strokes(self, pose: RobotPose) -> Iterator[Named]:
        yield from self._actuated(pose, "stroke")

    def _actuated(self, pose: RobotPose, kind: str) -> Iterator[Named]:
        bounds = iter(actuator_bounds(self.robot, kind, self.conditions.values))
        for index, leg in enumerate(pose.legs):
            for k, joint in enumerate(leg.leg.joints):
                if joint.actuated:
                    name, bound = next(bounds)
                    if bound is not None:
                        yield from _travel(kind, name, index, joint, leg.coordinates[k], bound)

    def _joints(self, pose: RobotPose) -> Iterator[Named]:
        for index, leg in enumerate(pose.legs):
            for k, joint in enumerate(leg.leg.joints):
                if not joint.actuated and joint.limits.stroke is not None:
                    name = f"{leg.leg.name}.{joint.name}"
                    yield from _travel("joint", name, index, joint, leg.coordinates[k], Bound(*joint.limits.stroke))

    def _angles(self, pose: RobotPose) -> Iterator[Named]:
        _, cosines = points_and_cosines(pose, self._ends)
        stated = self.conditions.values.get("angle")
        for (index, name, cone), cosine in zip(cones_of(self.robot), cosines, strict=True):
            largest = cone if stated is None else stated
            if largest is not None:
                owner = f"{self.robot.legs[index].name}.{name}"
                yield Limit("angle", owner, "", (index,)), cosine - math.cos(largest)

    def _distances(self, pose: RobotPose) -> Iterator[Named]:
        points, least = self.points(pose), self.least_distance
        for pair in self.pairs:
            legs = (pair.first.leg, pair.second.leg)
            owner = "-".join(self.robot.legs[k].name for k in legs)
            yield Limit("distance", owner, "", legs), pair_squared(pair, points) - (pair.radii + least) ** 2

    def _side(self, pose: RobotPose) -> Iterator[Named]:
        """det K with home's sign; with more actuators than coordinates, which have none, that K has full rank."""
        K = self.jacobian(pose)
        if K.shape[0] == K.shape[1]:
            yield Limit("side"), determinant(K) * self.home_side
        else:
            yield Limit("side"), least_pivot(K.T @ K, self.least_singular_value("side") ** 2)

    def _singular(self, pose: RobotPose) -> Iterator[Named]:
        K = self.jacobian(pose)
        yield Limit("singular"), least_pivot(K.T @ K, self.least_singular_value("singular") ** 2)

    def least_singular_value(self, kind: str) -> float:
        """Which K must exceed: the stated one of "singular", or, of "side", what counts as full rank."""
        return float(self.conditions.values["singular"] if kind == "singular" else usual_gain(self.robot) / SINGULAR)

    def _condition(self, pose: RobotPose) -> Iterator[Named]:
        K = self.jacobian(pose)
        least, largest = eigenvalue_range(K.T @ K)
        yield Limit("condition"), least * self.conditions.values["condition"] ** 2 - largest

    def _constraint(self, pose: RobotPose) -> Iterator[Named]:
        """That the independent coordinates tell the dependent ones: what the legs forbid of these has full rank."""
        assert pose.platform.dependence is not None
        held = pose.platform.dependence.held / self._dependent_sizes
        yield Limit("constraint"), least_pivot(held.T @ held, self._held_at_home**2 / SINGULAR**2)

    @cached_property
    def _dependent_sizes(self) -> Array:
        turning = [c.turns for c in self.robot.platform.dependent]
        return np.where(turning, characteristic_length(self.robot), 1.0)

    @cached_property
    def _held_at_home(self) -> float:
        """Least singular value there."""
        home = robot_pose(self.robot, self.ways, np.array(self.robot.platform.home)).platform
        assert home.dependence is not None
        held = np.array(home.dependence.held, dtype=float) / self._dependent_sizes
        return float(np.linalg.svd(held, compute_uv=False)[-1])

    def _at_rest(self, pose: RobotPose) -> RobotMotion:
        rest = np.zeros(pose.platform.dof)
        smooth = without_dry_friction(self.robot)
        return RobotMotion(RobotPose(smooth, pose.platform, pose.legs, pose.x), rest, rest)

    def _forces(self, pose: RobotPose) -> Iterator[Named]:
        motion = self._at_rest(pose)
        model = Model(motion.pose.robot, choose("auto"), wrench=True)
        yield from self._between("force", force(model, motion, array(self.conditions.wrench)))

    def _margin(self, pose: RobotPose) -> Iterator[Named]:
        """What the platform needs at rest against all that forces within the limits can give it."""
        yield Limit("margin"), available(*self.needed(pose), self.force_limits, self._spare)

    @property
    def _spare(self) -> float:
        return float(self.conditions.values.get("margin", 0.0))

    @property
    def shown_by_witness(self) -> bool:
        """Whether forces that actuators share count, with none to spare: then some that do are enough."""
        return "margin" in self.conditions.kinds and self._spare == 0.0

    @property
    def force_limits(self) -> list[tuple[float, float]]:
        """Least and largest force of each actuator."""
        most = self.conditions.values.get("force", math.inf)
        return [(max(low, -most), min(high, most)) for low, high in known_limits(self.robot, most)]

    def needed(self, pose: RobotPose) -> tuple[Vector, Vector]:
        """K (actuators, n) and what the platform needs at rest (n,), both on orthonormal rates: distances are wrenches.

        A `Demand` would do for their sign alone: it is on any rates.
        """
        motion, wrench = self._at_rest(pose), wrench_at_origin(pose, array(self.conditions.wrench))
        needed = DEFAULT.bias(motion, motion.gravity, wrench)
        return wrench_jacobian(pose), WrenchRates(self.robot, pose.platform).of(needed)

    def _speeds(self, pose: RobotPose) -> Iterator[Named]:
        twist = array(self.conditions.twist)
        rates = []
        for leg in pose.legs:
            found = leg.rates(twist[:3], twist[3:])
            rates += [found[k] for k, joint in enumerate(leg.leg.joints) if joint.actuated]
        yield from self._between("speed", rates)

    def _box(self, pose: RobotPose) -> Iterator[Named]:
        platform = self.robot.platform
        for name, first, last in self.conditions.box:
            place = self.robot.coordinate_names.index(name)
            if not platform.coordinates[place].turns:
                yield from _range(Limit("box", name), slide_value(platform, place, pose), first, last)
            elif pose.x is not None:
                yield from _range(Limit("box", name), pose.x[place], first, last)
            else:
                turn = turn_of(platform, place, pose.platform.R_BP)
                yield from _turned(Limit("box", name), turn, first, last, platform.home[place])

    def _between(self, kind: str, values: Vector) -> Iterator[Named]:
        bounds = actuator_bounds(self.robot, kind, self.conditions.values)
        for k, ((name, bound), leg) in enumerate(zip(bounds, self.robot.actuator_legs, strict=True)):
            if bound is not None:
                yield Limit(kind, name, "low", (leg,)), values[k] - bound.low
                yield Limit(kind, name, "high", (leg,)), bound.high - values[k]


def _reach(pose: RobotPose) -> Iterator[Named]:
    """How far each leg's end is within reach; legs that always reach have no margin."""
    for index, leg in enumerate(pose.legs):
        closure = leg.closure
        limit = Limit("reach", leg.leg.name, "", (index,))
        if not is_plain(closure.converged):
            # What an iteration leaves open is no way to go: a margin of its size would hide all others.
            yield limit, where(logical_and(closure.converged, closure.short <= 0.0), 1.0, -1.0)
        elif not is_value(closure.short, 0.0):
            yield limit, -closure.short


def _travel(kind: str, name: str, leg: int, joint: Joint, at: Coordinate, bound: Bound) -> Iterator[Named]:
    """Margins of a joint's coordinate; a range of a whole turn or more is none."""
    first, last = bound.low + joint.zero, bound.high + joint.zero
    limit = Limit(kind, name, "", (leg,))
    if isinstance(at, Slide) or at.angle is not None:
        yield from _range(limit, at.value(joint.start), first, last)
    else:
        yield from _turned(limit, (at.c, at.s, 1.0), first, last, joint.start or 0.0)


def _range(limit: Limit, value: Scalar, first: float, last: float) -> Iterator[Named]:
    """Margins of a value; an end that is not finite has none."""
    if first > -math.inf:
        yield replace(limit, end="low"), value - first
    if last < math.inf:
        yield replace(limit, end="high"), last - value


def _turned(limit: Limit, turn: tuple[Any, Any, Any], first: float, last: float, about: float) -> Iterator[Named]:
    """Margins of an angle by its cosine and sine, both times a size: told within half a turn of `about`."""
    c, s, size = turn
    least, most = max(first, about - math.pi), min(last, about + math.pi)
    if most - least >= 2.0 * math.pi:
        return
    if first == least and last == most and last - first <= math.pi:
        yield replace(limit, end="low"), s * math.cos(first) - c * math.sin(first)
        yield replace(limit, end="high"), c * math.sin(last) - s * math.cos(last)
        return
    middle, half = 0.5 * (least + most), 0.5 * (most - least)
    end = "high" if first != least else "low" if last != most else ""
    yield replace(limit, end=end), c * math.cos(middle) + s * math.sin(middle) - size * math.cos(half)


@by_mechanism(32)
def margin_equations(robot: Mechanism, conditions: Conditions) -> MarginEquations:
    """The margins of a robot under conditions."""
    ways = ways_of(robot)
    pairs: tuple[Pair, ...] = ()
    if "distance" in conditions.kinds:
        stated, thick = "distance" in conditions.values, [leg.radius is not None for leg in robot.legs]
        pairs = tuple(p for p in pairs_of(robot) if stated or (thick[p.first.leg] and thick[p.second.leg]))
    equations = MarginEquations(robot, conditions, ways, pairs, 1.0, ends_of(robot, ways))
    K = equations.jacobian(robot_pose(robot, ways, np.array(robot.platform.home)).free())
    if K.shape[0] != K.shape[1]:
        return equations
    home = float(np.linalg.det(np.array(K, dtype=float)))
    return replace(equations, home_side=1.0 / home if home else 1.0)
