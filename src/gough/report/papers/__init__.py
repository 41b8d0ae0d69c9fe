"""The figures and tables of the four papers, each by the paper's own method: one file per paper."""

from __future__ import annotations

from collections.abc import Callable

from gough.report.papers.hexapod import hexapod
from gough.report.papers.spatial3 import spatial3
from gough.report.papers.sru import sru
from gough.report.papers.stewart import stewart

PAPERS: dict[str, Callable[[], dict[str, bytes]]] = {
    "stewart": stewart,
    "hexapod": hexapod,
    "spatial3": spatial3,
    "sru": sru,
}
"""By robot: a function that gives the contents of all files by their names."""

__all__ = ["PAPERS"]
