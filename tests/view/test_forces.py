"""The figure of forces along a motion."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough import Motion
from gough.display import display_units
from gough.view.forces import draw_forces, plot_forces


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("stewart", ["force [N]", "power [W]", "displacement [m]"]),
        ("delta", ["torque [N m]", "power [W]", "displacement [deg]"]),
        ("rotary", ["torque [mN m]", "power [mW]", "displacement [deg]"]),
    ],
)
def test_axes_have_names_and_units(name, labels):
    result = gough.inverse_dynamics(gough.load(name), gough.Motion.named(gough.load(name)).sample())
    figure = draw_forces(result)
    assert [ax.get_ylabel() for ax in figure.axes] == labels
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(result.actuators)
    scale = 1e3 if name == "rotary" else 1.0
    for k, line in enumerate(figure.axes[0].get_lines()[: len(result.actuators)]):
        np.testing.assert_allclose(line.get_ydata(), scale * result.force[:, k])


def test_everything_is_within_the_figure_and_the_legend_beside_the_curves():
    figure = draw_forces(gough.inverse_dynamics(gough.load("sru"), gough.Motion.named(gough.load("sru")).sample()))
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    for ax in figure.axes:
        assert not legend.overlaps(ax.get_window_extent())
        box = ax.get_tightbbox()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
    assert legend.x1 <= figure.bbox.x1


def test_ends_of_strokes_are_drawn_where_the_displacements_come_near():
    robot = gough.load("stewart")

    def ends(robot, display=None):
        panel = draw_forces(gough.inverse_dynamics(robot, gough.Motion.named(robot).sample(21)), display).axes[-1]
        lines = panel.get_lines()[len(robot.actuators) :]
        assert [text.get_text() for text in panel.texts] == ["end of stroke"] * len(lines)
        return [line.get_ydata()[0] for line in lines]

    assert ends(robot) == [1.8, 3.3]
    assert ends(robot, display_units("mm,deg")) == [1800.0, 3300.0]
    assert ends(robot.replace({"legs.actuator.stroke": [0.5, 3.3]})) == [3.3]


def test_samples_without_forces_are_shaded_and_named():
    robot = gough.load("delta")
    result = gough.inverse_dynamics(robot, Motion.to(robot, "x=1", 1).sample())
    figure = draw_forces(result)
    assert [text.get_text() for text in figure.axes[0].texts] == ["out of reach"]
    assert len(figure.axes[0].patches) == 1


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_forces_give_the_same_file(suffix):
    result = gough.inverse_dynamics(gough.load("delta"), gough.Motion.named(gough.load("delta")).sample(3))
    assert plot_forces(result, suffix) == plot_forces(result, suffix)


def test_a_split_has_a_panel_for_each_part_that_is_not_zero():
    result = gough.inverse_dynamics(gough.load("rotary"), gough.Motion.named(gough.load("rotary")).sample())
    split = result.parts() | result.by_body()
    figure = draw_forces(result, split=split)
    shown = [name for name, values in split.items() if values.any()]
    assert {"inertia", "gravity", "platform"} <= set(shown) < set(split)
    labels = [f"{name} [mN m]" for name in ("torque", *shown)] + ["power [mW]", "displacement [deg]"]
    assert [ax.get_ylabel() for ax in figure.axes] == labels
    for name, ax in zip(shown, figure.axes[1:], strict=False):
        for k, line in enumerate(ax.get_lines()[: len(result.actuators)]):
            np.testing.assert_allclose(line.get_ydata(), 1e3 * split[name][:, k])
