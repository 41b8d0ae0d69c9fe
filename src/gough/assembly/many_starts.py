"""Assembly modes of any robot: Newton's method on the closure of all legs from many starts, without a claim.

Unknowns are all platform coordinates and all passive joints; the equations are those of the joints themselves, so that
modes on any branch of any leg are found. Starts are always the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.singular import smallest
from gough.assembly.solutions import NO_CLAIM, Solutions, joined
from gough.errors import InputError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.chain import end_point, end_rotation
from gough.kinematics.closure.assembly import leg_size, own_joints, sizes_of
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.newton import coordinates_of as joint_coordinates
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.leg import build_links
from gough.kinematics.pose import platform_pose
from gough.robot import Platform, Robot
from gough.run import Program

STARTS = 1000
_STEPS = 60
_CLOSED = 1e-11
_SAME = 1e-6
_SEED = 1686


@dataclass(frozen=True, slots=True)
class ManyStarts:
    """The solver of a robot.

    Attributes:
        robot: Any without cables.
        platform: With all coordinates, dependent ones too.
        passive: For each leg the independent joints that no actuator drives.
        program: y (coordinates), u (passive joints), q (actuators) -> r, by_y, by_u, by_q, p, R.
        size: Of the machine [m].
    """

    robot: Robot
    platform: Platform
    passive: tuple[tuple[int, ...], ...]
    program: Program
    size: float

    def solve(self, q: Array, _starts: int) -> Solutions:
        """The poses found at displacements q (N, actuators)."""
        return joined([self._one(row) for row in q])

    def _one(self, q: Array) -> Solutions:
        y, u = self._starts()
        n = y.shape[1]
        asked = np.broadcast_to(q, (len(y), len(q)))
        weights = np.concatenate([[1.0 if c.turns else self.size for c in self.platform.coordinates], self._scales()])
        for _ in range(_STEPS):
            at = self.program(y=y, u=u, q=asked)
            J = np.concatenate([at["by_y"], at["by_u"]], axis=2) * weights
            step = _damped(J, at["r"]) * weights
            y, u = y - step[:, :n], u - step[:, n:]
        at = self.program(y=y, u=u, q=asked)
        good = np.abs(at["r"]).max(axis=1) <= _CLOSED * max(1.0, self.size)
        kept = self._different(at["p"], at["R"], np.flatnonzero(good))
        joints = self._joints(u[kept], asked[: len(kept)])
        value, side = self._singular({name: at[name][kept] for name in ("by_y", "by_u", "by_q")})
        none = np.zeros(0, dtype=int)
        return Solutions(
            sample=np.zeros(len(kept), dtype=int),
            p=at["p"][kept],
            R=at["R"][kept],
            certified=np.zeros(len(kept), dtype=bool),
            radius=np.full(len(kept), np.nan),
            complex=np.zeros(1, dtype=int),
            complex_sample=none,
            complex_p=np.zeros((0, 3), dtype=complex),
            complex_e=np.zeros((0, 4), dtype=complex),
            complete=np.zeros(1, dtype=bool),
            claim=(NO_CLAIM,),
            retried=np.zeros(1, dtype=bool),
            joints=joints,
            singular_value=value,
            side=side,
        )

    def _singular(self, by: dict[str, Array]) -> tuple[Array, NDArray[np.int_]]:
        """Smallest singular values of K, and signs of the closure Jacobian's determinant, 0 if it is not square."""
        names = [c.name for c in self.platform.coordinates]
        free = [names.index(name) for name in self.robot.coordinate_names]
        rest = [k for k in range(len(names)) if k not in free]
        others = np.concatenate([by["by_y"][:, :, rest], by["by_u"], by["by_q"]], axis=2)
        count = by["by_q"].shape[2]
        K = (np.linalg.pinv(others) @ -by["by_y"][:, :, free])[:, -count:]
        passive = np.concatenate([by["by_y"], by["by_u"]], axis=2)
        square = passive.shape[1] == passive.shape[2]
        side = np.sign(np.linalg.det(passive)).astype(int) if square else np.zeros(len(K), dtype=int)
        return smallest(self.robot, K), side

    def _starts(self) -> tuple[Array, Array]:
        """Poses and passive joints to begin with: home, and all around."""
        random = np.random.default_rng(_SEED)
        home = np.array(self.platform.home)
        turns = np.array([c.turns for c in self.platform.coordinates])
        wide, about = np.where(turns, np.pi, self.size), np.where(turns, 0.0, home)
        y = about + random.uniform(-1.0, 1.0, (STARTS, len(home))) * wide
        y[0] = home
        wide = np.where(self._turning(), np.pi, self._scales())
        return y, random.uniform(-1.0, 1.0, (STARTS, len(wide))) * wide

    def _scales(self) -> Array:
        """(m,) how large a change of each passive joint is."""
        found = []
        for leg, passive in zip(self.robot.legs, self.passive, strict=True):
            sizes = dict(zip(own_joints(leg), sizes_of(leg, self.platform), strict=True))
            found += [sizes[k] for k in passive]
        return np.array(found)

    def _turning(self) -> NDArray[np.bool_]:
        pairs = zip(self.robot.legs, self.passive, strict=True)
        return np.array([leg.joints[k].turns for leg, passive in pairs for k in passive], dtype=bool)

    def _different(self, p: Array, R: Array, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """Rows whose poses are different ones."""
        kept: list[int] = []
        for k in rows:
            far = [max(np.abs(p[k] - p[i]).max() / self.size, np.abs(R[k] - R[i]).max()) for i in kept]
            if min(far, default=1.0) > _SAME:
                kept.append(int(k))
        return np.array(kept, dtype=int)

    def _joints(self, u: Array, q: Array) -> Array:
        """(M, joints) displacements of all joints from their zeros; angles within half a turn."""
        columns, at, drive = [], 0, 0
        for leg, passive in zip(self.robot.legs, self.passive, strict=True):
            values: dict[int, Any] = {}
            for k in own_joints(leg):
                if k in passive:
                    values[k] = np.angle(np.exp(1j * u[:, at])) if leg.joints[k].turns else u[:, at]
                    at += 1
                else:
                    values[k] = q[:, drive] + leg.joints[k].zero
                    drive += 1
            for k, joint in enumerate(leg.joints):
                mimic = joint.mimic
                value = values[k] if mimic is None else mimic.ratio * values[mimic.joint] + mimic.offset
                columns.append(value - joint.zero)
        return np.stack(columns, axis=1)


def _damped(J: Array, r: Array) -> Array:
    """(N, n) steps of the Levenberg-Marquardt method, damped by the error itself, so that they end as Newton's."""
    normal = J.transpose(0, 2, 1) @ J
    size = np.linalg.norm(r, axis=1)
    damping = 1e-3 * size**2 + 1e-15 * np.einsum("nii->n", normal)
    normal = normal + damping[:, None, None] * np.eye(J.shape[2])
    return np.linalg.solve(normal, np.einsum("nji,nj->ni", J, r)[:, :, None])[:, :, 0]


@lru_cache(maxsize=32)
def many_starts(robot: Robot) -> ManyStarts:
    """The solver of a robot.

    Raises:
        InputError: It has cables.
    """
    if any(leg.cable is not None for leg in robot.legs):
        raise InputError(f"assembly modes: {robot.name} has cables, which hold no pose by themselves; try gough fk")
    platform = home_platform(robot)
    passive = tuple(tuple(k for k in own_joints(leg) if not leg.joints[k].actuated) for leg in robot.legs)
    size = max(leg_size(leg, platform) for leg in robot.legs)

    def equations(y: Vector, u: Vector, q: Vector) -> dict[str, Vector]:
        pose = platform_pose(platform, y)
        errors, at, drive = [], 0, 0
        for leg, mine in zip(robot.legs, passive, strict=True):
            own, values = own_joints(leg), []
            for k in own:
                if k in mine:
                    values.append(u[at])
                    at += 1
                else:
                    values.append(q[drive] + leg.joints[k].zero)
                    drive += 1
            p_end, R_end = end_target(leg, pose)
            links, _ = build_links(leg, joint_coordinates(leg, own, array(values)))
            errors.append(end_point(leg, links) - p_end)
            if leg.end.kind == "rigid":
                errors.append((end_rotation(leg, links) - R_end).ravel())
        r = np.concatenate(errors)
        return {
            "r": r,
            "by_y": jacobian(r, y),
            "by_u": jacobian(r, u),
            "by_q": jacobian(r, q),
            "p": pose.p_BP,
            "R": pose.R_BP,
        }

    sizes = {"y": len(platform.coordinates), "u": sum(map(len, passive)), "q": len(robot.actuators)}
    return ManyStarts(robot, platform, passive, Program(record(equations, **sizes)), size)


def whole(robot: Robot) -> Robot:
    """The robot as if no coordinate depended on others."""
    return replace(robot, platform=home_platform(robot), document=None) if robot.platform.dependent else robot
