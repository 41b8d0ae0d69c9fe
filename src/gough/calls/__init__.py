"""Calls on fixed arrays, for control loops."""

from gough.calls.bind import BoundCall, bind

__all__ = ["BoundCall", "bind"]
