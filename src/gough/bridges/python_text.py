"""A graph as readable Python text: one line per step; a value that is used once is written where it is used."""

from __future__ import annotations

from collections import Counter

from gough.graph import Graph, expand, ieee, ops
from gough.graph.root import Inner
from gough.run import Program
from gough.run.floats import INFIX

_WIDEST = 80
_OPERATORS = {**INFIX, ops.RECIP: "1 / {}"}
_CALLS = {
    ops.SQRT: "sqrt",
    ops.ABS: "abs",
    ops.SIGN: "sign",
    ops.FLOOR: "floor",
    ops.MIN: "min",
    ops.MAX: "max",
    ops.ISFINITE: "isfinite",
    ops.SIN: "sin",
    ops.COS: "cos",
    ops.TAN: "tan",
    ops.ASIN: "asin",
    ops.ACOS: "acos",
    ops.ATAN: "atan",
    ops.ATAN2: "atan2",
    ops.EXP: "exp",
    ops.LOG: "log",
}
_HEAD = '''"""Equations recorded by gough, as straight Python on floats."""

from math import acos, asin, atan, atan2, copysign, cos, exp, floor, isfinite, log, sin, sqrt, tan


def sign(x):
    """1, -1, or x itself at zero."""
    return copysign(1.0, x) if x else x
'''


def to_python(graph: Graph | Program, name: str = "f") -> str:
    """Text of a Python module with a function of the graph's inputs by name, which gives a dict of its outputs.

    Inputs and outputs are floats, or nested lists of them. A root is a function of its own with the loop that finds it.
    What is in the text agrees with gough's executors to the last bits of `math`'s sine, cosine and so on.

    Args:
        graph: Recorded equations: `gough.record`, `gough.graph_of(robot)`, or a `Program`.
        name: The function's.
    """
    given = expand(graph.graph if isinstance(graph, Program) else graph)
    steps: dict[str, tuple[str, str]] = {}
    body = _function(given, name, steps)
    return "\n\n\n".join([_HEAD.rstrip("\n"), *[text for _, text in steps.values()], body]) + "\n"


def _function(graph: Graph, name: str, steps: dict[str, tuple[str, str]]) -> str:
    """Text of a function."""
    lines = [f"def {name}({', '.join(spec.name for spec in graph.inputs)}):"]
    shapes = [f"{spec.name} {spec.shape or 'a number'}" for spec in graph.inputs]
    lines += [f'    """{", ".join(o.name for o in graph.outputs)} of {", ".join(shapes) or "nothing"}."""']
    lines += _lines(graph, _elements(graph), steps)
    return "\n".join(lines)


def _elements(graph: Graph) -> list[str]:
    """Text of each element of the flattened inputs."""
    found = []
    for spec in graph.inputs:
        found += [_indexed(spec.name, spec.shape, k) for k in range(spec.size)]
    return found


def _indexed(name: str, shape: tuple[int, ...], k: int) -> str:
    places: list[int] = []
    for n in reversed(shape):
        places.insert(0, k % n)
        k //= n
    return name + "".join(f"[{place}]" for place in places)


def _lines(graph: Graph, elements: list[str], steps: dict[str, tuple[str, str]]) -> list[str]:
    uses = Counter(k for node in graph.nodes for k in ops.operands(node))
    uses.update(graph.output_nodes)
    texts: list[str] = []
    lines: list[str] = []
    label = ""
    count = 0
    for i, node in enumerate(graph.nodes):
        op = node[0]
        text, atom = _text(graph, node, texts, elements, steps)
        plain = op in (ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM)
        long = op in ops.BUNDLES or (not plain and (uses[i] > 1 or len(text) > _WIDEST))
        if long:
            if graph.labels[i] != label:
                label = graph.labels[i]
                lines += [f"    # {label}"] if label else []
            count += 1
            lines.append(f"    t{count} = {text}")
            text, atom = f"t{count}", True
        texts.append(text if atom else f"({text})")
    outputs = ", ".join(f"{o.name!r}: {_nested([_bare(texts[k]) for k in o.nodes], o.shape)}" for o in graph.outputs)
    return [*lines, f"    return {{{outputs}}}"]


def _bare(text: str) -> str:
    """Without the brackets around a whole expression."""
    if not text.startswith("("):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return texts[0]
    size = len(texts) // shape[0] if shape[0] else 0
    parts = [_nested(texts[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]
    return f"[{', '.join(parts)}]"


def _text(
    graph: Graph, node: tuple[int, ...], texts: list[str], elements: list[str], steps: dict[str, tuple[str, str]]
) -> tuple[str, bool]:
    """Text of a node, and whether it needs no brackets in others."""
    op = node[0]
    given = [texts[k] for k in ops.operands(node)]
    if op == ops.INPUT:
        return elements[node[1]], True
    if op == ops.CONST:
        value = ieee.from_bits(node[1])
        return (repr(value), value >= 0.0) if value - value == 0.0 else (f"float('{value}')", True)
    if op == ops.BOOL:
        return str(bool(node[1])), True
    if op == ops.ITEM:
        return f"{given[0]}[{node[1]}]", True
    if op == ops.LOOP:
        inner = graph.inners[node[1]]
        name = _step(inner, steps)
        n = inner.size + 2
        return f"{name}([{', '.join(map(_bare, given[:n]))}], [{', '.join(map(_bare, given[n:]))}])", True
    if op in _CALLS:
        return f"{_CALLS[op]}({', '.join(map(_bare, given))})", True
    return _OPERATORS[op].format(*given), False


def _step(inner: Inner, steps: dict[str, tuple[str, str]]) -> str:
    """Name of the function that repeats the steps of a root."""
    if inner.digest not in steps:
        name = f"solve{len(steps) + 1}"
        steps[inner.digest] = name, ""
        graph = inner.flat_step
        step = _function(graph, f"{name}_step", steps)
        loop = [
            f"def {name}(state, p):",
            f'    """State after at most {inner.max_iter} guarded steps: unknowns, active, converged."""',
            f"    for _ in range({inner.max_iter}):",
            f"        if state[{inner.size}] == 0:",
            "            break",
            f"        state = {name}_step(state, p)['out']",
            "    return state",
        ]
        steps[inner.digest] = name, step + "\n\n\n" + "\n".join(loop)
    return steps[inner.digest][0]
