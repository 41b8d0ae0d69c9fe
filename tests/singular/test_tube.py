"""Tubes about motions: what is proved holds at samples, what is not has a counterexample or says how far it came."""

import json
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough import Motion, load
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.programs import turning_length
from gough.singular.around import around
from gough.singular.followed_distance import FreeCoordinates
from gough.singular.nearest import proved_followed_distance
from gough.singular.recorded_law import recorded_law
from gough.singular.tube import tube
from gough.workspaces.conditions import Conditions
from tests.cli.running import outcome
from tests.singular.test_singularities import L, legs
from tests.support.lanes import size


def _values(robot, motion, radius, count, seed=0):
    """Least singular values of the Stewart platform at random times and poses within a distance of the motion."""
    rng = np.random.default_rng(seed)
    at = motion(rng.uniform(motion.start, motion.end, size=count))
    x = at.x
    y = rng.normal(size=(count, 6))
    y *= (radius * rng.uniform(size=count) ** (1 / 6) / np.linalg.norm(y, axis=1))[:, None]
    R = Rotation.from_rotvec(y[:, 3:] / L).as_matrix() @ Rotation.from_euler("ZYX", x[:, 3:]).as_matrix()
    return np.linalg.svd(legs(robot, x[:, :3] + y[:, :3], R)[1], compute_uv=False)[:, -1]


def test_a_tube_that_is_proved_has_no_counterexample_and_one_that_is_not_has_one():
    robot = load("stewart")
    motion = Motion.to(robot, {"x": 0.2, "z": 2.2, "theta": 0.2}, 2.0)
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
    motion = Motion.named(robot, None)
    found = tube(robot, motion)
    at = motion(np.linspace(motion.start, motion.end, 2001))
    x = at.x
    K = inverse_kinematics(robot, x).K
    assert found.proved == (np.unique(np.sign(np.linalg.det(K))).size == 1)


@pytest.mark.parametrize("law", ["minimum-jerk", "trig3", "cos"])
def test_recorded_laws_are_the_motions(law):
    robot = load("stewart")
    motion = Motion.to(robot, {"x": 0.2, "psi": 0.3}, 1.5, law=law, back=True)
    found = recorded_law(motion)
    for start, end, numbers in zip(found.starts, found.ends, found.numbers, strict=True):
        for t in np.linspace(start, end, 9)[:-1]:
            x = np.array(found.equations(t, numbers), dtype=float)
            assert x == pytest.approx(motion([t]).x[0], abs=1e-13)


SEQUENCES = {"rps3": "ZYX", "ankle": "YX", "tricept": "XY"}


def _poses(robot, x):
    """Positions and rotations at free coordinates x (N, n), with what follows them."""
    found = inverse_kinematics(robot, x)
    values = dict(zip(robot.coordinate_names, x.T, strict=True))
    values |= dict(zip(robot.dependent_names, found.dependent.T, strict=True))
    turns = [values[c.name] for c in home_platform(robot).coordinates if c.turns]
    p = np.stack([values[name] for name in "xyz"], axis=1)
    return p, Rotation.from_euler(SEQUENCES[robot.name], np.stack(turns, axis=1)), found


@pytest.mark.parametrize(
    "name", ["rps3", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ankle", "tricept"))]
)
def test_tubes_of_robots_whose_coordinates_depend_on_others(name):
    """The least value met at samples within the distance, with what follows the coordinates: proved below it only."""
    robot, radius = load(name), 0.02
    motion, length = Motion.named(robot, None), turning_length(robot)
    rng, turns = np.random.default_rng(1), np.array([c.turns for c in robot.platform.coordinates])
    count = size(10**6, 20_000)
    x = motion(rng.uniform(motion.start, motion.end, size=count)).x
    off = rng.uniform(-1.0, 1.0, size=x.shape) * np.where(turns, radius / length, radius)
    (p0, R0, _), (p, R, found) = _poses(robot, x), _poses(robot, x + off)
    apart = np.hypot(np.linalg.norm(p - p0, axis=1), length * (R * R0.inv()).magnitude())
    within = (apart <= radius) & (found.status == 0)
    assert within.sum() > 0.1 * count
    K = found.K[within] / np.where(turns, length, 1.0)
    floor = np.linalg.svd(K, compute_uv=False)[:, -1].min()
    proved = tube(robot, motion, radius, 0.95 * floor)
    assert (proved.proved, proved.until, proved.found) == (True, motion.end, None)
    above = tube(robot, motion, radius, 1.05 * floor)
    assert not above.proved
    assert above.found is not None
    assert above.found[1] <= 1.05 * floor


@pytest.mark.parametrize("name", ["rps3", "ankle", "tricept", "stewart"])
def test_free_coordinates_bound_the_distance_whatever_follows_them(name):
    robot = load(name)
    free, rng, count = FreeCoordinates(robot, turning_length(robot)), np.random.default_rng(2), 4000
    whole = [c for c in home_platform(robot).coordinates if c.turns]
    sequence = "".join(c.motion[1] for c in whole).upper()
    half = rng.uniform(0.0, 0.3, size=(count, robot.dof))
    x, off = (rng.uniform(-1.4, 1.4, size=(count, robot.dof)) for _ in range(2))
    there = x + off + half * rng.uniform(-1.0, 1.0, size=half.shape)
    rotations = []
    for at in (x, there):
        free_ones = dict(zip(robot.coordinate_names, at.T, strict=True))
        angles = [free_ones.get(c.name, rng.uniform(-np.pi, np.pi, size=count)) for c in whole]
        rotations.append(Rotation.from_euler(sequence, np.stack(angles, axis=1)))
    ways = np.linalg.norm((there - x)[:, ~free.turns], axis=1)
    turn = (rotations[0] * rotations[1].inv()).magnitude()
    distance = np.hypot(ways, free.length * turn)
    bound = free.distance(x, off, half)
    assert (bound <= distance).all()
    assert bound.max() > 0.5
    limits = np.full(robot.dof, 0.0)
    near = np.flatnonzero(distance < 1.2)
    for k in near[:200]:
        reach = free.reach(distance[k], np.minimum(x[k], limits), np.maximum(x[k], limits))
        assert (np.abs(there - x)[k] <= reach).all() or (np.abs(there[k]) > 0.5 * np.pi).any()


def test_a_distance_is_proved_where_coordinates_depend_on_others():
    """Nearer than that, no sample is on the other side of det K = 0."""
    robot = load("rps3")
    home = np.array(robot.platform.home)
    rays = around(robot, Conditions(("reach", "stroke")), home)
    proof = proved_followed_distance(rays, 0.2, 0.8, 20_000)
    assert proof.reached >= 0.16
    rng, turns = np.random.default_rng(3), np.array([c.turns for c in robot.platform.coordinates])
    x = home + rng.uniform(-0.2, 0.2, size=(size(10**6, 20_000), 3)) * np.where(turns, 1.0 / rays.length, 1.0)
    (p0, R0, _), (p, R, found) = _poses(robot, home[None]), _poses(robot, x)
    apart = np.hypot(np.linalg.norm(p - p0, axis=1), rays.length * (R * R0.inv()).magnitude())
    near = (apart < 0.16) & (found.status == 0)
    assert near.sum() > 1000
    assert np.unique(np.sign(np.linalg.det(found.K[near]))).size == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rps3", "ankle"])
def test_the_proved_distance_is_near_that_of_what_is_found(name):
    found = gough.singularities(load(name), prove=True)
    nearest = min(one.distance for one in found.found if one.kind != "type 1")
    assert 0.949 * nearest <= found.bound <= nearest
    assert found.unproved == ""


def test_what_cannot_be_proved_says_why():
    stewart = load("stewart")
    with pytest.raises(InputError, match=r"^tube 3: must be a distance from 0 to less than 2.25 m, nearly"):
        tube(stewart, Motion.named(stewart, None), 3.0)


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
    assert outcome(capsys, "singularities", "planar3rrr", "--motion", "circle") == (code, out, "")


def test_one_path_is_asked_for_at_a_time(capsys):
    for more, names in ((("--motion", "circle"), "--path and --motion"), (("--to", "x=0.1"), "--to and --path")):
        code, out, err = outcome(capsys, "singularities", "planar3rrr", "--path", "circle", *more)
        assert (code, out, err) == (2, "", f"gough: error: {names}: give one of them\n")


def test_a_file_of_a_path_is_in_the_units_stated(capsys, tmp_path):
    file = tmp_path / "way.csv"
    file.write_text("t,x,y,phi\n" + "".join(f"{0.1 * k},{k},0,{k}\n" for k in range(11)))
    asked = ("singularities", "planar3rrr", "--motion", str(file))
    in_mm = outcome(capsys, *asked, "--units", "mm,deg", "--format", "json")
    file.write_text("t,x,y,phi\n" + "".join(f"{0.1 * k},{k / 1e3},0,{math.radians(k)}\n" for k in range(11)))
    assert in_mm[0] == 0
    assert in_mm == outcome(capsys, *asked, "--format", "json")
