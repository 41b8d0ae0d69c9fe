"""A workspace as a page: travel with the limits that end it, and what the words mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gough.cli.output import table
from gough.display import Display, number, stated_text
from gough.workspaces import Travel, Workspace
from gough.workspaces.conditions import MEANING
from gough.workspaces.margins import Limit


def page(found: Workspace, display: Display) -> str:
    """The page."""
    at = stated_text(found.robot, found.x.tolist(), found.convention, display)
    lines = [
        f"{found.robot.name}, workspace at {at}",
        f"Axes by {found.convention.described(*display.length)}.",
        "",
        travel_table(found.travel, display),
    ]
    blocks = [*_volume(found, display), *_shapes(found, display), *_tilts(found, display), *found.missing]
    lines += ["", *_proof(found.travel, display), *([""] if blocks else []), *blocks, ""]
    return "\n".join([*lines, *_limits(found)]) + "\n"


def _volume(found: Workspace, display: Display) -> list[str]:
    volume = found.volume
    if volume is None:
        return []
    scale = display.length[0] ** volume.region.dimension
    unit = display.length[1] + volume.unit[1:]
    follows = found.robot.dependent_names
    turned = f"with {', '.join(follows)} following" if follows else "at this orientation"
    side = " on home's side of det K = 0 and" if "side" in found.conditions.kinds else ""
    lines = [
        f"{volume.name.capitalize()} {turned},{side} joined to the pose, at a grid of "
        f"{volume.grid.cells} cells: {number(volume.measure * scale, 5)} {unit}"
    ]
    others = volume.grid.components - 1
    lines.append(
        "  one component at this grid"
        if not others
        else f"  {others} more component{'s' if others > 1 else ''} at this grid, of {volume.grid.others} nodes in all "
        f"against {int(volume.grid.own.sum())}"
    )
    bracket = volume.bracket
    if bracket is not None:
        ends = [number(value * scale, 6) for value in (bracket.low, bracket.high)]
        box = "of all space" if bracket.closed else "in the box looked at"
        lines.append(
            f"  proved: all poses within the limits, {box}, have between {ends[0]} and {ends[1]} {unit} "
            f"({number(100.0 * bracket.gap, 2)} % apart, {bracket.boxes} boxes)"
        )
    if volume.surface is not None:
        shares = ", ".join(f"{kind} {100.0 * share:.1f} %" for kind, share in volume.surface.shares.items())
        lines.append(f"  boundary by limit: {shares}")
    return lines


def _shapes(found: Workspace, display: Display) -> list[str]:
    factor, unit = display.length
    names = {"cube": "cube, half side", "cylinder": "cylinder (height = diameter), radius", "sphere": "sphere, radius"}
    flat = {"cube": "square, half side", "sphere": "circle, radius"}
    lines = []
    for shape in found.shapes:
        name = (names if len(shape.half) == 3 else flat)[shape.shape]
        proved = "" if shape.proved is None else f", proved at {number(shape.proved * factor, 8)}"
        lines.append(
            f"Largest {name}, about the pose: {number(shape.size * factor, 7)} {unit} "
            f"({limits_text(shape.limits)}){proved}"
        )
    return lines


def _tilts(found: Workspace, display: Display) -> list[str]:
    tilt, sets = found.tilts, found.sets
    if tilt is None:
        return []
    factor, unit = display.angle
    lines = [
        f"Largest tilt in every direction: {number(tilt.least * factor, 6)} {unit} (towards azimuth "
        f"{number(tilt.least_at * factor, 5)} {unit}: {limits_text(tilt.least_limits)}); at most "
        f"{number(float(tilt.tilt.max()) * factor, 6)} {unit}",
        "  tilt is one turn about an axis in the base's x-y plane through the pivot, torsion 0",
    ]
    if sets is not None and found.volume is not None:
        scale, area = display.length[0] ** found.volume.region.dimension, display.length[1] + found.volume.unit[1:]
        lines.append(
            f"Tilts up to {number(sets.angle * factor, 5)} {unit} ({sets.azimuths} azimuths, half of it too, grid of "
            f"{sets.cells} cells): with every one {number(sets.every * scale, 4)} {area}, with some (inner estimate) "
            f"{number(sets.reachable * scale, 4)} {area}"
        )
    return lines


def travel_table(travel: Sequence[Travel], display: Display) -> str:
    """Each axis with its ends and what ends it."""
    header = ["axis", "unit", "from", "to", "way down", "way up", "ends down at", "ends up at"]
    rows = []
    for row in travel:
        factor, unit = display.travel(row.turns)
        ends = [number(value * factor, 7) for value in (row.low, row.high)]
        ways = [number((value - row.at) * factor, 7) for value in (row.low, row.high)]
        rows.append([row.axis, unit, *ends, *ways, limits_text(row.low_limits), limits_text(row.high_limits)])
    return table(header, rows)


def limits_text(limits: Sequence[Limit]) -> str:
    """Limits of one kind and end together: "stroke 1 2 3, high"; "no limit" where there is none."""
    if not limits:
        return "no limit"
    parts = []
    for (kind, end), group in groupby(limits, key=lambda limit: (limit.kind, limit.end)):
        owners = " ".join(dict.fromkeys(limit.owner for limit in group))
        parts.append(f"{kind} {owners}".strip() + (f", {end}" if end else ""))
    return "; ".join(parts)


def _proof(travel: Sequence[Travel], display: Display) -> list[str]:
    if travel[0].proved is None:
        return ["Travel is marched in 64 steps and refined to round-off; --prove proves that nothing ends it before."]
    lines = []
    for row in travel:
        if not row.proved and row.proved_low is not None and row.proved_high is not None:
            factor, unit = display.travel(row.turns)
            ends = [number(value * factor, 7) for value in (row.proved_low, row.proved_high)]
            lines.append(f"Travel of {row.axis} is proved from {ends[0]} to {ends[1]} {unit} only.")
    return lines or ["Proved: nothing ends any travel before."]


def _limits(found: Workspace) -> list[str]:
    stated = found.conditions.values
    lines = ["Limits looked at:"]
    for kind in found.conditions.kinds:
        own = f" (stated: {stated[kind]})" if kind in stated else ""
        lines.append(f"  {kind}: {MEANING[kind]}{own}")
    return lines
