"""A table as CSV, text for people, LaTeX, plain values, JSON, a Parquet file, a data frame and a data set."""

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
    import pandas
    import xarray

    from gough.table.table import Block, Table

CHUNK = 4096
"""Rows that are made text at a time, so that the cells of all rows are never in memory together."""
ROWS, WIDTH, DIGITS = 20, 118, 6
"""Rows of a text, the first and last of them where there are more; characters of a line; digits of a number."""
_SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}


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
    for first in range(0, table.rows, CHUNK):
        writer.writerows(zip(*[_cells(values[first : first + CHUNK]) for values in arrays], strict=True))
    return out.getvalue()


def _cells(values: NDArray[Any]) -> list[Any]:
    cells: list[Any] = values.tolist()
    if values.dtype.kind != "f":
        return cells
    return [repr(v) if math.isfinite(v) else "" for v in cells]


def text_of(table: Table, units: str | None = None, rows: int = ROWS) -> str:
    """Columns under their names; where a line would be too long, the other columns follow below."""
    columns = _columns(table, units, rows)
    if not columns:
        return f"{table.rows} rows, no columns"
    blocks: list[list[list[str]]] = [[]]
    for cells in columns:
        used = sum(max(map(len, own)) + 2 for own in blocks[-1])
        if blocks[-1] and used + max(map(len, cells)) > WIDTH:
            blocks.append([])
        blocks[-1].append(cells)
    text = "\n\n".join(_aligned(block) for block in blocks)
    return f"{text}\n({table.rows} rows)" if table.rows > rows else text


def latex_of(table: Table, units: str | None = None, rows: int | None = None) -> str:
    """A `tabular` of all columns with the lines of the package booktabs; all rows unless a number is given."""
    columns = _columns(table, units, table.rows if rows is None else rows)
    right = "".join("r" if all(_is_number(cell) for cell in cells[1:]) else "l" for cells in columns)
    lines = [" & ".join(_escaped(cell) for cell in row) + r" \\" for row in zip(*columns, strict=True)]
    begin = [rf"\begin{{tabular}}{{{right}}}", r"\toprule", *lines[:1], r"\midrule"]
    return "\n".join([*begin, *lines[1:], r"\bottomrule", r"\end{tabular}"]) + "\n"


def _columns(table: Table, units: str | None, rows: int) -> list[list[str]]:
    """Header and cells of each column; the middle rows are left out, and told by dots, where there are too many."""
    columns, names = table.columns(), table.si_units()
    if units is not None:
        columns, names = columns_in_units(columns, names, units), {}
    found = []
    for name, values in columns.items():
        head = f"{name} [{names[name]}]" if name in names else name
        cells = [_cell(value) for value in _ends(np.asarray(values), rows).tolist()]
        if table.rows > rows:
            cells.insert((rows + 1) // 2, "...")
        found.append([head, *cells])
    return found


def _ends(values: Any, rows: int) -> Any:
    if len(values) <= rows:
        return values
    last = rows // 2
    return np.concatenate([values[: rows - last], values[len(values) - last :]])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value + 0.0:.{DIGITS}g}" if math.isfinite(value) else "-"
    return " ".join(str(value).split())


def _aligned(columns: list[list[str]]) -> str:
    widths = [max(map(len, cells)) for cells in columns]
    right = [all(_is_number(cell) for cell in cells[1:]) for cells in columns]
    lines = [
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell in ("-", "...")
    return True


def _escaped(cell: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in cell)


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


def parquet_bytes(columns: Mapping[str, Any], facts: Mapping[str, Any]) -> bytes:
    """A Parquet file of equally long columns, with facts as JSON under the metadata key "gough".

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


def data_frame(table: Table) -> pandas.DataFrame:
    """One column per column, by the index if there is one; units and facts in `attrs`.

    Raises:
        InputError: pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise InputError("to_pandas: needs the package pandas; pip install 'gough[pandas]'") from None
    frame = pandas.DataFrame({name: np.array(values) for name, values in table.columns().items()})
    if table.block(table.index) is not None:
        frame = frame.set_index(table.index)
    frame.attrs = {"units": table.si_units(), "facts": plain(table.facts)}
    return frame


def data_set(table: Table) -> xarray.Dataset:
    """One variable per quantity with the axes it has, the rows first; facts that are plain in `attrs`.

    Raises:
        InputError: xarray is not installed.
    """
    try:
        import xarray
    except ImportError:
        raise InputError("to_xarray: needs the package xarray; pip install 'gough[xarray]'") from None
    rows = table.index or "sample"
    variables: dict[str, Any] = {}
    labels: dict[str, Any] = {}
    for block in table.blocks:
        labels |= {axis: list(names) for axis, names in block.axes.items()}
        entry = ((rows, *block.axes), np.array(block.array(table.rows)), _shared_unit(block))
        (labels if block.quantity == table.index else variables)[block.quantity] = entry
    facts = {name: value for name, value in plain(table.facts).items() if isinstance(value, (str, int, float))}
    return xarray.Dataset(variables, labels, facts)


def _shared_unit(block: Block) -> dict[str, Any]:
    """The unit, one for all or a list for the labels; nothing where there is none."""
    units = block.column_units
    return {"units": units[0] if len(set(units)) == 1 else units} if any(units) else {}
