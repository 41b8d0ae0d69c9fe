"""The robot file of a design: the robot's own file with other numbers."""

from __future__ import annotations

from pathlib import Path

from gough.optimisation.minimax import Optimum
from gough.optimisation.result import Optimised


def design_text(problem: str | Path, result: Optimised, one: Optimum) -> str:
    """TOML text of a design.

    Args:
        problem: The optimisation's file.
        result: Its result.
        one: The design.
    """
    head = f"# The best design of {Path(problem).name}: {result.wanted.robot.name} with other numbers.\n"
    return f"{head}# Changed: {', '.join(result.changes(one))}.\n{result.design(one).to_toml()}"
