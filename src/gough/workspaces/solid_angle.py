"""The solid angle of directions in which the platform of a machine that only turns can point.

Of two turning coordinates the pole n = R z runs over a patch of the sphere, whose area is the sum of |n . (dn/da x
dn/db)| over the cells of a grid that are joined to the start. Of three, the pole leans by one turn without torsion, up
to an angle in each azimuth: the sum of 1 - cos of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.robot_pose import robot_pose
from gough.robot import Mechanism
from gough.run import Program
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import least_of, margin_equations
from gough.workspaces.tilts import Tilts

CELLS = 240


@dataclass(frozen=True, slots=True)
class SolidAngle:
    """Directions of the platform's z axis.

    Attributes:
        value: [sr], of 4 pi.
        how: At which grid, or from how many azimuths.
    """

    __repr__ = brief

    value: float
    how: str


def from_tilts(found: Tilts) -> SolidAngle:
    """Of a machine that turns in every direction: without torsion."""
    value = float(2.0 * np.pi * np.mean(1.0 - np.cos(found.tilt)))
    return SolidAngle(value, f"tilts without torsion in {len(found.tilt)} azimuths")


def solid_angle(robot: Mechanism, conditions: Conditions, x: Array, cells: int = CELLS) -> SolidAngle:
    """Of a machine with two turning coordinates and no other.

    Raises:
        InputError: Another machine.
    """
    if [c.turns for c in robot.platform.coordinates] != [True, True]:
        raise InputError(f"solid angle of {robot.name}: takes two coordinates, which turn; see its travel and volume")
    equations = margin_equations(robot, conditions)

    def program(x: Vector) -> dict[str, Vector]:
        pose = robot_pose(robot, equations.ways, x)
        n = pose.platform.R_BP @ array([0.0, 0.0, 1.0])
        least = least_of([margin for _, margin in equations(pose.free())])
        return {"n": n, "J": jacobian(n, x, "forward"), "least": least}

    step = np.pi / cells
    offsets = (np.arange(-cells, cells + 1)) * (0.75 * step)
    a, b = np.meshgrid(x[0] + offsets, x[1] + offsets, indexing="ij")
    found = Program(record(program, x=2))(x=np.column_stack([a.ravel(), b.ravel()]))
    inside = (np.asarray(found["least"]) > 0.0).reshape(a.shape)
    labels, _ = ndimage.label(inside)
    own = inside & (labels == labels[cells, cells])
    J = found["J"]
    area = np.abs(np.einsum("ni,ni->n", found["n"], np.cross(J[:, :, 0], J[:, :, 1]))).reshape(a.shape)
    value = float(np.where(own, np.nan_to_num(area), 0.0).sum() * (0.75 * step) ** 2)
    return SolidAngle(value, f"grid of {np.degrees(0.75 * step):.3g} deg")
