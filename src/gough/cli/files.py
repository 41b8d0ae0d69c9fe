"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

from gough.errors import InputError
from gough.files import write_whole

__all__ = ["PICTURES", "check_folder", "check_picture", "write_whole"]


PICTURES = (".png", ".svg", ".pdf")


def check_picture(option: str, path: str | Path, endings: tuple[str, ...] = (".png",)) -> None:
    """Refuse a picture of another kind, and what `check_folder` refuses.

    Raises:
        InputError: The name does not end as it should, or the file cannot be written.
    """
    if Path(path).suffix.lower() not in endings:
        listed = f"{', '.join(endings[:-1])} or {endings[-1]}" if len(endings) > 1 else endings[0]
        raise InputError(f"{option} {path}: the file's name must end in {listed}")
    check_folder(option, Path(path))


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
