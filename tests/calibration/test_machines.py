"""Other machines: overconstrained ones, dependent motion, more motors than motions, cables."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.calibration.uncertainty import pose_errors, workspace_poses
from gough.graph import Array
from tests.calibration.simulated import measured, model_of, stated
from tests.support.lanes import size

COUNTS = {
    "hexapod": (54, 0),
    "delta": (18, 6),
    "rotary": (66, 0),
    "sru": (48, 0),
    "planar3rrr": (21, 12),
    "rps3": (27, 0),
    "tricept": (25, 2),
    "planar4rrr": (28, 16),
    "cable8": (56, 0),
}
"""Parameters found, and those that would lock the machine."""


LONG = ("tricept", "rotary", "sru", "hexapod")
"""Machines whose equations take seconds to compile."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in COUNTS]
)
def test_a_machine_is_found_from_its_poses(name: str, tmp_path: Path) -> None:
    robot = gough.load(name)
    model = model_of(robot)
    data, true = measured(model, 60, np.random.default_rng(5))
    found = gough.calibrate(robot, data, noise=stated(model), folds=0)
    assert (len(found.parameters), len(found.selection.locking)) == COUNTS[name]
    assert found.determined.whole
    assert found.noise.p > 1e-3
    assert found.outliers == []
    x = workspace_poses(robot, 60, 7)
    out = model.pose_program(x=x, g=true)
    x, q = x[out["sound"]], out["q"][out["sound"]]
    after, before = (pose_errors(model, x, g, q) for g in (found.solution.g, 0 * true))
    expected = found.uncertainty.rms()[0]
    rms = np.sqrt((after[:, :3] ** 2).sum(axis=1).mean())
    # One draw of tens of parameters: within twice what is expected, a hundredth of what it was.
    assert rms < 2.0 * expected
    assert rms < 0.05 * np.sqrt((before[:, :3] ** 2).sum(axis=1).mean())
    found.write(tmp_path / "corrected.toml")
    x = x[:5]
    readings = [gough.inverse_kinematics(r, x).q for r in (gough.load(tmp_path / "corrected.toml"), found.corrected)]
    np.testing.assert_allclose(*readings, atol=1e-12)


def test_locking_parameters_are_named() -> None:
    delta = model_of(gough.load("delta"))
    from gough.calibration.geometric_parameters import candidates
    from gough.calibration.selection import selected

    left = selected(delta.robot, tuple(candidates(delta.robot)))
    assert {p.path for p in left.locking} == {f"leg.{k}.turn.{axis}" for k in "ABC" for axis in "xy"}
    # Base and platform of a machine that only slides: one point does what the other does.
    assert {p.role for p in left.twins} >= {"platform", "turn"}


def test_a_locking_axis_does_put_home_out_of_reach() -> None:
    from gough.calibration.corrected import corrected
    from gough.calibration.geometric_parameters import candidates

    robot = gough.load("delta")
    turn = next(p for p in candidates(robot) if p.path == "leg.A.turn.x")
    assert gough.kinematic_faults(corrected(robot, [turn], [2e-3]))


FRAMES = (
    "base may turn about x, y and z",
    "base may shift along x, y and z",
    "platform may turn about x, y and z",
    "platform may shift along x, y and z",
)
FLAT = (
    "all lengths may grow together",
    "base may turn about z",
    "base may shift along x and y",
    "platform may turn about z",
    "platform may shift along x and y",
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rank", "count", "words"), [("planar4rrr", 21, 28, FLAT), ("cable8", 44, 56, FRAMES)])
def test_redundant_machines_calibrate_themselves(name: str, rank: int, count: int, words: tuple[str, ...]) -> None:
    """From encoders alone; what no motion of a whole frame changes is compared with the truth."""
    robot = gough.load(name)
    model = model_of(robot, "encoders")
    squares, errors = [], []
    for seed in range(2, 2 + size(20, 3)):
        data, true = measured(model, 120, np.random.default_rng(seed))
        found = gough.calibrate(robot, data, noise=stated(model), folds=0)
        assert (found.determined.rank, found.determined.count) == (rank, count)
        assert set(found.determined.words) == set(words)
        assert found.noise.p > 1e-4
        assert len(found.outliers) <= 6  # poses beyond a singularity, which readings alone do not tell from others
        before, after = found.residuals["encoder"]
        assert after < 0.05 * before
        for role in ("base", "platform"):
            off, sigma, was = _shape(found, true, role)
            errors.append((off, was))
            squares.append((off / sigma) ** 2)
    after, before = (np.concatenate([pair[k] for pair in errors]) for k in range(2))
    assert np.sqrt((after**2).mean()) < 0.3 * np.sqrt((before**2).mean())
    assert 0.4 < np.mean(np.concatenate(squares)) < 1.8


def _shape(found: gough.Calibration, true: Array, role: str) -> tuple[Array, Array, Array]:
    """Errors of the shape of a body's joint points after and before, over one of its sides, and their deviation."""
    points = {(p.leg, p.axis): k for k, p in enumerate(found.parameters) if p.role == role}
    legs = sorted({leg for leg, _ in points})
    flat = len(points) < 3 * len(legs)

    def sides(g: Array) -> tuple[Array, Array]:
        ratios, rows = [], []
        for a, b in combinations(legs, 2):
            row, square = np.zeros(len(found.model.names)), 0.0
            for axis in range(2 if flat else 3):
                i, j = points[a, axis], points[b, axis]
                away = sum((1 - 2 * (k == j)) * (found.parameters[k].nominal + g[k]) for k in (i, j))
                square += away**2
                row[i], row[j] = away, -away
            ratios.append(np.sqrt(square))
            rows.append(row / np.sqrt(square))
        lengths, J = np.array(ratios), np.array(rows)
        if flat:  # all lengths may grow together: ratios to the first
            J = J / lengths[0] - np.outer(lengths / lengths[0] ** 2, J[0])
            return lengths[1:] / lengths[0], J[1:]
        return lengths, J

    (after, J), (goal, _), (before, _) = sides(found.solution.g), sides(true), sides(0 * true)
    sigma = np.sqrt(np.einsum("ij,jk,ik->i", J, found.covariance, J))
    return after - goal, sigma, before - goal


def test_dependent_values_add_to_what_is_known() -> None:
    robot = gough.load("rps3")
    known = [gough.plan_poses(robot, 40, what).expected.rms()[0] for what in ("z,pitch,roll", "pose")]
    assert known[1] < 0.5 * known[0]


def test_two_rings_by_their_radii() -> None:
    robot = gough.load("stewart")
    paths = ("legs.base.radius", "legs.platform.radius", "legs.base.half_angle")
    model = model_of(robot, "position", paths)
    data, true = measured(model, 12, np.random.default_rng(1))
    found = gough.calibrate(robot, data, noise=stated(model), parameters=paths, folds=0)
    assert [p.path for p in found.parameters] == list(paths)
    assert (np.abs(found.changes - true) < 5 * found.deviation).all()


def test_tolerances_hold_what_is_measured_badly() -> None:
    robot = gough.load("stewart")
    model = model_of(robot)
    data, _ = measured(model, 12, np.random.default_rng(1), error=1e-4)
    wide = gough.calibrate(robot, data, noise=stated(model), folds=0)
    tight = gough.calibrate(robot, data, noise=stated(model), tolerances={"base": 1e-4, "zero": 1e-4}, folds=0)
    assert tight.deviation.max() < 2e-4 < wide.deviation.max()
    # The same as half widths of the robot's own file, and of another one: a normal distribution's third, and none.
    halves = {"base": "0.3 mm", "zero": "0.3 mm", "distribution": "normal"}
    own = robot.replace({f"tolerances.{key}": value for key, value in halves.items()})
    for machine in (own, robot.with_errors({"tolerances": halves})):
        again = gough.calibrate(machine, data, noise=stated(model), folds=0)
        np.testing.assert_allclose(again.deviation, tight.deviation, rtol=1e-9)
    none = gough.calibrate(own.with_errors({}), data, noise=stated(model), folds=0)
    np.testing.assert_allclose(none.deviation, wide.deviation, rtol=1e-9)
    assert tight.uncertainty.rms()[0] < wide.uncertainty.rms()[0]
