"""Checks that need kinematics: legs reach at home, and leave the platform just the motions it has coordinates for.

Mobility is the same at almost every pose; a few random ones near home are looked at, and the smallest counts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import numpy as np

from gough.graph import Array
from gough.kinematics.closure.nearest_approach import nearest
from gough.kinematics.closure.newton import REACHED
from gough.kinematics.dependent.constraint import at_home, follows, home_platform
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.mobility import closure_jacobian, motions_left, nullity
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.stated_assemblies import assembly_faults, home_fault
from gough.robot import Fault, Mechanism, Robot
from gough.robot.file import read
from gough.robot.file.units import Units
from gough.robot.names import counted
from gough.robot.quantities import shown
from gough.robot.spec import Spec

_POSES = 3
_STEP = 0.01
_CLOSED = 1e-7
_AT_HOME = "at home"
_GEOMETRY = "check platform.home and the leg's geometry"
_EDGE = "home is at the edge of its reach: move it inside"
_MOVED = "the platform moves otherwise too: state these coordinates, and list them in platform.dependent"


def load(name_or_path: str | Path) -> Robot:
    """The robot of a catalogue name or a TOML file, checked: form, units, bodies, reach at home and mobility.

    Raises:
        RobotError: With every fault, one line each.
    """
    return read.load(name_or_path, kinematic_faults)


def loads(text: str, name: str = "robot") -> Robot:
    """The robot of a TOML text, checked as `load` checks a file.

    Args:
        text: The text.
        name: What it is called in messages.

    Raises:
        RobotError: With every fault, one line each.
    """
    return read.loads(text, name, kinematic_faults)


def checked(robot: Robot) -> Robot:
    """The robot itself, if its kinematics are right.

    Raises:
        RobotError: With every fault, one line each.
    """
    faults = kinematic_faults(robot)
    if faults:
        raise robot.source.place(robot.spec).error(faults)
    return robot


def kinematic_faults(robot: Robot) -> list[Fault]:
    """What is wrong with the kinematics of a robot.

    Reach is checked leg by leg; mobility on the whole machine, once all legs reach.
    """
    return _faults(robot.expanded, robot.spec, robot.units)


def _faults(robot: Mechanism, spec: Spec, units: Units) -> list[Fault]:
    faults = _redundant(robot)
    redundant = {fault.path[1] for fault in faults}
    if robot.platform.dependent:
        if redundant:
            return faults
        robot = at_home(spec, robot)
    faults += _at_home(robot, spec, units, [k for k in range(len(robot.legs)) if k not in redundant])
    if faults:
        return faults
    length = characteristic_length(robot)
    faults = _not_following(robot, length)
    if faults:
        return faults
    ways = ways_of(robot)
    home = np.array(robot.platform.home)
    poses = [robot_pose(robot, ways, x) for x in _near_home(robot)]
    for pose in poses:
        faults = _not_closed(pose, units, "near home", _of_coordinates(robot))
        if faults:
            at_rest = [robot_pose(robot, ways, home)]
            return _mobility(robot, at_rest, length, locked_only=True) or faults
    return _mobility(robot, poses, length) or _control(robot, spec, poses)


def _of_coordinates(robot: Mechanism) -> str:
    """Why legs that close at home may not close near it."""
    return _EDGE if len(robot.platform.all_coordinates) == 6 else f"{_EDGE}; or {_MOVED}"


def _near_home(robot: Mechanism) -> list[Array]:
    """(n,) a few random poses near home."""
    home, length = np.array(robot.platform.home), characteristic_length(robot)
    sizes = np.where([c.turns for c in robot.platform.coordinates], 1.0, length)
    random = np.random.default_rng(20090101)
    return [home + _STEP * random.uniform(-1, 1, len(home)) * sizes for _ in range(_POSES)]


def _at_home(robot: Mechanism, spec: Spec, units: Units, legs: list[int]) -> list[Fault]:
    """Faults of these legs at home, each on its own."""
    pose = _at_home_alone(robot, legs)
    faults = _not_closed(pose, units, _AT_HOME, _GEOMETRY)
    faults = [replace(fault, path=("leg", legs[int(fault.path[1])])) for fault in faults]
    if faults:
        return faults
    elsewhere = home_fault(robot, legs)
    return [elsewhere] if elsewhere else [fault for k in legs for fault in assembly_faults(robot, spec, k)]


def _at_home_alone(robot: Mechanism, legs: Collection[int]) -> RobotPose:
    """These legs at home, each closed on its own."""
    platform = home_platform(robot)
    part = replace(robot, platform=platform, legs=tuple(robot.legs[k] for k in legs))
    return robot_pose(part, ways_of(part), np.array(platform.home))


def _not_following(robot: Mechanism, length: float) -> list[Fault]:
    """A fault if the legs do not determine the dependent coordinates at home by the others."""
    platform = robot.platform
    if not platform.dependent or follows(robot):
        return []
    mobility = nullity(closure_jacobian(_at_home_alone(robot, range(len(robot.legs))), length))
    if mobility != robot.dof:
        return [_of_mobility(robot, mobility)]
    names = ", ".join(c.name for c in platform.dependent)
    allowed = f"{names} must follow {', '.join(robot.coordinate_names)}, but at home the legs leave them free"
    return [Fault(("platform", "dependent"), allowed, hint="list other coordinates")]


def _redundant(robot: Mechanism) -> list[Fault]:
    """Faults of the legs that could move with the platform held."""
    faults = []
    for k, leg in enumerate(robot.legs):
        own = sum(joint.mimic is None for joint in leg.joints)
        most = 3 if leg.end.kind == "spherical" else 6
        if own > most:
            allowed = f"has {own} independent joints: at most {most} with a {leg.end.kind} end"
            hint = "a leg with spherical joints at both ends: write the first as U and state free_spin = true"
            faults.append(Fault(("leg", k), allowed, hint=hint, key=f"leg.{leg.name}"))
    return faults


def _not_closed(pose: RobotPose, units: Units, where: str, hint: str) -> list[Fault]:
    """Faults of the legs that do not reach, or whose ends do not meet the platform."""
    faults = []
    for k, leg in enumerate(pose.legs):
        short, gap = float(leg.closure.short), float(leg.residual(pose.platform))
        if leg.closed_form and short > REACH_SLACK:
            allowed = f"does not reach the platform {where}: {shown(short, 'length', units)} short"
        elif where != _AT_HOME and not leg.closure.converged:
            allowed = f"folds {where}: it would have to go on to another assembly"
        elif not leg.closure.converged or not gap <= _CLOSED:
            least = _least_gap(pose.robot, k) if where == _AT_HOME else None
            allowed = f"its end misses the platform {where} by {gap:.4g} (m or rad)"
            if least is not None:
                allowed = f"does not reach the platform {where}: {shown(least, 'length', units)} short"
        else:
            continue
        faults.append(Fault(("leg", k), allowed, hint=hint, key=f"leg.{leg.leg.name}"))
    return faults


def _least_gap(robot: Mechanism, leg: int) -> float | None:
    """How far a leg that Newton's method cannot close falls short at home [m]; None where that is not known.

    The leg's end keeps its orientation. Nothing is known where no least gap is found, or where it is zero: then the leg
    closes, but not from where it starts.
    """
    gap, least = nearest(robot, leg, np.array([robot.platform.home], dtype=float))
    return float(gap[0]) if least[0] and gap[0] > REACHED else None


def _mobility(robot: Mechanism, poses: list[RobotPose], length: float, locked_only: bool = False) -> list[Fault]:
    """A fault if the legs leave more or fewer motions than there are coordinates; or only if fewer."""
    n = robot.dof
    mobility = min(motions_left(robot, pose, length) for pose in poses)
    if mobility == n or (locked_only and mobility > n):
        return []
    return [_of_mobility(robot, mobility)]


def _of_mobility(robot: Mechanism, mobility: int) -> Fault:
    """The fault of a machine that has not as many motions as its platform has coordinates."""
    n, dependent = robot.dof, robot.platform.dependent
    coordinates = counted(n, "independent coordinate" if dependent else "coordinate")
    allowed = f"the legs leave the machine {counted(mobility, 'motion')}, but the platform has {coordinates}"
    if mobility > n and dependent:
        hint = f"take {counted(min(mobility - n, len(dependent)), 'name')} off platform.dependent"
    elif mobility > n:
        hint = (
            "what has no coordinate must be held by the legs: add a coordinate, use rigid ends or fewer joints, or add "
            "a passive leg, e.g. a joint U with a rigid end"
        )
    else:
        hint = "remove a coordinate, add joints, or list those that follow the others in platform.dependent"
    return Fault(("platform", "coordinates"), allowed, hint=hint)


def _control(robot: Mechanism, spec: Spec, poses: list[RobotPose]) -> list[Fault]:
    """A fault if the actuators, as many as coordinates or more, do not command these anywhere near home."""
    if len(robot.actuators) < robot.dof:
        return []
    for pose in poses:
        K = np.array(pose.jacobian(), dtype=float)
        if np.isfinite(K).all() and np.linalg.matrix_rank(K, tol=1e-9 * np.abs(K).max()) == K.shape[1]:
            return []
    allowed = "the actuated joints do not determine the platform's motion near home"
    hint = "the machine is singular everywhere: actuate other joints, or place the leg ends otherwise"
    return [Fault(("leg",) if "leg" in spec else ("legs",), allowed, hint=hint)]
