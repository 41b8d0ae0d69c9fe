"""What a paper is drawn and written as: figures over time as values, tables as text, and how each is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.figure import Figure

from gough.graph import Array
from gough.plots import curves, figure, legend_beside, picture

FORMATS = ("png", "svg", "pdf", "csv")


@dataclass(frozen=True)
class Panel:
    """One quantity over time, a curve for each actuator.

    Attributes:
        label: Label of the axis, without the unit.
        symbol: Name of the quantity in a file's columns.
        unit: Unit of the values.
        values: (N, curves).
    """

    label: str
    symbol: str
    unit: str
    values: Any

    @property
    def axis(self) -> str:
        """Label of the axis with its unit."""
        return f"{self.label} [{self.unit.replace('^2', '²')}]"


@dataclass(frozen=True)
class TimeFigure:
    """Quantities over time, one panel each, all with the same curves.

    Attributes:
        name: Name of its files, without an ending.
        title: Above the panels.
        t: (N,) times [s].
        panels: From top to bottom.
        names: Names of the curves: the actuators.
        legend: Whether to name the curves beside the panels.
        height: Height of a panel [inch].
    """

    name: str
    title: str
    t: Any
    panels: Sequence[Panel]
    names: Sequence[str]
    legend: bool = True
    height: float = 2.4

    def draw(self) -> Figure:
        """The figure; curves that coincide in all panels are one line under their joint name."""
        fig, axes = figure(len(self.panels), height=self.height if len(self.panels) > 1 else 3.2)
        together = [panel.values for panel in self.panels]
        for ax, panel in zip(axes, self.panels, strict=True):
            curves(ax, self.t, panel.values, [f"leg {name}" for name in self.names], together)
            ax.set_ylabel(panel.axis)
        axes[-1].set_xlabel("time $t$ [s]")
        axes[0].set_title(self.title, loc="left", fontsize=10)
        if self.legend:
            legend_beside(fig, axes[0])
        return fig

    def to_csv(self) -> str:
        """The drawn numbers, all digits: the time, then every curve of every panel."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        columns = [f"{panel.symbol} {name} [{panel.unit}]" for panel in self.panels for name in self.names]
        writer.writerow(["t [s]", *columns])
        for k, t in enumerate(self.t):
            values = [float(value) for panel in self.panels for value in panel.values[k]]
            writer.writerow([repr(value) for value in (float(t), *values)])
        return text.getvalue()


@dataclass(frozen=True)
class Paper:
    """Everything reproduced of a paper.

    Attributes:
        method: One line: by which formulation the forces were found, and how it ran.
        figures: In the paper's order.
        tables: Text of each by its file's name.
        notes: Lines that the reader of the files should know.
    """

    method: str
    figures: Sequence[TimeFigure]
    tables: dict[str, str]
    notes: Sequence[str] = field(default=())

    def files(self, formats: Sequence[str] = ("png", "csv")) -> dict[str, bytes]:
        """Contents of all files by their names: every figure in every format, and the tables."""
        found: dict[str, bytes] = {}
        for drawn in self.figures:
            for kind in formats:
                content = drawn.to_csv().encode() if kind == "csv" else picture(drawn.draw(), f".{kind}")
                found[f"{drawn.name}.{kind}"] = content
        return found | {name: text.encode() for name, text in self.tables.items()}


def number_table(title: str, header: Sequence[str], rows: Array, digits: int = 9) -> str:
    """A title, a line of names and rows of numbers under them."""
    width = digits + 6
    lines = [title, "", "".join(f"{name:>{width}}" for name in header)]
    for row in rows:
        lines.append("".join(f"{_clean(value):{width}.{digits}g}" for value in row))
    return "\n".join(lines) + "\n"


def _clean(value: float) -> float:
    return 0.0 if abs(value) < 1e-12 else float(value)
