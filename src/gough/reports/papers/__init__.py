"""The figures and tables of the four papers, each by the paper's own method: one file per paper."""

from __future__ import annotations

from collections.abc import Callable

from gough.reports.papers.figures import FORMATS, Panel, Paper, TimeFigure
from gough.reports.papers.hexapod import hexapod
from gough.reports.papers.spatial3 import spatial3
from gough.reports.papers.sru import sru
from gough.reports.papers.stewart import stewart

PAPERS: dict[str, Callable[[], Paper]] = {
    "stewart": stewart,
    "hexapod": hexapod,
    "spatial3": spatial3,
    "sru": sru,
}
"""By robot: a function that gives what is reproduced of its paper."""

__all__ = ["FORMATS", "PAPERS", "Panel", "Paper", "TimeFigure"]
