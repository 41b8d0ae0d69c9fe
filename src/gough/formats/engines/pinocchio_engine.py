"""Pinocchio as a judge of URDF files and the loops beside them, and of models put together from another reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from gough.formats.placement import Floats, Placement
from gough.formats.xml_text import FormatError, parse_xml, read_text

Mimic = tuple[str, str, float, float]
_WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class PinocchioEngine:
    """A Pinocchio model and the loops that close it, see `Engine`.

    Attributes:
        model, data: Pinocchio's.
        pairs: Ids of two frames that meet, and whether their axes do too.
        mimics: Joint, leader, ratio and offset of the joints that follow others.
    """

    reads_rotors = False
    reads_springs = False

    def __init__(self, model: Any, pairs: list[tuple[int, int, bool]], mimics: list[Mimic]) -> None:
        """Take a model that was opened, or built."""
        self.model, self.data, self.pairs, self.mimics = model, model.createData(), pairs, mimics
        self.name = f"Pinocchio {pin.__version__}"
        self.gravity = np.array(model.gravity.linear)

    @classmethod
    def opened(cls, path: str | Path, loops: Mapping[str, Any]) -> PinocchioEngine:
        """The model that Pinocchio makes of a URDF file; `loops` has closed_loop and type of the YAML file.

        Raises:
            FormatError: Pinocchio refuses it.
        """
        try:
            model = pin.buildModelFromUrdf(str(path))
        except (ValueError, RuntimeError) as error:
            raise FormatError(f"{path}: Pinocchio refuses it: {' '.join(str(error).split())}") from None
        if "gravity" in loops:
            model.gravity.linear = np.array(loops["gravity"], dtype=float)
        closed = loops.get("closed_loop", [])
        kinds = [str(kind).lower() == "6d" for kind in loops.get("type") or ["6d"] * len(closed)]
        pairs = [(_frame(model, a), _frame(model, b), whole) for (a, b), whole in zip(closed, kinds, strict=True)]
        return cls(model, pairs, _mimics(path))

    def configuration(self, values: Mapping[str, float], free: Mapping[str, Placement]) -> tuple[Floats, Floats]:
        """q, and which rates belong to no named joint or body."""
        q, unknown = pin.neutral(self.model), np.ones(self.model.nv, dtype=bool)
        for name, value in values.items():
            joint = self.model.joints[self.model.getJointId(name)]
            q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
            unknown[joint.idx_v] = False
        for name, place in free.items():
            joint = self.model.joints[self.model.frames[self._body(name)].parentJoint]
            if joint.nv == 6:
                q[joint.idx_q : joint.idx_q + 7] = pin.SE3ToXYZQUAT(pin.SE3(place.rotation, place.position))
                unknown[joint.idx_v : joint.idx_v + 6] = False
        return q, unknown

    def integrated(self, q: Floats, v: Floats) -> Floats:
        """q after moving at rate v for a unit of time."""
        return np.array(pin.integrate(self.model, q, v))

    def loops(self, q: Floats) -> tuple[Floats, Floats]:
        """Residual and Jacobian of the loops, and of joints that follow others."""
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        gaps, rows = [], []
        for first, second, whole in self.pairs:
            a, b = self.data.oMf[first], self.data.oMf[second]
            J = [pin.getFrameJacobian(self.model, self.data, f, _WORLD) for f in (first, second)]
            size = 6 if whole else 3
            gap = np.concatenate([a.translation - b.translation, b.rotation @ pin.log3(b.rotation.T @ a.rotation)])
            gaps.append(gap[:size])
            rows.append((J[0] - J[1])[:size])
        for joint, leader, ratio, offset in self.mimics:
            own, other = (self.model.joints[self.model.getJointId(name)] for name in (joint, leader))
            row = np.zeros(self.model.nv)
            row[own.idx_v] += 1.0
            row[other.idx_v] -= ratio
            gaps.append(np.array([self._value(q, own) - ratio * self._value(q, other) - offset]))
            rows.append(row[None])
        if not rows:
            return np.zeros(0), np.zeros((0, self.model.nv))
        return np.concatenate(gaps), np.vstack(rows)

    def link(self, q: Floats, name: str) -> tuple[Placement, Floats]:
        """Placement and Jacobian of a link."""
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        frame = self._body(name)
        place = self.data.oMf[frame]
        J = np.array(pin.getFrameJacobian(self.model, self.data, frame, _WORLD))
        return Placement(place.translation.copy(), place.rotation.copy()), J

    def inverse(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """By recursive Newton-Euler, with the friction of the file added."""
        effort = np.array(pin.rnea(self.model, self.data, q, v, a))
        friction = getattr(self.model, "upperDryFrictionLimit", None)
        if friction is None:
            friction = self.model.friction
        return effort + self.model.damping * v + np.asarray(friction) * np.sign(v)

    def drives(self, q: Floats, names: Sequence[str]) -> Floats:
        """Unit efforts of joints."""
        at = [self.model.joints[self.model.getJointId(name)].idx_v for name in names]
        return np.eye(self.model.nv)[:, at]

    def _value(self, q: Floats, joint: Any) -> float:
        """Coordinate of a joint; of one without limits within half a turn."""
        own = q[joint.idx_q : joint.idx_q + joint.nq]
        return float(own[0] if joint.nq == 1 else np.arctan2(own[1], own[0]))

    def _body(self, name: str) -> int:
        return int(self.model.getFrameId(name, pin.FrameType.BODY))


def _frame(model: Any, name: str) -> int:
    """A frame of this name: a link's, or else a joint's."""
    for kind in (pin.FrameType.BODY, pin.FrameType.JOINT, pin.FrameType.FIXED_JOINT):
        if model.existFrame(name, kind):
            return int(model.getFrameId(name, kind))
    raise FormatError(f"closed_loop: {name}: no such link or joint in the file")


def _mimics(path: str | Path) -> list[Mimic]:
    """Joint, leader, ratio and offset of the joints that follow others, which Pinocchio leaves free."""
    found = []
    for joint in parse_xml(read_text(path), str(path)).findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            ratio, offset = (float(mimic.get(key, default)) for key, default in (("multiplier", "1"), ("offset", "0")))
            found.append((joint.get("name", ""), mimic.get("joint", ""), ratio, offset))
    return found
