"""Cables of a drawing in the colours of their tensions at rest, and what the colours mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from gough.display import Display, plain_number
from gough.dynamics.inverse import inverse_dynamics
from gough.graph import Array
from gough.robot import Mechanism
from gough.view import theme
from gough.view.drawing.scene import Scene

_BAR = (0.545, 0.036, 0.11, 0.011)
"""Left, bottom, width and height of the scale, in shares of the figure."""
_FAINTEST = 0.3
"""Share of the full colour at the least tension: seen on white paper."""


def tensions_at_rest(robot: Mechanism, x: Array) -> dict[str, float]:
    """Tension of each cable by the name of its leg, the platform at rest at x (n,) [N]; NaN where none hold it."""
    tension = inverse_dynamics(robot, x[None]).tension[0]
    names = [robot.legs[robot.actuator_legs[k]].name for k in robot.cables]
    return dict(zip(names, tension.tolist(), strict=True))


def tension_colours(robot: Mechanism, tensions: Mapping[str, float]) -> dict[str, tuple[int, int, int]]:
    """Red, green, blue (0 to 255) by leg, on a scale from the least to the largest tension allowed."""
    if not tensions:
        return {}
    scale = _scale(robot)
    return {name: theme.whole(_colour(tension, scale)) for name, tension in tensions.items() if np.isfinite(tension)}


def with_tensions(shown: Scene, tensions: dict[str, float]) -> Scene:
    """The scene with its cables in the colours of their tensions, without outlines: they are too thin for both."""
    scale = _scale(shown.robot)
    solids = [
        replace(solid, colour=_colour(tensions[solid.owner], scale), outlined=False)
        if solid.owner in tensions and solid.colour == theme.CABLE
        else solid
        for solid in shown.solids
    ]
    return replace(shown, solids=tuple(solids))


def draw_scale(figure: Figure, robot: Mechanism, tensions: dict[str, float], display: Display) -> None:
    """Add the scale of the colours, from the least to the largest tension allowed, or that no tensions do."""
    if not np.isfinite(list(tensions.values())).all():
        text = "no tensions within the\nlimits hold the platform"
        figure.text(_BAR[0], 0.014, text, fontsize=9, color=theme.LOST, linespacing=1.1)
        return
    low, high = _scale(robot)
    factor, unit = display.effort(False)
    ax = figure.add_axes(_BAR)
    shades = [[theme.rgb(_colour(tension, (low, high))) for tension in np.linspace(low, high, 64)]]
    ax.imshow(shades, aspect="auto", extent=(0.0, 1.0, 0.0, 1.0))
    ax.set_yticks([])
    ax.set_xticks([0.0, 1.0], [plain_number(low * factor, 3), f"{plain_number(high * factor, 3)} {unit}"])
    ax.tick_params(labelsize=8.5, length=2, pad=1, color=theme.SOFT, labelcolor=theme.INK)
    ax.set_title("tension of cables at rest", fontsize=9, color=theme.INK, pad=3)


def _scale(robot: Mechanism) -> tuple[float, float]:
    """Least and largest tension that any cable may have [N]."""
    limits = [leg.cable.tension for leg in robot.legs if leg.cable is not None]
    return min(float(low) for low, _ in limits), max(float(high) for _, high in limits)


def _colour(tension: float, scale: tuple[float, float]) -> str:
    share = np.clip((tension - scale[0]) / (scale[1] - scale[0]), 0.0, 1.0)
    red, green, blue = theme.force_colour(-(_FAINTEST + (1.0 - _FAINTEST) * share), 1.0)
    return f"#{red:02x}{green:02x}{blue:02x}"
