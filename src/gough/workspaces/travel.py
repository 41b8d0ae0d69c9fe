"""Travel of each axis with all others at a pose: the table of a data sheet, with the limits that end it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gough.analysis.leg_distances import shape_of
from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import robot_pose
from gough.motion.conventions import OWN, Convention, Value
from gough.robot import Mechanism
from gough.robot.rotation import about
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import Limit, MarginEquations, texts
from gough.workspaces.rays import CLOSE, Rays, RayTracer, ray_tracer, sliding, straight, turning

FAR = 4.0
"""How far a slide is followed, of the size of the machine; turns are followed for half a turn."""

Point: TypeAlias = tuple[float, float, float]
ORIGIN = (0.0, 0.0, 0.0)
"""Of the platform."""
ENDS = ("at", "low", "high", "proved_low", "proved_high")


@dataclass(frozen=True, slots=True)
class Travel:
    """How far one axis goes.

    Attributes:
        axis: Its name.
        turns: Whether it is an angle.
        at: Its value at the pose that travel starts from [m or rad].
        low, high: The values at which it ends.
        low_limits, high_limits: What ends it, all that do so together; none where nothing does within what is looked
            at: half a turn, or the way of `search_range`.
        proved: Whether it is proved that nothing ends it before; None where no proof was asked for.
        proved_low, proved_high: Up to where it is proved.
        undecided: Why it is not proved, of `gough.workspaces.rays.UNDECIDED`; "" where it is.
        point: (3,) of the platform: about which it turns; of a slide, the one whose position it is [m].
    """

    __repr__ = brief

    axis: str
    turns: bool
    at: float
    low: float
    high: float
    low_limits: tuple[Limit, ...]
    high_limits: tuple[Limit, ...]
    proved: bool | None = None
    proved_low: float | None = None
    proved_high: float | None = None
    undecided: str = ""
    point: Point = ORIGIN

    def to_dict(self) -> dict[str, Any]:
        """Plain values: where it ends and what ends it."""
        return {
            "axis": self.axis,
            "unit": "rad" if self.turns else "m",
            "low": self.low,
            "high": self.high,
            "low_limits": texts(self.low_limits),
            "high_limits": texts(self.high_limits),
            "proved": {True: "yes", False: "no", None: ""}[self.proved],
        }


def travels(
    robot: Mechanism,
    conditions: Conditions,
    x: Array,
    convention: Convention = OWN,
    prove: bool = False,
    allowed: Allowance = ALL,
) -> tuple[Travel, ...]:
    """Travel of each axis of a convention, from the pose x (n,): positions are those of the robot's tool.

    Turns are about the tool; those of the robot's own coordinates only where the platform can turn about it, else about
    the platform's origin. A proof takes no more time than is allowed.

    Raises:
        InputError: A pose outside the limits; a convention that a robot's coordinates do not make up; a proof of
            equations that have no enclosure.
    """
    tracer = ray_tracer(robot, conditions)
    axes, rays = _axes(tracer, x, convention)
    if not tracer.limits:
        kinds = ", ".join(conditions.kinds)
        raise InputError(
            f"workspace of {robot.name}: {kinds} does not limit it anywhere; name other limits, e.g. stroke"
        )
    both = Rays(np.repeat(rays.values, 2, axis=0), np.repeat(rays.far, 2))
    both.values[1::2] = _backwards(tracer, both.values[1::2])
    check_inside(tracer, rays, x)
    found, proved = tracer.first_exits(both, allowed) if prove else (tracer.trace(both, dips=True), None)
    rows = []
    for k, (value, at, point) in enumerate(axes):
        high, low = 2 * k, 2 * k + 1
        down, up = (tuple(tracer.limits[i] for i in found.limits[j]) for j in (low, high))
        row = Travel(value.name, value.turns, at, at - found.t[low], at + found.t[high], down, up, point=point)
        if proved is not None:
            whole = bool((proved[[low, high]] >= found.t[[low, high]] * (1.0 - 2.0 * CLOSE)).all())
            why = "" if whole else found.undecided[low] or found.undecided[high]
            row = replace(row, proved=whole, proved_low=at - proved[low], proved_high=at + proved[high], undecided=why)
        rows.append(row)
    if convention.name != "robot" or tracer.equations.robot.tool.at_origin:
        return tuple(rows)
    return tuple(row if row.turns else _of_tool(tracer, x, row) for row in rows)


def _of_tool(tracer: RayTracer, x: Array, row: Travel) -> Travel:
    """Travel of a slide of the platform's origin as that of the tool; what depends on it may turn with it."""
    robot = tracer.equations.robot
    tool, place = robot.tool.position, robot.coordinate_names.index(row.axis)

    def step(value: float) -> float:
        there = x.copy()
        there[place] = value
        return float(along_coordinates(tracer.equations, there, tool)[place])

    ends = {name: value for name in ENDS if (value := getattr(row, name)) is not None}
    return replace(row, point=tool, **{name: value + step(value) for name, value in ends.items()})


def along_coordinates(equations: MarginEquations, x: Array, offset: ArrayLike) -> Array:
    """(n,) from the platform's origin to a point (3,) of it at x, along each coordinate; 0 of those that turn."""
    robot = equations.robot
    pose = robot_pose(robot, equations.ways, x).platform
    whole = pose if pose.dependence is None else pose.dependence.whole
    names = [c.name for c in robot.platform.all_coordinates]
    axes = [whole.columns[names.index(name)][0] for name in robot.coordinate_names]
    step = np.array(pose.R_BP, dtype=float) @ np.asarray(offset, dtype=float)
    return np.asarray(np.array(axes, dtype=float) @ step)


def machine_size(robot: Mechanism) -> float:
    """Largest extent of the machine's joints at home [m]; of cables their ends, as the frame may be a hall."""
    return float(np.linalg.norm(np.ptp(_joint_points(robot), axis=0))) or characteristic_length(robot)


def frame_points(robot: Mechanism) -> Array:
    """(N, 3) points of the machine's joints at home, and where cables leave the frame, in B [m]."""
    cables = [[leg.position] for leg in robot.legs if leg.cable is not None]
    return np.concatenate([_joint_points(robot), *cables])


def _joint_points(robot: Mechanism) -> Array:
    """(N, 3) points of all legs at home in B, without those where cables begin [m]."""
    shape = shape_of(robot)
    begun = [part.first for part in shape.segments if robot.legs[part.leg].cable is not None]
    return np.delete(shape.program(x=np.array(robot.platform.home))["points"], begun, axis=0)


def search_range(robot: Mechanism) -> float:
    """How far slides are followed [m]: `FAR` times the machine's size, and of cables as far as their frame is wide."""
    return max(FAR * machine_size(robot), float(np.linalg.norm(np.ptp(frame_points(robot), axis=0))))


def pose_of(robot: Mechanism, x: Array) -> tuple[Array, Array]:
    """Position (3,) and orientation (3, 3) of the platform at coordinates x of a robot without dependent ones."""
    at = platform_pose(robot.platform, x)
    return np.array(at.p_BP, dtype=float), np.array(at.R_BP, dtype=float)


def check_inside(tracer: RayTracer, rays: Rays, x: Array) -> None:
    """Refuse a pose that is not within the limits, from which rays start.

    Raises:
        InputError: With the limit that is violated most of its kind.
    """
    out = _violated(tracer, tracer.margins(rays, np.zeros(len(rays)))[0])
    if out:
        raise InputError(outside_line(tracer.equations.robot, x, out))


def margins_at(tracer: RayTracer, x: Array) -> Array:
    """(N, m) margins of all limits at poses x (N, n), below zero where one is violated or a leg does not reach."""
    robot = tracer.equations.robot
    if not tracer.free:
        rays = straight(x, np.zeros_like(x), 1.0)
    else:
        poses = [pose_of(robot, row) for row in x]
        p, R = (np.array(part) for part in zip(*poses, strict=True))
        rays = sliding(p, R, np.zeros((len(x), 3)), 1.0)
    return tracer.margins(rays, np.zeros(len(x)))


def violated(tracer: RayTracer, x: Array) -> tuple[Limit, ...]:
    """The limits that the pose x (n,) does not keep."""
    return tuple(_violated(tracer, margins_at(tracer, np.asarray(x, dtype=float)[None])[0]))


def _violated(tracer: RayTracer, margins: Array) -> list[Limit]:
    return [limit for limit, margin in zip(tracer.limits, margins, strict=True) if not margin > 0.0]


def outside_line(robot: Mechanism, x: Array, limits: Sequence[Limit]) -> str:
    """The line for a pose at which limits are violated."""
    where = ", ".join(f"{name} = {value:.5g}" for name, value in zip(robot.coordinate_names, x, strict=True))
    listed = "; ".join(dict.fromkeys(limit.text for limit in limits[:3])) + (" and more" if len(limits) > 3 else "")
    return (
        f"workspace of {robot.name}: the pose {where} is outside its limits: {listed}; "
        "start from another pose, or state other limits"
    )


def _axes(tracer: RayTracer, x: Array, convention: Convention) -> tuple[list[tuple[Value, float, Point]], Rays]:
    """Each axis with its value at x and the point it turns about, and the ray along it."""
    robot = tracer.equations.robot
    if convention.name == "quaternion":
        raise InputError("--convention quaternion: has no axes to travel along; take fixed-xyz, uvw or robot")
    values, at = convention.values(robot), convention.stated(robot, x.tolist())
    far = search_range(robot)
    if not tracer.free:
        if convention.name != "robot":
            raise InputError(
                f"--convention {convention.name}: legs of {robot.name} are closed by iteration along its own "
                "coordinates; leave it out"
            )
        rays = straight(x, np.eye(robot.dof), far)
        axes = [(value, own, ORIGIN) for value, own in zip(values, at, strict=True)]
        return axes, rays.until(np.where([v.turns for v in values], np.pi, far))
    p, R = pose_of(robot, x)
    found, rows, tool = [], [], robot.tool.position
    for value, own, (v, w) in zip(values, at, _directions(robot, x, convention, at), strict=True):
        at_tool = convention.name != "robot" or (value.turns and _can_move(robot, v, w, tool))
        point = tool if at_tool else ORIGIN
        if not _can_move(robot, v, w, point):
            continue
        ray = turning(p, R, point, w, np.pi) if value.turns else sliding(p, R, v, far)
        found.append((value, own, point))
        rows.append(ray)
    if not found:
        raise InputError(f"--convention {convention.name}: {robot.name} moves along none of its axes")
    return found, Rays(np.vstack([ray.values for ray in rows]), np.concatenate([ray.far for ray in rows]))


def _directions(robot: Mechanism, x: Array, convention: Convention, at: Sequence[float]) -> list[tuple[Array, Array]]:
    """Velocity and angular velocity (3,) in B per unit rate of each value."""
    if convention.name == "robot":
        columns = platform_pose(robot.platform, x).columns
        return [(np.array(v, dtype=float), np.array(w, dtype=float)) for v, w in columns]
    slides = [(e, np.zeros(3)) for e in np.eye(3)]
    angles = dict(zip("xyz", at[3:], strict=True))
    order = "zyx" if convention.name == "fixed-xyz" else "xyz"
    axes, R = {}, np.eye(3)
    for letter in order:
        unit = np.eye(3)["xyz".index(letter)]
        axes[letter] = R @ unit
        R = R @ np.array(about(unit, angles[letter]))
    return [*slides, *((np.zeros(3), axes[letter]) for letter in "xyz")]


def _can_move(robot: Mechanism, v: Array, w: Array, point: ArrayLike) -> bool:
    """Whether the robot's coordinates can give the platform this motion about the point."""
    columns = platform_pose(robot.platform, np.array(robot.platform.home)).columns
    slides, turns = (np.array([column[k] for column in columns], dtype=float).T for k in (0, 1))
    across = np.eye(3) - np.outer(w, w) if np.any(w) and np.any(point) else np.zeros((3, 1))
    wanted = ((slides, np.column_stack([v, across])), (turns, w[:, None]))
    return all(np.abs(part - basis @ np.linalg.pinv(basis) @ part).max() < 1e-9 for basis, part in wanted)


def _backwards(tracer: RayTracer, values: Array) -> Array:
    """The same rays the other way."""
    turned = values.copy()
    n = tracer.equations.robot.dof
    turned[:, slice(6, 12) if tracer.free else slice(n, None)] *= -1.0
    return turned
