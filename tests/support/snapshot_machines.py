"""Machines of the snapshot: their files as text, so that no default can move them, and their states, drawn once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.support.lanes import ROOT

Array = NDArray[Any]
FILE = ROOT / "tests" / "data" / "snapshot" / "machines.zip"
"""NAME.toml, the file of the robot, and NAME.npz, its states, for each machine."""
CATALOGUE = (
    "ankle", "cable8", "delta", "fivebar", "hexapod", "planar3rrr", "planar4rrr", "rotary", "rps3", "spatial3", "sru",
    "stewart", "tricept",
)  # fmt: skip


@cache
def names() -> tuple[str, ...]:
    """Names of all machines, in the order in which they were drawn."""
    if not FILE.exists():
        return ()
    with zipfile.ZipFile(FILE) as archive:
        return tuple(name.removesuffix(".toml") for name in archive.namelist() if name.endswith(".toml"))


def text(name: str) -> str:
    """The robot file of a machine."""
    with zipfile.ZipFile(FILE) as archive:
        return archive.read(f"{name}.toml").decode()


def states(name: str, rows: int | None = None) -> dict[str, Array]:
    """Fixed arrays of a machine, with its "name" and the "text" of its file.

    Of `rows` samples, evenly drawn from all: of four, home, a pose far from it, one near it and one out of reach.
    """
    with zipfile.ZipFile(FILE) as archive:
        stored = dict(np.load(io.BytesIO(archive.read(f"{name}.npz"))))
    count = len(stored["x"])
    if rows is not None:
        kept = np.round(np.linspace(0, count - 1, rows)).astype(int)
        stored = {key: value[kept] if np.shape(value)[:1] == (count,) else value for key, value in stored.items()}
    return stored | {"name": np.array(name), "text": np.array(text(name))}


def store(name: str, robot_file: str, arrays: Mapping[str, Array]) -> None:
    """Add a machine; a stored one is never changed."""
    if name in names():
        raise ValueError(f"machine {name} is stored already")
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)
    with zipfile.ZipFile(FILE, "a", zipfile.ZIP_DEFLATED) as archive:
        for suffix, content in ((".toml", robot_file.encode()), (".npz", packed.getvalue())):
            entry = zipfile.ZipInfo(name + suffix, (2026, 1, 1, 0, 0, 0))
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    names.cache_clear()
