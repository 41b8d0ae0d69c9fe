"""Unfinished files: their names tell for which file, on which machine and by which process they are written.

What a process that died left behind is removed by the next one that writes the same file; what a living process is
writing is left alone, and so is everything from another machine, whose processes are not known here.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
import sys
from functools import cache

ENDING = ".part"
_MOST = 40
_NAME = re.compile(r"\.(?P<target>.+)\.(?P<machine>[0-9a-f]{8})\.(?P<process>[0-9]+)\.[0-9a-f]{8}\.part", re.DOTALL)


def new_name(target: str) -> str:
    """A name for an unfinished `target`, in the same folder."""
    return f".{target[:_MOST]}.{_machine()}.{os.getpid()}.{secrets.token_hex(4)}{ENDING}"


def is_left_over(name: str, target: str | None = None) -> bool:
    """Whether this is the name of an unfinished file (of `target`, or of any) whose process is dead."""
    found = _NAME.fullmatch(name)
    if found is None or (target is not None and found["target"] != target[:_MOST]):
        return False
    return found["machine"] == _machine() and not _lives(int(found["process"]))


def remove_left_over(folder: str, target: str) -> None:
    """Remove what dead processes of this user left of `target`; what cannot be removed stays."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_left_over(entry.name, target):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode) and status.st_uid == _user(status.st_uid):
                        os.unlink(entry.path)


def _user(otherwise: int) -> int:
    return os.geteuid() if hasattr(os, "geteuid") else otherwise


def _lives(process: int) -> bool:
    """Whether a process of this machine may be running."""
    if sys.platform == "win32":  # os.kill would end it there
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _machine() -> str:
    """Digest of this machine's name and, in a container, of its own count of processes."""
    import platform

    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return hashlib.sha256(f"{platform.node()} {space}".encode()).hexdigest()[:8]
