"""C functions of a graph's equations on one sample: the operations that the llvm executor runs, one for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.codegen.c_block import Block, Body
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.c_pieces import STEP, WHOLE, in_pieces
from gough.codegen.lane_loops import LaneLoop, looped
from gough.graph import Graph, ops

FEW = 4000
"""Operations up to which a function keeps the order in which they were recorded; of more it computes one leg after the
other, since compilers then have to keep fewer numbers at a time."""
_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))


def write_function(
    module: Module,
    graph: Graph,
    name: str,
    interface: Interface,
    comment: str = "",
    *,
    inline: bool = False,
    step: bool = False,
) -> None:
    """Adds the function `name` of an expanded graph, and before it the static ones it is made of.

    It returns the output "status" if there is one; then it is public, otherwise static, and `inline` where asked for.

    Args:
        module: Where it stands.
        graph: Its equations.
        name: In C.
        interface: Its parameters.
        comment: Above it.
        inline: Whether compilers are asked to put it where it is called.
        step: Whether it is the step of an iteration.
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
    if loops is not None:
        order, body.place = loops.order, loops.place
        module.looping[name] = loops.count(graph)
    block = Block(body, name, order)
    for place, i in enumerate(graph.output_nodes):
        block.output(place, i)
    lines, status = block.lines, block.status
    if len(lines) > (STEP if step else WHOLE):
        lines, status = in_pieces(module, name, interface, block.statements, status)
    unused = [f"    (void){p.name};" for p in interface.parameters if p.name not in block.used]
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
        write_function(module, inner.flat_step, name, interface, "One step of an iteration.", step=True)
    return module.steps[inner.digest]
