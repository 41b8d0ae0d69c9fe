"""Outputs that are polynomials of degree two in the inputs, by their coefficients: however many steps they took."""

from __future__ import annotations

import numpy as np

from gough.graph import ieee, ops
from gough.graph.expand import expand
from gough.graph.graph import Graph
from gough.graph.scalars import Array


def quadratic_outputs(graph: Graph) -> Array | None:
    """(outputs, 1 + n, 1 + n) upper triangles C of the outputs C_ij y_i y_j with y = (1, inputs...).

    None if an output is no such polynomial, or its coefficients are not finite. What is computed from constants alone
    counts as one; higher powers, roots and choices that depend on inputs do not, even where they happen to cancel.
    """
    graph = expand(graph)
    size = 1 + sum(spec.size for spec in graph.inputs)
    forms: list[Array | None] = []
    with np.errstate(all="ignore"):
        for node in graph.nodes:
            forms.append(_form(node, forms, size))
    found = [forms[i] for i in graph.output_nodes]
    numbers = [form for form in found if form is not None and np.isfinite(form).all()]
    return np.array(numbers).reshape(-1, size, size) if len(numbers) == len(found) else None


def _form(node: ops.Node, forms: list[Array | None], size: int) -> Array | None:
    """(size, size) coefficients of a node, given those of the nodes before it."""
    op = node[0]
    form = np.zeros((size, size))
    if op == ops.CONST:
        form[0, 0] = ieee.from_bits(node[1])
        return form
    if op == ops.INPUT:
        form[0, 1 + node[1]] = 1.0
        return form
    if op not in (ops.ADD, ops.SUB, ops.NEG, ops.MUL):
        return None
    a, b = forms[node[1]], forms[node[-1]]
    if a is None or b is None:
        return None
    if op == ops.NEG:
        return -a
    if op == ops.MUL:
        return _product(a, b)
    return a + b if op == ops.ADD else a - b


def _product(a: Array, b: Array) -> Array | None:
    """Coefficients of a product, unless it is of a higher degree."""
    if _is_constant(a):
        a, b = b, a
    if _is_constant(b):
        return a * float(b[0, 0])
    if a[1:].any() or b[1:].any():
        return None
    product = np.outer(a[0], b[0])
    return np.triu(product + np.tril(product, -1).T)


def _is_constant(form: Array) -> bool:
    return not form.ravel()[1:].any()
