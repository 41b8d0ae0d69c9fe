"""A picture of singular poses in two coordinates, for Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gough.analysis.limits import LimitsLike
from gough.display import display_units
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Robot
from gough.table.table_plots import written
from gough.workspaces.conditions import conditions_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def singularity_slice(
    robot: Robot,
    plane: str = "",
    path: str | Path | None = None,
    *,
    pose: PoseLike = "home",
    ranges: Mapping[str, tuple[float, float]] | None = None,
    limits: LimitsLike | None = None,
    only: Sequence[str] | None = None,
    units: str = "",
) -> Figure:
    """A figure of poses in two coordinates: least singular value in grey, the limits in blue, det K = 0 in red.

    Args:
        robot: Any with two coordinates or more.
        plane: The two coordinates, such as "x,yaw"; the first and last that slide if left out.
        path: A .png, .svg or .pdf file, written too.
        pose: Where the other coordinates stay; home if left out.
        ranges: Least and largest value of coordinates of the plane [m or rad], {"yaw": (-3.14, 3.14)}; around the pose
            if left out.
        limits, only: As of `singularities`.
        units: Of the axes, such as "mm,deg".

    Raises:
        InputError: Coordinates that are not two of the robot's, ranges of others or without width, a file that is no
            picture.
    """
    from gough.singular.slice_picture import slice_figure

    x = np.array(parse_pose(robot, pose))
    conditions = conditions_of(robot, limits, only)
    return written(slice_figure(robot, conditions, x, plane, display_units(units), ranges), path)
