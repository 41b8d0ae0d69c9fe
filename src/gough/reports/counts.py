"""How many operations a robot's forces take, by formulation, as numbers and as bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gough.dynamics.contract import FORMULATIONS, Formulation
from gough.dynamics.force_programs import Model, force_graph
from gough.graph import Count, count_by_label
from gough.robot import Robot, catalogue, load
from gough.table import Block, Result
from gough.table.result import record_blocks

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class OperationCounts(Result):
    """Operations of tau(x, xd, xdd) by one formulation, and by body: "platform", "leg ...", "whole" for the rest.

    An operation that several bodies need is done once and counts for the one that needs it first, the platform before
    the legs in the order of the file: of two legs that share a joint on the platform the second looks cheaper. A
    derivative belongs to the body of what is differentiated.
    """

    formulation: str
    by_body: dict[str, Count]

    INDEX, DRAWN, LAYOUT, UNDER = "body", ("add", "mul"), "rows", "by_body"

    def _blocks(self) -> list[Block]:
        return record_blocks([{"body": body, **asdict(count)} for body, count in self.by_body.items()])

    def facts(self) -> dict[str, Any]:
        """Formulation, and operations of all bodies."""
        return {"formulation": self.formulation, "total": asdict(self.total)}

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


def count_chart(robot: str, counts: Sequence[OperationCounts], by_body: bool = False) -> Figure:
    """Dots on a logarithmic axis, for formulations differ by orders of magnitude; by body the share of each in bars."""
    from gough.plots import COLORS, figure

    fig, (ax,) = figure(1, height=0.42 * len(counts) + (1.2 if by_body else 0.7))
    names = [c.formulation for c in counts]
    flops = [c.total.flops for c in counts]
    if by_body:
        left = [0.0] * len(counts)
        for k, body in enumerate(dict.fromkeys(name for c in counts for name in c.by_body)):
            shares = [100.0 * c.by_body[body].flops / c.total.flops if body in c.by_body else 0.0 for c in counts]
            ax.barh(names, shares, left=left, color=COLORS[k % len(COLORS)], height=0.62, label=body)
            left = [start + share for start, share in zip(left, shares, strict=True)]
        ax.set_xlim(0.0, 118.0)
        ax.set_xlabel("% of the flops per sample, by body; total at the right")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncol=4, frameon=False)
    else:
        left = [float(value) for value in flops]
        ax.plot(flops, names, "o", color=COLORS[0], markersize=7)
        ax.set_xscale("log")
        ax.set_xlim(min(flops) / 1.5, max(flops) * 4)
        ax.set_xlabel("flops per sample (+, -, *, /, square root)")
    for k, (end, value) in enumerate(zip(left, flops, strict=True)):
        text = f"{value:,}".replace(",", " ")
        ax.annotate(text, (end, k), xytext=(6, 0), textcoords="offset points", va="center")
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
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
