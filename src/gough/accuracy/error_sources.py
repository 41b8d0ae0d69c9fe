"""What makes a machine inexact: tolerances of its dimensions, its encoders, backlash and heat, and what is elastic.

A TOML file of its own, or the same tables given in Python:

| table | key | what |
|---|---|---|
| `[tolerances]` | an address of the robot, `"leg.1.position.0"` | half width of that number |
| | `base`, `platform` | of each coordinate of every leg's point on the base, on the platform |
| | `zero` | of every actuator's zero: offsets of lengths and angles |
| | `encoder` | resolution of every actuator's reading: one step |
| | `backlash` | of every actuator: the whole play |
| | `distribution` | "uniform", or "normal" with a standard deviation of a third of the half width |
| `[heat]` | `temperature` | half width of the machine's temperature about that of its calibration [K] |
| | `expansion` | of its material [1/K] |
| `[stiffness]` | `actuator` | of every actuator along its displacement [N/m or N m/rad] |
| | `joint` | of every joint's bearings, in each direction [N/m] |
| | `tilt` | of every joint's bearings against turning, also about its own axis where that is driven [N m/rad] |
| | `link` | of every link along itself [N/m] |
| | `bending` | of every link across itself, at its end [N/m] |
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gough.brief import brief
from gough.errors import InputError
from gough.files import read_bounded
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, QuantityError, measure, quantity, stiffness

FORMS = ("base", "platform", "zero", "encoder", "backlash")
DISTRIBUTIONS = ("uniform", "normal")
LARGEST_FILE = 1_000_000
_HEAT = {"temperature": "K", "expansion": "1/K"}
_ELASTIC = ("actuator", "joint", "tilt", "link", "bending")


@dataclass(frozen=True)
class ErrorSources:
    """What makes a machine inexact, SI units.

    Attributes:
        by_address: Half widths of numbers by their address.
        by_form: Half widths of `FORMS`; of the encoder its step, of backlash the whole play.
        distribution: Of dimensions: "uniform" or "normal".
        temperature, expansion: Half width of the temperature [K], and what it does [1/K].
        stiffness: Of "actuator", "joint", "tilt", "link", "bending"; rigid where not stated.
    """

    __repr__ = brief

    by_address: Mapping[str, float] = field(default_factory=dict)
    by_form: Mapping[str, float] = field(default_factory=dict)
    distribution: str = "uniform"
    temperature: float = 0.0
    expansion: float = 0.0
    stiffness: Mapping[str, float] = field(default_factory=dict)


def read_error_sources(robot: Robot, path: str | Path) -> ErrorSources:
    """Those of a TOML file.

    Raises:
        InputError: One line naming file and key.
    """
    try:
        given = tomllib.loads(read_bounded(Path(path), LARGEST_FILE).decode("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    return error_sources(robot, given, str(path))


def error_sources(robot: Robot, given: Mapping[str, Any], place: str = "errors") -> ErrorSources:
    """Those of tables such as {"tolerances": {"base": "0.1 mm"}}; numbers without a unit are SI.

    Raises:
        InputError: Unknown tables and keys, numbers that cannot be.
    """
    tables = ("tolerances", "heat", "stiffness")
    for name, table in given.items():
        if name not in tables:
            raise InputError(f"{place}: {name}: no such table ({did_you_mean(name, tables)})")
        if not isinstance(table, Mapping):
            raise InputError(f"{place}: {name}: must be a table, [{name}]")
    stated = dict(given.get("tolerances", {}))
    distribution = stated.pop("distribution", "uniform")
    if distribution not in DISTRIBUTIONS:
        raise InputError(f"{place}: tolerances.distribution: {distribution!r}: must be uniform or normal")
    by_form = {key: _half_width(robot, place, key, stated.pop(key)) for key in FORMS if key in stated}
    by_address = {key: _at(robot, place, key, value) for key, value in _flat(stated).items()}
    heat = _heat(place, given.get("heat", {}))
    elastic = {key: _stiffness(robot, place, key, value) for key, value in given.get("stiffness", {}).items()}
    return ErrorSources(by_address, by_form, distribution, heat["temperature"], heat["expansion"], elastic)


def _flat(table: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        found |= _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else {before + key: value}
    return found


def _number(place: str, key: str, value: object, what: Measure) -> float:
    try:
        found = quantity(value, what)
    except QuantityError as error:
        raise InputError(f"{place}: {key}: {value}: {error}") from None
    if not found >= 0.0 or not math.isfinite(found):
        raise InputError(f"{place}: {key}: {value}: must not be negative")
    return found


def _half_width(robot: Robot, place: str, key: str, value: object) -> float:
    turns = {joint.turns for joint in robot.actuators}
    if key in ("base", "platform"):
        return _number(place, f"tolerances.{key}", value, measure("length"))
    if len(turns) > 1:
        raise InputError(
            f"{place}: tolerances.{key}: {robot.name} has actuators that slide and that turn: use addresses"
        )
    return _number(place, f"tolerances.{key}", value, measure("angle" if turns == {True} else "length"))


def _at(robot: Robot, place: str, path: str, value: object) -> float:
    from gough.robot.addresses import in_si_at, value_at

    known = ", ".join((*FORMS, "distribution"))
    try:
        value_at(robot, path)
        found = in_si_at(robot, path, value)
    except InputError as error:
        raise InputError(f"{place}: tolerances.{error} (an address of the robot, or one of {known})") from None
    return _number(place, f"tolerances.{path}", found, Measure())


def _heat(place: str, table: Mapping[str, Any]) -> dict[str, float]:
    found = dict.fromkeys(_HEAT, 0.0)
    for key, value in table.items():
        if key not in _HEAT:
            raise InputError(f"{place}: heat.{key}: no such key ({did_you_mean(key, list(_HEAT))})")
        text = value.removesuffix(_HEAT[key]).strip() if isinstance(value, str) else value
        found[key] = _number(place, f"heat.{key}", text, Measure())
    if bool(found["temperature"]) != bool(found["expansion"]):
        raise InputError(f"{place}: heat: needs both temperature [K] and expansion [1/K]")
    return found


def _stiffness(robot: Robot, place: str, key: str, value: object) -> float:
    if key not in _ELASTIC:
        raise InputError(f"{place}: stiffness.{key}: no such key ({did_you_mean(key, list(_ELASTIC))})")
    turns = key == "tilt" or (key == "actuator" and all(joint.turns for joint in robot.actuators))
    found = _number(place, f"stiffness.{key}", value, stiffness(turns, Units()))
    if found == 0.0:
        raise InputError(f"{place}: stiffness.{key}: {value}: must be positive; leave it out for what is rigid")
    return found
