"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

from gough.errors import InputError
from gough.files import write_whole

__all__ = ["check_folder", "write_whole"]


def check_folder(option: str, path: Path) -> None:
    """Refuse a file that cannot be written, before the work is done.

    Raises:
        InputError: `path` is a folder or a device, or its folder does not exist.
    """
    if path.is_dir():
        raise InputError(f"{option} {path}: is a folder; name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(f"{option} {path}: is not a regular file; name another")
    if not path.parent.is_dir():
        raise InputError(f"{option} {path}: no such folder {path.parent}")
