"""Forces of a motion as CSV and JSON text: SI units, radians, every number in full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.dynamics.door import WRENCH
from gough.dynamics.result import InverseDynamics

SERIES = ("displacement", "velocity", "force", "power")


def columns(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> dict[str, Any]:
    """t, coordinates with `_d` and `_dd`, wrench, `force_<actuator>` and the like, status: (N,) each, by name.

    What is not there has no column: t without times, wrench without one.
    """
    n = len(_rows(result.force))
    found: dict[str, Any] = {} if result.time is None else {"t": np.reshape(result.time, n)}
    for name, order in (("x", ""), ("xd", "_d"), ("xdd", "_dd")):
        found |= _columns([c + order for c in result.coordinates], getattr(result, name), n)
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


def csv_text(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> str:
    """The columns, one row per sample. A number that does not exist is empty."""
    found = columns(result, parts, by_body)
    status = found.pop("status").tolist()
    lines = [
        ",".join([*("" if v != v or abs(v) == np.inf else repr(v) for v in row), text])
        for row, text in zip(np.stack(list(found.values()), axis=1).tolist(), status, strict=True)
    ]
    return "\n".join([",".join([*found, "status"]), *lines]) + "\n"


def json_text(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> str:
    """One object; arrays have one row per sample, on a line of its own, null where it has no value."""
    n = len(_rows(result.force))
    about: dict[str, Any] = {
        "robot": result.robot.name,
        "motion": result.motion or None,
        "formulation": result.formulation,
        "coordinates": list(result.coordinates),
        "actuators": list(result.actuators),
        "time": None if result.time is None else np.atleast_1d(result.time).tolist(),
    }
    for name in ("x", "xd", "xdd"):
        values = _rows(getattr(result, name))
        about[name] = np.broadcast_to(values, (n, values.shape[1])).tolist()
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
