"""Columns of numbers as a Parquet file, with the extra `parquet`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.files import write_whole


def require_pyarrow() -> None:
    """Refuse to go on without pyarrow, before the work is done.

    Raises:
        InputError: It is not installed.
    """
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise InputError("parquet: needs the package pyarrow; pip install 'gough[parquet]'") from None


def write_parquet(path: str | Path, columns: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Write a table of equally long columns, whole or not at all, with facts as JSON under the metadata key "gough".

    Raises:
        InputError: pyarrow is not installed.
        OSError: The file cannot be written.
    """
    write_whole(Path(path), parquet_bytes(columns, facts))


def parquet_bytes(columns: Mapping[str, Any], facts: Mapping[str, Any]) -> bytes:
    """Content of the file that `write_parquet` writes.

    Raises:
        InputError: pyarrow is not installed.
    """
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({name: np.ascontiguousarray(values) for name, values in columns.items()})
    table = table.replace_schema_metadata({"gough": json.dumps(dict(facts), allow_nan=False)})
    sink = pa.BufferOutputStream()
    parquet.write_table(table, sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content
