"""What `gough show` says of a robot, as nested dicts in SI units and radians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from gough.cli.loading import leg_types, machine_type
from gough.dynamics import inverse_dynamics
from gough.dynamics.sharing.shares import force_limits
from gough.graph import count
from gough.kinematics import inverse_kinematics
from gough.kinematics.closure.assembly import branch_of
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.programs import characteristic_length, kinematics_graph
from gough.motion import Motion
from gough.motion import motions as motion_names
from gough.robot import Body, Joint, Leg, Robot
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.system_graph import system_graph

ORDERS = ("position", "velocity", "acceleration")


def robot_facts(robot: Robot, x: Sequence[float], source: str = "") -> dict[str, Any]:
    """Everything shown of a robot at platform coordinates x (n,), and where its numbers come from.

    Raises:
        PoseError: A leg does not reach.
    """
    return {
        "name": robot.name,
        "description": robot.description,
        "type": machine_type(robot),
        "source": source,
        "coordinates": [
            {"name": c.name, "motion": c.motion, "unit": "rad" if c.turns else "m", "home": home}
            for c, home in zip(robot.platform.coordinates, robot.platform.home, strict=True)
        ],
        "pose": {c.name: value for c, value in zip(robot.platform.coordinates, x, strict=True)},
        "dependent": dict(zip(robot.dependent_names, dependent_coordinates(robot, x)[0].tolist(), strict=True)),
        "gravity": robot.gravity,
        "length": characteristic_length(robot),
        "tool": asdict(robot.tool),
        "mobility": _mobility(robot),
        "bodies": _bodies(robot),
        "legs": [_leg(robot, leg, kind) for leg, kind in zip(robot.legs, leg_types(robot), strict=True)],
        "actuators": _actuators(robot, x),
        "held": _held(robot, x),
        "springs": [asdict(spring) for spring in robot.springs],
        "errors": {name: robot.spec[name] for name in ERROR_TABLES if name in robot.spec},
        "graph": _graph(robot),
        "motions": [{"name": name, "duration": Motion.named(robot, name).duration} for name in motion_names(robot)],
        "operations": _operations(robot),
    }


def _mobility(robot: Robot) -> dict[str, int]:
    """Mobility, equal to coordinates and actuators in a robot that was loaded, and how counting them differs."""
    mobility = robot.dof
    joints = sum(joint.mimic is None for joint in robot.joints)
    equations = sum(1 if leg.cable is not None else 3 if leg.end.kind == "spherical" else 6 for leg in robot.legs)
    return {
        "mobility": mobility,
        "coordinates": mobility,
        "actuators": len(robot.actuators),
        "joints": joints,
        "equations": equations,
        "overconstrained": max(0, mobility - (6 + joints - equations)),
    }


def _held(robot: Robot, x: Sequence[float]) -> dict[str, Any] | None:
    """Forces within limits that hold the platform at rest, None if there are none, and their margin if all have limits.

    None of a robot whose actuators do not share forces within limits.
    """
    if robot.actuation is None or not robot.actuation.limited:
        return None
    found = inverse_dynamics(robot, [x])
    bounded = all(low is not None and high is not None for low, high in force_limits(robot))
    margin = float(found.margin[0]) if bounded else None
    return {"force": found.force[0].tolist() if np.isfinite(found.force).all() else None, "margin": margin}


def _graph(robot: Robot) -> dict[str, Any]:
    """Bodies and joints as nodes and edges, and the number of independent loops."""
    graph = system_graph(robot)
    return {**asdict(graph), "loops": graph.loops}


def _bodies(robot: Robot) -> list[dict[str, Any]]:
    """Bodies with mass, identical ones together."""
    counts: dict[Body, int] = {robot.platform.body: 1}
    for leg in robot.legs:
        for joint in leg.joints:
            if not joint.body.is_massless:
                counts[joint.body] = counts.get(joint.body, 0) + 1
    return [{**asdict(body), "count": number} for body, number in counts.items()]


def _leg(robot: Robot, leg: Leg, kind: str) -> dict[str, Any]:
    return {
        "name": leg.name,
        "type": kind,
        "closure": closure_name(leg),
        "branch": branch_of(leg, home_platform(robot)),
        "free_spin": leg.free_spin,
        "position": leg.position,
        "platform_point": leg.end.platform_point,
        "end": leg.end.kind,
        "end_cone": leg.end.cone,
        "radius": leg.radius,
        "joints": [_joint(leg, joint) for joint in leg.joints],
    }


def _joint(leg: Leg, joint: Joint) -> dict[str, Any]:
    carrier = leg.joints[joint.parent].name if joint.parent >= 0 else "base"
    mimic = joint.mimic and {**asdict(joint.mimic), "joint": leg.joints[joint.mimic.joint].name}
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": carrier,
        "axis": joint.axis,
        "offset": joint.offset,
        "body": "" if joint.body.is_massless else joint.body.name,
        "actuated": joint.actuated,
        "mimic": mimic,
        "cone": joint.cone,
        "bolt": None if joint.bolt is None else list(joint.bolt),
        "stroke": joint.limits.stroke,
        "viscous": joint.viscous,
        "coulomb": joint.coulomb,
        "rotor_inertia": joint.rotor_inertia,
        "gear": joint.gear,
        "spring": joint.spring and asdict(joint.spring),
    }


def _actuators(robot: Robot, x: Sequence[float]) -> list[dict[str, Any]]:
    solution = inverse_kinematics(robot, x)
    joints = robot.actuators
    return [
        {
            "name": name,
            "kind": joint.kind,
            "unit": "m" if joint.kind == "P" else "rad",
            "q": float(value),
            **asdict(joint.limits),
        }
        for name, joint, value in zip(solution.actuators, joints, solution.q, strict=True)
    ]


def _operations(robot: Robot) -> dict[str, dict[str, int]]:
    """Operations of one evaluation up to each order, the Jacobian K and the status included."""
    counts = {name: count(kinematics_graph(robot, order)) for order, name in enumerate(ORDERS)}
    return {name: {**asdict(c), "flops": c.flops, "total": c.total} for name, c in counts.items()}
