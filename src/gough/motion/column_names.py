"""Names of the columns of tables over time: a coordinate has its own name, its rates are "xd_psi" and "xdd_psi"."""

from __future__ import annotations

RATES = ("", "xd_", "xdd_")
"""What stands before a coordinate's name for itself, its rate and its acceleration."""

WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
"""Columns of the external wrench on the platform: force [N] and moment about its origin [N m] in base axes."""


def integral_of(column: str) -> str:
    """The column whose rate a column is: "xd_psi" of "xdd_psi", "psi" of "xd_psi"."""
    return f"xd_{column.removeprefix('xdd_')}" if column.startswith("xdd_") else column.removeprefix("xd_")
