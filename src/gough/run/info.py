"""What programs run on here."""

from __future__ import annotations

from gough.run import cache, threads
from gough.run.choose import has_llvm


def info() -> dict[str, str]:
    """Facts about the executors, the machine and the cache, for people."""
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
    facts["cache"] = cache.state()
    return facts
