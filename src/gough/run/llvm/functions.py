"""Elementary functions as IR functions on vectors of doubles.

Most are the recorded equations of `gough.graph.elementary`. Lanes for which those do not hold go to the C library, and
so do all lanes of exp and log.
"""

from __future__ import annotations

from dataclasses import replace

from gough.graph import Graph, ops
from gough.graph.elementary import BY_OPERATION, FUNCTIONS, NEAR, Elementary
from gough.graph.elementary_graph import elementary_graph, inside_node
from gough.run.llvm.body import Layout, Module, PieceWriter
from gough.run.llvm.elementary import LIBM, splat
from gough.run.llvm.order import by_latency


def definitions(used: set[tuple[int, int]], fused: bool) -> str:
    """IR of the functions `@g.NAME.WIDTH` for the operations used; sin and cos are one, `@g.sincos.WIDTH`.

    Args:
        used: Operations with the lanes of the vectors on which they are called.
        fused: With fused operations, which give the same bits.
    """
    text = []
    library = set()
    for width in sorted({width for _, width in used}):
        vector = f"<{width} x double>"
        here = {op for op, at in used if at == width}
        own = [function for function in FUNCTIONS if here & set(function.operations)]
        others = sorted(here - set(BY_OPERATION))
        if fused:
            text.append(f"declare {vector} @llvm.fma.v{width}f64({', '.join([vector] * 3)})")
        if any(function.signed or function.near for function in own):
            text.append(f"declare {vector} @llvm.copysign.v{width}f64({vector}, {vector})")
        library |= {op for function in own if function.inside for op in function.operations} | set(others)
        text += [_own(function, width, fused) for function in own] + [_by_lane(LIBM[op], width) for op in others]
    for op in sorted(library):
        arguments = BY_OPERATION[op].arguments if op in BY_OPERATION else 1
        text.append(f"declare double @{LIBM[op]}({', '.join(['double'] * arguments)})")
    return "\n".join(text)


def _by_lane(name: str, width: int) -> str:
    vector = f"<{width} x double>"
    lines = [f"define internal {vector} @g.{name}.{width}({vector} %a) {{"]
    before = "poison"
    for k in range(width):
        lines.append(f"  %a{k} = extractelement {vector} %a, i32 {k}")
        lines.append(f"  %y{k} = call double @{name}(double %a{k})")
        lines.append(f"  %v{k} = insertelement {vector} {before}, double %y{k}, i32 {k}")
        before = f"%v{k}"
    return "\n".join([*lines, f"  ret {vector} {before}", "}"])


def result_type(function: Elementary, width: int) -> str:
    """What `@g.NAME.WIDTH` returns: a vector, or a pair."""
    vector = f"<{width} x double>"
    return vector if len(function.operations) == 1 else f"{{ {', '.join([vector] * len(function.operations))} }}"


def _own(function: Elementary, width: int, fused: bool) -> str:
    """IR of a function by its equations."""
    graph = elementary_graph(function, fused)
    f = _writer(graph, width)
    v = f.vector
    inside = None if function.inside is None else inside_node(graph)
    values = [f.value(output.nodes[0]) for output in graph.outputs if output.name != "inside"]
    if function.signed:
        values = [f.put(f"call {v} @llvm.copysign.v{width}f64({v} {value}, {v} %x0)") for value in values]
    arguments = ", ".join(f"{v} %x{k}" for k in range(function.arguments))
    head = f"define internal {result_type(function, width)} @g.{function.name}.{width}({arguments}) {{"
    if inside is None:
        return "\n".join([head, *f.lines, *_returned(function, values, width), "}"])
    outside = f.put(f"xor {f.mask} {f.value(inside)}, splat (i1 true)")
    mask = f.put(f"bitcast {f.mask} {outside} to i{width}")
    some = f.put(f"icmp ne i{width} {mask}, 0")
    lines = [*f.lines, f"  br i1 {some}, label %lane, label %done", *_lanes(function, values, outside, width)]
    return "\n".join([head, *_near(function, width), "entry:", *lines, "}"])


def _writer(graph: Graph, width: int, prefix: str = "v") -> PieceWriter:
    """A writer with all operations of a function's equations, whose names begin with `prefix`."""
    f = PieceWriter(Module(width, width), graph, Layout(0, 0), {}, {}, prefix)
    for i, node in enumerate(graph.nodes):
        if node[0] == ops.INPUT:
            f.known[i] = f"%x{node[1]}"
    f.add(by_latency(graph, [i for i, node in enumerate(graph.nodes) if node[0] not in _LEAVES]))
    return f


_LEAVES = (ops.INPUT, ops.CONST, ops.BOOL)


def _near(function: Elementary, width: int) -> list[str]:
    """The short way if all lanes are near, ahead of the others' way: platforms tilt little."""
    if function.near is None:
        return []
    graph = elementary_graph(replace(function, equations=function.near, inside=None))
    f = _writer(graph, width, "n")
    v = f.vector
    values = [f.value(output.nodes[0]) for output in graph.outputs]
    values[0] = f.put(f"call {v} @llvm.copysign.v{width}f64({v} {values[0]}, {v} %x0)")
    return [
        f"  %size = call {v} @llvm.fabs.v{width}f64({v} %x0)",
        f"  %small = fcmp ole {v} %size, {splat(NEAR)}",
        f"  %lanes = bitcast {f.mask} %small to i{width}",
        f"  %all = icmp eq i{width} %lanes, -1",
        "  br i1 %all, label %near, label %entry",
        "near:",
        *f.lines,
        *_returned(function, values, width, "n"),
    ]


def _returned(function: Elementary, values: list[str], width: int, prefix: str = "r") -> list[str]:
    vector, result = f"<{width} x double>", result_type(function, width)
    if len(values) == 1:
        return [f"  ret {vector} {values[0]}"]
    lines, before = [], "poison"
    for k, value in enumerate(values):
        lines.append(f"  %{prefix}pair{k} = insertvalue {result} {before}, {vector} {value}, {k}")
        before = f"%{prefix}pair{k}"
    return [*lines, f"  ret {result} {before}"]


def _lanes(function: Elementary, values: list[str], outside: str, width: int) -> list[str]:
    """The C library's values in the lanes outside, the others as they are; then the return."""
    v = f"<{width} x double>"
    places = range(len(values))
    arguments = range(function.arguments)
    given = ", ".join(f"double %x{a}k" for a in arguments)
    return [
        "lane:",
        "  %k = phi i32 [ 0, %entry ], [ %k1, %next ]",
        *(f"  %s{r} = phi {v} [ {values[r]}, %entry ], [ %t{r}n, %next ]" for r in places),
        f"  %is_outside = extractelement <{width} x i1> {outside}, i32 %k",
        "  br i1 %is_outside, label %call, label %next",
        "call:",
        *(f"  %x{a}k = extractelement {v} %x{a}, i32 %k" for a in arguments),
        *(f"  %y{r} = call double @{LIBM[function.operations[r]]}({given})" for r in places),
        *(f"  %u{r} = insertelement {v} %s{r}, double %y{r}, i32 %k" for r in places),
        "  br label %next",
        "next:",
        *(f"  %t{r}n = phi {v} [ %s{r}, %lane ], [ %u{r}, %call ]" for r in places),
        "  %k1 = add i32 %k, 1",
        f"  %more = icmp ult i32 %k1, {width}",
        "  br i1 %more, label %lane, label %done",
        "done:",
        *(f"  %r{r} = phi {v} [ {values[r]}, %entry ], [ %t{r}n, %next ]" for r in places),
        *_returned(function, [f"%r{r}" for r in places], width),
    ]
