"""A corrected robot is written as its own file is: units, comments and short form stay."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gough
from tests.calibration.simulated import measured, model_of, stated
from tests.support.robots import value_at

TEXT = """
name = "mine"  # drawing 7
[units]
length = "mm"
angle = "deg"

[platform]
coordinates = { x = "x", y = "y", z = "z", c = "rz", b = "ry", a = "rx" }
home = [0, 0, 500, 0, 0, 0]
mass = 8

[legs]
type = "UPS"
base = { radius = 400, half_angle = 12 }  # ring
platform = { radius = 250, half_angle = 15 }
actuator = { stroke = [300, 900], force = 500 }

[tolerances]
base = 0.5
encoder = 0.001
"""


def test_units_comments_and_tables_stay(tmp_path: Path) -> None:
    own, new = tmp_path / "mine.toml", tmp_path / "corrected.toml"
    own.write_text(TEXT)
    robot = gough.load(own)
    model = model_of(robot)
    data, _ = measured(model, 20, np.random.default_rng(2), error=1e-4)
    found = gough.calibrate(robot, data, noise=stated(model), folds=0)
    assert {p.role for p in found.parameters} == {"base", "platform", "zero"}
    found.write(new)
    text = new.read_text()
    kept = TEXT.replace("base = 0.5", "# base = 0.5").strip()
    assert kept in text
    assert text.count("[[leg]]") == 6
    again = gough.load(new)
    assert again.units == robot.units
    assert "base" not in again.errors.by_form
    for leg, other in zip(again.legs, found.corrected.legs, strict=True):
        np.testing.assert_allclose(leg.position, other.position, rtol=1e-14)
        np.testing.assert_allclose(leg.end.platform_point, other.end.platform_point, rtol=1e-14, atol=1e-17)
    x = found.solution.x
    q, same = (gough.inverse_kinematics(machine, x).q for machine in (again, found.corrected))
    np.testing.assert_allclose(q, same, rtol=1e-13)


def test_a_number_set_before_the_calibration_is_written_too(tmp_path: Path) -> None:
    own, new = tmp_path / "mine.toml", tmp_path / "corrected.toml"
    own.write_text(TEXT)
    robot = gough.load(own).replace({"platform.mass": 9.0})
    model = model_of(robot)
    data, _ = measured(model, 20, np.random.default_rng(2), error=1e-4)
    found = gough.calibrate(robot, data, noise=stated(model), folds=0)
    found.write(new)
    assert "mass = 9.0" in new.read_text()
    assert "# drawing 7" in new.read_text()
    assert gough.load(new).platform.body.mass == found.corrected.platform.body.mass == 9.0


def test_the_base_point_of_a_slider_is_that_of_its_file() -> None:
    """Leg frame 0 of a PUS leg is at the middle of its stroke; the file states where its guide begins."""
    from gough.calibration.corrected import corrected
    from gough.calibration.geometric_parameters import chosen, moved

    robot = gough.load("hexapod")
    points = chosen(robot, ["base"])
    by = [1e-3 * (k + 1) for k in range(len(points))]
    assert [p.nominal for p in points] == [value_at(robot, p.path) for p in points]
    found = corrected(robot, points, by)
    assert found.spec["legs"] == robot.spec["legs"]
    expected = moved(robot, points, by)
    for leg, other, was in zip(found.legs, expected.legs, robot.legs, strict=True):
        np.testing.assert_allclose(leg.position, other.position, rtol=0, atol=1e-15)
        assert leg.position != was.position
    assert gough.loads(found.to_toml()).mechanism == found.mechanism
