"""A robot's legs, cut from the platform, as a tree of Pinocchio's quickest joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from gough.robot import Body, Leg, Robot

SLIDES = (pin.JointModelPX, pin.JointModelPY, pin.JointModelPZ)
TURNS = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
CIRCLES = (pin.JointModelRUBX, pin.JointModelRUBY, pin.JointModelRUBZ)
"""Turns whose configuration is (cos, sin): no arctan2 outside, no sine inside."""


def inertia(body: Body) -> Any:
    xx, yy, zz, xy, xz, yz = body.inertia
    return pin.Inertia(body.mass, np.array(body.com), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def legs_model(robot: Robot, joints: int | None = None, circles: bool = False, copies: int = 1) -> Any:
    """The model of the legs alone, leg by leg; `copies` of the machine stand in one tree.

    Args:
        robot: Whose joints all turn or slide along x, y or z of their frames, first slides excepted.
        joints: How many of each leg's joints; None for all.
        circles: Take (cos, sin) for turns.
        copies: How many machines one call of an algorithm serves.
    """
    model = pin.Model()
    model.gravity.linear = np.array(robot.gravity)
    for copy in range(copies):
        for leg in robot.legs:
            add_leg(model, leg, joints, circles, f"{copy}.{leg.name}")
    return model


def cut_model(robot: Robot) -> tuple[Any, list[list[int]], int]:
    """A model of legs cut at their ends and the platform as a free body; joint ids leg by leg, and the platform's."""
    model = pin.Model()
    model.gravity.linear = np.array(robot.gravity)
    legs = [add_leg(model, leg, None, False, leg.name) for leg in robot.legs]
    platform = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "platform")
    model.appendBodyToJoint(platform, inertia(robot.platform.body), pin.SE3.Identity())
    return model, legs, platform


def velocity_places(model: Any, robot: Robot, legs: list[list[int]]) -> tuple[list[int], list[int]]:
    """Velocity indices of all joints of the legs, and of the actuated ones."""
    places = [model.joints[i].idx_v for ids in legs for i in ids]
    joints = [joint for leg in robot.legs for joint in leg.joints]
    return places, [place for place, joint in zip(places, joints, strict=True) if joint.actuated]


def add_leg(model: Any, leg: Leg, joints: int | None, circles: bool, name: str) -> list[int]:
    """Joint ids. An oblique axis becomes the x axis of a joint frame turned to suit."""
    ids = []
    parent, place = 0, pin.SE3(np.array(leg.rotation), np.array(leg.position))
    for k, joint in enumerate(leg.joints[:joints]):
        if joint.parent != k - 1:
            raise ValueError(f"leg {leg.name}: the peers know plain chains")
        place = place * pin.SE3(np.array(joint.rotation), np.array(joint.offset))
        axis = np.array(joint.axis)
        turn, index = suited(axis)
        kinds = SLIDES if joint.kind == "P" else CIRCLES if circles else TURNS
        parent = model.addJoint(parent, kinds[index](), place * turn, f"{name}.{joint.name}")
        model.appendBodyToJoint(parent, inertia(joint.body), turn.inverse())
        place = turn.inverse()
        ids.append(parent)
    return ids


def suited(axis: Any) -> tuple[Any, int]:
    """A turn of the joint's frame and the index of its axis along `axis`."""
    for k in range(3):
        if np.array_equal(axis, np.eye(3)[k]):
            return pin.SE3.Identity(), k
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    return pin.SE3(np.stack([axis, across, np.cross(axis, across)], axis=1), np.zeros(3)), 0


def add_platform(model: Any, robot: Robot) -> int:
    """The platform as a chain of its own coordinates; returns the first velocity index of its six."""
    first, at = model.nv, 0
    for coordinate in robot.platform.coordinates:
        kinds = TURNS if coordinate.motion.startswith("r") else SLIDES
        kind = kinds["xyz".index(coordinate.motion[-1])]()
        at = model.addJoint(at, kind, pin.SE3.Identity(), f"platform.{coordinate.name}")
    model.appendBodyToJoint(at, inertia(robot.platform.body), pin.SE3.Identity())
    return first
