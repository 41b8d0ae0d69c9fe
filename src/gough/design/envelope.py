"""An envelope of motions and loads, from a small TOML file.

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
[wrench]                     # on the platform at its origin, base axes
fz = [-100, 0]
[units]                      # as in robot files
angle = "deg"
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from gough.design.small_files import Reader, read_text
from gough.robot import Robot
from gough.robot.file.units import ALLOWED, DIMENSIONS, Units, parse, units

WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
PAYLOAD = ("mass", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz")
TWIST = {"x": "vx", "y": "vy", "z": "vz", "rx": "wx", "ry": "wy", "rz": "wz"}
Interval = tuple[float, float]
TURN = 2.0 * math.pi + 1e-9


@dataclass(frozen=True, slots=True)
class Envelope:
    """Ranges in SI units.

    Attributes:
        pose: (n,) of the platform coordinates.
        velocity, acceleration: (n,) half-widths or semi-axes, of coordinate rates or of the twist.
        rates: Names of what these are of.
        twist: Whether they are of the twist (base axes).
        velocity_ball, acceleration_ball: Ellipsoids instead of boxes.
        payload: (10,) of mass, first moment, inertia about the origin of P, axes of P.
        wrench: (6,) on the platform at the origin of P, base axes.
    """

    pose: tuple[Interval, ...]
    velocity: tuple[float, ...]
    acceleration: tuple[float, ...]
    rates: tuple[str, ...]
    twist: bool = False
    velocity_ball: bool = False
    acceleration_ball: bool = False
    payload: tuple[Interval, ...] = ((0.0, 0.0),) * 10
    wrench: tuple[Interval, ...] = ((0.0, 0.0),) * 6


def read_envelope(robot: Robot, path: str | FilePath) -> Envelope:
    """The envelope of a file for a robot.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return envelope_of(robot, read_text(path, "envelope"), str(path))


def envelope_of(robot: Robot, text: str, source: str = "envelope") -> Envelope:
    """The envelope that a TOML text describes."""
    reader = Reader(text, source, "envelope")
    given = reader.tables
    reader.known((), given, ("pose", "velocity", "acceleration", "payload", "wrench", "units"))
    size = _units(reader, reader.table(("units",), given.get("units")))
    turns = [c.turns for c in robot.platform.coordinates]
    travel = [size.angle if turning else size.length for turning in turns]
    pose = _pose(reader, robot, travel)
    tables = {key: reader.table((key,), given.get(key)) for key in ("velocity", "acceleration")}
    words = {key: _words(reader, key, table) for key, table in tables.items()}
    stated = {words[key][1] for key in tables if "of" in tables[key]} or {"coordinates"}
    if len(stated) > 1:
        reader.fault(("acceleration", "of"), "must be the same as of the velocity", words["acceleration"][1])
    twist = "twist" in stated
    if twist and sum(turns) == 2:
        reader.fault(("velocity", "of"), "must be coordinates: the platform turns about two axes", "twist")
    names = tuple(TWIST[c.motion] if twist else c.name for c in robot.platform.coordinates)
    if twist and sum(turns) == 3:
        names = tuple(_in_order(names))
    sizes = {}
    for key, power in (("velocity", 1), ("acceleration", 2)):
        reader.known((key,), tables[key], ("shape", "of", *names))
        rows = [reader.number((key, name), tables[key].get(name, 0.0), 0.0) for name in names]
        sizes[key] = tuple(row * scale / size.time**power for row, scale in zip(rows, travel, strict=True))
    payload = _payload(reader, size)
    effort = [size.force] * 3 + [size.torque] * 3
    loads = reader.table(("wrench",), given.get("wrench"))
    reader.known(("wrench",), loads, WRENCH)
    wrench = [reader.interval(("wrench", name), loads.get(name, 0.0)) for name in WRENCH]
    reader.finish()
    return Envelope(
        pose,
        sizes["velocity"],
        sizes["acceleration"],
        names,
        twist,
        words["velocity"][0] == "ellipsoid",
        words["acceleration"][0] == "ellipsoid",
        payload,
        tuple((a * s, b * s) for (a, b), s in zip(wrench, effort, strict=True)),
    )


def _pose(reader: Reader, robot: Robot, travel: list[float]) -> tuple[Interval, ...]:
    table = reader.table(("pose",), reader.tables.get("pose"))
    names = robot.coordinate_names
    reader.known(("pose",), table, names)
    if reader.tables.get("pose") in (None, {}):
        reader.fault(
            ("pose",), "is missing or empty: state the range of a coordinate", None, f"{names[0]} = [-0.1, 0.1]"
        )
    found = []
    turning = [c.turns for c in robot.platform.coordinates]
    for name, home, scale, turns in zip(names, robot.platform.home, travel, turning, strict=True):
        if name not in table:
            found.append((float(home), float(home)))
            continue
        low, high = reader.interval(("pose", name), table[name])
        if turns and max(abs(low), abs(high)) * scale > TURN:
            reader.fault(("pose", name), "is more than a whole turn", table[name], 'for degrees: [units] angle = "deg"')
        found.append((low * scale, high * scale))
    return tuple(found)


def _words(reader: Reader, key: str, table: dict[str, Any]) -> tuple[str, str]:
    """Shape and what it is of."""
    found = []
    for word, allowed in (("shape", ("box", "ellipsoid")), ("of", ("coordinates", "twist"))):
        value = table.get(word, allowed[0])
        if value not in allowed:
            reader.fault((key, word), f'must be "{allowed[0]}" or "{allowed[1]}"', value)
            value = allowed[0]
        found.append(value)
    return found[0], found[1]


def _in_order(names: tuple[str, ...]) -> list[str]:
    """Names of a twist with its turning part as wx, wy, wz in this order, wherever the angles stand."""
    turning = iter(("wx", "wy", "wz"))
    return [next(turning) if name.startswith("w") else name for name in names]


def _payload(reader: Reader, size: Units) -> tuple[Interval, ...]:
    table = reader.table(("payload",), reader.tables.get("payload"))
    reader.known(("payload",), table, PAYLOAD)
    scales = [size.mass] + [size.mass * size.length] * 3 + [size.inertia] * 6
    found = []
    for name, scale in zip(PAYLOAD, scales, strict=True):
        low, high = reader.interval(("payload", name), table.get(name, 0.0))
        if name in ("mass", "xx", "yy", "zz") and low < 0.0:
            reader.fault(("payload", name), "must not be negative", table[name])
        found.append((low * scale, high * scale))
    for name, ends in zip(PAYLOAD[1:4], found[1:4], strict=True):
        if any(ends) and found[0] == (0.0, 0.0):
            reader.fault(("payload", name), "needs a mass: it is mass times distance", table[name])
    return tuple(found)


def _units(reader: Reader, table: dict[str, Any]) -> Units:
    reader.known(("units",), table, tuple(DIMENSIONS))
    good = {}
    for quantity, text in table.items():
        if quantity not in DIMENSIONS:
            continue
        known = parse(text) if isinstance(text, str) else None
        if known is None or known[0] != DIMENSIONS[quantity]:
            reader.fault(("units", quantity), f"must be {ALLOWED[quantity]}", text)
        else:
            good[quantity] = text
    found = units(good)
    return found if math.isfinite(found.length) else Units()
