"""A platform's pose as other controllers state it: fixed axes, U-V-W, a quaternion.

Each states the place and the orientation R of the robot's tool frame in the base; the robot's own coordinates state
those of the platform:

    robot       the robot's own coordinates
    fixed-xyz   x y z rx ry rz: turns about the base's x, then y, then z, which stand still: R = Rz Ry Rx
    uvw         x y z u v w: turns about the tool frame's x, then y, then z, which move along: R = Rx Ry Rz
    quaternion  x y z qw qx qy qz, scalar first

Rates and accelerations are the time derivatives of these values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.graph import Array
from gough.motion import quaternion
from gough.motion.moving_frames import Chart, Frames, Rows, platform_chart
from gough.robot import Frame, Mechanism
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import shown

NAMES = ("robot", "fixed-xyz", "uvw", "quaternion")
SAME = 1e-6
"""How far a pose may be from one the robot can have [m, rad], its rates by this share: values have six digits."""


class Value(NamedTuple):
    """A number of a pose: its name and what it moves: x y z slide, rx ry rz turn, q is part of a quaternion."""

    name: str
    motion: str

    @property
    def turns(self) -> bool:
        """Whether it is an angle."""
        return self.motion in ("rx", "ry", "rz")


class NoSuchPose(Exception):
    """Values that the robot's coordinates cannot make up: in which row, and why as a clause."""

    def __init__(self, row: int, reason: str) -> None:
        """The reason."""
        super().__init__(reason)
        self.row, self.reason = row, reason


_PLACE = (Value("x", "x"), Value("y", "y"), Value("z", "z"))
_TURNS = {
    "fixed-xyz": (Value("rx", "rx"), Value("ry", "ry"), Value("rz", "rz")),
    "uvw": (Value("u", "rx"), Value("v", "ry"), Value("w", "rz")),
    "quaternion": tuple(Value(name, "q") for name in ("qw", "qx", "qy", "qz")),
}
VALUE_NAMES = tuple(dict.fromkeys(value.name for value in (*_PLACE, *(v for turns in _TURNS.values() for v in turns))))
"""Names of the numbers that state poses in conventions other than a robot's own."""
_CHARTS = {
    "fixed-xyz": Chart(("x", "y", "z", "rx", "ry", "rz"), (5, 4, 3)),
    "uvw": Chart(("x", "y", "z", "rx", "ry", "rz"), (3, 4, 5)),
}


@dataclass(frozen=True, slots=True)
class Convention:
    """How poses are stated: a name of `NAMES`. All but "robot" state where the robot's tool frame is."""

    name: str = "robot"

    def __post_init__(self) -> None:
        """Raises InputError for a name that is none."""
        if self.name not in NAMES:
            raise InputError(f"convention {self.name}: no such convention ({did_you_mean(self.name, NAMES)})")

    def described(
        self, robot: Mechanism, length: tuple[float, str] = (1.0, "m"), angle: tuple[float, str] = (1.0, "rad")
    ) -> str:
        """What the numbers mean, in words; lengths and angles in units, each a factor and a name."""
        if self.name == "robot":
            return "the robot's own coordinates, each turn about the already turned axis"
        tool = robot.tool
        of, at = "platform's", "position of the platform's origin"
        if not tool.is_identity:
            of, at = "tool's", f"position of the tool {tool_text(tool, length, angle)}"
        turns = {
            "fixed-xyz": "turns rx, ry, rz about the base's fixed x, then y, then z: R = Rz Ry Rx",
            "uvw": f"turns u, v, w about the {of} own x, then y, then z: R = Rx Ry Rz",
            "quaternion": "unit quaternion qw, qx, qy, qz, scalar first",
        }
        return f"{self.name}: {at}; {turns[self.name]}"

    def values(self, robot: Mechanism) -> tuple[Value, ...]:
        """The numbers that state a pose, in their order."""
        if self.name == "robot":
            return tuple(Value(c.name, c.motion) for c in robot.platform.coordinates)
        if robot.platform.dependent:
            follows, own = ", ".join(robot.dependent_names), ", ".join(robot.coordinate_names)
            raise InputError(f"convention {self.name}: {follows} of {robot.name} follow {own}; state these instead")
        return (*_PLACE, *_TURNS[self.name])

    def stated(self, robot: Mechanism, x: ArrayLike) -> tuple[float, ...]:
        """The values of a pose given in platform coordinates x (n,) [m and rad]."""
        return tuple(self.stated_rows(robot, np.array([x], dtype=float))[0][0].tolist())

    def stated_rows(self, robot: Mechanism, x: Array, xd: Array | None = None, xdd: Array | None = None) -> Rows:
        """Values (N, m) of platform coordinates (N, n), with rates and accelerations as far as those are given.

        Raises:
            NoSuchPose: Rates are given where the convention's angles are singular.
        """
        if self.name == "robot":
            return tuple(rows for rows in (x, xd, xdd) if rows is not None)
        frames = platform_chart(robot.platform).frames(x, xd, xdd).at(robot.tool.position).turned(robot.tool.rotation)
        if self.name == "quaternion":
            return _quaternion_rows(frames)
        try:
            return _CHARTS[self.name].coordinates(frames, np.zeros(6))
        except ZeroDivisionError as error:
            reason = f"the angles of {self.name} have no rates there: two of their axes fall together"
            raise NoSuchPose(int(error.args[0]), reason) from None

    def solved(self, robot: Mechanism, values: Sequence[float], units: Units | None = None) -> tuple[float, ...]:
        """Platform coordinates (n,) of a pose given by its values.

        Raises:
            InputError: The robot cannot move there: it has no coordinate for that; or a quaternion is zero.
        """
        try:
            return tuple(self.solved_rows(robot, np.array([values], dtype=float), units=units)[0][0].tolist())
        except NoSuchPose as error:
            raise InputError(f"--pose: {error.reason}") from None

    def solved_rows(
        self,
        robot: Mechanism,
        values: Array,
        rates: Array | None = None,
        accelerations: Array | None = None,
        near: ArrayLike | None = None,
        units: Units | None = None,
        separate: bool = False,
    ) -> Rows:
        """Platform coordinates (N, n), with rates and accelerations as far as those of the values (N, m) are given.

        Args:
            robot: The robot whose coordinates they are.
            values, rates, accelerations: Of this convention.
            near: (n,) coordinates from which turns are continued; home if left out.
            units: In which messages speak.
            separate: Each row is a pose by itself: turns are not continued from one to the next.
        Raises:
            NoSuchPose: The robot has no coordinates for that; a quaternion is zero; rates where its angles are
                singular.
        """
        if self.name == "robot":
            return tuple(rows for rows in (values, rates, accelerations) if rows is not None)
        if self.name == "quaternion":
            zero = np.flatnonzero(~(np.linalg.norm(values[:, 3:], axis=1) > 0.0))
            if len(zero):
                raise NoSuchPose(int(zero[0]), "the quaternion qw, qx, qy, qz must not be zero")
            target = _quaternion_frames(values, rates, accelerations)
        else:
            target = _CHARTS[self.name].frames(values, rates, accelerations)
        back = tuple(zip(*robot.tool.rotation, strict=True))
        target = target.turned(back).at([-v for v in robot.tool.position])
        chart = platform_chart(robot.platform)
        start = np.array(robot.platform.home if near is None else near, dtype=float)
        try:
            found = chart.coordinates(target, start, separate)
        except ZeroDivisionError as error:
            names = ", ".join(robot.platform.coordinates[k].name for k in chart.order)
            reason = f"the angles {names} of {robot.name} have no rates there: two of their axes fall together"
            raise NoSuchPose(int(error.args[0]), reason) from None
        self._check(robot, target, chart.frames(*found), units)
        return found

    def _check(self, robot: Mechanism, target: Frames, found: Frames, units: Units | None) -> None:
        """Refuse what the robot's coordinates do not make up."""
        names = ", ".join(c.name for c in robot.platform.coordinates)
        only = f"{robot.name} moves in {names} only and"
        turned = np.einsum("nij,nij->n", target.R - found.R, target.R - found.R) ** 0.5 / 2**0.5
        for difference, kind in ((np.linalg.norm(target.p - found.p, axis=1), "length"), (turned, "angle")):
            row = int(np.argmax(difference))
            if difference[row] > SAME:
                size = float(difference[row])
                size = size if kind == "length" else 2.0 * float(np.arcsin(min(1.0, size / 2.0)))
                far = shown(size, kind, units)
                hint = "leave the other values at home"
                raise NoSuchPose(row, f"{only} comes no nearer than {far} off by {self.name}; {hint}")
        rates = (("rates", "v", "w"), ("accelerations", "a", "wd"))
        for what, *keys in rates:
            for key in keys:
                one, other = getattr(target, key), getattr(found, key)
                if one is None or other is None:
                    continue
                difference = np.linalg.norm(one - other, axis=1)
                row = int(np.argmax(difference))
                if difference[row] > SAME * max(1.0, float(np.linalg.norm(one, axis=1).max())):
                    raise NoSuchPose(
                        row, f"{only} cannot follow these {what} by {self.name}; leave the other values at rest"
                    )


OWN = Convention()
"""The robot's own coordinates."""


def convention(name: str | Convention | None) -> Convention:
    """The convention of a name; by default the robot's own coordinates.

    Raises:
        InputError: An unknown name.
    """
    if isinstance(name, Convention):
        return name
    return Convention("robot" if name is None else name)


def tool_text(tool: Frame, length: tuple[float, str], angle: tuple[float, str]) -> str:
    """Where a tool frame is: "at (0, 0, 150) mm of the platform, turned by 30 deg about (0, 0, 1)"."""
    point = ", ".join(f"{length[0] * v:g}" for v in tool.position)
    text = f"at ({point}) {length[1]} of the platform"
    if tool.unturned:
        return text
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_matrix(tool.rotation).as_rotvec()
    size = float(np.linalg.norm(turn))
    axis = ", ".join(f"{v + 0.0:.4g}" for v in turn / size)
    return f"{text}, turned by {angle[0] * size:.6g} {angle[1]} about ({axis})"


def _quaternion_rows(frames: Frames) -> Rows:
    q = quaternion.of_matrices(frames.R)
    rows = [np.hstack([frames.p, q])]
    if frames.v is not None and frames.w is not None:
        qd = quaternion.rates(q, frames.w)
        rows.append(np.hstack([frames.v, qd]))
        if frames.a is not None and frames.wd is not None:
            qdd = quaternion.rates(q, frames.wd) + quaternion.rates(qd, frames.w)
            rows.append(np.hstack([frames.a, qdd]))
    return tuple(rows)


def _quaternion_frames(values: Array, rates: Array | None, accelerations: Array | None) -> Frames:
    p, q = values[:, :3], values[:, 3:]
    R = quaternion.matrices(q)
    if rates is None:
        return Frames(p, R)
    qd = rates[:, 3:]
    w = quaternion.velocity(q, qd)
    if accelerations is None:
        return Frames(p, R, rates[:, :3], w)
    wd = quaternion.acceleration(q, qd, accelerations[:, 3:])
    return Frames(p, R, rates[:, :3], w, accelerations[:, :3], wd)
