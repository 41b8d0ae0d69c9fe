"""Figures and tables of the four papers by their numbers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.adapter.commands import run
from tests.support.adapter.policies import EXTREME, FOUR_DIGITS
from tests.support.by_value import numbers
from tests.support.questions import NO_MACHINE, Answer, Question, States

PAPERS = ("stewart", "hexapod", "spatial3", "sru")


def _paper(paper: str) -> dict[str, Answer]:
    """Every eleventh row of each figure's CSV file as an array, numbers of the tables by value."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        code, _, _ = run(f"paper {paper} --out {folder}/out --formats csv,svg")
        answers["exit"] = Answer(np.array(str(code)), "verdict", "verdict")
        files = sorted(Path(folder, "out").iterdir())
        answers["files"] = Answer(np.array([file.name for file in files]), "names", "names")
        for file in files:
            if file.suffix == ".csv":
                rows = file.read_text().splitlines()
                answers[file.name] = Answer(numbers("\n".join(rows[1::11])), "values", EXTREME)
            elif file.suffix == ".txt":
                answers[file.name] = Answer(numbers(file.read_text(), digits=4), "values", FOUR_DIGITS)
    return answers


def stewart(robot: Any, states: States) -> dict[str, Answer]:
    """Lopes: the Stewart platform."""
    return _paper("stewart")


def hexapod(robot: Any, states: States) -> dict[str, Answer]:
    """Sinatra, Xi, Staicu: the hexapod."""
    return _paper("hexapod")


def spatial3(robot: Any, states: States) -> dict[str, Answer]:
    """Staicu: the spatial robot of three degrees of freedom."""
    return _paper("spatial3")


def sru(robot: Any, states: States) -> dict[str, Answer]:
    """Angeles: legs with driven knees."""
    return _paper("sru")


TABLE = {
    f"paper {name}": Question(f"paper {name}", "papers", (NO_MACHINE,), frozenset(), f"papers:{name}", 120.0)
    for name in PAPERS
}
