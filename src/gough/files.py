"""Files written whole or not at all, and read up to a bound. Every file gough writes goes through here.

A link is followed and stays, a file keeps its mode, a read-only one is refused (whoever asks), and what is no regular
file (a terminal, a pipe, /dev/null) is written to as it is.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from pathlib import Path

from gough.temporary import new_name, remove_left_over


def write_whole(path: Path, content: bytes, replace: bool = True) -> None:
    """Write a file beside its place, make it safe on disk and move it there; devices and pipes are written directly.

    Raises:
        FileExistsError: It is there already, and `replace` is false.
        PermissionError: It is read-only, by its mode or for this user.
        OSError: It cannot be written; nothing is left behind.
    """
    try:
        descriptor = own_descriptor(path)
        before = _status(path)
        if descriptor is not None:
            _write_open(os.dup(descriptor), content)
        elif before is None or stat.S_ISREG(before.st_mode):
            _write_beside(Path(os.path.realpath(path)), content, before, replace)
        elif stat.S_ISBLK(before.st_mode):
            raise PermissionError(errno.EACCES, "is a disk", str(path))
        else:
            _write_open(os.open(path, os.O_WRONLY | os.O_NOCTTY | getattr(os, "O_BINARY", 0)), content)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def read_bounded(path: Path, most: int) -> bytes:
    """Content of a file, a pipe or a device of at most `most` bytes: /dev/zero has no end.

    Raises:
        OSError: There are more, or it cannot be read.
    """
    with open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it holds more than {most / 1e6:.0f} megabytes", str(path))
    return content


def read_only(path: Path) -> bool:
    """Whether a file is there that must not be written: by its mode, or because it is another's."""
    status = _status(path)
    return status is not None and stat.S_ISREG(status.st_mode) and _is_read_only(path, status)


def is_special(path: Path) -> bool:
    """Whether this is a device, a pipe or an output of this process, which has no ending."""
    if own_descriptor(path) is not None:
        return True
    status = _status(path)
    return status is not None and not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))


def own_descriptor(path: Path) -> int | None:
    """The open file of this process that /dev/stdout, /dev/fd/3 or a link to them stands for.

    It is written through, not opened again: a file that a shell appends to is not cut off.
    """
    place = os.path.abspath(path)
    for _ in range(40):
        found = re.fullmatch(rf"/(?:dev|proc/(?:self|thread-self|{os.getpid()}))/fd/([0-9]{{1,9}})", place)
        if found:
            return int(found[1])
        try:
            place = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
        except (OSError, ValueError):
            return None
    return None


def _status(path: Path) -> os.stat_result | None:
    """Of the file a name leads to, None where there is none."""
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _is_read_only(path: Path, status: os.stat_result) -> bool:
    mine = not hasattr(os, "geteuid") or os.geteuid() in (0, status.st_uid)
    return (mine and not status.st_mode & stat.S_IWUSR) or not os.access(path, os.W_OK)


def _write_open(handle: int, content: bytes) -> None:
    """Write to what is open and close it, after what was printed so far."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def _write_beside(target: Path, content: bytes, before: os.stat_result | None, replace: bool) -> None:
    if before is not None:
        if not replace:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        if _is_read_only(target, before):
            raise PermissionError(errno.EACCES, "is read-only", str(target))
    remove_left_over(str(target.parent), target.name)
    beside = target.parent / new_name(target.name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(beside, flags, 0o666 if before is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _take_over(beside, before)
        if replace:
            os.replace(beside, target)
        else:
            _move_to_new(beside, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def _take_over(beside: Path, before: os.stat_result) -> None:
    """Give a new file the owner and mode of the one it replaces; another group gets no rights of the old one."""
    mode = stat.S_IMODE(before.st_mode)
    if hasattr(os, "chown"):
        try:
            os.chown(beside, before.st_uid, before.st_gid)
        except OSError:
            if os.stat(beside).st_gid != before.st_gid:
                mode &= ~0o070
    os.chmod(beside, mode)


def _move_to_new(beside: Path, target: Path) -> None:
    """Move a file to a place where none is."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        os.replace(beside, target)
