"""A workspace as one picture: boundary by limit from above and below, travel bars, tilt in every direction."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Patch
from matplotlib.projections.polar import PolarAxes
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

from gough.analysis.leg_distances import shape_of
from gough.display import Display, number
from gough.graph import Array
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism
from gough.workspaces.margins import Limit
from gough.workspaces.mesh_files import COLORS
from gough.workspaces.result import Workspace
from gough.workspaces.surface import Surface
from gough.workspaces.tilts import Tilts
from gough.workspaces.travel import Travel
from gough.workspaces.turned_region import draw_turned_region, turns_twice

RINGS = 4
"""Of the diagram of tilts, at most: their labels stand in one line."""
BESIDE, LETTERS = 2.1, 22
"""Half the width of the panel of travel, in bars, and the letters for which it has room beside them."""
LIGHT = np.array([0.4, -0.5, 0.77])
"""Direction that faces are lit from."""


def picture(found: Workspace, display: Display, ending: str) -> bytes:
    """The picture's bytes, by the ending of its file."""
    surface = None if found.volume is None else found.volume.surface
    fig = Figure(
        figsize=(14.0 if turns_twice(found.robot) else 11.0, 3.4 if surface is None else 8.6), layout="constrained"
    )
    FigureCanvasAgg(fig)
    fig.suptitle(
        f"{found.robot.name}: workspace{_of_point(found, display)} within {', '.join(found.conditions.kinds)}",
        fontsize=11,
    )
    if surface is None:
        bottom: Any = fig.subfigures(1, 1)
    else:
        parts: Any = fig.subfigures(2, 1, height_ratios=(1.6, 1.0))
        top, bottom = parts
        (_solid if surface.vertices.shape[1] == 3 else _flat)(top, found, surface, display)
    panels = 1 + (found.tilts is not None) + turns_twice(found.robot)
    _bars(bottom.add_subplot(1, panels, 1), found.travel, display)
    if turns_twice(found.robot):
        draw_turned_region(bottom.add_subplot(1, panels, 2), found, display)
    if found.tilts is not None:
        _polar(bottom.add_subplot(1, panels, panels, projection="polar"), found.tilts)
    buffer = io.BytesIO()
    fig.savefig(buffer, format=ending.removeprefix("."), dpi=130)
    return buffer.getvalue()


def _of_point(found: Workspace, display: Display) -> str:
    """of the tool (0, 0, 100) mm, where positions are not those of the platform's origin."""
    factor, unit = display.length
    at = ", ".join(number(factor * v, 6) for v in found.point)
    return f" of {found.point_name} ({at}) {unit}" if any(found.point) else ""


def _color(kind: str) -> tuple[float, float, float]:
    r, g, b = COLORS.get(kind, (120, 120, 120))
    return r / 255.0, g / 255.0, b / 255.0


def shade_of(limit: Limit, robot: Mechanism) -> Array:
    """(3,) colour: the kind's, lighter from leg to leg."""
    light = 0.5 * (limit.legs[0] / max(len(robot.legs) - 1, 1) if limit.legs else 0.0)
    own = np.array(_color(limit.kind))
    return np.asarray(own + (1.0 - own) * light)


def _legend(ax: Axes, surface: Surface, at: tuple[float, float] = (0.0, 1.0)) -> None:
    handles = [
        Patch(color=_color(kind), label=f"{kind} {100.0 * share:.1f} %") for kind, share in surface.shares.items()
    ]
    style = {"fontsize": 8, "frameon": False, "title": "boundary by limit", "title_fontsize": 8}
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=at, **style)


def _machine(robot: Mechanism, x: Array) -> Array:
    """(S, 2, 3) the straight parts of the legs [m]."""
    shape = shape_of(robot)
    points = shape.program(x=x)["points"]
    return np.array([[points[part.first], points[part.last]] for part in shape.segments])


def _solid(fig: SubFigure, found: Workspace, surface: Surface, display: Display) -> None:
    """The boundary from above and from below, with the machine."""
    assert found.volume is not None
    factor, unit = display.length
    region = found.volume.region
    lines = _machine(found.robot, found.x) * factor
    at = robot_pose(found.robot, ways_of(found.robot), found.x).platform
    whole = at if at.dependence is None else at.dependence.whole
    names = [c.name for c in found.robot.platform.all_coordinates]
    point = np.array(at.R_BP, dtype=float) @ found.point
    origin, own = np.array(at.p_BP, dtype=float) + point, [found.robot.coordinate_names[k] for k in region.places]
    axes = np.array([whole.columns[names.index(name)][0] for name in own], dtype=float)
    corners = (origin + (surface.vertices - region.start) @ axes)[surface.faces] * factor
    normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    with np.errstate(all="ignore"):
        lit = np.nan_to_num(normal @ LIGHT / np.linalg.norm(normal, axis=1))
    shades = np.array([shade_of(limit, found.robot) for limit in surface.limits])
    colors = np.clip(shades[surface.face_limits] * (0.72 + 0.28 * lit[:, None]), 0.0, 1.0)
    ends = np.concatenate([corners.reshape(-1, 3), lines.reshape(-1, 3)])
    for place, (elevation, title) in enumerate(((25.0, "from above"), (-25.0, "from below")), start=1):
        ax = fig.add_subplot(1, 2, place, projection="3d")
        ax.add_collection3d(Poly3DCollection(corners, facecolors=colors, edgecolors=colors, linewidths=0.2))
        ax.add_collection3d(Line3DCollection(lines, colors="#444444", linewidths=2.0))
        low, high = ends.min(axis=0), ends.max(axis=0)
        middle, half = 0.5 * (low + high), 0.5 * (high - low).max()
        for k, letter in enumerate("xyz"):
            getattr(ax, f"set_{letter}lim")(middle[k] - half, middle[k] + half)
            getattr(ax, f"set_{letter}label")(f"{letter} [{unit}]")
        ax.view_init(elevation, -55.0)
        ax.set_box_aspect((1, 1, 1), zoom=0.92)
        ax.set_title(title, fontsize=9, y=1.0 if place == 1 else -0.02)
        if place == 1:
            _legend(ax, surface)


def _flat(fig: SubFigure, found: Workspace, surface: Surface, display: Display) -> None:
    """The boundary in a plane."""
    assert found.volume is not None
    factor, unit = display.length
    ax = fig.subplots(1, 1)
    offset = found.volume.tool
    segments = (surface.vertices + offset)[surface.faces] * factor
    colors = [shade_of(surface.limits[k], found.robot) for k in surface.face_limits]
    ax.add_collection(LineCollection(list(segments), colors=colors, linewidths=2.5))
    start = (found.volume.region.start + offset) * factor
    ax.plot(*start, "o", color="black", markersize=4)
    ax.autoscale()
    ax.set_aspect("equal")
    names = [found.robot.coordinate_names[k] for k in found.volume.region.places]
    ax.set_xlabel(f"{names[0]} [{unit}]")
    ax.set_ylabel(f"{names[1]} [{unit}]")
    _legend(ax, surface, (1.0, 1.0))


def _bars(ax: Axes, travel: Sequence[Travel], display: Display) -> None:
    """A bar per axis from end to end, each with its own scale; what ends it is written beside it."""
    for place, row in enumerate(reversed(travel)):
        factor, unit = display.travel(row.turns)
        way = max(row.high - row.at, row.at - row.low)
        left, right = (row.low - row.at) / way, (row.high - row.at) / way
        ax.barh(place, right - left, left=left, height=0.55, color="#56B4E9" if row.turns else "#0072B2")
        ax.plot([0.0, 0.0], [place - 0.35, place + 0.35], color="black", linewidth=1.0)
        for at, value, limits, side in (
            (left, row.low, row.low_limits, "right"),
            (right, row.high, row.high_limits, "left"),
        ):
            shown = f"{number(value * factor, 5)} {unit}\n{_short(limits)}"
            ax.text(at + (0.03 if side == "left" else -0.03), place, shown, ha=side, va="center", fontsize=6.5)
    ax.set_yticks(range(len(travel)), [row.axis for row in reversed(travel)])
    ax.set_xlim(-BESIDE, BESIDE)
    ax.set_xticks([])
    for side in ("top", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.set_title("travel of each axis, all others at the pose (bars to their own scale)", fontsize=9)


def _short(limits: Sequence[Limit]) -> str:
    if not limits:
        return "no limit"
    owners = " ".join(dict.fromkeys(limit.owner for limit in limits if limit.kind == limits[0].kind))
    text = f"{limits[0].kind} {owners}".strip()
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 2]}.."


def _polar(ax: PolarAxes, tilts: Tilts) -> None:
    """Tilt by azimuth, coloured by what ends it."""
    azimuth, tilt = (
        np.append(tilts.azimuth, tilts.azimuth[0] + 2.0 * np.pi),
        np.degrees(np.append(tilts.tilt, tilts.tilt[0])),
    )
    kinds = [limits[0].kind if limits else "" for limits in tilts.limits]
    points = np.stack([azimuth, tilt], axis=1)
    for kind in dict.fromkeys(kinds):
        rows = [k for k, own in enumerate(kinds) if own == kind]
        color = _color(kind)
        ax.add_collection(
            LineCollection([points[k : k + 2] for k in rows], colors=[color], linewidths=2.0, label=kind or "no limit")
        )
    ax.plot(
        np.linspace(0.0, 2.0 * np.pi, 200), np.full(200, np.degrees(tilts.least)), "--", color="black", linewidth=0.9
    )
    ax.set_rmax(tilt.max() * 1.05)
    ax.tick_params(labelsize=7)
    ax.yaxis.set_major_locator(MaxNLocator(RINGS))
    ax.set_yticks([ring for ring in ax.get_yticks() if 0.0 < ring <= tilt.max() * 1.05])
    for label in ax.get_yticklabels():
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.8})
    ax.legend(fontsize=7, loc="lower left", bbox_to_anchor=(-0.25, -0.12), frameon=False)
    ax.set_title(f"tilt by azimuth [deg]; in every direction {np.degrees(tilts.least):.2f} deg", fontsize=9)
