"""Legs of Par4 and of deltas with a fourth axis: crank or slider, parallelogram, plate, and a hinge behind the plate.

The plate turns about the parallelogram's hinge h alone, and carries the last hinge's axis v, which is across h. The
platform says where v points, so that the plate's turn follows; the plate then ends a leg with a rod (`rod`), and the
last hinge has the turn that is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from gough.graph import Vector, array, cross, dot
from gough.kinematics.closure.angles import across, parallel, turn_of, turn_to
from gough.kinematics.closure.closed_form import kinds_of
from gough.kinematics.closure.rod import RodForm
from gough.kinematics.closure.shape import unmoved
from gough.kinematics.leg import Closure
from gough.kinematics.spatial import rotate_about
from gough.robot import Leg
from gough.robot.leg_values import IDENTITY, ZERO

PLATE, LAST = 4, 5
"""The joints that move the plate and what is behind it."""


@dataclass(frozen=True, slots=True)
class HingedForm:
    """The closed form, with that of the leg as far as its plate."""

    inner: RodForm
    name: ClassVar[str] = "hinged"

    @property
    def postures(self) -> int:
        """As many as those of the leg that ends at the plate."""
        return self.inner.postures

    @property
    def turning(self) -> tuple[int, ...]:
        """Joints that turn the rod."""
        return self.inner.turning

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers is of this shape."""
        if kinds_of(leg)[1:] != "RRRRR" or leg.end.kind != "rigid":
            return None
        inner = RodForm.fit(to_plate(leg))
        axes = unmoved(leg).axes
        in_line = leg.joints[0].kind == "P" or parallel(axes[0], axes[PLATE])
        return cls(inner) if inner is not None and in_line and across(axes[PLATE], axes[LAST]) else None

    def close(self, leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
        """See `close_hinged`."""
        return close_hinged(leg, self.inner, p_end, R_end)


def to_plate(leg: Leg) -> Leg:
    """The leg that ends rigidly at the origin of its plate."""
    end = replace(leg.end, joint=PLATE, point=ZERO, rotation=IDENTITY)
    return replace(leg, joints=leg.joints[:LAST], end=end)


def plate_rotation(leg: Leg, v: Vector) -> Vector:
    """(3, 3) axes of the plate in B where the last hinge's axis is v (3,) in B."""
    links, R_B0 = unmoved(leg), array(leg.rotation)
    turn = turn_to(links.axes[PLATE], links.axes[LAST], R_B0.T @ v)
    return rotate_about(R_B0, links.axes[PLATE], turn.c, turn.s) @ links.R[PLATE]


def close_hinged(leg: Leg, form: RodForm, p_end: Vector, R_end: Vector) -> Closure:
    """Closure with the leg's end at p_end (3,) and the end frame at R_end, both in B."""
    links, R_B0, last = unmoved(leg), array(leg.rotation), leg.joints[LAST]
    h_0 = links.axes[PLATE]
    R_last = R_end @ array(leg.end.rotation).T
    v = R_last @ array(last.axis)
    R_plate = plate_rotation(leg, v)
    R_seat = R_plate @ array(last.rotation)
    along = R_plate @ array(last.offset)
    behind = R_last @ array(leg.end.point)
    inner = form.close(to_plate(leg), p_end - behind - along, R_plate)
    h = R_B0 @ h_0
    turn = turn_of(array(last.axis), links.R[LAST].T @ h_0, R_seat.T @ R_last)

    def solve(velocity: Vector, w: Vector) -> dict[int, Any]:
        w_plate = h * dot(h, w)
        rates = inner.solve(velocity - cross(w, behind) - cross(w_plate, along), w_plate)
        return rates | {LAST: dot(v, w)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        f, m = inner.spread({k: effort for k, effort in efforts.items() if k != LAST})
        return f, h * dot(h, m - cross(along, f)) - cross(behind, f) + v * efforts[LAST]

    coordinates = inner.coordinates | {LAST: turn}
    points = inner.points | {PLATE: p_end - behind - along, LAST: p_end - behind}
    return Closure(coordinates, solve, inner.short, transposed=transposed, bent=inner.bent, points=points)
