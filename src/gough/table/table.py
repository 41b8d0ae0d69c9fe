"""A table: blocks of columns, one row per sample, with units and with what is said beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gough.files import write_whole

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Block:
    """Columns of one quantity.

    Attributes:
        quantity: What they are, in the vocabulary of results: "q", "force", "status".
        values: (rows, *labels), or what broadcasts to that; one of them has no leading axis.
        units: SI unit of all, or of each label of the last axis; empty where there is none.
        axes: Labels by the name of their axis: {"actuator": ("A", "B", "C")}. None for a single column.
        prefix: Of the labels in names of columns; empty for platform coordinates. The quantity and _ unless given.
    """

    quantity: str
    values: Any
    units: str | Sequence[str] = ""
    axes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    prefix: str | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one row."""
        return tuple(len(labels) for labels in self.axes.values())

    @property
    def names(self) -> list[str]:
        """Of the columns: "q_A"; "psi" of coordinates, "M_x_psi" where there are two axes."""
        if not self.axes:
            return [self.quantity]
        first, *others = self.axes.values()
        found = [f"{f'{self.quantity}_' if self.prefix is None else self.prefix}{label}" for label in first]
        for labels in others:
            found = [f"{name}_{label}" for name in found for label in labels]
        return found

    @property
    def column_units(self) -> list[str]:
        """SI unit of each column."""
        units = np.array(self.units if isinstance(self.units, str) else list(self.units), dtype=object)
        return [str(unit) for unit in np.broadcast_to(units, self.shape).ravel()]

    def array(self, rows: int) -> Any:
        """(rows, *labels) all values."""
        return np.broadcast_to(np.asarray(self.values), (rows, *self.shape))


def numbered(quantity: str, values: Any, single: bool) -> Block:
    """A block of arrays whose axes are counted from 1; `single` for one sample without the leading axis."""
    shape = np.shape(values) if single else np.shape(values)[1:]
    labels = [tuple(str(k + 1) for k in range(size)) for size in shape]
    return Block(quantity, values, axes={f"{quantity}_{k}": names for k, names in enumerate(labels)})


def blocks_of(records: Sequence[Mapping[str, Any]], units: Mapping[str, str] | None = None) -> tuple[Block, ...]:
    """A block for each key of records that all have the same ones; a tuple in them is an axis counted from 1."""
    found = []
    for key in records[0] if records else ():
        values = np.array([record[key] for record in records])
        unit = (units or {}).get(key, "")
        found.append(replace(numbered(key, values, False), units=unit))
    return tuple(found)


@dataclass(frozen=True)
class Table:
    """Named columns with units; every form that results are given in.

    Attributes:
        rows: How many.
        blocks: The columns, those of one quantity together.
        facts: What is said beside them, in plain values or arrays.
        index: Quantity of the block that tells rows apart: "t", "actuator", "mode"; "" where nothing does.
        shown: Quantities to draw and to give extremes of, the most important first.
        remarks: Lines before the CSV text.
        layout: Of `to_dict`: by column, by row, or arrays (rows, labels) by quantity, null where a row has no value.
        under: Key of `to_dict` for the columns or rows; "" puts columns beside the facts.
    """

    rows: int
    blocks: tuple[Block, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    index: str = ""
    shown: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    layout: Literal["columns", "rows", "arrays"] = "columns"
    under: str = "columns"

    def __repr__(self) -> str:
        """Its size and quantities."""
        names = ", ".join(block.quantity for block in self.blocks)
        return f"Table({self.rows} rows of {names[:600]})"

    def __getitem__(self, name: str) -> Any:
        """(rows,) a column by its name, or (rows, *labels) a quantity."""
        for block in self.blocks:
            if block.quantity == name and block.prefix is None:
                return block.array(self.rows)
        return self.columns()[name]

    def columns(self) -> dict[str, Any]:
        """(rows,) of every column by name, SI units and radians."""
        found: dict[str, Any] = {}
        for block in self.blocks:
            flat = block.array(self.rows).reshape(self.rows, -1)
            found |= {name: flat[:, k] for k, name in enumerate(block.names)}
        return found

    def si_units(self) -> dict[str, str]:
        """Unit of each column that has one."""
        pairs = [pair for b in self.blocks for pair in zip(b.names, b.column_units, strict=True)]
        return {name: unit for name, unit in pairs if unit}

    def block(self, quantity: str) -> Block | None:
        """The columns of a quantity, None if there are none."""
        return next((block for block in self.blocks if block.quantity == quantity), None)

    def to_csv(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """CSV text in full precision, nothing where a number is not finite; written to `path` too if one is given.

        Args:
            path: Written whole or not at all.
            units: Such as "mm,deg", which the header then names; SI and radians if left out.
        """
        from gough.table.text import csv_text, written

        return written(csv_text(self, units), path)

    def to_dict(self) -> dict[str, Any]:
        """Facts and columns in plain values; None where a number is not finite."""
        from gough.table.text import dict_of

        return dict_of(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """JSON text of `to_dict`; written to `path` too, whole or not at all, if one is given."""
        from gough.table.text import json_file

        return json_file(self.to_dict(), path)

    def parquet_bytes(self) -> bytes:
        """Content of the file that `to_parquet` writes."""
        from gough.parquet import parquet_bytes
        from gough.table.text import plain

        return parquet_bytes(self.columns(), plain(self.facts))

    def to_parquet(self, path: str | Path) -> None:
        """A Parquet file of the columns, the facts in its metadata; needs the extra `parquet`.

        Raises:
            InputError: pyarrow is not installed.
        """
        write_whole(Path(path), self.parquet_bytes())

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of the columns, by the index if there is one; units and facts in `attrs`. Extra `pandas`.

        Raises:
            InputError: pandas is not installed.
        """
        from gough.table.frames import data_frame

        return data_frame(self)

    def to_xarray(self) -> xarray.Dataset:
        """A data set of the quantities, each with its axes and its unit; facts in `attrs`. Extra `xarray`.

        Raises:
            InputError: xarray is not installed.
        """
        from gough.table.frames import data_set

        return data_set(self)

    def plot(self) -> Figure:
        """The quantities that are shown, along the index, as a figure of matplotlib."""
        from gough.table.picture import draw

        return draw(self)

    def extremes(self) -> list[tuple[str, str, float, Any, float, Any]]:
        """Name, unit, least value and where, largest and where, of each column shown; where is a value of the index."""
        from gough.table.picture import extremes

        return extremes(self)

    def _repr_html_(self) -> str:
        from gough.table.picture import html

        return html(self)
