"""What is proved of the best design, over the whole box of the task and not only at its states.

That no pose of it is singular (`gough.singular.regular_box`); and bounds of forces and speeds over all poses,
velocities, accelerations and wrenches within their ranges, by branch and bound (`gough.design.prove`), where at most
three coordinates vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.design.envelope import Envelope
from gough.design.prove_envelope import AXES, prove
from gough.design.size import size
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.optimisation.rows import OF_TASK
from gough.singular import regular_box

if TYPE_CHECKING:
    from gough.optimisation.result import Optimised

BOXES = 100_000
"""Parts of the box after which a proof gives up."""


@dataclass(frozen=True)
class Proof:
    """What is proved.

    Attributes:
        ranges: (n, 2) the box of poses.
        regular: Whether no pose of it is singular.
        boxes: Parts that were looked at for it.
        force, speed: No actuator needs more in any state of the task [N or N m, m/s or rad/s]; None if not proved.
        remarks: Why something is not proved.
    """

    ranges: Array
    regular: bool
    boxes: int
    force: float | None
    speed: float | None
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found = {name: getattr(self, name) for name in ("regular", "boxes", "force", "speed")}
        return found | {"ranges": self.ranges.tolist(), "remarks": list(self.remarks)}


def box_of(found: Optimised) -> Array:
    """(n, 2) the box of poses of the best design: moved and as large as it has it.

    Raises:
        InputError: The task is no box.
    """
    wanted, variables = found.wanted, found.wanted.variables
    if wanted.box is None:
        raise InputError("prove: needs a box or a grid of poses, not a file, a motion or states")
    p = [float(v) for v in found.best.p]
    ends = [np.array(variables.moved(wanted.box[:, k].copy(), np.array(p)), dtype=float) for k in (0, 1)]
    if OF_TASK["largest box"] in variables.names:
        size_of = p[variables.place(OF_TASK["largest box"])]
        middle = wanted.box.mean(axis=1)
        shift = np.array(variables.moved(middle.copy(), np.array(p)), dtype=float) - middle
        ends = [middle + shift + size_of * (wanted.box[:, k] - middle) for k in (0, 1)]
    return np.sort(np.stack(ends, axis=1), axis=1)


def proved(found: Optimised) -> Proof:
    """Proofs of the best design.

    Raises:
        InputError: The task is no box.
    """
    ranges, robot = box_of(found), found.robot
    names, remarks = robot.coordinate_names, []
    wide = {name: (float(a), float(b)) for name, (a, b) in zip(names, ranges, strict=True) if b > a}
    pose = {name: float(a) for name, (a, b) in zip(names, ranges, strict=True) if not b > a}
    regular, boxes = False, 0
    try:
        looked = regular_box(robot, wide, pose or "home", only=["reach"], most=BOXES)
        regular, boxes = looked.proved, looked.boxes
        if not regular:
            remarks.append(f"that no pose is singular is not decided with {boxes} parts")
    except InputError as error:
        remarks.append(str(error))
    force = speed = None
    half = found.wanted.task
    if half is None or len(wide) > AXES:
        remarks.append(f"forces are proved where up to {AXES} coordinates vary; here {len(wide)} do")
    else:
        try:
            force, speed = _extremes(found, ranges, half)
        except (InputError, NumericalError) as error:
            remarks.append(str(error))
    return Proof(ranges, regular, boxes, force, speed, tuple(remarks))


def _extremes(found: Optimised, ranges: Array, half: Array) -> tuple[float, float]:
    """Largest force and speed of any actuator over the envelope, proved."""
    n, names = found.robot.dof, found.robot.coordinate_names
    both = [(-float(h), float(h)) for h in half[2 * n :]]
    pace = 1.0 / float(found.wanted.variables._extra("task.time", found.best.p, 1.0))
    envelope = Envelope(
        tuple((float(a), float(b)) for a, b in ranges),
        tuple((half[:n] * pace).tolist()),
        tuple((half[n : 2 * n] * pace**2).tolist()),
        names,
        wrench=tuple(both),
    )
    bounds = prove(size(found.robot, envelope), power_tolerance=None)
    return float(max(np.max(bounds.force_high), np.max(-bounds.force_low))), float(np.max(bounds.qd))
