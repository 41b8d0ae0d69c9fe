"""A table: blocks of columns with units, one row per sample; and what every result can do through its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError
from gough.files import PICTURES, write_whole
from gough.table.formats import plain

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


def numbered(quantity: str, values: ArrayLike, single: bool) -> Block:
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
        from gough.table.formats import csv_text, written

        return written(csv_text(self, units), path)

    def to_text(self, *, units: str | None = None, rows: int = 20) -> str:
        """Columns under their names and units, in six digits; the first and last rows where there are more.

        Args:
            units: Such as "mm,deg"; SI and radians if left out.
            rows: How many at most.
        """
        from gough.table.text import text_of

        return text_of(self, units, rows)

    def to_latex(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """A `tabular` of LaTeX with the lines of the package booktabs, in six digits; written to `path` too.

        Args:
            path: Written whole or not at all.
            units: Such as "mm,deg"; SI and radians if left out.
        """
        from gough.table.formats import written
        from gough.table.text import latex_of

        return written(latex_of(self, units), path)

    def to_dict(self) -> dict[str, Any]:
        """Facts and columns in plain values; None where a number is not finite."""
        from gough.table.formats import dict_of

        return dict_of(self)

    def to_json(self, path: str | Path | None = None) -> str:
        """JSON text of `to_dict`; written to `path` too, whole or not at all, if one is given."""
        from gough.table.formats import json_file

        return json_file(self.to_dict(), path)

    def parquet_bytes(self) -> bytes:
        """Content of the file that `to_parquet` writes."""
        from gough.table.formats import parquet_bytes, plain

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

        return data_frame(self)

    def to_xarray(self) -> xarray.Dataset:
        """A data set of the quantities, each with its axes and its unit; facts in `attrs`. Extra `xarray`.

        Raises:
            InputError: xarray is not installed.
        """

        return data_set(self)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The quantities that are shown, along the index, as a figure of matplotlib; written to `path` too.

        Args:
            path: A .png, .svg or .pdf file.
        Raises:
            InputError: Another ending.
        """
        from gough.table.table_plots import draw

        return written(draw(self), path)

    def extremes(self) -> list[tuple[str, str, float, Any, float, Any]]:
        """Name, unit, least value and where, largest and where, of each column shown; where is a value of the index."""
        from gough.table.table_plots import extremes

        return extremes(self)

    def _repr_html_(self) -> str:
        from gough.table.table_plots import html

        return html(self)


def written(figure: Figure, path: str | Path | None) -> Figure:
    """The figure, written to a file first where there is one.

    Raises:
        InputError: A file that is no picture.
    """
    if path is not None:
        from gough.plots import picture

        ending = Path(path).suffix.lower()
        if ending not in PICTURES:
            raise InputError(f"plot: {path}: must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
        write_whole(Path(path), picture(figure, ending))
    return figure


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


class Tabulated(ABC):
    """A result with a table: `table` is its own, all else comes from there."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """A result shows itself briefly; a dataclass keeps what its class already has."""
        super().__init_subclass__()
        cls.__repr__ = brief  # type: ignore[method-assign]

    @property
    @abstractmethod
    def table(self) -> Table:
        """The result as named columns with units."""

    def columns(self) -> dict[str, Any]:
        """(rows,) of every column by name, SI units and radians."""
        return self.table.columns()

    def si_units(self) -> dict[str, str]:
        """Unit of each column that has one."""
        return self.table.si_units()

    def to_csv(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """CSV text; see `Table.to_csv`."""
        return self.table.to_csv(path, units=units)

    def to_text(self, *, units: str | None = None, rows: int = 20) -> str:
        """Text for people; see `Table.to_text`."""
        return self.table.to_text(units=units, rows=rows)

    def to_latex(self, path: str | Path | None = None, *, units: str | None = None) -> str:
        """A table of LaTeX; see `Table.to_latex`."""
        return self.table.to_latex(path, units=units)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, SI units and radians; see `Table.to_dict`."""
        return self.table.to_dict()

    def to_json(self, path: str | Path | None = None) -> str:
        """JSON text of `to_dict`, written to `path` too if one is given."""
        from gough.table.formats import json_file

        return json_file(self.to_dict(), path)

    def to_parquet(self, path: str | Path) -> None:
        """A Parquet file; see `Table.to_parquet`."""
        self.table.to_parquet(path)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame; see `Table.to_pandas`."""
        return self.table.to_pandas()

    def to_xarray(self) -> xarray.Dataset:
        """A data set; see `Table.to_xarray`."""
        return self.table.to_xarray()

    def plot(self, path: str | Path | None = None) -> Figure:
        """A figure of matplotlib, written to `path` (.png, .svg or .pdf) too if one is given."""
        return written(self.figure(), path)

    def figure(self) -> Figure:
        """What `plot` shows: the table's quantities along its index, unless a result has a picture of its own."""
        return self.table.plot()

    def _repr_html_(self) -> str:
        return f"<h4>{type(self).__name__}</h4>{self.table._repr_html_()}"
