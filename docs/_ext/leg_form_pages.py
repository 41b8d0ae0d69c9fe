"""All leg forms with a drawing each: `generated/leg_forms.md`, from the short forms that files may name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pages import cell, write_page
from sphinx.application import Sphinx

from gough.cli.new import starter
from gough.kinematics import load
from gough.robot import SHORT_FORMS, Robot, loads
from gough.view.drawing.draw import png

TRANSLATIONS = '[platform]\ncoordinates = { x = "x", y = "y", z = "z" }\nmass = 1\n'
SIX = '[platform]\ncoordinates = { x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }\nmass = 1\n'
HEAD = SIX.replace("mass", 'dependent = ["x", "y", "yaw"]\nmass')
PLANE = '[platform]\ncoordinates = { x = "x", y = "y", phi = "rz" }\nmass = 1\n'
SIX_RINGS = "base = { radius = 0.5, half_angle = 0.3 }\nplatform = { radius = 0.3, half_angle = 0.2 }\n"
THREE_RINGS = "base = { radius = 0.35 }\nplatform = { radius = 0.17 }\n"

ROBOTS = {
    "SPS": SIX + "home = [0, 0, 0.6, 0, 0, 0]\n[legs]\n" + SIX_RINGS,
    "PSS": SIX
    + "home = [0, 0, 0.6, 0, 0, 0]\n[legs]\n"
    + SIX_RINGS
    + "guide = { tilt = 0.2 }\nrod = { length = 0.7 }\n",
    "RSS": SIX
    + "home = [0, 0, 0.5, 0, 0, 0]\n[legs]\n"
    + SIX_RINGS
    + "motor = { yaw = 1.3 }\ncrank = { length = 0.12 }\nrod = { length = 0.55 }\n",
    "RRS": HEAD
    + "home = [0, 0, 0.5, 0, 0, 0]\n[legs]\nbase = { radius = 0.3 }\nplatform = { radius = 0.2 }\n"
    + "motor = { yaw = 0 }\ncrank = { length = 0.25 }\nrod = { length = 0.4 }\n",
    "PRR": PLANE
    + "[legs]\nbase = { radius = 0.5 }\nplatform = { radius = 0.15 }\nguide = { direction = [1, 0, 0] }\n"
    + "hinge = [0, 0, 1]\nrod = { length = 0.5 }\n",
    "PUU": TRANSLATIONS
    + "home = [0, 0, 0.5]\n[legs]\n"
    + THREE_RINGS
    + "guide = { direction = [0, 0, 1] }\nrod = { length = 0.4 }\n",
    "RUU": TRANSLATIONS
    + "home = [0, 0, 0.5]\n[legs]\n"
    + THREE_RINGS
    + "motor = { yaw = 0 }\ncrank = { length = 0.2 }\nrod = { length = 0.45 }\n",
    "UCU": SIX + "home = [0, 0, 0.6, 0, 0, 0]\n[legs]\n" + SIX_RINGS + "lead = 0.005\n",
}
"""Small machines for forms that no starter and no catalogue robot shows."""

STARTERS = {"UPS": "UPS", "PUS": "PUS", "RUS": "RUS", "RPa": "delta", "SRU": "SRU", "RPS": "RPS", "UPU": "UPU"}
STARTERS |= {"PRS": "PRS", "RRR": "RRR", "cable": "cable", "UP": "tricept"}
CATALOGUE = {"PRU": "spatial3", "PPa": "spatial3"}
ABOUT = {
    "UPS": "strut that changes its length, universal joint at the base",
    "SPS": "the same with spherical joints at both ends; it may spin freely",
    "PUS": "rod of fixed length on a slider",
    "PSS": "the same with spherical joints at both ends",
    "RUS": "rod of fixed length on a crank",
    "RSS": "the same with spherical joints at both ends",
    "PRU": "hinged rod on a slider, universal joint at the platform",
    "RRU": "hinged rod on a crank, universal joint at the platform",
    "PRR": "slider, rod and hinges with parallel axes: planar robots",
    "RRR": "crank, rod and hinges with parallel axes: planar robots",
    "PPa": "parallelogram on a slider",
    "RPa": "parallelogram on a crank: delta robots",
    "SRU": "leg with a driven knee",
    "RPS": "hinged strut: spindle heads",
    "PRS": "hinged rod on a slider: spindle heads",
    "RRS": "hinged rod on a crank: heads, five-bars",
    "UPU": "strut between two universal joints: three translations",
    "PUU": "rod between two universal joints on a slider: three translations",
    "RUU": "rod between two universal joints on a crank: three translations",
    "UCU": "spindle whose nut turns with the joints: a screw's correction",
    "UP": "passive strut, fixed to the platform, that takes turning away",
    "cable": "cable from a point or a pulley",
}


def machine(form: str) -> tuple[Robot | None, str]:
    """A robot with legs of a form, and the command or file that has one."""
    if form in STARTERS:
        return loads(starter(STARTERS[form])), f"`gough new --legs {STARTERS[form]}`"
    if form in CATALOGUE:
        return load(CATALOGUE[form]), f"`gough show {CATALOGUE[form]}`"
    if form in ROBOTS:
        text = f'name = "{form}"\ngravity = [0, 0, -9.81]\n' + ROBOTS[form].replace(
            "[legs]\n", f'[legs]\ntype = "{form}"\n'
        )
        return loads(text), ""
    return None, ""


def write_pages(app: Sphinx) -> None:
    """The page, and a drawing per form."""
    folder = Path(app.srcdir) / "generated" / "leg_forms"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Leg forms",
        "",
        "The letters name the joints, starting at the base: P prismatic, R revolute, U universal, S spherical,",
    ]
    lines += ["Pa a parallelogram. All keys are on [the page of robot files](../robot_files.md). Any other"]
    lines += ["leg is written joint by joint (`gough new --legs joints`).", ""]
    for name, form in SHORT_FORMS.items():
        needed, optional = (", ".join(f"`{key}`" for key in keys) or "none" for keys in (form.needed, form.optional))
        robot, where = machine(name)
        path = folder / f"{name}.png"
        if robot is not None and not path.exists():
            path.write_bytes(png(robot))
        drive = "slides" if form.drive == "P" else "turns"
        driven = "no joint is driven" if name == "UP" else f"the actuator {drive}"
        lines += [f"## {name}", "", f"{ABOUT.get(name, '').capitalize()}; {driven}.", ""]
        lines += [f"Needed keys: {needed}. May have: {optional}.{f' To start from: {where}.' if where else ''}", ""]
        if path.exists():
            lines += [f"![Drawing of a robot with {cell(name)} legs](leg_forms/{name}.png)", ""]
    write_page(app, "leg_forms", lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
