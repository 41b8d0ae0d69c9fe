"""LLVM IR of a whole program: samples brought from rows to vectors, computed, and brought back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gough.graph import Graph, expand
from gough.run.llvm.body import Layout, Module, write_body
from gough.run.llvm.functions import definitions

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
    moves = Moves(width)
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


class Moves:
    """The functions `@gather.K`, `@scatter.K (ptr rows, ptr columns, i64 first, i64 last)` for arrays of K columns.

    `@copy.K` copies rows to rows: the rows are in the cache, and stores wait for nothing. Nothing is written to null.
    Those for full vectors, which never look at `last`, have `.full` behind their names.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._functions: dict[str, str] = {}

    def call(self, kind: str, rows: str, columns: str, size: int, first: str, full: bool) -> str:
        """A call of `kind` (gather, copy or scatter) for the rows `first` to %last of an array of `size` columns."""
        name = f"@{kind}.{size}{'.full' if full else ''}"
        if name not in self._functions:
            self._functions[name] = (
                _copy(name, self.width, size, full)
                if kind == "copy"
                else _Writer(self.width, size, kind == "gather", full).function(name)
            )
        return f"  call void {name}(ptr {rows}, ptr {columns}, i64 {first}, i64 %last)"

    def definitions(self) -> str:
        """IR of all functions called."""
        return "\n".join(["declare i64 @llvm.umin.i64(i64, i64)", *self._functions.values()])


_COPY = """
define internal void {name}(ptr %rows, ptr %copies, i64 %first, i64 %last) {{
entry:
  %none = icmp eq ptr %copies, null
  br i1 %none, label %done, label %some
some:
  %begin = mul i64 %first, {size}
{pieces}
done:
  ret void
}}
"""

_PIECE = """\
  %at{k} = add i64 %begin, {ahead}
  %from{k} = getelementptr double, ptr %rows, i64 %at{k}
  %to{k} = getelementptr double, ptr %copies, i64 %at{k}
  %values{k} = load <{width} x double>, ptr %from{k}, align 8
  store <{width} x double> %values{k}, ptr %to{k}, align 8
"""

_NUMBER_BY_NUMBER = """\
  %behind = add i64 %last, 1
  %end = mul i64 %behind, {size}
  br label %number
number:
  %k = phi i64 [ %begin, %some ], [ %next, %number ]
  %from = getelementptr double, ptr %rows, i64 %k
  %to = getelementptr double, ptr %copies, i64 %k
  %value = load double, ptr %from, align 8
  store double %value, ptr %to, align 8
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %number, label %done"""


def _copy(name: str, width: int, size: int, full: bool) -> str:
    """IR that copies rows from `first` on: a vector of them, or those up to `last`."""
    if full:
        moved = [_PIECE.format(k=k, ahead=k * width, width=width) for k in range(size)]
        pieces = "".join([*moved, "  br label %done"])
    else:
        pieces = _NUMBER_BY_NUMBER.format(size=size)
    return _COPY.format(name=name, size=size, pieces=pieces)


def _remainders(size: int, width: int) -> Iterator[tuple[int, int]]:
    """(first column, number of columns) of the chunks behind the full ones."""
    start, chunk = size // width * width, width // 2
    while start < size:
        if start + chunk <= size:
            yield start, chunk
            start += chunk
        chunk //= 2


_ENTRY = """\
entry:
  %none = icmp eq ptr %rows, null
  br i1 %none, label %done, label %some
some:"""


class _Writer:
    """Writes one function, column chunk after column chunk."""

    def __init__(self, width: int, size: int, gather: bool, full: bool) -> None:
        self.width = width
        self.size = size
        self.full = full
        self.move = self._gather if gather else self._scatter
        self.lines: list[str] = []

    def function(self, name: str) -> str:
        """IR of the function."""
        if self.full:
            self._full_rows()
        else:
            self._last_rows()
        chunks = self.size // self.width * self.width
        if chunks:
            self.lines += ["  br label %full", "full:", "  %c = phi i64 [ 0, %some ], [ %next, %full ]"]
            self.move("%c", self.width)
            self.lines += [
                f"  %next = add i64 %c, {self.width}",
                f"  %more = icmp ult i64 %next, {chunks}",
                "  br i1 %more, label %full, label %rest",
                "rest:",
            ]
        for column, chunk in _remainders(self.size, self.width):
            self.move(str(column), chunk)
        head = f"define internal void {name}(ptr %rows, ptr %columns, i64 %first, i64 %last) {{"
        return "\n".join([head, _ENTRY, *self.lines, "  br label %done", "done:", "  ret void", "}"])

    def _full_rows(self) -> None:
        start = self.put(f"mul i64 %first, {self.size}")
        block = self.put(f"getelementptr double, ptr %rows, i64 {start}")
        for lane in range(self.width):
            self.lines.append(f"  %row{lane} = getelementptr double, ptr {block}, i64 {lane * self.size}")

    def _last_rows(self) -> None:
        for lane in range(self.width):
            wanted = self.put(f"add i64 %first, {lane}")
            real = self.put(f"call i64 @llvm.umin.i64(i64 {wanted}, i64 %last)")
            start = self.put(f"mul i64 {real}, {self.size}")
            self.lines.append(f"  %row{lane} = getelementptr double, ptr %rows, i64 {start}")

    def put(self, text: str) -> str:
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def _gather(self, column: str, chunk: int) -> None:
        rows = []
        for lane in range(self.width):
            address = self.put(f"getelementptr double, ptr %row{lane}, i64 {column}")
            rows.append(self.put(f"load <{chunk} x double>, ptr {address}, align 8"))
        vectors = self._transposed([self._joined(rows[i::chunk], chunk) for i in range(chunk)])
        for k, address in enumerate(self._column_addresses(column, chunk)):
            self.lines.append(f"  store <{self.width} x double> {vectors[k]}, ptr {address}, align 16")

    def _scatter(self, column: str, chunk: int) -> None:
        addresses = self._column_addresses(column, chunk)
        columns = [self.put(f"load <{self.width} x double>, ptr {a}, align 16") for a in addresses]
        vectors = self._transposed(columns)
        for lane in range(self.width):
            part = self._part(vectors[lane % chunk], lane // chunk * chunk, chunk)
            address = self.put(f"getelementptr double, ptr %row{lane}, i64 {column}")
            self.lines.append(f"  store <{chunk} x double> {part}, ptr {address}, align 8")

    def _column_addresses(self, column: str, chunk: int) -> list[str]:
        start = self.put(f"mul i64 {column}, {self.width}")
        places = [self.put(f"add i64 {start}, {k * self.width}") for k in range(chunk)]
        return [self.put(f"getelementptr double, ptr %columns, i64 {place}") for place in places]

    def _joined(self, parts: list[str], lanes: int) -> str:
        """One vector of short ones laid side by side."""
        while len(parts) > 1:
            parts = [self._shuffle(a, b, lanes, range(2 * lanes)) for a, b in zip(parts[::2], parts[1::2], strict=True)]
            lanes *= 2
        return parts[0]

    def _part(self, vector: str, start: int, lanes: int) -> str:
        if lanes == self.width:
            return vector
        return self._shuffle(vector, "poison", self.width, range(start, start + lanes))

    def _transposed(self, vectors: list[str]) -> list[str]:
        """The n vectors with each of their n x n blocks transposed."""
        vectors = list(vectors)
        step = 1
        while step < len(vectors):
            for i in range(len(vectors)):
                if i & step:
                    continue
                a, b = vectors[i], vectors[i + step]
                lanes = range(self.width)
                upper = [j if not j & step else self.width + j - step for j in lanes]
                lower = [j + step if not j & step else self.width + j for j in lanes]
                vectors[i] = self._shuffle(a, b, self.width, upper)
                vectors[i + step] = self._shuffle(a, b, self.width, lower)
            step *= 2
        return vectors

    def _shuffle(self, a: str, b: str, lanes: int, order: list[int] | range) -> str:
        vector = f"<{lanes} x double>"
        mask = ", ".join(f"i32 {k}" for k in order)
        return self.put(f"shufflevector {vector} {a}, {vector} {b}, <{len(order)} x i32> <{mask}>")
