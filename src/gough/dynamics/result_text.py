"""Forces of a motion as CSV and JSON text: SI units, radians, every number in full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.display import columns_in_units
from gough.dynamics.result import InverseDynamics
from gough.kinematics.check_inputs import WRENCH
from gough.kinematics.dependent.values import ORDERS
from gough.motion.column_names import RATES
from gough.robot.si_units import actuator_units, coordinate_units, dependent_units

SERIES = ("q", "qd", "force", "power")
_PER = ("", "/s", "/s^2")


def si_units(result: InverseDynamics, names: Sequence[str]) -> dict[str, str]:
    """SI unit of each column of these names that has one."""
    found = {"t": "s"} | dict(zip(WRENCH, ("N", "N", "N", "N m", "N m", "N m"), strict=True))
    robot = result.robot
    names_of = (*result.coordinates, *robot.dependent_names)
    for coordinate, unit in zip(names_of, [*coordinate_units(robot), *dependent_units(robot)], strict=True):
        found |= {order + coordinate: unit + per for order, per in zip(RATES, _PER, strict=True)}
    actuators = zip(result.actuators, *actuator_units(result.robot), strict=True)
    # A name may end with another, "arm_1" with "1": the longest that fits is meant.
    for actuator, travel, effort in sorted(actuators, key=lambda entry: -len(entry[0])):
        units = {"q": travel, "qd": f"{travel}/s", "force": effort, "power": "W"}
        for name in names:
            series = name.split("_", 1)[0]
            if name not in found and series in units and name.endswith(f"_{actuator}"):
                found[name] = units[series]
    return found


def columns(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> dict[str, Any]:
    """t, coordinates, `xd_` and `xdd_` of them, the same of dependent ones, wrench, `force_<actuator>` and the like,
    status: (N,) each, by name.

    What is not there has no column: t without times, wrench without one.
    """
    n = len(_rows(result.force))
    found: dict[str, Any] = {} if result.t is None else {"t": np.reshape(result.t, n)}
    for name, order in zip(("x", "xd", "xdd"), RATES, strict=True):
        found |= _columns([order + c for c in result.coordinates], getattr(result, name), n)
    if result.robot.dependent_names:
        for order, values in zip(RATES, result.dependent, strict=True):
            found |= _columns([order + c for c in result.robot.dependent_names], values, n)
    if result.wrench is not None:
        found |= _columns(WRENCH, result.wrench, n)
    series = {name: getattr(result, name) for name in SERIES}
    series |= {f"force_{name}": values for split in _splits(result, parts, by_body).values() for name, values in split}
    for name, values in series.items():
        found |= _columns([f"{name}_{actuator}" for actuator in result.actuators], values, n)
    return found | {"status": np.atleast_1d(result.status_text)}


def _columns(names: Sequence[str], values: Any, n: int) -> dict[str, Any]:
    rows = np.broadcast_to(values, (n, len(names)))
    return {name: rows[:, k] for k, name in enumerate(names)}


def csv_text(result: InverseDynamics, parts: bool = False, by_body: bool = False, units: str | None = None) -> str:
    """The columns, one row per sample, after a remark (#) on smoothing. A number that does not exist is empty."""
    found = columns(result, parts, by_body)
    status = found.pop("status").tolist()
    if units is not None:
        found = columns_in_units(found, si_units(result, list(found)), units)
    lines = [
        ",".join([*("" if v != v or abs(v) == np.inf else repr(v) for v in row), text])
        for row, text in zip(np.stack(list(found.values()), axis=1).tolist(), status, strict=True)
    ]
    remarks = [f"# {result.smoothing}"] if result.smoothing else []
    return "\n".join([*remarks, ",".join([*found, "status"]), *lines]) + "\n"


def json_text(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> str:
    """One object; arrays have one row per sample, on a line of its own, null where it has no value."""
    n = len(_rows(result.force))
    about: dict[str, Any] = {
        "robot": result.robot.name,
        "motion": result.motion or None,
        "formulation": result.formulation,
    }
    if result.recording is not None and result.smoothing:
        about["smoothing"] = result.recording.to_dict(result.coordinates)
    about |= {
        "coordinates": list(result.coordinates),
        "actuators": list(result.actuators),
        "t": None if result.t is None else np.atleast_1d(result.t).tolist(),
    }
    for name in ("x", "xd", "xdd"):
        values = _rows(getattr(result, name))
        about[name] = np.broadcast_to(values, (n, values.shape[1])).tolist()
    if result.robot.dependent_names:
        about["dependent_coordinates"] = list(result.robot.dependent_names)
        about |= {name: _or_null(values) for name, values in zip(ORDERS, result.dependent, strict=True)}
    about |= {name: _or_null(getattr(result, name)) for name in SERIES}
    about["status"] = np.atleast_1d(result.status_text).tolist()
    for key, split in _splits(result, parts, by_body).items():
        about[key] = {name: _or_null(values) for name, values in split}
    return _object(about) + "\n"


def _splits(result: InverseDynamics, parts: bool, by_body: bool) -> dict[str, list[tuple[str, Any]]]:
    """The asked for splits of the force: (name, (N, actuators))."""
    splits = {}
    if parts:
        splits["parts"] = list(result.parts().items())
    if by_body:
        splits["by_body"] = list(result.by_body().items())
    return splits


def _rows(values: Any) -> Any:
    """(N, k), also of a single sample."""
    return np.atleast_2d(values)


def _or_null(values: Any) -> list[list[float] | None]:
    rows = _rows(values)
    good = np.isfinite(rows).all(axis=1)
    return [row if ok else None for row, ok in zip(rows.tolist(), good.tolist(), strict=True)]


def _object(entries: dict[str, Any], indent: str = "") -> str:
    lines = [f"{indent}  {json.dumps(key)}: {_value(value, indent + '  ')}" for key, value in entries.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _value(value: Any, indent: str) -> str:
    if isinstance(value, dict):
        return _object(value, indent)
    if isinstance(value, list) and value and isinstance(value[0], (list, type(None))):
        rows = [f"{indent}  {json.dumps(row, allow_nan=False)}" for row in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)
