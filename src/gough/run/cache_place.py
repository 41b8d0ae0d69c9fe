"""The cache folder: where it is, and whether what lies there may be run.

Entries are machine code. A folder or a file is used only if it belongs to this user or to root and neither its group
nor others may write to it; as root, nothing under another user's folder is used, whatever its mode. On systems without
owners and modes the user's own cache folder is trusted.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_OWNED = hasattr(os, "geteuid")


class Unused(Exception):
    """Why the cache is not used, in words."""


def folder() -> Path | None:
    """Where objects are kept, or None where there is no such place."""
    try:
        return stated_place()
    except Unused:
        return None


def stated_place() -> Path:
    """Where objects are kept: `GOUGH_CACHE`, or gough's place in the user's cache folder.

    Raises:
        Unused: Caching is disabled, or no folder is known.
    """
    chosen = os.environ.get("GOUGH_CACHE")
    if chosen is not None:
        if not chosen:
            raise Unused("disabled (GOUGH_CACHE is empty)")
        if not os.path.isabs(chosen):
            raise Unused(f"not used: GOUGH_CACHE {chosen} is not an absolute path")
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        raise Unused("not used: there is no home folder") from None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        stated = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(stated) if os.path.isabs(stated) else home / ".cache"
    if not os.path.isabs(base):
        raise Unused(f"not used: the home folder {home} is not an absolute path")
    return base / "gough"


@contextmanager
def opened(make: bool = False) -> Iterator[tuple[Path, int | None]]:
    """The folder and, where the system has them, its handle: open while it is in use, and fit to be used.

    Args:
        make: Make it if it is not there.

    Raises:
        Unused: It is another's, open to others, or not there.
        OSError: It cannot be opened.
    """
    found = stated_place()
    if not _OWNED:
        if make:
            found.mkdir(parents=True, exist_ok=True)
        yield found, None
        return
    _refuse_another_user_s(found)
    if make:
        found.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(found, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fault = unsafe(os.fstat(handle))
        if fault:
            raise Unused(f"not used: {fault}")
        yield found, handle
    finally:
        os.close(handle)


def unsafe(status: os.stat_result) -> str:
    """What keeps an opened file or folder from being trusted; nothing if it can be."""
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to {_name(status.st_uid)}, not to {_name(os.geteuid())}"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "its group or others may write to it (chmod go-w would do)"
    return ""


def _refuse_another_user_s(found: Path) -> None:
    """Keep root out of folders whose owner could exchange what is below them."""
    if os.geteuid() != 0:
        return
    for way in (Path(os.path.abspath(found)), Path(os.path.realpath(found))):
        for above in reversed(way.parents):
            try:
                owner = os.stat(above).st_uid
            except OSError:
                continue
            if owner != 0:
                raise Unused(f"not used: {above} belongs to {_name(owner)}, and this is root")


def _name(user: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return f"user {user}"
