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
ratio = 1.7                          # longest displacement over the shortest; stroke_span = "0.1 m": minus the shortest
angle = "40 deg"                     # of universal and spherical joints from straight; distance between legs, at least
condition = 5                        # at most; singular = 0.1, stiffness = "1 MN/m", at least; pose_error = "20 um"
regular = true                       # proved: no pose of the box is singular
base_gap = "0.15 m"                  # least distance of joints on the base, and platform_gap on the platform

[jacobian]                           # what condition and singular values are measured by
length = [0.1, 1.0]                  # turns are counted by it; a number, or bounds of a free one
reference = { z = [-0.2, 0.2] }      # point whose velocity, stiffness and error count, platform axes

[stiffness]                          # actuator = "20 MN/m"
[tolerances]                         # as for gough accuracy: base, platform, zero, encoder, backlash, distribution
"""

from __future__ import annotations

from typing import Any

from gough.problem import ProblemTable
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of


class TaskTable(Table):
    """`[task]`: what is asked at each pose."""

    velocity: dict[str, Any] = key_of(f.table, default={})
    """Range of each named coordinate's rate, minus to plus; one is drawn at random per pose. Default: at rest."""
    acceleration: dict[str, Any] = key_of(f.table, default={})
    """Range of each named coordinate's acceleration, minus to plus; one is drawn at random per pose. Default: none."""
    wrench: dict[str, Any] = key_of(f.table, default={})
    """Range of forces and moments, fx fy fz mx my mz, minus to plus; drawn at random per pose. Default: none."""
    corners: bool = key_of(f.truth, default=False)
    """Whether all corners of a box of poses are added."""
    shift: dict[str, Any] = key_of(f.table, default={})
    """Range by which the whole task may be moved along each named coordinate. Default: none."""
    seed: int = key_of(f.whole, default=0)
    """Seed of the states drawn."""
    motion: str | None = key_of(f.text)
    """Motion instead of poses: a named motion of the robot, or a CSV file. Default: none."""
    samples: int = key_of(f.whole, default=101)
    """Number of instants along the motion."""
    size: Any = key_of(f.anything)
    """Range of the box's scale, for "largest box". Default: 0.05 to 5."""
    time: Any = key_of(f.anything)
    """Range of the motion's duration as a multiple of its own, for "task time". Default: 0.05 to 20."""


class JacobianTable(Table):
    """`[jacobian]`: what condition and singular values are measured by."""

    length: Any = key_of(f.anything)
    """Characteristic length that scales rotations: a number, or the bounds of a free one [m]. Default: the robot's."""
    reference: dict[str, Any] = key_of(f.table, default={})
    """Reference point of velocity, stiffness and error, platform axes; may have bounds. Default: the origin of P."""


class OptimiseTable(ProblemTable):
    """A file of `gough optimise`."""

    minimise: Any = key_of(f.anything, default="peak force")
    """Objective, or two for a Pareto front; see [optimise](optimise.md)."""
    starts: int = key_of(f.whole, default=20)
    """Number of designs to start from."""
    seed: int = key_of(f.whole, default=0)
    """Seed of the starting designs."""
    front: int = key_of(f.whole, default=8)
    """Number of designs on a Pareto front."""
    budget: int = key_of(f.whole, default=400)
    """Number of designs to try where there are no gradients."""
    task: TaskTable = key_of(TaskTable, default={})
    """Velocity, acceleration and load at each pose. Default: rest."""
    limits: dict[str, Any] = key_of(f.table, default={})
    """Limits that the design must keep; see [optimise](optimise.md). Default: none."""
    jacobian: JacobianTable = key_of(JacobianTable, default={})
    """Scaling of condition numbers and singular values."""
    stiffness: dict[str, Any] = key_of(f.table, default={})
    """As in [robot files](robot_files.md#stiffness). Default: that of the robot."""
    tolerances: dict[str, Any] = key_of(f.table, default={})
    """As in [robot files](robot_files.md#tolerances). Default: those of the robot."""
