"""Tubes about motions: what is proved holds at samples, what is not has a counterexample or says how far it came."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough.errors import InputError
from gough.kinematics import inverse_kinematics, load
from gough.motion import choose_motion
from gough.motion.point_to_point import point_to_point
from gough.singular.recorded_law import recorded_law
from gough.singular.tube import tube
from tests.cli.running import outcome
from tests.singular.test_singularities import L, legs
from tests.support.lanes import size


def _values(robot, motion, radius, count, seed=0):
    """Least singular values of the Stewart platform at random times and poses within a distance of the motion."""
    rng = np.random.default_rng(seed)
    x, _, _ = motion(rng.uniform(motion.start, motion.end, size=count))
    y = rng.normal(size=(count, 6))
    y *= (radius * rng.uniform(size=count) ** (1 / 6) / np.linalg.norm(y, axis=1))[:, None]
    R = Rotation.from_rotvec(y[:, 3:] / L).as_matrix() @ Rotation.from_euler("ZYX", x[:, 3:]).as_matrix()
    return np.linalg.svd(legs(robot, x[:, :3] + y[:, :3], R)[1], compute_uv=False)[:, -1]


def test_a_tube_that_is_proved_has_no_counterexample_and_one_that_is_not_has_one():
    robot = load("stewart")
    motion = point_to_point(robot, {"x": 0.2, "z": 2.2, "theta": 0.2}, 2.0)
    floor = _values(robot, motion, 0.03, size(10**6, 20_000)).min()
    proved = tube(robot, motion, 0.03, 0.9 * floor)
    assert (proved.proved, proved.until, proved.found) == (True, 2.0, None)
    above = tube(robot, motion, 0.03, 1.1 * floor)
    assert not above.proved
    assert above.found is not None
    _, value = above.found
    assert value <= 1.1 * floor
    few = tube(robot, motion, 0.03, 0.999 * floor, most=100)
    assert not few.proved
    assert few.found is None
    assert 0.0 <= few.until < 2.0


@pytest.mark.parametrize("name", ["planar3rrr", "delta", "spatial3", "hexapod"])
def test_motions_of_the_catalogue_have_full_rank(name):
    robot = load(name)
    motion = choose_motion(robot, None)
    found = tube(robot, motion)
    x, _, _ = motion(np.linspace(motion.start, motion.end, 2001))
    K = inverse_kinematics(robot, x).K
    assert found.proved == (np.unique(np.sign(np.linalg.det(K))).size == 1)


@pytest.mark.parametrize("law", ["minimum-jerk", "trig3", "cos"])
def test_recorded_laws_are_the_motions(law):
    robot = load("stewart")
    motion = point_to_point(robot, {"x": 0.2, "psi": 0.3}, 1.5, law=law, back=True)
    found = recorded_law(motion)
    for start, end, numbers in zip(found.starts, found.ends, found.numbers, strict=True):
        for t in np.linspace(start, end, 9)[:-1]:
            x = np.array(found.equations(t, numbers), dtype=float)
            assert x == pytest.approx(motion([t])[0][0], abs=1e-13)


def test_what_cannot_be_proved_says_why():
    robot = load("rps3")
    line = (
        "tube of rps3: no proof: its legs are closed by iteration or its coordinates depend on each other; the motion "
        "itself can be proved, with radius 0"
    )
    with pytest.raises(InputError) as caught:
        tube(robot, choose_motion(robot, None), 0.01)
    assert str(caught.value) == line
    stewart = load("stewart")
    with pytest.raises(InputError, match=r"^tube 3: must be a distance from 0 to less than 2.25 m, nearly"):
        tube(stewart, choose_motion(stewart, None), 3.0)


def test_check_and_path_on_the_command_line(capsys):
    motion = ["--to", "x=0.2,z=2.2", "--duration", "2"]
    code, out, _ = outcome(capsys, "check", "stewart", *motion, "--tube", "20mm", "--limit", "singular=0.3")
    assert code == 0
    assert out.splitlines()[-1].startswith(
        "Tube: all poses within 0.02 m of the motion, singular value above 0.3: proved"
    )
    code, out, _ = outcome(capsys, "check", "stewart", *motion, "--tube", "0", "--limit", "singular=0.9", "--json")
    shown = json.loads(out)["tube"]
    assert code == 1
    assert shown["proved"] is False
    assert shown["found"][1] <= 0.9
    code, out, _ = outcome(capsys, "singularities", "planar3rrr", "--path", "circle")
    assert out.splitlines()[-1].startswith("Proved: none ")
