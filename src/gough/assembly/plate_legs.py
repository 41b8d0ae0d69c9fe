"""Legs of Par4 and its like as distances: where the platform turns about their last hinges alone, their plates do not.

The leg's end is then at a fixed way from the plate, and the plate at the rod's length from a point of the crank or
slider: |P - (A(q) + way)| = l.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.graph import array
from gough.kinematics.chain import Coordinate
from gough.kinematics.closure.angles import parallel
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.closed_form import main_chain, without_sides
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.hinged import LAST, HingedForm, plate_rotation, to_plate
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.forward.distance_equations import At, DistanceLeg, form_equation
from gough.kinematics.pose import platform_pose
from gough.robot import Mechanism


def plate_equation(robot: Mechanism, number: int, driven: int) -> DistanceLeg | None:
    """The equation of a leg, driven at a joint, whose plate keeps its orientation; None where it is none."""
    leg, platform = robot.legs[number], home_platform(robot)
    form, chain = closed_form(leg), main_chain(leg)
    turning = [k for k, c in enumerate(platform.coordinates) if c.turns]
    if not isinstance(form, HingedForm) or driven not in chain or len(turning) != 1 or any(leg.end.point):
        return None
    plain = without_sides(leg, chain)
    home = platform_pose(platform, np.array(platform.home))
    R_last = end_target(plain, home)[1] @ array(plain.end.rotation).T
    v = np.array(R_last @ array(plain.joints[LAST].axis), dtype=float)
    if not parallel(v, np.array(home.columns[turning[0]][1], dtype=float)):
        return None
    inner = form_equation(form.inner, to_plate(plain))
    if inner is None or chain.index(driven) != inner.place:
        return None
    way = np.array(plate_rotation(plain, array(v)) @ array(plain.joints[LAST].offset), dtype=float)

    def at(coordinate: Coordinate) -> At:
        found = inner.at(coordinate)
        return replace(found, A=array(found.A) + way)

    arm = float(np.linalg.norm(leg.end.platform_point))
    turns = leg.joints[driven].kind == "R"
    return DistanceLeg(number, driven, turns, at, inner.speed, inner.swing, inner.bend, arm)
