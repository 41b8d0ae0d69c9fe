"""LLVM IR that brings samples from rows to vectors and back, and copies rows."""

from __future__ import annotations

from collections.abc import Iterator


class Moves:
    """The functions `@gather.K`, `@scatter.K (ptr rows, ptr columns, i64 first, i64 last)` for arrays of K columns.

    `@copy.K` copies rows to rows: the rows are in the cache, and stores wait for nothing. Nothing is written to null.
    Those for full vectors, which never look at `last`, have `.full` behind their names. With `ahead` they also ask for
    the memory that the next vector of samples will be written to, which is seldom in the nearest caches: equations that
    take a few hundred cycles would wait for it. What takes longer has none of it, for it would be gone again.
    """

    def __init__(self, width: int, ahead: bool) -> None:
        self.width = width
        self.ahead = ahead
        self._functions: dict[str, str] = {}

    def call(self, kind: str, rows: str, columns: str, size: int, first: str, full: bool) -> str:
        """A call of `kind` (gather, copy or scatter) for the rows `first` to %last of an array of `size` columns."""
        name = f"@{kind}.{size}{'.full' if full else ''}"
        if name not in self._functions:
            ahead = self.ahead and full and kind != "gather"
            self._functions[name] = (
                _copy(name, self.width, size, full, ahead)
                if kind == "copy"
                else _Writer(self.width, size, kind == "gather", full, ahead).function(name)
            )
        return f"  call void {name}(ptr {rows}, ptr {columns}, i64 {first}, i64 %last)"

    def definitions(self) -> str:
        """IR of all functions called."""
        return "\n".join([_DECLARED, *self._functions.values()])


_DECLARED = """\
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"""

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


def _copy(name: str, width: int, size: int, full: bool, ahead: bool) -> str:
    """IR that copies rows from `first` on: a vector of them, or those up to `last`."""
    if full:
        moved = [_PIECE.format(k=k, ahead=k * width, width=width) for k in range(size)]
        if ahead:
            moved += _requested("%to0", size, width)
        pieces = "\n".join([*moved, "  br label %done"])
    else:
        pieces = _NUMBER_BY_NUMBER.format(size=size)
    return _COPY.format(name=name, size=size, pieces=pieces)


LINE = 8
"""Doubles in a line of the cache."""

MOST_LINES = 16
"""Lines that a processor asks for at a time; were there more, it would wait."""


def _requested(block: str, size: int, width: int) -> list[str]:
    """Lines of IR that ask for the rows behind a block of full rows."""
    lines = -(-size * width // LINE)
    if lines > MOST_LINES:
        return []
    text = []
    for k in range(lines):
        text.append(f"  %line{k} = getelementptr double, ptr {block}, i64 {size * width + k * LINE}")
        text.append(f"  call void @llvm.prefetch.p0(ptr %line{k}, i32 1, i32 3, i32 1)")
    return text


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

    def __init__(self, width: int, size: int, gather: bool, full: bool, ahead: bool) -> None:
        self.width = width
        self.size = size
        self.full = full
        self.ahead = ahead
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
        if self.ahead:
            self.lines += _requested(block, self.size, self.width)

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
