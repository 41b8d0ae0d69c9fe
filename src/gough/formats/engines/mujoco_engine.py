"""MuJoCo as a judge of MJCF files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import mujoco
import numpy as np

from gough.formats.placement import Floats, Placement, to_quaternion
from gough.formats.xml_text import FormatError

_EVERYTHING = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
_BUT_LOOPS = sum(
    int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in ("CONTACT", "LIMIT", "FRICTIONLOSS", "ACTUATION")
)


class MujocoEngine:
    """The model of an MJCF file, see `Engine`."""

    reads_rotors = True
    reads_springs = True

    def __init__(self, path: str | Path) -> None:
        """Open a file.

        Raises:
            FormatError: MuJoCo refuses it.
        """
        try:
            self.model = mujoco.MjModel.from_xml_path(str(path))
        except ValueError as error:
            raise FormatError(f"{path}: MuJoCo refuses it: {' '.join(str(error).split())}") from None
        self.name = f"MuJoCo {mujoco.__version__}"
        self.data = mujoco.MjData(self.model)
        self.model.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
        self.gravity = np.array(self.model.opt.gravity)

    def configuration(self, values: Mapping[str, float], free: Mapping[str, Placement]) -> tuple[Floats, Floats]:
        """q, and which rates belong to no named joint or body."""
        model = self.model
        q = np.array(model.key_qpos[0] if model.nkey else model.qpos0)
        unknown = np.ones(model.nv, dtype=bool)
        for name, value in values.items():
            joint = model.joint(name)
            q[joint.qposadr[0]] = value
            unknown[joint.dofadr[0]] = False
        for name, place in free.items():
            body = model.body(name)
            if body.jntnum[0] and model.jnt_type[body.jntadr[0]] == mujoco.mjtJoint.mjJNT_FREE:
                at, first = model.jnt_qposadr[body.jntadr[0]], model.jnt_dofadr[body.jntadr[0]]
                q[at : at + 7] = [*place.position, *to_quaternion(place.rotation)]
                unknown[first : first + 6] = False
        return q, unknown

    def integrated(self, q: Floats, v: Floats) -> Floats:
        """q after moving at rate v for a unit of time."""
        moved = q.copy()
        mujoco.mj_integratePos(self.model, moved, v, 1.0)
        return moved

    def loops(self, q: Floats) -> tuple[Floats, Floats]:
        """Residual and Jacobian of the equalities, as MuJoCo counts them."""
        self._at(q, _BUT_LOOPS)
        rows = self.data.ne
        J = np.array(self.data.efc_J).reshape(-1, self.model.nv)[:rows]
        return np.array(self.data.efc_pos)[:rows], J

    def link(self, q: Floats, name: str) -> tuple[Placement, Floats]:
        """Placement and Jacobian of a body."""
        self._at(q, _EVERYTHING)
        body = self.model.body(name).id
        J = np.zeros((6, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, J[:3], J[3:], body)
        return Placement(self.data.xpos[body].copy(), self.data.xmat[body].reshape(3, 3).copy()), J

    def inverse(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """By `mj_inverse`, with dry friction added."""
        self.model.opt.disableflags = _EVERYTHING
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = q, v, a
        mujoco.mj_inverse(self.model, self.data)
        effort = np.array(self.data.qfrc_inverse) + self.model.dof_frictionloss * np.sign(v)
        for k in range(self.model.ntendon):
            loss = self.model.tendon_frictionloss[k]
            if loss:
                row = self._slope(q, k)
                effort += row * loss * np.sign(row @ v)
        return effort

    def drives(self, q: Floats, names: Sequence[str]) -> Floats:
        """Unit efforts of joints, and of tendons where there is no such joint."""
        columns = []
        for name in names:
            joint = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, name)
            if joint >= 0:
                columns.append(np.eye(self.model.nv)[self.model.jnt_dofadr[joint]])
            else:
                columns.append(self._slope(q, self.model.tendon(name).id))
        return np.array(columns).T

    def _slope(self, q: Floats, tendon: int) -> Floats:
        """(nv,) rate of a tendon's length per rate, from the sites at its ends."""
        self._at(q, _EVERYTHING)
        model, data = self.model, self.data
        first = model.tendon_adr[tendon]
        sites = [model.wrap_objid[first + k] for k in range(2)]
        ends, J = [data.site_xpos[s].copy() for s in sites], [np.zeros((3, model.nv)) for _ in sites]
        for rows, s in zip(J, sites, strict=True):
            mujoco.mj_jacSite(model, data, rows, None, s)
        along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        return along @ (J[1] - J[0])

    def _at(self, q: Floats, disabled: int) -> None:
        self.model.opt.disableflags = disabled
        self.data.qpos[:] = q
        self.data.qvel[:] = 0.0
        mujoco.mj_fwdPosition(self.model, self.data)
