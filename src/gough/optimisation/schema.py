"""The file of an optimisation: a problem's robot, poses and varied numbers, and what the best design is.

robot = "stewart"                    # or several, ["ring6.toml", "ring8.toml"]: the best of these machines
minimise = "peak force"              # or rms force, peak power, peak speed, condition, pose error, task time;
                                     # made large: singular value, stiffness, largest box, workspace volume
                                     # two of them, ["peak force", "condition"], give a front of `front = 8` designs
starts = 20                          # designs from which the best is looked for: the robot's own, and Sobol's points
seed = 0
budget = 400                         # designs looked at where no gradients exist: workspace volume, numbers of a list

[task]                               # what is asked at each pose, drawn evenly within +- these
velocity = { x = 0.5 }
acceleration = { x = 5, psi = 8 }
wrench = { fx = 20, mz = 3 }
corners = true                       # also all corners of a box of poses
shift = { z = [-0.5, 0.5] }          # the whole task may be moved by this: a free number too
motion = "trig3"                     # in place of poses: a motion of the robot or a CSV file, at `samples = 101` times
size = [0.2, 3]                      # largest box: the poses about their middle times this
time = [0.1, 10]                     # task time: the motion in so many times its time

[limits]                             # of the robot's actuators: force, power, speed, stroke = [least, most]
ratio = 1.7                          # longest displacement over the shortest
angle = "40 deg"                     # of universal and spherical joints from straight; distance between legs, at least
condition = 5                        # at most; singular = 0.1, stiffness = "1 MN/m", at least; pose_error = "20 um"
regular = true                       # proved: no pose of the box is singular
base_gap = "0.15 m"                  # least distance of joints on the base, and platform_gap on the platform

[jacobian]                           # what condition and singular values are measured by
length = [0.1, 1.0]                  # turns are counted by it; a number, or bounds of a free one
reference = { z = [-0.2, 0.2] }      # point whose velocity, stiffness and error count, platform axes

[stiffness]                          # actuator = "20 MN/m"
[tolerances]                         # as in docs/accuracy.md: base, platform, zero, encoder, backlash, distribution
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
    motion: str | None = None
    samples: int = 101
    size: Any = None
    time: Any = None


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
    budget: int = 400
    task: TaskTable = TaskTable()
    limits: dict[str, Any] = Field(default_factory=dict)
    jacobian: JacobianTable = JacobianTable()
    stiffness: dict[str, Any] = Field(default_factory=dict)
    tolerances: dict[str, Any] = Field(default_factory=dict)
