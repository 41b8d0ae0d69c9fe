"""A 6-UPS machine in MuJoCo, legs closed by equality constraints, for `mujoco.rollout`."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from mujoco import rollout

from gough.robot import Body, Robot
from gough.robot.leg_values import Leg

TINY = 1e-12
"""MuJoCo refuses a zero principal inertia [kg m^2]."""


def machine(robot: Robot, step: float, integrator: str) -> Any:
    """The model at home; constraints as stiff as the step allows, no contacts, no limits.

    Args:
        robot: Of UPS legs whose universal joints stand at zero at home.
        step: [s].
        integrator: "Euler" or "RK4".
    """
    x = robot.platform.home
    gravity = " ".join(map(repr, robot.gravity))
    legs = "\n".join(_leg(leg) for leg in robot.legs)
    closures = "\n".join(
        f'<connect site1="tip{leg.name}" site2="joint{leg.name}" solref="{2 * step} 1" solimp="0.9999 0.9999 0.001"/>'
        for leg in robot.legs
    )
    sites = "\n".join(f'<site name="joint{leg.name}" pos="{_text(leg.end.platform_point)}"/>' for leg in robot.legs)
    motors = "\n".join(f'<motor joint="P{leg.name}" gear="1"/>' for leg in robot.legs)
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{step}" gravity="{gravity}" integrator="{integrator}">
    <flag contact="disable" limit="disable"/>
  </option>
  <worldbody>
    <body name="platform" pos="{_text(x[:3])}"><freejoint/>{_inertial(robot.platform.body)}{sites}</body>
    {legs}
  </worldbody>
  <equality>{closures}</equality>
  <actuator>{motors}</actuator>
</mujoco>""")


def _leg(leg: Leg) -> str:
    first, second, slide = leg.joints
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, np.array(leg.rotation).ravel())
    along = np.array(slide.axis) * slide.start
    return f"""
<body pos="{_text(leg.position)}" quat="{_text(quaternion)}">
  <joint type="hinge" axis="{_text(first.axis)}"/><joint type="hinge" axis="{_text(second.axis)}"/>
  {_inertial(second.body)}
  <body pos="{_text(along)}">
    <joint name="P{leg.name}" type="slide" axis="{_text(slide.axis)}"/>
    {_inertial(slide.body)}
    <site name="tip{leg.name}" pos="{_text(leg.end.point)}"/>
  </body>
</body>"""


def _inertial(body: Body) -> str:
    moments = _text([max(v, TINY) for v in body.inertia[:3]])
    return f'<inertial pos="{_text(body.com)}" mass="{body.mass!r}" diaginertia="{moments}"/>'


def _text(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)


class Rollout:
    """Open-loop forces from home at rest, on so many threads."""

    def __init__(self, robot: Robot, step: float, integrator: str, threads: int) -> None:
        self.model = machine(robot, step, integrator)
        self.datas = [mujoco.MjData(self.model) for _ in range(threads)]
        size = mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.start = np.zeros((1, size))
        mujoco.mj_getState(self.model, self.datas[0], self.start[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.pool = rollout.Rollout(nthread=threads)

    def __call__(self, forces: Any) -> Any:
        """(N, 7) position and quaternion of the platform after forces (N, steps, 6)."""
        start = np.tile(self.start, (len(forces), 1))
        state, _ = self.pool.rollout(self.model, self.datas, start, forces)
        return state[:, -1, 1:8]
