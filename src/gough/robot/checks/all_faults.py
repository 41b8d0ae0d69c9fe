"""All faults of a file, stage by stage: each stage needs a file that has passed the ones before it.

1. Form: unknown and missing keys, values of the wrong kind.
2. Structure: number and places of legs; then what legs are made of, and numbers that cannot be, table by table.
3. Mechanism: bodies, frames at home, drives and springs of the expanded robot.
4. Kinematics: reach at home and mobility.
5. Tolerances, heat and stiffness, whose keys are addresses of the robot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gough.robot.checks.explicit_robot import robot_faults
from gough.robot.checks.fault import Fault
from gough.robot.checks.plausible_sizes import table_faults
from gough.robot.checks.structure import ring_faults, structure_faults
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.error_tables import tables_in_si
from gough.robot.file.in_si import spec_in_si
from gough.robot.file.motor_file import in_speed, motor_faults
from gough.robot.file.reader import file_units
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
    spec, faults = spec_in_si(tables)
    if faults:
        return None, faults
    stated = {name: spec.pop(name) for name in ERROR_TABLES if name in spec}
    faults = ring_faults(spec) or [*structure_faults(spec), *table_faults(spec)]
    if "motor" in spec:
        faults += motor_faults(spec["motor"], tables["motor"], ("motor",))
    if faults:
        return None, _without_stated_units(faults, tables)
    if "motor" in spec:
        spec["motor"] = in_speed(spec["motor"])
    units = file_units(tables)
    mechanism = expand(spec)
    faults = robot_faults(mechanism, spec, units)
    if more_checks is not None and all(fault.path == COORDINATES for fault in faults):
        # Too few or too many actuators for the coordinates: the mobility may say which coordinates are wrong.
        moved = more_checks(Robot.from_spec(spec, Source(units=units), mechanism))
        faults = moved if any(fault.path == COORDINATES for fault in moved) else [*faults, *moved]
    if not faults and stated:
        errors, faults = tables_in_si(spec, mechanism, stated, units)
        spec |= errors
    if faults:
        return None, _without_stated_units(faults, tables)
    return Robot.from_spec(spec, source(spec), mechanism), []


def _without_stated_units(faults: list[Fault], tables: Mapping[str, Any]) -> list[Fault]:
    """The faults; their hints do not propose a unit that the file states."""
    proposed = [f'[units] {key} = "{unit}"' for key, unit in tables.get("units", {}).items()]
    return [replace(fault, hint="") if any(text in fault.hint for text in proposed) else fault for fault in faults]
