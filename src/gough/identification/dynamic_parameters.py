"""Dynamic parameters of a robot by name: all of them, and those that are left once legs are tied and rods stay rods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from gough.graph import Array
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Body, Joint, Leg, Mechanism, by_mechanism
from gough.robot.inertia import steiner
from gough.robot.leg_values import tensor_of

Shape = Literal["full", "rod", "point", "none"]
QUANTITIES = ("mass", "hx", "hy", "hz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
"""Of a body: mass [kg], first moment m c [kg m], inertia about the frame's origin [kg m^2]."""
DRIVES = ("viscous", "coulomb", "rotor")
"""Of an actuator: friction per speed, dry friction, and inertia J N^2 at the joint."""
_ROUND_OFF = 1e-12


def body_values(body: Body) -> Array:
    """(10,) mass, first moment and inertia about the origin."""
    h = body.mass * np.array(body.com)
    return np.array([body.mass, *h, *(np.array(body.inertia) + steiner(body.mass, body.com))])


def body_of(values: Sequence[float] | Array, like: Body) -> Body:
    """The body with these ten numbers and the name of another."""
    mass, h, inertia = float(values[0]), np.asarray(values[1:4]), np.asarray(values[4:])
    if mass == 0.0:
        return Body(like.name)
    com = tuple((h / mass).tolist())
    central = inertia - np.array(steiner(mass, cast(tuple[float, float, float], com)))
    return Body(like.name, mass, com, tuple(central.tolist()))


@dataclass(frozen=True)
class Block:
    """The parameters of one body, or of one and those tied to it.

    Attributes:
        body: Index of the first of them in `robot.bodies`.
        bodies: Indices of all.
        shape: What it may be.
        axis: (3,) direction of a rod in its frame.
        first: Index of its first parameter.
        size: How many it has: 10, 3 (mass, first moment along the rod, moment across it), 1 or 0.
    """

    body: int
    bodies: tuple[int, ...]
    shape: Shape
    axis: Array
    first: int
    size: int


@dataclass(frozen=True)
class ParameterSet:
    """Parameters p of a regressor, and how they make up all: whole = map p.

    Attributes:
        names: (p,).
        values: (p,) of the file.
        map: (whole, p) whole is ten numbers of each body, then viscous, coulomb and rotor of each actuator.
        blocks: Those of bodies.
        drives: For each parameter of actuators its quantity and the indices of the actuators that have it.
        ties: For each leg the first one that is like it, itself where none is tied.
    """

    names: tuple[str, ...]
    values: Array
    map: Array
    blocks: tuple[Block, ...]
    drives: tuple[tuple[str, tuple[int, ...]], ...]
    ties: tuple[int, ...]

    @property
    def drives_first(self) -> int:
        """Index of the first parameter of an actuator."""
        return len(self.names) - len(self.drives)


def whole_values(robot: Mechanism) -> Array:
    """(10 bodies + 3 actuators,) all parameters of the file."""
    joints = robot.actuators
    drives = [[joint.viscous for joint in joints], [joint.coulomb for joint in joints], [rotor_of(j) for j in joints]]
    return np.concatenate([*(body_values(body) for body in robot.bodies), *drives])


def rotor_of(joint: Joint) -> float:
    """The rotor's inertia at the joint, J N^2 [kg or kg m^2]."""
    return joint.rotor_inertia * joint.gear**2


@by_mechanism(64)
def parameter_set(robot: Mechanism, bodies: str, tied: bool, friction: bool, rotors: bool) -> ParameterSet:
    """The parameters of a robot: see `regressor`."""
    ties = _ties(robot) if tied else tuple(range(len(robot.legs)))
    whole = whole_values(robot)
    names: list[str] = []
    columns: list[Array] = []
    blocks: list[Block] = []
    unspun, cables = _unspun(robot), _cables(robot)
    for members, owner in _tied_bodies(robot, ties):
        body = robot.bodies[members[0]]
        shape, axis = shape_of(body, bodies == "stated", unspun.get(members[0]))
        shape = "none" if members[0] in cables else shape
        found = _columns(shape, axis)
        blocks.append(Block(members[0], members, shape, axis, len(names), len(found)))
        for quantity, column in found:
            names.append(f"{owner}.{quantity}")
            spread = np.zeros(len(whole))
            for member in members:
                spread[10 * member : 10 * member + 10] = column
            columns.append(spread)
    drives = []
    for quantity in (*(DRIVES[:2] if friction else ()), *(DRIVES[2:] if rotors else ())):
        for together in _tied_actuators(robot, ties):
            names.append(f"{_drives_name(robot, together)}.{quantity}")
            spread = np.zeros(len(whole))
            start = 10 * len(robot.bodies) + DRIVES.index(quantity) * len(robot.actuators)
            spread[[start + k for k in together]] = 1.0
            columns.append(spread)
            drives.append((quantity, together))
    E = np.array(columns).T
    values = np.asarray(np.linalg.lstsq(E, whole, rcond=None)[0], dtype=np.float64)
    return ParameterSet(tuple(names), values, E, tuple(blocks), tuple(drives), ties)


def _ties(robot: Mechanism) -> tuple[int, ...]:
    """For each leg the first whose masses, friction and rotors are the same, joint by joint."""
    seen: list[tuple[object, ...]] = []
    for leg in robot.legs:
        seen.append(tuple(_alike(joint) for joint in leg.joints))
    return tuple(seen.index(own) for own in seen)


def _alike(joint: Joint) -> tuple[object, ...]:
    numbers = (*body_values(joint.body), joint.viscous, joint.coulomb, rotor_of(joint))
    return (joint.kind, joint.actuated, joint.parent, *(float(f"{number:.9g}") for number in numbers))


def _cables(robot: Mechanism) -> set[int]:
    """Indices of the bodies of cables, which have no mass."""
    owners = [leg for leg in robot.legs for _ in leg.joints]
    return {k + 1 for k, leg in enumerate(owners) if leg.cable is not None}


def _unspun(robot: Mechanism) -> dict[int, Array]:
    """Directions (3,) of the bodies on legs that are free to spin, by index of the body: these are rods."""
    if not any(leg.free_spin for leg in robot.legs):
        return {}
    pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
    found, start = {}, 1
    for leg in pose.legs:
        if leg.leg.free_spin and leg.closure.rod is not None:
            found.update({start + k: np.asarray(u, dtype=float) for k, u in leg.closure.rod.u.items()})
        start += len(leg.leg.joints)
    return found


def _tied_bodies(robot: Mechanism, ties: tuple[int, ...]) -> list[tuple[tuple[int, ...], str]]:
    """Indices of the bodies that share their parameters, and the name of the first."""
    first, start = [], 1
    for leg in robot.legs:
        first.append(start)
        start += len(leg.joints)
    found: list[tuple[tuple[int, ...], str]] = [((0,), "platform")]
    for k, leg in enumerate(robot.legs):
        if ties[k] != k:
            continue
        alike = [j for j, tie in enumerate(ties) if tie == k]
        for i, joint in enumerate(leg.joints):
            members = tuple(first[j] + i for j in alike)
            found.append((members, f"{legs_name(robot.legs, alike)}.{joint.name}"))
    return found


def _tied_actuators(robot: Mechanism, ties: tuple[int, ...]) -> list[tuple[int, ...]]:
    places: dict[tuple[int, int], list[int]] = {}
    seen: dict[int, int] = {}
    for k, leg in enumerate(robot.actuator_legs):
        number = seen.get(leg, 0)
        seen[leg] = number + 1
        places.setdefault((ties[leg], number), []).append(k)
    return [tuple(found) for found in places.values()]


def _drives_name(robot: Mechanism, together: tuple[int, ...]) -> str:
    """Of one actuator its name, of several that of their joints, as of bodies."""
    first = together[0]
    if len(together) == 1:
        return robot.actuator_names[first]
    return f"{legs_name(robot.legs, [robot.actuator_legs[k] for k in together])}.{robot.actuators[first].name}"


def legs_name(legs: Sequence[Leg], alike: Sequence[int]) -> str:
    """Of one leg its name, of several "legs"; with the first and last where they are not all."""
    if len(alike) == 1:
        return legs[alike[0]].name
    return "legs" if len(alike) == len(legs) else f"{legs[alike[0]].name}..{legs[alike[-1]].name}"


def shape_of(body: Body, stated: bool, unspun: Array | None = None) -> tuple[Shape, Array]:
    """What a body may be, and the direction of a rod; `unspun` is that of one which is free to spin."""
    if unspun is not None:
        return ("none" if stated and body.is_massless else "rod"), unspun
    if not stated:
        return "full", np.zeros(3)
    axis, size = rod_axis(body)
    if body.is_massless:
        return "none", np.zeros(3)
    if axis is None:
        return ("point" if size == 0.0 else "full"), np.zeros(3)
    return "rod", axis


def rod_axis(body: Body) -> tuple[Array | None, float]:
    """Direction of a body that is thin along a line through its frame's origin, else None; and its extent there."""
    tensor = tensor_of(body.inertia) + tensor_of(steiner(body.mass, body.com))
    size = float(np.trace(np.asarray(tensor, dtype=float)))
    if size == 0.0:
        return None, 0.0
    moments, axes = np.linalg.eigh(np.asarray(tensor, dtype=float))
    across = np.linalg.norm(np.cross(axes[:, 0], body.com)) ** 2 * body.mass
    thin = abs(moments[0]) <= _ROUND_OFF * size and moments[2] - moments[1] <= _ROUND_OFF * size
    if not thin or across > _ROUND_OFF * size:
        return None, size
    along = axes[:, 0] * (1.0 if axes[np.argmax(np.abs(axes[:, 0])), 0] > 0.0 else -1.0)
    along[np.abs(along) < 1e-15] = 0.0
    return along, size


def _columns(shape: Shape, axis: Array) -> list[tuple[str, Array]]:
    """Quantities of a body of this shape, each with what it is of the ten numbers."""
    if shape == "full":
        return list(zip(QUANTITIES, np.eye(10), strict=True))
    if shape == "none":
        return []
    found = [("mass", np.eye(10)[0])]
    if shape == "rod":
        across = np.eye(3) - np.outer(axis, axis)
        moment = [across[0, 0], across[1, 1], across[2, 2], across[0, 1], across[0, 2], across[1, 2]]
        found.append(("h", np.array([0.0, *axis, *[0.0] * 6])))
        found.append(("I", np.array([0.0] * 4 + moment)))
    return found


def with_parameters(robot: Mechanism, parameters: ParameterSet, values: Array) -> Mechanism:
    """The mechanism with these parameters in its bodies and actuators; numbers without a parameter stay."""
    whole = whole_values(robot)
    touched = np.abs(parameters.map).sum(axis=1) > 0.0
    whole[touched] = (parameters.map @ values)[touched]
    bodies = [
        body_of(whole[10 * k : 10 * k + 10], body) if touched[10 * k : 10 * k + 10].any() else body
        for k, body in enumerate(robot.bodies)
    ]
    m = len(robot.actuators)
    viscous, coulomb, rotor = whole[10 * len(bodies) :].reshape(3, m).tolist()
    legs, at, drive = [], 1, 0
    for leg in robot.legs:
        joints = []
        for joint in leg.joints:
            changed = replace(joint, body=bodies[at])
            if joint.actuated:
                own = rotor[drive] / joint.gear**2 if joint.gear else 0.0
                own = joint.rotor_inertia if rotor_of(joint) == rotor[drive] else own
                changed = replace(changed, viscous=viscous[drive], coulomb=coulomb[drive], rotor_inertia=own)
                drive += 1
            joints.append(changed)
            at += 1
        legs.append(replace(leg, joints=tuple(joints)))
    return replace(robot.mechanism, platform=replace(robot.platform, body=bodies[0]), legs=tuple(legs))
