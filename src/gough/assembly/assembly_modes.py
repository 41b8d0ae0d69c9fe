"""All poses of a robot at given actuator displacements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.assembly.closure_modes import ClosureModes, closure_modes
from gough.assembly.from_home import nearest_first
from gough.assembly.singular import smallest
from gough.assembly.six_legs import SixLegs, six_legs
from gough.assembly.solutions import Solutions, joined
from gough.assembly.spherical_chains import ChainDirections, spherical_chains
from gough.assembly.three_circles import ThreeCircles, three_circles
from gough.assembly.three_legs import Planar, Spherical, Translational, three_legs
from gough.assembly.told import Told, told_of
from gough.errors import InputError
from gough.graph import Array, Input
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.sampled_call import check_finite, check_robot
from gough.robot import Mechanism, by_mechanism
from gough.run.arrays import converted
from gough.table import Block, Result, column
from gough.table.formats import plain

Solver: TypeAlias = SixLegs | Translational | Planar | Spherical | ThreeCircles | ClosureModes


class AssemblyModes(Result):
    """All poses at N sets of displacements, or at one without the leading axis where it says (N,).

    Modes of a set stand one after the other, those nearer to home first.

    Attributes:
        robot: Whose.
        q: (N, actuators) displacements [m or rad].
        sample: (M,) to which set a mode belongs.
        x: (M, n) platform coordinates.
        dependent: (M, k) coordinates that follow the others, in the order of `robot.dependent_names`.
        p, R: (M, 3) [m], (M, 3, 3) pose of the platform in B.
        branch: (M, legs) branch of each leg (see docs/branches.md): its working mode; 0 where it is not known.
        within_limits: (M,) whether strokes and cones of the joints allow it, on that branch.
        singular_value: (M,) smallest one of K, turns divided by the robot's length.
        side: (M,) 1 or -1: sign of the determinant of the platform's part of the closure Jacobian; poses on either side
            are separated by a singularity.
        joints: (M, joints) displacements of all joints from their zeros, leg by leg [m or rad]; NaN where not known.
        certified: (M,) whether it is proved that there is one pose near x, and one only.
        complex: (N,) number of complex solutions, which are no poses.
        complete: (N,) whether no pose is missing.
        claim: (N,) what that rests on.
        retried: (N,) whether paths had to be followed again, more carefully.
        complex_sample, complex_p, complex_e: (C,), (C, 3) [m], (C, 4) positions and unit quaternions of the complex
            solutions.
    """

    robot: Mechanism
    q: Array
    sample: NDArray[np.intp] = column()
    x: Array = column("coordinate", "displacement", prefix="")
    dependent: Array = column("dependent", "displacement", prefix="")
    p: Array = column("xyz", "m")
    R: Array
    branch: NDArray[np.int_] = column("leg")
    within_limits: NDArray[np.bool_] = column()
    singular_value: Array = column()
    side: NDArray[np.int_] = column()
    joints: Array
    certified: NDArray[np.bool_] = column()
    complex: NDArray[np.int_] | int
    complete: NDArray[np.bool_] | bool
    claim: NDArray[np.str_] | str
    retried: NDArray[np.bool_] | bool
    complex_sample: NDArray[np.intp]
    complex_p: NDArray[np.complex128]
    complex_e: NDArray[np.complex128]

    DRAWN, LAYOUT, UNDER = ("x",), "rows", "modes"

    @property
    def count(self) -> NDArray[np.int_] | int:
        """(N,) number of modes."""
        found = np.bincount(self.sample, minlength=len(np.atleast_2d(self.q)))
        return int(found[0]) if np.ndim(self.q) == 1 else found

    @property
    def count_text(self) -> str:
        """Of one set of displacements: "8 assembly modes (28 solutions, 8 real)", without brackets if all are.

        Where poses may be missing: "at least 8 assembly modes".
        """
        real, every = int(self.count), int(self.count) + int(self.complex)
        text = f"{'' if self.complete else 'at least '}{real} assembly mode{'' if real == 1 else 's'}"
        return text if every == real else f"{text} ({every} solutions, {real} real)"

    @property
    def claim_text(self) -> str:
        """Of one set of displacements: its claim, and how many complex solutions there are if they were sought."""
        if not self.complete and not self.complex:
            return str(self.claim)
        return f"{self.claim}; {self.complex} complex solution{'' if self.complex == 1 else 's'}"

    def _blocks(self) -> list[Block]:
        return [*super()._blocks()][np.ndim(self.q) == 1 :]  # the sample, where there are several

    def facts(self) -> dict[str, Any]:
        facts = {name: getattr(self, name) for name in ("complex", "complete", "claim")}
        return {"robot": self.robot.name, "displacement": self.q} | facts

    def to_dict(self) -> dict[str, Any]:
        """Plain values: `modes` is a list with x by coordinate, R, p, branch by leg and what else is told of each."""
        names, legs = self.robot.coordinate_names, [leg.name for leg in self.robot.legs]
        follow = self.robot.dependent_names
        several = np.ndim(self.q) == 2
        modes = []
        for k in range(len(self.sample)):
            one: dict[str, Any] = {"sample": int(self.sample[k])} if several else {}
            one |= {
                "x": dict(zip(names, self.x[k].tolist(), strict=True)),
                **({"dependent": dict(zip(follow, self.dependent[k].tolist(), strict=True))} if follow else {}),
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


def assembly_modes(robot: Mechanism, q: ArrayLike, *, starts: int = 3) -> AssemblyModes:
    """Every pose of the platform at actuator displacements: its assembly modes.

    Modes do not depend on the robot's branches: all branches of all legs are among them, told apart by `branch`.

    Args:
        robot: One on six distance legs (UPS, SPS, PUS, RUS, PSS, RSS, SRU), a planar, translational or spherical one on
            three legs, 3-RPS and its like, or any other without cables.
        q: (actuators,) or (N, actuators) displacements from the actuators' zeros [m or rad].
        starts: From how many start systems, 1 to 3, the poses are found where there are fewer than 40 solutions: more
            than one confirms the set.

    Raises:
        InputError: Numbers that are not finite, wrong shapes, none at all; a robot whose legs hold the platform
            nowhere, or with cables.
    """
    check_robot(robot)
    if starts not in (1, 2, 3):
        raise InputError(f"starts: {starts!r} given, expected 1, 2 or 3")
    spec, free, follow = _columns(robot)
    array, rows = converted(spec, q)
    check_finite(robot, {"q": array})
    if rows == 0:
        raise InputError("q: no displacements given, expected one set of them or more")
    asked = array.reshape(-1, spec.size)
    solver = _solver(robot)
    found = _solved(robot, solver, asked, starts)
    mine = asked[found.sample]
    told = told_of(robot, mine, found.p, found.R, found.joints)
    value, side = _singular(robot, solver, mine, found, told)
    order = nearest_first(found.sample, told.far, found.p)
    every = told.every[order]
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
        q=array.copy(),
        sample=found.sample,
        x=every[:, free],
        dependent=every[:, follow],
        p=found.p[order],
        R=found.R[order],
        branch=told.branch[order],
        within_limits=told.within_limits[order],
        singular_value=value[order],
        side=side[order],
        joints=told.joints[order],
        certified=found.certified[order],
        complex_sample=found.complex_sample,
        complex_p=found.complex_p,
        complex_e=found.complex_e,
        **per_sample,
    )


@by_mechanism(64)
def _columns(robot: Mechanism) -> tuple[Input, NDArray[np.intp], NDArray[np.intp]]:
    """What displacements are given as; places of the free and of the dependent ones among all coordinates."""
    names = [c.name for c in home_platform(robot).coordinates]
    free, follow = (
        np.array([names.index(name) for name in some], dtype=np.intp)
        for some in (robot.coordinate_names, robot.dependent_names)
    )
    return Input((len(robot.actuators),), name="q"), free, follow


@by_mechanism(64)
def _solver(robot: Mechanism) -> Solver:
    """What finds the modes of a robot: the first that fits it."""
    solver = six_legs(robot)
    if solver is not None and solver.starts.systems:
        return solver
    return three_legs(robot) or three_circles(robot) or spherical_chains(robot) or closure_modes(robot)


def _solved(robot: Mechanism, solver: Solver, q: Array, starts: int) -> Solutions:
    """Where a closed form proves nothing, at special positions and of special machines, the robot's closure may."""
    found = solver.solve(q, starts)
    if isinstance(solver, SixLegs | ClosureModes) or found.complete.all():
        return found
    each = []
    for k in range(len(q)):
        mine = found.of(k)
        other = mine if found.complete[k] else _by_closure(robot, solver, q[k : k + 1], starts)
        each.append(other if other.complete[0] or len(other.p) > len(mine.p) else mine)
    return joined(each)


def _by_closure(robot: Mechanism, solver: Solver, q: Array, starts: int) -> Solutions:
    """Poses at one set of displacements q (1, actuators) by paths; of a wrist with what its own equations say of them.

    Its closure has more equations than unknowns, which prove nothing.
    """
    found = closure_modes(robot).solve(q, starts)
    if not isinstance(solver, Spherical):
        return found
    proved, radius = solver.certified(q[found.sample], found.R)
    certified = found.certified | proved
    radius = np.where(found.certified, found.radius, np.where(proved, radius, np.nan))
    return replace(found, certified=certified, radius=radius, singular_value=None, side=None)


def _singular(
    robot: Mechanism, solver: Solver, q: Array, found: Solutions, told: Told
) -> tuple[Array, NDArray[np.int_]]:
    """Smallest singular values (M,) of K, and sides of singularity (M,)."""
    if found.singular_value is not None and found.side is not None:
        return found.singular_value, found.side
    if isinstance(solver, ThreeCircles):
        K, det = solver.jacobian(q, found.p, found.R, told.every)
        return smallest(robot, K), np.sign(det).astype(int)
    if isinstance(solver, Spherical) and isinstance(solver.directions, ChainDirections):
        forces, by_q = solver.directions.jacobians(q, found.R)
        with np.errstate(divide="ignore", invalid="ignore"):
            K = -forces / by_q[:, :, None]
        return smallest(robot, K), np.sign(np.linalg.det(forces)).astype(int)
    assert told.singular_value is not None
    assert told.side is not None
    return told.singular_value, told.side
