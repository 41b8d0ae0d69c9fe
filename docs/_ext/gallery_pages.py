"""The gallery: every robot of the catalogue drawn and moving, with its data sheet and notes on its numbers."""

from __future__ import annotations

import contextlib
import io
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
from pages import cell, write_page
from PIL import Image
from sphinx.application import Sphinx

import gough
from gough import cli
from gough.cli.loading import machine_type
from gough.robot import Robot, catalogue
from gough.view.drawing.camera import window_of
from gough.view.drawing.raster import look, picture
from gough.view.drawing.scene import best_view, scene

SIZE, FRAMES, PERIOD_MS = 360, 24, 80


def animation(robot: Robot, path: Path) -> None:
    """Write the robot on its default motion as an animated picture."""
    motion = gough.Motion.named(robot)
    poses = motion.sample(np.linspace(0, motion.duration, FRAMES, endpoint=False)).x
    home = scene(robot)
    camera = best_view(home)
    shown = [scene(robot, x) for x in poses]
    window = window_of(np.concatenate([one.reach(camera.view[:2]) for one in shown])).grown(0.05).shaped(1.0)
    frames = []
    for one in shown:
        image = Image.fromarray(picture(look(one.solids, camera, window, (SIZE * 2, SIZE * 2)), one.solids))
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        frames.append(paper.convert("RGB").resize((SIZE, SIZE)).quantize(48, dither=Image.Dither.NONE))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=PERIOD_MS, loop=0, optimize=True)


def printed(*words: str) -> str:
    """What a command prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert cli.main(list(words)) == 0
    return said.getvalue().rstrip()


def write_pages(app: Sphinx) -> None:
    """A page per robot and the index."""
    folder = Path(app.srcdir) / "generated" / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    cards = []
    for name in catalogue():
        robot = gough.load(name)
        if not (folder / f"{name}.gif").exists():
            animation(robot, folder / f"{name}.gif")
        sheet = printed("show", name)
        about = sheet.splitlines()[0].partition(": ")[2]
        lines = [f"# {name}", "", f"{cell(about)}.", ""]
        lines += [
            f"![{name} on its motion]({name}.gif)",
            "",
            f"![Drawing of {name}](../../images/robots/{name}.png)",
            "",
        ]
        lines += [
            "```text",
            f"gough show {name} --png {name}.png",
            f"gough view {name}",
            "```",
            "",
            "## Data sheet",
            "",
        ]
        lines += ["```text", f"$ gough show {name}", sheet, "```", ""]
        notes = (files("gough.robot") / "catalog" / f"{name}.md").read_text("utf-8")
        lines += ["## Notes", "", re.sub(r"^#", "##", notes.split("\n", 1)[1].strip(), flags=re.MULTILINE), ""]
        write_page(app, f"gallery/{name}", lines)
        cards += [f":::{{grid-item-card}} {name}", f":link: {name}", ":link-type: doc", ""]
        cards += [f"![{name}]({name}.gif)", "", f"{cell(machine_type(robot))}: {cell(about)}", ":::", ""]
    tree = ["```{toctree}", ":hidden:", *catalogue(), "```"]
    grid = ["::::{grid} 1 2 3 3", ":gutter: 2", "", *cards, "::::"]
    head = ["# Gallery", "", "The machines that come with gough, each on its first motion.", ""]
    write_page(app, "gallery/index", [*head, *grid, "", *tree])


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
