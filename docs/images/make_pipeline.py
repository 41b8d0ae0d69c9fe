"""Draw pipeline.png, the README's picture: from a robot's description to what is done with its equations."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

INK, SOFT, LINE = "#1f2933", "#5f6b7a", "#9aa5b1"
PAPER, STAGE = "#ffffff", "#eef2f7"
BLUE, PALE = "#1d4e89", "#d6e4f5"
CREAM, AMBER = "#fdf3e3", "#d9962f"

WIDTH, HEIGHT, MIDDLE = 12.0, 4.0, 2.0

STAGES = [("robot.toml", "a short file"), ("Robot", "frozen, checked"), ("equations", "plain Python")]
DEEDS = [
    ("count", "operations, by kind and by part"),
    ("derive", "exact derivatives, of any order"),
    ("run", "floats · NumPy blocks · LLVM SIMD"),
    ("enclose", "proved bounds over boxes of inputs"),
]
SNIPPET = "s = p + R @ b - a\nl = norm(s)\nn = s / l"


def box(ax: Axes, x: float, y: float, width: float, height: float, face: str, edge: str) -> None:
    """Add a rounded box with its left edge at x, centred on y."""
    style = "round,pad=0,rounding_size=0.12"
    ax.add_patch(FancyBboxPatch((x, y - height / 2), width, height, boxstyle=style, fc=face, ec=edge, lw=1.3))


def titled(ax: Axes, x: float, title: str, note: str, colour: str, note_colour: str) -> None:
    """Write a title over a note, centred on x in the middle row."""
    ax.text(x, MIDDLE + 0.17, title, ha="center", va="center", fontsize=13, color=colour, weight="bold")
    ax.text(x, MIDDLE - 0.20, note, ha="center", va="center", fontsize=9.5, color=note_colour)


def arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Add an arrow between two points."""
    style = "-|>,head_length=5,head_width=2.6"
    ax.add_patch(FancyArrowPatch(start, end, arrowstyle=style, color=LINE, lw=1.5, shrinkA=0, shrinkB=0))


def hexapod(ax: Axes, x: float, y: float, size: float) -> None:
    """Sketch a 6-UPS platform seen from slightly above, its base centred on (x, y)."""

    def ring(radius: float, half_angle: float, turn: float, height: float, tilt: float) -> np.ndarray:
        corners = [k * 120.0 + turn + side * half_angle for k in range(3) for side in (-1, 1)]
        a = np.deg2rad(corners)
        depth = radius * np.sin(a)
        return np.column_stack([x + size * radius * np.cos(a), y + size * (0.38 * depth + height + tilt * np.cos(a))])

    base = ring(1.0, 12.0, 90.0, 0.0, 0.0)
    top = ring(0.62, 48.0, 90.0, 1.05, 0.08)
    ax.fill(*base.T, fc=STAGE, ec=SOFT, lw=1.3, zorder=1)
    for foot, head in zip(base, top, strict=True):
        knee = foot + 0.55 * (head - foot)
        ax.plot(*np.array([foot, knee]).T, color=BLUE, lw=3.0, solid_capstyle="round", zorder=2)
        ax.plot(*np.array([knee, head]).T, color=AMBER, lw=1.6, solid_capstyle="round", zorder=2)
    ax.fill(*top.T, fc=PALE, ec=BLUE, lw=1.3, alpha=0.95, zorder=3)
    ax.scatter(*np.vstack([base, top]).T, s=11, color=INK, zorder=4)


def draw(path: Path) -> None:
    """Write the picture to `path`."""
    figure, ax = plt.subplots(figsize=(WIDTH, HEIGHT), facecolor=PAPER)
    figure.subplots_adjust(0, 0, 1, 1)
    ax.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    ax.set_axis_off()

    width, gap, x = 1.4, 0.4, 0.25
    for title, note in STAGES:
        box(ax, x, MIDDLE, width, 1.0, STAGE, LINE)
        titled(ax, x + width / 2, title, note, INK, SOFT)
        arrow(ax, (x + width + 0.04, MIDDLE), (x + width + gap - 0.04, MIDDLE))
        x += width + gap
    box(ax, x, MIDDLE, width, 1.3, BLUE, BLUE)
    titled(ax, x + width / 2, "Graph", "recorded once", PAPER, PALE)

    hexapod(ax, 0.25 + 1.5 * width + gap, 2.95, 0.56)
    ax.text(
        0.25 + 2.5 * width + 2 * gap,
        1.3,
        SNIPPET,
        ha="center",
        va="top",
        fontsize=9.5,
        color=SOFT,
        family="monospace",
        ma="left",
    )

    trunk, left = x + width + 0.4, x + width + 0.8
    rows = np.linspace(HEIGHT - 0.55, 0.55, len(DEEDS))
    ax.plot([x + width + 0.04, trunk], [MIDDLE, MIDDLE], color=LINE, lw=1.5)
    ax.plot([trunk, trunk], [rows[0], rows[-1]], color=LINE, lw=1.5, solid_capstyle="round")
    for (title, note), y in zip(DEEDS, rows, strict=True):
        box(ax, left, y, WIDTH - left - 0.25, 0.7, CREAM, AMBER)
        ax.text(left + 0.2, y, title, ha="left", va="center", fontsize=13, color=INK, weight="bold")
        ax.text(left + 1.1, y, note, ha="left", va="center", fontsize=9.5, color=SOFT)
        arrow(ax, (trunk, y), (left - 0.04, y))
    figure.savefig(path, dpi=150, facecolor=PAPER)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path(__file__).with_name("pipeline.png"))
