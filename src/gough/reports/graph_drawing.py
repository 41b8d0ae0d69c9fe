"""The graph of a mechanism as a drawing: the base below, the platform above, a column for each leg."""

from __future__ import annotations

from typing import Literal

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from gough.plots import COLORS
from gough.robot.system_graph import BASE, PLATFORM, GraphJoint, SystemGraph

DRIVEN, LINE, PAPER = COLORS[1], "#333333", "#ffffff"
HINT = "thick: driven joint; dashed: follows another joint; small: link without mass"
COLUMN, ROW, BESIDE = 1.9, 0.95, 0.55
"""Distances of legs, of bodies in a leg and of a side body from its leg [inch]."""


def graph_figure(graph: SystemGraph, title: str) -> Figure:
    """The drawing; driven joints are thick and coloured, joints that follow another dashed."""
    legs = list(dict.fromkeys(joint.leg for joint in graph.joints))
    places = {leg: _leg_places(graph, leg, k * COLUMN) for k, leg in enumerate(legs)}
    rows = max(y for own in places.values() for _, y in own.values()) / ROW
    top, right = (rows + 1) * ROW, (len(legs) - 1) * COLUMN
    fig = Figure(figsize=(right + 2.2, top + 1.6))
    FigureCanvasAgg(fig)
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_xlim(-1.1, right + 1.1)
    ax.set_ylim(-0.75, top + 0.85)
    for k, leg in enumerate(legs):
        x = k * COLUMN
        ends = places[leg] | {BASE: (x, 0.0), PLATFORM: (x, top)}
        for joint in graph.joints:
            if joint.leg == leg:
                _edge(ax, joint, ends[joint.carrier], ends[joint.carried])
        ax.text(x, -0.32, f"leg {leg}", ha="center", va="center", fontsize=9, parse_math=False)
        for body in graph.bodies:
            if body.leg == leg:
                _node(ax, *places[leg][body.name], body.body)
    loops = f"{graph.loops} independent loop{'' if graph.loops == 1 else 's'}"
    counts = f"{len(graph.joints)} joints, {len(graph.bodies)} bodies"
    for y, body in ((0.0, graph.bodies[0]), (top, graph.bodies[1])):
        bar = FancyBboxPatch((-0.5, y - 0.14), right + 1.0, 0.28, boxstyle="round,pad=0.03", facecolor="#e8eef4")
        bar.set(edgecolor=LINE, zorder=3)
        ax.add_patch(bar)
        ax.text(right / 2, y, body.body, ha="center", va="center", fontsize=9, zorder=4, parse_math=False)
    ax.text(-0.5, top + 0.5, f"{title}: {counts}, {loops}", fontsize=10, va="center", parse_math=False)
    ax.text(-0.5, -0.6, HINT, fontsize=8, va="center", color=LINE)
    return fig


def _leg_places(graph: SystemGraph, leg: str, x: float) -> dict[str, tuple[float, float]]:
    """Where the bodies of a leg are drawn: upwards along its way to the platform, side bodies beside it."""
    joints = [joint for joint in graph.joints if joint.leg == leg]
    carrier_of = {joint.carried: joint.carrier for joint in joints}
    way = [PLATFORM]
    while way[-1] in carrier_of:
        way.append(carrier_of[way[-1]])
    level = {BASE: 0}
    places: dict[str, tuple[float, float]] = {}
    for joint in joints:
        if joint.carried == PLATFORM:
            continue
        level[joint.carried] = level[joint.carrier] + 1
        shift = 0.0 if joint.carried in way else BESIDE
        taken = [p for p in places.values() if p == (x + shift, level[joint.carried] * ROW)]
        places[joint.carried] = (x + shift * (1 + len(taken)), level[joint.carried] * ROW)
    return places


def _edge(ax: Axes, joint: GraphJoint, start: tuple[float, float], end: tuple[float, float]) -> None:
    colour, width = (DRIVEN, 2.8) if joint.actuated else (LINE, 1.2)
    dashes = "--" if joint.mimic else "-"
    ax.plot(*zip(start, end, strict=True), linestyle=dashes, zorder=1, color=colour, linewidth=width)
    middle = ((start[0] + end[0]) / 2 - 0.08, (start[1] + end[1]) / 2)
    side: Literal["left", "right"] = "right"
    if start[0] != end[0]:
        middle, side = (middle[0] + 0.2, middle[1] - 0.04), "left"
    name = "S" if joint.kind == "S" else joint.name.removeprefix(f"{joint.leg}.")
    ax.text(*middle, name, ha=side, va="center", fontsize=8, color=colour, parse_math=False)


def _node(ax: Axes, x: float, y: float, name: str) -> None:
    ax.plot([x], [y], "o", markersize=10 if name else 6, markerfacecolor=PAPER, markeredgecolor=LINE, zorder=3)
    ax.text(x + 0.13, y, name, ha="left", va="center", fontsize=8, zorder=4, parse_math=False)
