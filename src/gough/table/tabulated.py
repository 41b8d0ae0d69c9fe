"""What every result can do through its table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gough.brief import brief
from gough.table.table import Table

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure


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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, SI units and radians; see `Table.to_dict`."""
        return self.table.to_dict()

    def to_json(self, path: str | Path | None = None) -> str:
        """JSON text of `to_dict`, written to `path` too if one is given."""
        from gough.table.text import json_file

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

    def plot(self) -> Figure:
        """A figure; see `Table.plot`."""
        return self.table.plot()

    def _repr_html_(self) -> str:
        return f"<h4>{type(self).__name__}</h4>{self.table._repr_html_()}"
