"""What a closed form of a leg is: it fits legs of some shape, and closes them without iteration.

A new one is a file with such a class and one line in `closed_forms`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Protocol, Self

from gough.graph import Vector
from gough.kinematics.leg import Closure
from gough.robot import Leg


class ClosedForm(Protocol):
    """A closed form fitted to a leg: a frozen value with the roles of the leg's joints in it."""

    name: ClassVar[str]
    """By which it is shown."""

    @property
    def postures(self) -> int:
        """How many postures it has with the same sign of its root: branches 1 to that, and negative."""
        ...

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form fitted to a leg of plain numbers without side branches, None where it does not fit."""
        ...

    def close(self, leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
        """Closure with the leg's end at p_end (3,) and, if it is rigid, its frame at R_end, on the leg's branch.

        Numbers of the leg may be recorded, and differ from those it was fitted to.
        """
        ...


def sign_and_posture(leg: Leg) -> tuple[int, int]:
    """Sign of the root and number of the posture, from 0, that a leg's branch stands for."""
    branch = leg.branch or 1
    return (1 if branch > 0 else -1), abs(branch) - 1


def main_chain(leg: Leg) -> list[int]:
    """Indices of the joints from the base to the platform."""
    chain, k = [], leg.end.joint
    while k >= 0:
        chain.append(k)
        k = leg.joints[k].parent
    return chain[::-1]


def without_sides(leg: Leg, chain: list[int]) -> Leg:
    """The leg of its main chain alone, its joints counted along it."""
    joints = []
    for k, index in enumerate(chain):
        joint = leg.joints[index]
        mimic = joint.mimic and replace(joint.mimic, joint=chain.index(joint.mimic.joint))
        joints.append(replace(joint, parent=k - 1, mimic=mimic))
    return replace(leg, joints=tuple(joints), end=replace(leg.end, joint=len(chain) - 1))


def kinds_of(leg: Leg) -> str:
    """The kinds of a leg's joints in a row, such as "RRP"."""
    return "".join(joint.kind for joint in leg.joints)
