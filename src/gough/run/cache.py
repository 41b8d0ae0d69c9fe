"""Compiled objects on disk: written whole or not at all, checked when read, bounded in size.

The folder is `GOUGH_CACHE`, or gough's place in the user's cache folder; `GOUGH_CACHE=` (empty) disables it. Whatever
goes wrong with it, a program is compiled as if there were no cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_MAGIC = b"gough object 1\n"
LARGEST = 256 * 2**20
"""Bytes the folder may hold; the entries used longest ago go first."""


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
    path = place / f"{key}.o"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC) + 32
    if data[: len(_MAGIC)] != _MAGIC or hashlib.sha256(key.encode() + data[head:]).digest() != data[len(_MAGIC) : head]:
        return None
    with suppress(OSError):
        os.utime(path)
    return data[head:]


def store(key: str, entry: bytes) -> None:
    """Keeps `entry` under `key`, if the folder lets it."""
    place = folder()
    if place is None:
        return
    data = _MAGIC + hashlib.sha256(key.encode() + entry).digest() + entry
    temporary = ""
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=place, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, place / f"{key}.o")
        _prune(place)
    except OSError:
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)


def size() -> int:
    """Bytes the folder holds."""
    place = folder()
    return sum(bytes_ for _, bytes_, _ in _entries(place)) if place else 0


def _entries(place: Path) -> list[tuple[float, int, Path]]:
    """Time of last use, size and path of every file of ours."""
    found = []
    with suppress(OSError):
        for path in place.iterdir():
            if path.suffix in (".o", ".tmp"):
                with suppress(OSError):
                    status = path.stat()
                    found.append((status.st_mtime, status.st_size, path))
    return sorted(found)


def _prune(place: Path) -> None:
    """Removes what was used longest ago until three quarters of the limit are left."""
    entries = _entries(place)
    total = sum(bytes_ for _, bytes_, _ in entries)
    if total <= LARGEST:
        return
    for _, bytes_, path in entries:
        if total <= LARGEST * 3 // 4:
            break
        with suppress(OSError):
            path.unlink()
            total -= bytes_
