"""A leaf measured in pieces, where chunks are smaller than it: what was measured is kept until the leaf is whole.

A machine's numbers do not depend on those beside it, so a leaf put together has the bits of one measured at once.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gough.files import write_whole
from gough.studies.machine_measures import TOGETHER
from gough.studies.reductions import Block
from gough.studies.study import Study

ENDING = ".piece"


def piece_size(study: Study, chunk: int | None) -> int:
    """Machines of a piece: the chunk asked for, in whole rows of an index study; at most a leaf."""
    if chunk is None or chunk >= study.leaf:
        return study.leaf
    row = study.drawing.row * (TOGETHER if "tracking_error" in study.measures else 1)
    return min(study.leaf, -(-chunk // row) * row)


class Pieces:
    """Pieces of leaves that are not whole yet, in a folder, if there is one.

    Attributes:
        study: Which.
        size: Machines of a piece.
        folder: Where they are.
        told: Called with the number of machines of each piece that is kept.
    """

    def __init__(self, study: Study, size: int, folder: Path | None, told: Callable[[int], None]) -> None:
        """Those in the folder; damaged ones are measured again."""
        self.study, self.size, self.folder, self.told = study, size, folder, told
        self._kept: dict[int, Block] = {}
        for path in sorted(folder.glob(f"*{ENDING}")) if folder is not None and folder.is_dir() else ():
            block = self._read(path)
            if block is None:
                path.unlink(missing_ok=True)
            else:
                self._kept[block.first] = block

    def kept(self, leaves: Sequence[int]) -> int:
        """Machines of these leaves whose pieces are kept."""
        spans = [self.study.span(leaf, leaf + 1) for leaf in leaves]
        return sum(len(b.numbers) for b in self._kept.values() if any(first <= b.first < last for first, last in spans))

    def block(self, first: int, last: int, on_error: str) -> Block:
        """Machines first to last - 1: what is kept, and the rest measured."""
        parts = list(self._parts(first, last, on_error))
        values = {name: np.concatenate([part.values[name] for part in parts]) for name in parts[0].values}
        return Block(
            first, values, *(np.concatenate([getattr(part, name) for part in parts]) for name in ("why", "at"))
        )

    def _parts(self, first: int, last: int, on_error: str) -> Iterator[Block]:
        at = first
        while at < last:
            block = self._kept.get(at)
            if block is None:
                ahead = [begin for begin in self._kept if at < begin < last]
                block = self.study.block(at, min([at + self.size, last, *ahead]), on_error)
                if len(block.numbers) < last - first:
                    self._keep(block)
            at += len(block.numbers)
            yield block

    def forget(self, first: int, last: int) -> int:
        """Remove the pieces of machines first to last - 1, whose leaves are done, and tell how many they had."""
        found = [self._kept.pop(begin) for begin in list(self._kept) if first <= begin < last]
        for block in found:
            if self.folder is not None:
                self._path(self.folder, block).unlink(missing_ok=True)
        return sum(len(block.numbers) for block in found)

    def _path(self, folder: Path, block: Block) -> Path:
        last = block.first + len(block.numbers)
        name = hashlib.sha256(f"{self.study.digest} machines {block.first} {last}".encode()).hexdigest()[:40]
        return folder / f"{name}{ENDING}"

    def _keep(self, block: Block) -> None:
        if self.folder is not None:
            arrays: dict[str, Any] = {f"value {name}": column for name, column in block.values.items()}
            sink = io.BytesIO()
            np.savez(sink, first=np.array(block.first), why=block.why, at=block.at, **arrays)
            content = sink.getvalue()
            self.folder.mkdir(exist_ok=True)
            write_whole(self._path(self.folder, block), hashlib.sha256(content).digest() + content)
        self._kept[block.first] = block
        self.told(len(block.numbers))

    def _read(self, path: Path) -> Block | None:
        """A piece of this study; None where it is damaged, or another's."""
        content = path.read_bytes()
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            return None
        with np.load(io.BytesIO(content[32:]), allow_pickle=False) as arrays:
            values = {key.removeprefix("value "): arrays[key] for key in arrays.files if key.startswith("value ")}
            block = Block(int(arrays["first"]), values, arrays["why"], arrays["at"])
        return block if self._path(path.parent, block) == path else None
