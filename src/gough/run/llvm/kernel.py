"""LLVM IR of a whole program: blocks of samples, brought from rows to vectors and back."""

from __future__ import annotations

from gough.graph import Graph, expand
from gough.run.llvm.body import Layout, Module, write_body
from gough.run.llvm.elementary import definitions

BLOCK = 64
"""Samples that are transposed at a time: inputs and outputs of a block stay in the first-level cache."""


def write_kernel(graph: Graph, width: int) -> tuple[str, int]:
    """IR text with `@kernel(ptr arrays, ptr scratch, i64 begin, i64 end)`, and the scratch it needs in doubles.

    `arrays` points to the addresses of all inputs, then of all outputs.
    """
    module = Module(width)
    per_block = BLOCK // width
    inputs: list[tuple[str, int]] = []
    columns = 0
    for spec in graph.inputs:
        for _ in range(spec.size):
            if spec.shared:
                inputs.append(("%scratch", module.reserve(1)))
            else:
                inputs.append(("%in", columns * per_block))
                columns += 1
    flat = expand(graph)
    rows_in = module.reserve(columns * per_block)
    rows_out = module.reserve(len(flat.output_nodes) * per_block)
    write_body(module, flat, Layout(tuple(inputs), per_block), "body")
    text = [_INTRINSICS.format(w=width), definitions(module.elementary, width), *module.functions]
    text += [_MOVES, _kernel(graph, width, inputs, rows_in, rows_out)]
    return "\n".join(text), module.vectors * width


_INTRINSICS = """
declare <{w} x double> @llvm.sqrt.v{w}f64(<{w} x double>)
declare <{w} x double> @llvm.fabs.v{w}f64(<{w} x double>)
declare <{w} x double> @llvm.floor.v{w}f64(<{w} x double>)
declare i64 @llvm.umin.i64(i64, i64)
"""

_MOVES = f"""
; rows first .. of a C-order array with k columns -> columns of {BLOCK}; rows after `last` repeat it
define internal void @gather(ptr %rows, ptr %columns, i64 %k, i64 %first, i64 %last, i64 %count) {{
entry:
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r1, %row_end ]
  %wanted = add i64 %first, %r
  %real = call i64 @llvm.umin.i64(i64 %wanted, i64 %last)
  %start = mul i64 %real, %k
  %source = getelementptr double, ptr %rows, i64 %start
  %target = getelementptr double, ptr %columns, i64 %r
  br label %column
column:
  %j = phi i64 [ 0, %row ], [ %j1, %column ]
  %s = getelementptr double, ptr %source, i64 %j
  %value = load double, ptr %s
  %jump = shl i64 %j, {BLOCK.bit_length() - 1}
  %t = getelementptr double, ptr %target, i64 %jump
  store double %value, ptr %t
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %k
  br i1 %more, label %column, label %row_end
row_end:
  %r1 = add i64 %r, 1
  %more_rows = icmp ult i64 %r1, %count
  br i1 %more_rows, label %row, label %end
end:
  ret void
}}

; columns of {BLOCK} -> rows first .. of a C-order array with k columns
define internal void @scatter(ptr %columns, ptr %rows, i64 %k, i64 %first, i64 %count) {{
entry:
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r1, %row_end ]
  %real = add i64 %first, %r
  %start = mul i64 %real, %k
  %target = getelementptr double, ptr %rows, i64 %start
  %source = getelementptr double, ptr %columns, i64 %r
  br label %column
column:
  %j = phi i64 [ 0, %row ], [ %j1, %column ]
  %jump = shl i64 %j, {BLOCK.bit_length() - 1}
  %s = getelementptr double, ptr %source, i64 %jump
  %value = load double, ptr %s
  %t = getelementptr double, ptr %target, i64 %j
  store double %value, ptr %t
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %k
  br i1 %more, label %column, label %row_end
row_end:
  %r1 = add i64 %r, 1
  %more_rows = icmp ult i64 %r1, %count
  br i1 %more_rows, label %row, label %end
end:
  ret void
}}
"""


def _kernel(graph: Graph, width: int, inputs: list[tuple[str, int]], rows_in: int, rows_out: int) -> str:
    vector = f"<{width} x double>"
    lines = [
        "define void @kernel(ptr %arrays, ptr %scratch, i64 %begin, i64 %end) {",
        "entry:",
        f"  %in = getelementptr double, ptr %scratch, i64 {rows_in * width}",
        f"  %out = getelementptr double, ptr %scratch, i64 {rows_out * width}",
        "  %last = sub i64 %end, 1",
    ]
    arrays = [spec.name for spec in graph.inputs] + [output.name for output in graph.outputs]
    for number in range(len(arrays)):
        lines += [
            f"  %slot{number} = getelementptr ptr, ptr %arrays, i64 {number}",
            f"  %array{number} = load ptr, ptr %slot{number}",
        ]
    element = 0
    gathers, scatters = [], []
    for number, spec in enumerate(graph.inputs):
        if spec.shared:
            for k in range(spec.size):
                place = inputs[element + k][1]
                name = f"shared{number}.{k}"
                lines += [
                    f"  %{name}.at = getelementptr double, ptr %array{number}, i64 {k}",
                    f"  %{name} = load double, ptr %{name}.at",
                    f"  %{name}.one = insertelement {vector} poison, double %{name}, i32 0",
                    f"  %{name}.all = shufflevector {vector} %{name}.one, {vector} poison, "
                    f"<{width} x i32> zeroinitializer",
                    f"  %{name}.to = getelementptr double, ptr %scratch, i64 {place * width}",
                    f"  store {vector} %{name}.all, ptr %{name}.to, align 16",
                ]
        elif spec.size:
            start = inputs[element][1] * width
            gathers += [
                f"  %columns{number} = getelementptr double, ptr %in, i64 {start}",
                f"  call void @gather(ptr %array{number}, ptr %columns{number}, i64 {spec.size}, i64 %first, "
                "i64 %last, i64 %padded)",
            ]
        element += spec.size
    place = 0
    for number, output in enumerate(graph.outputs, start=len(graph.inputs)):
        size = len(output.nodes)
        if size:
            scatters += [
                f"  %columns{number} = getelementptr double, ptr %out, i64 {place * BLOCK}",
                f"  call void @scatter(ptr %columns{number}, ptr %array{number}, i64 {size}, i64 %first, i64 %count)",
            ]
        place += size
    return "\n".join(
        [
            *lines,
            "  %some = icmp ult i64 %begin, %end",
            "  br i1 %some, label %block, label %end_all",
            "block:",
            "  %first = phi i64 [ %begin, %entry ], [ %next, %block_end ]",
            "  %left = sub i64 %end, %first",
            f"  %count = call i64 @llvm.umin.i64(i64 %left, i64 {BLOCK})",
            f"  %rounded = add i64 %count, {width - 1}",
            f"  %padded = and i64 %rounded, {-width}",
            *gathers,
            "  br label %vector",
            "vector:",
            "  %offset = phi i64 [ 0, %block ], [ %offset1, %vector ]",
            "  %in.v = getelementptr double, ptr %in, i64 %offset",
            "  %out.v = getelementptr double, ptr %out, i64 %offset",
            "  call void @body(ptr %in.v, ptr %out.v, ptr %scratch)",
            f"  %offset1 = add i64 %offset, {width}",
            "  %more = icmp ult i64 %offset1, %padded",
            "  br i1 %more, label %vector, label %block_end",
            "block_end:",
            *scatters,
            "  %next = add i64 %first, %count",
            "  %again = icmp ult i64 %next, %end",
            "  br i1 %again, label %block, label %end_all",
            "end_all:",
            "  ret void",
            "}",
        ]
    )
