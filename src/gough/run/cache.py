"""Compiled objects on disk: written whole or not at all, checked when read, bounded in size.

The folder is `GOUGH_CACHE`, or gough's place in the user's cache folder; `GOUGH_CACHE=` (empty) disables it. Whatever
goes wrong with it, a program is compiled as if there were no cache. Other files in the folder are left alone.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

LARGEST = 256 * 2**20
"""Bytes the folder may hold; the entries used longest ago go first."""

STALE = 3600.0
"""Seconds after which an unfinished file was left by a process that died."""

_MAGIC = b"gough object 1\n"
_HEAD = len(_MAGIC) + hashlib.sha256().digest_size
_PREFIX, _ENTRY, _UNFINISHED = "gough-", ".o", ".tmp"


def folder() -> Path | None:
    """Where objects are kept, or None when caching is disabled."""
    chosen = os.environ.get("GOUGH_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "gough"


def load(key: str) -> bytes | None:
    """The entry stored under `key`, or None if there is none that is whole."""
    place = folder()
    if place is None:
        return None
    path = _path(place, key)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if data[:_HEAD] != _head(key, data[_HEAD:]):
        return None
    with suppress(OSError):
        os.utime(path)
    return data[_HEAD:]


def store(key: str, entry: bytes) -> None:
    """Keeps `entry` under `key`, if the folder lets it."""
    place = folder()
    if place is None:
        return
    temporary = ""
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(_UNFINISHED, _PREFIX, place)
        with os.fdopen(handle, "wb") as file:
            file.write(_head(key, entry) + entry)
        os.replace(temporary, _path(place, key))
        temporary = ""
        _prune(place)
    except OSError:
        pass
    finally:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)


def size() -> int:
    """Bytes the folder holds."""
    place = folder()
    return sum(bytes_ for _, bytes_, _ in _files(place)) if place else 0


def _path(place: Path, key: str) -> Path:
    return place / f"{_PREFIX}{key}{_ENTRY}"


def _head(key: str, entry: bytes) -> bytes:
    """What stands before an entry: it vouches for the key as well, so that an entry renamed is foreign."""
    return _MAGIC + hashlib.sha256(key.encode() + entry).digest()


def _files(place: Path) -> list[tuple[float, int, Path]]:
    """Time of last use, size and path of every file of ours, the oldest first."""
    found = []
    with suppress(OSError):
        for path in place.iterdir():
            if path.name.startswith(_PREFIX) and path.suffix in (_ENTRY, _UNFINISHED):
                with suppress(OSError):
                    status = path.stat()
                    found.append((status.st_mtime, status.st_size, path))
    return sorted(found)


def _prune(place: Path) -> None:
    """Removes what dead processes left, and above the limit what was used longest ago, down to three quarters of it."""
    files = _files(place)
    total = sum(bytes_ for _, bytes_, _ in files)
    goal = LARGEST if total <= LARGEST else LARGEST * 3 // 4
    oldest = time.time() - STALE
    for used, bytes_, path in files:
        if total > goal or (path.suffix == _UNFINISHED and used < oldest):
            with suppress(OSError):
                path.unlink()
                total -= bytes_
