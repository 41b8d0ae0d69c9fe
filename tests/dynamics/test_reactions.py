"""Joint reactions: every body in balance, axes free of effort, actuators' efforts, and what is indeterminate.

The oracle writes the balance of every body one by one, with six unknowns per joint, and solves it by least squares.
"""

import re
from functools import partial

import numpy as np
import pytest

from gough import State, load
from gough.dynamics import inverse_dynamics, joint_reactions
from gough.dynamics.force_programs import Model
from gough.dynamics.newton_euler import NewtonEuler
from gough.graph import array
from gough.kinematics import PoseError, inverse_kinematics
from gough.kinematics.bodies import body_accelerations, body_poses, body_velocities
from gough.kinematics.random_states import random_states
from tests.support.catalogue_lanes import HELD
from tests.support.loaded_robots import loaded, rescaled, rubbing
from tests.support.random_robots import random_robot

OVERCONSTRAINED = {"delta": 3, "spatial3": 3, "planar3rrr": 6}
ROBOTS = {
    **{name: partial(load, name) for name in (*HELD, "ankle", "rps3")},
    "loaded sru": lambda: rubbing(loaded(load("sru"), 1), 1),
    "loaded delta": lambda: rubbing(loaded(load("delta"), 2), 2),
    "loaded spatial3": lambda: rubbing(loaded(load("spatial3"), 2), 2),
    "other stewart": lambda: rubbing(rescaled(load("stewart"), 3), 3),
    "random RUS": lambda: random_robot("RUS", 5),
}


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def transfer(arm):
    """(6, 6): force and moment about a point from those at a point `arm` away."""
    out = np.eye(6)
    out[3:, :3] = cross(arm)
    return out


class Balance:
    """All unknowns of one state: six per joint, three or six per leg end."""

    def __init__(self, robot, x, xd, xdd, wrench):
        self.robot = robot
        self.motion = Model(robot, NewtonEuler()).motion(x, xd, xdd)
        self.places, self.count = {}, 0
        for number, leg in enumerate(robot.legs):
            for k in [*range(len(leg.joints)), "end"]:
                size = 3 if k == "end" and leg.end.kind == "spherical" else 6
                self.places[number, k] = slice(self.count, self.count + size)
                self.count += size
        self.rows, self.right = [], []
        self._bodies(wrench)
        self._axes()
        self.A, self.b = np.vstack(self.rows), np.concatenate(self.right)
        self.solution = np.linalg.lstsq(self.A, self.b, rcond=1e-10)[0]
        _, s, Vt = np.linalg.svd(self.A)
        rank = (s > 1e-10 * s[0]).sum()
        self.null = Vt[rank:].T

    def _needed(self):
        """Load of every body by (leg, joint): force and moment about its centre of mass, which is returned too."""
        pose, t, r = self.motion.pose, self.motion.twist, self.motion.twist_rate
        bodies = body_poses(pose)
        velocities = body_velocities(pose, bodies, t.v, t.w)
        rates = body_accelerations(pose, bodies, (t.v, t.w), (r.a, r.wd))
        found = {}
        for b, (_, w), (a, wd) in zip(bodies, velocities, rates, strict=True):
            I, w = np.array(b.tensor(), float), np.array(w, float)
            moment = I @ np.array(wd, float) + np.cross(w, I @ w)
            force = b.body.mass * (np.array(a, float) - self.robot.gravity)
            found[b.leg, b.k] = np.array(b.c, float), np.concatenate([force, moment])
        return found

    def _point(self, number, k):
        pose = self.motion.pose.legs[number]
        if k == "end":
            return np.array(self.motion.pose.platform.p_BP + pose.r_end, float)
        return np.array(pose.links[k].p, float)

    def _bodies(self, wrench):
        needed = self._needed()
        origin = np.array(self.motion.pose.platform.p_BP, float)
        platform = np.zeros((6, self.count))
        for number, leg in enumerate(self.robot.legs):
            for k in range(len(leg.joints)):
                c, load = needed.get((number, k), (self._point(number, k), np.zeros(6)))
                row = np.zeros((6, self.count))
                row[:, self.places[number, k]] = transfer(self._point(number, k) - c)
                children = [j for j, joint in enumerate(leg.joints) if joint.parent == k]
                for child in children + (["end"] if leg.end.joint == k else []):
                    place = self.places[number, child]
                    row[:, place] = -transfer(self._point(number, child) - c)[:, : place.stop - place.start]
                self._add(row, load)
            place = self.places[number, "end"]
            platform[:, place] = transfer(self._point(number, "end") - origin)[:, : place.stop - place.start]
        c, load = needed[-1, -1]
        self._add(platform, transfer(c - origin) @ load - wrench)

    def _axes(self):
        for number, leg in enumerate(self.robot.legs):
            rates = self.motion.leg_rates[number]
            for source, joint in enumerate(leg.joints):
                if joint.actuated or joint.mimic:
                    continue
                row, value = np.zeros((1, self.count)), 0.0
                for k, other in enumerate(leg.joints):
                    if k != source and not (other.mimic and other.mimic.joint == source):
                        continue
                    ratio = 1.0 if k == source else other.mimic.ratio
                    axis = np.array(self.motion.pose.legs[number].links[k].e, float)
                    start = self.places[number, k].start + (0 if other.kind == "P" else 3)
                    row[0, start : start + 3] += ratio * axis
                    value -= ratio * other.viscous * float(rates[k])
                self._add(row, [value])

    def _add(self, row, value):
        self.rows.append(row)
        self.right.append(np.asarray(value, float))

    def section(self, number, joints, point):
        """(6,) wrench through a section about a point, and whether the null space leaves each component alone."""
        value, change = np.zeros(6), np.zeros((6, self.null.shape[1]))
        for k in joints or ("end",):
            place = self.places[number, k]
            to = transfer(self._point(number, k) - point)[:, : place.stop - place.start]
            value += to @ self.solution[place]
            change += to @ self.null[place]
        return value, (np.abs(change) < 1e-6).all(axis=1)


@pytest.mark.parametrize("name", ROBOTS)
def test_against_the_balance_of_every_body(name):
    from gough.dynamics.reaction_system import sections

    robot = ROBOTS[name]()
    states = random_states(robot, 4, seed=6)
    result = joint_reactions(robot, states)
    for n in range(len(states)):
        oracle = Balance(robot, *(values[n] for values in states.inputs(robot).values()))
        scale = np.abs(oracle.solution).max()
        assert np.abs(oracle.A @ oracle.solution - oracle.b).max() < 1e-11 * scale
        assert oracle.null.shape[1] == result.indeterminacy[n] == OVERCONSTRAINED.get(name.split()[-1], 0)
        for s, (title, number, joints) in enumerate(sections(robot)):
            assert result.names[s] == title
            value, known = oracle.section(number, joints, result.points[n, s])
            mine = np.concatenate([result.joint_force[n, s], result.joint_moment[n, s]])
            assert (known == result.determinate[n, s]).all(), title
            assert (np.isfinite(mine) == known).all()
            assert np.abs(mine - value)[known].max(initial=0.0) < 1e-10 * scale, title


@pytest.mark.parametrize("name", ROBOTS)
def test_actuators_carry_their_efforts(name):
    """Along its axis an actuated joint transmits the force of inverse dynamics, less rotor and friction."""
    robot = ROBOTS[name]()
    states = random_states(robot, 20, seed=7)
    result = joint_reactions(robot, states)
    inverse = inverse_dynamics(robot, states)
    joints = [(leg, joint) for leg in robot.legs for joint in leg.joints if joint.actuated]
    second = inverse_kinematics(robot, State(states.x, states.xd, states.xdd)).qdd
    axes = _axes(robot, states)
    for k, (leg, joint) in enumerate(joints):
        own = joint.viscous * inverse.qd[:, k] + joint.coulomb * np.sign(inverse.qd[:, k])
        rotor = joint.rotor_inertia * joint.gear**2 * second[:, k]
        s = result.names.index(f"{leg.name}.{joint.name}")
        carried = (result.joint_force if joint.kind == "P" else result.joint_moment)[:, s]
        sound = np.isfinite(carried).all(axis=1)
        along = (carried * axes[:, k]).sum(axis=1)
        expected = inverse.force[:, k] - own - rotor
        assert np.abs(along - expected)[sound].max(initial=0.0) < 1e-10 * np.abs(inverse.force).max()
        if name in ("stewart", "hexapod", "sru", "rotary"):
            assert sound.all()


def _axes(robot, states):
    found = []
    for x, xd, xdd in zip(states.x, states.xd, states.xdd, strict=True):
        pose = Model(robot, NewtonEuler()).motion(x, xd, xdd).pose
        found.append([
            np.array(leg.links[k].e, float)
            for leg in pose.legs
            for k, joint in enumerate(leg.leg.joints)
            if joint.actuated
        ])  # fmt: skip
    return np.array(found)


def test_one_sample_and_none():
    robot = load("stewart")
    states = random_states(robot, 3)
    many = joint_reactions(robot, states)
    one = joint_reactions(robot, states[1])
    assert one.joint_force == pytest.approx(many.joint_force[1], abs=1e-12)
    assert one.indeterminacy == 0
    far = np.array([0.0, 0.0, 0.1, 0.0, 0.0, 0.0])
    hexapod = load("hexapod")
    with pytest.raises(PoseError):
        joint_reactions(hexapod, far + [9.0, 0, 0, 0, 0, 0])


def test_weight_at_rest():
    """The legs' base joints carry the whole weight, whatever is indeterminate."""
    for name in ("stewart", "sru", "hexapod"):
        robot = load(name)
        result = joint_reactions(robot, robot.platform.home)
        first = [result.names.index(f"{leg.name}.{leg.joints[0].name}") for leg in robot.legs]
        mass = robot.platform.body.mass + sum(joint.body.mass for leg in robot.legs for joint in leg.joints)
        assert result.joint_force[first].sum(axis=0) == pytest.approx(
            -mass * array(robot.gravity).astype(float), abs=1e-11
        )


@pytest.mark.parametrize(
    ("name", "rate", "line"),
    [
        ("rps3", "xd", "numbers overflow: the largest given is 1e+200, give smaller ones"),
        ("delta", "xd", "numbers overflow: the largest given is 1e+200, give smaller ones"),
        ("stewart", "xd", "numbers overflow: the largest given is 1e+200, give smaller ones"),
        ("cable8", "xdd", "no forces within the actuators' limits give the platform what it needs"),
    ],
)
def test_loads_that_nothing_bears_are_told_as_by_inverse_dynamics(name, rate, line):
    robot = load(name)
    rest = np.zeros((2, robot.dof))
    given = {"xd": rest.copy(), "xdd": rest.copy()}
    given[rate][1] = 1e200
    for call in (joint_reactions, inverse_dynamics):
        with pytest.raises(PoseError, match=re.escape(line)):
            call(robot, State(robot.home, given["xd"][1], given["xdd"][1]))
    both = joint_reactions(robot, State([robot.home] * 2, **given))
    alone = joint_reactions(robot, State(robot.platform.home, rest[0], rest[0]))
    np.testing.assert_allclose(both.joint_force[0], alone.joint_force, rtol=0.0, atol=1e-9)
    assert np.isnan(both.joint_force[1]).all()
    assert not both.determinate[1].any()
