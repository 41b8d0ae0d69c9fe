"""A robot in motion as parts that keep their shape: what a browser shows at each pose."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from gough.assembly import AssemblyModes
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose, ways_of
from gough.kinematics.status import PoseError
from gough.robot import Leg, Mechanism
from gough.view.browser.meshes import Place, place_of
from gough.view.drawing.machine_parts import leg_solids
from gough.view.drawing.mode_pose import mode_pose
from gough.view.drawing.scene import Scene, reached, scene
from gough.view.drawing.screw_solids import screw_solids
from gough.view.drawing.shared_rails import with_shared_rails
from gough.view.drawing.solids import Solid
from gough.view.drawing.spring_solids import spring_solids

_SOME = 16
"""Poses of a path at which it is looked where the platform is."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The robot at a pose.

    Attributes:
        x: (n,) platform coordinates.
        p_BP, R_BP: The platform's pose.
        places: Where each of the legs' parts is; None for one that is not there at this pose.
        anchors, axes: (actuators, 3) where each actuator acts and along or about what.
    """

    x: Array
    p_BP: Array
    R_BP: Array
    places: tuple[Place | None, ...]
    anchors: Array
    axes: Array


class MovingRobot:
    """Parts of a robot and where they are at any pose; thick as at home, guides as long as they will be needed."""

    def __init__(self, robot: Mechanism, x: ArrayLike | None = None) -> None:
        """The robot, and the poses x (N, n) it will be shown at, for the length of guides without a stated stroke."""
        self.robot = robot
        self.home: Scene = scene(robot)
        self._drawn = _with_strokes(robot, self.home.sizes.extent, x)
        self._ways = ways_of(self._drawn)
        self._rest = self._pose(self.home.x).legs
        path = np.empty((0, robot.dof)) if x is None else np.asarray(x, dtype=float)
        self._some = path[:: max(len(path) // _SOME, 1)]
        self.parts: tuple[Solid, ...] = tuple(self._solids(self._pose(self.home.x)))
        self.still: tuple[Solid, ...] = tuple(s for s in self.home.solids if s.owner == "base")
        self.carried: tuple[Solid, ...] = tuple(s for s in self.home.solids if s.owner == "platform")

    def poses_on_the_way(self) -> list[tuple[Array, Array]]:
        """Positions and orientations of the platform at home and at some of the poses it will be shown at."""
        found = [(self.home.p_BP, self.home.R_BP)]
        for x in self._some:
            try:
                pose = self._pose(x).platform
            except PoseError:
                continue
            found.append((np.asarray(pose.p_BP, dtype=float), np.asarray(pose.R_BP, dtype=float)))
        return found

    def at(self, x: ArrayLike) -> Snapshot:
        """The robot at platform coordinates x (n,).

        Raises:
            PoseError: A leg does not reach.
        """
        return self._snapshot(self._pose(np.asarray(x, dtype=float)), x)

    def in_mode(self, modes: AssemblyModes, k: int) -> Snapshot:
        """The robot in an assembly mode, on whatever branches its legs are there.

        Raises:
            InputError: It is not known how a leg closes there.
        """
        return self._snapshot(mode_pose(modes, k, self._drawn), modes.x[k])

    def _snapshot(self, pose: RobotPose, x: ArrayLike) -> Snapshot:
        now = self._solids(pose)
        same = [a.shape if type(a.shape) is type(b.shape) else None for a, b in zip(now, self.parts, strict=False)]
        same += [None] * (len(self.parts) - len(same))
        places = [None if a is None else place_of(a, b.shape) for a, b in zip(same, self.parts, strict=True)]
        links = [leg.links[k] for leg in pose.legs for k, joint in enumerate(leg.leg.joints) if joint.actuated]
        return Snapshot(
            x=np.asarray(x, dtype=float),
            p_BP=np.asarray(pose.platform.p_BP, dtype=float),
            R_BP=np.asarray(pose.platform.R_BP, dtype=float),
            places=tuple(places),
            anchors=np.array([link.p for link in links], dtype=float),
            axes=np.array([link.e for link in links], dtype=float),
        )

    def _pose(self, x: Array) -> RobotPose:
        return reached(self._drawn, x, self._ways)

    def _solids(self, pose: RobotPose) -> list[Solid]:
        legs: tuple[LegPose, ...] = pose.legs
        of_legs = with_shared_rails(
            solid
            for leg, rest in zip(legs, self._rest, strict=True)
            for solid in leg_solids(leg, self.home.sizes, rest)
        )
        return [*of_legs, *spring_solids(pose, self.home.sizes), *screw_solids(pose, self.home.sizes)]


def _with_strokes(robot: Mechanism, extent: float, x: ArrayLike | None) -> Mechanism:
    """The mechanism with a stroke for each sliding actuator that states none, for the drawing alone."""
    poses = np.array([robot.platform.home]) if x is None else np.vstack([[robot.platform.home], x])
    travel = inverse_kinematics(robot, poses).q
    low, high = np.nanmin(travel, axis=0), np.nanmax(travel, axis=0)
    legs: list[Leg] = []
    k = 0
    for leg in robot.legs:
        joints = []
        for joint in leg.joints:
            if joint.actuated and joint.kind == "P" and joint.limits.stroke is None:
                room = 0.1 * extent
                least = max(float(low[k]) - room, 0.6 * float(low[k]) if joint.zero == 0 and low[k] > 0 else -np.inf)
                limits = replace(joint.limits, stroke=(least, float(high[k]) + room))
                joints.append(replace(joint, limits=limits))
            else:
                joints.append(joint)
            k += joint.actuated
        legs.append(replace(leg, joints=tuple(joints)))
    return replace(robot.mechanism, legs=tuple(legs))
