"""This machine as LLVM sees it."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from functools import cache
from typing import Any

import llvmlite.binding as llvm


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
