"""From IR text to machine code for this machine, through the object cache."""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from gough.graph import Graph
from gough.run.arrays import address
from gough.run.cache import load, store
from gough.run.executor import Buffer, Copies, Outputs
from gough.run.llvm.elementary import LIBM

_ALIGNMENT = 64
_BOUND = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@cache
def _source_digest() -> str:
    """Digest of everything that turns a graph into machine code, so that a changed gough does not meet old objects."""
    here = Path(__file__).parent
    files = sorted([*here.rglob("*.py"), here.parent / "schedule.py", *(here.parent.parent / "graph").rglob("*.py")])
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def cache_key(graph: Graph, opt: int, width: int) -> str:
    """Hex digest of all that decides the machine code."""
    version = f"{llvmlite.__version__} {llvm.llvm_version_info}"
    parts = (graph.digest, _source_digest(), str(opt), str(width), *describe(), version)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def compiled(graph: Graph, opt: int, width: int) -> tuple[bytes, int]:
    """Object code of a graph's kernel and the scratch it needs in doubles, from the cache if it is there."""
    key = cache_key(graph, opt, width)
    entry = load(key)
    if entry is not None:
        return entry[8:], int.from_bytes(entry[:8], "little")
    from gough.run.llvm.kernel import write_kernel

    kernel = write_kernel(graph, width, native_width(), has_fma())
    with _emitting(kernel.ordered):
        code: bytes = target_machine(opt).emit_object(llvm.parse_assembly(kernel.text))
    store(key, kernel.scratch.to_bytes(8, "little") + code)
    return code, kernel.scratch


_ONE_AT_A_TIME = threading.Lock()
_ORDER_KEPT = ("-enable-misched=false", "-pre-RA-sched=source")
_BY_DEFAULT = ("-enable-misched=true", "-pre-RA-sched=default")
WITH_OPTIONS = range(20, 23)
"""Versions of LLVM known to have these options: one that it does not know ends the process."""


@contextmanager
def _emitting(ordered: bool) -> Iterator[None]:
    """Emits operations in the order of their text if they are ordered, else in one of LLVM's choice.

    LLVM's own order saves registers and is a quarter slower: it puts what waits for a division right behind it. Its
    options hold for the whole process, so they are set back at once; another library that compiles on another thread
    meanwhile gets code that computes the same.
    """
    with _ONE_AT_A_TIME:
        if not ordered or llvm.llvm_version_info[0] not in WITH_OPTIONS:
            yield
            return
        _set(_ORDER_KEPT)
        try:
            yield
        finally:
            _set(_BY_DEFAULT)


def _set(options: Sequence[str]) -> None:
    for option in options:
        llvm.set_option("gough", option)


class Llvm:
    """Runs a graph as machine code on vectors of samples."""

    name = "llvm"

    def __init__(self, graph: Graph, opt: int, width: int | None) -> None:
        code, self._scratch_doubles = compiled(graph, opt, width or native_width())
        for symbol in (*LIBM.values(), "floor"):  # the last one where the CPU has no such instruction
            provide(symbol)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(opt))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._kernel = _SIGNATURE(self._engine.get_function_address("kernel"))
        self._bound = _BOUND(self._engine.get_function_address("bound"))
        self._packed = struct.Struct(f"{2 * len(graph.inputs) + len(graph.outputs)}N").pack
        self._local = threading.local()

    def run(self, inputs: Sequence[Buffer], outputs: Outputs, begin: int, end: int, copies: Copies = ()) -> None:
        """Fills rows begin to end of the outputs and copies."""
        try:
            _, scratch = self._local.scratch
        except AttributeError:
            _, scratch = self._local.scratch = self._scratch()
        self._kernel(self._pointers(inputs, outputs, copies or (None,) * len(inputs)), scratch, begin, end)

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these buffers."""
        memory, scratch = self._scratch()
        pointers = ctypes.create_string_buffer(self._pointers(inputs, outputs, (None,) * len(inputs)))
        arguments = (ctypes.c_uint64 * 4)(ctypes.addressof(pointers), scratch, 0, rows)
        call = _Call(self._bound, ctypes.c_void_p(ctypes.addressof(arguments)))
        call.keep = (self, memory, pointers, arguments, inputs, outputs)
        return call

    def _pointers(self, inputs: Sequence[Buffer], outputs: Outputs, copies: Copies) -> bytes:
        """Addresses of all arrays, one after another; null for what is not wanted."""
        return self._packed(*[0 if a is None else address(a) for a in (*inputs, *outputs, *copies)])

    def _scratch(self) -> tuple[Buffer, int]:
        """Memory for one thread, and the aligned address in it that a kernel is given."""
        memory = np.empty(self._scratch_doubles + _ALIGNMENT // 8)
        address = memory.ctypes.data
        return memory, address + -address % _ALIGNMENT


class _Call(partial):  # type: ignore[type-arg]
    """A call with its arguments, and what must live as long as it."""

    keep: Any


@cache
def describe() -> tuple[str, str, str]:
    """Triple, CPU name and CPU features."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.get_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def cpu() -> str:
    """Name of this CPU."""
    return describe()[1]


@cache
def native_width() -> int:
    """Doubles in a vector register of this machine: 8 with AVX-512, 4 with AVX, else 2 (SSE, NEON)."""
    features = describe()[2].split(",")
    if "+avx512f" in features:
        return 8
    return 4 if "+avx" in features else 2


def has_fma() -> bool:
    """Whether this CPU multiplies and adds in one instruction."""
    triple, _, features = describe()
    return "+fma" in features.split(",") or triple.startswith(("aarch64", "arm64"))


def target_machine(opt: int) -> Any:
    """A code generator for this machine."""
    triple, name, features = describe()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(
        cpu=name, features=features, opt=opt, reloc="pic", codemodel="jitdefault", jit=True
    )


@cache
def provide(symbol: str) -> None:
    """Makes a function of the C library known to LLVM, which finds by itself only what the process exports."""
    if llvm.address_of_symbol(symbol) is None:
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else ctypes.util.find_library("m"))
        llvm.add_symbol(symbol, ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value)
