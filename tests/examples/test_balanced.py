"""The balanced machine of the examples: springs carry its weight everywhere, and nothing else changes."""

from pathlib import Path

import numpy as np
import pytest

from gough import inverse_dynamics, load
from gough.dynamics import FORMULATIONS
from gough.view.drawing.scene import scene
from tests.support.robots import with_values

FILE = Path(__file__).parents[2] / "examples" / "balanced3rrr.toml"
POSES = np.random.default_rng(0).uniform(-0.1, 0.1, (50, 3))


@pytest.fixture(scope="module")
def robot():
    return load(FILE)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if not f.yardstick], ids=lambda f: f.name)
def test_motors_see_no_weight(robot, formulation):
    balanced = inverse_dynamics(robot, POSES, formulation=formulation)
    bare = inverse_dynamics(with_values(robot, springs=()), POSES)
    assert np.abs(bare.force).max() > 10.0
    assert np.abs(balanced.force).max() < 1e-12 * np.abs(bare.force).max()


def test_a_stiffness_is_a_design_parameter(robot):
    stiffer = robot.replace({"spring.A-upper.stiffness": 900.0, "spring.2.free_length": "1 mm"})
    assert stiffer.springs[0].stiffness == 900.0
    assert stiffer.springs[1].free_length == 1e-3


def test_springs_are_drawn_as_coils(robot):
    drawn = scene(robot)
    wires = [solid for solid in drawn.solids if solid.owner == "spring A-fore"]
    assert len(wires) == 38
    ends = np.array([wires[0].shape.start, wires[-1].shape.end])
    apart = np.linalg.norm(ends[1] - ends[0])
    length = sum(np.linalg.norm(wire.shape.end - wire.shape.start) for wire in wires)
    assert length > 1.5 * apart > 0.0
