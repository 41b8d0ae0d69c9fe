"""Columns of numbers as CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gough.errors import InputError


def csv_text(columns: Mapping[str, Any], remarks: Sequence[str] = ()) -> str:
    """CSV text, every number in full, nothing where one is not finite; remarks on lines of their own before it."""
    out = io.StringIO()
    for remark in remarks:
        out.write(f"# {remark}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    rows = zip(*[np.asarray(values).tolist() for values in columns.values()], strict=True)
    writer.writerows([["" if v != v or v in (np.inf, -np.inf) else repr(v) for v in row] for row in rows])
    return out.getvalue()


def json_text(value: Any) -> str:
    """JSON text; what is not finite becomes null."""
    return json.dumps(_plain(value), indent=1, allow_nan=False) + "\n"


def write_parquet(path: Any, columns: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """A Parquet file written beside its place and moved there."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise InputError("parquet: needs pyarrow; install gough[parquet]") from None
    import os

    table = pa.table({name: np.asarray(values) for name, values in columns.items()})
    table = table.replace_schema_metadata({"gough": json.dumps(_plain(dict(facts)))})
    beside = Path(f"{path}.part")
    parquet.write_table(table, beside)
    os.replace(beside, path)


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
