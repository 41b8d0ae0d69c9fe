"""Load cases: the worst states of an envelope with all actuator forces and joint reactions, ready for an FE run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.design.coefficients import size_program
from gough.design.envelope import PAYLOAD
from gough.design.size_result import SizeResult
from gough.design.worst import Case
from gough.display import columns_in_units
from gough.dynamics.drives import dry_friction, without_dry_friction
from gough.dynamics.reactions import joint_reactions
from gough.graph import Array, Vector, array, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.motion import State
from gough.motion.columns import WRENCH
from gough.robot import Body, Mechanism, by_mechanism
from gough.robot.inertia import steiner
from gough.run import Program
from gough.table import Block, Table
from gough.table.result import robot_block

TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")
_EFFORTS = ["N"] * 3 + ["N m"] * 3


def load_cases(result: SizeResult, units: str | None = None) -> tuple[list[str], list[list[Any]]]:
    """Header and rows of `SizeResult.cases_table`.

    Args:
        result: Result of `size`.
        units: Such as "mm,deg", which the header then names; SI and radians if left out.
    """
    table = case_table(result)
    columns = table.columns()
    if units is not None:
        columns = columns_in_units(columns, table.si_units(), units)
    return list(columns), [list(row) for row in zip(*[np.asarray(c).tolist() for c in columns.values()], strict=True)]


def case_table(result: SizeResult) -> Table:
    """One row per actuator and direction of its force.

    Reactions are what the base's side exerts on the platform's side, base axes, at the joint; NaN where statics alone
    cannot tell them.
    """
    robot, cases = result.robot, list(result.cases())
    rates = [_rates(robot, result.envelope.twist, r.pose, case) for r, case in cases]
    reactions = [
        joint_reactions(with_load(robot, case.payload), State(r.pose, xd, xdd, wrench=case.wrench))
        for (r, case), (xd, xdd, _, _) in zip(cases, rates, strict=True)
    ]
    sections = reactions[0].names if reactions else ()

    def rows(values: Iterable[ArrayLike], *shape: int) -> Array:
        return np.array([*values], dtype=float).reshape(len(cases), *shape)

    n, m = robot.dof, len(result.actuators)
    forces = [forces_at(result, r.pose, case, r.actuator, 1.0 if r.kind == "force+" else -1.0) for r, case in cases]
    through = [np.concatenate([r.joint_force, r.joint_moment], axis=1) for r in reactions]
    names = [f"{result.actuators[r.actuator]} {r.kind.removeprefix('force')}" for r, _ in cases]
    blocks = [
        Block("case", np.array([str(k + 1) for k in range(len(cases))])),
        Block("actuator", np.array(names)),
        robot_block(robot, "x", rows((r.pose for r, _ in cases), n), "coordinate", prefix=""),
        robot_block(robot, "xd", rows((xd for xd, _, _, _ in rates), n), "coordinate", "rate"),
        robot_block(robot, "xdd", rows((xdd for _, xdd, _, _ in rates), n), "coordinate", "acceleration"),
        Block("twist", rows((v for _, _, v, _ in rates), 6), ["m/s"] * 3 + ["rad/s"] * 3, {"axis": TWIST}, ""),
        Block(
            "twist_rate",
            rows((a for _, _, _, a in rates), 6),
            ["m/s^2"] * 3 + ["rad/s^2"] * 3,
            {"axis_rate": [f"{name}d" for name in TWIST]},
            "",
        ),
        Block("wrench", rows((case.wrench for _, case in cases), 6), _EFFORTS, {"component": WRENCH}),
        Block(
            "payload",
            rows((case.payload for _, case in cases), 10),
            ["kg", *["kg m"] * 3, *["kg m^2"] * 6],
            {"entry": PAYLOAD},
        ),
        robot_block(robot, "force", rows(forces, m), "actuator", "force"),
        Block("reaction", rows(through, len(sections), 6), _EFFORTS, {"joint": sections, "effort": WRENCH}, ""),
    ]
    return Table(len(cases), tuple(blocks), {"robot": robot.name}, "case", ("force",))


def forces_at(result: SizeResult, x: Array, case: Case, actuator: int, sign: float) -> Array:
    """(m,) forces of all actuators at a case; dry friction as the case has it."""
    limited = result.margin is not None
    machine = result.robot if limited else without_dry_friction(result.robot)
    program = size_program(machine, result.envelope.twist)
    raw = program(x=x, v=case.velocity, a=case.acceleration, wrench=case.wrench, payload=case.payload)
    if limited:
        return raw["force"]
    dry = dry_friction(result.robot)
    signs = np.sign(raw["K"] @ case.velocity)
    if any(result.envelope.velocity):
        signs[actuator] = sign
    return raw["force"] + dry * signs


def with_load(robot: Mechanism, payload: Array) -> Mechanism:
    """The mechanism with a payload of mass, first moment and inertia about the origin of P on its platform."""
    if not np.any(payload):
        return robot.mechanism
    own = robot.platform.body
    mass = own.mass + payload[0]
    moment = own.mass * np.array(own.com) + payload[1:4]
    about = np.array(own.inertia) + np.array(steiner(own.mass, own.com)) + payload[4:]
    com: Any = moment / mass if mass else np.zeros(3)
    at = (float(com[0]), float(com[1]), float(com[2]))
    xx, yy, zz, xy, xz, yz = (float(v - s) for v, s in zip(about, steiner(float(mass), at), strict=True))
    body = Body(own.name, float(mass), at, (xx, yy, zz, xy, xz, yz))
    return replace(robot.mechanism, platform=replace(robot.platform, body=body))


def _rates(robot: Mechanism, twist: bool, x: Array, case: Case) -> tuple[Array, Array, Array, Array]:
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


@by_mechanism(8)
def _platform_program(robot: Mechanism) -> Program:
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
