"""The hexapod's companion: derived numbers, and remarks on readings beside those of the misprints."""

import numpy as np
import pytest

from gough import Motion, load
from gough.kinematics import inverse_kinematics
from gough.kinematics.bodies import body_poses
from gough.kinematics.robot_pose import robot_pose, ways_of
from tests.papers import test_kinematic_misprints_hexapod as paper_000
from tests.papers.test_misprints_hexapod import LENGTH, MASS, MOTIONS, effect, leg
from tests.support.papers import assert_printed, paper
from tests.support.readings import forces, power_failure, samples, with_bodies

A0, L0, l0, l3 = np.pi / 36, 0.6, 0.3, 0.5
l1 = 2 * (L0 - l0) * np.sin(np.pi / 3 - A0) / np.sqrt(2)
BETA0, BETA = np.arcsin((L0 - l0) / l1), np.arcsin(2 * l0 / l3 * np.sin(np.pi / 6 - A0))


def test_derived_numbers():
    """Section 1, and that the catalogue's robot has them."""
    geometry = paper("hexapod")["geometry"]
    h = l1 * np.cos(BETA0) + l3 * np.cos(BETA)
    Lb, Lp = (2 * radius * np.sin(np.pi / 3 - A0) for radius in (L0, l0))
    found = {"Lb": Lb, "Lp": Lp, "l1": l1, "s": 2 * l1, "beta0": BETA0, "beta": BETA, "h": h}
    for name, value in found.items():
        assert_printed(value, geometry[name])
    assert_printed([np.degrees(BETA0), np.degrees(BETA)], [59.6798, 30.4736], digits=6)
    robot = load("hexapod")
    assert robot.platform.home[2] == pytest.approx(h, rel=1e-15)
    for each in robot.legs:
        e = np.array(each.rotation) @ each.joints[0].axis
        n = (np.array(robot.platform.home[:3]) + each.end.platform_point - np.array(each.position)) / l3
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-15)
        assert_printed(n @ e, 0.620106546913)
        assert [np.arccos(e[2]), np.arccos(n[2])] == pytest.approx([BETA0, BETA], abs=1e-15)
        assert np.hypot(*each.position[:2]) == pytest.approx(l0, abs=1e-15)
        assert each.joints[0].limits.stroke == pytest.approx((-l1, l1), rel=1e-15)


def test_a_mirrored_universal_joint_closes_too():
    """1. a_beta^T theta1^T theta2 in a32 is the same mechanism with phi32 reversed."""
    for name in paper_000.LEGS:
        a10, a20, _, _ = paper_000.matrices(name)
        a30 = paper_000.about_z(BETA).T @ paper_000.THETA1.T @ paper_000.THETA2 @ a20
        slider = L0 * paper_000.about_z(paper_000.ALPHA1[name]).T @ [1, 0, 0] + l1 * a10.T @ [0, 0, 1]
        end = paper_000.platform_joint(name) + [0, 0, paper_000.h]
        assert np.abs(slider + a30.T @ [0, l3, 0] - end).max() < 1e-15
        assert abs((a20.T @ [0, 0, 1]) @ (a30.T @ [0, 0, 1])) < 1e-15


def test_sizes_of_the_printed_tensors():
    """3. and 5.: the platform's is a disc's of 0.2613 m, the leg's more than any leg between its joints can have."""
    robot = load("hexapod")
    body = robot.platform.body
    radius = np.sqrt(4 * body.inertia[0] / body.mass)
    assert_printed(radius, 0.2613, digits=4)
    assert body.mass * radius**2 / 2 == pytest.approx(body.inertia[2], rel=1e-15)
    rod = robot.legs[0].joints[-1].body
    assert (rod.mass, rod.inertia[1] + rod.mass * rod.com[0] ** 2) == pytest.approx((MASS, 0.0722), rel=1e-15)
    found = [MASS * LENGTH**2 / 3, MASS * LENGTH**2 / 12, MASS * LENGTH * LENGTH / 2]
    assert found == pytest.approx([0.0332, 0.0083, 0.0498], abs=5e-5)
    assert found[2] < 0.0722


def test_moment_about_the_mass_centre_is_half_a_percent():
    """4. 0.051 N, of the largest force of its motion."""
    other = with_bodies(load("hexapod"), leg=leg(0.0722 + MASS * 0.25**2))
    off = effect(other)
    most = [np.abs(forces(load("hexapod"), motion)).max() for motion in MOTIONS]
    assert_printed(100 * max(a / b for a, b in zip(off, most, strict=True)), 0.5, digits=1)


def test_guideways_meet():
    """9. At lambda = +l1 all six are at (0, 0, 0.3509)."""
    for each in load("hexapod").legs:
        e = np.array(each.rotation) @ each.joints[0].axis
        assert_printed(np.array(each.position) + l1 * e, [0.0, 0.0, 0.3509], digits=4)


@pytest.mark.parametrize("motion", MOTIONS)
def test_forces_hold_the_load_up(motion):
    """15. All are negative: along z1, with gravity along +z0."""
    assert (forces(load("hexapod"), motion) < 0).all()


@pytest.mark.parametrize("com", [0.0, LENGTH])
def test_claims_hold_wherever_the_mass_centre_is(com):
    """5. Vertical forces grow and are alike, rotation is driven by B, D, F alone."""
    robot = with_bodies(load("hexapod"), leg=leg(0.0722, com))
    vertical, turning = forces(robot, "vertical"), np.abs(forces(robot, "rotation"))
    assert np.ptp(vertical, axis=1).max() < 1e-13
    assert (np.diff(np.abs(vertical), axis=0) > 0).all()
    assert (np.diff(turning[:, 1::2], axis=0) > 0).all()


@pytest.mark.parametrize("motion", MOTIONS)
def test_work_is_the_change_of_energy(motion):
    """2. The motions rest at both ends, so that is the change of height."""
    robot = load("hexapod")
    law = Motion.named(robot, motion)
    lost = 0.0
    for t, sign in ((law.start, 1.0), (law.end, -1.0)):
        for body in body_poses(robot_pose(robot, ways_of(robot), law(t).x)):
            lost += sign * body.body.mass * 9.81 * float(body.c[2])
    assert lost == pytest.approx(paper("hexapod")["motions"][motion]["work_total"], abs=1e-10)  # printed to 12 digits


def literal_16(kind, count=31):
    """Largest changes of a slider's acceleration and of a force by (16) as printed, and of the power balance."""
    robot = load("hexapod")
    x, xd, xdd = samples(robot, kind, count)
    K = inverse_kinematics(robot, x).K
    change, sliders = np.zeros((count, 6)), 0.0
    for name in paper_000.LEGS:
        q = np.zeros(3)
        for k in range(count):
            q = paper_000.closed(name, x[k], q)
            wrong = np.subtract(*(paper_000.accelerations(name, q, x[k], xd[k], xdd[k], p) for p in (True, False)))
            sliders = max(sliders, abs(wrong[0]))
            columns = paper_000.columns_of(name, q)[0]
            p = paper_000.rotation(x[k]).T @ paper_000.platform_joint(name)
            virtual = np.array([column[:3] + np.cross(column[3:], p) for column in np.linalg.inv(K[k]).T]).T
            change[k] += np.linalg.solve(columns, virtual).T @ inertia(columns) @ wrong
    return sliders, change


def inertia(columns):
    """(3, 3) of a slider, its universal joint and its leg, on lambda, phi21, phi32: columns of (13) are e and l3 n'."""
    total = np.zeros((3, 3))
    slide, swing = np.zeros((3, 3)), columns / l3
    slide[:, 0], swing[:, 0] = columns[:, 0], 0.0
    total += (0.1 + 0.05 + MASS) * slide.T @ slide + 0.0722 * swing.T @ swing
    return total + MASS * LENGTH / 2 * (slide.T @ swing + swing.T @ slide)


def test_equation_16_in_forces():
    """10. As printed the forces are off by up to 0.083 N, the sliders by up to 0.18 m/s^2, and power is lost."""
    robot, found = load("hexapod"), {motion: literal_16(motion) for motion in MOTIONS}
    assert_printed(max(sliders for sliders, _ in found.values()), 0.18, digits=2)
    assert_printed(max(np.abs(change).max() for _, change in found.values()), 0.083, digits=2)
    for motion, (_, change) in found.items():
        own = forces(robot, motion, "virtual_work", 31)
        assert power_failure(robot, motion, own, 31) < 1e-13
        if motion != "vertical":
            assert power_failure(robot, motion, own + change, 31) > 1e-3
