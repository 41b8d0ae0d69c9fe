"""A table as a data frame of pandas and as a data set of xarray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import InputError
from gough.table.text import plain

if TYPE_CHECKING:
    import pandas
    import xarray

    from gough.table.table import Block, Table


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
        entry = ((rows, *block.axes), np.array(block.array(table.rows)), _units(block))
        (labels if block.quantity == table.index else variables)[block.quantity] = entry
    facts = {name: value for name, value in plain(table.facts).items() if isinstance(value, (str, int, float))}
    return xarray.Dataset(variables, labels, facts)


def _units(block: Block) -> dict[str, Any]:
    """The unit, one for all or a list for the labels; nothing where there is none."""
    units = block.column_units
    return {"units": units[0] if len(set(units)) == 1 else units} if any(units) else {}
