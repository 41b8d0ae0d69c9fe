"""A workspace as a page: travel with the limits that end it, and what the words mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from gough.cli.output import table
from gough.display import Display, distance_unit, number, searched_pose, stated_text
from gough.workspaces import Inscribed, Travel, Workspace
from gough.workspaces.conditions import meaning, redundant
from gough.workspaces.margins import Limit
from gough.workspaces.solid_angle import SolidAngle
from gough.workspaces.tilts import Tilts

_ENDED = {
    "tolerance": "",
    "boxes": ": all that are allowed",
    "time": " in the time allowed: --time gives more",
}


_UNDECIDED = {
    "time": ": the time allowed is over; --time gives more, --travel leaves all of it to travel",
    "parts": ": more than a thousand parts of a way stay undecided; a pose farther from its limits may have a proof",
    "touch": ": a limit vanishes there, or nearly; a pose beside it may have a proof",
}


def page(found: Workspace, display: Display) -> str:
    """The page."""
    at = stated_text(found.robot, found.x.tolist(), found.convention, display)
    lines = [
        f"{found.robot.name}, workspace at {at}",
        f"Axes by {found.convention.described(found.robot, display.length, display.angle)}.",
        *_tool(found, display),
        "",
        travel_table(found.travel, display),
    ]
    poles = [] if found.solid_angle is None else [_poles(found.solid_angle)]
    blocks = [*_volume(found, display), *_shapes(found, display), *_tilts(found, display), *poles]
    blocks += [*_nearest(found, display), *found.missing]
    lines += ["", *_proof(found.travel, display), *([""] if blocks else []), *blocks, ""]
    return "\n".join([*lines, *_limits(found, display)]) + "\n"


def _poles(found: SolidAngle) -> str:
    share = 100.0 * found.value / (4.0 * math.pi)
    return f"Directions of the platform's z axis: {number(found.value, 5)} sr, {share:.1f} % of all ({found.how})"


def _tool(found: Workspace, display: Display) -> list[str]:
    if not any(found.point) or found.convention.name != "robot":
        return []
    factor, unit = display.length
    point = ", ".join(number(value * factor, 6) for value in found.point)
    lines = [f"Positions are those of the tool at ({point}) {unit} of the platform."]
    own = ", ".join(row.axis for row in found.travel if row.turns and not any(row.point))
    if own and found.robot.dependent_names:
        kept = ", ".join(row.axis for row in found.travel if not row.turns)
        lines.append(
            f"{own}: travel keeps {kept} of the platform's origin, not of the tool; a robot file with its joints "
            "stated from the tool (platform z) has travel that keeps the tool's."
        )
    elif own:
        lines.append(f"{own}: travel turns about the platform's origin; its coordinates do not turn about the tool.")
    return lines


def _volume(found: Workspace, display: Display) -> list[str]:
    volume = found.volume
    if volume is None:
        return []
    scale = display.length[0] ** volume.region.dimension
    unit = display.length[1] + volume.unit[1:]
    follows = found.robot.dependent_names
    turned = f"with {', '.join(follows)} following" if follows else "at this orientation"
    words = " where K has full rank and" if redundant(found.robot) else " on home's side of det K = 0 and"
    side = words if "side" in found.conditions.kinds else ""
    how = "" if volume.ends else f", at a grid of {volume.grid.cells} cells"
    size = number(volume.measure * scale, 7 if volume.ends else 5)
    lines = [f"{volume.name.capitalize()} {turned},{side} joined to the pose{how}: {size} {unit}"]
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
            f"({number(100.0 * bracket.gap, 2)} % apart, {bracket.boxes} boxes{_ENDED[bracket.ended]})"
        )
    if any(found.point):
        factor = display.length[0]
        extent = volume.largest_extent.items()
        listed = [f"{n} {number(a * factor, 5)} to {number(b * factor, 5)} {display.length[1]}" for n, (a, b) in extent]
        lines.append(f"  of {found.point_name}: {', '.join(listed)}")
    if volume.surface is not None:
        shares = ", ".join(f"{kind} {100.0 * share:.1f} %" for kind, share in volume.surface.shares.items())
        tight = "watertight" if volume.surface.watertight else "not watertight: it reaches the faces of the grid"
        step = f"{number(volume.grid.step * display.length[0], 3)} {display.length[1]}"
        lines.append(f"  boundary by limit: {shares}; {tight}; tails thinner than a cell of {step} are cut")
    return lines


def _shapes(found: Workspace, display: Display) -> list[str]:
    return [_shape(found, shape, display) for shape in (*found.shapes, *found.anywhere)]


def _shape(found: Workspace, shape: Inscribed, display: Display, where: str = "about the pose") -> str:
    """One line: what it is, its size, where it is and what it touches."""
    factor, unit = display.length
    names = {"cube": "cube, half side", "sphere": "sphere, radius"}
    flat = {"cube": "square, half side", "sphere": "circle, radius", "box": "rectangle of this aspect, half sides"}
    name = (names if len(shape.half) == 3 else flat).get(shape.shape, "box of this aspect, half sides")
    if shape.shape == "cylinder":
        height = shape.half[2] / shape.half[0]
        of = "height = diameter" if abs(height - 1.0) < 1e-12 else f"height = {number(height, 4)} diameters"
        name = f"cylinder ({of}), radius"
    proved = "" if shape.proved is None else f", proved at {number(shape.proved * factor, 8)}"
    proved = ", no size of it proved" if shape.proved == 0.0 else proved
    size = number(shape.size * factor, 7)
    if shape.shape == "box":
        size = " x ".join(number(value * factor, 6) for value in shape.half)
    if shape.gap is not None:
        tool = 0.0 if found.volume is None else found.volume.tool
        centre = ", ".join(number(value * factor, 5) for value in shape.centre + tool)
        where = "anywhere"
        proved = f" about ({centre}) {unit}, none is more than {100.0 * shape.gap:.2g} % larger{proved}"
        return f"Largest {name}, {where}: {size} {unit}{proved} ({limits_text(shape.limits)})"
    return f"Largest {name}, {where}: {size} {unit} ({limits_text(shape.limits)}){proved}"


def _tilts(found: Workspace, display: Display) -> list[str]:
    tilt, sets = found.tilts, found.sets
    if tilt is None:
        return []
    factor, unit = display.angle
    lines = [
        f"Largest tilt in every direction: {number(tilt.least * factor, 6)} {unit} (towards azimuth "
        f"{number(tilt.least_at * factor, 5)} {unit}: {limits_text(tilt.least_limits)}); at most "
        f"{number(float(tilt.tilt.max()) * factor, 6)} {unit}",
        f"  {_tilt_is(found, tilt)}",
    ]
    if sets is not None and found.volume is not None:
        scale, area = display.length[0] ** found.volume.region.dimension, display.length[1] + found.volume.unit[1:]
        lines.append(
            f"Tilts up to {number(sets.angle * factor, 5)} {unit} ({sets.azimuths} azimuths, half of it too, grid of "
            f"{sets.cells} cells): with every one {number(sets.every * scale, 4)} {area}, with just this tilt in every "
            f"direction {number(sets.given * scale, 4)} {area}, with some (inner estimate) "
            f"{number(sets.reachable * scale, 4)} {area}"
        )
        where = f"about the pose with every tilt up to {number(sets.angle * factor, 5)} {unit}"
        lines += [f"  {_shape(found, shape, display, where)}" for shape in sets.shapes]
        if not sets.shapes and found.shapes:
            lines.append("  no shape with every one of them about the pose: it cannot be tilted so far itself")
    return lines


def _tilt_is(found: Workspace, tilt: Tilts) -> str:
    """The definition of a tilt."""
    if not tilt.head:
        return f"tilt is one turn about an axis in the base's x-y plane through {found.point_name}, torsion 0"
    coordinates = found.robot.platform.coordinates
    turns, held = ([c.name for c in coordinates if c.turns == kind] for kind in (True, False))
    text = f"tilt is one turn by {' and '.join(turns)} together, about an axis in the base's x-y plane"
    text += ", up to 90 deg from upright"
    text += f", with {', '.join(held)} held" if held else ""
    follow = [c.name for c in found.robot.platform.dependent]
    return text + (f"; {', '.join(follow)} follow{'' if len(follow) > 1 else 's'}" if follow else "")


def _nearest(found: Workspace, display: Display) -> list[str]:
    """The nearest singularity inside."""
    facts = found.nearest_singularity
    if facts is None:
        return []
    if facts["kind"] is None:
        return ["Nearest singularity inside: none found (gough singularities looks closer)"]
    metre, unit = display.length
    x = [facts["x"][c.name] for c in found.robot.platform.coordinates]
    values = searched_pose(found.robot, x, facts["length"])
    at = stated_text(found.robot, values, found.convention, display)
    factor, away = distance_unit(found.robot, display)
    formula = f"sqrt(way^2 + (length turn)^2), length {number(facts['length'] * metre, 5)} {unit}"
    distance = "the angle of rotation" if away == display.angle[1] else formula
    return [
        f"Nearest singularity inside: {facts['kind']}, {number(facts['distance'] * factor, 6)} {away} away, at {at}",
        f"  distance of poses is {distance}; gough singularities tells more",
    ]


def travel_table(travel: Sequence[Travel], display: Display) -> str:
    """Each axis with its ends and what ends it."""
    header = ["axis", "unit", "from", "to", "way down", "way up", "ends down at", "ends up at"]
    rows = []
    for row in travel:
        factor, unit = display.travel(row.turns)
        numbers = {"from": row.low, "to": row.high, "down": row.low - row.at, "up": row.high - row.at}
        cells = []
        for (name, value), limits in zip(numbers.items(), (row.low_limits, row.high_limits) * 2, strict=True):
            beyond = "" if limits or row.turns else "< " if name in ("from", "down") else "> "
            cells.append(beyond + number(value * factor, 7 if not beyond else 4))
        whole = "none in half a turn" if row.turns else "open"
        rows.append(
            [row.axis, unit, *cells, *(limits_text(by) if by else whole for by in (row.low_limits, row.high_limits))]
        )
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
            ends = [number(value * factor, 12) for value in (row.proved_low, row.proved_high)]
            why = _UNDECIDED.get(row.undecided, "")
            lines.append(f"Travel of {row.axis} is proved from {ends[0]} to {ends[1]} {unit} only{why}.")
    return lines or ["Proved: nothing ends any travel before."]


def _limits(found: Workspace, display: Display) -> list[str]:
    stated = found.conditions.values
    lines = ["Limits looked at:"]
    for kind in found.conditions.kinds:
        own = f" (stated: {stated[kind]})" if kind in stated else ""
        own = f" ({_box(found, display)})" if kind == "box" else own
        lines.append(f"  {kind}: {meaning(kind, found.robot)}{own}")
    return lines


def _box(found: Workspace, display: Display) -> str:
    turns = {c.name: c.turns for c in found.robot.platform.coordinates}
    words = []
    for name, *ends in found.conditions.box:
        factor, unit = display.travel(turns[name])
        low, high = (number(end * factor, 6) if math.isfinite(end) else None for end in ends)
        one = f"from {low} {unit} up" if low else f"up to {high} {unit}"
        words.append(f"{name} {f'{low} to {high} {unit}' if low and high else one}")
    return ", ".join(words)
