"""LLVM IR of a whole program: samples brought from rows to vectors, computed, and brought back."""

from __future__ import annotations

from dataclasses import dataclass

from gough.graph import Graph, expand
from gough.run.llvm.body import Layout, Module, write_body
from gough.run.llvm.functions import definitions
from gough.run.llvm.moves import Moves

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


@dataclass(frozen=True, slots=True)
class Kernel:
    """IR of a program.

    Attributes:
        text: With `@kernel(ptr arrays, ptr scratch, i64 begin, i64 end)` and `@bound(ptr call)`.
        scratch: Doubles it needs.
        ordered: Whether its operations stand in an order in which they are to stay.
    """

    text: str
    scratch: int
    ordered: bool


def write_kernel(graph: Graph, width: int, lanes: int, fused: bool = False) -> Kernel:
    """The kernel of a graph.

    `arrays` points to the addresses of all inputs, of all outputs, and of what each input is copied to on the way; null
    for an output or a copy that is not wanted. `@bound(ptr call)` takes the place of the four.
    `width`: lanes of a vector. `lanes`: those of the machine's widest, which calls of elementary functions may share.
    `fused`: elementary functions may use fused operations, which give the same bits.
    """
    module = Module(width, max(width, lanes))
    inputs = module.reserve(sum(spec.size for spec in graph.inputs))
    outputs = module.reserve(sum(len(output.nodes) for output in graph.outputs))
    write_body(module, expand(graph), Layout(inputs, outputs), "body")
    entry = []
    arrays = len(graph.inputs) + len(graph.outputs)
    for number in range(arrays + len(graph.inputs)):
        entry += [
            f"  %slot{number} = getelementptr ptr, ptr %arrays, i64 {number}",
            f"  %array{number} = load ptr, ptr %slot{number}, align 8",
        ]
    columns: list[tuple[str, int, str, int]] = []
    place = inputs
    for number, spec in enumerate(graph.inputs):
        entry.append(f"  %columns{number} = getelementptr double, ptr %scratch, i64 {place * width}")
        if spec.shared and spec.size:
            entry.append(f"  call void @spread(ptr %array{number}, ptr %columns{number}, i64 {spec.size})")
        elif spec.size:
            columns.append(("gather", number, f"%columns{number}", spec.size))
            columns.append(("copy", number, f"%array{arrays + number}", spec.size))
        place += spec.size
    place = outputs
    for number, output in enumerate(graph.outputs, start=len(graph.inputs)):
        entry.append(f"  %columns{number} = getelementptr double, ptr %scratch, i64 {place * width}")
        if output.nodes:
            columns.append(("scatter", number, f"%columns{number}", len(output.nodes)))
        place += len(output.nodes)
    moves = Moves(width, module.ordered)
    vector, part = (_step(moves, columns, first, full) for first, full in (("%first", True), ("%whole", False)))
    kernel = _KERNEL.format(width=width, entry="\n".join(entry), vector=vector, part=part)
    widths = {width} | {called for _, called in module.elementary}
    intrinsics = [_INTRINSICS.format(w=w) for w in sorted(widths)]
    text = [*intrinsics, definitions(module.elementary, fused), *module.functions]
    whole = "\n".join([*text, moves.definitions(), _SPREAD.format(w=width), kernel, _BOUND])
    return Kernel(whole, module.vectors * width, module.ordered)


def _step(moves: Moves, columns: list[tuple[str, int, str, int]], first: str, full: bool) -> str:
    """One vector of samples from row `first` on: brought in, computed, brought out."""
    lines: dict[str, list[str]] = {"gather": [], "copy": [], "scatter": []}
    for kind, number, place, size in columns:
        lines[kind].append(moves.call(kind, f"%array{number}", place, size, first, full))
    return "\n".join([*lines["gather"], *lines["copy"], "  call void @body(ptr %scratch)", *lines["scatter"]])
