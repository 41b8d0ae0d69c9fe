"""Pictures of workspaces: labels beside bars and on rings keep clear of each other and of the axes."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gough.display import Display
from gough.workspaces.margins import Limit
from gough.workspaces.pictures import _bars, _polar
from gough.workspaces.tilts import Tilts
from gough.workspaces.travel import Travel


@pytest.mark.parametrize(("width", "panels"), [(11.0, 2), (14.0, 3)])
def test_limits_beside_bars_stay_off_the_names_of_axes(width, panels):
    fig = Figure(figsize=(width, 3.4), layout="constrained")
    FigureCanvasAgg(fig)
    ax = fig.add_subplot(1, panels, 1)
    limits = tuple(Limit("angle", f"{k}.end") for k in (1, 3, 5))
    _bars(ax, [Travel("roll", True, 0.0, -0.2, 0.2, limits, limits)], Display())
    fig.draw_without_rendering()
    panel = ax.get_window_extent()
    assert len(ax.texts) == 2
    for text in ax.texts:
        assert panel.x0 < text.get_window_extent().x0 < text.get_window_extent().x1 < panel.x1


@pytest.mark.parametrize("largest", [4.0, 15.1, 17.4, 61.0])
def test_labels_of_rings_stay_apart(largest):
    fig = Figure(figsize=(11.0, 3.4), layout="constrained")
    FigureCanvasAgg(fig)
    ax = fig.add_subplot(1, 2, 2, projection="polar")
    azimuth = np.linspace(0.0, 2.0 * np.pi, 36, endpoint=False)
    tilt = np.radians(largest * (0.9 + 0.1 * np.cos(3.0 * azimuth)))
    by = (Limit("stroke", "1"),)
    _polar(ax, Tilts(azimuth, tilt, (by,) * 36, float(tilt.min()), 0.0, by))
    fig.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) >= 2
    for one, other in pairwise(boxes):
        assert not one.overlaps(other)
