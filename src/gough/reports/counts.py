"""How many operations a robot's forces take, by formulation, as numbers and as bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from gough.dynamics.contract import FORMULATIONS, Formulation
from gough.dynamics.force_programs import Model, force_graph
from gough.graph import Count, count_by_label
from gough.robot import Robot, catalogue, load
from gough.table import Table, Tabulated
from gough.table.table import blocks_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class OperationCounts(Tabulated):
    """Operations of tau(x, xd, xdd) by one formulation, and by body: "platform", "leg ...", "whole" for the rest.

    An operation that several bodies need is done once and counts for the one that needs it first, the platform before
    the legs in the order of the file: of two legs that share a joint on the platform the second looks cheaper. A
    derivative belongs to the body of what is differentiated.
    """

    formulation: str
    by_body: dict[str, Count]

    @property
    def table(self) -> Table:
        """A row per body: operations of each kind."""
        rows = [{"body": body, **asdict(count)} for body, count in self.by_body.items()]
        facts = {"formulation": self.formulation, "total": asdict(self.total)}
        return Table(len(rows), blocks_of(rows), facts, "body", ("add", "mul"), layout="rows", under="by_body")

    @property
    def total(self) -> Count:
        """Of all bodies."""
        total = Count()
        for part in self.by_body.values():
            total = total + part
        return total


WHOLE = "whole"
"""What belongs to no single body: the solution for all actuators together, and sums over all coordinates."""


def operation_counts(
    robot: Robot,
    formulations: Sequence[Formulation] = FORMULATIONS,
    progress: Callable[[str], None] = lambda step: None,
) -> list[OperationCounts]:
    """Operations of the inverse dynamics by each formulation; `progress` is called with each as it begins."""
    found = []
    for formulation in formulations:
        progress(formulation.name)
        parts = count_by_label(force_graph(Model(robot, formulation)))
        order = ["platform", *(f"leg {leg.name}" for leg in robot.legs)]
        known = {name: parts[name] for name in order if name in parts}
        rest = Count()
        for name, part in parts.items():
            if name not in known:
                rest = rest + part
        found.append(OperationCounts(formulation.name, {**known, WHOLE: rest}))
    return found


def count_chart(robot: str, counts: Sequence[OperationCounts]) -> Figure:
    """Bars on a logarithmic axis: the formulations differ by orders of magnitude."""
    from gough.plots import COLORS, figure

    fig, (ax,) = figure(1, height=0.42 * len(counts) + 0.7)
    names = [c.formulation for c in counts]
    flops = [c.total.flops for c in counts]
    ax.barh(names, flops, color=COLORS[0], height=0.62)
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    for k, value in enumerate(flops):
        text = f"{value:,}".replace(",", " ")
        ax.annotate(text, (value, k), xytext=(4, 0), textcoords="offset points", va="center", bbox=behind)
    ax.set_xscale("log")
    ax.set_xlim(min(flops) / 3, max(flops) * 4)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("flops per sample (+, -, *, /, square root)")
    ax.set_title(f"Inverse dynamics of {robot} by formulation", loc="left", fontsize=10)
    return fig


COUNT_HEADER = ["flops", *(f.name for f in FORMULATIONS)]


def count_rows(progress: Callable[[str], None]) -> list[list[str]]:
    """A row per robot: its name and the flops of each formulation."""
    rows = []
    for name in catalogue():
        counts = operation_counts(load(name), progress=lambda step, name=name: progress(f"{name}: {step}"))  # type: ignore[misc]
        rows.append([name, *[str(c.total.flops) for c in counts]])
    return rows
