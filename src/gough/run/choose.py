"""Which executor a program gets: decided once, from its operation count alone."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from gough.errors import InputError
from gough.graph import Graph, expand, ops
from gough.run.executor import Executor

EXECUTORS = ("floats", "blocks", "llvm")
_COMPILE_UP_TO = 300_000
"""Operations above which compiling takes longer (half a minute) than NumPy blocks are worth waiting for."""
_OPTIMISE_UP_TO = 60_000
"""Operations above which code is generated without optimisation, three times as quickly."""


@cache
def has_llvm() -> bool:
    """Whether llvmlite is installed."""
    return find_spec("llvmlite") is not None


def size_of(graph: Graph) -> int:
    """About how many operations a graph has; compound nodes count by their cost."""
    total = 0
    for node in graph.nodes:
        op = node[0]
        if op == ops.FACTOR:
            total += node[1] ** 3 * 2
        elif op == ops.ROOT:
            total += size_of(graph.inners[node[1]].step)
        elif op in (ops.SOLVE, ops.SOLVE_T):
            total += 4 * (len(node) - 2) ** 2
        else:
            total += 1
    return total


def make_executor(graph: Graph, name: str, opt: int | None, width: int | None) -> Executor:
    """The executor of this name, or the one that suits the graph's size."""
    if name == "auto":
        name = "llvm" if has_llvm() and size_of(graph) <= _COMPILE_UP_TO else "blocks"
    if name not in EXECUTORS:
        raise InputError(f"executor {name!r}: choose one of auto, {', '.join(EXECUTORS)}")
    if name == "llvm":
        if not has_llvm():
            raise InputError('executor "llvm": llvmlite is not installed; install it, or choose "blocks"')
        if width not in (None, 2, 4, 8) or opt not in (None, 0, 1, 2, 3):
            raise InputError(f"width {width!r}, opt {opt!r}: choose a width of 2, 4 or 8 and an opt of 0 to 3")
        from gough.run.llvm.jit import Llvm

        return Llvm(graph, _level(graph) if opt is None else opt, width)
    if name == "blocks":
        from gough.run.blocks import Blocks

        return Blocks(expand(graph))
    from gough.run.floats import Floats

    return Floats(expand(graph))


def _level(graph: Graph) -> int:
    return 2 if size_of(graph) <= _OPTIMISE_UP_TO else 1
