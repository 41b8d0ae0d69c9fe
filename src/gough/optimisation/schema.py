"""The file of an optimisation: a problem's robot, poses and varied numbers, and what the best design is.

minimise = "peak force"              # or rms force, peak power, peak speed, condition, singular value (made large)
                                     # two of them, ["peak force", "condition"], give a front of `front = 8` designs
starts = 20                          # designs from which the best is looked for: the robot's own, and Sobol's points
seed = 0

[task]                               # what is asked at each pose, drawn evenly within +- these
velocity = { x = 0.5 }
acceleration = { x = 5, psi = 8 }
wrench = { fx = 20, mz = 3 }
corners = true                       # also all corners of a box of poses
shift = { z = [-0.5, 0.5] }          # the whole task may be moved by this: a free number too

[limits]                             # of the robot's actuators: force, power, speed, stroke = [least, most]
ratio = 1.7                          # longest displacement over the shortest
condition = 5                        # at most; singular = 0.1, at least
base_gap = "0.15 m"                  # least distance of joints on the base, and platform_gap on the platform

[jacobian]                           # what condition and singular values are measured by
length = [0.1, 1.0]                  # turns are counted by it; a number, or bounds of a free one
reference = { z = [-0.2, 0.2] }      # point whose velocity counts, platform axes
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from gough.problem import ProblemTable
from gough.robot.file.fields import Table


class TaskTable(Table):
    """`[task]`: what is asked at each pose."""

    velocity: dict[str, Any] = Field(default_factory=dict)
    acceleration: dict[str, Any] = Field(default_factory=dict)
    wrench: dict[str, Any] = Field(default_factory=dict)
    corners: bool = False
    shift: dict[str, Any] = Field(default_factory=dict)
    seed: int = 0


class JacobianTable(Table):
    """`[jacobian]`: what condition and singular values are measured by."""

    length: Any = None
    reference: dict[str, Any] = Field(default_factory=dict)


class OptimiseTable(ProblemTable):
    """A file of `gough optimise`."""

    minimise: Any = "peak force"
    starts: int = 20
    seed: int = 0
    front: int = 8
    task: TaskTable = TaskTable()
    limits: dict[str, Any] = Field(default_factory=dict)
    jacobian: JacobianTable = JacobianTable()
