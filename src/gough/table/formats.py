"""A table as CSV text, plain values, JSON text and a Parquet file."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gough.display import columns_in_units
from gough.errors import InputError
from gough.files import write_whole

if TYPE_CHECKING:
    from gough.table.table import Table

ROWS = 4096
"""Rows that are made text at a time, so that the cells of all rows are never in memory together."""


def csv_text(table: Table, units: str | None = None) -> str:
    """Remarks on lines of their own, header, rows; every number in full, nothing where one is not finite."""
    columns = table.columns()
    if units is not None:
        columns = columns_in_units(columns, table.si_units(), units)
    out = io.StringIO()
    for remark in table.remarks:
        out.write(f"# {remark}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    arrays = [np.asarray(values) for values in columns.values()]
    for first in range(0, table.rows, ROWS):
        writer.writerows(zip(*[_cells(values[first : first + ROWS]) for values in arrays], strict=True))
    return out.getvalue()


def _cells(values: NDArray[Any]) -> list[Any]:
    cells: list[Any] = values.tolist()
    if values.dtype.kind != "f":
        return cells
    return [repr(v) if math.isfinite(v) else "" for v in cells]


def dict_of(table: Table) -> dict[str, Any]:
    """Facts, and the columns in the table's layout."""
    found: dict[str, Any] = plain(table.facts)
    if table.layout == "arrays":
        return found | {block.quantity: _or_null(block.array(table.rows)) for block in table.blocks}
    if table.layout == "rows":
        blocks = {block.quantity: plain(block.array(table.rows)) for block in table.blocks}
        return found | {table.under: [{name: values[k] for name, values in blocks.items()} for k in range(table.rows)]}
    if table.under:
        return found | {table.under: plain(table.columns())}
    shown = [block for block in table.blocks if block.quantity != table.index]
    return found | {block.quantity: plain(block.array(table.rows)) for block in shown}


def _or_null(values: NDArray[Any]) -> list[Any]:
    """Rows, None for one that has a number that is not finite."""
    rows: list[Any] = values.tolist()
    if values.dtype.kind != "f":
        return rows
    good = np.isfinite(values.reshape(len(values), -1)).all(axis=1)
    return [row if ok else None for row, ok in zip(rows, good.tolist(), strict=True)]


def plain(value: object) -> Any:
    """A value in terms of JSON; what is not finite becomes None."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def json_text(value: Mapping[str, Any]) -> str:
    """JSON text of plain values; rows of a list on lines of their own."""
    return _object(value) + "\n"


def json_file(value: Mapping[str, Any], path: str | Path | None) -> str:
    """JSON text of plain values, written to `path` too, whole or not at all, if one is given."""
    return written(json_text(value), path)


def written(text: str, path: str | Path | None) -> str:
    """The text, after it was written to `path` if one is given."""
    if path is not None:
        write_whole(Path(path), text.encode())
    return text


def _object(entries: Mapping[str, Any], indent: str = "") -> str:
    lines = [f"{indent}  {json.dumps(key)}: {_value(value, indent + '  ')}" for key, value in entries.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}" if lines else "{}"


def _value(value: object, indent: str) -> str:
    if isinstance(value, Mapping):
        return _object(value, indent)
    if isinstance(value, list) and any(isinstance(entry, (list, dict)) for entry in value):
        rows = [f"{indent}  {json.dumps(row, allow_nan=False)}" for row in value]
        return "[\n" + ",\n".join(rows) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)


def require_pyarrow() -> None:
    """Check that pyarrow is installed before any work is done.

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
