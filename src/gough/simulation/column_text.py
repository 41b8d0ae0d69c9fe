"""Columns of numbers as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.display import columns_in_units


def csv_text(
    columns: Mapping[str, Any],
    remarks: Sequence[str] = (),
    si_units: Mapping[str, str] | None = None,
    units: str | None = None,
) -> str:
    """CSV text, every number in full, nothing where one is not finite; remarks on lines of their own before it.

    Args:
        columns: By name, SI units and radians.
        remarks: Without their #.
        si_units: Of the columns that have one; for `units`.
        units: Such as "mm,deg", which the header then names; as the columns are if left out.
    """
    if units is not None:
        columns = columns_in_units(columns, si_units or {}, units)
    out = io.StringIO()
    for remark in remarks:
        out.write(f"# {remark}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    rows = zip(*[np.asarray(values).tolist() for values in columns.values()], strict=True)
    writer.writerows([["" if v != v or v in (np.inf, -np.inf) else repr(v) for v in row] for row in rows])
    return out.getvalue()


def remarks_on(run: Any) -> list[str]:
    """What a file says before its table: that a run or an ensemble ended early, and how its motion was smoothed."""
    early = [] if run.complete else [f"complete: false ({run.why})"]
    return early + ([run.smoothing] if run.smoothing else [])


def json_text(value: Any) -> str:
    """JSON text; what is not finite becomes null."""
    return json.dumps(_plain(value), indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value
