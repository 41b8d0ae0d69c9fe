"""`State`: the operating condition of a robot at an instant, or at N instants; `BaseState`: how its base moves then.

An array given in place of a state is x, at rest, without a load, on a base that stands still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, Input, Vector, record
from gough.motion.columns import WRENCH
from gough.robot import Mechanism
from gough.robot.actuator_quantities import wrench_in_si
from gough.run import Program
from gough.run.arrays import converted

if TYPE_CHECKING:
    from gough.motion.motion import Motion
    from gough.robot import Robot
    from gough.table.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class BaseState:
    """Motion of a robot's base in the world, at an instant or at N instants, in the axes of the world.

    The world is where the robot's gravity is stated; its axes are those of a base that is not turned.

    Attributes:
        rotation: (3, 3) or (N, 3, 3) from base axes to those of the world; None for a base that is not turned.
        acceleration: (3,) or (N, 3) of the base's origin [m/s^2].
        w, wd: (3,) or (N, 3) angular velocity and acceleration [rad/s, rad/s^2].
    """

    __repr__ = brief

    rotation: Array
    acceleration: Array
    w: Array
    wd: Array

    def __init__(
        self,
        rotation: ArrayLike | None = None,
        acceleration: ArrayLike = (0.0, 0.0, 0.0),
        w: ArrayLike = (0.0, 0.0, 0.0),
        wd: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Check shapes.

        Raises:
            InputError: A shape that does not fit, or a rotation that is none.
        """
        counts: dict[str, int] = {}
        _put(self, "rotation", _rows("base rotation", np.eye(3) if rotation is None else rotation, (3, 3), counts))
        for name, given in (("acceleration", acceleration), ("w", w), ("wd", wd)):
            _put(self, name, _rows(f"base {name}", given, (3,), counts))
        _check_counts(counts)

    def felt(self, gravity: ArrayLike) -> Array:
        """(9,) or (N, 9) the input "base" of programs: gravity as the base feels it, w and wd, all in base axes.

        Args:
            gravity: (3,) acceleration of free fall in the axes of the world [m/s^2].
        """
        turned = self.rotation.reshape(*self.rotation.shape[:-2], 9)
        return _felt()(R=turned, a=self.acceleration, w=self.w, wd=self.wd, gravity=np.asarray(gravity, dtype=float))

    def at(self, rows: Any) -> BaseState:
        """The base at one of the instants, or at several."""
        turned = self.rotation[rows] if self.rotation.ndim == 3 else self.rotation
        return BaseState(turned, *(v[rows] if v.ndim == 2 else v for v in (self.acceleration, self.w, self.wd)))


class MovingBase(Protocol):
    """How a base moves over time."""

    @property
    def name(self) -> str:
        """For tables."""

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times at which an analytic piece of its motion begins or ends [s]."""

    @property
    def analytic(self) -> bool:
        """Whether it is analytic between them."""

    def state(self, t: NDArray[np.floating[Any]]) -> BaseState:
        """How it moves at times t (N,).

        Raises:
            MotionError: A time at which it is not known.
        """


@lru_cache(maxsize=1)
def _felt() -> Program:
    def equations(R: Vector, a: Vector, w: Vector, wd: Vector, gravity: Vector) -> Vector:
        into = np.reshape(R, (3, 3)).T
        return np.concatenate([into @ (gravity - a), into @ w, into @ wd])

    return Program(record(equations, R=9, a=3, w=3, wd=3, gravity=3))


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The operating condition of a robot at an instant, or at N instants with a leading axis.

    Shapes and names are checked, numbers where they are used. What is None is at rest, unloaded, standing still.

    Attributes:
        x: (n,) or (N, n) platform coordinates [m or rad].
        xd, xdd: Their rates and accelerations [per s, per s^2].
        wrench: (6,) or (N, 6) external force and moment on the platform, base axes, at the robot's tool [N, N m], given
            as numbers or as texts with their units, "2 kN".
        base: How the base moves.
        t: A number or (N,) times [s].
        coordinates: Names of the coordinates; None where they are not known.
        motion: The motion that it was sampled from, or None: its name and remarks go with results.
    """

    __repr__ = brief

    x: Array
    xd: Any
    xdd: Any
    wrench: Any
    base: BaseState | None
    t: Any
    coordinates: tuple[str, ...] | None
    motion: Motion | None

    def __init__(
        self,
        x: ArrayLike,
        xd: ArrayLike | None = None,
        xdd: ArrayLike | None = None,
        *,
        wrench: ArrayLike | None = None,
        base: BaseState | None = None,
        t: ArrayLike | None = None,
        coordinates: Sequence[str] | None = None,
        motion: Motion | None = None,
    ) -> None:
        """Check shapes.

        Raises:
            InputError: A shape that does not fit; accelerations without rates; a base that is no `BaseState`.
        """
        if xdd is not None and xd is None:
            raise InputError("xdd: accelerations need rates too; give xd")
        counts: dict[str, int] = {}
        n = _size(x) if coordinates is None else len(coordinates)
        pose = _rows("x", x, (n,), counts)
        _put(self, "xd", None if xd is None else _rows("xd", xd, (n,), counts))
        _put(self, "xdd", None if xdd is None else _rows("xdd", xdd, (n,), counts))
        _put(self, "wrench", None if wrench is None else _rows("wrench", wrench_in_si("wrench", wrench), (6,), counts))
        own: object = base
        if own is not None and not isinstance(own, BaseState):
            hint = "a motion on a base that moves is Motion.on_base"
            raise InputError(f"base: {type(own).__name__} given, must be a BaseState ({hint})")
        _put(self, "base", base)
        _put(self, "t", None if t is None else _rows("t", t, (), counts))
        _put(self, "coordinates", None if coordinates is None else tuple(coordinates))
        _put(self, "motion", motion)
        if len(counts) > 1:
            _check_counts(counts)
        if counts and pose.ndim == 1:
            pose = np.tile(pose, (next(iter(counts.values())), 1))
        _put(self, "x", pose)

    @property
    def is_single(self) -> bool:
        """Whether it is that of one instant, without a leading axis."""
        return self.x.ndim == 1

    def __len__(self) -> int:
        """How many instants."""
        return 1 if self.is_single else len(self.x)

    def __array__(self, *_: object, **__: object) -> NoReturn:
        """Refuse to be taken for an array: which of its parts would it be?"""
        raise InputError("state: is no array of numbers; its parts are x, xd, xdd, wrench and base")

    def __getitem__(self, rows: Any) -> State:
        """The state at one of its instants, or at several.

        Raises:
            InputError: It is that of a single instant.
        """
        if self.is_single:
            raise InputError("state: of a single instant, has no rows; where an array is expected give its x")
        own = [None if v is None else v[rows] if v.ndim == 2 else v for v in (self.xd, self.xdd, self.wrench)]
        t = self.t[rows] if self.t is not None and self.t.ndim else self.t
        base = None if self.base is None else self.base.at(rows)
        names, motion = self.coordinates, self.motion
        return State(self.x[rows], *own[:2], wrench=own[2], base=base, t=t, coordinates=names, motion=motion)

    @classmethod
    def of(cls, robot: Mechanism, given: StateLike) -> State:
        """What is given as a state of a robot; an array is x.

        Raises:
            InputError: It is a state of other coordinates, or no state.
        """
        state = given if isinstance(given, State) else cls(given)
        if state.coordinates is not None and state.coordinates != robot.coordinate_names:
            own, theirs = ", ".join(robot.coordinate_names), ", ".join(state.coordinates)
            raise InputError(f"state: is for coordinates {theirs}; {robot.name} has {own}")
        return state

    def inputs(self, robot: Mechanism, *names: str) -> dict[str, Any]:
        """Inputs of programs by name: those of `names` that it has, rates and accelerations zero where it has none.

        Args:
            robot: Whose state it is: its gravity is what the base feels.
            names: Of x, xd, xdd, wrench, base; all by default.
        """
        found: dict[str, Any] = {}
        for name in names or ("x", "xd", "xdd", "wrench", "base"):
            value = getattr(self, name)
            if name in ("xd", "xdd") and value is None:
                value = np.zeros(self.x.shape)
            elif name == "base" and value is not None:
                value = value.felt(robot.gravity)
            if value is not None:
                found[name] = value
        return found

    def without_base(self, what: str) -> State:
        """The state itself, if its base stands still.

        Raises:
            InputError: The base moves, which `what` does not take into account.
        """
        if self.base is not None:
            raise InputError(f"{what}: takes no motion of the base into account; give a state without base")
        return self

    @property
    def table(self) -> Table:
        """The states as named columns: t, coordinates, rates, accelerations and wrench."""
        return self._table([""] * self.x.shape[-1])

    def to_csv(self, robot: Robot | None = None) -> str:
        """CSV text that `Motion.read_csv` takes, in SI units, every number in full.

        Args:
            robot: Whose coordinates they are: the header then names every unit, so that the text is read alike
                whatever units are said to be those of columns without one.

        Raises:
            InputError: The base moves.
        """
        if self.base is not None:
            raise InputError("state: its base moves, and CSV has no columns for that; write the states without base")
        if robot is None:
            return self.table.to_csv()
        return self._table(["rad" if c.turns else "m" for c in robot.platform.coordinates]).to_csv(units="")

    def _table(self, lengths: list[str]) -> Table:
        """The table with units (n,) of the coordinates, nothing where they are not known."""
        from gough.table.table import Block, Table

        names = self.coordinates or tuple(f"x{k + 1}" for k in range(len(lengths)))
        axes, blocks = {"coordinate": names}, []
        if self.t is not None:
            blocks.append(Block("t", np.atleast_1d(self.t), "s"))
        for name, per in (("x", ""), ("xd", "/s"), ("xdd", "/s^2")):
            units, values = [unit + per if unit else "" for unit in lengths], getattr(self, name)
            if values is not None:
                blocks.append(Block(name, self._all(values), units, axes, "" if name == "x" else None))
        if self.wrench is not None:
            units = ["N"] * 3 + ["N m"] * 3
            blocks.append(Block("wrench", self._all(self.wrench), units, {"component": WRENCH}, ""))
        return Table(len(self), tuple(blocks), index="t", shown=("x", "xd", "xdd"))

    def _all(self, values: Array) -> Array:
        return np.broadcast_to(values, (len(self), values.shape[-1]))


StateLike: TypeAlias = State | ArrayLike
"""A state, or x (n,) or (N, n) at rest."""

_put = object.__setattr__


@lru_cache(maxsize=64)
def _input(name: str, shape: tuple[int, ...]) -> Input:
    return Input(shape, name=name)


def _rows(name: str, given: ArrayLike, shape: tuple[int, ...], counts: dict[str, int]) -> Array:
    """An array of floats of this shape, or of N such rows, which `counts` then has by name."""
    array, rows = converted(_input(name, shape), given)
    if rows is not None:
        counts[name] = rows
    return array


def _size(x: ArrayLike) -> int:
    """How many numbers a pose has."""
    try:
        shape = np.shape(x)
    except ValueError:
        shape = ()
    if not shape:
        what = "None" if x is None else type(x).__name__
        hint = "; its states are motion.sample()" if what == "Motion" else ""
        raise InputError(f"x: {what} given, expected real numbers of shape (n,) or (N, n){hint}")
    if len(shape) > 2:
        raise InputError(f"x: shape {shape} given, expected (n,) or (N, n)")
    return int(shape[-1])


def _check_counts(counts: dict[str, int]) -> None:
    """Refuse different numbers of rows."""
    if len({*counts.values()}) > 1:
        listed = ", ".join(f"{name} has {rows}" for name, rows in counts.items())
        raise InputError(f"state: different numbers of samples: {listed}")
