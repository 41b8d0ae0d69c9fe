"""A robot's singularities: the nearest to a pose, up to where it is proved that there is none, and what gets loose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.limits import LimitsLike
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.robot_pose import RobotPose
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Robot
from gough.singular.around import Around, around
from gough.singular.charts import Chart, twist_axis
from gough.singular.nearest import Nearest, nearest, proved_distance, proved_followed_distance, silent
from gough.table import Block, Result, Table
from gough.table.result import units_of
from gough.workspaces.conditions import Conditions, conditions_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARCHITECTURE = 1e-9
"""Least singular value, of the largest, below which all poses looked at are singular: the machine's geometry is."""
ORDER = ("type 2", "constraint", "type 1")
FEWER = 5
"""By how much fewer boxes a proof may take where what follows the coordinates is enclosed: each takes longer."""


class Singularities(Result):
    """A robot's singularities around a pose.

    Attributes:
        robot, conditions: Whose, and within which limits.
        x: (n,) the pose.
        length: Characteristic length, by which turns count [m].
        kind: "type 2" where the actuators do not hold the platform, "architecture" where they do so nowhere.
        found: The nearest one of each kind that was found within the limits: type 2, constraint, type 1.
        bound: Distance below which it is proved that there is none of type 2 [m], and none of a constraint where
            coordinates depend on others; None where no proof was asked for, or there is none, see `unproved`.
        boxes: How many the proof took.
        singular_value: The least of K at the pose, turns divided by the length.
        unproved: Why there is no proof; empty where it was not asked for or there is one.
        sparing: How many times fewer ways than usual were looked along, as the robot's equations are large; 1 for most.
    """

    robot: Robot
    conditions: Conditions
    x: Array
    length: float
    kind: str
    found: tuple[Nearest, ...]
    bound: float | None
    boxes: int
    singular_value: float
    unproved: str
    sparing: int
    _chart: Chart | None

    LAYOUT, UNDER = "rows", "nearest"

    @property
    def nearest(self) -> Nearest | None:
        """The nearest of type 2; None if none was found."""
        return self.of_kind("type 2")

    def of_kind(self, kind: str) -> Nearest | None:
        """The nearest of "type 1", "type 2" or "constraint"; None if none was found."""
        return next((one for one in self.found if one.kind == kind), None)

    def pose_of(self, one: Nearest) -> RobotPose:
        """The robot at one of them, in plain numbers."""
        return around(self.robot, self.conditions, self.x).at(one.x)

    @property
    def twist(self) -> Array | None:
        """(6,) the motion that the actuators do not hold at the nearest of type 2: see `Nearest`."""
        return None if self.nearest is None else self.nearest.twist

    @property
    def cubic(self) -> dict[str, Any] | None:
        """At the pose's orientation det K times the legs' lengths is a cubic of the position; None for other robots.

        Monomials of the ways from the pose along the sliding coordinates [m], and their coefficients.
        """
        return cubic_of(self._chart) if self._chart is not None and self._chart.extends else None

    def figure(self) -> Figure:
        """Bars by kind: the distance, and the coordinates, those that slide and those that turn."""
        coordinates = self.robot.platform.coordinates
        blocks = [
            Block("kind", np.array([one.kind for one in self.found], dtype=str)),
            Block("distance", np.array([one.distance for one in self.found]), "m"),
        ]
        for turning, unit in ((False, "m"), (True, "rad")):
            own = [k for k, c in enumerate(coordinates) if c.turns == turning]
            if own and self.found:
                values = np.array([one.x[own] for one in self.found])
                names = tuple(coordinates[k].name for k in own)
                blocks.append(Block("turned" if turning else "at", values, unit, {"coordinate": names}))
        return Table(len(self.found), tuple(blocks), index="kind").plot()

    def facts(self) -> dict[str, Any]:
        """Facts that go with the nearest singularities: the pose, the limits, the proof, and the twists."""
        return {
            "robot": self.robot.name,
            "pose": dict(zip(self.robot.coordinate_names, self.x.tolist(), strict=True)),
            "limits": list(self.conditions.kinds),
            "characteristic_length": self.length,
            "kind": self.kind,
            "proved_none_below": self.bound,
            "boxes": self.boxes,
            "unproved": self.unproved or None,
            "rays_spared": self.sparing if self.sparing > 1 else None,
            "singular_value_at_pose": self.singular_value,
            "uncontrolled_twist": self.twist,
            "axis": None if self.twist is None else twist_axis(self.twist),
            "axes": {one.kind: twist_axis(one.twist) for one in self.found},
            "cubic": self.cubic,
        }

    def _blocks(self) -> list[Block]:
        """A row per kind that was found."""
        found = self.found
        if not found:
            return []

        def named(values: str, names: Sequence[str], units: Sequence[str]) -> list[Block]:
            rows = np.array([getattr(one, values) for one in found]).T
            return [Block(name, row, unit) for name, row, unit in zip(names, rows, units, strict=False)]

        return [
            Block("kind", np.array([one.kind for one in found])),
            Block("distance", np.array([one.distance for one in found]), "m"),
            *named("x", self.robot.coordinate_names, units_of(self.robot, "coordinate", "displacement")),
            *named("p", ("px", "py", "pz"), ["m"] * 3),
            *named("turn", ("turn_x", "turn_y", "turn_z"), ["rad"] * 3),
            *named("twist", ("twist_vx", "twist_vy", "twist_vz", "twist_wx", "twist_wy", "twist_wz"), [""] * 6),
            Block("singular_value", np.array([one.singular_value for one in found])),
        ]


def cubic_of(chart: Chart) -> dict[str, Any]:
    """Monomials and coefficients of det [l, r x l / L] of six legs that extend, at the pose's orientation."""
    powers = [
        tuple(sum(k == axis for k in chosen) for axis in range(3))
        for degree in range(4)
        for chosen in combinations_with_replacement(range(3), degree)
    ]
    rng = np.random.default_rng(0)
    ways = rng.uniform(-1.0, 1.0, size=(60, 3)) * chart.length
    determinants = np.linalg.det([np.array(chart.polynomial(np.array([*way, 0.0, 0.0, 0.0])), float) for way in ways])
    A = np.prod(ways[:, None] ** np.array(powers), axis=2)
    scale = np.abs(A).max(axis=0)
    coefficients = np.linalg.lstsq(A / scale, determinants, rcond=None)[0] / scale
    names = [chart.robot.coordinate_names[k] for k, c in enumerate(chart.robot.platform.coordinates) if not c.turns]
    return {
        "monomials": ["*".join(f"{n}^{p}" for n, p in zip(names, own, strict=True) if p) or "1" for own in powers],
        "coefficients": coefficients.tolist(),
        "misfit": float(np.abs(A @ coefficients - determinants).max() / np.abs(determinants).max()),
    }


def singularities(
    robot: Robot,
    pose: PoseLike = "home",
    limits: LimitsLike | None = None,
    *,
    only: Sequence[str] | None = None,
    prove: bool = False,
    seed: int = 0,
    progress: Callable[[str], None] = silent,
) -> Singularities:
    """The singularities of each kind that are nearest to a pose within the limits, and on request a proved distance.

    Args:
        robot: Any.
        pose: From which distances count; home if left out.
        limits: In place of the robot's own, as of `check`.
        only: Kinds of limits within which singularities count, as of `workspace`; all that have one if left out.
        prove: Look for a lower bound, within 5 % of what was found if a million boxes suffice.
        seed: Of the directions that are looked at.
        progress: Called with a few words at each step, e.g. `print`: machines of large equations take a minute.

    Raises:
        InputError: Limits that cannot be; a proof of equations without enclosures.
    """
    x = np.array(parse_pose(robot, pose))
    return singularities_at(robot, x, conditions_of(robot, limits, only), prove, seed, progress=progress)


def singularities_at(
    robot: Robot,
    x: Array,
    conditions: Conditions,
    prove: bool = False,
    seed: int = 0,
    most: int = 1_000_000,
    progress: Callable[[str], None] = silent,
) -> Singularities:
    """The singularities around platform coordinates x (n,); see `singularities`."""
    progress("compiling the equations")
    rays = around(robot, conditions, x)
    value = float(_singular_values(rays, rays.x[None])[0, -1])
    near = np.random.default_rng(1).uniform(-0.2, 0.2, size=(24, robot.dof))
    near = rays.x + near * np.where([c.turns for c in robot.platform.coordinates], 1.0, rays.length)
    spread = _singular_values(rays, near)
    if (spread[:, -1] < ARCHITECTURE * spread[:, 0]).all():
        return Singularities(
            robot, conditions, x, rays.length, "architecture", (), 0.0 if prove else None, 0, 0.0, "", 1, rays.chart
        )
    found = tuple(one for one in (nearest(rays, kind, seed, progress) for kind in ORDER) if one is not None)
    bound, boxes, unproved = None, 0, ""
    if prove:
        kinds = ("type 2",) if rays.chart is not None else ("type 2", "constraint")
        loose = min((one.distance for one in found if one.kind in kinds), default=None)
        progress("proving that none is nearer")
        reach, share = (0.5 * rays.length, 1.0) if loose is None else (loose, 0.95)
        try:
            proof = (
                proved_distance(rays.chart, reach, share, most)
                if rays.chart is not None
                else proved_followed_distance(rays, reach, share, most // FEWER)
            )
        except InputError as error:
            if rays.chart is not None:
                raise
            unproved = f"{str(error).removeprefix('no proof: ')}; see gough check for a motion"
        else:
            bound, boxes = min(proof.reached, reach), proof.boxes
    spared = rays.sparing
    return Singularities(
        robot, conditions, x, rays.length, "type 2", found, bound, boxes, value, unproved, spared, rays.chart
    )


def _singular_values(rays: Around, x: Array) -> Array:
    return np.linalg.svd(np.nan_to_num(rays.matrices(x=x)), compute_uv=False)
