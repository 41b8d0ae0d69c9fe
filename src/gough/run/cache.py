"""Compiled objects on disk: written whole or not at all, checked when read, bounded in size.

`cache_place` says where and whether they may be used; `GOUGH_CACHE=` (empty) disables the cache. Whatever goes wrong
with it, a program is compiled as if there were no cache. Other files in the folder are left alone.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from gough.run.cache_place import Unused, folder, opened, stated_place, unsafe
from gough.temporary import is_left_over, new_name

__all__ = ["LARGEST", "folder", "load", "size", "state", "store"]

LARGEST = 256 * 2**20
"""Bytes the folder may hold; the entries used longest ago go first."""

_MAGIC = b"gough object 1\n"
_HEAD = len(_MAGIC) + hashlib.sha256().digest_size
_PREFIX, _ENTRY = "gough-", ".o"
_BINARY = getattr(os, "O_BINARY", 0)


def load(key: str) -> bytes | None:
    """The entry stored under `key`, or None if there is none that is whole and safe to run."""
    try:
        with opened() as (place, handle):
            data = _read(place, handle, _name(key))
            if data is None or data[:_HEAD] != _head(key, data[_HEAD:]):
                return None
            with suppress(OSError):
                os.utime((place if handle is None else Path()) / _name(key), dir_fd=handle)
            return data[_HEAD:]
    except (OSError, Unused):
        return None


def store(key: str, entry: bytes) -> None:
    """Keeps `entry` under `key`, if the folder lets it."""
    with suppress(OSError, Unused), opened(make=True) as (place, handle):
        _write(place, handle, _name(key), _head(key, entry) + entry)
        _prune(place)


def size() -> int:
    """Bytes the folder holds."""
    place = folder()
    return sum(bytes_ for _, bytes_, _ in _files(place)) if place else 0


def state() -> str:
    """Where the cache is and what it holds, or why it is not used."""
    try:
        found = stated_place()
    except Unused as error:
        return str(error)
    try:
        with opened():
            return f"{found} ({size() / 2**20:.1f} MiB)"
    except Unused as error:
        return f"{found} {error}"
    except FileNotFoundError:
        return f"{found} (empty)"
    except OSError as error:
        return f"{found} not used: {(error.strerror or 'it cannot be opened').lower()}"


def _read(place: Path, handle: int | None, name: str) -> bytes | None:
    """Content of a regular file that nobody else can have written; the checks are on the opened file."""
    if handle is None:
        return (place / name).read_bytes()
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, dir_fd=handle), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or unsafe(status):
            return None
        return file.read()


def _write(place: Path, handle: int | None, name: str, data: bytes) -> None:
    """Write an entry beside its place and move it there."""
    beside = new_name(name)
    base = place if handle is None else Path()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
    unfinished = os.open(base / beside, flags, 0o600, dir_fd=handle)
    try:
        with os.fdopen(unfinished, "wb") as file:
            file.write(data)
        os.replace(base / beside, base / name, src_dir_fd=handle, dst_dir_fd=handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(base / beside, dir_fd=handle)
        raise


def _name(key: str) -> str:
    return f"{_PREFIX}{key}{_ENTRY}"


def _head(key: str, entry: bytes) -> bytes:
    """What stands before an entry: it vouches for the key as well, so that an entry renamed is foreign."""
    return _MAGIC + hashlib.sha256(key.encode() + entry).digest()


def _is_entry(path: Path) -> bool:
    return path.name.startswith(_PREFIX) and path.suffix == _ENTRY


def _files(place: Path) -> list[tuple[float, int, Path]]:
    """Time of last use, size and path of every file of ours, the oldest first."""
    found = []
    with suppress(OSError):
        for path in place.iterdir():
            if _is_entry(path) or (path.name.startswith(f".{_PREFIX}") and is_left_over(path.name)):
                with suppress(OSError):
                    status = path.lstat()
                    found.append((status.st_mtime, status.st_size, path))
    return sorted(found)


def _prune(place: Path) -> None:
    """Removes what dead processes left, and above the limit what was used longest ago, down to three quarters of it."""
    files = _files(place)
    total = sum(bytes_ for _, bytes_, _ in files)
    goal = LARGEST if total <= LARGEST else LARGEST * 3 // 4
    for _, bytes_, path in files:
        if total > goal or not _is_entry(path):
            with suppress(OSError):
                path.unlink()
                total -= bytes_
