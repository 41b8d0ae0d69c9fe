"""Kinetic and potential energy of a robot from the frames of its links alone, and its exact rate.

Velocities are derivatives of the frames along the motion, so that none of gough's twists, twist rates or Jacobians is
used; the rate of the energy is its derivative along the motion.
"""

from functools import lru_cache

import numpy as np

from gough.graph import array, dot, jvp, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program


def energy(pose, x, xd):
    """(kinetic, potential) energy at rates xd [J]."""
    robot = pose.robot
    parts = [_of(robot.platform.body, pose.platform.R_BP, pose.platform.p_BP, None, x, xd, robot.gravity)]
    for leg in pose.legs:
        rod = leg.closure.rod
        for k, (joint, link) in enumerate(zip(leg.leg.joints, leg.links, strict=True)):
            n = rod.n if leg.leg.free_spin and k in rod.at else None
            parts.append(_of(joint.body, link.R, link.p, n, x, xd, robot.gravity))
    return sum(kinetic for kinetic, _ in parts), sum(potential for _, potential in parts)


def _of(body, R, p, n, x, xd, gravity):
    """Energies of a body; where n is given it does not turn about it."""
    c = p + R @ array(body.com)
    v, Rd = jvp(c, x, xd), jvp(R, x, xd)
    W = R.T @ Rd
    w = array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) * 0.5
    if n is not None:
        axis = R.T @ n
        w = w - axis * dot(axis, w)
    spin = dot(w, body.tensor @ w)
    return (dot(v, v) * body.mass + spin) * 0.5, -dot(array(gravity), c) * body.mass


@lru_cache(maxsize=64)
def energy_program(robot):
    """Program of kinetic, potential and the rate of their sum, with inputs x, xd, xdd; runs without compiling."""
    ways, n = ways_of(robot), len(robot.platform.coordinates)

    def equations(x, xd, xdd):
        kinetic, potential = energy(robot_pose(robot, ways, x), x, xd)
        state, rate = np.concatenate([x, xd]), np.concatenate([xd, xdd])
        return {"kinetic": kinetic, "potential": potential, "rate": jvp(kinetic + potential, state, rate)}

    return Program(record(equations, x=n, xd=n, xdd=n), "blocks")
