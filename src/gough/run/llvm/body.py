"""LLVM IR of a graph's equations on one vector of samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gough.graph import Graph, ieee, ops
from gough.graph.elementary import BY_OPERATION
from gough.run.llvm.elementary import LIBM, splat
from gough.run.llvm.order import LONGEST, by_latency
from gough.run.llvm.packs import Call, Unit, call_of, calls_of, packed
from gough.run.schedule import Piece, schedule

_INFIX = {ops.ADD: "fadd", ops.SUB: "fsub", ops.MUL: "fmul", ops.DIV: "fdiv"}
_COMPARE = {ops.LT: "olt", ops.LE: "ole", ops.EQ: "oeq", ops.NE: "une"}
_INTRINSIC = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.FLOOR: "floor"}


@dataclass(frozen=True, slots=True)
class Step:
    """The function of a loop's step, which all loops of the same equations call, and the scratch it works in.

    Attributes:
        function: Its name.
        state: Place of the state and the parameters.
        moved: Place of the next state.
    """

    function: str
    state: int
    moved: int


@dataclass
class Module:
    """IR functions under way, the scratch memory they use and the elementary functions they call.

    Scratch is one stretch of doubles; places in it are counted in vectors.

    Attributes:
        width: Lanes of a vector.
        lanes: Those of the machine's widest vectors.
        functions: Their text.
        elementary: Operations with the width on which they are called.
        steps: Steps of loops, by digest.
        vectors: Vectors of scratch so far.
        ordered: Whether all equations stand in an order in which they are to stay.
    """

    width: int
    lanes: int
    functions: list[str] = field(default_factory=list)
    elementary: set[tuple[int, int]] = field(default_factory=set)
    steps: dict[str, Step] = field(default_factory=dict)
    vectors: int = 0
    ordered: bool = True

    def reserve(self, vectors: int) -> int:
        """Place of so many new vectors of scratch."""
        place = self.vectors
        self.vectors += vectors
        return place


@dataclass(frozen=True, slots=True)
class Layout:
    """Places in scratch where a body finds its first input and puts its first output; the others follow."""

    inputs: int
    outputs: int


def write_body(module: Module, graph: Graph, layout: Layout, name: str) -> None:
    """Writes `@name(ptr %scratch)`: the graph on one vector of samples."""
    plan = schedule(graph)
    slots = module.reserve(plan.slots)
    places = {i: slots + slot for i, slot in plan.slot_of.items()}
    loops: dict[int, int] = {}
    calls = []
    for number, piece in enumerate(plan.pieces):
        function = f"{name}.{number}"
        writer = PieceWriter(module, graph, layout, places, loops)
        if piece.loop >= 0:
            _write_loop(writer, piece.loop, function)
        else:
            writer.write(piece, _units(module, graph, piece, plan.whole), function)
        calls.append(f"  call void @{function}(ptr %scratch)")
    module.functions.append("\n".join([f"define internal void @{name}(ptr %scratch) {{", *calls, "  ret void", "}"]))


def _units(module: Module, graph: Graph, piece: Piece, whole: bool) -> Sequence[Unit]:
    """What a piece computes, in order: on the narrowest vectors, of which no register is full, calls side by side."""
    room = module.lanes // module.width
    ordered = room == 1 and whole and len(piece.nodes) <= LONGEST
    module.ordered &= ordered
    if room > 1:
        return packed(graph, piece.nodes, room)
    return [(i,) for i in (by_latency(graph, piece.nodes) if ordered else piece.nodes)]


class PieceWriter:
    """Writes one piece as a function; each value from outside is loaded once."""

    def __init__(
        self,
        module: Module,
        graph: Graph,
        layout: Layout,
        places: dict[int, int],
        loops: dict[int, int],
        prefix: str = "v",
    ) -> None:
        self.prefix = prefix
        self.module = module
        self.graph = graph
        self.layout = layout
        self.places = places
        self.loops = loops
        self.width = module.width
        self.vector = f"<{module.width} x double>"
        self.mask = f"<{module.width} x i1>"
        self.lines: list[str] = []
        self.known: dict[int, str] = {}
        self.called: dict[Call, tuple[str, ...]] = {}

    def write(self, piece: Piece, units: Sequence[Unit], function: str) -> None:
        """Adds the function of a piece to the module, its units in this order."""
        for unit in units:
            if len(unit) > 1:
                self._call_side_by_side(calls_of(self.graph, unit))
            self.add(unit)
            for i in unit:
                if i in piece.stores:
                    self.store(self.places[i], self.known[i], self.graph.nodes[i][0] in ops.BOOLEAN)
        for output, i in piece.outputs:
            self.store(self.layout.outputs + output, self.value(i))
        self.finish(function)

    def add(self, order: Sequence[int]) -> None:
        """Adds the lines of operations."""
        for i in order:
            self.known[i] = self._operation(self.graph.nodes[i])

    def finish(self, function: str) -> None:
        """Adds the lines so far as a function."""
        head = f"define internal void @{function}(ptr %scratch) alignstack(64) {{"
        self.module.functions.append("\n".join([head, *self.lines, "  ret void", "}"]))

    def put(self, text: str) -> str:
        """Name of a new value."""
        name = f"%{self.prefix}{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def address(self, place: int) -> str:
        """Name of the address of a vector of scratch."""
        return self.put(f"getelementptr double, ptr %scratch, i64 {place * self.width}")

    def store(self, place: int, value: str, is_mask: bool = False) -> None:
        """Stores a vector; a mask as ones and zeros."""
        if is_mask:
            value = self.put(f"select {self.mask} {value}, {self.vector} {splat(1.0)}, {self.vector} {splat(0.0)}")
        address = self.address(place)
        self.lines.append(f"  store {self.vector} {value}, ptr {address}, align 16")

    def load(self, place: int) -> str:
        """Name of a vector loaded."""
        return self.put(f"load {self.vector}, ptr {self.address(place)}, align 16")

    def value(self, i: int) -> str:
        """Operand text of node i."""
        if i in self.known:
            return self.known[i]
        op, *rest = self.graph.nodes[i]
        if op == ops.CONST:
            return splat(ieee.from_bits(rest[0]))
        if op == ops.BOOL:
            return f"splat (i1 {bool(rest[0])})".lower()
        if op == ops.INPUT:
            name = self.load(self.layout.inputs + rest[0])
        elif op == ops.ITEM:
            name = self.load(self.loops[rest[1]] + rest[0])
        else:
            name = self.load(self.places[i])
            if op in ops.BOOLEAN:
                name = self.put(f"fcmp une {self.vector} {name}, zeroinitializer")
        self.known[i] = name
        return name

    def _operation(self, node: ops.Node) -> str:
        op = node[0]
        a, *rest = [self.value(i) for i in node[1:]]
        v, m = self.vector, self.mask
        if op in _INFIX:
            return self.put(f"{_INFIX[op]} {v} {a}, {rest[0]}")
        if op in _COMPARE:
            return self.put(f"fcmp {_COMPARE[op]} {v} {a}, {rest[0]}")
        if op in _INTRINSIC:
            return self._intrinsic(_INTRINSIC[op], a)
        call = call_of(node)
        if call is not None:
            return self._elementary(op, call, (a, *rest))
        if op in LIBM:
            self.module.elementary.add((op, self.width))
            arguments = ", ".join(f"{v} {x}" for x in (a, *rest))
            return self.put(f"call {v} @g.{LIBM[op]}.{self.width}({arguments})")
        if op == ops.FMA:
            return self.put(f"call {v} @llvm.fma.v{self.width}f64({v} {a}, {v} {rest[0]}, {v} {rest[1]})")
        if op == ops.NEG:
            return self.put(f"fneg {v} {a}")
        if op == ops.RECIP:
            return self.put(f"fdiv {v} {splat(1.0)}, {a}")
        if op == ops.SELECT:
            return self.put(f"select {m} {a}, {v} {rest[0]}, {v} {rest[1]}")
        if op == ops.AND:
            return self.put(f"and {m} {a}, {rest[0]}")
        if op == ops.OR:
            return self.put(f"or {m} {a}, {rest[0]}")
        if op == ops.NOT:
            return self.put(f"xor {m} {a}, splat (i1 true)")
        if op == ops.ISFINITE:
            return self.put(f"fcmp olt {v} {self._intrinsic('fabs', a)}, {splat(ieee.INF)}")
        if op in (ops.MIN, ops.MAX):
            return self._extreme("olt" if op == ops.MIN else "ogt", a, rest[0])
        assert op == ops.SIGN
        below = self.put(f"fcmp olt {v} {a}, zeroinitializer")
        lower = self.put(f"select {m} {below}, {v} {splat(-1.0)}, {v} {a}")
        above = self.put(f"fcmp ogt {v} {a}, zeroinitializer")
        return self.put(f"select {m} {above}, {v} {splat(1.0)}, {v} {lower}")

    def _elementary(self, op: int, call: Call, values: Sequence[str]) -> str:
        """Name of a value of an elementary function; of a pair both are computed when the first is needed."""
        if call not in self.called:
            self.called[call] = self._call(op, values, self.width)
        return self.called[call][BY_OPERATION[op].operations.index(op)]

    def _call(self, op: int, values: Sequence[str], width: int) -> tuple[str, ...]:
        """Names of the values of an elementary function on vectors of this width."""
        v, function = f"<{width} x double>", BY_OPERATION[op]
        self.module.elementary.add((op, width))
        arguments = ", ".join(f"{v} {value}" for value in values)
        count = len(function.operations)
        if count == 1:
            return (self.put(f"call {v} @g.{function.name}.{width}({arguments})"),)
        result = f"{{ {', '.join([v] * count)} }}"
        found = self.put(f"call {result} @g.{function.name}.{width}({arguments})")
        return tuple(self.put(f"extractvalue {result} {found}, {k}") for k in range(count))

    def _call_side_by_side(self, calls: list[Call]) -> None:
        """Calls of one function on one vector as wide as they need."""
        if len(calls) == 1:
            return
        full = calls + calls[-1:] * ((1 << (len(calls) - 1).bit_length()) - len(calls))
        op = next(op for op, function in BY_OPERATION.items() if function.name == calls[0][0])
        joined = [
            self._joined([self.value(k) for k in operands]) for operands in zip(*(c[1] for c in full), strict=True)
        ]
        width = len(full) * self.width
        found = self._call(op, joined, width)
        for k, call in enumerate(calls):
            self.called[call] = tuple(self._part(value, width, k * self.width) for value in found)

    def _joined(self, parts: list[str]) -> str:
        """One vector of a power of two of them, one after another."""
        lanes = self.width
        while len(parts) > 1:
            v, mask = f"<{lanes} x double>", ", ".join(f"i32 {k}" for k in range(2 * lanes))
            parts = [
                self.put(f"shufflevector {v} {a}, {v} {b}, <{2 * lanes} x i32> <{mask}>")
                for a, b in zip(parts[::2], parts[1::2], strict=True)
            ]
            lanes *= 2
        return parts[0]

    def _part(self, vector: str, width: int, first: int) -> str:
        v, mask = f"<{width} x double>", ", ".join(f"i32 {first + k}" for k in range(self.width))
        return self.put(f"shufflevector {v} {vector}, {v} poison, <{self.width} x i32> <{mask}>")

    def _intrinsic(self, name: str, a: str) -> str:
        return self.put(f"call {self.vector} @llvm.{name}.v{self.width}f64({self.vector} {a})")

    def _extreme(self, predicate: str, a: str, b: str) -> str:
        v, m = self.vector, self.mask
        beyond = self.put(f"fcmp {predicate} {v} {b}, {a}")
        nan = self.put(f"fcmp uno {v} {b}, {b}")
        second = self.put(f"or {m} {beyond}, {nan}")
        return self.put(f"select {m} {second}, {v} {b}, {v} {a}")


def _write_loop(writer: PieceWriter, loop: int, function: str) -> None:
    """Writes a loop: its step repeated until no lane is active. Its last state is kept in scratch for its items."""
    module, graph, width = writer.module, writer.graph, writer.width
    inner: Any = graph.inners[graph.nodes[loop][1]]
    operands = graph.nodes[loop][2:]
    states = inner.size + 2
    if inner.digest not in module.steps:
        step = Step(f"{function}.step", module.reserve(len(operands)), module.reserve(states))
        module.steps[inner.digest] = step
        write_body(module, inner.flat_step, Layout(step.state, step.moved), step.function)
    step = module.steps[inner.digest]
    for k, i in enumerate(operands):
        writer.store(step.state + k, writer.value(i))
    state = writer.address(step.state)
    target = writer.address(step.moved)
    active = writer.address(step.state + inner.size)
    found = writer.loops[loop] = module.reserve(states)
    vector = writer.vector
    lines = [
        "  br label %test",
        "test:",
        "  %turn = phi i32 [ 0, %0 ], [ %turn1, %step ]",
        f"  %a = load {vector}, ptr {active}, align 16",
        f"  %on = fcmp une {vector} %a, zeroinitializer",
        f"  %bits = bitcast <{width} x i1> %on to i{width}",
        f"  %any = icmp ne i{width} %bits, 0",
        f"  %early = icmp slt i32 %turn, {inner.max_iter}",
        "  %go = and i1 %any, %early",
        "  br i1 %go, label %step, label %end",
        "step:",
        f"  call void @{step.function}(ptr %scratch)",
    ]
    for k in range(states):
        lines += [
            f"  %from{k} = getelementptr double, ptr {target}, i64 {k * width}",
            f"  %to{k} = getelementptr double, ptr {state}, i64 {k * width}",
            f"  %s{k} = load {vector}, ptr %from{k}, align 16",
            f"  store {vector} %s{k}, ptr %to{k}, align 16",
        ]
    writer.lines += [*lines, "  %turn1 = add i32 %turn, 1", "  br label %test", "end:"]
    for k in range(states):
        writer.store(found + k, writer.load(step.state + k))
    writer.finish(function)
