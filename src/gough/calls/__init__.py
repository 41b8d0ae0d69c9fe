"""Calls on fixed arrays, for control loops."""

from gough.calls.actuator_limits import ExceededLimit
from gough.calls.bind import BoundCall, bind

__all__ = ["BoundCall", "ExceededLimit", "bind"]
