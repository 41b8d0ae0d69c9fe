"""A robot's singularities: the nearest to a pose, up to where it is proved that there is none, and what gets loose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from gough.analysis.limits import Limits
from gough.graph import Array
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Robot
from gough.singular.charts import Chart, twist_axis
from gough.singular.nearest import Nearest, nearest, proved_distance
from gough.table import Block, Table, Tabulated
from gough.workspaces.conditions import Conditions, conditions_of

LOOSE = 1e-6
"""Least singular value, of the largest at the pose, at which a pose is singular."""
ARCHITECTURE = 1e-9
"""Least singular value, of the largest, below which all poses looked at are singular: the machine's geometry is."""


@dataclass(frozen=True)
class Singularities(Tabulated):
    """A robot's singularities around a pose.

    Attributes:
        robot, conditions: Whose, and within which limits.
        x: (n,) the pose.
        length: Characteristic length, by which turns count [m].
        kind: "type 2" where the actuators do not hold the platform, "architecture" where they do so nowhere.
        nearest: The nearest singular pose found within the limits; None if none was.
        bound: Distance below which it is proved that there is none [m]; None where no proof was asked for.
        boxes: How many the proof took.
        twist: (6,) the motion that the actuators do not hold there: velocity of the platform's origin and angular
            velocity in B, of unit size with turns times the length; None where nothing was found.
        singular_values: (2,) the least of K at the pose and at the nearest singularity, turns divided by the length.
    """

    robot: Robot
    conditions: Conditions
    x: Array
    length: float
    kind: str
    nearest: Nearest | None
    bound: float | None
    boxes: int
    twist: Array | None
    singular_values: tuple[float, float | None]
    _chart: Chart

    @property
    def cubic(self) -> dict[str, Any] | None:
        """At the pose's orientation det K times the legs' lengths is a cubic of the position; None for other robots.

        Monomials of the ways from the pose along the sliding coordinates [m], and their coefficients.
        """
        return cubic_of(self._chart) if self._chart.extends else None

    @property
    def table(self) -> Table:
        """One row for the nearest singularity, none where none was found."""
        found = self.nearest
        facts = {
            "robot": self.robot.name,
            "pose": dict(zip(self.robot.coordinate_names, self.x.tolist(), strict=True)),
            "limits": list(self.conditions.kinds),
            "characteristic_length": self.length,
            "kind": self.kind,
            "proved_none_below": self.bound,
            "boxes": self.boxes,
            "singular_value_at_pose": self.singular_values[0],
            "uncontrolled_twist": self.twist,
            "axis": None if self.twist is None else twist_axis(self.twist),
            "cubic": self.cubic,
        }
        if found is None:
            return Table(0, (), facts, layout="rows", under="nearest")
        blocks = (
            Block("distance", np.array([found.distance]), "m"),
            *(Block(name, found.p[None, k], "m") for k, name in enumerate(("px", "py", "pz"))),
            *(Block(name, found.turn[None, k], "rad") for k, name in enumerate(("turn_x", "turn_y", "turn_z"))),
            Block("singular_value", np.array([self.singular_values[1]])),
        )
        return Table(1, blocks, facts, layout="rows", under="nearest")


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
    limits: Limits | None = None,
    *,
    only: Sequence[str] | None = None,
    prove: bool = False,
    seed: int = 0,
) -> Singularities:
    """The singularity nearest to a pose within the limits, and on request a distance below which none is, proved.

    Args:
        robot: Whose legs are closed in closed form, without dependent coordinates.
        pose: From which distances count; home if left out.
        limits: In place of the robot's own, as of `check`.
        only: Kinds of limits within which singularities count, as of `workspace`; all that have one if left out.
        prove: Look for a lower bound, within 5 % of what was found if a million boxes suffice.
        seed: Of the directions that are looked at.

    Raises:
        InputError: A robot or limits that cannot be; a proof of equations without enclosures.
    """
    x = np.array(parse_pose(robot, pose))
    return singularities_at(robot, x, conditions_of(robot, limits, only), prove, seed)


def singularities_at(
    robot: Robot, x: Array, conditions: Conditions, prove: bool = False, seed: int = 0, most: int = 1_000_000
) -> Singularities:
    """The singularities around platform coordinates x (n,); see `singularities`."""
    chart = Chart(robot, conditions, x)
    values = _singular_values(chart, np.zeros((1, chart.size)))[0]
    around = 0.2 * chart.length * np.random.default_rng(1).uniform(-1.0, 1.0, size=(24, chart.size))
    spread = _singular_values(chart, around)
    if (spread[:, -1] < ARCHITECTURE * spread[:, 0]).all():
        return Singularities(robot, conditions, x, chart.length, "architecture", None, 0.0, 0, None, (0.0, None), chart)
    found = nearest(chart, seed)
    twist, least = None, None
    if found is not None:
        K = _matrix(chart, found)
        _, singular, rows = np.linalg.svd(K)
        least = float(singular[-1])
        twist = _twist(chart, rows[-1])
        if least > LOOSE * float(values[0]):
            # K grew without bound there: a leg is stretched, which ends the reach and is no loss of hold.
            found, twist, least = None, None, None
    bound, boxes = None, 0
    if prove:
        reach = found.distance if found is not None else 0.5 * chart.length
        proof = proved_distance(chart, reach, 0.95 if found is not None else 1.0, most)
        bound, boxes = min(proof.reached, reach), proof.boxes
    return Singularities(
        robot, conditions, x, chart.length, "type 2", found, bound, boxes, twist, (float(values[-1]), least), chart
    )


def _singular_values(chart: Chart, u: Array) -> Array:
    return np.linalg.svd(np.nan_to_num(chart.matrices(u=u)), compute_uv=False)


def _parameters(chart: Chart, found: Nearest) -> Array:
    """(k,) of the chart at a pose."""
    angle = float(np.linalg.norm(found.turn))
    if len(chart.axes) == 3:
        g = found.turn * (np.tan(0.5 * angle) / angle if angle > 0.0 else 0.5)
    else:
        g = chart.axes @ found.turn
    return np.concatenate([chart.slides @ found.way, g])


def _matrix(chart: Chart, found: Nearest) -> Array:
    return np.asarray(chart.matrices(u=_parameters(chart, found)[None])[0])


def _twist(chart: Chart, rates: Array) -> Array:
    """(6,) in B of rates (n,) along slides and turns, the latter times the length."""
    s = len(chart.slides)
    return np.concatenate([rates[:s] @ chart.slides, rates[s:] @ chart.axes / chart.length])
