"""All leg forms with a drawing each: `generated/leg_forms.md`, from the short forms that files may name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pages import cell, write_page
from sphinx.application import Sphinx

from gough.cli.new import HOLDS, starter
from gough.robot import SHORT_FORMS, Robot, ShortForm, loads
from gough.view.drawing.draw import png


def machine(form: ShortForm) -> tuple[Robot, str]:
    """A robot with legs of a form, and the command that writes it."""
    shown = HOLDS.get(form.name, form.name)
    return loads(starter(shown)), f"`gough new --legs {shown}`"


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
        robot, where = machine(form)
        path = folder / f"{name}.png"
        if not path.exists():
            path.write_bytes(png(robot))
        drive = "slides" if form.drive == "P" else "turns"
        driven = "no joint is driven" if form.passive else f"the actuator {drive}"
        lines += [f"## {name}", "", f"{form.about.capitalize()}; {driven}.", ""]
        lines += [f"Needed keys: {needed}. May have: {optional}. To start from: {where}.", ""]
        lines += [f"![Drawing of a robot with {cell(name)} legs](leg_forms/{name}.png)", ""]
    write_page(app, "leg_forms", lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
