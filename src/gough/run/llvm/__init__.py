"""Graphs as machine code through LLVM."""
