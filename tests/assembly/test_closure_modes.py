"""Assembly modes of any robot by the closure of its joints: paths from three start systems."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.assembly.closure_modes import closure_modes
from gough.assembly.closure_starts import closure_starts
from gough.assembly.closure_system import closure_system
from gough.assembly.complex_graph import complex_outputs
from gough.assembly.complex_numbers import paired, parts
from gough.assembly.krawczyk import proved_solutions
from gough.graph import cos, jacobian, record, sin
from gough.run import Program
from tests.assembly.test_three_legs import robot_of
from tests.kinematics.test_hinged import par4
from tests.support.dependent_references import samples
from tests.support.robots import build, with_values

SLOW = pytest.mark.slow
FOUND = {"fivebar": 2, "spatial3": 4, "ankle": 8, "tricept": 24}


@pytest.mark.parametrize(
    "name", [name if name in ("ankle", "spatial3") else pytest.param(name, marks=SLOW) for name in FOUND]
)
def test_known_poses_are_among_all(name):
    robot = gough.load(name)
    home = np.array(robot.platform.home)
    x = home + np.array([[0.0], [0.004], [-0.003]]) * np.linspace(1.0, 2.0, robot.dof)
    found = gough.assembly_modes(robot, gough.inverse_kinematics(robot, x).q)
    assert set(found.claim) == {f"{FOUND[name]} found by three start systems, closed under conjugation"}
    assert found.complete.all()
    assert found.certified.all()
    assert (found.count + found.complex == FOUND[name]).all()
    for k in range(len(x)):
        assert np.abs(found.x[found.sample == k][0] - x[k]).max() < 1e-12
    own = gough.inverse_kinematics(robot, found.x[found.sample == 1][0]).K
    turning = np.array([c.turns for c in robot.platform.coordinates])
    if turning.all() or not turning.any():
        first = found.singular_value[found.sample == 1][0]
        assert first == pytest.approx(np.linalg.svd(own, compute_uv=False)[-1], rel=1e-9)


def test_the_fivebar_by_two_circles():
    robot = gough.load("fivebar")
    q = np.array([2.0, 1.1])
    found = gough.assembly_modes(robot, q)
    elbows = np.array([[-0.1, 0.0], [0.1, 0.0]]) + 0.22 * np.stack([np.cos(q), np.sin(q)], axis=1)
    middle, d = elbows.mean(axis=0), elbows[1] - elbows[0]
    height = np.sqrt(0.3**2 - d @ d / 4.0) * np.array([-d[1], d[0]]) / np.linalg.norm(d)
    expected = np.array([middle + height, middle - height])
    assert np.abs(np.sort(found.x, axis=0) - np.sort(expected, axis=0)).max() < 1e-14


def test_the_ankle_by_a_search_of_all_angles():
    """Rods of fixed length between cranks and heel, at all pitches and rolls: a fine grid, then Newton's method."""
    robot = gough.load("ankle")
    q = np.array([0.2, -0.1])
    found = gough.assembly_modes(robot, q)

    def errors(angles):
        pitch, roll = angles
        cp, sp, cr, sr = np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
        out = []
        for side, turn in ((0.035, q[0]), (-0.035, q[1])):
            heel = np.array([-0.05 + 0.0 * roll, side * cr, side * sr - 0.017558])
            heel = np.array([cp * heel[0] + sp * heel[2], heel[1], -sp * heel[0] + cp * heel[2]])
            crank = np.array([-0.05 * np.cos(turn), side, 0.2 + 0.05 * np.sin(turn)])
            gap = heel - crank.reshape(3, *([1] * np.ndim(pitch)))
            out.append((gap * gap).sum(axis=0) - 0.2175**2)
        return np.array(out)

    grid = np.linspace(-np.pi, np.pi, 721)
    values = np.abs(errors(np.meshgrid(grid, grid, indexing="ij"))).max(axis=0)
    poses = []
    for i, j in np.argwhere(values < 3e-4):
        at = np.array([grid[i], grid[j]])
        for _ in range(20):
            J = np.stack([(errors(at + d) - errors(at - d)) / 2e-6 for d in np.eye(2) * 1e-6], axis=1)
            at = at - np.linalg.solve(J, errors(at))
        at = np.angle(np.exp(1j * at))
        if np.abs(errors(at)).max() < 1e-13 and all(np.abs(at - known).max() > 1e-6 for known in poses):
            poses.append(at)
    assert len(poses) == found.count == 4
    for at in poses:
        assert np.abs(found.x - at).max(axis=1).min() < 1e-9


@pytest.mark.parametrize(
    "kind", ["planar3rrr", *(pytest.param(kind, marks=SLOW) for kind in ("3rps", "wrist", "delta"))]
)
def test_closed_forms_and_paths_find_the_same(kind):
    """Elimination and paths share nothing but the robot: 6, 16, 8 and 2 solutions, all of them."""
    robot = robot_of(kind)
    x = samples(kind, "x")[3] if kind[0] == "3" else np.array(robot.platform.home) + 0.02
    q = gough.inverse_kinematics(robot, x).q
    found, other = gough.assembly_modes(robot, q), closure_modes(robot).solve(q[None], 3)
    most = {"planar3rrr": 6, "3rps": 16, "wrist": 8, "delta": 2}[kind]
    assert other.claim == (f"{most} found by three start systems, closed under conjugation",)
    assert (len(other.p), other.complex[0]) == (found.count, found.complex)
    for p, R in zip(other.p, other.R, strict=True):
        assert (np.abs(found.p - p).max(axis=1) + np.abs(found.R - R).max(axis=(1, 2))).min() < 1e-9
    for p in other.complex_p:
        assert np.abs(found.complex_p - p).max(axis=1).min() < 1e-7


@SLOW
def test_a_spare_leg():
    robot = gough.load("planar4rrr")
    x = np.array(robot.platform.home) + [0.01, -0.02, 0.03]
    found = gough.assembly_modes(robot, gough.inverse_kinematics(robot, x).q)
    assert found.claim == "6 found without leg D by three start systems, closed under conjugation"
    assert found.count == 1
    assert np.abs(found.x[0] - x).max() < 1e-12


def _rrp_and_three_rods(rng):
    """A platform on a passive leg R R P without a special angle or length, and three UPS."""
    second, third = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
    second, third = second * np.sign(np.linalg.det(second)), third * np.sign(np.linalg.det(third))
    joints = [
        {"name": "a", "type": "R", "axis": [0, 0, 1], "start": 0.0},
        {
            "name": "b",
            "type": "R",
            "axis": [0, 0, 1],
            "rotation": second.tolist(),
            "offset": [0.2, 0.1, 0.3],
            "start": 0.0,
        },
        {
            "name": "c",
            "type": "P",
            "axis": [0, 0, 1],
            "rotation": third.tolist(),
            "offset": [0.1, -0.2, 0.2],
            "start": 0.0,
        },
    ]
    legs = [{"name": "tube", "joint": joints, "end": {"type": "rigid", "platform_rotation": (second @ third).tolist()}}]
    points = zip("ABC", rng.normal(size=(3, 3)), 0.5 * rng.normal(size=(3, 3)), strict=True)
    legs += [{"name": name, "type": "UPS", "base": a.tolist(), "platform": b.tolist()} for name, a, b in points]
    home = np.array([0.2, 0.1, 0.3]) + second @ [0.1, -0.2, 0.2]
    coordinates = {"x": "x", "y": "y", "z": "z", "u": "rx", "v": "ry", "w": "rz"}
    body = {"coordinates": coordinates, "dependent": ["u", "v", "w"], "home": [*home.tolist(), 0, 0, 0]}
    return build({"name": "rrp", "platform": body | {"mass": 1, "inertia": [1, 1, 1]}, "leg": legs})


@SLOW
def test_a_general_tricept_has_as_many_solutions_from_all_start_systems():
    found = closure_starts(closure_system(_rrp_and_three_rods(np.random.default_rng(5))))
    assert [len(z) for z in found.z] == [28, 28, 28]


@pytest.mark.parametrize("drive", ["R", pytest.param("P", marks=SLOW)])
def test_plates_that_only_slide_are_distances(drive):
    """Par4 of no symmetry: each mode, on the branches it tells, has the displacements asked for."""
    robot = par4(drive)
    x = np.array(robot.platform.home) + [0.02, -0.03, 0.01, 0.2]
    q = gough.inverse_kinematics(robot, x).q
    found = gough.assembly_modes(robot, q)
    assert found.claim == "8 found by three start systems, closed under conjugation"
    assert found.certified.all()
    assert np.abs(found.x[0] - x).max() < 1e-12
    for pose, branch in zip(found.x, found.branch, strict=True):
        legs = [replace(leg, branch=int(own)) for leg, own in zip(robot.legs, branch, strict=True)]
        there = gough.inverse_kinematics(with_values(robot, legs=tuple(legs)), pose)
        assert np.abs(np.angle(np.exp(1j * (there.q - q)))).max() < 1e-9


def test_complex_values_of_a_graph():
    graph = record(lambda v: {"f": [sin(v[0]) * v[1] / (v[0] - 2.0), -cos(v[1] + 1.0)]}, v=2)

    def both(v):
        return parts(complex_outputs(graph, paired(v), ("f",))["f"])

    a, b = 0.3 - 1.2j, -0.7 + 0.4j
    found = Program(record(both, v=4))(v=[a.real, a.imag, b.real, b.imag])
    expected = [np.sin(a) * b / (a - 2.0), -np.cos(b + 1.0)]
    assert np.abs(found.view(complex) - expected).max() < 1e-15


def test_a_proof_of_one_solution():
    """x^2 = a and y = x: proved at a root, not beside it, not at a double one."""

    def equations(v):
        r = [v[0] * v[0] - v[2], v[1] - v[0]]
        return {"r": r, "by_v": jacobian(np.array(r), v)}

    graph = record(equations, v=3)
    at = np.array([[np.sqrt(2.0), np.sqrt(2.0), 2.0], [1.4142, 1.4142, 2.0], [0.0, 0.0, 0.0]])
    proved, far = proved_solutions(graph, at, 2)
    assert proved.tolist() == [True, False, False]
    assert 0.0 < far[0] < 1e-14
