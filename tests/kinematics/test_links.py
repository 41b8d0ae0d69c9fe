"""Identities: twists of links are the derivatives of their positions; legs that do not spin; mimics; side branches."""

from dataclasses import fields, replace

import numpy as np
import pytest

from gough import Mimic, catalogue, load
from gough.graph import jvp, record
from gough.kinematics.bodies import body_accelerations, body_poses, body_velocities
from gough.kinematics.leg import ChainLeg, by_joints
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.thin_leg import ThinLeg
from gough.run import Program
from tests.support.catalogue_lanes import TREES
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.robots import with_values

EXACT = 1e-12
NAMES = [*TREES, *KINDS, "offset_universal"]


def robot_of(name):
    if name in catalogue():
        return load(name)
    return random_robot(name, 6) if name in KINDS else odd_robot(name)


def as_thin(leg):
    """The leg told by its direction alone."""
    return ThinLeg(*[getattr(leg, field.name) for field in fields(ChainLeg)], leg.closure.rod)


def axial(W):
    """Vector of the antisymmetric part of a matrix."""
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) * 0.5


def run(robot, both, seed=31, count=5):
    n = len(robot.platform.coordinates)
    x, xd, xdd = motion_near_home(robot, count, seed)
    return Program(record(both, x=n, xd=n, xdd=n), executor="blocks")(x=x, xd=xd, xdd=xdd)


def assert_pairs(found):
    for name in [name for name in found if f"{name}_derived" in found]:
        expected = found[f"{name}_derived"]
        assert np.isfinite(found[name]).all()
        assert np.abs(found[name] - expected).max() <= EXACT * max(1.0, np.abs(expected).max()), name


@pytest.mark.parametrize("name", NAMES)
def test_twists_of_links_derive_from_their_frames(name):
    """Of every link of the chain as it is built, mimics and side branches included."""
    robot = robot_of(name)
    ways = ways_of(robot)

    def both(x, xd, xdd):
        pose = robot_pose(robot, ways, x)
        v, w = pose.platform.twist(xd)
        a, wd = pose.platform.twist_rate(xd, xdd)
        now, rate = np.concatenate([x, xd]), np.concatenate([xd, xdd])
        out = {key: [] for key in ("v", "w", "a", "wd", "v_derived", "w_derived", "a_derived", "wd_derived")}
        for leg in pose.legs:
            spinning = by_joints(leg)
            twists, rates = spinning.twists(v, w), spinning.twist_rates(v, w, a, wd)
            for link, twist, twist_rate in zip(leg.links, twists, rates, strict=True):
                out["v"].append(twist.v)
                out["w"].append(twist.w)
                out["a"].append(twist_rate.a)
                out["wd"].append(twist_rate.wd)
                out["v_derived"].append(jvp(link.p, x, xd))
                out["w_derived"].append(axial(jvp(link.R, x, xd) @ link.R.T))
                out["a_derived"].append(jvp(twist.v, now, rate))
                out["wd_derived"].append(jvp(twist.w, now, rate))
        return {key: np.concatenate(value) for key, value in out.items()}

    assert_pairs(run(robot, both))


@pytest.mark.parametrize("name", NAMES)
def test_bodies_move_as_their_positions_say(name):
    """Centres of mass and angular velocities of all bodies with mass, whichever way they are worked out."""
    robot = robot_of(name)
    ways = ways_of(robot)

    def both(x, xd, xdd):
        pose = robot_pose(robot, ways, x)
        bodies = body_poses(pose)
        v, w = pose.platform.twist(xd)
        velocities = body_velocities(pose, bodies, v, w)
        accelerations = body_accelerations(pose, bodies, (v, w), pose.platform.twist_rate(xd, xdd))
        now, rate = np.concatenate([x, xd]), np.concatenate([xd, xdd])
        return {
            "v": np.concatenate([v for v, _ in velocities]),
            "v_derived": np.concatenate([jvp(b.c, x, xd) for b in bodies]),
            "a": np.concatenate([a for a, _ in accelerations]),
            "a_derived": np.concatenate([jvp(v, now, rate) for v, _ in velocities]),
            "wd": np.concatenate([wd for _, wd in accelerations]),
            "wd_derived": np.concatenate([jvp(np.asarray(w, dtype=object), now, rate) for _, w in velocities]),
        }

    assert_pairs(run(robot, both))


@pytest.mark.parametrize("kind", ["UPS", "SPS", "PUS", "PSS", "RUS", "RSS"])
def test_a_leg_that_does_not_spin_lies_where_the_real_one_does(kind):
    """Points on the rod, their velocities and accelerations, and the rod's direction; its spin alone differs."""
    robot = random_robot(kind, 7)
    ways = ways_of(robot)
    rng = np.random.default_rng(8)
    xs, xds, xdds = motion_near_home(robot, 4, 32)
    for x, xd, xdd in zip(xs, xds, xdds, strict=True):
        pose = robot_pose(robot, ways, x)
        v, w = pose.platform.twist(xd)
        a, wd = pose.platform.twist_rate(xd, xdd)
        for leg in pose.legs:
            still, real = as_thin(leg), by_joints(leg)
            rod = leg.closure.rod
            for k in rod.at:
                n = rod.n
                u = leg.links[k].R @ rod.u[k]
                assert np.abs(u - n).max() < 1e-14
                r = rod.u[k] * rng.normal()
                assert np.abs(still.position(k, r) - real.position(k, r)).max() < 1e-14
                one, other = still.twists(v, w)[k], real.twists(v, w)[k]
                assert abs(one.w @ n) < 1e-13
                assert np.abs(one.v - other.v).max() < 1e-12
                assert np.abs(one.w - (other.w - n * (n @ other.w))).max() < 1e-12
                one_rate, other_rate = still.twist_rates(v, w, a, wd)[k], real.twist_rates(v, w, a, wd)[k]
                at = n * rng.normal()
                assert np.abs(one_rate.a - other_rate.a).max() < 1e-11
                turned = [
                    rate.a + np.cross(rate.wd, at) + np.cross(twist.w, np.cross(twist.w, at))
                    for rate, twist in ((one_rate, one), (other_rate, other))
                ]
                assert np.abs(turned[0] - turned[1]).max() < 1e-11
                assert abs(one_rate.wd @ n) < 1e-12


def test_legs_free_to_spin_and_thin_legs_are_treated_without_spin():
    for name, expected in {"stewart": True, "hexapod": True, "rotary": False, "sru": False}.items():
        robot = load(name)
        pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
        assert {type(leg) for leg in pose.legs} == {ThinLeg if expected else ChainLeg}, name
    for kind in ("SPS", "PSS", "RSS"):
        robot = random_robot(kind, 0)
        pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
        assert {type(leg) for leg in pose.legs} == {ThinLeg}


def test_parallelogram_keeps_its_bars_parallel():
    robot = load("delta")
    for x in motion_near_home(robot, 5, 33)[0]:
        for leg in robot_pose(robot, ways_of(robot), x).legs:
            crank, crossbar, bar, closing, end, second = leg.links
            np.testing.assert_allclose(second.R, bar.R, rtol=0, atol=1e-15)
            np.testing.assert_allclose(closing.R, crossbar.R, rtol=0, atol=2e-15)
            across = crossbar.R @ [0.0, 2 * 0.09, 0.0]
            np.testing.assert_allclose(bar.p - second.p, across, rtol=0, atol=1e-15)
            assert np.abs(end.R @ np.array(leg.leg.end.rotation) - leg.leg.end.platform_rotation).max() < 1e-14
            assert crank is leg.links[0]


def test_a_mimic_with_ratio_and_offset_on_a_side_branch():
    """A gauge wheel on the cylinder that turns twice as far as the leg's second joint, and a rule along the slide."""
    robot = load("stewart")
    leg = robot.legs[0]
    wheel = replace(leg.joints[1], name="wheel", parent=1, mimic=Mimic(1, 2.0, 0.3), offset=(0.1, 0.0, 0.02), start=0.3)
    rule = replace(
        leg.joints[2], name="rule", parent=3, mimic=Mimic(2, -0.5, 0.7), actuated=False, axis=(0.0, 0.6, 0.8)
    )
    odd = with_values(robot, legs=(replace(leg, joints=(*leg.joints, wheel, rule)), *robot.legs[1:]))
    ways = ways_of(odd)
    assert ways.legs[0].form.name == "ups"

    def both(x, xd, xdd):
        pose = robot_pose(odd, ways, x)
        v, w = pose.platform.twist(xd)
        first = pose.legs[0]
        return {
            "joint_q": np.array(first.values()),
            "rates": np.array(first.rates(v, w)),
            "rates_derived": jvp(np.array(first.values()), x, xd),
            "v": first.twists(v, w)[4].v,
            "v_derived": jvp(first.links[4].p, x, xd),
        }

    found = run(odd, both)
    assert_pairs(found)
    position = found["joint_q"]
    np.testing.assert_allclose(position[:, 3], 2.0 * position[:, 1] + 0.3, rtol=0, atol=1e-15)
    np.testing.assert_allclose(position[:, 4], -0.5 * position[:, 2] + 0.7, rtol=0, atol=1e-15)
