"""Which executor a program gets, decided once from its operation count alone, and what there is to run on."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from operator import itemgetter
from typing import Any

from gough.errors import InputError
from gough.graph import Graph, expand, ops
from gough.graph.iterate import Repeated
from gough.run import threads
from gough.run.cache import state
from gough.run.executor import Executor

EXECUTORS = ("floats", "blocks", "llvm")

OPT_LEVELS = ((20_000, 2), (200_000, 1), (600_000, 0))
"""(operations up to which, LLVM's optimisation level); above the last, NumPy blocks.

Measured on 1600, 13 000 and 150 000 operations: level 2 takes 45 to 75 us per operation, level 1 40 to 48, level 0 20
to 25. The code of level 1 runs at most 4 % slower than that of level 2 (27 to 50 ps per operation and sample), that of
level 0 1.5 to 3.5 times slower, NumPy blocks (370 to 530 ps) ten times slower. So nobody waits longer than some 15 s.
Level 3 is no faster than level 2.
"""


@cache
def has_llvm() -> bool:
    """Whether llvmlite is installed and loads."""
    try:
        import llvmlite.binding  # noqa: F401
    except (ImportError, OSError):
        return False
    return True


def size_of(graph: Graph) -> int:
    """About how many operations a graph has, without expanding it; compound nodes count by their cost."""
    tally = Counter(map(itemgetter(0), graph.nodes))
    total = sum(number for op, number in tally.items() if op not in _UNCOUNTED)
    if tally.keys() & ops.BUNDLES:
        total += sum(_compound(graph, node) for node in graph.nodes if node[0] in ops.BUNDLES)
    return total


_UNCOUNTED = ops.BUNDLES | {ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM}


def _compound(graph: Graph, node: ops.Node) -> int:
    op, n = node[0], node[1]
    if op == ops.FACTOR:
        return 3 * n**3 // 2
    if op == ops.FACTOR_SPD:
        return n**3 // 3 + n**2
    if op in (ops.SOLVE, ops.SOLVE_T):
        return (2 if graph.nodes[n][0] == ops.FACTOR_SPD else 3) * (len(node) - 2) ** 2
    inner: Any = graph.inners[n]
    if isinstance(inner, Repeated):
        return size_of(inner.equations) + 3 * inner.size
    return int((inner.size + 2) * size_of(inner.graph) + 3 * inner.size**3 // 2 + 3 * inner.size**2 + 10 * inner.size)


def make_executor(graph: Graph, name: str, opt: int | None, width: int | None) -> Executor:
    """The executor of this name, or the one that suits the graph's size."""
    if width not in (None, 2, 4, 8) or opt not in (None, 0, 1, 2, 3):
        raise InputError(f"width {width!r}, opt {opt!r}: choose a width of 2, 4 or 8 and an opt of 0 to 3")
    if name == "auto":
        name = "llvm" if size_of(graph) <= OPT_LEVELS[-1][0] and has_llvm() else "blocks"
    if name == "llvm":
        if not has_llvm():
            raise InputError('executor "llvm": llvmlite is not installed; install it, or choose "blocks"')
        from gough.run.llvm.jit import Llvm

        return Llvm(graph, level(graph) if opt is None else opt, width)
    if name == "blocks":
        from gough.run.blocks import Blocks

        return Blocks(expand(graph))
    if name == "floats":
        from gough.run.floats import Floats

        return Floats(expand(graph))
    raise InputError(f"executor {name!r}: choose one of auto, {', '.join(EXECUTORS)}")


def level(graph: Graph) -> int:
    """LLVM's optimisation level for a graph of this size, or the one that GOUGH_OPT states; bits are the same."""
    stated = os.environ.get("GOUGH_OPT", "")
    if stated:
        if stated not in ("0", "1", "2", "3"):
            raise InputError(f"GOUGH_OPT={stated!r}: choose LLVM's optimisation level, 0 to 3, or unset it")
        return int(stated)
    size = size_of(graph)
    return next((level for most, level in OPT_LEVELS if size <= most), 0)


def info() -> dict[str, str]:
    """Facts about the executors, the computer and the cache, as text."""
    facts = {"cores": str(threads.available())}
    if has_llvm():
        import llvmlite

        from gough.run.llvm.jit import cpu, native_width

        facts["llvmlite"] = llvmlite.__version__
        facts["CPU"] = f"{cpu()}, {native_width()} doubles per vector"
        facts["executor"] = "llvm"
    else:
        facts["llvmlite"] = "not installed: programs run on the NumPy executor"
        facts["executor"] = "blocks"
    facts["cache"] = state()
    return facts
