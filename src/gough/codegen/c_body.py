"""C functions of a graph's equations on one sample: the operations that the llvm executor runs, one for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.codegen.c_block import Block, Body
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.lane_loops import LaneLoop, looped
from gough.graph import Graph, ops
from gough.run.schedule import schedule

FEW = 4000
"""Operations up to which a function keeps the order in which they were recorded."""
WHOLE = 8000
"""Operations up to which a function is not split, but computes one leg after the other: compilers have to keep fewer
numbers at a time, and the code of the 6-SRU robot runs a seventh faster than in pieces."""
_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))


def write_function(
    module: Module, graph: Graph, name: str, interface: Interface, comment: str = "", *, inline: bool = False
) -> None:
    """Adds the function `name` of an expanded graph, and before it the static ones it is made of.

    It returns the output "status" if there is one; then it is public, otherwise static, and `inline` where asked for.
    """
    body = Body(module, graph, interface)
    returns = any(parameter == "status" for parameter, _ in interface.outputs)
    module.calls[name] = set()
    for i, node in enumerate(graph.nodes):
        if node[0] == ops.LOOP:
            body.steps[i] = _step(module, body.inner(i), len(node) - 4 - body.inner(i).size)
    operations = sum(node[0] not in _LEAVES for node in graph.nodes)
    order: Sequence[int | LaneLoop] = range(len(graph.nodes)) if operations <= FEW else _leg_by_leg(graph)
    loops = looped(graph)
    if loops is not None and loops.operations <= WHOLE:
        order, body.place, operations = loops.order, loops.place, loops.operations
        module.looping[name] = loops.count(graph)
    if operations <= WHOLE:
        block = Block(body, name, order)
        for place, i in enumerate(graph.output_nodes):
            block.output(place, i)
        lines, used = block.lines, block.used
        status = block.status
    else:
        lines, used = _in_pieces(body, name)
        status = "status"
    unused = [f"    (void){p.name};" for p in interface.parameters if p.name not in used]
    given = ",\n    ".join(p.declared for p in interface.parameters)
    kind = "int" if returns else "static inline void" if inline else "static void"
    head = f"{kind} {name}(\n    {given})"
    end = [f"    return {status};"] if returns else []
    remark = [f"/* {comment} */"] if comment else []
    module.functions.append("\n".join([*remark, head, "{", *unused, *lines, *end, "}"]))


def _leg_by_leg(graph: Graph) -> list[int]:
    """All nodes in an order in which they can run: what belongs to a leg together, and what it needs before it."""
    legs = dict.fromkeys(label for label in graph.labels if label.startswith("leg "))
    own = [i for leg in legs for i, label in enumerate(graph.labels) if label == leg]
    done: dict[int, None] = {}
    todo = [*range(len(graph.nodes) - 1, -1, -1), *reversed(own)]
    while todo:
        needed = [k for k in ops.operands(graph.nodes[todo[-1]]) if k not in done]
        if needed:
            todo += reversed(needed)
        else:
            done[todo.pop()] = None
    return list(done)


def _in_pieces(body: Body, name: str) -> tuple[list[str], set[str]]:
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
        block = Block(body, function, piece.nodes, piece)
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
