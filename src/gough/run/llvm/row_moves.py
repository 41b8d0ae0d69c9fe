"""LLVM IR that brings samples from rows to vectors and back.

A vector holds one column of as many rows as it has lanes. Columns are taken in chunks of 8, 4, 2 and 1 (at most as many
as there are lanes): rows of a chunk are laid side by side in vectors and transposed by swapping ever larger blocks.
A vector that is not full takes rows after the last for the last, which is read more than once and written onto with the
same bits.
"""

from __future__ import annotations

from collections.abc import Iterator


class Moves:
    """The functions `@gather.K`, `@scatter.K (ptr rows, ptr columns, i64 first, i64 last)` for arrays of K columns.

    Those for full vectors, which never look at `last`, have `.full` behind their names.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._functions: dict[str, str] = {}

    def call(self, kind: str, rows: str, columns: str, size: int, first: str, full: bool) -> str:
        """A call of `kind` ("gather" or "scatter") for the rows `first` to %last of an array of `size` columns."""
        name = f"@{kind}.{size}{'.full' if full else ''}"
        if name not in self._functions:
            self._functions[name] = _Writer(self.width, size, kind == "gather", full).function(name)
        return f"  call void {name}(ptr {rows}, ptr {columns}, i64 {first}, i64 %last)"

    def definitions(self) -> str:
        """IR of all functions called."""
        return "\n".join(["declare i64 @llvm.umin.i64(i64, i64)", *self._functions.values()])


def _remainders(size: int, width: int) -> Iterator[tuple[int, int]]:
    """(first column, number of columns) of the chunks behind the full ones."""
    start, chunk = size // width * width, width // 2
    while start < size:
        if start + chunk <= size:
            yield start, chunk
            start += chunk
        chunk //= 2


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
            self.lines += ["  br label %full", "full:", "  %c = phi i64 [ 0, %entry ], [ %next, %full ]"]
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
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}"])

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
