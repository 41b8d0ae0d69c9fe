"""Draw the structures of the README's table: structures/NAME.png, small."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from gough.kinematics import load
from gough.robot import Robot, build
from gough.view.drawing.camera import window_of
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import best_view, scene

FOLDER = Path(__file__).with_name("structures")
EXAMPLES = Path(__file__).parents[2] / "examples"
SIZE = 150


def upu() -> Robot:
    """Three UPU legs, which leave the platform its translations."""
    platform = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [0, 0, 0.5], "mass": 1.0}
    legs = {"type": "UPU", "base": {"radius": 0.35}, "platform": {"radius": 0.17}, "actuator": {"stroke": [0.35, 0.7]}}
    return build({"name": "upu", "gravity": [0, 0, -9.81], "platform": platform, "legs": legs})


ROBOTS = {
    **{name: name for name in ("stewart", "hexapod", "rotary", "sru", "delta", "spatial3", "planar3rrr", "planar4rrr")},
    **{name: name for name in ("rps3", "tricept", "cable8", "ankle", "fivebar")},
    **{name: EXAMPLES / f"{name}.toml" for name in ("par4", "agile_eye", "balanced3rrr")},
    "upu": None,
}


def small(robot: Robot, path: Path) -> None:
    """Write a small picture of a robot at home."""
    shown = scene(robot)
    camera = best_view(shown)
    window = window_of(shown.reach(camera.view[:2])).grown(0.03).shaped(1.0)
    pixels = picture(look(shown.solids, camera, window, (SIZE * FINER, SIZE * FINER)), shown.solids)
    image = Image.fromarray(pixels)
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image)
    paper.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for robot_name, where in ROBOTS.items():
        small(upu() if where is None else load(where), FOLDER / f"{robot_name}.png")
