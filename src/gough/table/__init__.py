"""Results and their one table: named columns with units, and all forms they are given in."""

from gough.table.result import Result, column, computed, records
from gough.table.table import Block, Table

__all__ = ["Block", "Result", "Table", "column", "computed", "records"]
