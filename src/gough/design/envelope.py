"""An envelope of motions and loads, from a small TOML file. Any number may carry its unit: "15 deg", "0.5 m/s".

[pose]                       # coordinates left out stay at home
x = [-0.1, 0.1]
z = [1.9, 2.2]
[velocity]                   # "box" |v_i| <= value, or "ellipsoid" with these semi-axes
shape = "ellipsoid"
of = "coordinates"           # or "twist": vx vy vz wx wy wz, base axes
x = 0.5
[acceleration]
x = 2.0
[payload]                    # mass, first moment and inertia about the platform's origin, platform axes
mass = [0, 20]
mz = [0, 1.5]
[wrench]                     # on the platform at the robot's tool, base axes
fz = [-100, 0]
[units]                      # as in robot files
angle = "deg"
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from gough.brief import brief
from gough.motion.columns import WRENCH
from gough.robot import Mechanism, Robot
from gough.robot.actuator_quantities import plain
from gough.robot.checks.fault import Fault
from gough.robot.file.fields import Measured, interval_key, number_key, one_of
from gough.robot.file.reader import Key, Table, key_of, read_keys
from gough.robot.file.schema import UnitsTable
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.quantities import Measure, measure

PAYLOAD = ("mass", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz")
_MOMENTS = PAYLOAD[1:4]
_NOT_NEGATIVE = ("mass", "xx", "yy", "zz")
TWIST = {"x": "vx", "y": "vy", "z": "vz", "rx": "wx", "ry": "wy", "rz": "wz"}
Interval = tuple[float, float]
Given = float | str
"""A number in SI units, or a text with its unit."""
TURN = 2.0 * math.pi + 1e-9


@dataclass(frozen=True, slots=True)
class Envelope:
    """Ranges in SI units; any number may be given as a text with its unit, "15 deg", "0.5 m/s" or "2 kN".

    Attributes:
        pose: (n,) of the platform coordinates.
        velocity, acceleration: (n,) half-widths or semi-axes, of coordinate rates or of the twist.
        rates: Names of what these are of.
        twist: Whether they are of the twist (base axes).
        velocity_ball, acceleration_ball: Ellipsoids instead of boxes.
        payload: (10,) of mass, first moment, inertia about the origin of P, axes of P.
        wrench: (6,) on the platform at the robot's tool, base axes.
    """

    __repr__ = brief

    pose: tuple[Interval, ...]
    velocity: tuple[float, ...]
    acceleration: tuple[float, ...]
    rates: tuple[str, ...]
    twist: bool = False
    velocity_ball: bool = False
    acceleration_ball: bool = False
    payload: tuple[Interval, ...] = ((0.0, 0.0),) * 10
    wrench: tuple[Interval, ...] = ((0.0, 0.0),) * 6

    if TYPE_CHECKING:

        def __init__(
            self,
            pose: Sequence[Sequence[Given]],
            velocity: Sequence[Given],
            acceleration: Sequence[Given],
            rates: Sequence[str],
            twist: bool = False,
            velocity_ball: bool = False,
            acceleration_ball: bool = False,
            payload: Sequence[Sequence[Given]] = ((0.0, 0.0),) * 10,
            wrench: Sequence[Sequence[Given]] = ((0.0, 0.0),) * 6,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Texts become numbers, lists tuples."""
        travel = [measure("length"), measure("angle")]
        rates = [[measure(of, order=order) for of in ("length", "angle")] for order in (1, 2)]
        named = (("pose", travel), ("velocity", rates[0]), ("acceleration", rates[1]))
        for name, measures in named:
            object.__setattr__(self, name, plain(f"envelope: {name}", tuple(getattr(self, name)), *measures))
        for name, own in (("payload", PAYLOAD), ("wrench", WRENCH)):
            of = _of_payload if name == "payload" else _of_wrench
            values = zip(own, getattr(self, name), strict=True)
            found = tuple(plain(f"envelope: {name} {key}", tuple(value), of(key)(Units())) for key, value in values)
            object.__setattr__(self, name, found)
        object.__setattr__(self, "rates", tuple(self.rates))


def read_envelope(robot: Robot, path: str | FilePath) -> Envelope:
    """The envelope of a file for a robot.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return envelope_of(robot, read_text(path), str(path))


def envelope_of(robot: Robot, text: str | Mapping[str, Any], source: str = "envelope") -> Envelope:
    """The envelope that a TOML text describes for a robot, or a dict with the same keys.

    Raises:
        RobotError: With every fault, one line each.
    """
    tables, place = tables_of(text, source, "an envelope")
    stated = {_word(tables.get(key), "of") for key in ("velocity", "acceleration")} - {None} or {"coordinates"}
    twist = "twist" in stated
    names = _rates(robot, twist)
    given = read_keys(envelope_keys(robot, names), tables, place)
    faults = []
    if len(stated) > 1:
        of = tables["acceleration"]["of"]
        faults.append(Fault(("acceleration", "of"), "must be the same as of the velocity", of))
    if twist and sum(c.turns for c in robot.platform.coordinates) == 2:
        faults.append(Fault(("velocity", "of"), "must be coordinates: the platform turns about two axes", "twist"))
    faults += _pose_faults(robot, given["pose"], tables)
    payload = tuple(given["payload"].get(name, (0.0, 0.0)) for name in PAYLOAD)
    faults += _payload_faults(payload, tables)
    if faults:
        raise place.error(faults)
    homes = zip(robot.coordinate_names, robot.platform.home, strict=True)
    velocity, acceleration = given["velocity"], given["acceleration"]
    return Envelope(
        tuple(given["pose"].get(name, (home, home)) for name, home in homes),
        tuple(velocity.get(name, 0.0) for name in names),
        tuple(acceleration.get(name, 0.0) for name in names),
        names,
        twist,
        velocity["shape"] == "ellipsoid",
        acceleration["shape"] == "ellipsoid",
        payload,
        tuple(given["wrench"].get(name, (0.0, 0.0)) for name in WRENCH),
    )


def _word(table: object, key: str) -> str | None:
    """The text under a key of a table, or None."""
    found = table.get(key) if isinstance(table, Mapping) else None
    return found if isinstance(found, str) else None


def _rates(robot: Mechanism, twist: bool) -> tuple[str, ...]:
    """Names of what velocities and accelerations are of; three turns are wx, wy, wz wherever the angles stand."""
    if not twist:
        return robot.coordinate_names
    names = [TWIST[c.motion] for c in robot.platform.coordinates]
    turning = [k for k, c in enumerate(robot.platform.coordinates) if c.turns]
    if len(turning) == 3:
        for k, name in zip(turning, ("wx", "wy", "wz"), strict=True):
            names[k] = name
    return tuple(names)


def envelope_keys(robot: Mechanism, rates: tuple[str, ...]) -> dict[str, Key]:
    """The keys of an envelope's file for a robot."""
    travel = ["angle" if c.turns else "length" for c in robot.platform.coordinates]
    parts: dict[str, dict[str, Key]] = {
        "pose": {name: interval_key(_measured(of)) for name, of in zip(robot.coordinate_names, travel, strict=True)},
        "wrench": {name: interval_key(_of_wrench(name)) for name in WRENCH},
        "payload": {
            name: interval_key(_of_payload(name), low=0.0 if name in _NOT_NEGATIVE else -math.inf) for name in PAYLOAD
        },
    }
    for order, part in enumerate(("velocity", "acceleration"), 1):
        sizes = {name: number_key(_measured(of, order), low=0.0) for name, of in zip(rates, travel, strict=True)}
        parts[part] = _Rates.keys() | sizes
    return {"units": key_of(UnitsTable)} | {name: Key(keys, default={}) for name, keys in parts.items()}


class _Rates(Table):
    """What `[velocity]` and `[acceleration]` state besides their sizes."""

    shape: str = key_of(one_of("box", "ellipsoid"), default="box")
    """"box": each within its value, all at once; "ellipsoid": the values are semi-axes."""
    of: str = key_of(one_of("coordinates", "twist"), default="coordinates")
    """"coordinates": rates of the robot's coordinates; "twist": vx vy vz wx wy wz in base axes."""


def _measured(of: str, order: int = 0) -> Measured:
    """What a number measures; rates are per unit of time of the file."""

    def what(size: Units) -> Measure:
        own = measure(of, size, order)
        return own._replace(size=own.size / size.time**order)

    return what


def _of_wrench(name: str) -> Measured:
    return _measured("force" if name.startswith("f") else "torque")


def _of_payload(name: str) -> Measured:
    if name in _MOMENTS:
        return lambda size: Measure((1, 1, 0, 0), size.mass * size.length, ("kg m", "kg mm"))
    return _measured("mass" if name == "mass" else "inertia")


def _pose_faults(robot: Mechanism, pose: Mapping[str, Interval], tables: Mapping[str, Any]) -> Iterator[Fault]:
    names = robot.coordinate_names
    if not tables.get("pose"):
        example = f"{names[0]} = [-0.1, 0.1]"
        yield Fault(("pose",), "is missing or empty: state the range of a coordinate", None, example)
    for coordinate in robot.platform.coordinates:
        if coordinate.turns and max(map(abs, pose.get(coordinate.name, (0.0, 0.0)))) > TURN:
            shown = tables["pose"][coordinate.name]
            hint = 'for degrees: [units] angle = "deg"'
            yield Fault(("pose", coordinate.name), "is more than a whole turn", shown, hint)


def _payload_faults(payload: tuple[Interval, ...], tables: Mapping[str, Any]) -> Iterator[Fault]:
    stated = tables.get("payload", {})
    for name, ends in zip(_MOMENTS, payload[1:4], strict=True):
        if any(ends) and payload[0] == (0.0, 0.0):
            yield Fault(("payload", name), "needs a mass: it is mass times distance", stated[name])
