"""Screws: a screw joint against closed forms and Lagrange's equations, a spindle against a plain cylinder's model."""

from functools import cache

import numpy as np
import pytest
import sympy

import gough
from gough.dynamics import FORMULATIONS, force_derivatives, forward_dynamics, inverse_dynamics
from gough.kinematics import forward_kinematics, inverse_kinematics
from tests.support.forces import QUICK, forces, scale, states
from tests.support.pinocchio_dynamics import Oracle
from tests.support.pinocchio_tree import platform_frame
from tests.support.robots import build, read
from tests.support.screw_robots import ANGLES, LEAD, STAR, plain_cylinders, spindles, star, with_motors

AGREE = 1e-12  # of cond(K) max |tau|
COLUMN = """
name = "column"
[units]
length = "mm"
angle = "deg"
[platform]
coordinates = { z = "z" }
home = [500]
mass = 1.0
[[leg]]
name = "A"
[[leg.joint]]
name = "screw"
type = "H"
axis = [0, 0, 1]
lead = 5
actuated = true
stroke = [-36000, 72000]
body = {}
[[leg.joint]]
name = "bearing"
type = "R"
axis = [0, 0, 1]
[leg.end]
type = "rigid"
"""


def most_slow(formulations, quick=""):
    """The formulations as parameters; all but the quick one in slow runs: legs closed by iteration are large."""
    return [f if f.name == quick else pytest.param(f, marks=pytest.mark.slow) for f in formulations]


@cache
def lagrange():
    """Displacements (3,) and their Jacobian, and generalised forces (3,) of the Star robot, from its geometry."""
    x, xd, xdd = (sympy.symbols(f"{name}:3") for name in ("x", "v", "a"))
    s = {key: sympy.Float(value, 30) for key, value in STAR.items()}
    wrench, lead, g = sympy.symbols("f:3"), sympy.Float(LEAD, 30), (0.4, 0.2, -9.7)
    q, T, V = [], 0, 0

    def rate(value):
        return sum(sympy.diff(value, xk) * vk for xk, vk in zip(x, xd, strict=True))

    def point(mass, p):
        return mass * sum(rate(c) ** 2 for c in p) / 2, -mass * sum(gk * c for gk, c in zip(g, p, strict=True))

    for angle in ANGLES:
        along = (np.cos(angle), np.sin(angle), 0.0)
        px = x[0] * along[0] + x[1] * along[1] + s["platform"]
        py = x[1] * along[0] - x[0] * along[1]
        slide = px + sympy.sqrt(s["bar"] ** 2 - py**2 - x[2] ** 2)
        turn = sympy.atan2(-py, x[2])
        motor = turn - (slide - s["nut"]) * 2 * sympy.pi / lead
        q.append(motor)
        nut = [slide * c for c in along]
        end = [x[k] + s["platform"] * along[k] for k in range(3)]
        middle = [(a + b) / 2 for a, b in zip(nut, end, strict=True)]
        for kinetic, potential in (point(s["nut_mass"], nut), point(2 * s["side"], middle)):
            T, V = T + kinetic, V + potential
        T += (s["spindle"] * rate(motor) ** 2 + s["nut_inertia"] * rate(turn) ** 2) / 2
    kinetic, potential = point(1.7, x)
    T, V = T + kinetic, V + potential
    Q = []
    for k in range(3):
        p = sympy.diff(T, xd[k])
        pd = sum(sympy.diff(p, xd[j]) * xdd[j] + sympy.diff(p, x[j]) * xd[j] for j in range(3))
        Q.append(pd - sympy.diff(T, x[k]) + sympy.diff(V, x[k]) - wrench[k])
    K = [[sympy.diff(value, xk) for xk in x] for value in q]
    return sympy.lambdify((x, xd, xdd, wrench), (q, K, Q), "numpy", cse=True)


@pytest.mark.parametrize("formulation", most_slow(FORMULATIONS), ids=lambda f: f.name)
def test_forces_of_a_star_robot_are_those_of_lagranges_equations(formulation):
    robot = star()
    x, xd, xdd, wrench = states(robot, 4, 7, size=0.05)
    q, found = [], []
    for row in zip(x, xd, xdd, wrench[:, :3], strict=True):
        displacement, K, Q = lagrange()(*row)
        q.append(displacement)
        found.append(np.linalg.solve(np.array(K, dtype=float).T, Q))
    assert np.allclose(inverse_kinematics(robot, x).q, q, rtol=0, atol=1e-13 * np.abs(q).max())
    error = np.abs(forces(robot, formulation, x, xd, xdd, wrench) - found).max(axis=1)
    admitted = 1e-13  # a lead turns round-off of metres into 300 times as much of radians
    assert (error <= admitted * inverse_kinematics(robot, x).condition * np.abs(found).max(axis=1)).all()


@pytest.mark.slow
def test_a_screw_may_be_told_by_its_slide():
    given = states(star(), 3, 8, size=0.05)
    turning, sliding = (forces(star(coordinate=name), FORMULATIONS[0], *given) for name in ("turn", "slide"))
    assert np.allclose(turning, sliding, rtol=0, atol=1e-13 * np.abs(turning).max())
    left = forces(star(-LEAD), FORMULATIONS[0], *given)
    assert np.abs(left - turning).max() > np.abs(turning).max()


@pytest.mark.slow
def test_a_star_robot_comes_back_from_its_displacements_and_forces():
    robot = star()
    x, xd, xdd, wrench = states(robot, 3, 9, size=0.05)
    home = np.array(robot.platform.home)
    assert np.allclose(forward_kinematics(robot, inverse_kinematics(robot, x).q, home).x, x, rtol=0, atol=1e-10)
    found = forces(robot, FORMULATIONS[0], x, xd, xdd, wrench)
    back = forward_dynamics(robot, gough.State(x, xd, wrench=wrench), found)
    assert np.allclose(back.xdd, xdd, rtol=0, atol=1e-9 * np.abs(xdd).max())


def test_a_weight_sinks_on_its_screw():
    """m g lead / 2 pi turns rotor and nut: the acceleration is m g / (m + (2 pi / lead)^2 J)."""
    robot = read(COLUMN.replace("body = {}", "body = { mass = 0.5, inertia = [100, 100, 200] }"))
    per_turn = 0.005 / (2 * np.pi)
    expected = -9.80665 * 1.5 / (1.5 + 200e-6 / per_turn**2)
    assert forward_dynamics(robot, gough.State([0.5], [0.0]), [0.0]).xdd[0] == pytest.approx(expected, rel=1e-12)
    run = gough.simulate(robot, None, None, 0.5, samples=3)
    assert run.x[-1, 0] == pytest.approx(0.5 + expected * 0.125, abs=1e-12)
    assert np.abs(run.balance).max() < 1e-12


def twist_of(robot, x):
    """(6,) lengths of the legs and turns of their spindles, from the directions of the yokes alone."""
    lengths, turns = [], []
    for leg in robot.legs:
        axes = [np.array(leg.rotation) @ leg.joints[0].axis]
        (p, R), (_, R0) = (platform_frame(robot, at) for at in (x, robot.platform.home))
        axes.append(R @ R0.T @ np.array(leg.rotation) @ leg.joints[-1].axis)
        along = p + R @ leg.end.platform_point - leg.position
        lengths.append(np.linalg.norm(along))
        n = along / lengths[-1]
        first, second = (np.cross(axis, n) for axis in axes)
        turns.append(np.arctan2(n @ np.cross(first, second), first @ second))
    return np.array(lengths), np.array(turns)


def test_a_spindle_that_turns_with_its_joint_is_corrected():
    """By lead times turn over 2 pi, as machine-tool controllers do: 1.25 mm at a quarter turn and 5 mm lead."""
    robot = spindles()
    home = np.array(robot.platform.home)
    for yaw in (-0.5, 0.2, 0.9):
        x = home + [0.03, -0.02, 0.05, yaw, 0.1, -0.05]
        lengths, turns = twist_of(robot, x)
        corrected = lengths + 0.005 * turns / (2 * np.pi)
        assert np.allclose(inverse_kinematics(robot, x).q, corrected, rtol=0, atol=1e-13)
        assert np.abs(corrected - lengths).max() > 1e-5


def test_a_quarter_turn_of_a_spindle():
    column = build(
        {
            "name": "column",
            "platform": {"coordinates": {"z": "z", "yaw": "rz"}, "home": [0.5, 0.0], "mass": 1.0, "inertia": [1, 1, 1]},
            "leg": [
                {
                    "name": "A",
                    "joint": [
                        {"name": "screw", "type": "C", "axis": [0, 0, 1], "actuated": True, "lead": 0.005},
                    ],
                    "end": {"type": "rigid"},
                },
                {
                    "name": "B",
                    "joint": [
                        {"name": "slide", "type": "P", "axis": [0, 0, 1]},
                        {"name": "turn", "type": "R", "axis": [0, 0, 1], "actuated": True},
                    ],
                    "end": {"type": "rigid"},
                },
            ],
        }
    )
    reading = inverse_kinematics(column, [[0.5, 0.0], [0.5, np.pi / 2]]).q[:, 0]
    assert reading[1] - reading[0] == pytest.approx(0.00125, abs=1e-15)
    held = inverse_dynamics(column, gough.State([0.5, 0.3], [0, 0], [0, 0]))
    weight = 9.80665
    assert np.allclose(held.force, [weight, -weight * 0.005 / (2 * np.pi)], rtol=0, atol=1e-12)


class Spindles(Oracle):
    """Forces on slide + lead turn / 2 pi of a machine with plain cylinders."""

    def __init__(self, robot, lead):
        super().__init__(robot)
        self.per_turn = lead / (2 * np.pi)

    def driven(self, G, motors):
        turns = [place for joint, place in zip(self.joints, self.places, strict=True) if joint.name == "C2"]
        return G[:, motors] + self.per_turn * G[:, turns]


@cache
def expected():
    robot = spindles(0.1)
    given = states(robot, 3, 11, size=0.05)
    return robot, given, Spindles(plain_cylinders(robot), 0.1).forces(*given)


@pytest.mark.parametrize("formulation", most_slow(QUICK, "virtual_work"), ids=lambda f: f.name)
def test_forces_of_spindles_are_those_of_pinocchio(formulation):
    robot, given, found = expected()
    error = np.abs(forces(robot, formulation, *given) - found).max(axis=1)
    assert (error <= AGREE * scale(robot, given[0], found)).all()


@pytest.mark.slow
def test_a_spindle_is_a_motor_with_a_nut():
    robot, given, found = expected()
    torque = forces(with_motors(robot, 0.1), FORMULATIONS[0], *given)
    assert np.allclose(torque * 2 * np.pi / 0.1, found, rtol=0, atol=1e-10 * np.abs(found).max())


@pytest.mark.slow
def test_a_spindle_has_its_torque_reaction():
    robot, (x, xd, xdd, wrench), found = expected()
    reactions = gough.joint_reactions(robot, gough.State(x, xd, xdd, wrench=wrench))
    for k, leg in enumerate(robot.legs):
        s = reactions.names.index(f"{leg.name}.C1")
        pins = [reactions.points[:, reactions.names.index(f"{leg.name}.{name}")] for name in ("U1", "V1")]
        n = pins[1] - pins[0]
        n /= np.linalg.norm(n, axis=1)[:, None]
        force, moment = (np.sum(n * part[:, s], axis=1) for part in (reactions.joint_force, reactions.joint_moment))
        assert np.allclose(force, found[:, k], rtol=0, atol=1e-10 * np.abs(found).max())
        assert np.allclose(moment, force * 0.1 / (2 * np.pi), rtol=0, atol=1e-10 * np.abs(found).max())


@pytest.mark.parametrize("make", [star, spindles])
def test_files_of_screws_come_back(make):
    robot = make()
    again = read(robot.to_toml())
    assert again.legs == robot.legs
    x = np.array(robot.platform.home)
    assert np.array_equal(inverse_kinematics(again, x).q, inverse_kinematics(robot, x).q)


def test_screws_in_units_of_the_file():
    robot = read(COLUMN)
    assert robot.actuators[0].limits.stroke == pytest.approx((-200 * np.pi, 400 * np.pi))
    assert inverse_kinematics(robot, [0.5]).q[0] == pytest.approx(200 * np.pi, abs=1e-9)
    sliding = read(COLUMN.replace("stroke = [-36000, 72000]", 'coordinate = "slide"\nstroke = [-500, 1000]'))
    assert sliding.actuators[0].limits.stroke == pytest.approx((-0.5, 1.0))
    assert inverse_kinematics(sliding, [0.5]).q[0] == pytest.approx(0.5, abs=1e-12)
    turning, slide = (inverse_dynamics(r, gough.State([0.5], [0.0], [0.0])).force[0] for r in (robot, sliding))
    assert slide == pytest.approx(9.80665)
    assert turning == pytest.approx(9.80665 * 0.005 / (2 * np.pi))


@pytest.mark.slow
def test_the_lead_is_a_design_parameter():
    robot = star()
    x, xd, xdd, _ = states(robot, 1, 12, size=0.05)
    leads = [f"leg.{name}.joint.nut.lead" for name in "ABC"]
    found = force_derivatives(robot, gough.State(x, xd, xdd), wrt=leads)
    h = 1e-6 * LEAD
    up, down = (
        inverse_dynamics(robot.replace(dict.fromkeys(leads, LEAD + s)), gough.State(x, xd, xdd)).force for s in (h, -h)
    )
    slope = sum(found[lead] for lead in leads)
    assert np.allclose(slope, (up - down) / (2 * h), rtol=1e-6, atol=0)  # second order in h
