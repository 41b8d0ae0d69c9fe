"""All faults of a file at once, and none that is only a consequence of another.

The checks come in stages: form, number and places of legs, what legs are made of, numbers table by table, the expanded
robot, and what is found by moving it. After each, what it found fault with is in doubt: it becomes NaN, the rest
goes on. So a fault waits for another run only where its check needs a value that is itself at fault:

* the size of a number: its unit; how far a leg is from reaching: the units of length and angle;
* the values of `home`: the coordinates, which say what slides and what turns;
* unused and missing keys of a leg or a joint, and what its frames at home must be like: its type;
* the places of legs on a ring and how many angles and names there are: the number of legs, where that is in dispute;
* a leg's reach: its own geometry and the platform's pose at home;
* the size of an inertia: the body's mass; one that is not about the centre of mass also where that is;
* the number of actuators, and what `[actuation]` says of each: the number of legs, their `actuated` keys and the
  coordinates, as many as the legs leave motions;
* mobility and dependent motion: the geometry of all legs, all of which reach, in keys that are known;
* control of the platform: at least as many actuators as coordinates;
* tolerances and stiffness: all of the robot, whose numbers they are of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gough.robot.checks.explicit_robot import robot_faults
from gough.robot.checks.fault import Fault, merged
from gough.robot.checks.form import UNKNOWN, read_form
from gough.robot.checks.placeholders import fill
from gough.robot.checks.plausible_sizes import table_faults
from gough.robot.checks.structure import ring_faults, structure_faults
from gough.robot.checks.unknowns import Doubts, Trust, trusted
from gough.robot.error_sources import ERROR_TABLES, to_tables
from gough.robot.file.error_tables import of_tables
from gough.robot.file.small_tables import file_units
from gough.robot.legs.expand import expand
from gough.robot.legs.rings import leg_count
from gough.robot.values import Robot

_STAGES = (structure_faults, lambda document, _doubts: list(table_faults(document)))


def all_faults(
    tables: Mapping[str, Any], more_checks: Callable[[Robot, Trust], list[Fault]] | None
) -> tuple[Robot | None, list[Fault]]:
    """The robot, of which only its faults are to be used if there are any, and the faults.

    Args:
        tables: As read from TOML, or the same built in Python; lists and dicts only.
        more_checks: Faults found by moving the robot, as far as it can be relied on.
    """
    form = read_form(tables)
    document, faults = form.document, list(form.faults)
    if not document:
        return None, faults
    stated = {name: document.pop(name) for name in ERROR_TABLES if document.get(name) is not None}
    doubts = Doubts(set(form.holes), form.units)
    if form.holes:
        fill(document, form.holes)
    found = doubts.new(ring_faults(document, doubts))
    if found:
        faults += [form.told(fault) for fault in found]
        doubts.add([*found, Fault(("legs", "count"), "")])
        fill(document, {fault.path for fault in found})
    if doubts.count() and len(document.get("legs", {}).get("names", ())) != leg_count(document):
        document.get("legs", {}).pop("names", None)
    for stage in _STAGES:
        found = merged(doubts.new(stage(document, doubts)))
        faults += [form.told(fault) for fault in found]
        if found:
            doubts.add(found)
            fill(document, {fault.path for fault in found})
    units = file_units({"units": form.stated})
    robot = replace(expand(document), units=units)
    found = robot_faults(robot, doubts)
    at_odds = [fault for fault in found if fault.path == ("platform", "coordinates")]
    doubts.add(fault for fault in found if fault not in at_odds)
    if more_checks is not None:
        trust = trusted(robot, doubts)
        told = more_checks(robot, replace(trust, driven=trust.driven and not at_odds))
        if any(fault.path == ("platform", "coordinates") for fault in told):
            found = [fault for fault in found if fault not in at_odds]
        if any(fault.allowed == UNKNOWN for fault in form.faults):
            # What was meant by the key may be what holds the platform.
            told = [fault for fault in told if fault.path != ("platform", "coordinates")]
        found += told
    faults += [form.told(fault) for fault in found]
    if stated and not faults:
        errors, found = of_tables(robot, stated, units)
        robot = replace(robot, errors=errors, document={**document, **to_tables(errors)})
        faults = [form.told(fault) for fault in found]
    return robot, faults
