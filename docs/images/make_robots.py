"""Draw the catalogue: robots/NAME.png for each robot, and robots/all.png with all of them, the README's picture."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from gough.cli.loading import machine_type
from gough.kinematics import load
from gough.robot import catalogue
from gough.view.drawing.camera import window_of
from gough.view.drawing.draw import png
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import best_view, scene
from gough.view.theme import INK, PAPER, SOFT

FOLDER = Path(__file__).with_name("robots")
ROWS = (
    ("stewart", "hexapod", "rotary", "sru", "delta"),
    ("rps3", "tricept", "cable8", "ankle"),
    ("spatial3", "planar3rrr", "planar4rrr", "fivebar"),
)
SIZE, LABEL, DPI = 240, 48, 100


def sheet(path: Path) -> None:
    """Write one picture of all robots, row by row."""
    width, height = max(map(len, ROWS)) * SIZE, len(ROWS) * (SIZE + LABEL)
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=PAPER)
    for row, column, name in ((i, k, name) for i, names in enumerate(ROWS) for k, name in enumerate(names)):
        left = column * SIZE + (width - len(ROWS[row]) * SIZE) / 2
        bottom = height - (row + 1) * (SIZE + LABEL)
        robot = load(name)
        shown = scene(robot)
        camera = best_view(shown)
        window = window_of(shown.reach(camera.view[:2])).grown(0.04).shaped(1.0)
        pixels = picture(look(shown.solids, camera, window, (SIZE * FINER, SIZE * FINER)), shown.solids)
        ax = figure.add_axes((left / width, (bottom + LABEL) / height, SIZE / width, SIZE / height))
        ax.imshow(pixels, interpolation="none")
        ax.set_axis_off()
        middle = (left + SIZE / 2) / width
        figure.text(
            middle, (bottom + 32) / height, name, ha="center", va="center", fontsize=12, weight="bold", color=INK
        )
        figure.text(
            middle, (bottom + 13) / height, machine_type(robot), ha="center", va="center", fontsize=9.5, color=SOFT
        )
    figure.savefig(path, dpi=DPI)
    Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    assert sorted(name for names in ROWS for name in names) == catalogue()
    FOLDER.mkdir(exist_ok=True)
    for robot_name in catalogue():
        (FOLDER / f"{robot_name}.png").write_bytes(png(load(robot_name)))
    sheet(FOLDER / "all.png")
