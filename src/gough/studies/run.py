"""A study run: what is stored is taken, the rest is computed here or by workers, and all of it is merged."""

from __future__ import annotations

import errno
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.errors import InputError, ResourceError
from gough.studies.chunk import Chunk, compute
from gough.studies.exact_quantiles import with_exact_quantiles
from gough.studies.pieces import Pieces, piece_size
from gough.studies.reductions.contract import unpacked
from gough.studies.result import StudyResult
from gough.studies.store import Store, check_disk
from gough.studies.study import Study
from gough.studies.tree import Merger

MOST_LEAVES = 1024
CHUNKS = 64
"""Chunks that a study is cut into where nothing is said."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG}

Stretch = tuple[int, int]


class Interrupted(KeyboardInterrupt):
    """Ended by the user; its text says how to go on."""


def run_study(
    study: Study,
    client: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    chunk: int | None = None,
    on_error: str = "stop",
    progress: Callable[[int, int], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> StudyResult:
    """The result; arguments as in `Study.run`."""
    say = tell if tell is not None else lambda line: print(line, file=sys.stderr)
    if on_error not in ("stop", "count"):
        raise InputError(f"on-error {on_error}: must be stop or count")
    if chunk is not None and chunk < 1:
        raise InputError(f"chunk {chunk}: must be a number of machines from 1 on")
    began = time.perf_counter()
    leaves = _leaves(study, chunk)
    if client is not None and chunk is not None and chunk < min(study.leaf, study.machines):
        say(f"chunk {chunk}: workers compute whole leaves of {study.leaf} machines")
    if out is not None:
        check_disk(Path(out), study, -(-study.leaves // leaves))
    store = None if out is None else _open(out, study, resume, say)
    with closing(store) if store is not None else nullcontext():
        states, columns, taken = _run(study, client, store, leaves, on_error, progress, say, chunk)
    results = {r.name: r.result(states[r.name]) for r in study.reductions}

    def again(refined: Study, name: str) -> dict[str, Any]:
        folder = None if out is None else Path(out) / name
        own = None if folder is None else _open(folder, refined, resume or folder.exists(), say)
        with closing(own) if own is not None else nullcontext():
            return _run(refined, client, own, leaves, on_error, progress, say, chunk)[0]

    results = with_exact_quantiles(study, states, results, again)
    failures = results.pop(study.reductions[0].name)
    return StudyResult(
        study, results, failures, columns, None if out is None else str(out), taken, time.perf_counter() - began
    )


def resume_command(study: Study, folder: Path | str | None) -> str:
    """What to type to go on."""
    if folder is None:
        return f"gough study {shlex.quote(study.source)} --out DIR keeps what is done, and can be resumed"
    return f"gough study {shlex.quote(study.source)} --out {shlex.quote(str(folder))} --resume"


def _open(out: str | Path, study: Study, resume: bool, say: Callable[[str], None]) -> Store:
    try:
        return Store(out, study, resume, say)
    except OSError as error:
        raise _not_written(error, str(out), study, out) from None


def _run(
    study: Study,
    client: Any,
    store: Store | None,
    leaves: int,
    on_error: str,
    progress: Callable[[int, int], None] | None,
    say: Callable[[str], None],
    size: int | None,
) -> tuple[dict[str, Any], dict[str, Any] | None, int]:
    """States of all reductions, all rows where they stay in memory, and how many rows a store had."""
    mergers: dict[str, Merger[Any]] = {r.name: Merger(r.merge, study.leaves) for r in study.reductions}
    done: list[Stretch] = []
    rows: list[Chunk] = []

    def take(chunk: Chunk) -> None:
        for name, nodes in chunk.nodes.items():
            for level, index, state in nodes:
                mergers[name].add((level, index), unpacked(state))
        done.append((chunk.first, chunk.last))

    for chunk in store.chunks() if store is not None else ():
        take(chunk)
    plan = stretches(study.leaves, done, leaves)
    folder = None if store is None else store.folder
    reached = sum(e - b for b, e in (study.span(*stretch) for stretch in done))

    def told(machines: int) -> None:
        nonlocal reached
        reached += machines
        if progress is not None:
            progress(reached, study.machines)

    pieces = Pieces(study, piece_size(study, size), None if folder is None else folder / "pieces", told)
    reached += pieces.kept([leaf for first, last in plan for leaf in range(first, last)])
    taken = reached
    if progress is not None:
        progress(reached, study.machines)
    try:
        for chunk in _computed(study, client, plan, on_error, say, resume_command(study, folder), pieces):
            begin, end = study.span(chunk.first, chunk.last)
            if store is not None:
                store.write(chunk)
            elif study.keep_rows:
                rows.append(chunk)
            take(chunk)
            if more := end - begin - pieces.forget(begin, end):
                told(more)
    except KeyboardInterrupt:
        raise Interrupted(f"{reached} of {study.machines} rows are done; {resume_command(study, folder)}") from None
    except OSError as error:
        if store is None:
            raise
        raise _not_written(error, str(error.filename or store.folder), study, store.folder) from None
    columns = None
    if rows:
        rows.sort(key=lambda c: c.first)
        columns = {name: np.concatenate([c.columns[name] for c in rows]) for name in rows[0].columns}
    return {name: merger.root() for name, merger in mergers.items()}, columns, taken


def _not_written(error: OSError, place: str, study: Study, folder: Path | str) -> Exception:
    """The one line of a store that cannot be written."""
    kind = ResourceError if error.errno in FULL else InputError
    what = "make room" if error.errno in FULL else "make it writable"
    reason = (error.strerror or "cannot be written").lower()
    return kind(f"{place}: {reason}; nothing is lost: {what}, then {resume_command(study, folder)}")


def _computed(
    study: Study,
    client: Any,
    plan: Sequence[Stretch],
    on_error: str,
    say: Callable[[str], None],
    resume: str,
    pieces: Pieces,
) -> Iterator[Chunk]:
    if client is None or not plan:
        return (compute(study, first, last, on_error, pieces.block) for first, last in plan)
    from gough.studies.workers import computed_by

    return computed_by(client, study, plan, on_error, say, resume)


def _leaves(study: Study, chunk: int | None) -> int:
    """Leaves of a chunk."""
    if chunk is not None:
        return max(1, round(chunk / study.leaf))
    most = min(MOST_LEAVES, max(1, study.leaves // CHUNKS))
    return 1 << (most.bit_length() - 1)  # whole nodes of the tree: one state of each reduction in a chunk


def stretches(leaves: int, done: Sequence[Stretch], size: int) -> list[Stretch]:
    """Leaves that are not done, in stretches of up to `size`."""
    found, at = [], 0
    for first, last in [*sorted(done), (leaves, leaves)]:
        found += [(begin, min(begin + size, first)) for begin in range(at, first, size)]
        at = max(at, last)
    return found


def without_rows(study: Study, reductions: Sequence[Any]) -> Study:
    """The same machines with other reductions and no rows."""
    return replace(study, reductions=tuple(reductions), keep_rows=False)
