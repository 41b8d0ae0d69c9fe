"""The linear system of the wrenches that legs put on the platform, and its null space, sample by sample.

Unknowns are those wrenches at the legs' ends: a force, and a moment where the end is rigid. Moments are divided by the
robot's length, so that one tolerance decides what is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.loads import Load, eased_load, free_load, link_load
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.newton_euler import counts, friction
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import joint_springs, leg_pulls, platform_pulls
from gough.graph import Array, Vector, array, cross, dot
from gough.kinematics.chain import Twist, TwistRate, end_point
from gough.kinematics.leg import LegPose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.tool import wrench_at_origin
from gough.robot import Leg, Mechanism


def platform_need(motion: RobotMotion, gravity: Vector, wrench: Vector) -> tuple[Any, Any]:
    """Force and moment at the origin of P that the legs must put on the platform."""
    pose = motion.pose.platform
    body = motion.pose.robot.platform.body
    twist, rate = motion.twist, motion.twist_rate
    if motion.base is not None:
        twist, rate = motion.base.carried(pose.p_BP, twist, rate)
    load = free_load(body, pose.R_BP, pose.p_BP, twist, rate, gravity)
    outer_f, outer_m = wrench_at_origin(motion.pose, wrench)
    f, m = load.f - outer_f, load.m + cross(load.point - pose.p_BP, load.f) - outer_m
    for pull in platform_pulls(motion.pose):
        f, m = f - pull.f, m - cross(pull.point - pose.p_BP, pull.f)
    return f, m


def bare_leg(motion: RobotMotion, number: int, gravity: Vector) -> dict[str, Any]:
    """By joint (joints, ...): force and moment through it, its point, axis, friction and spring; and the end (3,)."""
    pose = motion.pose.legs[number]
    moves = list(zip(motion.leg_twists[number], motion.leg_twist_rates[number], strict=True))
    if motion.base is not None:
        moves = [_carried(motion.base, pose, k, *pair) for k, pair in enumerate(moves)]
    heavy = [k for k, joint in enumerate(pose.leg.joints) if counts(joint.body, None)]
    loads = {k: link_load(pose, k, *moves[k], gravity) for k in heavy}
    for pull in leg_pulls(motion.pose, number):
        loads[pull.joint] = eased_load(loads.get(pull.joint), pull)
    force, moment = joint_wrenches(pose, loads)
    passive = friction(motion, number)
    for k, effort in joint_springs(pose).items():
        passive[k] = passive.get(k, 0.0) + effort
    return {
        "force": np.stack([array(f) for f in force]),
        "moment": np.stack([array(m) for m in moment]),
        "point": np.stack([array(link.p) for link in pose.links]),
        "axis": np.stack([array(link.e) for link in pose.links]),
        "end": array(end_point(pose.leg, pose.links)),
        "friction": array([passive.get(k, 0.0) for k in range(len(pose.leg.joints))]),
    }


def _carried(base: BaseRates, leg: LegPose, k: int, twist: Twist, rate: TwistRate) -> tuple[Twist, TwistRate]:
    """Twist and twist rate of a link on a moving base; what does not spin about itself does not turn with it so."""
    twist, rate = base.carried(leg.links[k].p, twist, rate)
    n = leg.unspun_axis(k)
    if n is None:
        return twist, rate
    spin = dot(n, twist.w)
    wd = rate.wd - n * dot(n, rate.wd) + cross(n, twist.w) * spin
    return Twist(twist.v, twist.w - n * spin), TwistRate(rate.a, wd)


def joint_wrenches(leg: LegPose, loads: dict[int, Load]) -> tuple[list[Any], list[Any]]:
    """Force through every joint of the leg cut from the platform, and moment about its point: from tips to base."""
    joints, links = leg.leg.joints, leg.links
    force: list[Any] = [np.zeros(3) for _ in joints]
    moment: list[Any] = [np.zeros(3) for _ in joints]
    for k in reversed(range(len(joints))):
        if k in loads:
            force[k] = force[k] + loads[k].f
            moment[k] = moment[k] + loads[k].m + cross(loads[k].point - links[k].p, loads[k].f)
        parent = joints[k].parent
        if parent >= 0:
            force[parent] = force[parent] + force[k]
            moment[parent] = moment[parent] + moment[k] + cross(links[k].p - links[parent].p, force[k])
    return force, moment


NULL = 1e-9
"""Singular values below this share of the largest are zero."""
TOUCHED = 1e-7
"""A reaction that a unit null vector changes by more than this is indeterminate."""


@dataclass(frozen=True)
class Solution:
    """Wrenches at the ends (least norm where they are not unique), and what the null space does to any reaction.

    Attributes:
        robot: The robot.
        raw: See `load_call`.
        ends: (N, unknowns) scaled wrenches at the legs' ends.
        null: (N, unknowns, unknowns) null vectors as columns; those that are none are zero.
        nullity: (N,) how many there are.
        residual: (N,) how far the equations are from being met, relative.
        columns: For each leg where its unknowns are.
    """

    robot: Mechanism
    raw: dict[str, Any]
    ends: Any
    null: Any
    nullity: Any
    residual: Any
    columns: list[slice]

    @property
    def length(self) -> float:
        """By which moments are divided."""
        return characteristic_length(self.robot)

    def point(self, leg: int, k: int) -> Array:
        """(N, 3) of a joint."""
        return self.raw[f"point {leg}"][:, k]

    def end(self, leg: int) -> tuple[Any, Any, Any, Any]:
        """Point, force, moment, and map (N, 6, unknowns) of the joint on the platform."""
        point = self.raw[f"end {leg}"]
        apply = self._map(leg, point)
        wrench = np.einsum("nij,nj->ni", apply, self.ends)
        return point, wrench[:, :3], wrench[:, 3:], apply

    def joint(self, leg: int, k: int, point: Vector) -> tuple[Any, Any, Any]:
        """Force, moment about the point (N, 3), and map of a joint."""
        own = self.raw[f"force {leg}"][:, k]
        moment = self.raw[f"moment {leg}"][:, k] + np.cross(self.point(leg, k) - point, own)
        apply = self._map(leg, point)
        if k not in on_the_way(self.robot.legs[leg]):
            apply = np.zeros_like(apply)
        wrench = np.einsum("nij,nj->ni", apply, self.ends)
        return own + wrench[:, :3], moment + wrench[:, 3:], apply

    def untouched(self, apply: Array) -> NDArray[np.bool_]:
        """(N, 6) whether the null space leaves each component of a reaction alone."""
        change = np.abs(apply @ self.null).max(axis=2)
        change[:, 3:] /= self.length
        return change <= TOUCHED

    def _map(self, leg: int, point: Vector) -> Array:
        """(N, 6, unknowns): the wrench about a point from the unknowns."""
        count, unknowns = self.ends.shape
        apply = np.zeros((count, 6, unknowns))
        apply[:, :, self.columns[leg]] = end_map(self.robot.legs[leg], self.raw[f"end {leg}"] - point, self.length)
        return apply


def end_map(leg: Leg, arm: Vector, length: float) -> Array:
    """(N, 6, 3 or 6): force and moment about a point from the scaled wrench at the end, `arm` (N, 3) from the point."""
    cross = np.zeros((len(arm), 3, 3))
    for (i, j), (k, sign) in {
        (0, 1): (2, -1), (0, 2): (1, 1), (1, 0): (2, 1), (1, 2): (0, -1), (2, 0): (1, -1), (2, 1): (0, 1),
    }.items():  # fmt: skip
        cross[:, i, j] = sign * arm[:, k]
    size = 6 if leg.end.kind == "rigid" else 3
    out = np.zeros((len(arm), 6, size))
    out[:, :3, :3] = np.eye(3)
    out[:, 3:, :3] = cross
    if size == 6:
        out[:, 3:, 3:] = length * np.eye(3)
    return out


def solved(robot: Mechanism, raw: dict[str, Any]) -> Solution:
    """The wrenches at the ends from the passive joints' axes and the platform's balance."""
    sizes = [6 if leg.end.kind == "rigid" else 3 for leg in robot.legs]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    columns = [slice(int(a), int(b)) for a, b in pairwise(starts)]
    count, length = len(raw["platform"]), characteristic_length(robot)
    rows, right = [], []
    for number in range(len(robot.legs)):
        for row, value in _known(robot, raw, number, length):
            full = np.zeros((count, starts[-1]))
            full[:, columns[number]] = row
            rows.append(full)
            right.append(value)
    balance = np.concatenate(
        [end_map(leg, raw[f"end {k}"] - raw["origin"], length) for k, leg in enumerate(robot.legs)], axis=2
    )
    need = raw["platform"].copy()
    balance[:, 3:] /= length
    need[:, 3:] /= length
    A = np.concatenate([np.stack(rows, axis=1), balance], axis=1) if rows else balance
    b = np.concatenate([np.stack(right, axis=1), need], axis=1) if right else need
    U, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = (s > NULL * s[:, :1]).sum(axis=1)
    inverse = np.where(s > NULL * s[:, :1], 1.0 / np.where(s == 0.0, 1.0, s), 0.0)
    most = s.shape[1]
    ends = np.einsum("nki,nk->ni", Vt[:, :most], inverse * np.einsum("nik,ni->nk", U[:, :, :most], b))
    beyond = np.arange(Vt.shape[1])[None] >= rank[:, None]
    null = np.swapaxes(Vt * beyond[:, :, None], 1, 2)
    size = np.abs(b).max(axis=1)
    residual = np.abs(np.einsum("nij,nj->ni", A, ends) - b).max(axis=1) / np.where(size == 0.0, 1.0, size)
    return Solution(robot, raw, ends, null, Vt.shape[1] - rank, residual, columns)


def _known(robot: Mechanism, raw: dict[str, Any], number: int, length: float) -> list[tuple[Any, Any]]:
    """For each group of joints of a leg whose effort is known: the row of its unknowns, and what the ends must give.

    Passive joints have friction at most. Actuated ones have what the balance asks for, but where they are more than the
    robot has coordinates: then the criterion that shares the forces says what each does, "effort" in `raw`.
    """
    leg, found = robot.legs[number], []
    driven_joints = [(a, b) for a, each in enumerate(robot.legs) for b, j in enumerate(each.joints) if j.actuated]
    efforts = {place: raw["effort"][:, i] for i, place in enumerate(driven_joints)} if "effort" in raw else {}
    way = on_the_way(leg)
    if leg.cable is not None:
        along = raw[f"axis {number}"][:, 0]
        _, _, across = np.linalg.svd(along[:, None, :])
        found += [(across[:, k], np.zeros(len(along))) for k in (1, 2)]
    for source, joint in enumerate(leg.joints):
        driven = efforts.get((number, source))
        if joint.mimic is not None or (joint.actuated and driven is None):
            continue
        row: Any = 0.0
        value: Any = 0.0
        slides = joint.kind == "P"
        for k, other in enumerate(leg.joints):
            ratio = 1.0 if k == source else other.mimic.ratio if other.mimic and other.mimic.joint == source else 0.0
            if ratio == 0.0:
                continue
            axis = raw[f"axis {number}"][:, k]
            turns = other.kind == "R"
            if k in way:
                apply = end_map(leg, raw[f"end {number}"] - raw[f"point {number}"][:, k], length)
                part = apply[:, 3:] if turns else apply[:, :3]
                row = row + ratio * np.einsum("ni,nij->nj", axis, part)
            bare = raw[f"{'moment' if turns else 'force'} {number}"][:, k]
            known = raw[f"friction {number}"][:, k] if driven is None or k != source else driven
            value = value + ratio * (known - (axis * bare).sum(axis=1))
        scale = 1.0 if slides else length
        found.append((np.asarray(row) / scale, np.asarray(value) / scale))
    return found


def sections(robot: Mechanism) -> list[tuple[str, int, tuple[int, ...]]]:
    """(name, leg, joints) of all sections; no joints for the joint on the platform."""
    found = []
    for number, leg in enumerate(robot.legs):
        groups: dict[tuple[int, int], list[int]] = {}
        for k, joint in enumerate(leg.joints):
            source = k if joint.mimic is None else joint.mimic.joint
            groups.setdefault((source, joint.parent), []).append(k)
        for members in groups.values():
            names = "+".join(leg.joints[k].name for k in members)
            found.append((f"{leg.name}.{names}", number, tuple(members)))
        found.append((f"{leg.name}.end", number, ()))
    return found


def on_the_way(leg: Leg) -> list[int]:
    """Joints between the base and the leg's end."""
    way = [leg.end.joint]
    while leg.joints[way[-1]].parent >= 0:
        way.append(leg.joints[way[-1]].parent)
    return way
