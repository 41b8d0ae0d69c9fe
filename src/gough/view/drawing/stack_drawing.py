"""A drawing of a stack: both robots in one picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from gough.display import SMALL, Display, display_units
from gough.dynamics.stacks.stack_dynamics import stack_kinematics
from gough.dynamics.stacks.stack_file import Stack
from gough.graph import Array
from gough.view import theme
from gough.view.drawing.draw import DPI, sheet
from gough.view.drawing.scene import Scene, best_view, scene
from gough.view.drawing.solids import Ball, Block, Rod, Shape
from gough.view.theme import small_png


def stack_scene(stack: Stack, lower: ArrayLike | None = None, upper: ArrayLike | None = None) -> Scene:
    """The scene of both robots at their platform coordinates (n,), home unless given, in the base of the lower.

    Raises:
        PoseError: A leg does not reach.
    """
    below, above = scene(stack.lower, lower), scene(stack.upper, upper)
    placed = stack_kinematics(stack, below.x, above.x)
    p, R = placed.p, placed.R
    moved = [replace(solid, shape=shifted(solid.shape, p, R)) for solid in above.solids]
    names = below.names | {f"{stack.upper.name}.{name}": p + R @ at for name, at in above.names.items()}
    return replace(
        below,
        solids=(*below.solids, *moved),
        names=names,
        p_BP=p + R @ above.p_BP,
        R_BP=R @ above.R_BP,
        sizes=replace(below.sizes, extent=below.sizes.extent + above.sizes.extent),
        flat=False,
    )


def shifted(shape: Shape, p: Array, R: Array) -> Shape:
    """A shape of a frame that stands at p (3,), R (3, 3)."""
    if isinstance(shape, Ball):
        return Ball(p + R @ shape.centre, shape.radius)
    if isinstance(shape, Rod):
        return Rod(p + R @ shape.start, p + R @ shape.end, shape.radius)
    normals = shape.faces[:, :3] @ R.T
    return Block(shape.corners @ R.T + p, np.column_stack([normals, shape.faces[:, 3] - normals @ p]))


def draw_stack(
    stack: Stack, lower: ArrayLike | None = None, upper: ArrayLike | None = None, display: Display | None = None
) -> Figure:
    """A drawing of both robots; frame P is that of the upper platform."""
    shown = stack_scene(stack, lower, upper)
    figure = sheet(shown, best_view(shown), display or display_units("", shown.sizes.extent < SMALL))
    figure.text(0.02, 0.955, stack.name, fontsize=16, weight="bold", color=theme.INK)
    about = f"{stack.upper.name} on the platform of {stack.lower.name}"
    figure.text(0.02, 0.916, about, fontsize=10.5, color=theme.SOFT)
    return figure


def stack_png(
    stack: Stack, lower: ArrayLike | None = None, upper: ArrayLike | None = None, display: Display | None = None
) -> bytes:
    """The drawing as the content of a PNG file of 256 colours."""
    return small_png(draw_stack(stack, lower, upper, display), DPI)
