"""Compiled objects on disk, in a folder of this user alone: written whole or not at all, checked when read.

`GOUGH_CACHE=` (empty) disables the cache. Whatever goes wrong
with it, a program is compiled as if there were no cache. Other files in the folder are left alone.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gough.files import is_left_over, new_name

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
        return f"it belongs to {_user_name(status.st_uid)}, not to {_user_name(os.geteuid())}"
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
                raise Unused(f"not used: {above} belongs to {_user_name(owner)}, and this is root")


def _user_name(user: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return f"user {user}"
