"""Forces of a motion as CSV and JSON text: SI units, radians, every number in full."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from gough.dynamics.door import WRENCH
from gough.dynamics.result import InverseDynamics

SERIES = ("displacement", "velocity", "force", "power")


def csv_text(result: InverseDynamics, parts: bool = False, by_body: bool = False) -> str:
    """Columns t, coordinates with `_d` and `_dd`, wrench, `force_<actuator>` and the like, status; one row per sample.

    What is not there has no column: t without times, wrench without one. A number that does not exist is empty.
    """
    n = len(_rows(result.force))
    header = [name + order for order in ("", "_d", "_dd") for name in result.coordinates]
    columns = [_rows(getattr(result, name)) for name in ("x", "xd", "xdd")]
    columns = [np.broadcast_to(column, (n, column.shape[1])) for column in columns]
    if result.time is not None:
        header, columns = ["t", *header], [np.reshape(result.time, (n, 1)), *columns]
    if result.wrench is not None:
        header += WRENCH
        columns.append(np.broadcast_to(result.wrench, (n, 6)))
    series = {name: getattr(result, name) for name in SERIES}
    series |= {f"force_{name}": values for split in _splits(result, parts, by_body).values() for name, values in split}
    for name, values in series.items():
        header += [f"{name}_{actuator}" for actuator in result.actuators]
        columns.append(_rows(values))
    texts = np.atleast_1d(result.status_text).tolist()
    lines = [
        ",".join([*("" if v != v or abs(v) == np.inf else repr(v) for v in row), text])
        for row, text in zip(np.hstack(columns).tolist(), texts, strict=True)
    ]
    return "\n".join([",".join([*header, "status"]), *lines]) + "\n"


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
