"""Load cases: the worst states of an envelope with all actuator forces and joint reactions, ready for an FE run."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gough.design.coefficients import size_program
from gough.design.envelope import PAYLOAD, WRENCH
from gough.design.size_result import SizeResult
from gough.design.worst import Case
from gough.display import columns_in_units
from gough.dynamics.drives import dry_friction, without_dry_friction
from gough.dynamics.reactions import joint_reactions
from gough.graph import Array, Vector, array, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.motion.column_names import RATES
from gough.robot import Body, Robot
from gough.robot.inertia import steiner
from gough.run import Program
from gough.table.of_robot import actuator_units, coordinate_units

AXES = ("fx", "fy", "fz", "mx", "my", "mz")


def load_cases(result: SizeResult, units: str | None = None) -> tuple[list[str], list[list[Array]]]:
    """Header and rows of the table: one row per actuator and direction of its force.

    Reactions are what the base's side exerts on the platform's side, base axes, at the joint; empty where statics alone
    cannot tell them.

    Args:
        result: Of `size`.
        units: Such as "mm,deg", which the header then names; SI and radians if left out.
    """
    robot, names = result.robot, result.robot.coordinate_names
    twist = ("vx", "vy", "vz", "wx", "wy", "wz")
    header = ["case", "actuator", *[order + name for order in RATES for name in names]]
    header += [*twist, *[f"{name}_d" for name in twist], *[f"wrench_{name}" for name in WRENCH]]
    header += [f"payload_{name}" for name in PAYLOAD] + [f"force_{name}" for name in result.actuators]
    rows = []
    sections: tuple[str, ...] = ()
    for number, (requirement, case) in enumerate(result.cases(), start=1):
        x = requirement.pose
        xd, xdd, v, a = _rates(robot, result.envelope.twist, x, case)
        forces = forces_at(result, x, case, requirement.actuator, 1.0 if requirement.kind == "force+" else -1.0)
        reactions = joint_reactions(with_load(robot, case.payload), x, xd, xdd, case.wrench)
        sections = reactions.names
        through = np.concatenate([reactions.joint_force, reactions.joint_moment], axis=1).ravel()
        start = [f"{number}", f"{result.actuators[requirement.actuator]} {requirement.kind.removeprefix('force')}"]
        rows.append([*start, *x, *xd, *xdd, *v, *a, *case.wrench, *case.payload, *forces, *through])
    header += [f"{name}_{axis}" for name in sections for axis in AXES]
    if units is None:
        return header, rows
    numbers = dict(zip(header[2:], zip(*[row[2:] for row in rows], strict=True), strict=True))
    found = columns_in_units(numbers, _si_units(robot, header, len(sections)), units)
    changed = zip(*[np.asarray(column).tolist() for column in found.values()], strict=True)
    return [*header[:2], *found], [[*row[:2], *after] for row, after in zip(rows, changed, strict=True)]


def _si_units(robot: Robot, header: list[str], sections: int) -> dict[str, str]:
    """Unit of each number of a row."""
    place, effort = coordinate_units(robot), ["N"] * 3 + ["N m"] * 3
    twist = ["m"] * 3 + ["rad"] * 3
    listed = [unit + per for per in ("", "/s", "/s^2") for unit in place]
    listed += [unit + per for per in ("/s", "/s^2") for unit in twist]
    listed += [*effort, "kg", *["kg m"] * 3, *["kg m^2"] * 6, *actuator_units(robot)[1], *effort * sections]
    return dict(zip(header[2:], listed, strict=True))


def forces_at(result: SizeResult, x: Array, case: Case, actuator: int, sign: float) -> Array:
    """(m,) forces of all actuators at a case; dry friction as the case has it."""
    program = size_program(without_dry_friction(result.robot), result.envelope.twist)
    raw = program(x=x, v=case.velocity, a=case.acceleration, wrench=case.wrench, payload=case.payload)
    dry = dry_friction(result.robot)
    signs = np.sign(raw["K"] @ case.velocity)
    if any(result.envelope.velocity):
        signs[actuator] = sign
    return raw["force"] + dry * signs


def with_load(robot: Robot, payload: Array) -> Robot:
    """The robot with a payload of mass, first moment and inertia about the origin of P on its platform."""
    if not np.any(payload):
        return robot
    own = robot.platform.body
    mass = own.mass + payload[0]
    moment = own.mass * np.array(own.com) + payload[1:4]
    about = np.array(own.inertia) + np.array(steiner(own.mass, own.com)) + payload[4:]
    com: Any = moment / mass if mass else np.zeros(3)
    at = (float(com[0]), float(com[1]), float(com[2]))
    xx, yy, zz, xy, xz, yz = (float(v - s) for v, s in zip(about, steiner(float(mass), at), strict=True))
    body = Body(own.name, float(mass), at, (xx, yy, zz, xy, xz, yz))
    return replace(robot, platform=replace(robot.platform, body=body), document=None)


def _rates(robot: Robot, twist: bool, x: Array, case: Case) -> tuple[Array, Array, Array, Array]:
    """Rates and accelerations of the coordinates, and the twist and its rate (6,), of a case."""
    n = len(x)
    xd, xdd = np.asarray(case.velocity, dtype=float), np.asarray(case.acceleration, dtype=float)
    program = _platform_program(robot)
    if twist:
        S = program(x=x, xd=np.zeros(n), xdd=np.zeros(n))["S"]
        xd = np.linalg.solve(S, xd)
        free = program(x=x, xd=xd, xdd=np.zeros(n))["free_bias"]
        xdd = np.linalg.solve(S, xdd - free)
    raw = program(x=x, xd=xd, xdd=xdd)
    return xd, xdd, raw["twist"], raw["rate"]


@lru_cache(maxsize=8)
def _platform_program(robot: Robot) -> Program:
    """x, xd, xdd -> twist, its rate, S with free rates = S xd, and the free rates' rate without xdd."""
    ways = ways_of(robot)

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Vector]:
        platform = robot_pose(robot, ways, x).platform
        v, w = platform.twist(xd)
        a, wd = platform.twist_rate(xd, xdd)
        _, bias = platform.twist_rate(xd, np.zeros(len(xd)))
        axes = iter(bias)
        free = [next(axes) if turns and platform.charted else 0.0 for turns in platform.turns]
        return {
            "twist": array([*v, *w]),
            "rate": array([*a, *wd]),
            "S": platform.chart(),
            "free_bias": array(free),
        }

    n = robot.dof
    return Program(record(equations, x=n, xd=n, xdd=n))
