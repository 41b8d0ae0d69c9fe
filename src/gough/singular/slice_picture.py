"""A slice of poses drawn: least singular value in grey, limits in blue, det K = 0 in red, out of reach hatched."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from gough.display import Display
from gough.errors import InputError
from gough.graph import Array, Vector, array, record
from gough.kinematics.robot_pose import robot_pose
from gough.plots import figure
from gough.robot import Mechanism
from gough.robot.names import did_you_mean
from gough.run import Program
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import least_of, margin_equations
from gough.workspaces.travel import machine_size

POINTS = 241
_BLUE, _RED = "#0072B2", "#D5001C"
_OUT: dict[str, Any] = {"facecolor": "#f4f4f4", "edgecolor": "#bbbbbb", "hatch": "///", "linewidth": 0.0}
"""What no pose is: unlike any grey of the scale, whose top is white."""


Ranges = Mapping[str, tuple[float, float]]
"""Least and largest value of coordinates by name [m or rad]."""


def slice_picture(
    robot: Mechanism,
    conditions: Conditions,
    x: Array,
    plane: str,
    ending: str,
    display: Display,
    ranges: Ranges | None = None,
) -> bytes:
    """The bytes of `slice_figure` in a file with this ending."""
    buffer = io.BytesIO()
    drawn = slice_figure(robot, conditions, x, plane, display, ranges)
    drawn.savefig(buffer, format=ending.removeprefix("."), dpi=150)
    return buffer.getvalue()


def slice_figure(
    robot: Mechanism, conditions: Conditions, x: Array, plane: str, display: Display, ranges: Ranges | None = None
) -> Figure:
    """A figure in which two coordinates vary around x (n,), or in these ranges, the others stay.

    Raises:
        InputError: Coordinates that are not two of the robot's; ranges of others, or without width.
    """
    first, second = _plane(robot, plane)
    asked = _asked(robot, (first, second), ranges or {})
    axes = []
    for k in (first, second):
        reach = np.pi / 2 if robot.platform.coordinates[k].turns else 0.8 * machine_size(robot)
        low, high = asked.get(robot.platform.coordinates[k].name, (x[k] - reach, x[k] + reach))
        axes.append(np.linspace(low, high, POINTS))
    poses = np.tile(x, (POINTS * POINTS, 1))
    a, b = np.meshgrid(*axes)
    poses[:, first], poses[:, second] = a.ravel(), b.ravel()
    least, sigma, sign = _values(robot, conditions, poses)
    shape = a.shape
    fig, (ax,) = figure(height=4.9, width=6.0)
    units = [display.travel(robot.platform.coordinates[k].turns) for k in (first, second)]
    a, b = a * units[0][0], b * units[1][0]
    if not np.isfinite(sigma).any():
        raise InputError(
            f"slice of {robot.name}: no pose in it is within reach of the legs; give another range or pose"
        )
    shown = ax.contourf(a, b, sigma.reshape(shape), levels=24, cmap="Greys_r")
    turning = [c.turns for c in robot.platform.coordinates]
    scaled = ", turns / characteristic length" if any(turning) and not all(turning) else ""
    fig.colorbar(shown, ax=ax, label=f"least singular value of K{scaled}")
    inside = np.where(np.isfinite(sigma), np.where(least > 0.0, 1.0, 0.0), np.nan).reshape(shape)
    ax.contourf(a, b, inside, levels=[0.5, 1.5], colors=[_BLUE], alpha=0.45)
    listed: list[Artist] = [Patch(facecolor=_BLUE, alpha=0.45, label="within the limits")]
    signs = sign.reshape(shape)
    if np.nanmin(signs) < 0.0 < np.nanmax(signs):
        ax.contour(a, b, signs, levels=[0.0], colors=[_RED], linewidths=1.8)
        listed.append(Line2D([], [], color=_RED, linewidth=1.8, label="det K = 0"))
    elif len(robot.actuators) == robot.dof:
        listed.append(Line2D([], [], linestyle="none", label="det K = 0 is not in this picture"))
    at = {"marker": "o", "color": "white", "markeredgecolor": "black", "linestyle": "none"}
    if all(axis[0] <= x[k] <= axis[-1] for k, axis in zip((first, second), axes, strict=True)):
        listed += ax.plot(x[first] * units[0][0], x[second] * units[1][0], label="the pose", **at)
    seen = np.isfinite(sigma).reshape(shape)
    ax.set_xlim(a[seen].min(), a[seen].max())
    ax.set_ylim(b[seen].min(), b[seen].max())
    if not seen.all():
        ax.grid(False)
        ax.patch.set(**_OUT)
        listed.append(Patch(**_OUT, label="out of reach"))
    if not any(robot.platform.coordinates[k].turns for k in (first, second)):
        ax.set_aspect("equal")
    for k, set_label, (_, unit) in ((first, ax.set_xlabel, units[0]), (second, ax.set_ylabel, units[1])):
        set_label(f"{robot.platform.coordinates[k].name} [{unit}]")
    ax.set_title(robot.name, fontsize=9)
    fig.legend(handles=listed, loc="outside lower center", ncols=len(listed), frameon=False, fontsize=8)
    return fig


def _plane(robot: Mechanism, plane: str) -> tuple[int, int]:
    names = list(robot.coordinate_names)
    if len(names) < 2:
        raise InputError(f"--slice: takes two coordinates, {robot.name} has {names[0]} alone; see --to")
    chosen = [name.strip() for name in plane.split(",")] if plane else []
    if not chosen:
        slides = [c.name for c in robot.platform.coordinates if not c.turns] or names
        chosen = [slides[0], slides[-1] if len(slides) > 1 else names[-1]]
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise InputError(f"--plane {plane}: no coordinate {unknown[0]} ({did_you_mean(unknown[0], names)})")
    if len(set(chosen)) != 2:
        raise InputError(f"--plane {plane}: must be two coordinates, e.g. {names[0]},{names[-1]}")
    return names.index(chosen[0]), names.index(chosen[1])


def _asked(robot: Mechanism, plane: tuple[int, int], ranges: Ranges) -> Ranges:
    """The ranges, once they are those of the slice's coordinates and have a width."""
    names = [robot.coordinate_names[k] for k in plane]
    for name, (low, high) in ranges.items():
        if name not in names:
            raise InputError(f"range of {name}: the slice is in {names[0]} and {names[1]}; see plane")
        if not low < high:
            raise InputError(f"range of {name}: {low:g}:{high:g}: must be LOW:HIGH")
    return ranges


def _values(robot: Mechanism, conditions: Conditions, poses: Array) -> tuple[Array, Array, Array]:
    """Least margin without det's side, least singular value, and det K (N,); NaN where a leg does not reach."""
    kinds = tuple(kind for kind in conditions.kinds if kind != "side") or ("reach",)
    equations = margin_equations(robot, replace(conditions, kinds=kinds))

    def program(x: Vector) -> dict[str, Vector]:
        pose = robot_pose(robot, equations.ways, x).free()
        named = equations(pose)
        reached = [margin for limit, margin in named if limit.kind == "reach"]
        return {
            "least": least_of([margin for _, margin in named] or [1.0]),
            "reach": least_of(array(reached) if reached else [1.0]),
            "K": equations.jacobian(pose),
        }

    raw = Program(record(program, x=robot.dof))(x=poses)
    K = np.nan_to_num(raw["K"])
    sigma = np.linalg.svd(K, compute_uv=False)[:, -1]
    sign = np.linalg.det(K) if K.shape[1] == K.shape[2] else np.ones(len(K))
    out = ~(np.asarray(raw["reach"]) > 0.0)
    return np.asarray(raw["least"]), np.where(out, np.nan, sigma), np.where(out, np.nan, sign)
