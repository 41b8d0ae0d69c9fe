"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def write_whole(path: Path, content: bytes, replace: bool = True) -> None:
    """Write a file beside its place, make it safe on disk and move it there.

    Raises:
        FileExistsError: It is there already, and `replace` is false.
        OSError: It cannot be written; nothing is left behind.
    """
    import tempfile

    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, 0o666 & ~_umask())
        if replace:
            os.replace(beside, path)
        else:
            _move_to_new(beside, path)
    except OSError as error:
        if error.filename is None:
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)


def _move_to_new(beside: str, path: Path) -> None:
    """Move a file to a place where none is."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        os.replace(beside, path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
