"""Robots that differ: numbers drawn for each, or given."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.draws.counter import STREAMS, uniforms
from gough.errors import InputError
from gough.graph import Array
from gough.robot import Robot
from gough.robot.actuator_quantities import has_text
from gough.robot.addresses import SettingError, Stated, in_si_at, value_at
from gough.robot.quantities import has_unit

_PERCENT = re.compile(r"(\d+\.?\d*|\.\d+)\s*%")


def varied(
    robot: Robot, vary: Mapping[str, Any], seed: int, numbers: NDArray[np.int_]
) -> tuple[tuple[str, ...], Array]:
    """Paths, and (N, paths) their values for robots of these numbers (N,).

    Args:
        robot: Whose numbers vary.
        vary: By path a share s (the number times 1 +- s, evenly; also "5%"), a half-width with its unit ("20 g": the
            number +- 20 g, evenly), or the values (N,), in SI units or as texts with units.
        seed: Seed of the draws.
        numbers: (N,) of the robots.
    """
    columns = []
    for k, (path, spread) in enumerate(vary.items()):
        nominal = value_at(robot, path)
        if np.ndim(spread) == 0:
            drawn = 2.0 * uniforms(seed, numbers, k, 1, STREAMS["ensemble"])[:, 0] - 1.0
            if has_unit(spread):
                columns.append(nominal + float(in_si_at(robot, path, spread)) * drawn)
            else:
                columns.append(nominal * (1.0 + _share(path, spread) * drawn))
        else:
            values = np.asarray(_in_si(robot, path, spread), dtype=float)
            if values.shape != (len(numbers),) or not np.isfinite(values).all():
                raise InputError(f"vary {path}: shape {values.shape} given, expected {len(numbers)} finite numbers")
            columns.append(values)
    return tuple(vary), np.stack(columns, axis=1) if columns else np.zeros((len(numbers), 0))


def _in_si(robot: Robot, path: str, values: object) -> object:
    """The values of a path with texts as SI numbers."""
    if not has_text(values):
        return values
    found = [in_si_at(robot, path, value) for value in values]
    for value in found:
        if isinstance(value, str):
            raise InputError(f"vary {path}: {value} given, expected a number or one with its unit")
    return found


def _share(path: str, given: float | str) -> float:
    """A share from 0 to 1, given as a number or in percent."""
    percent = _PERCENT.fullmatch(given.strip()) if isinstance(given, str) else None
    share = float(percent[1]) / 100.0 if percent else math.nan if isinstance(given, str) else given
    if not (np.isfinite(share) and 0.0 <= share < 1.0):
        raise InputError(f"vary {path}: {given} given, expected a share from 0 to 1, e.g. 0.05")
    return float(share)


def parse_vary(text: str) -> tuple[str, float]:
    """Path and share of "platform.mass=5%"."""
    path, equals, amount = (part.strip() for part in text.partition("="))
    match = _PERCENT.fullmatch(amount)
    if not path or not equals or match is None:
        raise InputError(f"--vary {text}: must be path=share, e.g. platform.mass=5%")
    share = float(match[1]) / 100.0
    if share >= 1.0:
        raise InputError(f"--vary {text}: must be below 100%")
    return path, share


def parse_mismatch(robot: Robot, text: str, stated: Stated | None = None) -> tuple[str, float | str]:
    """Path and value of "platform.mass=1.2x" (times what the robot has), "platform.mass=1.8" (SI) or "=1800g".

    Raises:
        InputError: It is none of these; a number without a unit that could be meant in one of the `stated` units.
    """
    path, equals, amount = (part.strip() for part in text.partition("="))
    match = re.fullmatch(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(x?)", amount)
    if path and equals and has_unit(amount) and match is None:
        value_at(robot, path)
        return path, amount
    if not path or not equals or match is None:
        raise InputError(f"--mismatch {text}: must be path=factor or path=value, e.g. platform.mass=1.2x")
    nominal = value_at(robot, path)
    if match[2]:
        return path, float(match[1]) * nominal
    try:
        return path, float(in_si_at(robot, path, float(match[1]), stated))
    except SettingError as error:
        raise InputError(f"--mismatch {error}") from None
