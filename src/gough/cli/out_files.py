"""Files that commands write: their names are checked before the work, what they hold is what their ending says."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from gough.errors import InputError
from gough.files import PICTURES, is_special, own_descriptor, read_only, write_whole

__all__ = [
    "PICTURES",
    "TEXT",
    "announce",
    "check_file",
    "check_folder",
    "form_of",
    "new_folder",
    "picture_ending",
    "write_whole",
]


TEXT = (".txt", "")
"""Endings of plain text; none at all is one of them."""

_FILES = (".csv", ".json", ".parquet", ".txt", ".html", ".htm", ".xlsx", ".toml", *PICTURES)


def check_file(option: str, path: str | Path, endings: Sequence[str] = (".png",)) -> None:
    """Refuse a file whose name does not end in one of `endings`, and what `check_folder` refuses.

    Raises:
        InputError: The name does not end as it should, or the file cannot be written.
    """
    check_folder(option, Path(path))
    if Path(path).suffix.lower() not in endings and not is_special(Path(path)):
        raise InputError(f"{option} {path}: the file's name must end in {_listed([e for e in endings if e])}")


def form_of(option: str, path: str | Path, stated: str | None, known: Sequence[str]) -> str:
    """What a file will hold: one of `known` by its ending, else what --format states, else "table".

    Raises:
        InputError: The ending is another one, or not that of the stated format; or as `check_folder`.
    """
    check_file(option, path, (*TEXT, *(f".{form}" for form in known)))
    ending = "" if is_special(Path(path)) else Path(path).suffix.lower().removeprefix(".")
    if ending not in known:
        return stated or "table"
    if stated is not None and stated != ending:
        name = Path(path).with_suffix(".txt" if stated == "table" else f".{stated}")
        raise InputError(f"--format {stated}: {option} {path} ends in .{ending}; name it {name}, or leave --format out")
    return ending


def check_folder(option: str, path: Path) -> None:
    """Refuse a file that cannot be written, before the work is done.

    Raises:
        InputError: `path` is a folder, a disk or read-only, or its folder does not exist.
    """
    if own_descriptor(path) is not None:
        return
    try:
        if path.is_dir():
            raise InputError(f"{option} {path}: is a folder; name a file in it")
        if path.exists() and stat.S_ISBLK(path.stat().st_mode):
            raise InputError(f"{option} {path}: is a disk; name a file")
        if read_only(path):
            raise InputError(f"{option} {path}: is read-only; name another, or allow it: chmod u+w {path}")
        folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        if not folder.is_dir():
            raise InputError(f"{option} {path}: no such folder {folder}")
    except (OSError, ValueError) as error:
        fault = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{option} {path}: {fault[:1].lower()}{fault[1:]}") from None


def new_folder(option: str, folder: Path, parents: bool = False) -> None:
    """Refuse a folder that cannot be there, before the work is done.

    Raises:
        InputError: It is a file or named like one, or there is no folder to make it in.
    """
    if folder.is_dir():
        return
    if folder.exists() or folder.is_symlink():
        raise InputError(f"{option} {folder}: is a file; name a folder")
    if folder.suffix.lower() in _FILES:
        raise InputError(f"{option} {folder}: is the name of a file; name a folder, e.g. {folder.with_suffix('')}")
    if not parents and not folder.parent.is_dir():
        raise InputError(f"{option} {folder}: no such folder {folder.parent}")


def picture_ending(path: str | Path) -> str:
    """The kind of picture by the ending of its name, .png where it is a device or a pipe."""
    ending = Path(path).suffix.lower()
    return ending if ending in PICTURES else ".png"


def announce(*paths: str | Path, aside: bool = False, note: str = "") -> None:
    """Say which files were written, unless one of them is standard output itself.

    Args:
        paths: The files.
        aside: JSON goes to standard output, so this does not.
        note: On what is in them.
    """
    if any(own_descriptor(Path(path)) == 1 for path in paths):
        return
    names = [str(path) for path in paths]
    print(
        f"wrote {' and '.join([', '.join(names[:-1]), names[-1]] if len(names) > 1 else names)}{note}",
        file=sys.stderr if aside else sys.stdout,
    )


def _listed(entries: Sequence[str]) -> str:
    return f"{', '.join(entries[:-1])} or {entries[-1]}" if len(entries) > 1 else entries[0]
