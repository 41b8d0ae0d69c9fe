"""One table for all results: named columns with units, and all forms they are given in."""

from gough.table.table import Block, Table, Tabulated

__all__ = ["Block", "Table", "Tabulated"]
