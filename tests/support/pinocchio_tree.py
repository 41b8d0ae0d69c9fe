"""A robot as Pinocchio sees it: every leg a branch of one tree, the platform a free body, loops as constraint rows.

Built from the values of a `Robot` alone, with Pinocchio's own frames: nothing of gough's kinematics enters. A leg's end
is cut from the platform and closed by three or six rows; a joint that mimics another is a joint of its own with a row
that ties it. Joints are added depth-first, which `crba` and the constrained dynamics need. Bodies may be massless.
"""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from gough import Body, Joint, Leg, Robot


@dataclass(frozen=True)
class Tree:
    """A cut tree and what closes it.

    Attributes:
        robot: Whose.
        model, data: Pinocchio's.
        joints: For each leg the joint ids in the order of its joints.
        ends: For each leg the frame ids of its end on the leg and on the platform.
        platform: Joint id of the free platform.
        mimics: (leg, joint) pairs of the joints that mimic.
    """

    robot: Robot
    model: pin.Model
    data: pin.Data
    joints: list[list[int]]
    ends: list[tuple[int, int]]
    platform: int
    mimics: list[tuple[int, int]]

    def configuration(self, coordinates, x):
        """(nq,) from all joint coordinates, leg by leg, and the platform's coordinates x."""
        q = pin.neutral(self.model)
        ids = [i for leg in self.joints for i in leg]
        for i, value in zip(ids, coordinates, strict=True):
            q[self.model.joints[i].idx_q] = value
        p, R = platform_frame(self.robot, x)
        at = self.model.joints[self.platform].idx_q
        q[at : at + 7] = pin.SE3ToXYZQUAT(pin.SE3(R, p))
        return q

    def places(self):
        """Velocity indices of all leg joints, leg by leg."""
        return [self.model.joints[i].idx_v for leg in self.joints for i in leg]

    def platform_places(self):
        """Velocity indices of the platform's six rates (its own axes: linear, angular)."""
        at = self.model.joints[self.platform].idx_v
        return list(range(at, at + 6))

    def gaps(self, q):
        """For each leg the distance of its end from the platform and, for a rigid end, the angle between the frames."""
        pin.forwardKinematics(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        found = []
        for leg, (mine, theirs) in zip(self.robot.legs, self.ends, strict=True):
            a, b = self.data.oMf[mine], self.data.oMf[theirs]
            found.append(float(np.linalg.norm(a.translation - b.translation)))
            if leg.end.kind == "rigid":
                found.append(float(np.linalg.norm(pin.log3(a.rotation.T @ b.rotation))))
        return np.array(found)

    def constraint(self, q, v):
        """(rows, nv) C and (rows,) b with C v = 0 and C vd + b = 0."""
        model, data = self.model, self.data
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rows, bias = [], []
        for leg, frames in zip(self.robot.legs, self.ends, strict=True):
            size = 6 if leg.end.kind == "rigid" else 3
            J = [pin.getFrameJacobian(model, data, f, world)[:size] for f in frames]
            a = [pin.getFrameClassicalAcceleration(model, data, f, world).vector[:size] for f in frames]
            rows.append(J[0] - J[1])
            bias.append(a[0] - a[1])
        for leg, k in self.mimics:
            mimic = self.robot.legs[leg].joints[k].mimic
            row = np.zeros(model.nv)
            row[model.joints[self.joints[leg][k]].idx_v] = 1.0
            row[model.joints[self.joints[leg][mimic.joint]].idx_v] -= mimic.ratio
            rows.append(row[None])
            bias.append(np.zeros(1))
        return np.vstack(rows), np.concatenate(bias)


def build_tree(robot, moving=False, onto=None):
    """The tree of a robot of plain numbers; on a free base of no mass, whose six rates come first, if it moves.

    Or `onto` (tree, place): added to that tree, on its platform at that place.
    """
    model, root, place, prefix = pin.Model(), 0, pin.SE3.Identity(), ""
    if onto is not None:
        model, root, place, prefix = onto[0].model, onto[0].platform, onto[1], "upper "
    else:
        model.gravity.linear = np.array(robot.gravity)
    root = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "base") if moving else root
    joints, mimics = [], []
    for k, leg in enumerate(robot.legs):
        joints.append(_add_leg(model, leg, root, place, prefix))
        mimics += [(k, i) for i, joint in enumerate(leg.joints) if joint.mimic is not None]
    platform = model.addJoint(root, pin.JointModelFreeFlyer(), place, f"{prefix}platform")
    model.appendBodyToJoint(platform, inertia(robot.platform.body), pin.SE3.Identity())
    ends = []
    for leg, ids in zip(robot.legs, joints, strict=True):
        end = leg.end
        mine = pin.SE3(np.array(end.rotation), np.array(end.point))
        theirs = pin.SE3(np.array(end.platform_rotation), np.array(end.platform_point))
        ends.append(
            (
                _frame(model, f"{prefix}{leg.name} end", ids[end.joint], mine),
                _frame(model, f"{prefix}{leg.name}", platform, theirs),
            )
        )
    return Tree(robot, model, model.createData(), joints, ends, platform, mimics)


def _add_leg(model, leg: Leg, root, on, prefix):
    """Joint ids in the order of the leg's joints, added depth-first."""
    base = on * pin.SE3(np.array(leg.rotation), np.array(leg.position))
    ids = {-1: root}

    def add(k):
        joint: Joint = leg.joints[k]
        place = pin.SE3(np.array(joint.rotation), np.array(joint.offset))
        if joint.parent < 0:
            place = base * place
        axis = np.array(joint.axis)
        kind = pin.JointModelPrismaticUnaligned(axis) if joint.kind == "P" else pin.JointModelRevoluteUnaligned(axis)
        ids[k] = model.addJoint(ids[joint.parent], kind, place, f"{prefix}{leg.name}.{joint.name}")
        model.appendBodyToJoint(ids[k], inertia(joint.body), pin.SE3.Identity())
        for child, other in enumerate(leg.joints):
            if other.parent == k:
                add(child)

    for k, joint in enumerate(leg.joints):
        if joint.parent < 0:
            add(k)
    return [ids[k] for k in range(len(leg.joints))]


def _frame(model, name, joint, place):
    return model.addFrame(pin.Frame(name, joint, 0, place, pin.FrameType.OP_FRAME))


def inertia(body: Body):
    """Pinocchio's inertia of a body; it may be zero."""
    xx, yy, zz, xy, xz, yz = body.inertia
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return pin.Inertia(body.mass, np.array(body.com), tensor)


def platform_frame(robot, x):
    """p_BP, R_BP at the platform coordinates x, by Pinocchio's own rotations."""
    platform = robot.platform
    p, R = np.array(platform.position), np.array(platform.rotation)
    for coordinate, value in zip(platform.coordinates, x, strict=True):
        axis = np.eye(3)["xyz".index(coordinate.motion[-1])]
        if coordinate.motion.startswith("r"):
            R = R @ pin.exp3(axis * value)
        else:
            p = p + np.array(platform.rotation) @ axis * value
    return p, R


def platform_rates(robot, x, xd, xdd):
    """(6,) velocity and (6,) acceleration of the free platform in its own axes, as Pinocchio counts them."""
    chain, q, qd, qdd = _platform_chain(robot, x, xd, xdd)
    data = chain.createData()
    pin.forwardKinematics(chain, data, q, qd, qdd)
    last = chain.njoints - 1
    return data.v[last].vector.copy(), data.a[last].vector.copy()


def platform_efforts(robot, x, xd, xdd):
    """(N, n) efforts along the coordinates that the motion and the weight of the platform alone take."""
    found = []
    for row in zip(x, xd, xdd, strict=True):
        chain, q, qd, qdd = _platform_chain(robot, *row)
        chain.appendBodyToJoint(chain.njoints - 1, inertia(robot.platform.body), pin.SE3.Identity())
        chain.gravity.linear = np.array(robot.gravity)
        turning = [c.motion.startswith("r") for c in robot.platform.coordinates]
        order = sorted(range(len(turning)), key=lambda k: turning[k])
        effort = np.empty(len(q))
        effort[order] = pin.rnea(chain, chain.createData(), q, qd, qdd)
        found.append(effort)
    return np.array(found)


def _platform_chain(robot, x, xd, xdd):
    """The platform's coordinates as a chain of joints: all slides first, then the turns in their order."""
    model = pin.Model()
    platform = robot.platform
    place = pin.SE3(np.array(platform.rotation), np.array(platform.position))
    turning = [c.motion.startswith("r") for c in platform.coordinates]
    order = sorted(range(len(turning)), key=lambda k: turning[k])
    at = 0
    for k in order:
        axis = np.eye(3)["xyz".index(platform.coordinates[k].motion[-1])]
        kind = pin.JointModelRevoluteUnaligned(axis) if turning[k] else pin.JointModelPrismaticUnaligned(axis)
        at = model.addJoint(at, kind, place, str(k))
        place = pin.SE3.Identity()
    return model, np.array(x)[order], np.array(xd)[order], np.array(xdd)[order]
