"""C statements of a graph's equations on one sample: the operations that the llvm executor runs, one for one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gough.codegen.c_numbers import literal
from gough.graph import Graph, ieee, ops
from gough.graph.elementary import BY_OPERATION
from gough.run.schedule import WHOLE, Piece, schedule

_INFIX = {ops.ADD: "+", ops.SUB: "-", ops.MUL: "*", ops.DIV: "/"}
_COMPARE = {ops.LT: "<", ops.LE: "<=", ops.EQ: "==", ops.NE: "!=", ops.AND: "&&", ops.OR: "||"}
_HELPERS = {ops.MIN: "min", ops.MAX: "max", ops.SIGN: "sign", ops.FLOOR: "floor"}
_LIBRARY = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.EXP: "exp", ops.LOG: "log"}
_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))

WIDEST = 60
"""Characters of an expression up to which it is put into the one that uses it."""


@dataclass
class Module:
    """A C file under way.

    Attributes:
        prefix: Of all its names.
        single: Whether numbers are floats.
        functions: Text of its functions, in order.
        helpers: Small functions that are called.
        elementary: Names of elementary functions that are called.
        steps: By digest the function of a loop's step, which all loops of the same equations call.
        calls: For each function those it calls, for the depth of its stack.
    """

    prefix: str
    single: bool = False
    functions: list[str] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)
    elementary: set[str] = field(default_factory=set)
    steps: dict[str, str] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """The type of numbers."""
        return "float" if self.single else "double"

    def literal(self, value: float) -> str:
        """A constant."""
        return literal(value, self.single)

    def library(self, name: str) -> str:
        """A function of math.h."""
        return name + "f" if self.single else name


@dataclass(frozen=True)
class Parameter:
    """A parameter of a C function: its name, and how it is declared."""

    name: str
    declared: str


@dataclass(frozen=True)
class Interface:
    """What a C function is called with.

    Attributes:
        parameters: In order.
        inputs: For each element of the graph's flattened inputs its parameter and its expression.
        outputs: For each element of the flattened outputs its parameter and where it is written; the parameter "status"
            stands for what the function returns.
        whole: Parameters of whole numbers.
    """

    parameters: tuple[Parameter, ...]
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    whole: frozenset[str] = frozenset()


@dataclass
class _Body:
    """A graph on its way into C: who uses what, and where values live that several functions share."""

    module: Module
    graph: Graph
    interface: Interface
    uses: list[int] = field(default_factory=list)
    user: dict[int, int] = field(default_factory=dict)
    slots: dict[int, int] = field(default_factory=dict)
    loops: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.uses = [0] * len(self.graph.nodes)
        for i, node in enumerate(self.graph.nodes):
            for k in ops.operands(node):
                self.uses[k] += 1
                self.user[k] = i
        for i in self.graph.output_nodes:
            self.uses[i] += 1

    def inner(self, loop: int) -> Any:
        """What a loop repeats."""
        return self.graph.inners[self.graph.nodes[loop][1]]


def write_function(module: Module, graph: Graph, name: str, interface: Interface, comment: str = "") -> None:
    """Adds the function `name` of an expanded graph, and before it the static ones it is made of.

    It returns the output "status" if there is one; then it is public, otherwise static.
    """
    body = _Body(module, graph, interface)
    returns = any(parameter == "status" for parameter, _ in interface.outputs)
    module.calls[name] = set()
    if sum(node[0] not in _LEAVES for node in graph.nodes) <= WHOLE:
        block = _Block(body, name, range(len(graph.nodes)))
        for place, i in enumerate(graph.output_nodes):
            block.output(place, i)
        lines, used = block.lines, block.used
        status = block.status
    else:
        lines, used = _in_pieces(body, name)
        status = "status"
    unused = [f"    (void){p.name};" for p in interface.parameters if p.name not in used]
    given = ",\n    ".join(p.declared for p in interface.parameters)
    head = f"{'int' if returns else 'static void'} {name}(\n    {given})"
    end = [f"    return {status};"] if returns else []
    remark = [f"/* {comment} */"] if comment else []
    module.functions.append("\n".join([*remark, head, "{", *unused, *lines, *end, "}"]))


def _in_pieces(body: _Body, name: str) -> tuple[list[str], set[str]]:
    """Statements that call static functions of about a thousand operations each, and the parameters that are used."""
    module, graph = body.module, body.graph
    plan = schedule(graph)
    body.slots = plan.slot_of
    size = plan.slots
    for i, node in enumerate(graph.nodes):
        if node[0] == ops.LOOP:
            body.loops[i] = f"s + {size}"
            size += body.inner(i).size + 2
    size = max(size, 1)
    lines, used = [f"    {module.number} s[{size}];"], set()
    if any(parameter == "status" for parameter, _ in body.interface.outputs):
        lines.append("    int status = 0;")
    for number, piece in enumerate(plan.pieces, start=1):
        function = f"{name}_{number}"
        module.calls[function] = set()
        module.calls[name].add(function)
        block = _Block(body, function, piece.nodes, piece)
        wanted = [p for p in body.interface.parameters if p.name in block.used]
        given, call = [p.declared for p in wanted], [p.name for p in wanted]
        if "s" in block.used:
            given.append(f"{module.number} s[{size}]")
            call.append("s")
        if "status" in block.used:
            given.append("int *status")
            call.append("&status")
        head = f"static void {function}({', '.join(given) or 'void'})"
        module.functions.append("\n".join([head, "{", *block.lines, "}"]))
        lines.append(f"    {function}({', '.join(call)});")
        used |= block.used
    return lines, used


class _Block:
    """The statements of one C function; an operation that is used once is put into the expression that uses it."""

    def __init__(self, body: _Body, name: str, nodes: Iterable[int], piece: Piece | None = None) -> None:
        self.body, self.module, self.graph, self.name, self.piece = body, body.module, body.graph, name, piece
        self.here = frozenset(nodes)
        self.lines: list[str] = []
        self.used: set[str] = set()
        self.status = "0"
        self._known: dict[int, str] = {}
        for i in sorted(self.here):
            op = self.graph.nodes[i][0]
            if op == ops.LOOP:
                self._loop(i)
            elif op not in _LEAVES:
                self._operation(i)
        if piece is not None:
            for i, slot in piece.stores.items():
                self.used.add("s")
                one, zero = self.module.literal(1.0), self.module.literal(0.0)
                truth = self.graph.nodes[i][0] in ops.BOOLEAN
                self.lines.append(
                    f"    s[{slot}] = {f'{self._value(i)} ? {one} : {zero}' if truth else self._value(i)};"
                )
            for place, i in piece.outputs:
                self.output(place, i)

    def output(self, place: int, i: int) -> None:
        """Writes node i to an element of the outputs."""
        parameter, target = self.body.interface.outputs[place]
        self.used.add(parameter)
        value = _bare(self._value(i))
        if parameter == "status":
            if self.piece is None:
                self.status = f"(int)({value})"
            else:
                self.lines.append(f"    *status = (int)({value});")
        elif parameter in self.body.interface.whole:
            self.lines.append(f"    {target} = (int)({value});")
        else:
            self.lines.append(f"    {target} = {value};")

    def _value(self, i: int) -> str:
        """Expression of node i, which may stand within another."""
        if i in self._known:
            return self._known[i]
        op, *rest = self.graph.nodes[i]
        if op == ops.CONST:
            return self.module.literal(ieee.from_bits(rest[0]))
        if op == ops.BOOL:
            return str(rest[0])
        if op == ops.INPUT:
            parameter, text = self.body.interface.inputs[rest[0]]
            self.used.add(parameter)
            return text
        if op == ops.ITEM:
            state = self.body.loops[rest[1]]
            if state.startswith("s + "):
                self.used.add("s")
                return f"s[{int(state[4:]) + rest[0]}]"
            return f"{state}[{rest[0]}]"
        self.used.add("s")
        text = f"s[{self.body.slots[i]}]"
        return f"({text} != {self.module.literal(0.0)})" if op in ops.BOOLEAN else text

    def _operation(self, i: int) -> None:
        node = self.graph.nodes[i]
        if i in self._known:
            return
        if node[0] in (ops.SIN, ops.COS) and not self.module.single:
            self._sincos(i)
            return
        text = self._expression(node)
        once = self.body.uses[i] == 1 and self.body.user.get(i, i) in self.here
        if once and len(text) <= WIDEST and self.graph.nodes[self.body.user.get(i, i)][0] != ops.LOOP:
            self._known[i] = text
            return
        kind = "int" if node[0] in ops.BOOLEAN else self.module.number
        self.lines.append(f"    const {kind} v{i} = {_bare(text)};")
        self._known[i] = f"v{i}"

    def _sincos(self, i: int) -> None:
        """Sine and cosine of the same angle, at once."""
        angle = self.graph.nodes[i][1]
        names = {}
        for op in (ops.SIN, ops.COS):
            names[op] = f"{'sin' if op == ops.SIN else 'cos'}{angle}"
        self.lines.append(f"    {self.module.number} {names[ops.SIN]}, {names[ops.COS]};")
        call = self._called("sincos")
        self.lines.append(f"    {call}({_bare(self._value(angle))}, &{names[ops.SIN]}, &{names[ops.COS]});")
        wanted = 0
        for k in self.here:
            node = self.graph.nodes[k]
            if node[0] in names and node[1] == angle:
                self._known[k] = names[node[0]]
                wanted += 1
        if wanted == 1:
            other = names[ops.COS] if self._known[i] == names[ops.SIN] else names[ops.SIN]
            self.lines.append(f"    (void){other};")

    def _called(self, name: str) -> str:
        self.module.elementary.add(name)
        function = f"{self.module.prefix}_{name}"
        self.module.calls[self.name].add(function)
        return function

    def _expression(self, node: ops.Node) -> str:
        op = node[0]
        a, *rest = [self._value(i) for i in node[1:]]
        if op in _INFIX:
            return f"({a} {_INFIX[op]} {rest[0]})"
        if op in _COMPARE:
            return f"({a} {_COMPARE[op]} {rest[0]})"
        if op in _LIBRARY:
            return f"{self.module.library(_LIBRARY[op])}({_bare(a)})"
        if op in _HELPERS:
            self.module.helpers.add(_HELPERS[op])
            given = ", ".join(_bare(x) for x in (a, *rest))
            return f"{self.module.prefix}_{_HELPERS[op]}({given})"
        if op in BY_OPERATION:
            name = ops.NAMES[op]
            given = ", ".join(_bare(x) for x in (a, *rest))
            return f"{self.module.library(name) if self.module.single else self._called(name)}({given})"
        if op == ops.NEG:
            return f"(-{a})"
        if op == ops.RECIP:
            return f"({self.module.literal(1.0)} / {a})"
        if op == ops.SELECT:
            return f"({a} ? {rest[0]} : {rest[1]})"
        if op == ops.NOT:
            return f"(!{a})"
        assert op == ops.ISFINITE
        return f"({self.module.library('fabs')}({_bare(a)}) <= {'FLT_MAX' if self.module.single else 'DBL_MAX'})"

    def _loop(self, i: int) -> None:
        """A loop: its step repeated until it is done, at most so often."""
        module, inner = self.module, self.body.inner(i)
        operands = self.graph.nodes[i][2:]
        states = inner.size + 2
        step = _step(module, inner, len(operands) - states)
        module.calls[self.name].add(step)
        if self.piece is None:
            name = self.body.loops[i] = f"loop{len(self.body.loops) + 1}"
            self.lines.append(f"    {module.number} {name}[{states}];")
            places = [f"{name}[{k}]" for k in range(states)]
            state = name
        else:
            self.used.add("s")
            state = self.body.loops[i]
            places = [f"s[{int(state[4:]) + k}]" for k in range(states)]
        lines = ["    {"]
        parameters = [_bare(self._value(k)) for k in operands[states:]]
        if parameters:
            lines += [f"        {module.number} given[{len(parameters)}];"]
        lines += [f"        {module.number} after[{states}];", "        int turn, k;"]
        lines += [f"        {place} = {_bare(self._value(k))};" for place, k in zip(places, operands, strict=False)]
        lines += [f"        given[{k}] = {value};" for k, value in enumerate(parameters)]
        going = f"{places[inner.size]} != {module.literal(0.0)}"
        call = f"{state}, {'given, ' if parameters else ''}after"
        lines += [
            f"        for (turn = 0; turn < {inner.max_iter} && {going}; ++turn) {{",
            f"            {step}({call});",
            f"            for (k = 0; k < {states}; ++k)",
            f"                {f's[{int(state[4:])} + k]' if self.piece else f'{state}[k]'} = after[k];",
            "        }",
            "    }",
        ]
        self.lines += lines


def _step(module: Module, inner: Any, parameters: int) -> str:
    """Name of the function of a loop's step, which is added if it is new."""
    if inner.digest not in module.steps:
        name = module.steps[inner.digest] = f"{module.prefix}_step_{len(module.steps) + 1}"
        states = inner.size + 2
        number = module.number
        given = [Parameter("state", f"const {number} state[{states}]")]
        if parameters:
            given.append(Parameter("p", f"const {number} p[{parameters}]"))
        given.append(Parameter("next", f"{number} next[{states}]"))
        inputs = [("state", f"state[{k}]") for k in range(states)] + [("p", f"p[{k}]") for k in range(parameters)]
        outputs = [("next", f"next[{k}]") for k in range(states)]
        interface = Interface(tuple(given), tuple(inputs), tuple(outputs))
        write_function(module, inner.flat_step, name, interface, "One step of an iteration.")
    return module.steps[inner.digest]


def _bare(text: str) -> str:
    """An expression without the parentheses around it."""
    if not text.startswith("(") or not text.endswith(")") or text.startswith(("(double)", "(-")):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]
