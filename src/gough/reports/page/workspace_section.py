"""Where the platform can be: travel with the limits that end it, boundary, tilts, nearest singularities."""

from __future__ import annotations

from gough.analysis.finding_words import name_of
from gough.display import number
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, paragraph, png_figure, section, table
from gough.workspaces.margins import texts
from gough.workspaces.pictures import picture
from gough.workspaces.result import Workspace

FLAT = {"cube": "square", "sphere": "circle"}
"""Names of shapes in a plane."""


def workspace_section(case: Case) -> Markup:
    """The workspace that the case holds; nothing where it holds none."""
    found = case.workspace
    if case.no_workspace:
        return section("Workspace", paragraph(f"None: {case.no_workspace}.", "verdict bad"))
    if found is None:
        return Markup("")
    display = case.display
    rows = []
    for row in found.travel:
        factor, unit = display.travel(row.turns)
        ends = [number(value * factor, 6) for value in (row.low, row.high)]
        rows.append([row.axis, unit, *ends, texts(row.low_limits) or "no limit", texts(row.high_limits) or "no limit"])
    parts = [
        paragraph("Travel of each axis with all others at home, and the limits that end it."),
        table(["axis", "unit", "from", "to", "ends down at", "ends up at"], rows),
    ]
    lines = _stated(case, found)
    if found.volume is not None:
        scale = display.length[0] ** found.volume.region.dimension
        unit = display.length[1] + found.volume.unit[1:]
        lines.append(
            f"{found.volume.name.capitalize()} at home's orientation: {number(found.volume.measure * scale, 4)} {unit} "
            f"(grid of {found.volume.grid.cells} cells)."
        )
    for shape in found.shapes:
        size = f"{number(shape.size * display.length[0], 5)} {display.length[1]}"
        what = "half side" if shape.shape == "cube" else "radius"
        name = FLAT.get(shape.shape, shape.shape) if len(shape.half) == 2 else shape.shape
        lines.append(f"Largest {name} about home, {what}: {size} ({texts(shape.limits)}).")
    if found.solid_angle is not None:
        value = number(found.solid_angle.value, 4)
        lines.append(f"Solid angle of the platform's z axis: {value} sr ({found.solid_angle.how}).")
    if found.tilts is not None:
        least = number(found.tilts.least * display.angle[0], 5)
        lines.append(
            f"Largest tilt in every direction: {least} {display.angle[1]} ({texts(found.tilts.least_limits)})."
        )
    parts += [paragraph(line) for line in lines]
    caption = f"Workspace of {found.robot.name} within {', '.join(found.conditions.kinds)}."
    parts.append(png_figure(picture(found, display, ".png"), caption))
    return section("Workspace", *parts)


def _stated(case: Case, found: Workspace) -> list[str]:
    """Which of the limits that are stated for the report count here."""
    stated = [] if case.check is None else list(case.check.limits)
    counted = [kind for kind in stated if kind in found.conditions.values]
    others = [name_of(kind) for kind in stated if kind not in counted]
    lines = []
    if counted:
        lines.append(f"Stated for this report, in place of the robot's own: {', '.join(map(name_of, counted))}.")
    if others:
        lines.append(f"Of motions, not of poses, and left out here: {', '.join(others)}.")
    return lines
