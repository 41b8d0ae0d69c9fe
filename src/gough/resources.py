"""Resources of the computer: free memory, and the refusal of work that needs more."""

from __future__ import annotations

import math
import os
from pathlib import Path

from gough.errors import InputError

SHARE = 0.8
"""Of the free memory that may be asked for: the estimates are rough."""


def free_memory() -> float:
    """Bytes this process may still take: of the machine, its container and its own limit; infinite if unknown."""
    return min(_of_the_machine(), _of_the_container(), _of_the_process())


def check_memory(what: str, count: float, each: float, items: str) -> None:
    """Refuse `count` items of about `each` bytes where they do not fit.

    Args:
        what: What needs them, with its value: "--states 1e12".
        items: What they are, in the plural.

    Raises:
        InputError: They do not fit; the message says how many would.
    """
    free = free_memory()
    if count * each > SHARE * free:
        fit = _two_digits(SHARE * free / each)
        raise InputError(
            f"{what}: needs about {memory_text(count * each)} of memory, {memory_text(free)} is free; "
            f"up to {fit} {items} would do"
        )


def memory_text(size: float) -> str:
    """Bytes for people."""
    units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = min(int(math.log2(max(size, 1.0)) // 10), len(units) - 1)
    return f"{size / 1024.0**power:.3g} {units[power]}"


def time_text(seconds: float) -> str:
    """A long time for people."""
    for size, name in ((365.25 * 86400.0, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.2g} {name}"
    return f"{seconds:.2g} s"


def _two_digits(number: float) -> str:
    """A number rounded down to two digits."""
    if number < 1.0:
        return "no"
    scale = 10 ** max(0, int(math.log10(number)) - 1)
    return f"{int(number // scale) * scale:.12g}"


def _of_the_machine() -> float:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
    except (OSError, ValueError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return math.inf


def _of_the_container() -> float:
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        base = Path("/sys/fs/cgroup")
        try:
            return max(0.0, float((base / limit).read_text()) - float((base / used).read_text()))
        except (OSError, ValueError):  # "max" is no number: no limit
            continue
    return math.inf


def _of_the_process() -> float:
    """What `ulimit -v` leaves."""
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            return math.inf
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return max(0.0, float(soft) - pages * resource.getpagesize())
    except (ImportError, OSError, ValueError, IndexError):
        return math.inf
