"""A robot at a pose as solids, with the points a drawing names, and from where it is best seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gough.display import SMALL
from gough.graph import Array
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.kinematics.status import judge
from gough.robot import Mechanism, Robot, by_mechanism
from gough.view.drawing.base_and_platform import base_solids, grounded, platform_solids
from gough.view.drawing.camera import Camera, Window, around, looking
from gough.view.drawing.machine_parts import Sizes, guide, leg_solids, mount, sizes_for
from gough.view.drawing.raster import look
from gough.view.drawing.screw_solids import screw_solids
from gough.view.drawing.shared_rails import with_shared_rails
from gough.view.drawing.solids import Solid
from gough.view.drawing.spherical import sphere_of
from gough.view.drawing.spring_solids import spring_solids


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn.

    Attributes:
        robot: The robot.
        x: (n,) its platform coordinates.
        solids: All of its parts.
        sizes: Sizes of its parts.
        up: (3,) axis of B that is upright on paper.
        names: Where each leg's name goes, by name (3,) [m].
        p_BP, R_BP: The platform's pose.
        flat: The machine lies in one plane across `up`.
    """

    robot: Mechanism
    x: Array
    solids: tuple[Solid, ...]
    sizes: Sizes
    up: Array
    names: dict[str, Array]
    p_BP: Array
    R_BP: Array
    flat: bool

    def frames(self) -> dict[str, tuple[Array, Array]]:
        """Origin and orientation of frames B and P by name, both under one where they meet; B only where it is near."""
        P, B = (self.p_BP, self.R_BP), (np.zeros(3), np.eye(3))
        middle = self.reach(np.eye(3)).mean(0)
        if float(np.linalg.norm(middle)) > self.sizes.extent:
            return {"P": P}
        meet = np.allclose(self.p_BP, 0.0, atol=1e-4 * self.sizes.extent) and np.allclose(self.R_BP, B[1], atol=1e-3)
        return {"B P": B} if meet else {"B": B, "P": P}

    def reach(self, axes: Array) -> Array:
        """(2, m) least and largest coordinate of all solids along the rows of `axes` (m, 3), unit vectors."""
        ends = np.array([solid.shape.reach(axes) for solid in self.solids])
        return np.array([ends[:, 0].min(0), ends[:, 1].max(0)])


def scene(robot: Mechanism, x: ArrayLike | None = None) -> Scene:
    """The scene of a robot of plain numbers at platform coordinates x (n,), home unless given.

    Raises:
        PoseError: A leg does not reach.
    """
    place = np.asarray(robot.platform.home if x is None else x, dtype=float)
    return scene_of(reached(robot, place), place)


def scene_of(pose: RobotPose, x: Array) -> Scene:
    """The scene of a robot at a pose, at platform coordinates x (n,); its base and its sizes are those of home."""
    robot, home = pose.robot, home_pose(pose.robot)
    points = _joints(home)
    sizes, up = sizes_for(points), upright(robot.gravity)
    solids = [*base_solids(home, sizes, up), *platform_solids(pose, sizes, up)]
    solids += with_shared_rails(
        solid for leg, rest in zip(pose.legs, home.legs, strict=True) for solid in leg_solids(leg, sizes, rest)
    )
    solids += [*spring_solids(pose, sizes), *screw_solids(pose, sizes)]
    return Scene(
        robot=robot,
        x=x,
        solids=tuple(solids),
        sizes=sizes,
        up=up,
        names=_names(home, sizes),
        p_BP=np.asarray(pose.platform.p_BP, dtype=float),
        R_BP=np.asarray(pose.platform.R_BP, dtype=float),
        flat=float(np.ptp(points @ up)) < 0.05 * sizes.extent,
    )


def _joints(pose: RobotPose) -> Array:
    """(m, 3) where joints are [m]; of bent bars also their feet, and those mirrored in the point where they meet."""
    points = np.array([p for leg in pose.legs for p in [*[link.p for link in leg.links], mount(leg, 0)]], dtype=float)
    points = np.vstack([points, [pose.platform.p_BP + leg.r_end for leg in pose.legs]])
    bent = [sphere.foot for leg in pose.legs if (sphere := sphere_of(leg)) is not None]
    return np.vstack([points, *bent, *[2 * points[0] - foot for foot in bent]])


@by_mechanism(8)
def home_pose(robot: Mechanism) -> RobotPose:
    """A robot of plain numbers at home."""
    return reached(robot, np.asarray(robot.platform.home, dtype=float))


def upright(gravity: ArrayLike) -> Array:
    """The axis of B, or its opposite, that points most against gravity; z without gravity."""
    g = np.asarray(gravity, dtype=float)
    axis = int(np.argmax(np.abs(g) + [0.0, 0.0, 1e-12]))
    up = np.zeros(3)
    up[axis] = -1.0 if g[axis] > 0 else 1.0
    return up


def reached(robot: Mechanism, x: Array, ways: Ways | None = None) -> RobotPose:
    """The robot at x (n,); how its legs close is found unless given as `ways`.

    Raises:
        PoseError: A leg does not reach.
    """
    with np.errstate(all="ignore"):
        pose = robot_pose(robot, ways or ways_of(robot), x)
    short = np.array([[leg.closure.short for leg in pose.legs]], dtype=float)
    verdict = judge(short, np.array([[leg.closure.converged for leg in pose.legs]], dtype=bool), robot=robot, x=x)
    verdict.lost(robot, single=True)
    return pose


def _names(pose: RobotPose, sizes: Sizes) -> dict[str, Array]:
    """A point near the base of each leg."""
    centre = np.asarray(pose.platform.p_BP, dtype=float)
    names = {}
    for leg in pose.legs:
        slides, sphere = grounded(leg, "P"), sphere_of(leg)
        foot = mount(leg, 0) if sphere is None else sphere.foot + sphere.axes[0] * 3.2 * sizes.motor
        names[leg.leg.name] = guide(leg, slides[0], sizes, centre).far if slides else foot
    return names


def is_small(robot: Robot) -> bool:
    """Whether a machine is better measured in millimetres: its joints lie within half a metre at home."""
    return scene(robot).sizes.extent < SMALL


_AZIMUTH = 20.0
_COARSE = 120


def front_of(scene: Scene) -> Array:
    """(3,) horizontal axis of B towards a viewer in front, so that the platform moves sideways for him."""
    moves = {c.motion for c in scene.robot.platform.coordinates}
    aside = 1 if "y" in moves and "x" not in moves else 0
    right = np.eye(3)[aside]
    if abs(right @ scene.up) > 0.5:
        right = np.eye(3)[(aside + 1) % 3]
    return np.asarray(np.cross(right, scene.up))


def front_view(scene: Scene) -> Camera:
    """The view from the front."""
    return looking(front_of(scene), scene.up)


def plan_view(scene: Scene) -> Camera:
    """The view from above, what is in front at the bottom."""
    return looking(scene.up, -front_of(scene))


def best_view(scene: Scene) -> Camera:
    """The view from above and beside the front, from the side that shows more of every leg."""
    elevation = 55.0 if scene.flat else 20.0
    sides = [around(scene.up, front_of(scene), side * _AZIMUTH, elevation) for side in (-1, 1)]
    return max(sides, key=lambda camera: _shown(scene, camera))


def _shown(scene: Scene, camera: Camera) -> float:
    """Mean logarithm of the samples each leg has in a coarse picture."""
    (x, y), half = scene.reach(camera.view[:2]).mean(0), scene.sizes.extent
    window = Window(x - half, x + half, y - half, y + half)
    seen = look(scene.solids, camera, window, (_COARSE, _COARSE))
    owners = np.array([solid.owner for solid in scene.solids] + [""])[seen.which]
    return float(np.mean([np.log1p(np.sum(owners == leg.name)) for leg in scene.robot.legs]))
