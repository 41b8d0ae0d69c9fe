"""F_k and M_k of the papers' recursion, for every link of a robot."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.force_programs import Model
from gough.dynamics.link_recursion import link_forces, link_recursion
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.virtual_work import VirtualWork
from gough.graph import Array, Vector, array, record
from gough.kinematics.body_motion import body_names
from gough.kinematics.sampled_call import check_robot, judged
from gough.kinematics.status import status_texts
from gough.kinematics.tool import wrench_at_origin
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot, by_mechanism
from gough.run import Program
from gough.table import Result, column


class LinkWrenches(Result):
    """The forces of the recursion for N samples, or for one without the leading axis; NaN where there is no solution.

    F_k is the force that the bodies from link k to the tip need for their motion and against their weight, M_k the
    moment about the origin of link k; both in the axes of link k. The platform is a chain of its own: what it needs
    less the external wrench, about the origin of P. See Sinatra, Xi, Staicu (19) to (23).

    Attributes:
        robot: Whose links.
        names: "platform", then "leg.joint" for the link behind each joint.
        F0, M0: (N, links, 3) of the link alone: F_k0, M_k0 [N, N m].
        F, M: (N, links, 3) of the link and all it carries up to the cut at the platform: F_k, M_k [N, N m].
        status: (N,) of `Status`.
    """

    robot: Robot
    names: tuple[str, ...]
    F0: Array = column("link:names xyz", "N")
    M0: Array = column("link:names xyz", "N m")
    F: Array = column("link:names xyz", "N")
    M: Array = column("link:names xyz", "N m")
    status: Any = column(show=status_texts)

    FACTS, LAYOUT = ("robot",), "arrays"


def link_wrenches(robot: Robot, state: StateLike) -> LinkWrenches:
    """F_k and M_k of all links for a platform motion.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes, numbers that are not finite.
    """
    check_robot(robot)
    at = State.of(robot, state).without_base("link_wrenches")
    given = {"wrench": np.zeros(6)} | at.inputs(robot, "x", "xd", "xdd", "wrench")
    values, status = judged(robot, wrench_program(robot), given)
    return LinkWrenches(robot, body_names(robot), **values, status=status)


def wrench_equations(motion: RobotMotion, wrench: Vector) -> dict[str, Any]:
    """F0, M0, F and M (links, 3) at one instant."""
    gravity = array(motion.pose.robot.gravity)
    R, t, r = motion.pose.platform.R_BP, motion.twist, motion.twist_rate
    own = link_forces(motion.pose.robot.platform.body, R.T @ t.w, R.T @ r.wd, R.T @ (r.a - gravity))
    f, m = wrench_at_origin(motion.pose, wrench)
    alone = (own[0] - R.T @ array(f), own[1] - R.T @ array(m))
    rows: dict[str, list[Any]] = {"F0": [alone[0]], "M0": [alone[1]], "F": [alone[0]], "M": [alone[1]]}
    for k, leg in enumerate(motion.pose.legs):
        heavy = [i for i, joint in enumerate(leg.leg.joints) if not joint.body.is_massless]
        found = link_recursion(motion, k, gravity, heavy)
        for name, values in rows.items():
            values += getattr(found, name)
    return {name: np.stack([array(value) for value in values]) for name, values in rows.items()}


@by_mechanism(32)
def wrench_program(robot: Mechanism) -> Program:
    """The program of `wrench_equations`, and what statuses are computed from."""
    model = Model(robot, VirtualWork("full"), wrench=True)

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        return wrench_equations(motion, wrench) | {
            "short": array([leg.closure.short for leg in motion.pose.legs]),
            "converged": [leg.closure.converged for leg in motion.pose.legs],
        }

    return Program(record(equations, **model.inputs()))
