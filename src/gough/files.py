"""Files written whole or not at all, and read up to a bound. Every file gough writes goes through here.

A link is followed and stays, a file keeps its mode, a read-only one is refused (also for root), and what is not a
regular file (a terminal, a pipe, /dev/null) is written to as it is.

The name of an unfinished file states its target, machine and process. What a process that died left behind is removed
by the next one that writes the same file; what a living process is writing is left alone, and so is everything from
another machine, whose processes are not known here.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

PICTURES = (".png", ".svg", ".pdf")
"""Endings of pictures."""


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


NO_SUCH_FILE = "no such file"


class Unreadable(Exception):
    """A file that is no readable text.

    Attributes:
        problem: Why, a clause for any place.
        hint: What to try.
    """

    def __init__(self, problem: str, hint: str = "") -> None:
        """The problem, and what to try."""
        super().__init__(problem)
        self.problem, self.hint = problem, hint


def read_text(path: str | Path, most: int, decode: Callable[[bytes], str] | None = None) -> str:
    """Text of a file of at most `most` bytes, UTF-8 unless `decode` reads it.

    Raises:
        Unreadable: There is none, it is no file, too large, no such text, or cannot be read.
    """
    place = Path(path)
    try:
        if not str(path):
            raise FileNotFoundError
        if place.is_dir():
            raise Unreadable("is a folder", "name the file in it")
        if place.stat().st_size > most:
            raise Unreadable(f"too large: {place.stat().st_size / 1e6:.1f} MB, at most {most / 1e6:.0f} MB")
        content = read_bounded(place, most)
        return content.decode("utf-8-sig") if decode is None else decode(content)
    except FileNotFoundError:
        raise Unreadable(NO_SUCH_FILE) from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 text (byte {error.start})", "save it as UTF-8") from None
    except ValueError:
        raise Unreadable("cannot be a file's name") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or 'error').lower()}") from None


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


ENDING = ".part"
_LONGEST_TARGET = 40
_UNFINISHED = re.compile(
    r"\.(?P<target>.+)\.(?P<machine>[0-9a-f]{8})\.(?P<process>[0-9]+)\.[0-9a-f]{8}\.part", re.DOTALL
)


def new_name(target: str) -> str:
    """A name for an unfinished `target`, in the same folder."""
    return f".{target[:_LONGEST_TARGET]}.{_machine()}.{os.getpid()}.{secrets.token_hex(4)}{ENDING}"


def is_left_over(name: str, target: str | None = None) -> bool:
    """Whether this is the name of an unfinished file (of `target`, or of any) whose process is dead."""
    found = _UNFINISHED.fullmatch(name)
    if found is None or (target is not None and found["target"] != target[:_LONGEST_TARGET]):
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
