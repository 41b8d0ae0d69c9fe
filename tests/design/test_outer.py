"""The search over poses: never below very many poses with exact inner maxima, the same for all seeds."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gough import load
from gough.design import UnboundedError, envelope_of, size
from gough.design.worst import Worst
from gough.errors import NumericalError
from tests.design.envelopes import TEXTS, envelope
from tests.design.million import corners, found_forces, largest_over
from tests.support.robots import with_values

ALL = ("delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart")


@cache
def sized(name):
    robot = load(name)
    return robot, envelope(robot), size(robot, envelope(robot), seeds=(1, 2), power=9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_never_below_a_million_poses(name):
    robot, e, result = sized(name)
    best = largest_over(robot, e, 1_000_000, 12)
    found = found_forces(result)
    assert (found >= best - 1e-12 * np.abs(best).max()).all()
    assert (found <= best + 0.05 * np.abs(best).max()).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_seeds_agree(name):
    _, _, result = sized(name)
    assert result.by_seed.shape == (2, 4 * len(result.actuators))
    assert result.spread < 1e-9
    for requirement in result.requirements:
        sizes = [value if requirement.kind != "force-" else -value for value, _ in requirement.optima]
        assert requirement.optima[0][0] == requirement.value
        assert sizes == sorted(sizes, reverse=True)
    assert sum(len(r.optima) for r in result.requirements) > 4 * len(result.actuators)


def test_speed_and_power_against_many():
    robot, e, result = sized("planar3rrr")
    worst = Worst(robot, e)
    rng = np.random.default_rng(3)
    low, high = np.array(e.pose).T
    x = np.concatenate([low + (high - low) * rng.uniform(size=(20_000, 3)), np.repeat(corners(e), 50, axis=0)])
    v = np.where(rng.uniform(size=x.shape) < 0.5, np.sign(rng.normal(size=x.shape)), rng.uniform(-1, 1, x.shape))
    powers = worst.powers(x, v).max(axis=0)
    assert (result.of("power") >= powers).all()
    assert (result.of("speed") >= worst.speeds(x).max(axis=0) * (1 - 1e-12)).all()
    assert (result.of("power") <= result.of("speed") * result.force).all()


def test_a_singular_envelope_is_unbounded():
    robot = load("stewart")
    e = envelope_of(robot, "[pose]\npsi = [0, 2.2]\n[acceleration]\nz = 1\n")
    with pytest.raises(UnboundedError, match=r"^unbounded: the envelope touches a singularity at x = 0") as error:
        size(robot, e, seeds=(1,), power=6)
    assert error.value.exit_code == 3


def test_the_edge_of_reach_is_unbounded():
    robot = load("delta")
    e = envelope_of(robot, TEXTS["delta"].replace("z = [-0.95, -0.75]", "z = [-1.6, -0.75]"))
    with pytest.raises(UnboundedError, match=r"\(the edge of reach; [\d.]+ % of the poses are out of reach\)"):
        size(robot, e, seeds=(1,), power=8)


def test_unreachable_share():
    assert sized("planar3rrr")[2].unreachable == 0.0


@pytest.mark.parametrize(
    ("pose", "line"),
    [
        (
            "z = [-3, -2.5]",
            r"no pose of the envelope can be reached by delta: nearest is x = 0, y = 0, z = -2\.5, where leg [ABC] "
            r"falls short by 1\.\d+ m \(home is x = 0, y = 0, z = -0\.85\)",
        ),
        (
            "z = [-850, -800]",
            r'where leg [ABC] falls short by 79\d\.?\d* m \(for millimetres: \[units\] length = "mm"\)',
        ),
    ],
)
def test_nothing_reachable(pose, line):
    robot = load("delta")
    with pytest.raises(NumericalError, match=line):
        size(robot, envelope_of(robot, f"[pose]\n{pose}\n"), seeds=(1,), power=4)


def test_a_box_without_a_size():
    robot = load("delta")
    result = size(robot, envelope_of(robot, "[pose]\nx = [0.1, 0.1]\n[velocity]\nx = 1\n"), power=4)
    (once,) = Worst(robot, result.envelope).forces(np.array([[0.1, 0.0, -0.85]]))
    assert found_forces(result) == pytest.approx(once, rel=1e-12)


def test_strokes_are_from_the_zeros_of_the_actuators_and_worst_poses_are_listed_once():
    robot = load("delta")
    legs = [replace(leg, joints=(replace(leg.joints[0], zero=0.2), *leg.joints[1:])) for leg in robot.legs]
    box = "[pose]\nx = [-0.1, 0.1]\nz = [-0.9, -0.8]\n"
    own, other = (
        size(machine, envelope_of(machine, box), power=4) for machine in (robot, with_values(robot, legs=tuple(legs)))
    )
    np.testing.assert_allclose(other.q_range, np.array(own.q_range) - 0.2, atol=1e-9)
    for found in own.requirements:
        poses = np.array([pose for _, pose in found.optima])
        distance = np.abs(poses[:, None] - poses).max(axis=2) + np.eye(len(poses))
        assert distance.min() > 1e-6
