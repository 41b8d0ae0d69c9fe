"""Actuator forces by Pinocchio: recursive Newton-Euler on the cut tree, projected on the motions the loops allow.

Legs that spin freely get the third axis of their spherical joint and a row that holds the spin about the rod at zero;
the spin's own equation must then hold by itself, which is what makes leaving it out exact.
"""

from dataclasses import replace

import numpy as np
import pinocchio as pin

from gough import Body
from gough.kinematics import inverse_kinematics
from tests.support.pinocchio_tree import build_tree, platform_rates
from tests.support.robots import with_values


class Oracle:
    """Forces of one robot, sample by sample.

    Attributes:
        misfit: The largest residual of the loop equations that was met.
        spin: The largest effort about the axis of a freely spinning leg that was met [N m].
    """

    def __init__(self, robot):
        self.robot, self.misfit, self.spin = robot, 0.0, 0.0
        self.free = [k for k, leg in enumerate(robot.legs) if leg.free_spin]
        self.turn = {k: _last_turn(robot.legs[k]) for k in self.free}
        legs = [_spherical(leg, self.turn[k]) if k in self.free else leg for k, leg in enumerate(robot.legs)]
        self.tree = build_tree(with_values(robot, legs=tuple(legs)))
        self.joints = [joint for leg in legs for joint in leg.joints]
        self.places = self.tree.places()

    def forces(self, x, xd, xdd, wrench=None):
        """(N, actuators) forces; wrench (N, 6) or None."""
        position = inverse_kinematics(self.robot, x).joint_q
        given = [None] * len(x) if wrench is None else wrench
        return np.array([self._force(*sample) for sample in zip(position, x, xd, xdd, given, strict=True)])

    def _force(self, position, x, xd, xdd, wrench):
        tree, model = self.tree, self.tree.model
        q, v, a, C = self.motion(position, x, xd, xdd)
        effort = self.needed(q, v, a) - self.springs(q)
        motors = []
        for joint, place in zip(self.joints, self.places, strict=True):
            effort[place] += joint.viscous * v[place]
            if joint.actuated:
                effort[place] += joint.coulomb * np.sign(v[place])
                effort[place] += joint.rotor_inertia * joint.gear**2 * a[place]
                motors.append(place)
        for k in self.free:
            self.spin = max(self.spin, abs(effort[model.joints[tree.joints[k][self.turn[k] + 1]].idx_v]))
        platform = tree.platform_places()
        if wrench is not None:
            R = tree.data.oMi[tree.platform].rotation
            effort[platform] -= np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
        G = []
        for unit in np.eye(len(x)):
            rates, _ = platform_rates(self.robot, x, unit, 0 * unit)
            G.append(self._solved(C, rates, np.zeros(len(C))))
        G = np.array(G)
        return shared(self.driven(G, motors), G @ effort)

    def driven(self, G, motors):
        """(n, actuators) power of each actuator's unit force in each of the motions G (n, nv)."""
        return G[:, motors]

    def needed(self, q, v, a):
        """(nv,) efforts that the motion of the cut tree takes."""
        return pin.rnea(self.tree.model, self.tree.data, q, v, a)

    def springs(self, q):
        """(nv,) efforts that springs exert in the cut tree: in joints, and of forces at points of bodies."""
        model, data = self.tree.model, pin.Data(self.tree.model)
        effort = np.zeros(model.nv)
        pin.computeJointJacobians(model, data, q)
        for leg, ids in zip(self.tree.robot.legs, self.tree.joints, strict=True):
            for joint, i in zip(leg.joints, ids, strict=True):
                if joint.spring is not None:
                    at, s = model.joints[i], joint.spring
                    effort[at.idx_v] -= s.stiffness * (q[at.idx_q] - joint.zero - s.rest) + s.preload
        for spring in self.robot.springs:
            ends = [self._anchor(data, anchor) for anchor in (spring.first, spring.second)]
            d = ends[1][0] - ends[0][0]
            f = spring.stiffness * (1.0 - spring.free_length / np.linalg.norm(d)) * d
            effort += ends[0][1].T @ f - ends[1][1].T @ f
        return effort

    def _anchor(self, data, anchor):
        """(3,) where an anchor is, and the (3, nv) Jacobian of its velocity."""
        model = self.tree.model
        joint = 0 if anchor.body == "base" else model.getJointId(anchor.body)
        placement = data.oMi[joint]
        arm = placement.rotation @ anchor.point
        J = pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        return placement.translation + arm, J[:3] - pin.skew(arm) @ J[3:]

    def motion(self, position, x, xd, xdd):
        """Configuration, rates and accelerations of the tree, and the matrix C of the loop equations C v = 0."""
        q = self.tree.configuration(self._with_spin(position), x)
        rates, second = platform_rates(self.robot, x, xd, xdd)
        C, _ = self._constraint(q, np.zeros(self.tree.model.nv))
        v = self._solved(C, rates, np.zeros(len(C)))
        C, bias = self._constraint(q, v)
        return q, v, self._solved(C, second, -bias), C

    def _with_spin(self, position):
        """Joint coordinates of the tree: zero for the added axes."""
        values, at = [], 0
        for k, leg in enumerate(self.robot.legs):
            own = list(position[at : at + len(leg.joints)])
            at += len(own)
            if k in self.free:
                own.insert(self.turn[k] + 1, 0.0)
            values += own
        return values

    def _constraint(self, q, v):
        C, bias = self.tree.constraint(q, v)
        model, data = self.tree.model, self.tree.data
        rows, more = [C], [bias]
        for k in self.free:
            joint = self.tree.joints[k][self.turn[k] + 1]
            u = _rod(self.robot.legs[k], self.turn[k])
            rows.append(u @ pin.getJointJacobian(model, data, joint, pin.ReferenceFrame.LOCAL)[None, 3:])
            more.append(np.array([u @ data.a[joint].angular]))
        return np.vstack([row.reshape(-1, model.nv) for row in rows]), np.concatenate(more)

    def _solved(self, C, known, rhs):
        """All rates of C v = rhs, the platform's known."""
        platform = self.tree.platform_places()
        others = [k for k in range(C.shape[1]) if k not in platform]
        target = rhs - C[:, platform] @ known
        found, _, rank, _ = np.linalg.lstsq(C[:, others], target, rcond=1e-11)
        assert rank == len(others)
        full = np.zeros(C.shape[1])
        full[platform], full[others] = known, found
        self.misfit = max(self.misfit, float(np.abs(C @ full - rhs).max() / max(1.0, np.abs(rhs).max())))
        return full


def shared(G, effort):
    """Forces of G force = effort; of several the least, which is how a machine of the lanes shares them."""
    return np.linalg.solve(G, effort) if len(G) == len(G.T) else np.linalg.lstsq(G, effort, rcond=None)[0]


def _last_turn(leg):
    return max(k for k, joint in enumerate(leg.joints) if joint.kind == "R")


def _rod(leg, turn):
    """(3,) the rod's direction in the frame of the last turning joint's body."""
    if turn + 1 < len(leg.joints):
        slide = leg.joints[turn + 1]
        return np.array(slide.rotation) @ slide.axis
    return np.array(leg.end.point) / np.linalg.norm(leg.end.point)


def _spherical(leg, turn):
    """The leg with a third axis, along the rod, behind its universal joint; the body rides on that."""
    axis = tuple(float(v) for v in _rod(leg, turn))
    joints = list(leg.joints)
    third = replace(joints[turn], name="spin", axis=axis, offset=(0.0,) * 3, rotation=_ONE, parent=turn)
    joints[turn] = replace(joints[turn], body=Body())
    behind = [replace(joint, parent=joint.parent + 1) for joint in joints[turn + 1 :]]
    end = replace(leg.end, joint=leg.end.joint + 1)
    return replace(leg, joints=(*joints[: turn + 1], third, *behind), end=end)


_ONE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
