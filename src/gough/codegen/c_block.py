"""The statements of one C function."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gough.codegen.alike_lanes import Lanes, Numbers, Values
from gough.codegen.c_choices import CommonChoices
from gough.codegen.c_expressions import bare, expression
from gough.codegen.c_module import Interface, Module
from gough.codegen.c_sines import neighbours, sines_of_one, sines_of_several
from gough.codegen.c_statements import Statement, Variable
from gough.codegen.lane_loops import LaneLoop
from gough.graph import Graph, ieee, ops

_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))

WIDEST = 60
"""Characters of an expression up to which it is put into the one that uses it."""


TRUTH = "truth"
"""The parameter that stands for truth values which are written as numbers."""
LANE = "w"
"""With what names of variables begin of which a loop over legs has one in each lane."""


@dataclass
class Body:
    """A graph on its way into C: who uses what, and where values live.

    Attributes:
        loops: By loop node the array of its state.
        steps: By loop node the function of its step.
        place: By node that a loop over legs computes the values of the loop that hold it, and in which lane.
    """

    module: Module
    graph: Graph
    interface: Interface
    uses: list[int] = field(default_factory=list)
    user: dict[int, int] = field(default_factory=dict)
    loops: dict[int, str] = field(default_factory=dict)
    steps: dict[int, str] = field(default_factory=dict)
    place: dict[int, tuple[Values, int]] = field(default_factory=dict)

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


class Block:
    """Statements; an operation that is used once is put into the expression that uses it.

    Args:
        body: Of which.
        name: Of the function.
        order: Nodes, and loops over legs.
        letter: With which names of variables begin.
    """

    def __init__(self, body: Body, name: str, order: Sequence[int | LaneLoop], letter: str = "v") -> None:
        self.body, self.module, self.graph, self.name = body, body.module, body.graph, name
        common = None if letter == LANE else CommonChoices(self.graph, order, body.place)
        self._branches = common.branches if common else {}
        order = common.order if common else order
        self.order = [i for i in order if isinstance(i, int)]
        self.here, self.letter = frozenset(self.order), letter
        self.statements: list[Statement] = []
        self.used: set[str] = set()
        self.status = "0"
        self._known: dict[int, str] = {}
        self._arrays: dict[Lanes, str] = {}
        self._all = self._conjunctions()
        for i in order:
            if isinstance(i, LaneLoop):
                self._lane_loop(i)
                continue
            op = self.graph.nodes[i][0]
            if op == ops.LOOP:
                self._loop(i)
            elif op not in _LEAVES:
                self._operation(i)

    @property
    def lines(self) -> list[str]:
        """All statements."""
        return [line for statement in self.statements for line in statement.lines]

    def _add(self, *lines: str, declared: Sequence[Variable] = ()) -> None:
        self.statements.append(Statement(lines, tuple(declared)))

    def output(self, place: int, i: int) -> None:
        """Writes node i to an element of the outputs."""
        parameter, target = self.body.interface.outputs[place]
        self.used.add(parameter)
        value = self._number(i) if parameter == TRUTH else bare(self._value(i))
        if parameter == "status":
            self.status = f"(int)({value})"
        elif parameter in self.body.interface.whole:
            self._add(f"    {target} = (int)({value});")
        else:
            sign = self.body.interface.signs.get(parameter)
            text = f"{self.module.library('copysign')}({value}, {sign})" if sign else value
            self._add(f"    {target} = {text};")

    def _value(self, i: int) -> str:
        """Expression of node i, which may stand within another."""
        if i in self._known:
            return self._known[i]
        if i in self.body.place:
            lanes, lane = self.body.place[i]
            return self._element(lanes, str(lane))
        op, *rest = self.graph.nodes[i]
        if op == ops.CONST:
            return self.module.literal(ieee.from_bits(rest[0]))
        if op == ops.BOOL:
            return str(rest[0])
        if op == ops.INPUT:
            parameter, text = self.body.interface.inputs[rest[0]]
            self.used.add(parameter)
            return text
        assert op == ops.ITEM
        return f"{self.body.loops[rest[1]]}[{rest[0]}]"

    def _truth(self, text: str) -> str:
        """What a number that stands for a truth value says."""
        return f"({text} != {self.module.literal(0.0)})"

    def _number(self, i: int) -> str:
        """The number 1 or 0 of a node that is true or not."""
        return f"{self._value(i)} ? {self.module.literal(1.0)} : {self.module.literal(0.0)}"

    def _kind(self, i: int) -> str:
        """The type of a node."""
        return "int" if self.graph.nodes[i][0] in ops.BOOLEAN else self.module.number

    def _operation(self, i: int) -> None:
        node = self.graph.nodes[i]
        if i in self._known:
            return
        if node[0] == ops.AND:
            if i in self._all:
                self._conjunction(i)
            return
        if node[0] in (ops.SIN, ops.COS) and not self.module.single:
            self._sincos(i)
            return
        if i in self._branches:
            self._branch(self._branches[i])
            return
        text = expression(self.module, node[0], [self._value(k) for k in node[1:]], self._called)
        once = self.body.uses[i] == 1 and self.body.user.get(i, i) in self.here
        if once and len(text) <= WIDEST and self.graph.nodes[self.body.user.get(i, i)][0] != ops.LOOP:
            self._known[i] = text
            return
        name = self._known[i] = f"{self.letter}{i}"
        self._add(f"    const {self._kind(i)} {name} = {bare(text)};", declared=[Variable(self._kind(i), name)])

    def _branch(self, choices: list[int]) -> None:
        """Choices by one condition as one branch: processors foresee well which row of a matrix has the pivot."""
        nodes = [self.graph.nodes[k] for k in choices]
        names = [f"{self.letter}{k}" for k in choices]
        yes, no = (
            [f"        {name} = {bare(self._value(node[side]))};" for name, node in zip(names, nodes, strict=True)]
            for side in (2, 3)
        )
        number = self.module.number
        lines = [f"    {number} {', '.join(names[k : k + 10])};" for k in range(0, len(names), 10)]
        lines += [f"    if ({bare(self._value(nodes[0][1]))}) {{", *yes, "    } else {", *no, "    }"]
        self._add(*lines, declared=[Variable(number, name) for name in names])
        self._known.update(zip(choices, names, strict=True))

    def _conjunctions(self) -> dict[int, list[int]]:
        """For each conjunction that is not just part of another its terms."""
        found: dict[int, list[int]] = {}
        for i in self.order:
            if self.graph.nodes[i][0] == ops.AND:
                terms: list[int] = []
                for k in self.graph.nodes[i][1:]:
                    terms += found.pop(k) if k in found and self.body.uses[k] == 1 else [k]
                found[i] = terms
        return found

    def _conjunction(self, i: int) -> None:
        """All terms at once; whether all inputs of an array are finite is asked by one call."""
        finite = {self._finite_input(k): k for k in self._all[i]}
        terms = dict.fromkeys(self._all[i])
        texts = []
        for parameter in self.body.interface.parameters:
            own = [k for k, (name, _) in enumerate(self.body.interface.inputs) if name == parameter.name]
            if len(own) > 1 and finite.keys() >= set(own) and parameter.declared.endswith(f"[{len(own)}]"):
                texts.append(f"{self.module.prefix}_finite({parameter.name}, {len(own)})")
                self.module.helpers.add("finite")
                self.used.add(parameter.name)
                for k in own:
                    del terms[finite[k]]
        texts += [self._value(k) for k in terms]
        user = self.body.user.get(i, i)
        if self.body.uses[i] == 1 and user in self.here and self.graph.nodes[user][0] == ops.OR:
            self._known[i] = f"({' && '.join(texts)})"  # not looked at where the other side is true
            return
        self._add(f"    const int v{i} = {' && '.join(texts)};", declared=[Variable("int", f"v{i}")])
        self._known[i] = f"v{i}"

    def _finite_input(self, i: int) -> int | None:
        """The input of which a node tells whether it is finite."""
        node = self.graph.nodes[i]
        asked = self.graph.nodes[node[1]] if node[0] == ops.ISFINITE else node
        return asked[1] if node[0] == ops.ISFINITE and asked[0] == ops.INPUT else None

    def _sincos(self, i: int) -> None:
        """Sine and cosine of the same angle, at once, and with them those of angles next to it."""
        graph = self.graph
        turned = {k: graph.nodes[k] for k in self.order if graph.nodes[k][0] in (ops.SIN, ops.COS)}
        given = {node[1]: self._value(node[1]) for node in turned.values() if graph.nodes[node[1]][0] == ops.INPUT}
        near = neighbours(graph.nodes[i][1], given, self.body.interface.parameters)
        angles = near.angles if near else (graph.nodes[i][1],)
        texts = [bare(self._value(angle)) for angle in angles]
        call = self._called("sincos")
        calls = [sines_of_one(call, angle, text) for angle, text in zip(angles, texts, strict=True)]
        found = [f"{name}{angle}" for angle in angles for name in ("sin", "cos")]
        lines = [f"    {self.module.number} {', '.join(found)};"]
        lines += sines_of_several(self.module, near, texts, calls) if near else calls
        for angle in angles:
            names = {k: ("sin" if op == ops.SIN else "cos") for k, (op, of) in turned.items() if of == angle}
            self._known.update((k, f"{name}{angle}") for k, name in names.items())
            lines += [f"    (void){name}{angle};" for name in ("sin", "cos") if name not in names.values()]
        self._add(*lines, declared=[Variable(self.module.number, name) for name in found])

    def _called(self, name: str) -> str:
        self.module.elementary.add(name)
        function = f"{self.module.prefix}_{name}"
        self.module.calls[self.name].add(function)
        return function

    def _loop(self, i: int) -> None:
        """A loop: its step repeated until it is done, at most so often."""
        module, inner, step = self.module, self.body.inner(i), self.body.steps[i]
        operands = self.graph.nodes[i][2:]
        states = inner.size + 2
        module.calls[self.name].add(step)
        state = self.body.loops[i] = f"loop{len(self.body.loops) + 1}"
        places = [f"{state}[{k}]" for k in range(states)]
        lines = [f"    {module.number} {state}[{states}];", "    {"]
        parameters = [bare(self._value(k)) for k in operands[states:]]
        if parameters:
            lines += [f"        {module.number} given[{len(parameters)}];"]
        lines += [f"        {module.number} after[{states}];", "        int turn, k;"]
        lines += [f"        {place} = {bare(self._value(k))};" for place, k in zip(places, operands, strict=False)]
        lines += [f"        given[{k}] = {value};" for k, value in enumerate(parameters)]
        going = f"{places[inner.size]} != {module.literal(0.0)}"
        call = f"{state}, {'given, ' if parameters else ''}after"
        lines += [
            f"        for (turn = 0; turn < {inner.max_iter} && {going}; ++turn) {{",
            f"            {step}({call});",
            f"            for (k = 0; k < {states}; ++k)",
            f"                {state}[k] = after[k];",
            "        }",
            "    }",
        ]
        self._add(*lines, declared=[Variable(module.number, state, states)])

    def _lane_loop(self, loop: LaneLoop) -> None:
        """A loop over legs: arrays of what they do not share before it, arrays of what is read after it."""
        module, count = self.module, len(loop.legs)
        filled = filled_lanes(count)
        before: list[str] = []
        given = [("", self._given(lanes, before, filled)) for lanes in loop.given]
        bound = str(count) if filled == count else f"{module.prefix}_lanes({count}, {filled})".upper()
        module.filling |= filled > count
        declared: list[Variable] = []
        for lanes in loop.found:
            name = self._arrays[lanes] = f"a{len(self._arrays) + 1}"
            kind = self.module.number if self._as_numbers(lanes) else self._kind(lanes.nodes[0])
            declared.append(Variable(kind, name, filled, bound))
        lines = []
        for kind in dict.fromkeys(variable.kind for variable in declared):
            names = [f"{variable.name}[{filled}]" for variable in declared if variable.kind == kind]
            lines += [f"    {kind} {', '.join(names[k : k + 10])};" for k in range(0, len(names), 10)]
        found = tuple(
            (TRUTH if self._as_numbers(lanes) else "", f"{self._arrays[lanes]}[lane]") for lanes in loop.found
        )
        nodes = range(len(loop.graph.nodes))
        inside = Block(Body(module, loop.graph, Interface((), tuple(given), found)), self.name, nodes, letter=LANE)
        for place, i in enumerate(loop.graph.output_nodes):
            inside.output(place, i)
        lines += [
            f"    /* Legs {', '.join(leg.removeprefix('leg ') for leg in loop.legs)}: one lane each. */",
            "    {",
            *before,
            f"        for (int lane = 0; lane < {bound}; ++lane) {{",
            *(f"        {line}" for line in inside.lines),
            "        }",
            "    }",
        ]
        self._add(*lines, declared=declared)

    def _as_numbers(self, lanes: Values) -> bool:
        """Whether truth values leave a loop as 1 and 0: compilers have no vectors of two whole numbers."""
        return len(lanes.nodes) == 2 and self.graph.nodes[lanes.nodes[0]][0] in ops.BOOLEAN

    def _element(self, lanes: Values, index: str) -> str:
        """What a loop over legs has found in a lane."""
        text = f"{self._arrays[lanes]}[{index}]"
        return self._truth(text) if self._as_numbers(lanes) else text

    def _given(self, lanes: Lanes, before: list[str], filled: int) -> str:
        """The expression of an input of a loop over legs; arrays for it are declared before the loop."""
        if isinstance(lanes, Values) and lanes in self._arrays:
            return self._element(lanes, "lane")
        if isinstance(lanes, Values) and lanes.shared:
            return self._value(lanes.nodes[0])
        name = f"{'c' if isinstance(lanes, Numbers) else 'g'}{sum(';' in line for line in before) + 1}"
        if isinstance(lanes, Numbers):
            kind = f"static const {self.module.number}"
            texts = [self.module.literal(ieee.from_bits(bits)) for bits in lanes.bits]
            values = [text[1:-1] if text.startswith("(-") else text for text in texts]
        else:
            kind = f"const {self._kind(lanes.nodes[0])}"
            values = [bare(self._value(i)) for i in lanes.nodes]
        values += values[-1:] * (filled - len(values))
        text = f"{kind} {name}[{filled}] = {{{', '.join(values)}}};"
        before += textwrap.wrap(text, 116, initial_indent=" " * 8, subsequent_indent=" " * 12)
        return f"{name}[lane]"


def filled_lanes(count: int) -> int:
    """Lanes of arrays of so many legs: vectors of four hold them without a rest."""
    return count if count == 2 else -(-count // 4) * 4
