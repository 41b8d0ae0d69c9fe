"""The equations that determine the dependent coordinates, and their values at home.

A leg constrains the platform if its independent joints are fewer than the equations of its end: 3 of a point, 6 of a
frame. If all its joints move it in one plane, with the unit normal e, its end on the platform stays there:
e.(p_end - b) = 0. A rod between two universal joints is in a plane with their outer axes a and d: if it is on a slider
along a, (a x d).(p_end - b) = 0, wherever that is. Of any other such leg the joints are unknown too, and its closure
error is zero. Where the legs hold the platform more than once, as many independent equations as there are unknowns are
picked at home; the others hold with them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Vector, array, cross, dot, jacobian, record
from gough.kinematics.closure.angles import parallel
from gough.kinematics.closure.assembly import chosen, leg_size, near_starts, sizes_of
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.closed_form import main_chain
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.newton import closure_error
from gough.kinematics.closure.rod import RodForm
from gough.kinematics.closure.shape import unmoved
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.robot import Leg, Mechanism, Platform, by_mechanism
from gough.robot.legs.expand import expand
from gough.robot.spec import Spec
from gough.run import Program

_SQUARE = 1e-9
"""Slack of parallel and perpendicular axes: files give ten digits or so."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """How dependent coordinates are found, decided from a robot's plain numbers.

    Attributes:
        home: (k,) their values at home [m or rad].
        planes: For each leg of one equation, that of a plane, its index and that of a joint that turns about the normal
            or, of a rod between universal joints, about the first outer axis.
        chains: Indices of the other legs that constrain the platform.
        joints: For each of these its independent coordinates at home [m or rad].
        sizes: For each unknown, dependent coordinates and then joints, how large a change of it is.
        rows: Which of the equations are solved.
    """

    home: tuple[float, ...]
    planes: tuple[tuple[int, int], ...]
    chains: tuple[int, ...]
    joints: tuple[tuple[float, ...], ...]
    sizes: tuple[float, ...]
    rows: tuple[int, ...]

    @property
    def start(self) -> Vector:
        """All unknowns at home."""
        return np.array([*self.home, *(value for values in self.joints for value in values)])

    def by_leg(self, u: Vector) -> dict[int, Any]:
        """The joints' part of the unknowns u for each leg of `chains`."""
        found, at = {}, len(self.home)
        for k, values in zip(self.chains, self.joints, strict=True):
            found[k] = u[at : at + len(values)]
            at += len(values)
        return found


def own_joints(leg: Leg) -> list[int]:
    """Indices of the independent joints."""
    return [k for k, joint in enumerate(leg.joints) if joint.mimic is None]


def constrains(leg: Leg) -> bool:
    """Whether a leg has fewer independent joints than its end has equations; a cable holds nothing but its length."""
    return leg.cable is None and len(own_joints(leg)) < (3 if leg.end.kind == "spherical" else 6)


def normal_joint(leg: Leg) -> int | None:
    """Of a leg of plain numbers with one equation, that of a plane, the joint of `Constraint.planes`; else None."""
    chain = main_chain(leg)
    if _slides_along_its_rods_axis(leg):
        return chain[1]
    turning = [k for k in chain if leg.joints[k].kind == "R"]
    own = own_joints(leg)
    if leg.end.kind == "rigid" or len(own) != 2 or not turning or not set(own) <= set(chain):
        return None
    axes = unmoved(leg).axes
    e = axes[turning[0]]
    for k in chain:
        off = np.cross(e, axes[k]) if k in turning else np.dot(e, axes[k])
        if np.linalg.norm(off) > _SQUARE:
            return None
    return turning[0]


def _slides_along_its_rods_axis(leg: Leg) -> bool:
    """Whether a leg is a rod between universal joints on a slider along the first outer axis."""
    form, chain = closed_form(leg), main_chain(leg)
    if not isinstance(form, RodForm) or not form.swing or leg.joints[chain[0]].kind != "P":
        return False
    axes = unmoved(leg).axes
    return parallel(axes[chain[0]], axes[chain[1]])


def plane_of(leg: Leg, joint: int) -> tuple[Any, Any]:
    """Normal e (3,) of the plane a leg's end moves in, and a point (3,) of it, both in B."""
    links, R_B0 = unmoved(leg), array(leg.rotation)
    return R_B0 @ links.axes[joint], array(leg.position) + R_B0 @ links.end


def outer_axes(leg: Leg, joint: int, R_end: Vector) -> tuple[Any, Any, Any]:
    """Outer axes (3,) of a rod between universal joints whose end is turned by R_end, and a point of its slider's line.

    All in B; `joint` as in `Constraint.planes`.
    """
    links, R_B0 = unmoved(leg), array(leg.rotation)
    d = R_end @ (array(leg.end.rotation).T @ array(leg.joints[leg.end.joint].axis))
    return R_B0 @ links.axes[joint], d, array(leg.position) + R_B0 @ links.p[joint]


def _off_plane(leg: Leg, joint: int, pose: PlatformPose) -> Any:
    p_end, R_end = end_target(leg, pose)
    if leg.end.kind == "spherical":
        e, point = plane_of(leg, joint)
        return dot(e, p_end - point)
    a, d, point = outer_axes(leg, joint, R_end)
    return dot(cross(a, d), p_end - point)


def equations(
    robot: Mechanism, planes: tuple[tuple[int, int], ...], joints: dict[int, Any], x: Vector, d: Vector
) -> list[Any]:
    """Closure errors of all constraining legs at coordinates x (n,), dependent ones d (k,) and these joints by leg."""
    pose = platform_pose(robot.platform.whole(), robot.platform.in_order(x, d))
    found: list[Any] = []
    for k, joint in planes:
        found.append(_off_plane(robot.legs[k], joint, pose))
    for k, u in joints.items():
        leg = robot.legs[k]
        found += [*closure_error(leg, own_joints(leg), *end_target(leg, pose), u)]
    return found


_STEPS = 100
_SHORTEST = 2.0**-20
_SETTLED = 1e-15
_ROUNDS = 5
"""How often short forms that take their axes from home are expanded again."""
FOLLOWS = 1e-6
"""Least singular value of the equations at home, in units of `Constraint.sizes`, at which they fix the unknowns."""
RANK = 1e-9
"""Smallest singular value, as a share of the largest, that counts as one."""


@by_mechanism(256)
def home_platform(robot: Mechanism) -> Platform:
    """The platform as if no coordinate were dependent, at home where the legs leave it."""
    return robot.platform.whole(_home_values(robot)) if robot.platform.dependent else robot.platform


def at_home(spec: Spec, expanded: Mechanism) -> Mechanism:
    """Return the mechanism of a spec with the dependent coordinates at home that its legs leave it.

    Leg types that take axes from home take them from there.
    """
    mechanism = expanded
    for _ in range(_ROUNDS if mechanism.platform.dependent else 0):
        home = home_platform(mechanism).home
        if np.abs(np.subtract(home, mechanism.platform.whole().home)).max() <= _SETTLED:
            break
        mechanism = expand({**spec, "platform": {**spec["platform"], "home": list(home)}})
    return mechanism


@by_mechanism(256)
def _home_values(robot: Mechanism) -> tuple[float, ...]:
    """(k,) dependent coordinates at home; where legs do not close from their starts, what comes near."""
    planes, chains = constraining(robot)
    platform = robot.platform.whole()
    joints = [near_starts(robot.legs[k], platform) for k in chains]
    u = np.array([*robot.platform.start, *(value for values in joints for value in values)])
    program = home_program(robot, planes, chains)
    count = len(robot.platform.dependent)
    return tuple(float(v) for v in _closed(program, u)[:count])


def constraining(
    robot: Mechanism, off_plane: Collection[int] = ()
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Legs that move in a plane, with a joint that turns about its normal, and the other ones that constrain.

    Those of `off_plane` count among the others.
    """
    legs = [k for k, leg in enumerate(robot.legs) if constrains(leg)]
    normals = {k: None if k in off_plane else normal_joint(robot.legs[k]) for k in legs}
    return (
        tuple((k, joint) for k, joint in normals.items() if joint is not None),
        tuple(k for k, joint in normals.items() if joint is None),
    )


@by_mechanism(64)
def home_program(robot: Mechanism, planes: tuple[tuple[int, int], ...], chains: tuple[int, ...]) -> Program:
    """Closure errors r at home and their derivatives J by the unknowns u: dependent coordinates, then joints."""
    home, count = np.array(robot.platform.home), len(robot.platform.dependent)
    sizes = [sum(joint.mimic is None for joint in robot.legs[k].joints) for k in chains]
    ends = count + np.cumsum([0, *sizes])

    def residuals(u: Vector) -> dict[str, Any]:
        joints = {k: u[ends[i] : ends[i + 1]] for i, k in enumerate(chains)}
        r = array(equations(robot, planes, joints, home, u[:count]))
        return {"r": r, "J": jacobian(r, u)}

    return Program(record(residuals, u=int(ends[-1])), "blocks")


def _closed(program: Program, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """The unknowns after Newton's method by least squares, each step as long as it makes the errors smaller."""
    now = program(u=u)
    for _ in range(_STEPS):
        size = np.linalg.norm(now["r"])
        if size <= _SETTLED:
            break
        step = -np.linalg.lstsq(now["J"], now["r"], rcond=RANK)[0]
        share = min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
        while share > _SHORTEST:
            trial = program(u=u + share * step)
            if np.linalg.norm(trial["r"]) < size:
                break
            share *= 0.5
        else:
            break
        u, now = u + share * step, trial
    return u


def follows(robot: Mechanism) -> bool:
    """Whether the legs determine the dependent coordinates by the others at home."""
    c = constraint_of(robot)
    J = home_program(robot, c.planes, c.chains)(u=c.start)["J"] * c.sizes
    return len(J) >= J.shape[1] and bool(np.linalg.svd(J, compute_uv=False)[-1] > FOLLOWS)


def constraint_of(robot: Mechanism, off_plane: Collection[int] = ()) -> Constraint:
    """What constrains the dependent coordinates of a robot."""
    planes, chains = constraining(robot, off_plane)
    platform = home_platform(robot)
    home = _home_values(robot)
    joints = tuple(chosen(robot.legs[k], platform).values for k in chains)
    size = max(leg_size(leg, platform) for leg in robot.legs)
    sizes = [1.0 if c.motion.startswith("r") else size for c in robot.platform.dependent]
    sizes += [value for k in chains for value in sizes_of(robot.legs[k], platform)]
    u = np.array([*home, *(value for values in joints for value in values)])
    J = home_program(robot, planes, chains)(u=u)["J"] * sizes
    return Constraint(home, planes, chains, joints, tuple(sizes), _independent_rows(J))


def _independent_rows(J: NDArray[np.float64]) -> tuple[int, ...]:
    """As many rows of J as it has columns, the most independent ones, in their order; all where there are no more.

    The longest row, then the one that is longest across those chosen, and so on: a pivoted QR decomposition. SciPy's
    would be a line, but its import takes longer than all else that a robot's file asks for.
    """
    unknowns = J.shape[1]
    if len(J) <= unknowns:
        return tuple(range(len(J)))
    across = np.array(J, dtype=float)
    chosen: list[int] = []
    for _ in range(unknowns):
        lengths = np.linalg.norm(across, axis=1)
        lengths[chosen] = -1.0
        chosen.append(int(np.argmax(lengths)))
        n = across[chosen[-1]] / (lengths[chosen[-1]] or 1.0)
        across = across - np.outer(across @ n, n)
    return tuple(sorted(chosen))
