"""Robots from tables and from values: the one module of the tests that knows how a robot is put together.

Tables have the keys of a robot file. They become text, and the text a robot by the public `load`, or by the reader
below it where a machine need not be able to move.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

import gough.robot


def catalogue_text(name: str, ending: str = "toml") -> str:
    """The file of a robot of the catalogue, or its notes (ending "md")."""
    return (files("gough.robot") / "catalog" / f"{name}.{ending}").read_text("utf-8")


def toml_value(value: Any) -> str:
    """A value as TOML, on one line; numbers with all their digits."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_value(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    return repr(value.item() if isinstance(value, np.generic) else value)


def toml_text(tables: Mapping[str, Any]) -> str:
    """The text of a file with these tables, a line for each key at the top."""
    return "".join(f"{json.dumps(key)} = {toml_value(value)}\n" for key, value in tables.items())


def build(tables: Mapping[str, Any], source: str = "robot") -> gough.Robot:
    """The robot of a file with these tables, without the checks that need kinematics."""
    return read(toml_text(tables), source)


def read(text: str, source: str = "robot") -> gough.Robot:
    """The robot of a text, without the checks that need kinematics."""
    return gough.robot.loads(text, source)


def load_tables(tables: Mapping[str, Any]) -> gough.Robot:
    """The robot of a file with these tables, as `gough.load` reads it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.toml"
        path.write_text(toml_text(tables), "utf-8")
        return gough.load(path)


def with_values(robot: gough.Robot, **values: Any) -> gough.Robot:
    """The robot with other parts (legs, platform, gravity, ...), not checked; the text of its file is forgotten."""
    from gough.robot.file.write import mechanism_spec

    kept = {name: robot.spec[name] for name in ("tolerances", "heat", "stiffness") if name in robot.spec}
    return gough.Robot.from_spec({**mechanism_spec(dataclasses.replace(robot.mechanism, **values)), **kept})


def joint_by_joint_text(robot: gough.Robot) -> str:
    """The text of a robot in SI units, legs written joint by joint, tolerances as its file has them."""
    from gough.robot.file.write import spec_text

    return spec_text(robot.explicit().spec)


def addresses(robot: gough.Robot) -> dict[str, float]:
    """The value of each number of the robot by its address, SI units; `gough show ROBOT --addresses` prints them."""
    from gough.robot.addresses import measured

    return {path: value for path, (value, _) in measured(robot).items()}


def value_at(robot: gough.Robot, address: str) -> float:
    """The number at an address, SI units; `leg.1.base.x` and other readable ones too."""
    from gough.robot.addresses import value_at as found

    return found(robot, address)


def validate(robot: gough.Robot) -> None:
    """Check a robot that was put together from values.

    Raises:
        RobotError: With every fault, one line each.
    """
    robot.with_spec(robot.spec)


def pose_of(robot: gough.Robot, pose: Any, units: str | None = None) -> tuple[float, ...]:
    """Coordinates of a pose in words, by name or in order, as motions take it."""
    from gough.motion import parse_pose, parse_units

    return parse_pose(robot, pose, units=parse_units(units))
