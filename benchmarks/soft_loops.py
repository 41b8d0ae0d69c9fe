"""How wrong forces are in a machine whose loops are soft: MuJoCo's defaults against gough.

    python -m benchmarks.soft_loops

Each robot is exported to MJCF and given MuJoCo's default `solimp`. At states of its first motion, which close exactly,
MuJoCo is given the actuator forces that the rigid machine needs. The platform then accelerates differently. The error
is the difference between those forces and what the rigid machine needs for MuJoCo's acceleration, largest actuator and
state, relative to the largest force.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

import gough

ROBOTS = ("stewart", "hexapod", "rotary", "rps3", "tricept", "planar3rrr", "delta", "spatial3", "sru")
STATES = 21
DEFAULTS = (0.9, 0.95)
"""`solimp` that MuJoCo has where a file says nothing."""
STIFFEST = (0.9999, 0.9999)
"""`solimp` that MuJoCo clamps to, and that exported files have."""


class SoftMachine:
    """A robot as MuJoCo has it, at states of gough's."""

    def __init__(self, robot: gough.Robot, solimp: tuple[float, float] = DEFAULTS) -> None:
        self.robot = robot
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            file = Path(folder) / "robot.xml"
            gough.export_robot(robot, file)
            self.model = mujoco.MjModel.from_xml_path(str(file))
        self.model.opt.tolerance, self.model.opt.iterations = 1e-14, 200
        self.model.eq_solimp[:, :2] = solimp
        self.data = mujoco.MjData(self.model)

    def platform_acceleration(self, joints: Any, bodies: Any, k: int, force: NDArray[np.float64]) -> Any:
        """(6,) acceleration of the platform's origin and angular acceleration, base axes, under these forces.

        Args:
            joints, bodies: `inverse_kinematics` and `body_motion` of all states.
            k: Which state.
            force: (m,) of the actuators.
        """
        place = {name: j for j, name in enumerate(self.robot.joint_names)}
        model, data = self.model, self.data
        for number in range(model.njnt):
            joint = model.joint(number)
            q, v = joint.qposadr[0], joint.dofadr[0]
            if joint.type[0] == mujoco.mjtJoint.mjJNT_FREE:
                R = bodies.R[k, 0]
                turned = np.zeros(4)
                mujoco.mju_mat2Quat(turned, R.ravel())
                data.qpos[q : q + 7] = [*bodies.p[k, 0], *turned]
                data.qvel[v : v + 6] = [*bodies.v[k, 0], *(R.T @ bodies.w[k, 0])]
            else:
                data.qpos[q] = joints.joint_q[k, place[joint.name]]
                data.qvel[v] = joints.joint_qd[k, place[joint.name]]
        data.ctrl[:] = force
        mujoco.mj_forward(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        found = np.zeros(6)  # turning first, and as if the base were accelerated against gravity
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, model.body("platform").id, found, 0)
        return np.concatenate([found[3:] + model.opt.gravity, found[:3]])


def force_error(name: str, solimp: tuple[float, float] = DEFAULTS) -> float:
    """Largest error of an actuator's force in the soft machine, relative to the largest force of the motion."""
    robot = gough.load(name)
    machine = SoftMachine(robot, solimp)
    s = gough.Motion.named(robot).sample(STATES)
    forces = gough.inverse_dynamics(robot, s).force
    joints = gough.inverse_kinematics(robot, s)
    bodies = gough.body_motion(robot, s)
    worst = 0.0
    for k in range(STATES):
        exact = np.concatenate([bodies.a[k, 0], bodies.wd[k, 0]])
        apart = machine.platform_acceleration(joints, bodies, k, forces[k]) - exact
        units = gough.body_motion(
            robot, gough.State(*np.broadcast_arrays(s.x[k], s.xd[k], s.xdd[k] + np.eye(robot.dof)))
        )
        columns = np.concatenate([units.a[:, 0], units.wd[:, 0]], axis=1) - exact
        change = np.linalg.lstsq(columns.T, apart, rcond=None)[0]
        needed = gough.inverse_dynamics(robot, gough.State(s.x[k], s.xd[k], s.xdd[k] + change)).force
        worst = max(worst, float(np.abs(needed - forces[k]).max()))
    return worst / float(np.abs(forces).max())


def main() -> None:
    """Print the table."""
    print(f"{'robot':10} {'defaults':>9} {f'solimp {STIFFEST[0]}':>14}   error of the largest force")
    for name in ROBOTS:
        print(f"{name:10} {force_error(name, DEFAULTS):9.1%} {force_error(name, STIFFEST):14.2%}")


if __name__ == "__main__":
    main()
