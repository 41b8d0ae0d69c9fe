"""Columns as a file of a store: Parquet where pyarrow is installed, else NumPy's .npz; both carry checksums."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from gough.errors import InputError

ENDINGS = (".parquet", ".npz")


class Damaged(Exception):
    """A file of the store that is not what was written."""


def ending() -> str:
    """Of files that this installation writes."""
    from gough.table.formats import require_pyarrow

    try:
        require_pyarrow()
    except InputError:
        return ".npz"
    return ".parquet"


def file_bytes(columns: dict[str, Any], form: str) -> bytes:
    """The content of a file with this ending: columns of numbers, texts or bytes."""
    return _parquet_bytes(columns) if form == ".parquet" else _npz_bytes(columns)


def read_file(path: Path) -> dict[str, Any]:
    """Columns of a file, verified.

    Raises:
        InputError: It is a Parquet file, and pyarrow is not installed.
        Damaged: It is not what was written.
    """
    if path.suffix == ".parquet":
        from gough.table.formats import require_pyarrow

        require_pyarrow()
    try:
        return _read_parquet(path) if path.suffix == ".parquet" else _read_npz(path)
    except Exception as error:
        raise Damaged((str(error).splitlines() or [type(error).__name__])[0][:80]) from None


def _parquet_bytes(columns: dict[str, Any]) -> bytes:
    """With page checksums."""
    import pyarrow as pa
    from pyarrow import parquet

    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink, write_page_checksum=True, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _read_parquet(path: Path) -> dict[str, Any]:
    from pyarrow import parquet

    table = parquet.read_table(path, page_checksum_verification=True, partitioning=None)
    numbers = all(column.type not in ("binary", "string") for column in table.columns)
    if numbers:
        return {name: np.asarray(column) for name, column in zip(table.column_names, table.columns, strict=True)}
    found: dict[str, Any] = table.to_pydict()
    return found


def _npz_bytes(columns: dict[str, Any]) -> bytes:
    """Bytes of a column stand one after the other in its array, with their sizes in another; a zip has checksums."""
    arrays: dict[str, Any] = {}
    for name, column in columns.items():
        if len(column) and isinstance(column[0], bytes):
            arrays[f"bytes {name}"] = np.frombuffer(b"".join(column), dtype=np.uint8)
            arrays[f"sizes {name}"] = np.array([len(entry) for entry in column])
        else:
            arrays[f"plain {name}"] = np.asarray(column)
    sink = io.BytesIO()
    np.savez_compressed(sink, **arrays)
    return sink.getvalue()


def _read_npz(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
        for key in arrays.files:
            kind, _, name = key.partition(" ")
            if kind == "plain":
                found[name] = arrays[key]
            elif kind == "bytes":
                content, ends = arrays[key].tobytes(), np.cumsum(arrays[f"sizes {name}"])
                found[name] = [
                    content[end - size : end] for end, size in zip(ends, arrays[f"sizes {name}"], strict=True)
                ]
    return found
