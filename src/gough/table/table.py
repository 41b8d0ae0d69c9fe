"""A table: blocks of columns with units, one row per sample; and the forms in which tables and results are given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gough.files import write_whole
from gough.table import formats, table_plots

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
        prefix: Prefix of the labels in names of columns; empty for platform coordinates, by default the quantity and _.
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

    def columns(self, rows: int) -> Iterator[tuple[str, Any]]:
        """Name and values (rows,) of each column."""
        return zip(self.names, self.array(rows).reshape(rows, len(self.names)).T, strict=True)


class Exports(ABC):
    """Forms in which a table is given, of the table itself and of results that have one; in SI units, radians."""

    __slots__ = ()

    @property
    @abstractmethod
    def table(self) -> Table:
        """Named columns with units."""

    def columns(self) -> dict[str, Any]:
        """(rows,) of every column by name."""
        return dict(pair for block in self.table.blocks for pair in block.columns(self.table.rows))

    def si_units(self) -> dict[str, str]:
        """Unit of each column that has one."""
        pairs = [pair for b in self.table.blocks for pair in zip(b.names, b.column_units, strict=True)]
        return {name: unit for name, unit in pairs if unit}

    def to_csv(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """CSV text in full precision, nothing where a number is not finite; written to `path` too if one is given.

        Args:
            path: Written whole or not at all.
            units: Such as "mm,deg", which the header then names; SI and radians if left out.
        """
        return formats.written(formats.csv_text(self.table, units), path)

    def to_text(self, *, units: str | None = None, rows: int = formats.ROWS) -> str:
        """Columns under their names and units, in six digits; the first and last rows where there are more.

        Args:
            units: Such as "mm,deg"; SI and radians if left out.
            rows: How many at most.
        """
        return formats.text_of(self.table, units, rows)

    def to_latex(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """A `tabular` of LaTeX with the lines of the package booktabs, in six digits; written to `path` too.

        Args:
            path: Written whole or not at all.
            units: Such as "mm,deg"; SI and radians if left out.
        """
        return formats.written(formats.latex_of(self.table, units), path)

    def to_dict(self) -> dict[str, Any]:
        """Facts and columns in plain values; None where a number is not finite."""
        return formats.dict_of(self.table)

    def to_json(self, path: str | Path | None = None) -> str:
        """JSON text of `to_dict`; written to `path` too, whole or not at all, if one is given."""
        return formats.json_file(self.to_dict(), path)

    def to_parquet(self, path: str | Path) -> None:
        """A Parquet file of the columns, the facts in its metadata; needs the extra `parquet`.

        Raises:
            InputError: pyarrow is not installed.
        """
        write_whole(Path(path), self.table.parquet_bytes())

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of the columns, by the index if there is one; units and facts in `attrs`. Extra `pandas`.

        Raises:
            InputError: pandas is not installed.
        """
        return formats.data_frame(self.table)

    def to_xarray(self) -> xarray.Dataset:
        """A data set of the quantities, each with its axes and its unit; facts in `attrs`. Extra `xarray`.

        Raises:
            InputError: xarray is not installed.
        """
        return formats.data_set(self.table)

    def plot(self, path: str | Path | None = None) -> Figure:
        """A figure of matplotlib, written to `path` too if one is given.

        Args:
            path: A .png, .svg or .pdf file.

        Raises:
            InputError: Another ending.
        """
        return table_plots.written(self.figure(), path)

    def figure(self) -> Figure:
        """What `plot` shows: the quantities drawn along the index, unless a result has a picture of its own."""
        return table_plots.draw(self.table)

    def _repr_html_(self) -> str:
        return table_plots.html(self.table)


@dataclass(frozen=True)
class Table(Exports):
    """Named columns with units; every form that results are given in.

    Attributes:
        rows: Number of rows.
        blocks: The columns, those of one quantity together.
        facts: Further values by name, plain or arrays.
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

    @property
    def table(self) -> Table:
        """The table itself."""
        return self

    def __repr__(self) -> str:
        """Its size and quantities."""
        names = ", ".join(block.quantity for block in self.blocks)
        return f"Table({self.rows} rows of {names[:600]})"

    def __str__(self) -> str:
        """What `print` shows: `to_text`."""
        return self.to_text()

    def __getitem__(self, name: str) -> Any:
        """(rows,) a column by its name, or (rows, *labels) a quantity."""
        for block in self.blocks:
            if block.quantity == name and block.prefix is None:
                return block.array(self.rows)
        return self.columns()[name]

    def block(self, quantity: str) -> Block | None:
        """The columns of a quantity, None if there are none."""
        return next((block for block in self.blocks if block.quantity == quantity), None)

    def parquet_bytes(self) -> bytes:
        """Content of the file that `to_parquet` writes."""
        return formats.parquet_bytes(self.columns(), formats.plain(self.facts))

    def extremes(self) -> list[tuple[str, str, float, Any, float, Any]]:
        """Name, unit, least value and where, largest and where, of each column shown; where is a value of the index."""
        return table_plots.extremes(self)
