"""LLVM IR of a whole program: all vectors of samples, brought in from rows and out again."""

from __future__ import annotations

from gough.graph import Graph, expand
from gough.run.llvm.body import Layout, Module, write_body
from gough.run.llvm.elementary import definitions
from gough.run.llvm.row_moves import Moves

_INTRINSICS = """
declare <{w} x double> @llvm.sqrt.v{w}f64(<{w} x double>)
declare <{w} x double> @llvm.fabs.v{w}f64(<{w} x double>)
declare <{w} x double> @llvm.floor.v{w}f64(<{w} x double>)
"""

_SPREAD = """
define internal void @spread(ptr %values, ptr %columns, i64 %count) {{
entry:
  br label %element
element:
  %k = phi i64 [ 0, %entry ], [ %next, %element ]
  %from = getelementptr double, ptr %values, i64 %k
  %value = load double, ptr %from, align 8
  %one = insertelement <{w} x double> poison, double %value, i32 0
  %all = shufflevector <{w} x double> %one, <{w} x double> poison, <{w} x i32> zeroinitializer
  %to = getelementptr <{w} x double>, ptr %columns, i64 %k
  store <{w} x double> %all, ptr %to, align 16
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %element, label %done
done:
  ret void
}}
"""

_KERNEL = """
define void @kernel(ptr %arrays, ptr %scratch, i64 %begin, i64 %end) {{
entry:
  %last = sub i64 %end, 1
{entry}
  %count = sub i64 %end, %begin
  %tail = urem i64 %count, {width}
  %whole = sub i64 %end, %tail
  %some = icmp ult i64 %begin, %whole
  br i1 %some, label %vector, label %rest
vector:
  %first = phi i64 [ %begin, %entry ], [ %next, %vector ]
{vector}
  %next = add i64 %first, {width}
  %more = icmp ult i64 %next, %whole
  br i1 %more, label %vector, label %rest
rest:
  %left = icmp ult i64 %whole, %end
  br i1 %left, label %part, label %done
part:
{part}
  br label %done
done:
  ret void
}}
"""

_BOUND = """
define void @bound(ptr %call) {
  %scratch_at = getelementptr i64, ptr %call, i64 1
  %begin_at = getelementptr i64, ptr %call, i64 2
  %end_at = getelementptr i64, ptr %call, i64 3
  %arrays = load ptr, ptr %call, align 8
  %scratch = load ptr, ptr %scratch_at, align 8
  %begin = load i64, ptr %begin_at, align 8
  %end = load i64, ptr %end_at, align 8
  call void @kernel(ptr %arrays, ptr %scratch, i64 %begin, i64 %end)
  ret void
}
"""
"""The kernel by one argument, the place of its four: passing each from Python takes 0.1 us."""


def write_kernel(graph: Graph, width: int) -> tuple[str, int]:
    """IR text with `@kernel(ptr arrays, ptr scratch, i64 begin, i64 end)`, and the scratch it needs in doubles.

    `arrays` points to the addresses of all inputs, then of all outputs. `@bound(ptr call)` takes the place of the four.
    """
    module = Module(width)
    inputs = module.reserve(sum(spec.size for spec in graph.inputs))
    outputs = module.reserve(sum(len(output.nodes) for output in graph.outputs))
    write_body(module, expand(graph), Layout(inputs, outputs), "body")
    entry = []
    for number in range(len(graph.inputs) + len(graph.outputs)):
        entry += [
            f"  %slot{number} = getelementptr ptr, ptr %arrays, i64 {number}",
            f"  %array{number} = load ptr, ptr %slot{number}, align 8",
        ]
    columns: list[tuple[str, int, int]] = []
    place = inputs
    for number, spec in enumerate(graph.inputs):
        entry.append(f"  %columns{number} = getelementptr double, ptr %scratch, i64 {place * width}")
        if spec.shared and spec.size:
            entry.append(f"  call void @spread(ptr %array{number}, ptr %columns{number}, i64 {spec.size})")
        elif spec.size:
            columns.append(("gather", number, spec.size))
        place += spec.size
    place = outputs
    for number, output in enumerate(graph.outputs, start=len(graph.inputs)):
        entry.append(f"  %columns{number} = getelementptr double, ptr %scratch, i64 {place * width}")
        if output.nodes:
            columns.append(("scatter", number, len(output.nodes)))
        place += len(output.nodes)
    moves = Moves(width)
    vector, part = (_step(moves, columns, first, full) for first, full in (("%first", True), ("%whole", False)))
    kernel = _KERNEL.format(width=width, entry="\n".join(entry), vector=vector, part=part)
    text = [_INTRINSICS.format(w=width), definitions(module.elementary, width), *module.functions]
    return "\n".join([*text, moves.definitions(), _SPREAD.format(w=width), kernel, _BOUND]), module.vectors * width


def _step(moves: Moves, columns: list[tuple[str, int, int]], first: str, full: bool) -> str:
    """One vector of samples from row `first` on: brought in, computed, brought out."""
    lines: dict[str, list[str]] = {"gather": [], "scatter": []}
    for kind, number, size in columns:
        lines[kind].append(moves.call(kind, f"%array{number}", f"%columns{number}", size, first, full))
    return "\n".join([*lines["gather"], "  call void @body(ptr %scratch)", *lines["scatter"]])
