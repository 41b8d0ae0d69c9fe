"""What is integrated: slides as they are, three turning coordinates as a quaternion, one or two as they are.

c (size,) holds the coordinates in their order, with the quaternion of R_BP (scalar first) at the end in place of three
turns; z (n,) are the free rates, w in base axes in place of three turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.graph import Array, Scalar, Vector, acos, array, asin, atan2, maximum, minimum, record, where
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.robot_pose import RobotPose, Ways, assembled, robot_pose
from gough.kinematics.singularity import SINGULAR
from gough.robot import Mechanism, Platform, by_mechanism
from gough.run import Program


def matrix_of(q: Vector) -> Vector:
    """(3, 3) rotation of a quaternion (4,), whatever its length."""
    a, b, c, d = q
    s = 2.0 / (a * a + b * b + c * c + d * d)
    return array(
        [
            [1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)],
            [s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)],
            [s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)],
        ]
    )


def quaternion_rate(q: Vector, w: Vector) -> Vector:
    """(4,) rate of a quaternion that turns with w (3,) in base axes: half of w times q."""
    a, b, c, d = q
    x, y, z = w
    return (
        array(
            [
                -(x * b + y * c + z * d),
                x * a + y * d - z * c,
                y * a + z * b - x * d,
                z * a + x * c - y * b,
            ]
        )
        * 0.5
    )


def quaternion_of(R: Vector) -> Vector:
    """(4,) unit quaternion of a rotation matrix, scalar part not negative; on the largest of four pivots."""
    t0, t1, t2 = R[0, 0], R[1, 1], R[2, 2]
    choices = [
        [1.0 + t0 + t1 + t2, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], 1.0 + t0 - t1 - t2, R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], 1.0 - t0 + t1 - t2, R[1, 2] + R[2, 1]],
        [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 1.0 - t0 - t1 + t2],
    ]
    best, size = array(choices[0]), choices[0][0]
    for k in range(1, 4):
        larger = choices[k][k] > size
        best = where(larger, array(choices[k]), best)
        size = where(larger, choices[k][k], size)
    length = (best @ best) ** 0.5
    return best * (where(best[0] < 0.0, -1.0, 1.0) / length)


def angles_of(sequence: str, R: Vector) -> Vector:
    """(3,) angles with R = R_i(a) R_j(b) R_k(c) for a sequence such as "zyx" or "zyz" [rad].

    Where the middle angle makes the outer two indistinct (at +-pi/2, or at 0 and pi for a repeated axis), any split of
    them is as good as another, and what comes out is one of them only as far as round-off allows.
    """
    i, j, k = ("xyz".index(letter) for letter in sequence)
    if i != k:
        s = _parity(i, j)
        middle = asin(_within(R[i, k] * s))
        return array([atan2(R[j, k] * -s, R[k, k]), middle, atan2(R[i, j] * -s, R[i, i])])
    k = 3 - i - j
    s = _parity(i, j)
    return array([atan2(R[j, i], R[k, i] * -s), acos(_within(R[i, i])), atan2(R[i, j], R[i, k] * s)])


def _parity(i: int, j: int) -> float:
    return 1.0 if (j - i) % 3 == 1 else -1.0


def _within(value: Scalar) -> Scalar:
    return maximum(-1.0, minimum(1.0, value))


def turning_sequence(platform: Platform) -> str:
    """Axes of the turning coordinates in their order, e.g. "zyx"."""
    return "".join(c.motion[1] for c in platform.coordinates if c.turns)


def turning_places(platform: Platform) -> list[int]:
    """Places of the turning coordinates."""
    return [k for k, c in enumerate(platform.coordinates) if c.turns]


def free_turns(platform: Platform) -> list[int]:
    """Places of three turning coordinates that w in base axes, or a quaternion, can stand for; empty if there are none.

    Where others depend on them they stay as they are: what follows them is determined by their own rates.
    """
    places = turning_places(platform)
    return places if len(places) == 3 and not platform.dependent else []


def relative(platform: Platform, R_BP: Vector) -> Vector:
    """(3, 3) rotation that the turning coordinates make up: R_origin^T R_BP."""
    origin = array(platform.rotation)
    return R_BP if np.array_equal(np.asarray(platform.rotation, dtype=object), np.eye(3)) else origin.T @ R_BP


@dataclass(frozen=True)
class Configuration:
    """The configuration space of a robot."""

    robot: Mechanism

    @property
    def turns(self) -> list[int]:
        """Places of the three turning coordinates that a quaternion stands for; empty if it does not."""
        return free_turns(self.robot.platform)

    @property
    def size(self) -> int:
        """Number of entries of c."""
        return self.robot.dof + (1 if self.turns else 0)

    def of_coordinates(self, x: Vector) -> Vector:
        """(size,) c at the platform coordinates x (n,)."""
        if not self.turns:
            return array(x)
        slides = [x[k] for k in range(len(x)) if k not in self.turns]
        return array([*slides, *quaternion_of(platform_pose(self.robot.platform, x).R_BP)])

    def coordinates(self, c: Vector) -> Vector:
        """(n,) platform coordinates at c, angles in their principal range [m or rad]."""
        if not self.turns:
            return array(c)
        return self.with_orientation(c[:-4], matrix_of(c[-4:]))

    def with_orientation(self, slides: Vector, R_BP: Vector) -> Vector:
        """(n,) platform coordinates of the sliding ones and an orientation, for robots with three turning ones."""
        angles = iter(angles_of(turning_sequence(self.robot.platform), relative(self.robot.platform, R_BP)))
        rest = iter(slides)
        return array([next(angles) if k in self.turns else next(rest) for k in range(self.size - 1)])

    def platform(self, c: Vector) -> PlatformPose:
        """The platform's pose at c, with free rates, where no coordinate depends on others."""
        if not self.turns:
            return platform_pose(self.robot.platform, c)
        slides = iter(c[:-4])
        still = array([0.0 if k in self.turns else next(slides) for k in range(self.size - 1)])
        at = platform_pose(self.robot.platform, still)
        return PlatformPose(at.p_BP, matrix_of(c[-4:]), at.columns, at.turns).free()

    def pose(self, ways: Ways, c: Vector) -> RobotPose:
        """The whole robot at c, with free rates."""
        if not self.turns:
            return robot_pose(self.robot, ways, c)
        iterates = any(way.form is None for way in ways.legs)
        x = self.coordinates(c) if iterates else None
        return assembled(self.robot, ways, x, self.platform(c))

    def rate(self, c: Vector, z: Vector) -> Vector:
        """(size,) rate of c at free rates z."""
        if not self.turns:
            return array(z)
        slides = [z[k] for k in range(len(z)) if k not in self.turns]
        return array([*slides, *quaternion_rate(c[-4:], [z[k] for k in self.turns])])

    def moved(self, c: Vector, d: Vector) -> Vector:
        """(size,) c after a small displacement d (n,) along the free rates, to first order; orientations stay so."""
        return self.normalised(c + self.rate(c, d))

    def apart(self, c: Vector, other: Vector) -> Vector:
        """(n,) displacement along the free rates from `other` to c: turns as twice the sine of half the angle."""
        if not self.turns:
            return c - other
        a, b = c[-4:], other[-4:]
        sign = where(a @ b < 0.0, -2.0, 2.0)
        turn = iter(
            array(
                [
                    a[1] * b[0] - a[0] * b[1] - a[2] * b[3] + a[3] * b[2],
                    a[2] * b[0] - a[0] * b[2] - a[3] * b[1] + a[1] * b[3],
                    a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                ]
            )
            * sign
        )
        slide = iter(c[:-4] - other[:-4])
        return array([next(turn) if k in self.turns else next(slide) for k in range(self.size - 1)])

    def free_rates(self, x: Vector, xd: Vector) -> Vector:
        """(n,) z of coordinate rates xd at x."""
        if not self.turns:
            return array(xd)
        return platform_pose(self.robot.platform, x).chart() @ array(xd)

    def normalised(self, c: Vector) -> Vector:
        """c with its quaternion brought back to length one."""
        if not self.turns:
            return c
        q = c[-4:]
        return np.concatenate([c[:-4], q / (q @ q) ** 0.5])


@by_mechanism(64)
def charts(robot: Mechanism) -> tuple[Program, Program]:
    """Programs from x to c and from c to x."""
    space, n = Configuration(robot), robot.dof
    return (
        Program(record(lambda x: {"out": space.of_coordinates(x)}, x=n)),
        Program(record(lambda c: {"out": space.coordinates(c)}, c=space.size)),
    )


@by_mechanism(32)
def chart_program(robot: Mechanism) -> Program:
    """From x to S (n, n): free rates = S xd."""
    return Program(record(lambda x: platform_pose(robot.platform, x).chart(), x=robot.dof))


def coordinate_rates(robot: Mechanism, x: Array, z: Array) -> Array:
    """(N, n) xd = S^-1 z, NaN where the coordinates' own chart is singular."""
    if not free_turns(robot.platform):
        return np.array(z)
    S = chart_program(robot)(x=np.ascontiguousarray(x))
    regular = np.isfinite(S).all(axis=(1, 2))
    regular[regular] = np.linalg.cond(S[regular]) < SINGULAR
    xd = np.full(np.shape(z), np.nan)
    if regular.any():
        xd[regular] = np.linalg.solve(S[regular], z[regular][..., None])[..., 0]
    return xd
