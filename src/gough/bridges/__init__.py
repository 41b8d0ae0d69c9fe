"""Recorded equations in other programs: CasADi, JAX, and Python text."""

from gough.bridges.casadi_function import to_casadi
from gough.bridges.graph_of import graph_of
from gough.bridges.jax_function import to_jax
from gough.bridges.python_text import to_python

__all__ = ["graph_of", "to_casadi", "to_jax", "to_python"]
