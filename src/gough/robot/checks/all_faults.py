"""All faults of a file, stage by stage: each stage needs a file that has passed the ones before it.

1. Form: unknown and missing keys, values of the wrong kind; then numbers out of bounds and keys that do not go
   together, table by table (`Reader`).
2. Structure: number and places of legs; then what legs of each type need and may have, and their bodies.
3. Mechanism: geometry at home, names, drives and springs of the expanded robot.
4. Kinematics: reach at home and mobility.
5. Tolerances, heat and stiffness, whose keys are addresses of the robot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gough.robot.checks.bodies import small_inertias
from gough.robot.checks.fault import Fault
from gough.robot.checks.legs import leg_faults, ring_faults, strong_friction
from gough.robot.checks.mechanism import mechanism_faults
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.error_tables import tables_in_si
from gough.robot.file.motor_file import fast_curves
from gough.robot.file.reader import Reader, file_units
from gough.robot.file.schema import RobotTable
from gough.robot.legs.expand import expand
from gough.robot.robot import Robot, Source
from gough.robot.spec import Spec

COORDINATES = ("platform", "coordinates")

MoreChecks = Callable[[Robot], list[Fault]]
"""Faults that are found by moving a robot, which has passed all other checks."""


def read_robot(
    tables: Mapping[str, Any], source: Callable[[Spec], Source], more_checks: MoreChecks | None = None
) -> tuple[Robot | None, list[Fault]]:
    """The robot of a file's tables and no faults; or None and the faults of the first stage that found any.

    Args:
        tables: As read from TOML, or the same built in Python; lists and dicts only.
        source: Of the robot with a spec.
        more_checks: Stage 4.
    """
    units = file_units(tables)
    reader = Reader(units)
    spec = reader.table(RobotTable, tables)
    if faults := reader.faults or reader.implausible:
        return None, faults
    spec.pop("units", None)
    stated = {name: spec.pop(name) for name in ERROR_TABLES if name in spec}
    faults = [*ring_faults(spec)] or leg_faults(spec)
    if faults:
        return None, faults
    mechanism = expand(spec)
    faults = mechanism_faults(mechanism, spec, units)
    if more_checks is not None and all(fault.path == COORDINATES for fault in faults):
        # Too few or too many actuators for the coordinates: the mobility may say which coordinates are wrong.
        moved = more_checks(Robot.from_spec(spec, Source(units=units), mechanism))
        faults = moved if any(fault.path == COORDINATES for fault in moved) else [*faults, *moved]
    if not faults and stated:
        errors, faults = tables_in_si(spec, mechanism, stated, units)
        spec |= errors
    if faults:
        return None, faults
    return Robot.from_spec(spec, source(spec), mechanism), []


def doubtful_numbers(robot: Robot, tables: Mapping[str, Any]) -> list[Fault]:
    """Numbers of a robot's file that are legal, but most likely a mistake: inertias, friction, speeds of a motor."""
    faults = [
        *small_inertias(robot.expanded, robot.spec, tables.get("units", {})),
        *strong_friction(robot.expanded, robot.spec),
    ]
    if "motor" in robot.spec:
        faults += fast_curves(robot.spec["motor"], tables["motor"], ("motor",))
    return faults
