"""From IR text to machine code, through the object cache."""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from gough.graph import Graph
from gough.run.cache import load, store
from gough.run.executor import Buffer

_ALIGNMENT = 64


@cache
def _host() -> tuple[str, str]:
    """CPU name and features of this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def host_name() -> str:
    """Name of this CPU."""
    return _host()[0]


def native_width() -> int:
    """Doubles in a vector register of this machine."""
    features = _host()[1].split(",")
    if "+avx512f" in features:
        return 8
    return 4 if "+avx" in features else 2


@cache
def _source_digest() -> str:
    """Digest of everything that turns a graph into machine code, so that a changed gough does not meet old objects."""
    here = Path(__file__).parent
    files = sorted([*here.glob("*.py"), here.parent / "schedule.py", *(here.parent.parent / "graph").glob("*.py")])
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _target(opt: int) -> Any:
    name, features = _host()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=name, features=features, opt=opt, reloc="pic", codemodel="jitdefault", jit=True
    )


def cache_key(graph: Graph, opt: int, width: int) -> str:
    """Hex digest of all that decides the machine code."""
    version = f"{llvmlite.__version__} {llvm.llvm_version_info}"
    parts = (graph.digest, _source_digest(), str(opt), str(width), *_host(), version)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def compiled(graph: Graph, opt: int, width: int) -> tuple[bytes, int]:
    """Object code of a graph's kernel and the scratch it needs in doubles, from the cache if it is there."""
    key = cache_key(graph, opt, width)
    entry = load(key)
    if entry is not None:
        return entry[8:], int.from_bytes(entry[:8], "little")
    from gough.run.llvm.kernel import write_kernel

    text, scratch = write_kernel(graph, width)
    module = llvm.parse_assembly(text)
    code: bytes = _target(opt).emit_object(module)
    store(key, scratch.to_bytes(8, "little") + code)
    return code, scratch


class Llvm:
    """Runs a graph as machine code on vectors of samples."""

    name = "llvm"

    def __init__(self, graph: Graph, opt: int = 2, width: int | None = None) -> None:
        self.width = width or native_width()
        code, scratch = compiled(graph, opt, self.width)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(opt))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        address = self._engine.get_function_address("kernel")
        self._kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(address)
        self._scratch_doubles = scratch
        self._local = threading.local()

    def run(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], begin: int, end: int) -> None:
        """Fills rows begin to end of the outputs."""
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = _aligned(self._scratch_doubles)
        arrays = _addresses(inputs, outputs)
        self._kernel(arrays, scratch.ctypes.data, begin, end)

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these buffers."""
        scratch = _aligned(self._scratch_doubles)
        arrays = _addresses(inputs, outputs)
        keep = (self, scratch, arrays, list(inputs), list(outputs))
        kernel, begin, end = self._kernel, ctypes.c_int64(0), ctypes.c_int64(rows)
        where, memory = ctypes.c_void_p(ctypes.addressof(arrays)), ctypes.c_void_p(scratch.ctypes.data)

        def call(_keep: Any = keep) -> None:
            kernel(where, memory, begin, end)

        return call


def _addresses(inputs: Sequence[Buffer], outputs: Sequence[Buffer]) -> Any:
    arrays = [*inputs, *outputs]
    return (ctypes.c_void_p * len(arrays))(*[a.ctypes.data for a in arrays])


def _aligned(doubles: int) -> Buffer:
    """An uninitialised array that starts at a multiple of the alignment."""
    extra = _ALIGNMENT // 8
    memory = np.empty(doubles + extra)
    first = (-memory.ctypes.data // 8) % extra
    return memory[first : first + doubles]
