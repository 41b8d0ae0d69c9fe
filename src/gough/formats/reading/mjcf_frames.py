"""Placements in an MJCF file: `pos` with a quaternion, an axis and angle, axes, or Euler angles."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

import numpy as np

from gough.formats.placement import Floats, Placement, about, from_quaternion
from gough.formats.xml_text import Place


class Angles:
    """How a file counts angles.

    Attributes:
        unit: Radians of its unit: degrees unless it says otherwise.
        sequence: Axes of Euler angles; small ones turn with the body, capital ones do not.
    """

    def __init__(self, root: Element, place: Place) -> None:
        """Read the compiler's settings."""
        self.unit, self.sequence = np.pi / 180.0, "xyz"
        for node in root.findall("compiler"):
            if node.get("angle") == "radian":
                self.unit = 1.0
            self.sequence = node.get("eulerseq", self.sequence)
            if node.get("coordinate", "local") != "local":
                raise place.error("compiler coordinate must be local; save the model anew with MuJoCo")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            raise place.error(f"eulerseq = {self.sequence!r} must be three of x, y, z")


def placement_of(given: Mapping[str, str], angles: Angles, here: Place) -> Placement:
    """Where an element with these attributes stands in what holds it."""
    return Placement(here.numbers(given.get("pos"), 3, "pos", [0, 0, 0]), _rotation(given, angles, here))


def _rotation(given: Mapping[str, str], angles: Angles, here: Place) -> Floats:
    if "quat" in given:
        quaternion = here.numbers(given["quat"], 4, "quat")
        if not quaternion.any():
            raise here.error("quat must not be zero")
        return from_quaternion(quaternion)
    if "axisangle" in given:
        x, y, z, angle = here.numbers(given["axisangle"], 4, "axisangle")
        return about(here.unit(f"{x} {y} {z}", "axisangle"), float(angle) * angles.unit)
    if "xyaxes" in given:
        six = here.numbers(given["xyaxes"], 6, "xyaxes")
        x_axis = six[:3] / np.linalg.norm(six[:3])
        y_axis = six[3:] - (six[3:] @ x_axis) * x_axis
        y_axis /= np.linalg.norm(y_axis)
        return np.stack([x_axis, y_axis, np.cross(x_axis, y_axis)], axis=1)
    if "zaxis" in given:
        return _from_z(here.unit(given["zaxis"], "zaxis"))
    if "euler" in given:
        R = np.eye(3)
        for letter, angle in zip(angles.sequence, here.numbers(given["euler"], 3, "euler"), strict=True):
            turn = about(np.eye(3)["xyz".index(letter.lower())], float(angle) * angles.unit)
            R = R @ turn if letter.islower() else turn @ R
        return R
    return np.eye(3)


def _from_z(z: Floats) -> Floats:
    """(3, 3) the least rotation that takes z to a direction (3,)."""
    axis = np.cross([0.0, 0.0, 1.0], z)
    size = float(np.linalg.norm(axis))
    if size == 0.0:
        return np.eye(3) if z[2] > 0 else about(np.array([1.0, 0.0, 0.0]), np.pi)
    return about(axis / size, float(np.arctan2(size, z[2])))
