"""Graphs as machine code through LLVM.

Needs llvmlite 0.45 (LLVM 20) or newer. Run with 0.45 and 0.50 on Linux, x86-64, with AVX-512 and with SSE2 alone. For
64-bit ARM, macOS and Windows the same text compiles, but has not been run there.
"""
