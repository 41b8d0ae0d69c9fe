"""All poses of a robot at given actuator displacements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.assembly.coordinates import coordinates_of
from gough.assembly.labels import labels_of
from gough.assembly.leg_spheres import leg_spheres
from gough.assembly.six_legs import six_legs
from gough.assembly.solutions import Solutions
from gough.errors import InputError
from gough.graph import Input
from gough.kinematics.pose import platform_pose
from gough.kinematics.sampled_call import check_finite, check_robot
from gough.kinematics.singularity import gains
from gough.robot import Robot
from gough.run.arrays import converted
from gough.table import Block, Table, Tabulated
from gough.table.of_robot import of_coordinates


@dataclass(frozen=True, slots=True)
class AssemblyModes(Tabulated):
    """All poses at N sets of displacements, or at one without the leading axis where it says (N,).

    Modes of a set stand one after the other, those with the platform higher up (z of the first leg's end) first.

    Attributes:
        robot: Whose.
        q: (N, actuators) displacements [m or rad].
        sample: (M,) to which set a mode belongs.
        x: (M, n) platform coordinates.
        p, R: (M, 3) [m], (M, 3, 3) pose of the platform in B.
        branch: (M, legs) branch of each leg (see docs/branches.md): its working mode; 0 where it is not known.
        within_limits: (M,) whether strokes and cones of the joints allow it, on that branch.
        singular_value: (M,) smallest one of K, turns divided by the robot's length.
        side: (M,) 1 or -1: sign of the determinant of the platform's part of the closure Jacobian; poses on either side
            are separated by a singularity.
        certified: (M,) whether it is proved that there is one pose near x, and one only.
        complex: (N,) number of complex solutions, which are no poses.
        complete: (N,) whether no pose is missing.
        claim: (N,) what that rests on.
        retried: (N,) whether paths had to be followed again, more carefully.
        complex_sample, complex_p, complex_e: (C,), (C, 3) [m], (C, 4) positions and unit quaternions of the complex
            solutions.
    """

    robot: Robot
    q: Any
    sample: Any
    x: Any
    p: Any
    R: Any
    branch: Any
    within_limits: Any
    singular_value: Any
    side: Any
    certified: Any
    complex: Any
    complete: Any
    claim: Any
    retried: Any
    complex_sample: Any
    complex_p: Any
    complex_e: Any

    @property
    def count(self) -> Any:
        """(N,) number of modes."""
        found = np.bincount(self.sample, minlength=len(np.atleast_2d(self.q)))
        return int(found[0]) if np.ndim(self.q) == 1 else found

    @property
    def table(self) -> Table:
        """A row per mode: sample if there are several, x, p, branch, limits, singular value, side and certificate."""
        several = np.ndim(self.q) == 2
        blocks = (
            *((Block("sample", self.sample),) if several else ()),
            of_coordinates(self.robot, "x", self.x),
            Block("p", self.p, "m", {"axis": ("x", "y", "z")}),
            Block("branch", self.branch, axes={"leg": tuple(leg.name for leg in self.robot.legs)}),
            *(Block(name, getattr(self, name)) for name in ("within_limits", "singular_value", "side", "certified")),
        )
        facts = {
            "robot": self.robot.name,
            "displacement": self.q,
            "complex": self.complex,
            "complete": self.complete,
            "claim": self.claim,
        }
        return Table(len(self.sample), blocks, facts, shown=("x",), layout="rows", under="modes")

    def to_dict(self) -> dict[str, Any]:
        """Plain values: `modes` is a list with x by coordinate, R, p, branch by leg and what else is told of each."""
        from gough.table.formats import plain

        names, legs = self.robot.coordinate_names, [leg.name for leg in self.robot.legs]
        several = np.ndim(self.q) == 2
        modes = []
        for k in range(len(self.sample)):
            one: dict[str, Any] = {"sample": int(self.sample[k])} if several else {}
            one |= {
                "x": dict(zip(names, self.x[k].tolist(), strict=True)),
                "R": self.R[k],
                "p": self.p[k],
                "branch": dict(zip(legs, self.branch[k].tolist(), strict=True)),
            }
            for name in ("within_limits", "singular_value", "side", "certified"):
                one[name] = getattr(self, name)[k]
            modes.append(plain(one))
        actuators = self.robot.actuator_names
        q = [dict(zip(actuators, row, strict=True)) for row in np.atleast_2d(self.q).tolist()]
        facts = {"complex": self.complex, "complete": self.complete, "claim": self.claim}
        return {"robot": self.robot.name, "displacement": q if several else q[0], "modes": modes} | plain(facts)


def assembly_modes(robot: Robot, q: ArrayLike, *, starts: int = 3) -> AssemblyModes:
    """Every pose of the platform at actuator displacements: its assembly modes.

    Modes do not depend on the robot's branches: all branches of all legs are among them, told apart by `branch`.

    Args:
        robot: One on six legs that hold its platform by distances (UPS, SPS, PUS, RUS, PSS, RSS, SRU).
        q: (actuators,) or (N, actuators) displacements from the actuators' zeros [m or rad].
        starts: From how many start systems, 1 to 3, the poses are found where there are fewer than 40 solutions: more
            than one confirms the set.

    Raises:
        InputError: Numbers that are not finite, wrong shapes; a robot whose legs hold the platform nowhere, or of
            another kind.
    """
    check_robot(robot)
    if starts not in (1, 2, 3):
        raise InputError(f"starts: {starts!r} given, expected 1, 2 or 3")
    array, rows = converted(Input((len(robot.actuators),), name="q"), q)
    check_finite(robot, {"q": array})
    asked = array.reshape(-1, len(robot.actuators))
    found = _solutions(robot, asked, starts)
    mine = asked[found.sample]
    labels = labels_of(robot, mine, found.p, found.R)
    value, side = _singular(robot, mine, found.p, found.R)
    per_sample = {
        "complex": found.complex,
        "complete": found.complete,
        "claim": np.array(found.claim),
        "retried": found.retried,
    }
    if rows is None:
        per_sample = {name: values[0].item() for name, values in per_sample.items()}
    return AssemblyModes(
        robot=robot,
        q=array,
        sample=found.sample,
        x=coordinates_of(robot, found.p, found.R),
        p=found.p,
        R=found.R,
        branch=labels.branch,
        within_limits=labels.within_limits,
        singular_value=value,
        side=side,
        certified=found.certified,
        complex_sample=found.complex_sample,
        complex_p=found.complex_p,
        complex_e=found.complex_e,
        **per_sample,
    )


def _solutions(robot: Robot, q: Any, starts: int) -> Solutions:
    solver = six_legs(robot)
    if solver is None or not solver.starts.systems:
        raise InputError(f"assembly modes: {robot.name} is not a robot on six legs that hold its platform by distances")
    return solver.solve(q, starts)


def _singular(robot: Robot, q: Any, p: Any, R: Any) -> tuple[Any, Any]:
    """Smallest singular values (M,) of K, and sides of singularity (M,)."""
    spheres = leg_spheres(robot)
    assert spheres is not None
    by_twist, by_q = spheres.jacobians(q, p, R)
    free = platform_pose(robot.platform, np.array(robot.platform.home)).free()
    S = np.array([[*v, *w] for v, w in free.columns], dtype=float).T
    forces = by_twist @ S
    with np.errstate(divide="ignore", invalid="ignore"):
        K = -forces / by_q[:, :, None]
    return gains(robot, K)[:, -1], np.sign(np.linalg.det(forces)).astype(int)
