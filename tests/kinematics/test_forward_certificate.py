"""What the certificate of forward kinematics claims holds: bounds along arcs, ways of actuators, inverses in order."""

import numpy as np
import pytest

from gough import load
from gough.graph import array, record
from gough.kinematics import inverse_kinematics
from gough.kinematics.chain import Slide, Turn
from gough.kinematics.forward.fixed_order import inverse_in_order, pivot_order
from gough.kinematics.forward.solver import solver_of
from gough.kinematics.forward.ways import near_way, ways
from gough.run import Program
from tests.support import fine_tracker, lanes

ROBOTS = ("stewart", "hexapod", "rotary", "sru", "delta", "planar3rrr", "fivebar", "spatial3")


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("name", lanes.sample(ROBOTS, 3, lane="forward certificate"))
def test_along_an_arc_equations_and_jacobian_change_by_no_more_than_the_certificate_says(name, short):
    robot = load(name)
    certified = solver_of(robot).certified
    n = robot.dof

    def equations(guess, q, t):
        pose, _, coordinates = certified._at_guess(guess)
        here, _ = certified.here(pose, coordinates)
        there = certified.coordinates(q)
        left = ways(coordinates, there)
        aim = certified.aim(here, guess, there, left, certified.coordinates(q - left * 0.5), short=short)
        at = certified._at(certified.coordinates(q - left * (1.0 - t[0])))
        y = certified._charted(aim.arc.at(t[0]))
        _, rows = certified._moved(here, guess, y, at)
        return {
            "gap": certified.scale.norm(here.G @ certified._gaps(here, guess, y, at)),
            "stray": aim.tube.stray,
            "change": certified.scale.matrix_norm(here.G @ array(rows) - np.eye(n)),
            "along": aim.tube.along,
            "holds": aim.tube.holds,
        }

    program = Program(record(equations, guess=n, q=n, t=1))
    rng = np.random.default_rng(lanes.SEED)
    x = np.array(robot.platform.home) + 0.1 * rng.uniform(-1, 1, (200, n)) * fine_tracker.sizes(robot)
    guess = x + rng.uniform(-1, 1, x.shape) * fine_tracker.sizes(robot) * 10 ** rng.uniform(-4, -1, (200, 1))
    q = inverse_kinematics(robot, x).q
    inside = 0
    for t in (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        found = program(guess=guess, q=q, t=np.full((200, 1), t))
        sure = found["holds"]
        inside += sure.sum()
        assert (found["gap"][sure] <= found["stray"][sure] * (1 + 1e-9) + 1e-14).all()
        assert (found["change"][sure] <= found["along"][sure] * (1 + 1e-9) + 1e-13).all()
    assert inside >= 300


def test_an_inverse_in_the_order_of_a_matrix_near_by_is_the_inverse_or_says_so():
    rng = np.random.default_rng(3)
    for _ in range(20):
        A = rng.normal(size=(6, 6))
        rows, columns = pivot_order(A)
        assert sorted(rows) == sorted(columns) == list(range(6))
        near = A + 0.01 * rng.normal(size=(6, 6))
        inverse, good = inverse_in_order(near, rows, columns)
        assert good
        assert np.abs(np.array(inverse, dtype=float) @ near - np.eye(6)).max() <= 1e-12
    assert not inverse_in_order(np.array([[1e-9, 1.0], [1.0, 0.0]]), [0, 1], [0, 1])[1]


def test_short_ways_need_no_arctangent():
    for angle in (-0.34, -0.02, 0.0, 1e-9, 0.2, 0.34):
        here, there = Turn(np.cos(1.3), np.sin(1.3)), Turn(np.cos(1.3 + angle), np.sin(1.3 + angle))
        way = near_way(here, there)
        assert way.short
        assert way.left == pytest.approx(angle, abs=1e-9)
        assert (way.half.c, way.half.s) == pytest.approx((np.cos(1.3 + angle / 2), np.sin(1.3 + angle / 2)), abs=1e-10)
    assert not near_way(Turn(1.0, 0.0), Turn(np.cos(0.4), np.sin(0.4))).short
    assert not near_way(Turn(1.0, 0.0), Turn(-1.0, 0.0)).short
    assert near_way(Slide(0.2), Slide(0.5)).half.q == pytest.approx(0.35)
