"""The store of a study: a folder of files, each written whole, named by the hash of its inputs, and checked.

    study.json           what the study is; another one is refused
    chunks/NAME.parquet  nodes of the reductions of a stretch of leaves, with a digest of all of it
    rows/NAME.parquet    every row of that stretch, where rows are kept: a Parquet data set
    pieces/NAME.piece    what was measured of a leaf that is not whole yet, where chunks are smaller

Without pyarrow the files are .npz; a store may have both. They carry checksums, which are verified on reading. A chunk
counts once its file in `chunks` is there.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gough.errors import InputError, ResourceError
from gough.files import is_left_over, write_whole
from gough.studies.chunk import Chunk
from gough.studies.chunk_files import ENDINGS, Damaged, ending, file_bytes, read_file
from gough.studies.study import Study

PERCHUNK = 64 * 1024
"""Bytes that a chunk of reductions takes at least, for estimates."""


class Store:
    """The folder of one study, held by one process at a time."""

    def __init__(self, folder: str | Path, study: Study, resume: bool, tell: Callable[[str], None]) -> None:
        """Open or make it.

        Raises:
            InputError: It holds another study, or this one while `resume` is false, or another process holds it.
        """
        self.folder, self.study, self.tell, self.ending = Path(folder), study, tell, ending()
        self._lock: Any = None
        manifest = self.folder / "study.json"
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{self.folder}: is a file; --out names a folder")
        if manifest.exists():
            self._check_same(manifest, resume)
        elif self.folder.exists() and any(
            not is_left_over(p.name) and p.name != ".lock" for p in self.folder.iterdir()
        ):
            raise InputError(f"{self.folder}: holds other files; choose an empty folder, or one of this study")
        for part in (self.folder, self.folder / "chunks", *([self.folder / "rows"] if study.keep_rows else [])):
            part.mkdir(parents=True, exist_ok=True)
        self._hold()
        if not manifest.exists():
            content = {"digest": study.digest, "study": study.description}
            try:
                write_whole(manifest, json.dumps(content, indent=1, sort_keys=True).encode())
            except OSError:
                self.close()
                raise

    def close(self) -> None:
        """Let others have it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def chunks(self) -> Iterator[Chunk]:
        """Every chunk that is whole; damaged ones are removed, with a line."""
        found: set[int] = set()
        for path in sorted(p for p in (self.folder / "chunks").iterdir() if p.suffix in ENDINGS):
            try:
                chunk = self._read(path)
            except Damaged as error:
                self.tell(f"{path}: damaged ({error}); computed again")
                path.unlink(missing_ok=True)
                continue
            own = set(range(chunk.first, chunk.last))
            if own & found:
                self.tell(f"{path}: leaves {chunk.first} to {chunk.last - 1} are there twice; left out")
                continue
            found |= own
            yield chunk

    def write(self, chunk: Chunk) -> None:
        """Store a chunk: its rows first, then what makes it count.

        Raises:
            OSError: It cannot be written; nothing is left behind.
        """
        name = self.name(chunk.first, chunk.last)
        rows = b""
        if self.study.keep_rows:
            rows = hashlib.sha256(content := file_bytes(chunk.columns, self.ending)).digest()
            write_whole(self.folder / "rows" / f"{name}{self.ending}", content)
        entries = [(key, *node) for key, nodes in sorted(chunk.nodes.items()) for node in nodes]
        entries.append(("rows", -1, 0, rows))
        entries.append(("whole", -1, 0, _digest(name, chunk.first, chunk.last, entries)))
        columns: dict[str, Any] = dict(
            zip(("reduction", "level", "index", "state"), zip(*entries, strict=True), strict=True)
        )
        columns |= {"first": [chunk.first] * len(entries), "last": [chunk.last] * len(entries)}
        write_whole(self.folder / "chunks" / f"{name}{self.ending}", file_bytes(columns, self.ending))
        for folder in ("rows", "chunks"):
            _sync(self.folder / folder)

    def name(self, first: int, last: int) -> str:
        """Of the chunk of leaves first to last - 1: the hash of its inputs."""
        return hashlib.sha256(f"{self.study.digest} {first} {last}".encode()).hexdigest()[:40]

    def _read(self, path: Path) -> Chunk:
        table = read_file(path)
        try:
            columns = [table[key] for key in ("reduction", "level", "index", "state")]
            entries = list(zip(*columns, strict=True))
            first, last = int(table["first"][0]), int(table["last"][0])
            *body, whole = entries
            if whole[0] != "whole" or bytes(whole[3]) != _digest(path.stem, first, last, body):
                raise Damaged("its digest differs")
            *nodes, rows = body
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Damaged(f"{type(error).__name__}") from None
        if path.stem != self.name(first, last):
            raise Damaged("it belongs to another study")
        if self.study.keep_rows:
            self._check_rows(self.folder / "rows" / path.name, bytes(rows[3]))
        kept: dict[str, list[tuple[int, int, bytes]]] = {r.name: [] for r in self.study.reductions}
        for key, level, index, state in nodes:
            kept[key].append((int(level), int(index), bytes(state)))
        return Chunk(first, last, kept)

    def _check_rows(self, path: Path, digest: bytes) -> None:
        try:
            if hashlib.sha256(path.read_bytes()).digest() != digest:
                raise Damaged(f"rows/{path.name} differs")
        except OSError:
            raise Damaged(f"rows/{path.name} cannot be read") from None

    def _check_same(self, manifest: Path, resume: bool) -> None:
        try:
            stated = json.loads(manifest.read_text())
            digest, own = stated["digest"], stated["study"]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(f"{manifest}: is not the description of a study; choose another --out") from None
        if digest != self.study.digest:
            raise InputError(f"{self.folder}: holds another study: {difference(own, self.study.description)}")
        if not resume:
            raise InputError(f"{self.folder}: holds this study already; --resume takes what is there")

    def _hold(self) -> None:
        """Keep other processes out; the lock ends with this one, however it ends."""
        try:
            import fcntl
        except ImportError:  # no such locks there
            return
        self._lock = open(self.folder / ".lock", "a+")  # noqa: SIM115
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._lock.close()
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                self._lock = None
                return
            raise InputError(
                f"{self.folder}: another process is at work in it; wait for it, or choose another --out"
            ) from None


def difference(stored: Any, own: Any, path: str = "") -> str:
    """The first thing in which two descriptions differ: "seed is 1 there, 2 here"."""
    if isinstance(stored, dict) and isinstance(own, dict):
        for key in [*own, *stored]:
            if stored.get(key) != own.get(key):
                return difference(stored.get(key), own.get(key), f"{path}.{key}" if path else key)
    if isinstance(stored, list) and isinstance(own, list) and len(stored) == len(own):
        for k, (there, here) in enumerate(zip(stored, own, strict=True)):
            if there != here:
                return difference(there, here, f"{path}.{k + 1}")
    there, here = (text if len(text := str(value)) < 60 else "something else" for value in (stored, own))
    return f"{path} differs" if there == here else f"{path} is {there} there, {here} here"


def check_disk(folder: Path, study: Study, chunks: int) -> None:
    """Refuse a study whose store does not fit on the disk.

    Raises:
        ResourceError: With what it needs and what is free.
    """
    import shutil

    from gough.resources import memory_text

    here = folder
    while not here.exists():
        here = here.parent
    columns = 1 + (len(study.vary) or study.robot.dof) + len(study.measures)
    need = chunks * PERCHUNK + (study.machines * columns * 8 if study.keep_rows else 0)
    free = shutil.disk_usage(here).free
    if need > free:
        raise ResourceError(
            f"{folder}: the store needs about {memory_text(need)}, {memory_text(free)} is free on that disk"
        )


def _digest(name: str, first: int, last: int, entries: list[Any]) -> bytes:
    content = hashlib.sha256(f"{name} {first} {last}".encode())
    for key, level, index, state in entries:
        content.update(f"\0{key} {level} {index} {len(state)} ".encode() + bytes(state))
    return content.digest()


def _sync(folder: Path) -> None:
    """Make names in a folder safe on disk, where that can be asked for."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
