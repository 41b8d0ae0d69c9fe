"""Slices of the workspace: within limits, connected with their pose, refused in one line; and pictures over them."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.display import display_units, plain_number
from gough.plots import figure
from gough.reports.accuracy_plots import accuracy_maps
from gough.singular.slice_picture import slice_figure
from gough.workspaces.conditions import conditions_of
from gough.workspaces.slice_picture import draw_map
from gough.workspaces.slices import slice_of, within


@pytest.mark.parametrize(("name", "axes"), [("stewart", "x,psi"), ("planar3rrr", None), ("delta", "x,z")])
def test_poses_of_a_slice_keep_to_strokes_and_lie_beside_each_other(name, axes):
    robot = gough.load(name)
    over = slice_of(robot, None, axes, 24)
    held = [k for k in range(robot.dof) if k not in over.places]
    assert (over.poses[:, held] == np.array(robot.platform.home)[held]).all()
    q = gough.inverse_kinematics(robot, over.poses).q
    for k, joint in enumerate(robot.actuators):
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        assert ((q[:, k] >= low) & (q[:, k] <= high)).all()
    # The boundary is found, not cut off by the grid; and the grid is not much wider than what is inside.
    edges = (over.inside[0], over.inside[-1], over.inside[:, 0], over.inside[:, -1])
    assert not np.concatenate(edges).any()
    assert over.inside.any(axis=0).mean() > 0.4
    beside = np.pad(over.inside, 1)
    neighbours = beside[:-2, 1:-1] | beside[2:, 1:-1] | beside[1:-1, :-2] | beside[1:-1, 2:]
    assert neighbours[over.inside].all()
    assert np.isnan(over.filled(np.zeros(len(over.poses)))[~over.inside]).all()


def test_what_is_outside_is_outside():
    robot = gough.load("stewart")
    x = np.array([robot.platform.home] * 3)
    x[1, 2], x[2, 0] = 4.0, 3.0
    assert within(robot, x, 10.0).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("axes", "line"),
    [
        ("x,w", "--map w: no such coordinate (known: x, y, z, psi, theta, phi)"),
        ("x", "--map x: must be two coordinates, e.g. x,y"),
        ("x,x", "--map x,x: must be two coordinates, e.g. x,y"),
    ],
)
def test_axes_that_are_none(axes, line):
    with pytest.raises(gough.InputError) as error:
        slice_of(gough.load("stewart"), None, axes)
    assert str(error.value) == line


def test_a_pose_outside_has_no_slice():
    with pytest.raises(gough.InputError, match="is not within all limits of stewart"):
        slice_of(gough.load("stewart"), [0, 0, 9.0, 0, 0, 0])


def test_maps_show_errors_stiffness_and_what_to_pay_for():
    robot = gough.load("stewart").with_errors(
        {"tolerances": {"base": 1e-4, "zero": 2e-5}, "stiffness": {"actuator": 1e7}}
    )
    over = slice_of(robot, None, "x,y", 10)
    fig = accuracy_maps(over, [10, 0, 0, 0, 0, 0])
    titles = [ax.get_title(loc="left") for ax in fig.axes if ax.get_title(loc="left")]
    assert titles == [
        "displacement error [um], rms",
        "rotation error [urad], rms",
        "stiffness in the softest direction [N/um]",
        "displacement under the wrench [um]",
    ]
    shown = next(ax for ax in fig.axes if ax.get_title(loc="left").startswith("displacement error"))
    values = np.ma.filled(shown.collections[0].get_array().astype(float), np.nan).ravel()
    at = gough.pose_errors(robot).rms[0, 0] * 1e6
    home = np.argmin(np.abs(over.poses - np.array(robot.platform.home)).sum(axis=1))
    assert values[np.isfinite(values)][home] == pytest.approx(at)
    with pytest.raises(gough.InputError, match="--map: nothing to draw"):
        accuracy_maps(slice_of(robot.with_errors({}), None, "x,y", 2))


def test_numbers_of_a_scale_have_no_exponents():
    shown = [plain_number(v, 3) for v in (2000.0, 12345.0, 0.25, -2000.0, 2e9)]
    assert shown == ["2000", "12300", "0.25", "-2000", "2e+09"]
    robot = gough.load("stewart")
    over = slice_of(robot, None, "x,y", 10)
    fig, (ax,) = figure()
    draw_map(fig, ax, over, np.linspace(2e6, 9e6, len(over.poses)), "stiffness [N/m]")
    assert ax.get_title(loc="left") == "stiffness [1e6 N/m]"
    assert [label.get_text() for label in ax.child_axes[0].get_yticklabels()] == ["3", "4.5", "6", "7.5"]


def test_a_slice_of_singularities_tells_what_is_out_of_reach():
    robot = gough.load("planar3rrr")
    fig = slice_figure(robot, conditions_of(robot), np.array(robot.platform.home), "", display_units("mm"))
    listed = [text.get_text() for text in fig.legends[0].get_texts()]
    assert listed == ["within the limits", "det K = 0", "the pose", "out of reach"]
    assert fig.axes[0].patch.get_hatch()
    assert fig.axes[0].get_xlabel() == "x [mm]"
    tilting = gough.load("rps3")
    whole = slice_figure(
        tilting, conditions_of(tilting), np.array(tilting.platform.home), "pitch,roll", display_units()
    )
    assert [text.get_text() for text in whole.legends[0].get_texts()] == ["within the limits", "det K = 0", "the pose"]
    assert not whole.axes[0].patch.get_hatch()


def test_a_slice_of_singular_poses_takes_ranges_and_says_what_it_does_not_show(tmp_path):
    robot, file = gough.load("planar3rrr"), tmp_path / "slice.png"
    around = gough.singularity_slice(robot, "x,phi", file, ranges={"phi": (-3.1, 3.1)}, units="mm,deg")
    low, high = around.axes[0].get_ylim()
    assert (low, high) == pytest.approx(np.rad2deg((-3.1, 3.1)))
    assert file.stat().st_size > 10_000
    texts = [text.get_text() for text in around.legends[0].get_texts()]
    assert "det K = 0" in texts
    near = {"x": (-0.01, 0.01), "phi": (-0.01, 0.01)}
    texts = [text.get_text() for text in gough.singularity_slice(robot, "x,phi", ranges=near).legends[0].get_texts()]
    assert "det K = 0 is not in this picture" in texts
    with pytest.raises(gough.InputError, match="range of y: the slice is in x and phi"):
        gough.singularity_slice(robot, "x,phi", ranges={"y": (0.0, 1.0)})
    with pytest.raises(gough.InputError, match="range of x: 1:0: must be LOW:HIGH"):
        gough.singularity_slice(robot, "x,phi", ranges={"x": (1.0, 0.0)})


def test_singularities_are_drawn_by_kind_with_all_coordinates():
    robot = gough.load("planar3rrr")
    found = gough.singularities(robot)
    drawn = found.plot()
    ticks = [tick.get_text() for tick in drawn.axes[-1].get_xticklabels()]
    assert ticks == [one.kind for one in found.found]
    labels = [ax.get_ylabel() for ax in drawn.axes]
    assert labels == ["distance [m]", "at [m]", "turned [rad]"]
