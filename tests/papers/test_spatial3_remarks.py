"""The 2T1R robot's companion: what it says of the motion, the mass model and the mechanism beside its tables."""

from dataclasses import replace

import numpy as np
import pytest

from gough import Motion, State, load
from gough.dynamics import inverse_dynamics
from gough.dynamics.force_programs import Model
from gough.dynamics.forward import forward_dynamics
from gough.dynamics.newton_euler import NewtonEuler
from gough.kinematics import inverse_kinematics
from gough.kinematics.bodies import body_accelerations, body_poses
from tests.papers import test_kinematic_misprints_spatial3 as paper_001
from tests.support.papers import assert_printed, paper
from tests.support.readings import forces, samples, with_bodies

r, R, L, M3, G = 0.1, 0.25, 0.4, 8.1573, 9.806


def test_the_motion_keeps_its_margins():
    """Section 1: radicands, ranges and determinants, and that it does not start from rest."""
    robot = load("spatial3")
    x, xd, _ = samples(robot, "paper")
    y, z, theta = x.T
    radicands = [L**2 - (R - r + y) ** 2, L**2 - (R - r - y) ** 2, L**2 - y**2 - (R - r * np.cos(theta)) ** 2]
    assert_printed(np.min(radicands, axis=1), [0.1141, 0.1365, 0.1318], digits=4)
    assert_printed([y.min(), y.max(), z.min(), z.max()], [-0.0032, 0.0643, -0.0708, 0.0], digits=2, zero=5e-5)
    assert_printed(xd[0, 2], 5.0265, digits=5)
    found = inverse_kinematics(robot, x)
    determinants = np.linalg.det(found.K)
    assert_printed([determinants.min(), determinants.max()], [-0.0924, -0.0610], digits=3)
    assert_printed(found.q.min(axis=0), [-0.1027, -0.0519, -0.1037], digits=3, zero=5e-5)
    assert_printed(found.q.max(axis=0), [0.0, 0.0, 0.0325], digits=3)


def test_sides_of_the_triangles():
    """Section 1 of the paper prints A2C2 = R and legs of variable length: R sqrt 2 and constant are meant."""
    A2, B2, C2 = np.array([0, -R, 0]), np.array([0, R, 0]), np.array([-R, 0, 0])
    for leg, point in zip(load("spatial3").legs, (A2, B2, C2), strict=True):
        home = np.array([0, 0, -paper_001.h])
        assert np.linalg.norm(home + leg.end.platform_point - point) == pytest.approx(L, abs=1e-15)
    for a, b, side in ((A2, C2, R * 2**0.5), (B2, C2, R * 2**0.5), (A2, B2, 2 * R)):
        assert np.linalg.norm(a - b) == pytest.approx(side, abs=1e-15)


def test_statics_as_printed():
    force = inverse_dynamics(load("spatial3"), np.zeros(3)).force
    assert_printed(force, [45.838147, 45.838147, 55.4509688], digits=9)


@pytest.mark.parametrize("t", [row["t"] for row in paper("spatial3")["table"]])
def test_forces_sum_to_weight_and_momentum(t):
    """The sliders carry the weight and the rate of the vertical momentum."""
    robot = load("spatial3")
    motion = Model(robot, NewtonEuler()).motion(*map(np.ravel, Motion.named(robot, "paper").law(np.array([t]))))
    bodies, twist, rate = body_poses(motion.pose), motion.twist, motion.twist_rate
    accelerations = body_accelerations(motion.pose, bodies, (twist.v, twist.w), (rate.a, rate.wd))
    needed = sum(b.body.mass * (a[2] + G) for b, (a, _) in zip(bodies, accelerations, strict=True))
    force = inverse_dynamics(robot, Motion.named(robot, "paper")(t), formulation="virtual_work").force
    assert force.sum() == pytest.approx(float(needed), abs=1e-12)


def test_plates_that_the_tensors_would_be():
    """Section 3, 4: base, height and thickness of a triangular plate of this mass with these central moments [m]."""
    ways = np.array([[1 / 24, 0, 1 / 12], [0, 1 / 18, 1 / 12], [1 / 24, 1 / 18, 0]]) * M3
    shift = M3 * (2 * r / 3) ** 2 * np.array([0, 1, 1])
    body = load("spatial3").platform.body
    assert body.mass == M3
    assert body.inertia[:3] == pytest.approx(np.array([0.0269, 0.0501, 0.0658]) - shift, abs=1e-15)

    def plate(*moments):
        return np.sqrt(np.linalg.solve(ways, moments))

    assert plate(*(np.array([0.0269, 0.0501, 0.0658]) - shift)) == pytest.approx([0.250, 0.135, 0.091], abs=5e-4)
    assert_printed(plate(0.0269, 0.0501, 0.0658)[1], 0.31, digits=2)
    wide, _, thick = plate(*(np.array([0.0269, 0.0658, 0.0501]) - shift))
    assert_printed([thick, wide], [0.18, 0.13], digits=2)
    assert_printed(M3 * r**2, 0.0816, digits=3)
    assert M3 * r**2 > 0.0658
    assert_printed(0.9803 * L**2 / 3, 0.0523, digits=3)


def test_mass_of_the_bars_across():
    """Bars 2 and 4 of 0.5 kg each: masses at C2 and C5 whatever their length. f_C changes by 17 N every 0.1 s."""
    robot = load("spatial3")
    heavy = with_bodies(robot, crossbar=lambda b: replace(b, mass=0.5), closing=lambda b: replace(b, mass=0.5))
    x, xd, xdd = samples(robot, "paper", 11)
    change = forces(heavy, "paper", "virtual_work", 11) - forces(robot, "paper", "virtual_work", 11)
    assert_printed(np.abs(change).max(axis=0)[2], 17.0, digits=2)
    sliders = inverse_kinematics(robot, State(x, xd, xdd))
    theta, rate, second = x[:, 2], xd[:, 2], xdd[:, 2]
    out, down = -r * np.cos(theta), r * np.sin(theta)  # C5 from P, along x and z
    a_x = second * down - rate**2 * out
    a_z = xdd[:, 1] - second * out - rate**2 * down
    at_c5 = 0.5 * np.stack([xdd[:, 0], a_z + G, a_x * down - (a_z + G) * out], axis=1)
    expected = np.linalg.solve(np.swapaxes(sliders.K, 1, 2), at_c5[..., None])[..., 0]
    expected[:, 2] += 0.5 * (sliders.qdd[:, 2] + G)
    assert change == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("spread", [0.001, 0.2])
def test_distance_of_the_bars_has_no_effect(spread):
    robot = load("spatial3")
    legs = [{**leg, "spread": spread} if leg["name"] == "C" else leg for leg in robot.spec["leg"]]
    other = robot.with_spec({**robot.spec, "leg": legs})
    assert other.legs[2].joints[2].offset[1] == pytest.approx(spread)
    found, expected = (forces(each, "paper", "virtual_work", 21) for each in (other, robot))
    assert found == pytest.approx(expected, abs=2e-13 * np.abs(expected).max())


def test_mobility_of_the_cut_tree():
    """Ten joints, nine loop equations (A3, B3, and the second bar's end) of rank seven: three degrees of freedom."""
    robot = load("spatial3")
    pose = Model(robot, NewtonEuler()).motion(*map(np.ravel, Motion.named(robot, "paper").law(np.array([0.3])))).pose
    links = [pose.legs[0].links[:2], pose.legs[1].links[:2], pose.legs[2].links]
    first = np.cumsum([0] + [len(own) for own in links])

    def point_rows(leg, last, point):
        rows = np.zeros((3, first[-1]))
        k = last
        while k >= 0:
            link, joint = links[leg][k], robot.legs[leg].joints[k]
            rows[:, first[leg] + k] = link.e if joint.kind == "P" else np.cross(link.e, point - link.p)
            k = joint.parent
        return rows

    rows = []
    for leg in (0, 1):
        end = np.array(pose.platform.p_BP + pose.legs[leg].r_end, float)
        rows.append(point_rows(leg, 1, end) - point_rows(2, 4, end))
    bars = links[2]
    tip = np.array(bars[5].p + bars[5].R @ [L, 0, 0], float)
    rows.append(point_rows(2, 5, tip) - point_rows(2, 3, tip))
    C = np.vstack(rows)
    assert C.shape == (9, 10)
    values = np.linalg.svd(C, compute_uv=False)
    assert values[6] > 1e-3
    assert values[7] < 1e-14


def test_forward_simulation_is_of_fourth_order():
    """Section 4: Runge-Kutta with the forces of the motion, worst error of the final state at 100, 200, 400 steps."""
    robot = load("spatial3")
    law = Motion.named(robot, "paper")

    def final_error(steps):
        tau = inverse_dynamics(robot, law(np.linspace(0.0, 1.0, 2 * steps + 1))).force
        state, dt = np.concatenate([law(0.0).x, law(0.0).xd]), 1.0 / steps

        def rates(s, f):
            return np.concatenate([s[3:], forward_dynamics(robot, State(s[:3], s[3:]), f).xdd])

        for k in range(steps):
            first, middle, last = tau[2 * k : 2 * k + 3]
            k1 = rates(state, first)
            k2 = rates(state + dt / 2 * k1, middle)
            k3 = rates(state + dt / 2 * k2, middle)
            k4 = rates(state + dt * k3, last)
            state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return np.abs(state - np.concatenate([law(1.0).x, law(1.0).xd])).max()

    found = [final_error(steps) for steps in (100, 200, 400)]
    assert_printed(found, [1.2e-6, 7.6e-8, 4.7e-9], digits=2, zero=0.0)
